"""A race that the table ends as it stands, and one that starts again after a red flag, in every rulebook of dice."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from companion.circuits import load
from companion.desk import RaceDesk
from companion.drivers.sensible import HeuristicDriver
from companion.rules.conversation.conversation import Conversation
from companion.rules.conversation.errors import BadOverride, BadSetup
from companion.rules.dice.formula_de import FormulaDe
from companion.rules.rulebooks import RULEBOOKS, begin

DICE = [name for name, kind in RULEBOOKS.items() if issubclass(kind, FormulaDe)]
ENDED = {"beginner": "ruling 10", "competition": "ruling 104", "cup": "ruling 46", "death": "ruling 53",
         "formula-d": "ruling 19", "league": "ruling 19"}  # fmt: skip
STOPPED = {"beginner": "ruling 11", "competition": "ruling 105", "cup": "ruling 47", "death": "ruling 54",
           "formula-d": "ruling 20", "league": "ruling 24"}  # fmt: skip


def of(ids: dict[str, str]) -> list[Any]:
    """Return every rulebook with the mark of its article."""
    return [pytest.param(name, marks=pytest.mark.article(name, ids[name])) for name in DICE]


class Driven:
    """A race of five cars, driven sensibly."""

    def __init__(self, rulebook: str, **setup: Any) -> None:
        self.track = load("monaco")
        cars = [{"car": number} for number in range(1, 6)]
        self.setup = {"rulebook": rulebook, "track": "monaco", "laps": 2, "cars": cars, **setup}
        self.book: Any = begin(self.setup, self.track)
        self.talk, self.driver = Conversation(self.book), HeuristicDriver(self.track)

    @property
    def race(self) -> Any:
        return self.book.race

    def on(self, answers: int = 0, *, asks: str = "", lap: int = 0) -> Any:
        """Drive on by so many answers, or more until that is asked and somebody is in that lap."""
        for _ in range(4000):
            asked = self.talk.asked
            assert asked is not None
            if answers <= 0 and asks in ("", asked.ask) and max(car.lap for car in self.race.cars) >= lap:
                break
            self.talk.answer(self.driver.answer(asked, self.race))
            answers -= 1
        return self

    def to_the_end(self) -> None:
        while self.talk.asked is not None:
            self.talk.answer(self.driver.answer(self.talk.asked, self.race))

    def again(self) -> Any:
        """Return the same race, given again from its setup."""
        talk = Conversation(begin(self.setup, self.track))
        for event in self.talk.events:
            talk.apply(event)
        return talk


@pytest.mark.parametrize("rulebook", of(ENDED))
@pytest.mark.parametrize(("how", "points"), [("now", [10, 6, 3]), ("half", [5, 3, 2]), ("none", [0, 0, 0])])
def test_a_race_ends_as_it_stands(rulebook: str, how: str, points: list[int]) -> None:
    table = Driven(rulebook, options={"points": [10, 6, 3]}).on(asks="roll", lap=1)
    order, before = table.book.running_order(), table.talk.digest
    rulings = table.talk.override({"cut_short": how})
    assert table.talk.asked is None
    rows = table.book.result()
    assert [row["car"] for row in rows] == order
    assert [row["place"] for row in rows] == [1, 2, 3, 4, 5]
    assert [row["points"] for row in rows] == [*points, 0, 0]
    assert [ruling.kind for ruling in rulings][-1] == "result"
    assert table.again().digest == table.talk.digest
    table.talk.rewind(table.talk.n - 1)
    assert table.talk.digest == before


@pytest.mark.parametrize("rulebook", of(ENDED))
@pytest.mark.parametrize("placed", [False, True])
def test_who_is_out_stands_behind_or_where_he_came_to(rulebook: str, placed: bool) -> None:
    """The leader goes out at the very end: behind all, or first of all where retired cars have places."""
    options = {"distance": placed}
    if rulebook == "league":
        placed, options = True, {}
    table = Driven(rulebook, options=options).on(asks="roll", lap=1)
    first, *others = table.book.running_order()
    table.talk.override({"car": first, "status": "out"})
    table.talk.override({"cut_short": "now"})
    rows = [(row["place"], row["car"]) for row in table.book.result()]
    if placed:
        assert rows == list(enumerate([first, *others], 1))
    else:
        assert rows == [*enumerate(others, 1), (None, first)]


@pytest.mark.parametrize("rulebook", of(STOPPED))
def test_a_red_flag_brings_the_cars_back_to_the_grid(rulebook: str) -> None:
    table = Driven(rulebook).on(asks="roll", lap=2)
    order = [number for number in table.book.running_order() if table.book.car(number).alive]
    before, cars = table.talk.digest, {number: table.book.car(number) for number in order}
    wear = {number: dict(car.wear) for number, car in cars.items()}
    laps = {number: car.lap for number, car in cars.items()}
    rulings = table.talk.override({"red_flag": "now"})
    placed = [ruling for ruling in rulings if ruling.kind in ("red_flag", "grid")]
    assert [ruling.car for ruling in placed] == [None, *order]
    assert {ruling.article for ruling in placed} == {STOPPED[rulebook]}
    asked = table.talk.asked
    assert asked is not None
    assert (asked.ask, asked.car) == ("start", order[0])
    cars = {number: table.book.car(number) for number in order}
    slots = [table.track.spaces[slot].name for slot in table.track.grid]
    assert [cars[number].at for number in order] == slots[: len(order)]
    assert {car.status for car in cars.values()} == {"grid"}
    assert {number: dict(car.wear) for number, car in cars.items()} == wear
    assert {number: car.lap for number, car in cars.items()} == {n: max(lap - 1, 0) for n, lap in laps.items()}
    assert table.again().digest == table.talk.digest
    table.talk.rewind(table.talk.n - 1)
    assert table.talk.digest == before


@pytest.mark.parametrize("rulebook", of(STOPPED))
def test_over_the_line_again_nobody_is_a_lap_further(rulebook: str) -> None:
    table = Driven(rulebook, laps=3).on(asks="roll", lap=2)
    first = table.book.car(table.book.running_order()[0])
    had = first.lap, first.tyre_laps
    table.talk.override({"red_flag": "now"})
    for _ in range(200):
        first = table.book.car(first.number)
        if first.lap == had[0]:
            break
        table.on(1)
    assert (first.lap, first.tyre_laps) == had


@pytest.mark.parametrize("rulebook", [one for one in of(STOPPED) if "dangers" in RULEBOOKS[one.values[0]].race_values])
def test_what_lies_on_the_track_is_cleared(rulebook: str) -> None:
    table = Driven(rulebook).on(asks="roll", lap=1)
    table.talk.override({"dangers": ["5:left:1", "6:left:1"]})
    table.talk.override({"red_flag": "now"})
    assert table.race.dangers == []


@pytest.mark.parametrize("rulebook", of(STOPPED))
def test_once_a_car_is_home_a_race_is_ended_and_not_started_again(rulebook: str) -> None:
    table = Driven(rulebook, laps=1)
    while not any(car.lap > 1 and car.status != "out" for car in table.race.cars):
        table.on(1)
    before = table.talk.digest
    with pytest.raises(BadOverride, match="end the race as it stands instead"):
        table.talk.override({"red_flag": "now"})
    assert table.talk.digest == before
    table.talk.override({"cut_short": "now"})
    assert table.book.result()[0]["place"] == 1


@pytest.mark.parametrize("rulebook", DICE)
def test_only_a_race_that_is_being_run_is_ended_or_stopped(rulebook: str) -> None:
    table = Driven(rulebook)
    assert table.race.phase == "setup" or table.talk.asked.ask == "start"
    for change in (
        {"cut_short": "later"},
        {"red_flag": True},
        {"red_flag": ""},
        {"cut_short": "now", "red_flag": "now"},
    ):
        with pytest.raises(BadOverride):
            table.on(30, asks="gear").talk.override(change)
    table.talk.override({"cut_short": "now"})
    for change in ({"cut_short": "now"}, {"red_flag": "now"}):
        with pytest.raises(BadOverride):
            table.talk.override(change)
    with pytest.raises(BadSetup, match="not in its setup"):
        Driven(rulebook, red_flags=1)


@pytest.mark.parametrize("rulebook", DICE)
def test_a_position_after_a_red_flag_is_a_setup_that_goes_on_from_there(rulebook: str) -> None:
    table = Driven(rulebook).on(asks="roll", lap=2)
    table.talk.override({"red_flag": "now"})
    table.on(3)
    while table.talk.checkpoints[-1][0] != table.talk.n:
        table.on(1)
    desk = RaceDesk(begin(table.setup, table.track), setup=table.setup)
    for event in table.talk.events:
        if event.change is not None:
            desk.override(event.change, by="Eve", why="a crash")
        else:
            desk.answer(event.answer)
    state, whole = desk.state()
    assert whole
    again = RaceDesk(begin(state, table.track), setup=state)
    assert again.asked is not None
    assert desk.asked is not None
    assert (again.asked.ask, again.asked.car) == (desk.asked.ask, desk.asked.car)
    assert again.state() == (state, whole)


@pytest.mark.parametrize("track", ["monaco", "monza"])
@pytest.mark.parametrize("rulebook", DICE)
def test_races_stopped_and_ended_at_any_moment_replay_to_the_same(rulebook: str, track: str) -> None:
    if track == "monza" and RULEBOOKS[rulebook].by_spaces:
        pytest.skip("it needs the spaces")
    for seed in range(6):
        chance = Random(seed)
        table = Driven(rulebook, track=track)
        table.track = load(track)
        table.book = begin(table.setup, table.track)
        table.talk, table.driver = Conversation(table.book), HeuristicDriver(table.track)
        rulings = list(table.talk.opening)
        flags = 0
        ends = chance.randint(40, 900)
        while table.talk.asked is not None:
            running = table.race.phase == "race"
            if running and flags < 3 and chance.random() < 0.01:
                try:
                    rulings += table.talk.override({"red_flag": "now"})
                    flags += 1
                except BadOverride as refused:
                    assert "crossed the line" in str(refused)  # noqa: PT017
                continue
            if running and table.talk.n > ends:
                rulings += table.talk.override({"cut_short": chance.choice(("now", "half", "none"))})
                continue
            rulings += table.talk.answer(table.driver.answer(table.talk.asked, table.race))
            if chance.random() < 0.01:
                n, events = chance.randint(max(0, table.talk.n - 30), table.talk.n), list(table.talk.events)
                digest = table.talk.digest
                table.talk.rewind(n)
                for event in events[n:]:
                    table.talk.apply(event)
                assert table.talk.digest == digest, (rulebook, track, seed)
        assert table.again().digest == table.talk.digest, (rulebook, track, seed)
        assert sorted(row["car"] for row in table.book.result()) == [1, 2, 3, 4, 5]
