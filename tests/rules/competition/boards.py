"""Boards drawn for one example each, as text: section 0 begins at the line, what the example needs comes later."""

from __future__ import annotations

from collections.abc import Sequence

LANES = ("left", "middle", "right")

LEFT_HANDER = """
inside   = "left"
left     = "^ ^ ^"
middle   = "< < ^ < <"
right    = "< < < ^ < < <"
shortest = 3
longest  = 7
"""
"""A corner into which the left lane comes half a space ahead of the middle, and leaves it half a space behind."""

RIGHT_HANDER = """
inside   = "right"
left     = "> > > ^ > > >"
middle   = "> > ^ > >"
right    = "^ ^ ^"
shortest = 3
longest  = 7
"""
"""Its mirror image."""


def straight(left: int | str, middle: int | str, right: int | str, stagger: Sequence[int] = (0, 1, 2)) -> str:
    """A straight, its lanes as spaces or marks; as staggered as a left-hander leaves them."""
    lanes = "".join(f"{lane:7} = {_toml(marks)}\n" for lane, marks in zip(LANES, (left, middle, right), strict=True))
    return f"\n[[section]]\nstagger = {list(stagger)}\n{lanes}"


def corner(name: str, marks: str = LEFT_HANDER, stops: int = 1, stagger: Sequence[int] = ()) -> str:
    """A corner; one that follows a corner at once is staggered as that one leaves the lanes."""
    begin = f"stagger = {list(stagger)}\n" if stagger else ""
    return f'\n[[section]]\ncorner = "{name}"\nstops = {stops}\n{begin}{marks}'


def _toml(marks: int | str) -> str:
    return f'"{marks}"' if isinstance(marks, str) else str(marks)


def board(name: str, *sections: str, pit: str = "") -> str:
    """A whole circuit: the line runs before the first spaces of section 0, the grid stands at the end of the lap."""
    last = len(sections) - 1
    return f"""
name    = "{name}"
country = "Testland"
known   = "space"
laps    = {{ competition = 3 }}
weather = {{ rain = [1, 7], changeable = [8, 12], sun = [13, 20] }}
source  = "drawn for a test"
trust   = "complete: this text is the board"
line    = ["0:left:1", "0:middle:1", "0:right:1"]
grid    = ["{last}:left:5", "{last}:right:4", "{last}:left:2", "{last}:right:1"]

{pit}{"".join(sections)}"""


OVER_THE_LINE = straight(8, 8, 7, (1, 0, 1))
"""Section 0, before a left-hander."""
TOW = board(
    "Tow",
    OVER_THE_LINE,
    corner("First"),
    straight(14, 13, 12),  # the straight of the examples
    corner("Bend"),
    straight(24, 23, 23),
)


def with_pits(
    board: str, entries: str = '[["4:right:19", 1]]', exits: str = '[[10, "0:right:5"], [12, "0:right:7"]]'
) -> str:
    """TOW, or a board like it, with a pit lane of twelve spaces and two boxes."""
    lane = f"\n[pit]\nentries = {entries}\nspaces  = 12\nboxes   = [4, 5]\nexits   = {exits}\n"
    return board.replace("\n\n[[section]]", lane + "\n[[section]]", 1)


TOW_LANES = {"L": ("left", -4, 24), "M": ("middle", -3, 23), "R": ("right", -2, 22)}
"""The lanes of its long straight: where each begins there, and where the corner begins."""


def at(code: str, shift: int = 0) -> str:
    """A space of TOW by its lane and the half space where it begins: straight ahead is two further on, sideways one.
    The straight ends where the corner begins, at L24, M23 and R22."""
    lane, begin, corner = TOW_LANES[code[0]]
    half = int(code[1:]) + shift
    return f"2:{lane}:{(half - begin) // 2 + 1}" if half < corner else f"3:{lane}:{(half - corner) // 2 + 1}"


CHICANE = board(
    "Chicane",
    OVER_THE_LINE,
    corner("First"),
    straight(10, 10, 10),
    corner(  # of example 16-1
        "Chicane",
        """
shortest = 5
longest  = 7
inside   = "left"
left     = "^ >2 ^ ^ ^"
middle   = "> > > ^ <next"
right    = "<2 ^ <4 < <"
""",
        stops=2,
    ),
    straight(25, 24, 24),
)


RUN_IN = (
    board(
        "Run-in",
        straight(3, 3, 2, (1, 0, 1)),
        corner("First"),
        straight(14, 13, 12),
        corner("Last"),
        straight(4, 3, 3),
    )
    .replace("4:left:5", "2:left:9")
    .replace("4:right:4", "2:right:8")
    .replace("4:left:2", "2:left:2")
    .replace("4:right:1", "2:right:1")
)
"""A last corner so near the line that the first one is in reach from it."""

LINE_IN = RUN_IN.replace(
    'line    = ["0:left:1", "0:middle:1", "0:right:1"]', 'line    = ["1:left:2", "1:middle:3", "1:right:4"]'
)
"""The same, with its line in the first corner."""


TWIN = board(
    "Twin",
    straight(4, 5, 5, (1, 0, 1)),
    corner("First", RIGHT_HANDER),
    corner("Second", stagger=(2, 1, 0)),  # at once the other way
    straight(25, 24, 24),
)
"""Two corners with no straight between them."""


BARRED = board(
    "Barred",
    OVER_THE_LINE,
    corner("First"),
    straight("5 x 8", 13, "5 x 6"),
    corner("Bend"),
    straight(24, 23, 23),
)
"""The board of TOW with a blocked space on L6 and one on R8, on which nobody can stand."""


def in_a_row(first: int, second: int, third: int) -> str:
    """A board of three corners with no straight between them, that want so many stops."""
    return board(
        "Row",
        straight(4, 5, 5, (1, 0, 1)),
        corner("First", RIGHT_HANDER, first),
        corner("Second", LEFT_HANDER, second, (2, 1, 0)),  # at once the other way
        corner("Third", RIGHT_HANDER, third, (0, 1, 2)),  # and back again
        straight(24, 24, 25, (2, 1, 0)),
    )
