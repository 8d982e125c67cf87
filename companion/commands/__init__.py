"""The commands, one file a group; each is a thin layer over the room that does the work, imported when it is used.

`main` is `companion` itself and says which commands there are; `tracks`, `rules`, `sheets`, `tournament`, `season`,
`hall`, `trial`, `drivers`, `odds`, `analyse`, `phones`, `hardware`, `config`, `doctor` and `demo` are the groups. What
tournament and season share is in `organising`, two rulebooks beside each other in `comparison`, how far a long sum is
in `telling`, the manual page and the shells' completions in `manual`. The terminal's and the protocol's commands stand
in their own rooms.
"""
