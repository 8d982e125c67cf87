"""The rules of competition over several tables or races: tournaments and seasons.

Pure, like the rulebooks: nothing here reads a clock, a file or a screen.

Begin with `record`: a tournament, a season and a session of trials are logs of acts, and how they stand is worked out
from the acts in force. `trial` is one lap on the clock, `trials` those of a day at one table, `following` what the
board had to say about one. `times` has the absolute times that trials produce and tables are seeded from. `tournament`
and `season` are what is `organised`: made of the chapters `entrants`, `seeding`, `seed_changes`, `weather`, `results`,
`standings`, `statistics`; a `draft` is a result that is being typed. `control` is what race control says to the tables.
A new kind of record is a subclass of `Record` with its own acts, and a line in `companion.sheets.records`.
"""
