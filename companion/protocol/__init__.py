"""The referee's line protocol, for `companion referee`: one JSON object per line, in and out.

Each line in is answered by zero or more rulings and views, then exactly one question, result or error. After an error
nothing has changed.

`by_lines` is the referee, `fields` parses the fields of a line, and `messages` are the typed messages of a race.
`session_lines` adds ids, events and seats, `board_lines` circuits as data. `documentation` is the reference, `command`
the program. `records` runs tournaments and seasons, `trials` timed trials, both on `act_lines`.
"""

from companion.protocol.by_lines import COMMANDS, LineReferee
from companion.protocol.command import lines, referee, write
from companion.protocol.fields import Line

__all__ = ["COMMANDS", "Line", "LineReferee", "lines", "referee", "write"]
