"""The command line, one file per group of commands.

Each command is a thin layer over the package that does the work, imported on use. Begin with `main`: it is `companion`
itself and lists its commands. `groups` shows them in sections and knows their old names. `races` (with `analyse` and
`odds`), `tracks`, `rules` (with `comparison`), `tournament`, `season`, `hall`, `trial`, `drivers`, `phones`, `hardware`
(with `doctor`), `config` and `demo` are the commands; `race` and `referee` are in the terminal and the protocol.
`organising` is shared by tournament and season, `telling` reports progress, `completing` knows the names that a shell
completes, `output` writes what a command has made, `manual` the manual page and the completions of the shells.
"""
