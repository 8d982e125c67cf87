"""What is shown around races, to whoever runs a tournament, a season or trials: the same for screens, paper and pages.

`trials` are the timed practice, `followed` what the board said of it. `entrants`, `seeding` and `table_result` are a
tournament's; `calendar`, `arranging` and `driver` a season's; `standings` are of both, and so is `skies`, the weather.
`new_event` is how one begins, `due` what comes next in it, `acts` what was done and may be taken back, `listings`
all of it as tables to read, and `in_hall` the tables of race control's hall.

Begin with `standings`. From here the arrows go to the tournament and its records, and to the shapes of `view`.
"""
