"""View models for those who run a tournament, a season or trials.

`trials` is the timed practice, `followed` what the board found in it. `entrants`, `seeding` and `table_result` belong
to tournaments; `calendar`, `arranging` and `driver` to seasons; `standings` and `skies` (the weather) to both.
`new_event` begins one, `next_up` is the next thing to do, `acts` the log with its undo, `listings` the printable
tables, `in_hall` the tables of race control's hall.

Begin with `standings`. These modules import the tournament, its records and the shapes of `view`.
"""
