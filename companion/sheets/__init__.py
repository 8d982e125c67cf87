"""The database of races and records: the log that is only added to, and what is read from it.

`log` writes, `reading` reads, `verify` checks. `entry` is what the log holds, each chained (`chain`) to the one before;
`mark` keeps outside how far it was confirmed. `acts` and `history` are a race as it stands, from its log alone, `again`
plays it once more, `records` are tournaments, seasons and trials. `database` opens it, `forms` brings an older one up
to date, `guards` are its triggers. `sheet` and `besides` are the race sheets as data, `filling` fills them, `after`
looks back on a race, `export` writes them out; `lines` has a log as lines and reads it again. `place` is where the
races lie, `storage` the disk, `sticks`, `backup`, `salvage` and `pages` see that nothing is lost. `entrants` are the
people whom a table remembers, `wall` is the clock on the wall.
"""
