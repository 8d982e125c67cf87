"""More cars than boxes: whoever waits, waits behind; whoever leaves, leaves; and whole races come to the flag."""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Any

import pytest

from companion import circuits
from companion.drivers.sensible import HeuristicDriver
from companion.rules.circuit.file import load_track
from companion.rules.circuit.track import Track
from companion.rules.conversation.conversation import Conversation
from companion.rules.rulebooks import begin
from tests.rules.random_races import LONGEST


def few(key: str, boxes: str) -> Track:
    """A circuit with other boxes than its own."""
    lines = circuits.find(key).read_text(encoding="utf-8").splitlines()
    text = "\n".join(f"boxes = {boxes}" if line.startswith("boxes ") else line for line in lines)
    return load_track(text, key, key)


def race(rulebook: str, track: Track, seed: int) -> Counter[str]:
    """A whole race of sensible drivers who like the pits; what was ruled, by kind. They all play by the die alone."""
    cars = [{"car": number, "team": f"T{number // 2}"} for number in range(2, 8)]
    setup = {"rulebook": rulebook, "track": track.key, "laps": 2 if rulebook == "league" else 4, "cars": cars}
    talk = Conversation(begin(setup, track))
    driver, chance = HeuristicDriver(track, seed), Random(seed)
    tally: Counter[str] = Counter()
    while (asked := talk.asked) is not None:
        assert talk.n < LONGEST, f"the race does not end: {asked}"
        pits = [option.answer for option in asked.options or [] if _in_pits(option.answer)]
        like = pits and chance.random() < 0.8
        answer = pits[-1] if like else driver.answer(asked, talk.rulebook.race)  # type: ignore[attr-defined]
        running = talk.rulebook.race.phase == "race"  # type: ignore[attr-defined]
        tally.update(ruling.kind for ruling in talk.answer(answer) if running)
    return tally


def _in_pits(answer: Any) -> bool:
    return isinstance(answer, dict) and str(answer.get("space", "")).startswith(("pit:", "box:"))


@pytest.mark.article("competition", "4-0-2", "19-1-1", "19-1-3")
@pytest.mark.parametrize(("key", "boxes"), [("porto-sereno", "[4]"), ("kestrel-moor", "[4, 5]"), ("monaco", "[1]")])
@pytest.mark.parametrize("rulebook", ["competition", "cup", "league", "death"])
def test_races_with_more_cars_than_boxes_come_to_the_flag(rulebook: str, key: str, boxes: str, races: int) -> None:
    tally: Counter[str] = Counter()
    for seed in range(min(races, 4)):
        tally += race(rulebook, few(key, boxes), seed)
    assert tally["box"] > 2 * min(races, 4), "hardly anybody stopped"
