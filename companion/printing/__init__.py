"""Paper: races, rulebooks, and tables of events, printed.

`race` is the race sheet, `blank` one to be filled in by hand, `rules` a rulebook as a table plays it, `listing` the
tables of tournaments and seasons, `code` what a phone reads, `picture` what a race was as SVG. `paper` is what all of
them draw on, and `forms` lists the forms in which a race leaves the program.
"""
