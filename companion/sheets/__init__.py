"""The database of races: the log that is only added to, and what is read from it. `log` writes, `reading` reads,
`verify` checks, `sheet` and `filling` make sheets, `backup` and `salvage` see that nothing is lost.
"""
