"""The database of races and records: an append-only log, and what is read from it.

`log` writes, `reading` reads, `verify` checks. `entry` is what the log holds, each chained (`chain`) to the one before;
`high_water` marks outside how far it was confirmed, `whole_check` when all was last read and sound. `acts` and
`history` are a race as it stands, from its log alone, `replay` plays it once more, `records` are tournaments, seasons
and trials. `database` opens it, `forms` brings an older one up to date, `guards` are its triggers and indexes. `sheet`
and `car_extras` are the race sheets as data, `build_sheet` fills them, `race_stats` looks back on a race,
`dice_statistics` on the dice of all, `stored_race` deletes, restores and renames a race, `export` writes them out;
`lines` has a log as lines and reads it again. `place` is where the races lie, `storage` the disk, `sticks`, `backup`,
`salvage` and `sqlite_pages` make sure that nothing is lost. `entrants` are the people whom a table remembers,
`wall_clock` formats times.
"""
