"""Circuits, found and loaded by name or by path.

The circuits lie in the installed package under companion/tracks, in a checkout beside the package in tracks; a table's
own boards lie beside its races, and are found once `look_in` has said where that is.
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
    from companion.rules.circuit.check import Judged
    from companion.rules.circuit.track import Track
    from companion.rules.ninety.circuit import SectionTrack

TEMPLATE = "sections-template"
TEMPLATES = {"sections": TEMPLATE, "spaces": "spaces-template", "corners": "corners-template"}
"""The circuits that a table copies and fills in from its board, by kind; each is there in French too."""
BOARDS = "boards"
"""The folder of a table's own boards, in the data folder."""

_PACKAGE = Path(__file__).resolve().parent
_boards: Path | None = None


def folder() -> Path:
    """The folder that holds the circuits; raises BadTrack if there is none."""
    for place in (_PACKAGE / "tracks", _PACKAGE.parent / "tracks"):
        if place.is_dir():
            return place
    raise BadTrack(f"There are no circuits: neither {_PACKAGE / 'tracks'} nor tracks beside it is a folder.")


def keys() -> list[str]:
    """The keys of all circuits of spaces and corner sheets, in alphabetical order; a circuit's key is its file's name
    without .toml."""
    return sorted(path.stem for path in _shipped() if not _in_sections(path))


def section_keys() -> list[str]:
    """The keys of all circuits of sections."""
    return sorted(path.stem for path in _shipped() if _in_sections(path))


def _shipped() -> list[Path]:
    """The files of the circuits that come with the program, without the templates."""
    return [path for path in folder().glob("*.toml") if not path.stem.removesuffix("-fr").endswith("-template")]


def look_in(data: Path) -> Path:
    """The data folder, whose folder `boards` has the table's own boards from now on."""
    global _boards
    _boards = data / BOARDS
    return data


def own() -> list[Path]:
    """The files of the table's own boards."""
    return sorted(_boards.glob("*.toml")) if _boards is not None else []


def key_of_own(path: Path) -> str:
    """The key of one of the table's own boards, which no other circuit has; else the path of its file."""
    return str(path.resolve()) if _is_there(folder() / path.name) else path.stem


def head_of(path: Path) -> tuple[str, bool]:
    """The name in a circuit's file and whether it is of sections, without reading the whole circuit; of a file that
    cannot be read neither."""
    try:
        return _printed_name(path), _in_sections(path)
    except BadTrack:
        return "", False


def known_as(path: Path) -> str:
    """What a circuit is called where it is kept: the key by which it is found here, else the path of its file."""
    try:
        return path.stem if find(path.stem).samefile(path) else str(path.resolve())
    except BadTrack:
        return str(path.resolve())


def template(kind: str, lang: str) -> str:
    """The text of a circuit to be filled in, of a kind of `TEMPLATES`, in English or French."""
    return _text(folder() / f"{TEMPLATES[kind]}{'-fr' if lang == 'fr' else ''}.toml")


def find(name: str) -> Path:
    """The file of a circuit.

    `name` is a path to a file (anything that ends in .toml or holds a slash), a key, or a circuit's name as
    printed, in whatever letter case and with or without accents; among the table's own as well. Raises BadTrack if
    there is no such circuit.
    """
    if name.endswith(".toml") or "/" in name or "\\" in name:
        path = Path(os.path.expanduser(name))  # the home of nobody stays as it stands
        if _is_there(path):
            return path
        raise BadTrack(f"There is no file {name}; a circuit is a name, such as monaco, or the path of a .toml file.")
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
        raise BadTrack(f"A circuit is called by its name; there are {len(files)}, one of them {min(files)}.")
    from difflib import get_close_matches

    near = get_close_matches(wanted, files, n=1)
    raise BadTrack(
        f"There is no circuit {name}; "
        + (f"the nearest is {near[0]}." if near else f"companion tracks lists the {len(files)} that there are.")
    )


def _is_there(path: Path) -> bool:
    """Whether there is such a file; none has a name that is too long for one."""
    try:
        return path.is_file()
    except OSError:
        return False


def load(name: str) -> Track:
    """The track of a circuit by name or path, read once as long as its file stays as it is. Raises
    BadTrack."""
    from companion.rules.ninety.circuit import SectionTrack

    track = board(name)
    if isinstance(track, SectionTrack):
        raise BadTrack(f"{track.name} is a circuit of sections, for the race of cards; dice need spaces or corners.")
    return track


def board(name: str) -> Track | SectionTrack:
    """A circuit by name or path, of whichever kind it is, read once like `load`. Raises BadTrack."""
    path = find(name)
    try:
        state = path.stat()
    except OSError as why:
        raise BadTrack(f"{path} cannot be read: {why.strerror}.") from why
    return _load(path, state.st_mtime_ns, state.st_size)


def at_hand(name: str) -> Track | SectionTrack | None:
    """The same; None for one that is gone, or cannot be read."""
    try:
        return board(name)
    except BadTrack:
        return None


def complaints(name: str) -> list[str]:
    """What `judged` says of a circuit, of both levels."""
    barred, compare = judged(name)
    return barred + compare


def judged(name: str) -> Judged:
    """Everything that is wrong with a circuit by name or path, each one sentence; raises BadTrack if there is
    no such circuit."""
    from companion.rules.circuit import check
    from companion.rules.circuit.check import Judged
    from companion.rules.ninety import circuit as sections

    path = find(name)
    text = _text(path)
    if sections.of_sections(text):
        return Judged(sections.section_complaints(text, str(path), path.stem), [])
    return check.judge_text(text, str(path), path.stem)


@lru_cache(maxsize=64)
def _load(path: Path, _changed: int, _size: int) -> Track | SectionTrack:
    from companion.rules.circuit.check import stuck
    from companion.rules.circuit.track import Track
    from companion.rules.ninety.circuit import load_board

    circuit = load_board(_text(path), str(path), path.stem)
    if isinstance(circuit, Track) and (found := stuck(circuit, str(path))):
        raise BadTrack(found[0])
    return circuit


@lru_cache(maxsize=256)
def _in_sections(path: Path) -> bool:
    """Whether a file is a circuit of sections."""
    from companion.rules.ninety.circuit import of_sections

    return of_sections(_text(path))


@lru_cache(maxsize=256)
def _printed_name(path: Path) -> str:
    """The name in a circuit's file, without reading the whole circuit; empty if it has none."""
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
        raise BadTrack(f"{path} cannot be read: {why.strerror}.") from why
    except ValueError as why:
        raise BadTrack(f"{path} is not a text file in UTF-8, so it is no circuit.") from why


def plain(name: str) -> str:
    """A name without case, accents and signs: Sainte-Dévote is saintedevote."""
    letters = unicodedata.normalize("NFKD", name.casefold())
    return "".join(c for c in letters if c.isalnum())
