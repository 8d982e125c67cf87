"""Random legal races on every circuit.

`pytest tests/rules/test_random_races.py --races 5000` plays more of them, `-k league` those of a rulebook; `-s` prints
what was ruled how often. By itself 200 on six circuits, and 25 on each of the other sheets of corners.
"""

from __future__ import annotations

from collections import Counter

import pytest

from companion.circuits import keys, load
from companion.rules.conversation.kinds import KINDS
from companion.rules.dice.formula_de import FormulaDe
from companion.rules.dice.variants import switched_on
from companion.rules.rulebooks import RULEBOOKS, variants_of
from tests.rules.random_races import Sort, Watched

WHOLE = [key for key in keys() if load(key).known == "space"] + ["monza", "indianapolis-oval"]
"""Where in 200 races everything that can be ruled is ruled at least once."""
ELSEWHERE = 8
"""On the other circuits, sheets of corners alike in their rules, so many times fewer races are played."""
RARE = 3
"""Up to so many times as many are played until what is ruled once in hundreds of races has been."""

ARMS = frozenset(
    {
        "attack_phase", "blobbed", "card", "gears_lost", "grid_rolled", "heal", "lays", "maximum", "mine", "overcome",
        "passes", "pulled", "refit", "refused", "reload", "shielded", "shot", "stripped", "used", "wreckage",
    }
)  # fmt: skip
"""What only the death race rules."""
BOXES = frozenset({"gear_cut", "waits"})
"""What only the league rules of its pits."""
GRID = frozenset({"close_up", "flag", "kers", "pit_grid", "wet_conditions", "zones"})
"""What only the cup rules."""
TEAMS = frozenset({"stand", "team"})
"""What only the game of the box rules of its teams."""
DRY = frozenset({"practice", "slide", "soft", "surface", "weather", "weather_due"})
"""What is not ruled where there is no weather, and one kind of tyres."""
NEVER: dict[str, frozenset[str]] = {
    "beginner": ARMS - {"grid_rolled"} | BOXES | GRID | DRY | TEAMS
    | {
        "danger", "handling", "lost_turn", "plays_again", "quick_stop", "reminder", "removed", "repair", "restart",
        "slipstream", "spin", "stops", "swept", "turned", "tyres", "wall",
    },
    "formula-d": ARMS - {"grid_rolled"} | BOXES | GRID
    | {"lost_turn", "plays_again", "practice", "removed", "wall"},
    "competition": ARMS | BOXES | GRID | TEAMS,
    "cup": ARMS - {"grid_rolled"} | BOXES | TEAMS
    | {"lost_turn", "practice", "plays_again", "removed", "stops", "wall"},
    "death": frozenset(
        {
            "handling", "lost_turn", "plays_again", "practice", "quick_stop", "reminder", "removed", "repair", "slide",
            "soft", "stops", "surface", "tyres", "wall", "weather", "weather_due",
        }
    )
    | BOXES
    | GRID
    | TEAMS,
    "league": ARMS - {"grid_rolled"} | GRID | TEAMS
    | {"lost_turn", "pit_limit", "plays_again", "practice", "reminder", "removed", "wall"},
}  # fmt: skip
"""What a rulebook never rules, of all that can be."""


RARE_ON_SHEETS = frozenset({"pit_limit", "weather_due"})
"""What is ruled on a sheet of corners too, but in so many races may not be."""


def driven(rulebook: str) -> list[str]:
    """The circuits of a rulebook: the death race needs the spaces."""
    if rulebook == "death":
        return [key for key in WHOLE if load(key).known == "space"]
    return [*WHOLE, *sorted(set(keys()) - set(WHOLE))]


DICE = [name for name, kind in RULEBOOKS.items() if issubclass(kind, FormulaDe)]


@pytest.mark.parametrize(("rulebook", "circuit"), [(name, key) for name in DICE for key in driven(name)])
def test_random_legal_races(rulebook: str, circuit: str, races: int) -> None:
    track = load(circuit)
    tally: Counter[str] = Counter()
    tried: set[Sort] = set()
    on: set[str] = set()
    whole = races >= 200 and circuit in WHOLE
    never = NEVER[rulebook] | ({"wall"} if track.wall < 0 else set())
    if rulebook == "cup":
        never |= {"zones"} if track.known == "corner" else set()
    rare = RARE_ON_SHEETS if track.known == "corner" else frozenset()
    many = races if circuit in WHOLE else max(races // ELSEWHERE, 1)
    for seed in range(RARE * many):
        if seed >= many and not (whole and KINDS - set(tally) - rare - never):
            break
        race = Watched(track, seed, tried, rulebook, mixed=True)
        try:
            race.play()
        except BaseException as failure:
            failure.add_note(f"{rulebook}, {circuit}, race {seed}, at answer {race.talk.n}")
            raise
        tally += race.tally
        on.update(variant.name for variant in switched_on(race.rulebook.figures))
    print(f"\n{rulebook}, {circuit}: " + ", ".join(f"{kind} {count}" for kind, count in sorted(tally.items())))
    print("tried: " + ", ".join(sorted({ask for ask, *_ in tried})))
    if whole:
        assert KINDS - set(tally) - rare == never - rare, "never ruled"
        assert on == {variant.name for variant in variants_of(rulebook)}, "never switched on"
