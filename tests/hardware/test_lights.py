"""What lamps and buzzer show, moment by moment."""

from __future__ import annotations

from typing import get_args

import pytest

from companion.screens.app.sound import Event as Sound
from hardware.lights import AMBER, BEHIND, BLUE, DARK, EVENTS, GREEN, OUT, RED, WHITE, Colour, Lights


@pytest.fixture
def lights() -> Lights:
    return Lights(lambda below: below - 1)


def flashes(lights: Lights, since: int, until: int) -> list[tuple[Colour, int]]:
    """The colours of the status lamp in their order, with the milliseconds that each was shown."""
    found: list[tuple[Colour, int]] = []
    for now in range(since, until):
        colour = lights.at(now).status
        if found and found[-1][0] == colour:
            found[-1] = (colour, found[-1][1] + 1)
        else:
            found.append((colour, 1))
    return found


def test_every_event_of_the_race_has_its_light() -> None:
    assert set(EVENTS) == {"idle", "waiting", *get_args(Sound)}


def test_nothing_is_lit_before_anything_happened(lights: Lights) -> None:
    assert lights.at(5) == (DARK, 0, OUT, False)
    assert lights.due is None


def test_an_answer_flashes_green_and_the_lamp_is_white_again(lights: Lights) -> None:
    lights.happen("accepted", 1000)
    lights.happen("waiting", 1000)
    assert flashes(lights, 1000, 1400) == [(GREEN, 150), (WHITE, 250)]


def test_the_lamp_is_dark_when_nothing_is_open(lights: Lights) -> None:
    for event in ("waiting", "leader", "idle"):
        lights.happen(event, 1000)
    assert {lights.at(now).status for now in range(2000, 4000)} == {DARK}


def test_a_ruling_that_costs_is_amber_before_the_next_question_is_white(lights: Lights) -> None:
    for event in ("accepted", "cost", "waiting"):
        lights.happen(event, 1000)
    assert flashes(lights, 1000, 4000) == [(GREEN, 150), (AMBER, 1500), (WHITE, 1350)]


def test_a_ruling_that_is_looked_at_stays_amber(lights: Lights) -> None:
    lights.happen("waiting", 0)
    lights.happen("cost", 1000)
    assert flashes(lights, 1000, 9000) == [(AMBER, 8000)]


@pytest.mark.parametrize(
    ("event", "seen", "tones"),
    [
        ("out", [(RED, 150), (DARK, 100)] * 3, {400: 300}),
        ("refused", [(AMBER, 150)], {300: 120}),
        ("tick", [(RED, 500), (DARK, 500)], {1000: 40}),
        ("over", [(RED, 500), (DARK, 500)] * 3, {600: 600}),
        ("weather", [(BLUE, 1000)], {784: 60, 988: 60, 1175: 60}),
    ],
)
def test_light_and_tone_of_an_event(
    lights: Lights, event: str, seen: list[tuple[Colour, int]], tones: dict[int, int]
) -> None:
    lights.happen("waiting", 0)
    lights.happen(event, 1000)
    heard: dict[int, int] = {}
    for now in range(1000, 4000):
        tone = lights.at(now).tone
        heard[tone] = heard.get(tone, 0) + 1
    heard.pop(0)
    assert heard == tones
    lights.happen(event, 5000)
    assert flashes(lights, 5000, 5000 + sum(ms for _, ms in seen)) == seen


def test_the_leader_makes_a_light_run(lights: Lights) -> None:
    lights.happen("leader", 0)
    seen = [lights.at(now).start for now in (0, 80, 160, 240, 320, 400)]
    assert [row.index(True) if any(row) else -1 for row in seen] == [0, 1, 2, 3, 4, -1]


def test_what_is_not_to_be_heard_is_seen_all_the_same(lights: Lights) -> None:
    lights.happen("out", 0, heard=False)
    assert lights.at(10) == (RED, 0, OUT, False)


def test_five_lights_held_and_out(lights: Lights) -> None:
    lights.begin(1000)
    assert [sum(lights.at(now).start) for now in (1000, 2000, 3000, 4000, 5000, 7999, 8000)] == [1, 2, 3, 4, 5, 5, 0]
    lights.begin(9000)
    assert sum(lights.at(9500).start) == 1
    lights.happen("leader", 9500)
    assert sum(lights.at(10500).start) == 2, "nothing runs along while the start is on"
    lights.away()
    assert lights.at(10600).start == OUT


def test_of_the_five_none_is_left_out_on_a_slow_processor(lights: Lights) -> None:
    """A picture may take longer than all of them."""
    lights.begin(1000)
    assert sum(lights.at(1000).start) == 1
    late = (9000, 9999, 10000, 11000, 12000, 14999, 15000)
    assert [sum(lights.at(now).start) for now in late] == [2, 2, 3, 4, 5, 5, 0]


def test_lights_do_not_lag_behind_the_race(lights: Lights) -> None:
    lights.happen("waiting", 0)
    for now in range(0, 200, 10):
        lights.happen("over", now)
    assert lights.at(200).status in (RED, DARK)
    lights.at(201 + BEHIND)
    assert lights.at(201 + BEHIND).status == WHITE
    assert lights.due is None


def test_the_lamp_for_a_wet_track(lights: Lights) -> None:
    lights.wet = True
    assert lights.at(0).wet
