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
from companion.rules.rulebooks import RULEBOOKS
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
DRY = frozenset({"practice", "slide", "soft", "surface", "weather", "weather_due"})
"""What is not ruled where there is no weather, and one kind of tyres."""
SWITCHED = frozenset({"allowance", "pit_limit", "swept", "wings"})
"""What only a variant rules that no table of these races has switched on."""
NEVER: dict[str, frozenset[str]] = {
    "beginner": ARMS - {"grid_rolled"} | BOXES | GRID | DRY
    | {
        "danger", "handling", "lost_turn", "plays_again", "quick_stop", "reminder", "removed", "repair", "restart",
        "slipstream", "spin", "stops", "team", "turned", "tyres", "wall",
    },
    "formula-d": ARMS - {"grid_rolled"} | BOXES | GRID | DRY
    | {"lost_turn", "plays_again", "removed", "tyres", "wall"},
    "competition": ARMS | BOXES | GRID | {"team"},
    "cup": ARMS - {"grid_rolled"} | BOXES
    | {"lost_turn", "practice", "plays_again", "removed", "stops", "team", "wall"},
    "death": frozenset(
        {
            "handling", "lost_turn", "plays_again", "practice", "quick_stop", "reminder", "removed", "repair", "slide",
            "soft", "stops", "surface", "team", "tyres", "wall", "weather", "weather_due",
        }
    )
    | BOXES
    | GRID,
    "league": ARMS - {"grid_rolled"} | GRID
    | {"lost_turn", "plays_again", "practice", "reminder", "removed", "team", "wall"},
}  # fmt: skip
"""What a rulebook never rules, of all that can be."""


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
    whole = races >= 200 and circuit in WHOLE
    never = NEVER[rulebook] | SWITCHED | ({"wall"} if track.wall < 0 else set())
    if rulebook == "cup":
        never |= {"zones"} if track.known == "corner" else set()
    many = races if circuit in WHOLE else max(races // ELSEWHERE, 1)
    for seed in range(RARE * many):
        if seed >= many and not (whole and KINDS - set(tally) > never):
            break
        race = Watched(track, seed, tried, rulebook)
        try:
            race.play()
        except BaseException as failure:
            failure.add_note(f"{rulebook}, {circuit}, race {seed}, at answer {race.talk.n}")
            raise
        tally += race.tally
    print(f"\n{rulebook}, {circuit}: " + ", ".join(f"{kind} {count}" for kind, count in sorted(tally.items())))
    print("tried: " + ", ".join(sorted({ask for ask, *_ in tried})))
    if whole:
        assert KINDS - set(tally) == never, "never ruled"
