"""An index of the circuits for lists, which saves reading every board.

A table may have many boards of its own. Each is read once; its entry in the index, stored with the races, is valid
until its file changes.
"""

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
from companion.rules.conversation.errors import BadSetup, BadTrack, error_of, error_text
from companion.rules.conversation.typed import json_reader
from companion.rules.dice.formula_de import FormulaDe
from companion.rules.ninety.circuit import SectionTrack
from companion.rules.rulebooks import check_circuit
from companion.version import VERSION

if TYPE_CHECKING:
    from companion.rules.rulebooks import Kind

FILE: Final = "boards.json"


class ListedCircuit(msgspec.Struct, frozen=True, omit_defaults=True):
    """A row of a list of circuits, found under its `key`.

    `spaces` is the length of the shortest lap, or the number of sections; `grid` is the number of cars on the grid.
    Only the name and kind are known of a board that is not yet `checked`. `wrong` is the error that makes it
    unreadable, as `written`, else "".
    """

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
    wrong: str = ""

    @property
    def refusal(self) -> BadTrack | None:
        """The error that makes the board unreadable, or None."""
        return BadTrack.of(error_of(self.wrong)) if self.wrong else None


class IndexEntry(msgspec.Struct):
    """An entry of the index: a board with its file's time, size and digest when read."""

    changed: int
    size: int
    digest: str
    listed: ListedCircuit


class Index(msgspec.Struct):
    """The index file: the version of the program that wrote it, and the boards by path.

    An index of another version is discarded, because its checks may differ.
    """

    program: str = VERSION
    boards: dict[str, IndexEntry] = {}


_reader: Final = json_reader(Index)
_lock: Final = threading.Lock()
"""Held while the index is read or written: boards are checked in a thread of their own."""
_of: tuple[Path | None, Index] = (None, Index())
_listeners: list[Callable[[], object]] = []
"""Callbacks to run after each board is checked; empty when no check is running."""


def listed(*, sections: bool) -> list[ListedCircuit]:
    """Return the circuits of sections, or all others, the shipped ones first.

    The table's own boards are not read for this: an unchecked one is listed by its name.
    """
    shipped = circuits.section_keys() if sections else circuits.keys()
    rows = [_read(key) for key in shipped]
    with _lock:
        index = _index()
        own = [_cached_row(index, path) or _unread(path) for path in circuits.own()]
    return rows + [row for row in own if (row.known == "sections") is sections]


def driven_by(kind: Kind) -> list[ListedCircuit]:
    """Return the circuits that suit a rulebook, and the table's own unchecked boards.

    Unreadable boards are left out.
    """
    rows = listed(sections=not issubclass(kind, FormulaDe))
    return [row for row in rows if not row.wrong and (not row.checked or _takes(kind, row))]


def _takes(kind: Kind, row: ListedCircuit) -> bool:
    try:
        check_circuit(kind, row)
    except BadSetup:
        return False
    return True


def read(key: str) -> ListedCircuit:
    """Read a circuit now, and return its row."""
    path = next((path for path in circuits.own() if circuits.key_of_own(path) == key), None)
    return _check(path) if path is not None else _read(key)


def check(on_news: Callable[[], object]) -> bool:
    """Check the table's own unchecked boards in a background thread.

    `on_news()` is called from that thread after each board. Returns False if there is nothing to check.
    """
    with _lock:
        index = _index()
        unread = [path for path in circuits.own() if _cached_row(index, path) is None]
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


def _read(key: str, own: bool = False) -> ListedCircuit:
    try:
        board = circuits.board(key)
    except BadTrack as wrong:
        name = key.rpartition("/")[2].removesuffix(".toml")
        return ListedCircuit(key, name, own=own, wrong=error_text(wrong))
    return of_board(key, board, own)


def of_board(key: str, board: Track | SectionTrack, own: bool = False) -> ListedCircuit:
    """Return the row of a board that has been read."""
    bare = ListedCircuit(
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


def _unread(path: Path) -> ListedCircuit:
    """Return the row of an unread board, from the head of its file."""
    name, sections = circuits.head_of(path)
    return ListedCircuit(
        circuits.key_of_own(path), name or path.stem, "sections" if sections else "corner", own=True, checked=False
    )


def _check(path: Path, *, write: bool = True) -> ListedCircuit:
    """Read a board and store its row."""
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
        index.boards[str(path)] = IndexEntry(state.st_mtime_ns, state.st_size, digest, found)
        if write:
            index.boards = {at: one for at, one in index.boards.items() if Path(at).exists()}
            with contextlib.suppress(OSError):  # a disk that takes nothing: they are checked again next time
                whole_file.write(_file(path), msgspec.json.encode(index))
    return found


def _cached_row(index: Index, path: Path) -> ListedCircuit | None:
    """Return the indexed row of a board, or None if its file has changed."""
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
    """Return the index of the present boards.

    Empty if the file is damaged or was written by another version.
    """
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
