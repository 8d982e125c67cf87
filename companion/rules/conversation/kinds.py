"""What there is, as closed lists: kinds of rulings and of questions, pools of wear points, causes of retirement,
skies, surfaces and compounds.

A word that is in none of them is found by the type checker where it is written, and by whoever reads a log. The list
is one for all rulebooks, for whoever shows a race meets all of them. What a rulebook of one's own has besides is of the
kind "house", and which it is stands in its `what`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Final, Literal, get_args

DiceKind = Literal[
    "attack_phase", "blobbed", "blocked", "box", "brake", "build", "card", "close_up", "collision", "danger", "engine",
    "finish", "flag", "flat_out", "gear", "gear_cut", "gear_down", "gears_lost", "great_start", "grid",
    "grid_rolled", "handling", "heal", "hit", "kers", "lap", "lays", "lost_turn", "maximum", "mine", "move", "out",
    "overcome", "override", "overshoot", "passes", "pit_grid", "plays_again", "practice", "pulled", "quick_stop",
    "refit", "refused", "reload", "reminder", "removed", "repair", "restart", "result", "round", "shielded", "shot",
    "slide", "slipstream", "soft", "spin", "stall", "start", "stop", "stops", "stripped", "surface",
    "turned", "tyres", "used", "waits", "wall", "weather", "weather_due", "wet_conditions", "wreckage",
    "zones",
]  # fmt: skip
"""What a ruling of the rulebooks of dice and gears can be. The sentence for each is made at the edge, in the reader's
language."""

SectionKind = Literal[
    "back", "bonus", "chart", "check", "contest", "contested", "damage", "draws", "extreme", "fights", "finish",
    "fuel", "grid", "held_up", "late", "line", "move", "no_card", "off", "out", "override", "overtakes", "paid",
    "pitted", "plays", "qualifies", "refill", "round", "skip", "stop", "strategy", "substitute",
]  # fmt: skip
"""What a ruling of the race of sections can be."""

House = Literal["house"]
"""What a rulebook of one's own asks and rules; the sentences are in its `words`."""

Kind = DiceKind | SectionKind | House

DiceAsk = Literal[
    "attack", "box", "card", "clutch", "extra", "front", "gear", "kers", "landing", "place", "practice", "repair",
    "roll", "saw", "setup", "sight", "slipstream", "slot", "start", "stop", "strip", "test", "tyres", "use", "zone",
]  # fmt: skip
"""The kinds of question of the rulebooks of dice and gears."""

SectionAsk = Literal[
    "chart", "check", "contest", "declare", "discard", "drawn", "extreme", "keep", "late", "line", "pay", "play",
    "qualify", "show", "strategy", "substitute",
]  # fmt: skip
"""The kinds of question of the race of sections."""

Ask = DiceAsk | SectionAsk | House

DicePool = Literal["tyres", "brakes", "gearbox", "body", "engine", "handling", "points"]
"""The six pools of wear points, and the one of the death race, in the order of the race sheet [0-0-4, 5-0-1]."""
SectionPool = Literal["tyres", "cards", "damage"]
"""What a car chart counts: tyre chips, cards in the hand, and room for damage [chart.car]."""
Pool = DicePool | SectionPool
POOLS: Final[tuple[Pool, ...]] = ("tyres", "brakes", "gearbox", "body", "engine", "handling")
"""The six pools of wear points, in the order of the race sheet [0-0-4, 5-0-1]."""
CHART: Final[tuple[Pool, ...]] = get_args(SectionPool)

if TYPE_CHECKING:
    Pools = dict[Pool, int]
else:
    Pools = dict[str, int]
"""Points by pool. A setup that names a pool that there is none of is refused by its rulebook in a sentence, not where
it is read."""

DiceCause = Literal[
    "", "overshoot", "blocked", "body", "engine", "handling", "destroyed", "turn_one", "compounds", "referee"
]  # fmt: skip
"""Why a car is out of a race of dice and gears; empty while it is not."""
SectionCause = Literal["", "breakdown", "unpaid", "referee"]
"""Why a car is out of a race of sections."""
Cause = DiceCause | SectionCause

Sky = Literal["", "sun", "changeable", "rain"]
Surface = Literal["", "dry", "wet"]
Compound = Literal["", "hard", "soft", "rain"]
"""The weather, the road and the tyres; empty while nothing is said."""

_ENDS_IN: Final[Mapping[str, Kind]] = {
    "attack": "shot", "bravado": "refused", "jammer": "refused", "strip": "stripped", "grid": "grid_rolled",
    "restart": "start", "symbol": "check", "leader": "check", "contest": "fights", "qualifying": "qualifies",
    "level": "grid",
}  # fmt: skip
"""In what a test ends that is not called so: by what its question is about."""


def kind_of_test(ask: str, what: str) -> str:
    """The kind of ruling in which a test ends: collision, handling, wall, engine, ...; "" where chance decides nothing
    or, as with the die of a gear, how far it goes. One that is lost may be ruled as the hit that it is, with this kind
    as its `why`."""
    if ask not in ("test", "start", "practice", "drawn"):
        return ""
    about = what.rstrip("0123456789").rstrip("_") or ask
    return _ENDS_IN.get(about, about)


KINDS: Final[frozenset[DiceKind]] = frozenset(get_args(DiceKind))
SECTION_KINDS: Final[frozenset[SectionKind]] = frozenset(get_args(SectionKind))


def by_name(points: Mapping[Pool, int]) -> dict[str, int]:
    """Points by the names of their pools, as plain data has them."""
    return dict(points.items())
