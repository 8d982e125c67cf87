"""What a list says of each circuit. A table may have many boards of its own: each is read once, and known again from
the index beside the races as long as its file stays as it is."""

from __future__ import annotations

import contextlib
import hashlib
import logging
import threading
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Final, Literal

import msgspec

from companion import circuits, whole_file
from companion.rules.circuit.track import Track
from companion.rules.conversation.asking import Json
from companion.rules.conversation.errors import BadSetup, BadTrack
from companion.rules.conversation.typed import json_reader
from companion.rules.dice.formula_de import FormulaDe
from companion.rules.ninety.circuit import SectionTrack
from companion.rules.rulebooks import check_circuit
from companion.version import VERSION

if TYPE_CHECKING:
    from companion.rules.rulebooks import Kind

FILE: Final = "boards.json"


class Listed(msgspec.Struct, frozen=True, omit_defaults=True):
    """A circuit as a list has it, by the `key` under which it is found. `spaces` is its shortest lap, or how many
    sections it has; `grid` how many cars its grid takes. A board that was not read yet is not `checked`: only its name
    and kind are known then. `wrong` is why it cannot be read, as a sentence with its kind and facts."""

    key: str
    name: str
    known: Literal["space", "corner", "sections"] = "corner"
    country: str = ""
    spaces: int = 0
    corners: int = 0
    stops: int = 0
    grid: int = 0
    pit: int = 0
    zones: tuple[str, ...] = ()
    proposed: bool = False
    trust: str = ""
    laps: Mapping[str, int] = {}
    own: bool = False
    checked: bool = True
    wrong: tuple[str, str, dict[str, Json]] | None = None

    @property
    def refusal(self) -> BadTrack | None:
        """Why it cannot be read, None if it can."""
        return BadTrack(self.wrong[0], self.wrong[1], **self.wrong[2]) if self.wrong is not None else None


class Entry(msgspec.Struct):
    """A board in the index: its file's time, size and digest when it was read."""

    changed: int
    size: int
    digest: str
    listed: Listed


class Index(msgspec.Struct):
    """The file: the program that wrote it, whose checks these were, and the boards by the paths of their files."""

    program: str = VERSION
    boards: dict[str, Entry] = {}


_reader: Final = json_reader(Index)
_lock: Final = threading.Lock()
"""Held while the index is read or written: boards are checked in a thread of their own."""
_of: tuple[Path | None, Index] = (None, Index())
_listeners: list[Callable[[], object]] = []
"""Who is told of each board that is checked, while any are."""


def listed(*, sections: bool) -> list[Listed]:
    """Return the circuits of sections, or all others, those of the program first. No board of the table's own is read
    for it: one that was never checked is listed by its name."""
    shipped = circuits.section_keys() if sections else circuits.keys()
    rows = [_read(key) for key in shipped]
    with _lock:
        index = _index()
        own = [_known(index, path) or _unread(path) for path in circuits.own()]
    return rows + [row for row in own if (row.known == "sections") is sections]


def driven_by(kind: Kind) -> list[Listed]:
    """Return the circuits that a rulebook is driven on, and the table's own boards that were never checked; none that
    cannot be read."""
    rows = listed(sections=not issubclass(kind, FormulaDe))
    return [row for row in rows if row.wrong is None and (not row.checked or _takes(kind, row))]


def _takes(kind: Kind, row: Listed) -> bool:
    try:
        check_circuit(kind, row)
    except BadSetup:
        return False
    return True


def read(key: str) -> Listed:
    """Read a circuit now, and return what a list says of it."""
    path = next((path for path in circuits.own() if circuits.key_of_own(path) == key), None)
    return _check(path) if path is not None else _read(key)


def check(on_news: Callable[[], object]) -> bool:
    """Read the table's own boards that were never checked, in a thread of its own, and call `on_news()` from there
    after each; return whether there are any."""
    with _lock:
        index = _index()
        unread = [path for path in circuits.own() if _known(index, path) is None]
        if not unread:
            return False
        _listeners.append(on_news)
        if len(_listeners) > 1:
            return True  # they are being checked already

    def work() -> None:
        for path in unread:
            try:
                _check(path, write=path is unread[-1])
            except Exception:
                logging.getLogger(__name__).exception("%s could not be checked", path)
            for listener in list(_listeners):
                listener()
        _listeners.clear()

    threading.Thread(target=work, name="boards", daemon=True).start()
    return True


def _read(key: str, own: bool = False) -> Listed:
    try:
        board = circuits.board(key)
    except BadTrack as wrong:
        name = key.rpartition("/")[2].removesuffix(".toml")
        facts = {name: fact for name, fact in wrong.facts.items() if isinstance(fact, str | int)}
        return Listed(key, name, own=own, wrong=(str(wrong), wrong.kind, {**facts}))
    return of_board(key, board, own)


def of_board(key: str, board: Track | SectionTrack, own: bool = False) -> Listed:
    """Return what a list says of a board that has been read."""
    bare = Listed(
        key, board.name, board.known, board.country, corners=len(board.corners), trust=board.trust,
        laps=dict(board.laps), own=own,
    )  # fmt: skip
    if isinstance(board, SectionTrack):
        return msgspec.structs.replace(bare, spaces=len(board.sections), pit=board.pit)
    return msgspec.structs.replace(
        bare,
        spaces=board.shortest_lap,
        stops=sum(corner.stops for corner in board.corners),
        grid=len(board.grid),
        zones=tuple(zone.name for zone in board.zones),
        proposed=any(zone.proposed for zone in board.zones),
    )


def _unread(path: Path) -> Listed:
    """A board of which no more is known than what stands at the head of its file."""
    name, sections = circuits.head_of(path)
    return Listed(
        circuits.key_of_own(path), name or path.stem, "sections" if sections else "corner", own=True, checked=False
    )


def _check(path: Path, *, write: bool = True) -> Listed:
    """Read a board, and keep what was found."""
    try:
        state, digest = path.stat(), hashlib.sha256(path.read_bytes()).hexdigest()
    except OSError:
        return _read(str(path), own=True)  # it has gone meanwhile
    with _lock:
        entry = _index().boards.get(str(path))
    found = entry.listed if entry is not None and entry.digest == digest else None
    found = found or msgspec.structs.replace(_read(str(path), own=True), key=circuits.key_of_own(path))
    with _lock:
        index = _index()
        index.boards[str(path)] = Entry(state.st_mtime_ns, state.st_size, digest, found)
        if write:
            index.boards = {at: one for at, one in index.boards.items() if Path(at).exists()}
            with contextlib.suppress(OSError):  # a disk that takes nothing: they are checked again next time
                whole_file.write(_file(path), msgspec.json.encode(index))
    return found


def _known(index: Index, path: Path) -> Listed | None:
    """What the index says of a board, None if its file is another now."""
    entry = index.boards.get(str(path))
    try:
        state = path.stat()
    except OSError:
        return None
    return (
        entry.listed
        if entry is not None and (entry.changed, entry.size) == (state.st_mtime_ns, state.st_size)
        else None
    )


def _index() -> Index:
    """The index of the boards there are now; an empty one if it is damaged, or was written by another program."""
    global _of
    boards = circuits.own()
    file = _file(boards[0]) if boards else None
    if file is not None and _of[0] != file:
        index = Index()
        with contextlib.suppress(OSError, ValueError, msgspec.MsgspecError):
            index = _reader(file.read_bytes())
        _of = file, index if index.program == Index().program else Index()
    return _of[1]


def _file(board: Path) -> Path:
    return board.parent.parent / FILE
