"""The dice, with their sides as printed, and a fair throw."""

TYPE_CHECKING = False
if TYPE_CHECKING:  # MicroPython has neither this module nor use for it
    from collections.abc import Callable

SIDES: "dict[str, tuple[int, ...]]" = {
    "1": (1, 1, 2, 2),
    "2": (2, 3, 3, 4, 4, 4),
    "3": (4, 5, 6, 6, 7, 7, 8, 8),
    "4": (7, 7, 8, 8, 9, 9, 10, 10, 11, 11, 12, 12),
    "5": tuple([face for face in range(11, 21) for _ in range(2)]),
    "6": tuple([face for face in range(21, 31) for _ in range(3)]),
    "20": tuple(range(1, 21)),
}
"""Every side of each die by its name on the wire: "1" to "6" for the gears, "20" for the black one."""


def throw(die: str, noise: "Callable[[int], bytes]") -> int:
    """Return a random side of a die, all equally likely.

    `noise(count)` gives random bytes; those that would favour some sides are discarded.
    """
    sides = SIDES[die]
    fair = 256 - 256 % len(sides)
    while True:
        byte = noise(1)[0]
        if byte < fair:
            return sides[byte % len(sides)]
