"""The commissioner's screens: everything around races, at one table or at many.

`trial` is the timed practice, during and after a run; `trial_parts` has its clock, keys and rows, `following` the
board on which the car is followed, and `timing` the trials driven on paper. `new_event` starts a tournament or a
season. The others derive from `record_screen`, which also asks for a reason or a text, some with a `strip` of plates:
`entrants` (with `importing`), `standings`, `driver` and `table_result` are for both, `calendar` and `arranging` for a
season, `seeding` and `weather` for a tournament, and `acts` is the history of any of them; `taking` exports its
tables. Each shows a record, which `screens.app.recording` keeps open in a thread of its own; the content comes from
`view` as plain data, and every change becomes one act of the record.
"""
