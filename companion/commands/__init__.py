"""The commands, one file a group; each is a thin layer over the room that does the work, imported when it is used.

`main` is `companion` itself and says which commands there are; `tracks`, `rules`, `sheets`, `tournament`, `season`,
`hall`, `trial`, `drivers`, `odds`, `analyse`, `phones`, `hardware` and `demo` are the groups; what tournament and
season share is in `organising`, how far a long sum is in `telling`. The terminal's and the protocol's commands stand
in their own rooms.
"""
