"""The commissioner's screens: what goes on around races, at one table or at many.

`trial` is the timed practice, while the clock runs and after it; `clock` are its large figures, `trial_parts` its keys
and rows, `following` the board on which the car is followed, and `timing` the trials that were driven on paper.
`new_event` begins a tournament or a season. The others are kinds of `record_screen`, some with a `strip` of plates:
`entrants` (with `entry_sheet` and `importing`), `standings`, `driver` and `table_result` are of both, `calendar` and
`arranging` are a season's, `seeding` and `weather` are a tournament's, and `acts` is the history of any of them;
`taking` has its tables leave the device, `asking` has each ask for a reason, or a word. Each shows a record, which
`screens.app.recording` keeps open in a thread of its own; what is shown comes from `view` as plain data, and whatever
is touched becomes one act of the record.
"""
