"""What every rulebook is made of, whatever it plays with: a race as a conversation between referee and table.

`asking` is what passes between them: questions with their options, answers, rulings; `kinds` the closed lists of what
they can be. `forms` are the shapes that questions have, `faces` the dice that may be asked for. `conversation` runs a
rulebook step by step, keeps the answers and goes back. `rulebook` is the ground that rulebooks stand on, and `chapter`
that of their chapters: the state as bytes, noting a ruling, the referee's word. `consequence` tries on a spare copy
what an answer may bring, and tells it with its likelihoods. `figures` are tables of what a rulebook counts with;
`setup` and `misfits` read a setup and say what is wrong with it; `typed` makes types of what is read, for one thread at
a time; `changes` are what two states differ in; `shuffling` is an order that is the same everywhere; `overriding` marks
what a variant rewrites. `errors` is the one small tree of what can go wrong.

Begin with `asking`. This room imports no other.
"""
