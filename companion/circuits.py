"""Find and load circuits by name or path.

The circuits are in companion/tracks in an installed package, and in tracks next to the package in a checkout. A
table's own boards are stored with its races, and are found once `look_in` has set the data folder.
"""

from __future__ import annotations

import os
import unicodedata
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from companion import whole_file
from companion.rules.conversation.errors import BadTrack

if TYPE_CHECKING:  # every command says where a table's boards lie, and few read one
    from companion.rules.circuit.check import CircuitVerdict
    from companion.rules.circuit.track import Track
    from companion.rules.ninety.circuit import SectionTrack

TEMPLATE = "sections-template"
TEMPLATES = {"sections": TEMPLATE, "spaces": "spaces-template", "corners": "corners-template"}
"""The circuits that a table copies and fills in from its board, by kind; each is there in French too."""
BOARDS = "boards"
"""Subfolder of the data folder for a table's own boards."""

_PACKAGE = Path(__file__).resolve().parent
_boards: Path | None = None


def folder() -> Path:
    """Return the folder of the shipped circuits; raises BadTrack if it is missing."""
    for place in (_PACKAGE / "tracks", _PACKAGE.parent / "tracks"):
        if place.is_dir():
            return place
    raise BadTrack("no_circuits", one=_PACKAGE / "tracks")


def keys() -> list[str]:
    """Return the keys of all circuits of spaces and corner sheets, sorted.

    A circuit's key is the name of its file without .toml.
    """
    return sorted(path.stem for path in _shipped() if not _in_sections(path))


def section_keys() -> list[str]:
    """Return the keys of all circuits of sections, sorted."""
    return sorted(path.stem for path in _shipped() if _in_sections(path))


def _shipped() -> list[Path]:
    """Return the files of the shipped circuits, without the templates."""
    return [path for path in folder().glob("*.toml") if not path.stem.removesuffix("-fr").endswith("-template")]


def look_in(data: Path) -> Path:
    """Set and return the data folder whose folder `boards` holds the table's own boards."""
    global _boards
    _boards = data / BOARDS
    return data


def own() -> list[Path]:
    """Return the files of the table's own boards."""
    return sorted(_boards.glob("*.toml")) if _boards is not None else []


def key_of_own(path: Path) -> str:
    """Return the key of one of the table's own boards.

    That is the path of its file if a shipped circuit has the same key.
    """
    return str(path.resolve()) if _is_there(folder() / path.name) else path.stem


def head_of(path: Path) -> tuple[str, bool]:
    """Return the name in a circuit's file and True if it is of sections.

    Only the head of the file is read. An unreadable file gives "" and False.
    """
    try:
        return _printed_name(path), _in_sections(path)
    except BadTrack:
        return "", False


def known_as(path: Path) -> str:
    """Return the key that finds a circuit here, else the path of its file."""
    try:
        return path.stem if find(path.stem).samefile(path) else str(path.resolve())
    except BadTrack:
        return str(path.resolve())


def template(kind: str, lang: str) -> str:
    """Return the text of a blank circuit of a kind of `TEMPLATES`, in English or French."""
    return _text(folder() / f"{TEMPLATES[kind]}{'-fr' if lang == 'fr' else ''}.toml")


def find(name: str) -> Path:
    """Return the file of a circuit.

    `name` is a path to a file (ends in .toml or contains a slash), a key, or a circuit's printed name, in any letter
    case and with or without accents. The table's own boards are searched as well. Raises BadTrack if there is no such
    circuit.
    """
    if name.endswith(".toml") or "/" in name or "\\" in name:
        path = Path(os.path.expanduser(name))  # the home of nobody stays as it stands
        if _is_there(path):
            return path
        raise BadTrack("no_circuit_file", name=name)
    shipped = folder() / f"{name}.toml"
    if _is_there(shipped):
        return shipped
    wanted = plain(name)
    files = {path.stem: path for path in [*own(), *sorted(_shipped())]}
    if wanted in files:
        return files[wanted]
    for path in files.values():
        if wanted in (plain(path.stem), plain(_printed_name(path))):
            return path
    if not wanted:
        raise BadTrack("circuit_name", count=len(files), one=min(files))
    from difflib import get_close_matches

    near = get_close_matches(wanted, files, n=1)
    raise BadTrack("no_circuit", name=name, near=", ".join(near), count=len(files))


def _is_there(path: Path) -> bool:
    """Return True if the file exists; False if its name is too long for the file system."""
    try:
        return path.is_file()
    except OSError:
        return False


def load(name: str) -> Track:
    """Return the track of a circuit by name or path, cached until its file changes.

    Raises BadTrack, also for a circuit of sections.
    """
    from companion.rules.ninety.circuit import SectionTrack

    track = board(name)
    if isinstance(track, SectionTrack):
        raise BadTrack("sections_circuit", track=track.name)
    return track


def board(name: str) -> Track | SectionTrack:
    """Return a circuit of either kind by name or path, cached until its file changes.

    Raises BadTrack.
    """
    path = find(name)
    try:
        state = path.stat()
    except OSError as why:
        raise BadTrack("file_unread", path=path, why=why.strerror) from why
    return _load(path, state.st_mtime_ns, state.st_size)


def at_hand(name: str) -> Track | SectionTrack | None:
    """Return a circuit like `board`, or None if it is missing or unreadable."""
    try:
        return board(name)
    except BadTrack:
        return None


def complaints(name: str) -> list[BadTrack]:
    """Return all complaints of `judged` about a circuit, errors first."""
    barred, compare = judged(name)
    return barred + compare


def judged(name: str) -> CircuitVerdict:
    """Return everything that is wrong with a circuit.

    Raises BadTrack if there is no such circuit.
    """
    from companion.rules.circuit import check
    from companion.rules.circuit.check import CircuitVerdict
    from companion.rules.ninety import circuit as sections

    path = find(name)
    text = _text(path)
    if sections.of_sections(text):
        return CircuitVerdict(sections.section_complaints(text, str(path), path.stem), [])
    return check.judge_text(text, str(path), path.stem)


@lru_cache(maxsize=64)
def _load(path: Path, _changed: int, _size: int) -> Track | SectionTrack:
    from companion.rules.circuit.check import stuck
    from companion.rules.circuit.track import Track
    from companion.rules.ninety.circuit import load_board

    circuit = load_board(_text(path), str(path), path.stem)
    if isinstance(circuit, Track) and (found := stuck(circuit, str(path))):
        raise found[0]
    return circuit


@lru_cache(maxsize=256)
def _in_sections(path: Path) -> bool:
    """Return True if a file is a circuit of sections."""
    from companion.rules.ninety.circuit import of_sections

    return of_sections(_text(path))


@lru_cache(maxsize=256)
def _printed_name(path: Path) -> str:
    """Return the name in a circuit's file, reading only its head; empty if it has none."""
    for line in _text(path).splitlines():
        key, _, value = line.partition("=")
        if key.strip() == "name":
            return value.strip().strip("\"'")
        if line.startswith("["):
            break
    return ""


def _text(path: Path) -> str:
    try:
        return whole_file.text(path)
    except OSError as why:
        raise BadTrack("file_unread", path=path, why=why.strerror) from why
    except ValueError as why:
        raise BadTrack("circuit_not_text", path=path) from why


def plain(name: str) -> str:
    """Return a name without case, accents and signs: Sainte-Dévote is saintedevote."""
    letters = unicodedata.normalize("NFKD", name.casefold())
    return "".join(c for c in letters if c.isalnum())
