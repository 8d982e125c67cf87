"""Boards drawn for one example each, as text: section 0 begins at the line, what the example needs comes later."""

from __future__ import annotations

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


def board(name: str, sections: str) -> str:
    """A whole circuit: the line runs before the first spaces of section 0, the grid stands at the end of the lap."""
    last = sections.count("[[section]]") - 1
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

{sections}
"""


TOW = board(
    "Tow",
    f"""
[[section]]  # 0, over the line
stagger = [1, 0, 1]
left    = 8
middle  = 8
right   = 7

[[section]]  # 1
corner = "First"
stops  = 1
{LEFT_HANDER}

[[section]]  # 2, the straight of the examples
stagger = [0, 1, 2]
left    = 14
middle  = 13
right   = 12

[[section]]  # 3
corner = "Bend"
stops  = 1
{LEFT_HANDER}

[[section]]  # 4
stagger = [0, 1, 2]
left    = 24
middle  = 23
right   = 23
""",
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
    f"""
[[section]]  # 0, over the line
stagger = [1, 0, 1]
left    = 8
middle  = 8
right   = 7

[[section]]  # 1
corner = "First"
stops  = 1
{LEFT_HANDER}

[[section]]  # 2
stagger = [0, 1, 2]
left    = 10
middle  = 10
right   = 10

[[section]]  # 3, the corner of example 16-1
corner   = "Chicane"
stops    = 2
shortest = 5
longest  = 7
inside   = "left"
left     = "^ >2 ^ ^ ^"
middle   = "> > > ^ <next"
right    = "<2 ^ <4 < <"

[[section]]  # 4
stagger = [0, 1, 2]
left    = 25
middle  = 24
right   = 24
""",
)


RUN_IN = (
    board(
        "Run-in",
        f"""
[[section]]  # 0, over the line
stagger = [1, 0, 1]
left    = 3
middle  = 3
right   = 2

[[section]]  # 1
corner = "First"
stops  = 1
{LEFT_HANDER}

[[section]]  # 2
stagger = [0, 1, 2]
left    = 14
middle  = 13
right   = 12

[[section]]  # 3
corner = "Last"
stops  = 1
{LEFT_HANDER}

[[section]]  # 4
stagger = [0, 1, 2]
left    = 4
middle  = 3
right   = 3
""",
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
    f"""
[[section]]  # 0, over the line
stagger = [1, 0, 1]
left    = 4
middle  = 5
right   = 5

[[section]]  # 1
corner   = "First"
stops    = 1
{RIGHT_HANDER}

[[section]]  # 2, at once the other way
corner   = "Second"
stops    = 1
stagger  = [2, 1, 0]
{LEFT_HANDER}

[[section]]  # 3
stagger = [0, 1, 2]
left    = 25
middle  = 24
right   = 24
""",
)
"""Two corners with no straight between them."""


BARRED = board(
    "Barred",
    f"""
[[section]]  # 0, over the line
stagger = [1, 0, 1]
left    = 8
middle  = 8
right   = 7

[[section]]  # 1
corner = "First"
stops  = 1
{LEFT_HANDER}

[[section]]  # 2, with a space in the left and in the right lane on which nobody can stand
stagger = [0, 1, 2]
left    = "5 x 8"
middle  = 13
right   = "5 x 6"

[[section]]  # 3
corner = "Bend"
stops  = 1
{LEFT_HANDER}

[[section]]  # 4
stagger = [0, 1, 2]
left    = 24
middle  = 23
right   = 23
""",
)
"""The board of TOW with a blocked space on L6 and one on R8."""


def in_a_row(*stops: int) -> str:
    """A board of three corners with no straight between them, that want so many stops."""
    first, second, third = stops
    return board(
        "Row",
        f"""
[[section]]  # 0, over the line
stagger = [1, 0, 1]
left    = 4
middle  = 5
right   = 5

[[section]]  # 1
corner   = "First"
stops    = {first}
{RIGHT_HANDER}

[[section]]  # 2, at once the other way
corner   = "Second"
stops    = {second}
stagger  = [2, 1, 0]
{LEFT_HANDER}

[[section]]  # 3, and back again
corner   = "Third"
stops    = {third}
stagger  = [0, 1, 2]
{RIGHT_HANDER}

[[section]]  # 4
stagger = [2, 1, 0]
left    = 24
middle  = 24
right   = 25
""",
    )
