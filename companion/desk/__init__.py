"""The race desk: the only writer of a race.

It takes one answer after the other, lets the rulebook rule, writes answer and rulings down, and only then says so. It
takes back, gives again and corrects. Terminal, line protocol, screens and tests all use it; none of them knows a rule.

`open_race` is the race that lies on the desk, `correcting` and `race_desk` are what people do to it, `told` is what
they are told of that; `thread` lets several hands do it. `beginning` is how everybody begins one that is kept,
`ahead` what answers would bring, `landing_alone` what needs no person. `record_desk` is the same for tournaments,
seasons and trials (their circuits are checked by `stages`), `trial_desk` for trials with the clock that runs, and
`organising` what an organiser does beside a record: races started, results taken from their logs. `session` is what a
race says to whoever listens, from a seat: phones, bots, web sites.
"""

from companion.desk.open_race import SPACING
from companion.desk.race_desk import RaceDesk
from companion.desk.thread import DeskThread
from companion.desk.told import Correction, Done, Told

__all__ = ["SPACING", "Correction", "DeskThread", "Done", "RaceDesk", "Told"]
