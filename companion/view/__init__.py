"""What is to be shown, as plain typed data, for every way of showing: screens, paper, and whatever comes.

`shown`, `shown_board`, `shown_phases` and `shown_race` are the shapes; `sight` is what each view is made from: the desk
as it stands, with the words for it. `race` puts the race screen together from `prompt` (the question), `keys` (its
answers), `price`, `card` (rulings), `board`, `dashboard`, `order`, `queue` (tests), `attack`, `pits`, `seen` (corner
sheets), `toast`. `sheet*` are the race sheets, `history` the answers to go back to, `new_race`, `draft*` and `building`
a race before it begins. `trials` are the timed practice, `followed` what the board said of it, `standings`, `calendar`
and `driver` a season, `entrants`, `seeding` and `table_result` a tournament, `events` what home tells of both.

Begin with `race`. From here the arrows go to the desk, the sheets, the words and the rules; nothing here draws.
"""
