"""Tables of turns that are worked out once and kept in the user's cache.

A table is known by the digest of its circuit, rulebook and figures, so that whatever changes there makes a new one; a
file that is damaged is worked out again as if it were not there.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Final

import msgspec

from companion import whole_file
from companion.drivers import Progress, shipped
from companion.drivers.table import Table
from companion.drivers.turn_graph import Course, Scene, fitting
from companion.rules.circuit.track import Track
from companion.rules.conversation.asking import Json
from companion.rules.conversation.kinds import Pool, Surface
from companion.rules.conversation.typed import state_reader

LONGEST: Final = 3
"""Number of laps that a table looks ahead; in a longer race the laps before these are driven as the first of them."""


class StoredTable(msgspec.Struct, frozen=True):
    """A table as a file holds it.

    It has its circuit's places, its pools, laps, whether it has sheets past the flag and for a new set of tyres, and
    the turns as single floats.
    """

    digest: str
    pools: tuple[Pool, ...]
    places: tuple[tuple[int, int], ...]
    laps: int
    past: bool
    new: bool
    turns: bytes


_reader: Final = state_reader(StoredTable)


def folder() -> Path:
    """Return the folder of the tables: $CACHE_DIRECTORY (the first one named), else the user's cache."""
    if said := os.environ.get("CACHE_DIRECTORY", "").split(":")[0]:
        return Path(said) / "drivers"
    import platformdirs

    try:
        return Path(platformdirs.user_cache_dir("companion", appauthor=False)) / "drivers"
    except RuntimeError:  # whoever has no home keeps none
        return Path("/nonexistent/companion/drivers")


def path_of(course: Course, laps: int) -> Path:
    """Return the file of a table."""
    return folder() / f"{course.track.key}-{'-'.join(course.scene)}-{laps}-{course.digest}.table"


def read(path: Path, digest: str) -> Table | None:
    """Read a stored table; None if it is missing, damaged or another's."""
    try:
        whole = path.read_bytes()
        check, said = whole[:32], whole[32:]
        if hashlib.sha256(said).digest() != check:
            return None
        stored = _reader(said)
        return _table(stored) if stored.digest == digest else None
    except (OSError, ValueError, msgspec.MsgspecError):
        return None


def _table(stored: StoredTable) -> Table:
    return Table(stored.pools, stored.places, stored.laps, stored.past, stored.new, stored.turns)


def from_cache(course: Course, laps: int) -> Table | None:
    """Return the table of a course from the cache, if it is there and whole."""
    return read(path_of(course, laps), course.digest)


def prepare(course: Course, laps: int, progress: Progress = lambda share: None) -> Table:
    """Return the table of a course, from the cache or worked out; a disk that takes none does not matter."""
    if found := from_cache(course, laps):
        return found
    if not course.rows:
        shipped.work_out(course, lambda share: progress(share / 2))
    from companion.drivers import values  # with numpy, which nobody needs who reads a table only

    sheets = values.worth_of(course, laps, lambda share: progress((1 + share) / 2))
    turns = b"".join(values.columns(sheet) for sheet in sheets)
    return keep(path_of(course, laps), course.digest, course, course.pools, laps, turns)


def keep(path: Path, digest: str, course: Course, pools: tuple[Pool, ...], laps: int, turns: bytes) -> Table:
    """Return a table of these turns, stored in that file where the disk takes it."""
    worked_out = StoredTable(digest, pools, tuple(course.places), laps, bool(course.home), course.soft_space, turns)
    said = msgspec.msgpack.encode(worked_out)
    with contextlib.suppress(OSError):
        whole_file.write(path, hashlib.sha256(said).digest() + said)
    return _table(worked_out)


_held: dict[tuple[Track, Scene, int, bytes], Table] = {}
"""Tables that this program has read."""


def table_of(track: Track, scene: Scene, laps: int, options: Mapping[str, Json] | None = None) -> Table:
    """Return the table for a race of this many laps, worked out now if it never was."""
    key = _key(track, scene, laps, options)
    if not at_hand(track, scene, laps, options):
        _held[key] = prepare(Course(track, scene, options), min(laps, LONGEST))
    return _held[key]


def at_hand(track: Track, scene: Scene, laps: int, options: Mapping[str, Json] | None = None) -> bool:
    """Return True if that table need not be worked out first; load it if the cache has it."""
    key = _key(track, scene, laps, options)
    if key not in _held and (found := from_cache(Course(track, scene, options), min(laps, LONGEST))):
        _held[key] = found
    return key in _held


def _key(track: Track, scene: Scene, laps: int, options: Mapping[str, Json] | None) -> tuple[Track, Scene, int, bytes]:
    return track, scene, min(laps, LONGEST), msgspec.json.encode(options or {}, order="sorted")


def scenes(track: Track, rulebook: str, options: Mapping[str, Json] | None = None) -> list[Scene]:
    """Return the scenes of a race's tables: each compound where it belongs, and in the wet hard tyres too."""
    book = Course(track, Scene(rulebook, "dry", "hard"), options).book
    surfaces: tuple[Surface, ...] = ("dry", "wet") if "surface" in book.race_values else ("dry",)
    worn = [(surface, one or "hard") for surface in surfaces for one in fitting(book, wet=surface == "wet")]
    if "wet" in surfaces:
        worn.append(("wet", "hard"))
    return [Scene(rulebook, surface, compound) for surface, compound in dict.fromkeys(worn)]
