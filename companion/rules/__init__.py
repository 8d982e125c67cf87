"""The rules core: pure Python that reads like the rulebooks. No file, clock, screen or chance of its own.

`conversation` is the machinery of any rulebook: questions, answers, rulings, and the conversation that runs a race.
`circuit` is the board: read from its file, checked, and searched for ways. `dice` is the family of dice and gears, with
the competition as its reference; `beginner`, `formula_d`, `cup`, `league` and `death` change what they change of it.
`ninety` is the race of cards. `rulebooks` finds the one that a setup names, `correction` goes back to an earlier
answer, `public` is what the world may know of a race, and `position` how the log keeps it. Whether a wheel has compiled
what searches the board says `compiled`. `testing` checks a rulebook: what an answer is offered for is what it is ruled
to cost, in random races and in the turns that `made_up` makes.

A rulebook is a book of chapters, each an object of its own; a variant of dice puts its own kind of a chapter in the
place of the family's, and its head lists which. Begin with `dice/formula_de.py`, the book, and `dice/turn.py`, the
turn of a car in the fifteen steps of article 6-3. The arrows go from the rulebooks to `dice`, from there to `circuit`
and `conversation`, never back, and no rulebook knows another. Nothing here imports anything from outside `rules`. The
articles in our own words lie in `articles`.
"""
