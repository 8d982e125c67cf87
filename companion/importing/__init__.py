"""Boards that hobby programs have published, read and written again as circuit text.

Two kinds are known: `.dat` (text) and `.tdf` (binary). Which one a file is, its content tells. What our
format cannot say is told in notes, one sentence each, which also stand at the top of the text.

`dat` and `tdf` read a board into a `drawing`: numbered spaces and the moves between them. `lanes` traces it (`matching`
pairs its spaces), `sections` cuts it (`bends` says which way each heads), `marks`, `grid` and `pits` find the rest.
`writing` writes it as `file_text` and proves that it says the same.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from companion.rules.conversation.errors import BadTrack

LARGEST = 8_000_000
"""Bytes; the largest board known has less than a tenth of that."""


@dataclass(frozen=True)
class Imported:
    """A board in our format: the text of a circuit file, and what the table should know of how it came
    about."""

    text: str
    notes: list[str]
    playable: bool
    """Whether the text is a circuit as it stands; else notes say what has to be put right by hand."""


def import_board(path: Path | str) -> Imported:
    """Reads a `.dat` or `.tdf` board and writes it in our format.

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
        raise BadTrack(f"{path}: cannot be read ({why.strerror or why}).") from None
    name = "".join(letter if letter.isprintable() else "?" for letter in path.name)
    if len(data) > LARGEST:
        raise BadTrack(f"{name}: far too large for a board; at most {LARGEST // 1_000_000} MB make sense.")
    if data.startswith(MAGIC):
        drawing = read_tdf(data, name)
    elif not data.strip():
        raise BadTrack(f"{name}: the file is empty; a board begins with a picture's name (.dat) or TE01 (.tdf).")
    elif b"\0" in data or MAGIC.startswith(data):
        raise BadTrack(f"{name}: neither a .dat board, which is text, nor a .tdf board, which begins with TE01.")
    else:
        drawing = read_dat(data, name)
    refuse_if_empty(drawing, name)
    text, playable = circuit_text(drawing, name)
    return Imported(text, drawing.notes, playable)
