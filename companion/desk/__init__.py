"""The race desk: the only writer of a race.

It takes one answer after the other, lets the rulebook rule, writes answer and rulings down, and only then reports them.
It undoes, redoes and corrects. Terminal, line protocol, screens and tests all use it; none of them knows a rule.

`open_race` is the race that lies on the desk, `correcting` and `race_desk` are what people do to it, `events` what it
reports; `thread` lets several hands do it. `beginning` is how everybody begins one that is stored, `ahead` what answers
would bring, `auto_answer` what needs no person. `record_desk` is the same for tournaments, seasons and trials (their
circuits are checked by `stages`, and the races that have begun for them are told by `begun`), `trial_desk` for trials
with the clock that runs, and `organising` what an organiser does beside a record: races started, results taken from
their logs. `session` is the race as listeners get it, from a
seat: phones, bots, web sites.
"""

from companion.desk.events import Correction, Done, EntryWritten
from companion.desk.open_race import SPACING
from companion.desk.race_desk import RaceDesk
from companion.desk.thread import DeskThread

__all__ = ["SPACING", "Correction", "DeskThread", "Done", "EntryWritten", "RaceDesk"]
