"""What is to be shown, as plain typed data, for every way of showing: screens, paper, and whatever comes.

`shown`, `shown_board` and `shown_race` are the shapes; `sight` is what each view is made from: the desk as it stands,
with the words for it (`worded` calls spaces as people do, `citing` articles).

`race` puts the race screen together from `prompt` (the question) with `titles`, `keys` (its answers), `landings`
(spaces by their outcomes), `form`, `price`, `risk` and `rolls` (what may follow) and `steps`; `card` (rulings),
`board`, `dashboard` with `counters` and `extras`, `order`, `toast`; and what has a place of its own: `queue` (tests),
`attack`, `pits`, `weather`, `building` (a car), `seen` (corner sheets), `sections`, `contest`, `hand` (the race of
cards). `framing` is what part of the board is looked at, `phone` what phones and walls show, with `classified` once a
race is over and `replay` to see it again. `override` is the referee's word, `history` the answers to go back to,
`sheet` the race sheet, `after` what it was, `analysis` who was lucky, `guide` what is said to who drives a first lap,
`programs` drives the program's seats, `hint` is what a champion would answer, `odds` what the order may say, `legend`
what a key or a symbol means; `brought` is what all read of rulings that were given.

Before a race: `home`, `first_page`, `new_race`; `draft` what was chosen, `standing` and `places` a position. Around
races: the room `commissioner`, of a tournament, a season and trials.

Begin with `race`. From here the arrows go to the desk, the sheets, the words and the rules; nothing here draws.
"""
