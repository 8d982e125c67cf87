"""The referee's line protocol: one JSON object a line in, one or more a line out. `companion referee`.

For every line in come zero or more rulings and views, and then exactly one question, result or error. What is wrong is
an error line, and nothing has changed then.

`by_lines` is the referee, `fields` are what it reads of a line, `messages` what it tells of a race, typed;
`session_lines` are ids, events and seats, with `board_lines`, a circuit as data; `documentation` says what may be said
to it, `command` is the program. `records` are tournaments and seasons by lines, `trials` are trials; `act_lines` is
what they share.
"""

from companion.protocol.by_lines import COMMANDS, Referee
from companion.protocol.command import lines, referee, write
from companion.protocol.fields import Line

__all__ = ["COMMANDS", "Line", "Referee", "lines", "referee", "write"]
