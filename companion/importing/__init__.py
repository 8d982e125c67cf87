"""Boards of hobby programs, converted to circuit text.

Two formats are known: `.dat` (text) and `.tdf` (binary); the content decides which one a file is. Anything that the
circuit format cannot express becomes a note, also at the top of the text.

`dat` and `tdf` read a board into a `drawing`: numbered spaces and the moves between them. `lanes` traces it (`matching`
pairs its spaces), `sections` cuts it (`bends` says which way each heads), `marks`, `grid` and `pits` find the rest.
`writing` writes it as `file_text` and proves that it says the same.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from companion.rules.conversation.errors import BadTrack

LARGEST = 8_000_000
"""Maximum size of a file, in bytes; the largest board known has less than a tenth of that."""


@dataclass(frozen=True)
class Imported:
    """A board in our format.

    It is the text of a circuit file, and what the table should know of how it came about.
    """

    text: str
    notes: list[BadTrack]
    playable: bool
    """True if the text is a circuit as it stands; otherwise `notes` list what has to be put right by hand."""


def import_board(path: Path | str) -> Imported:
    """Read a `.dat` or `.tdf` board and write it in our format.

    Raises BadTrack, one sentence, for a file that cannot be read, is of neither kind, is cut off or makes no
    board.
    """
    from companion.importing.dat import read_dat
    from companion.importing.tdf import MAGIC, read_tdf
    from companion.importing.writing import circuit_text, refuse_if_empty

    path = Path(path)
    try:
        with path.open("rb") as file:
            data = file.read(LARGEST + 1)
    except OSError as why:
        raise BadTrack("board.unread", wrong=why.strerror or why, where=path) from None
    name = "".join(letter if letter.isprintable() else "?" for letter in path.name)
    if len(data) > LARGEST:
        raise BadTrack("board.large", most=LARGEST // 1000000, where=name)
    if data.startswith(MAGIC):
        drawing = read_tdf(data, name)
    elif not data.strip():
        raise BadTrack("board.empty", where=name)
    elif b"\0" in data or MAGIC.startswith(data):
        raise BadTrack("board.neither", where=name)
    else:
        drawing = read_dat(data, name)
    refuse_if_empty(drawing, name)
    text, playable = circuit_text(drawing, name)
    return Imported(text, drawing.notes, playable)
