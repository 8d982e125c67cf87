"""Laps of our circuits by the usual figures, shipped so that no table has to spend minutes on them.

A lap is stored under the digest of its course. Another circuit, rulebook or figure has another digest, and its lap is
worked out when it is first driven. So are these once the rules have changed, until `python -m tests.drivers.shipping`
writes them again.
"""

from __future__ import annotations

import lzma
from collections.abc import Iterable, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Final

import msgspec

from companion.drivers import Progress
from companion.drivers.turn_graph import Costs, Course, EqualStops, Rows
from companion.rules.circuit.leg import Landing
from companion.rules.conversation.typed import state_reader

FOLDER: Final = Path(__file__).with_name("laps")


class StoredLap(msgspec.Struct, frozen=True, array_like=True):
    """A course that has been worked out.

    `rolls` has every distinct roll, and `rows` the numbers of those from each place: on any lap, on the last one, and
    the same two with a new set of tyres, where that gives a space more.
    """

    costs: list[Costs]
    samples: list[Landing]
    rolls: Rows
    rows: list[list[int]]


_laps: Final = state_reader(dict[str, msgspec.Raw])
_lap: Final = state_reader(StoredLap)


def path_of(track: str, rulebook: str) -> Path:
    """Return the file of a circuit's laps by a rulebook."""
    return FOLDER / f"{track}-{rulebook}.xz"


def is_shipped(course: Course) -> bool:
    """Return True if the lap of a course comes with the program."""
    return course.digest in _of(course)


def work_out(course: Course, progress: Progress = lambda share: None) -> None:
    """Fill in a course: read its lap where it comes with the program, else ask the rules."""
    if not read(course):
        course.work_out(progress)


def read(course: Course) -> bool:
    """Fill in a course from the lap that comes with the program; False if none does."""
    if (said := _of(course).get(course.digest)) is None:
        return False
    lap = _lap(bytes(said))
    course.costs, course.samples = lap.costs, lap.samples
    course.numbers = {costs: number for number, costs in enumerate(lap.costs)}
    found: list[Rows] = [[lap.rolls[number] for number in rows] for rows in lap.rows]
    course.rows, course.last = found[:2]
    if course.soft_space:
        course.new, course.new_last = found[2:]
    return True


def _of(course: Course) -> dict[str, msgspec.Raw]:
    return _in_file(path_of(course.track.key, course.scene.rulebook))


@lru_cache(maxsize=1)  # the scenes of one race are asked for one after the other, and are in one file
def _in_file(path: Path) -> dict[str, msgspec.Raw]:
    try:
        return _laps(lzma.decompress(path.read_bytes()))
    except (OSError, ValueError, lzma.LZMAError, msgspec.MsgspecError):
        return {}


def write(courses: Sequence[Course]) -> None:
    """Store the laps of a circuit by a rulebook, those of all its scenes."""
    laps = {course.digest: msgspec.Raw(msgspec.msgpack.encode(_stored(course))) for course in courses}
    said = lzma.compress(msgspec.msgpack.encode(laps), preset=9 | lzma.PRESET_EXTREME)
    path_of(courses[0].track.key, courses[0].scene.rulebook).write_bytes(said)


def _stored(course: Course) -> StoredLap:
    numbers: dict[tuple[tuple[EqualStops, ...], ...], int] = {}

    def numbered(rows: Iterable[list[tuple[EqualStops, ...]]]) -> list[int]:
        return [numbers.setdefault(tuple(rolls), len(numbers)) for rolls in rows]

    sheets = (course.rows, course.last, *((course.new, course.new_last) if course.soft_space else ()))
    rows = [numbered(sheet) for sheet in sheets]
    return StoredLap(course.costs, course.samples, [list(rolls) for rolls in numbers], rows)
