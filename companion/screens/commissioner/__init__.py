"""The commissioner's screens: what goes on around races, at one table or at many.

`trial` is the timed practice, while the clock runs and after it; `clock` are its large figures, `trial_parts` its keys
and rows, and `following` the board on which the car is followed. `standings`, `calendar` and `driver` are a season's,
`entrants`, `seeding` and `table_result` a tournament's; they are kinds of `record_screen`, some with a `strip` of
plates. Each screen shows a record, which `screens.app.recording` keeps open in a thread of its own; what is shown comes
from `view` as plain data, and whatever is touched becomes one act of the record.
"""
