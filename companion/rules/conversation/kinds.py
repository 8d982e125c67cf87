"""Closed lists of kinds: rulings, questions, pools, causes of retirement, skies, surfaces and compounds.

The type checker finds a word that is in none of them where it is written, and so does a reader of a log. The list is
one for all rulebooks, for a program that shows a race meets all of them. A rulebook from outside has kinds of its own
under "house", and names them in `what`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Final, Literal, TypeVar, get_args

DiceKind = Literal[
    "allowance", "attack_phase", "blobbed", "blocked", "box", "brake", "build", "card", "close_up", "collision",
    "danger", "engine", "finish", "flag", "flat_out", "gear", "gear_cut", "gear_down", "gears_lost", "great_start",
    "grid", "grid_rolled", "handling", "heal", "hit", "kers", "lap", "lays", "lost_turn", "maximum", "mine", "move",
    "out", "overcome", "override", "overshoot", "passes", "pit_grid", "pit_limit", "plays_again", "practice", "pulled",
    "quick_stop", "red_flag", "refit", "refused", "reload", "reminder", "removed", "repair", "restart", "result",
    "round", "shielded", "shot", "slide", "slipstream", "soft", "spin", "stall", "stand", "start", "stop", "stops",
    "stripped", "surface", "swept", "team", "turned", "tyres", "used", "waits", "wall", "weather", "weather_due",
    "wet_conditions", "wings", "wreckage", "zones",
]  # fmt: skip
"""Kinds of ruling of the rulebooks of dice and gears. The sentence for each is made at the edge, in the reader's
language."""

SectionKind = Literal[
    "back", "bonus", "chart", "check", "contest", "contested", "damage", "draws", "extreme", "fights", "finish",
    "fuel", "grid", "held_up", "late", "line", "move", "no_card", "off", "out", "override", "overtakes", "paid",
    "pitted", "plays", "qualifies", "refill", "round", "skip", "stop", "strategy", "substitute",
]  # fmt: skip
"""Kinds of ruling of the race of sections."""

House = Literal["house"]
"""Kind of the questions and rulings of one's own rulebook; the sentences are in its `words`."""

Kind = DiceKind | SectionKind | House

DiceAsk = Literal[
    "allowance", "attack", "box", "card", "clutch", "extra", "front", "gear", "kers", "landing", "place", "practice",
    "repair", "roll", "saw", "setup", "sight", "slipstream", "slot", "start", "stop", "strip", "test", "tyres", "use",
    "wings", "zone",
]  # fmt: skip
"""Kinds of question of the rulebooks of dice and gears."""

SectionAsk = Literal[
    "chart", "check", "contest", "declare", "discard", "drawn", "extreme", "keep", "late", "line", "pay", "play",
    "qualify", "show", "strategy", "substitute",
]  # fmt: skip
"""Kinds of question of the race of sections."""

Ask = DiceAsk | SectionAsk | House

DicePool = Literal["tyres", "brakes", "gearbox", "body", "engine", "handling", "points"]
"""The six pools of wear points, and the one of the death race, in the order of the race sheet [0-0-4, 5-0-1]."""
SectionPool = Literal["tyres", "cards", "damage"]
"""Pools of a car chart: tyre chips, cards in the hand, and room for damage [chart.car]."""
Pool = DicePool | SectionPool
P = TypeVar("P", bound=str)
POOLS: Final[tuple[Pool, ...]] = ("tyres", "brakes", "gearbox", "body", "engine", "handling")
"""The six pools of wear points, in the order of the race sheet [0-0-4, 5-0-1]."""
CHART: Final[tuple[Pool, ...]] = get_args(SectionPool)

if TYPE_CHECKING:
    Pools = dict[Pool, int]
else:
    Pools = dict[str, int]
"""Points by pool. A setup with an unknown pool is refused by its rulebook, in a sentence, not where it is read."""

DiceCause = Literal[
    "", "overshoot", "blocked", "body", "engine", "handling", "destroyed", "turn_one", "compounds", "referee"
]  # fmt: skip
"""Cause for which a car is out of a race of dice and gears; empty while it is not."""
SectionCause = Literal["", "breakdown", "unpaid", "referee"]
"""Cause for which a car is out of a race of sections; empty while it is not."""
Cause = DiceCause | SectionCause

CutShort = Literal["", "now", "half", "none"]
"""Points given if the referee has ended the race as it stands: full ("now"), half of them, or none; empty if he has
not."""
Sky = Literal["", "sun", "changeable", "rain"]
Surface = Literal["", "dry", "wet"]
Compound = Literal["", "hard", "soft", "rain", "super_soft"]
Wings = Literal["", "normal", "high", "low"]
"""The weather, the road, the tyres and the wings; empty while nothing is said."""
UNPAYABLE: Final = 99
"""The least factor of a space overshot that no car can pay."""

_ENDS_IN: Final[Mapping[str, Kind]] = {
    "attack": "shot", "bravado": "refused", "jammer": "refused", "strip": "stripped", "grid": "grid_rolled",
    "restart": "start", "symbol": "check", "leader": "check", "contest": "fights", "qualifying": "qualifies",
    "level": "grid",
}  # fmt: skip
"""Kind of ruling in which a test ends, by the matter of its question, where the two names differ."""


def is_payable(factor: int) -> bool:
    """Return True if a car can pay for a space overshot at this factor."""
    return factor < UNPAYABLE


def kind_of_test(ask: str, what: str) -> str:
    """Return the kind of ruling in which a test ends: collision, handling, wall, engine, ...

    It is "" where chance decides nothing or, as with the die of a gear, how far the car goes. A test that is lost may
    be ruled as the hit that it is, with this kind as its `why`.
    """
    if ask not in ("test", "start", "practice", "drawn"):
        return ""
    about = what.rstrip("0123456789").rstrip("_") or ask
    return _ENDS_IN.get(about, about)


KINDS: Final[frozenset[DiceKind]] = frozenset(get_args(DiceKind))
SECTION_KINDS: Final[frozenset[SectionKind]] = frozenset(get_args(SectionKind))


def share_of(points: int, cut_short: CutShort) -> int:
    """Return what is given of a place's points: all of them, half, rounded up, or none [ruling 104].

    >>> [share_of(5, how) for how in ("", "now", "half", "none")]
    [5, 5, 3, 0]
    """
    return {"half": (points + 1) // 2, "none": 0}.get(cut_short, points)


def in_order(points: Mapping[P, int]) -> dict[P, int]:
    """Return points by pool in the order of the race sheet; a log has them by the alphabet.

    >>> in_order({"brakes": -1, "tyres": -2})
    {'tyres': -2, 'brakes': -1}
    """
    order: tuple[str, ...] = (*get_args(DicePool), *CHART)
    return {
        pool: points[pool]
        for pool in sorted(points, key=lambda pool: (order.index(pool) if pool in order else len(order), pool))
    }


def by_name(points: Mapping[Pool, int]) -> dict[str, int]:
    """Return points by the names of their pools, as plain data has them."""
    return dict(points.items())
