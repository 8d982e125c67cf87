"""The drivers that read a table: faster than those that do not, each strength than the one below, and legal."""

from __future__ import annotations

import io
import json
from array import array
from statistics import mean
from typing import Any

import pytest
from click.testing import CliRunner
from rich.console import Console

from companion import circuits
from companion.commands.main import companion
from companion.desk import RaceDesk
from companion.drivers import DRIVERS, Driver, strong
from companion.drivers.course import MOST, Course
from companion.drivers.prepared import GEARS, Kept, Table
from companion.drivers.roster import driver_named
from companion.drivers.values import limit
from companion.protocol import Referee
from companion.rules.conversation.conversation import Conversation
from companion.rules.conversation.errors import BadAnswer
from companion.rules.dice.formula_de import FormulaDe
from companion.rules.rulebooks import begin


class Drive:
    """A race by drivers, one name a car; which car needed how many turns."""

    def __init__(self, seed: int, *names: str, **setup: Any) -> None:
        cars = [{"car": number} for number in range(1, len(names) + 1)]
        book = begin({"track": "monaco", "laps": 1, "sky": "sun", "cars": cars, **setup}, circuits.load("monaco"))
        assert isinstance(book, FormulaDe)
        talk = Conversation(book)
        drivers: dict[str, Driver] = {name: driver_named(name, book, 7 * seed + at) for at, name in enumerate(names)}
        self.turns = dict.fromkeys(range(1, len(names) + 1), 0)
        while (asked := talk.asked) is not None:
            if asked.ask in ("gear", "start") and asked.car is not None:
                self.turns[asked.car] += 1
            talk.answer(drivers[names[(asked.car or 1) - 1]].answer(asked, book.race))
            assert talk.n < 4000
        self.book = book
        self.winner = names[book.result()[0]["car"] - 1]

    def home(self, number: int) -> bool:
        return bool(self.book.car(number).status == "finished")


def alone(name: str, races: int) -> list[Drive]:
    return [Drive(seed, name) for seed in range(races)]


@pytest.mark.usefixtures("ready")
def test_a_champion_alone_is_near_the_limit_at_the_wear_it_spends(monaco: Course) -> None:
    races = alone("champion", 60)
    home = [race for race in races if race.home(1)]
    assert len(home) >= 59
    spent = mean(
        sum(race.book.car(1).built[pool] - race.book.car(1).wear[pool] for pool in ("tyres", "brakes", "gearbox"))
        for race in home
    )
    paces = [(price, limit(monaco, price, 1)) for price in (0.1, 0.2, 0.3, 0.5)]
    bound = max(pace.turns + price * (sum(pace.spent.values()) - spent) for price, pace in paces)
    assert bound * 0.97 < mean(race.turns[1] for race in home) < bound * 1.045  # the start die costs 0.05 turns


@pytest.mark.usefixtures("ready")
def test_each_strength_is_faster_than_the_one_below_it() -> None:
    turns = {name: mean(race.turns[1] for race in alone(name, 25)) for name in ("learner", "club", "champion")}
    assert turns["learner"] > turns["club"] + 0.3
    assert turns["club"] > turns["champion"] + 0.1


@pytest.mark.usefixtures("ready")
def test_champions_beat_those_who_look_at_the_next_corner_only() -> None:
    names = ("champion", "sensible")
    races = [Drive(seed, *(names[(seed + car) % 2] for car in range(6))) for seed in range(16)]
    turns: dict[str, list[int]] = {name: [] for name in names}
    for seed, race in enumerate(races):
        for number, taken in race.turns.items():
            if race.home(number):
                turns[names[(seed + number - 1) % 2]].append(taken)
    assert sum(race.winner == "champion" for race in races) >= 9
    assert mean(turns["champion"]) < mean(turns["sensible"]) - 0.4
    assert len(turns["champion"]) >= len(turns["sensible"])


@pytest.mark.usefixtures("ready")
def test_the_same_seed_drives_the_same_race() -> None:
    one, two, other = (Drive(seed, "club", "learner", "champion").book.save() for seed in (4, 4, 5))
    assert one == two != other


def test_whatever_it_answers_is_legal_in_every_rulebook(monaco: Course, monkeypatch: pytest.MonkeyPatch) -> None:
    def table(track: Any, scene: Any, laps: int, options: Any) -> Table:
        pools = ("points",) if scene.rulebook == "death" else ("tyres", "brakes")
        purses = (MOST[pools[0]] + 1) * (MOST["brakes"] + 1 if len(pools) > 1 else 1)
        count = purses * GEARS * len(monaco.places) * (laps + 2)
        turns = array("f", [float(x % 7) for x in range(count)]).tobytes()
        return Table(Kept("", pools, tuple(monaco.places), laps, True, False, turns))

    monkeypatch.setitem(MOST, "tyres", 2)
    monkeypatch.setattr(strong, "table_of", table)
    for rulebook in ("competition", "cup", "death", "league"):
        cars = [
            {"car": number, **({"team": "AABB"[number - 1]} if rulebook == "cup" else {})} for number in range(1, 5)
        ]
        race = Drive(1, "champion", "club", "learner", "champion", rulebook=rulebook, cars=cars)
        assert race.book.race.phase == "over"


def test_on_a_corner_sheet_and_with_cards_it_drives_as_the_sensible_do() -> None:
    for setup in ({"track": "spa", "laps": 1}, {"rulebook": "ninety", "track": "saltmarsh", "laps": 2, "deck": 3}):
        ends = []
        for name in ("sensible", "champion"):
            cars = [{"car": 1}, {"car": 2}]
            book: Any = begin({**setup, "cars": cars}, circuits.board(setup["track"]))  # type: ignore[arg-type]
            talk, driver = Conversation(book), driver_named(name, book, 2)
            while (asked := talk.asked) is not None:
                talk.answer(driver.answer(asked, book.race))
            ends.append(book.save())
        assert ends[0] == ends[1]


def test_a_name_that_no_driver_has_is_refused() -> None:
    with pytest.raises(BadAnswer, match="sensible, learner, club, champion"):
        driver_named("hero", begin({"track": "monaco", "cars": [{"car": 1}]}, circuits.load("monaco")))
    assert DRIVERS == ("sensible", "learner", "club", "champion")


# -- where people meet them


@pytest.mark.usefixtures("ready")
def test_a_demo_by_champions() -> None:
    said = ["demo", "--laps", "1", "--cars", "3", "--driver", "champion"]
    shown, other = (CliRunner().invoke(companion, [*said, "--seed", seed]).output for seed in ("1", "2"))
    assert "Classification" in shown
    assert shown != other
    assert CliRunner().invoke(companion, ["demo", "--driver", "hero"]).exit_code == 2


POSITION = {
    "track": "monaco", "sky": "sun", "laps": 1, "to_play": [1, 2],
    "cars": [
        {"car": 1, "driver": "Ada", "at": "10:middle:2", "gear": 4, "lap": 1},
        {"car": 2, "driver": "Bob", "at": "2:middle:2", "gear": 3, "lap": 1},
    ],
}  # fmt: skip


def lines(referee: Referee, **said: Any) -> list[dict[str, Any]]:
    return referee.say(json.dumps(said).encode())


@pytest.mark.usefixtures("ready")
def test_by_lines_a_driver_answers_and_a_hint_is_noted() -> None:
    referee = Referee()
    lines(referee, setup=POSITION)
    hint, question = lines(referee, hint=True)
    assert hint["hint"]["answer"] == 5  # twenty-six spaces of straight ahead
    assert hint["hint"]["gain"] > 0
    assert hint["hint"]["text"].startswith("A champion: 5th. ")
    assert referee.desk is not None
    assert [item.text for item in referee.desk.sheet().notes] == [hint["hint"]["text"]]
    assert question["question"]["n"] == 0
    assert lines(referee, drive="champion")[-1]["question"]["ask"] == "roll"
    assert referee.desk.history.items[-1].by == "driver:champion"
    assert "roll" in lines(referee, drive="champion")[0]["error"]
    assert "no hint" in lines(referee, hint=True)[0]["error"]
    assert lines(referee, drive="champion", roll=True)[-1]["question"]["ask"] == "landing"
    assert "no driver hero" in lines(referee, drive="hero")[0]["error"]
    shown = lines(referee, show="odds")[0]["odds"]
    assert {car: sum(places) for car, places in shown.items()} == {"1": pytest.approx(1.0), "2": pytest.approx(1.0)}
    assert shown["1"][0] > 0.9
    lines(referee, lang="fr")
    assert lines(referee, hint=True)[0]["hint"]["text"].startswith("Un champion\u00a0: ")
    while "question" in (said := lines(referee, drive="club", roll=True)[-1]):
        pass
    assert "result" in said


@pytest.mark.parametrize(
    ("lang", "word", "says"), [("en", "hint", "A champion: 5th. "), ("fr", "conseil", "Un champion")]
)
@pytest.mark.usefixtures("ready")
def test_at_the_terminal_a_hint_is_told_and_noted(
    lang: str, word: str, says: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    from companion.terminal.screen import Screen
    from companion.terminal.session import Session
    from companion.wording import Words

    desk = RaceDesk(begin(POSITION, circuits.load("monaco")), setup=POSITION)
    out = io.StringIO()
    screen = Screen(Words(lang))
    screen.console = Console(file=out, width=80)
    said = iter([word, "q"])
    monkeypatch.setattr(screen, "ask", lambda prompt: next(said))
    Session(desk, screen).run()
    assert says in out.getvalue()
    assert Words(lang).say("hint_wait") not in out.getvalue()
    assert desk.sheet().notes[0].text.startswith(says)


# -- what the table leaves out


def on_the_straight(other: str, **first: Any) -> tuple[strong.Strong, Conversation]:
    """A car that has rolled a 9 in 4th on the long straight, and another in 4th."""
    cars = [
        {"car": 1, "at": "10:middle:2", "gear": 4, "lap": 1, **first},
        {"car": 2, "at": other, "gear": 4, "lap": 1},
    ]
    book = begin({**POSITION, "cars": cars, "to_play": [1, 2]}, circuits.load("monaco"))
    talk, driver = Conversation(book), driver_named("champion", book)
    assert isinstance(driver, strong.Strong)
    talk.answer(4)
    talk.answer(9)
    return driver, talk


@pytest.mark.usefixtures("ready")
def test_a_stop_behind_another_car_is_worth_its_slipstream() -> None:
    found = []
    for other in ("10:middle:12", "2:middle:2"):
        driver, talk = on_the_straight(other)
        before, asked = talk.rulebook.save(), talk.asked
        assert asked is not None
        turns = driver.weigh(asked, talk.rulebook.race)
        assert turns is not None
        assert talk.rulebook.save() == before
        answers = [option.answer for option in asked.options or []]
        found.append(turns[answers.index({"space": "10:middle:11", "brakes": 0, "soft": 0})])
    assert found[0] < found[1] - 0.1


@pytest.mark.usefixtures("ready")
def test_the_fewer_points_and_the_further_the_flag_the_more_one_is_worth() -> None:
    worth = []
    for engine, more in ((1, 0), (2, 0), (3, 0), (3, 1)):
        driver, talk = on_the_straight("2:middle:2", wear={"engine": engine})
        race = talk.rulebook.race
        table = driver.table(race, race.cars[0])
        race.laps += more
        worth.append(driver.point(race, race.cars[0], "engine", table))
    assert worth[0] > worth[1] > worth[2] > 0
    assert worth[3] > worth[2]
