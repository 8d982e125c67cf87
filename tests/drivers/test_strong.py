"""The drivers that read a table: faster than those that do not, each strength than the one below, and legal."""

from __future__ import annotations

import io
import json
import math
from array import array
from collections.abc import Mapping, Sequence
from statistics import mean
from typing import Any

import pytest
from click.testing import CliRunner
from rich.console import Console

from companion import circuits
from companion.commands.main import companion
from companion.desk import RaceDesk
from companion.drivers import DRIVERS, Driver, registry, strong
from companion.drivers.fighting import Rival, aim
from companion.drivers.registry import driver_named
from companion.drivers.strong import ERRORS
from companion.drivers.table import GEARS, Table
from companion.drivers.turn_graph import MOST, Course, Scene
from companion.drivers.values import limit
from companion.drivers.weights import LAST
from companion.protocol import LineReferee
from companion.rules.circuit.track import Track
from companion.rules.conversation.asking import Asked, Json, Option
from companion.rules.conversation.conversation import Conversation
from companion.rules.conversation.errors import BadAnswer
from companion.rules.conversation.kinds import Pool
from companion.rules.death.death import Death
from companion.rules.dice.formula_de import FormulaDe
from companion.rules.dice.variants import Variant
from companion.rules.rulebooks import RULEBOOKS, begin, variants_of


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


def with_needs(variant: Variant, there: Sequence[Variant]) -> dict[str, bool]:
    """Return the switches of a variant and of those that it builds on in a rulebook."""
    return {one.switch: True for one in there if one is variant or one.name in variant.needs}


RACES = [
    (name, options)
    for name, kind in RULEBOOKS.items()
    if issubclass(kind, FormulaDe)
    for options in ({}, *(with_needs(one, variants_of(name)) for one in variants_of(name)))
]
"""Every rulebook of dice, plain and with each variant and option of the box."""
RACES += [("formula-d", {"weather": True, "tyres": True, "super_soft": True, "stop_technical": True, "teams": True})]


@pytest.fixture
def any_table(monaco: Course, monkeypatch: pytest.MonkeyPatch) -> None:
    """Tables of any turns, which are at once there, of whatever course there is."""

    def table(track: Track, scene: Scene, laps: int, options: Mapping[str, Json]) -> Table:
        course = Course(track, scene, options)
        purses = math.prod(MOST[pool] + 1 for pool in course.pools)
        count = purses * GEARS * len(monaco.places) * ((laps + 1) * (1 + course.soft_space) + bool(course.home))
        turns = array("f", ([0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0] * (count // 7 + 1))[:count]).tobytes()
        return Table(course.pools, tuple(monaco.places), laps, bool(course.home), course.soft_space, turns)

    monkeypatch.setitem(MOST, "tyres", 2)
    monkeypatch.setattr(strong, "table_of", table)


@pytest.mark.usefixtures("any_table")
@pytest.mark.parametrize(
    ("rulebook", "options"), RACES, ids=lambda one: "+".join(one) if isinstance(one, dict) else one
)
def test_whatever_it_answers_is_legal_by_every_rule(rulebook: str, options: dict[str, Json]) -> None:
    cars = [{"car": number, **({"team": "AABB"[number - 1]} if rulebook == "cup" else {})} for number in range(1, 5)]
    laps, sky = (3 if "three_laps" in options else 2), ({"sky": ""} if rulebook == "formula-d" else {})
    names = ("champion", "club", "learner", "champion")
    race = Drive(1, *names, rulebook=rulebook, cars=cars, options=options, laps=laps, **sky)
    assert race.book.race.phase == "over"


@pytest.mark.usefixtures("any_table")
@pytest.mark.parametrize("name", list(ERRORS))
@pytest.mark.parametrize("options", [{}, {"weather": True}, {"tyres": True}, {"tyres": True, "super_soft": True}])
def test_a_stop_is_weighed_with_or_without_kinds_of_tyres(name: str, options: dict[str, Json]) -> None:
    tyres = {"tyres": "soft"} if "tyres" in options else {}
    car = {"car": 1, "at": "20:right:1", "gear": 4, "lap": 1, "box": 1, "wear": {"tyres": 1}, **tyres}
    setup = {"rulebook": "formula-d", "track": "monaco", "laps": 2, "cars": [car], "to_play": [1], "options": options}
    book: Any = begin(setup, circuits.load("monaco"))
    talk, driver = Conversation(book), driver_named(name, book)
    for answer in (4, 12):
        talk.answer(answer)
    assert talk.asked is not None
    assert "box:1" in [option.answer["space"] for option in talk.asked.options or []]
    talk.answer(driver.answer(talk.asked, book.race))


@pytest.fixture
def plainly(ready: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """The table of the plain rules, whatever variants are on."""
    kept = strong.table_of
    monkeypatch.setattr(strong, "table_of", lambda track, scene, laps, _: kept(track, scene, laps, {}))


@pytest.mark.usefixtures("plainly")
@pytest.mark.parametrize("allowed", ["top", "super_top"])
def test_a_champion_uses_what_a_variant_allows(allowed: str) -> None:
    plain, on = ([Drive(seed, "champion", options=options) for seed in range(30)] for options in ({}, {allowed: True}))
    assert mean(race.turns[1] for race in on) < mean(race.turns[1] for race in plain)
    assert mean(race.book.car(1).times_used(allowed) for race in on) > 0.9


@pytest.mark.parametrize(
    ("track", "allowed", "wanted"),
    [("monaco", "wings", "high"), ("copper-basin", "wings", "normal"), ("monaco", "boosters", 2)],
)
def test_a_champion_prepares_what_wins_more_races(track: str, allowed: str, wanted: Json) -> None:
    setup = {"rulebook": "beginner", "track": track, "options": {allowed: True}, "grid": [1], "cars": [{"car": 1}]}
    book: Any = begin(setup, circuits.load(track))
    asked = Conversation(book).asked
    assert asked is not None
    assert registry.strong("champion", book).answer(asked, book.race) == wanted


@pytest.mark.usefixtures("plainly")
def test_wings_count_in_what_a_gear_promises() -> None:
    found = []
    for wings in ("normal", "low", "high"):
        car = {"car": 1, "at": "2:left:2", "gear": 4, "lap": 1, "wings": wings}
        setup = {"rulebook": "competition", "track": "monaco", "laps": 1, "options": {"wings": True}}
        book: Any = begin({**setup, "cars": [car], "to_play": [1]}, circuits.load("monaco"))
        asked = Conversation(book).asked
        assert asked is not None
        turns = registry.strong("champion", book).weigh(asked, book.race)
        assert turns is not None
        found.append(dict(zip([option.answer for option in asked.options or []], turns, strict=True)))
    normal, low, high = found
    assert len({normal[5], low[5], high[5]}) == 3
    assert normal[3] == pytest.approx(high[3], abs=0.05)


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
    with pytest.raises(BadAnswer, match="sensible, learner, club and champion"):
        driver_named("hero", begin({"track": "monaco", "cars": [{"car": 1}]}, circuits.load("monaco")))
    assert DRIVERS == ("sensible", "learner", "club", "champion")


# -- where people meet them


@pytest.mark.usefixtures("ready")
def test_a_demo_by_champions() -> None:
    said = ["demo", "--rulebook", "competition", "--laps", "1", "--cars", "3", "--driver", "champion"]
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


def lines(referee: LineReferee, **said: Any) -> list[dict[str, Any]]:
    return referee.say(json.dumps(said).encode())


@pytest.mark.usefixtures("ready")
def test_by_lines_a_driver_answers_and_a_hint_is_noted() -> None:
    referee = LineReferee()
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
    from companion.terminal.screen import RacePrinter
    from companion.terminal.session import TerminalSession
    from companion.wording import Words

    desk = RaceDesk(begin(POSITION, circuits.load("monaco")), setup=POSITION)
    out = io.StringIO()
    screen = RacePrinter(Words(lang))
    screen.console = Console(file=out, width=80)
    said = iter([word, "q"])
    monkeypatch.setattr(screen, "ask", lambda prompt: next(said))
    TerminalSession(desk, screen).run()
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


# -- stops, KERS and arms, with a table on which every space is worth the same


class Even:
    """A table on which a car drives nine spaces a turn, and every point that it has left is a third of a turn."""

    first, laps = 1, 3

    def __init__(self, track: Track, pools: tuple[Pool, ...]) -> None:
        self.pools, self.track = pools, track
        self.place = {(space.id, made): space.id for space in track.spaces if space.section >= 0 for made in range(4)}

    def purse(self, wear: Mapping[Pool, int]) -> int:
        return sum(wear[pool] for pool in self.pools)

    def before(self, after: int, purse: int, gear: int, place: int, new: bool = False) -> float:
        way = (self.track.length - self.track.place[place]) / 2 + after * self.track.length / 2
        return way / 9 - purse / 3

    rolling = before


@pytest.fixture
def even(monkeypatch: pytest.MonkeyPatch) -> None:
    def table(track: Track, scene: Scene, laps: int, options: Any) -> Even:
        return Even(track, ("points",) if scene.rulebook == "death" else ("tyres", "brakes"))

    monkeypatch.setattr(strong, "table_of", table)


def at_the_end_of_a_lap(rulebook: str, **car: Any) -> tuple[strong.Strong, Conversation]:
    """A car that has rolled a 17 in 5th before the pit entry, with a lap to go after this one."""
    car = {"car": 1, "at": "19:left:1", "gear": 5, "lap": 1, "stops": 1, **car}
    setup = {"rulebook": rulebook, "track": "monaco", "laps": 2, "to_play": [1], "cars": [car]}
    book = begin(setup if rulebook == "death" else {**setup, "sky": "sun"}, circuits.load("monaco"))
    talk, driver = Conversation(book), driver_named("champion", book)
    assert isinstance(driver, strong.Strong)
    talk.answer(5)
    talk.answer(17)
    return driver, talk


CUP_CAR = {"brakes": 3, "gearbox": 3, "body": 3, "engine": 3, "handling": 2}


@pytest.mark.usefixtures("even")
@pytest.mark.parametrize(
    ("rulebook", "car", "stops"),
    [
        ("cup", {"tyres": "soft", "raced": ["soft"], "wear": {"tyres": 7, **CUP_CAR}}, True),  # it owes a compound
        ("cup", {"tyres": "soft", "raced": ["soft"], "waived": True, "wear": {"tyres": 0, **CUP_CAR}}, True),
        ("death", {"wear": {"points": 18}}, False),
        ("death", {"wear": {"points": 5}}, True),
    ],
)
def test_a_car_stops_where_what_it_gets_back_is_worth_more_than_the_way(
    rulebook: str, car: dict[str, Any], stops: bool
) -> None:
    driver, talk = at_the_end_of_a_lap(rulebook, **car)
    assert talk.asked is not None
    answer = driver.answer(talk.asked, talk.rulebook.race)
    assert answer["space"].startswith(("pit:", "box:")) is stops


@pytest.mark.usefixtures("even")
def test_the_last_stop_that_a_compound_is_owed_at_is_not_driven_past() -> None:
    """A gear whose die may lead past the entry there is feared as being out is: who owes one is taken off."""

    def feared(waived: bool) -> float:
        car = {"car": 1, "at": "17:middle:8", "gear": 4, "lap": 1, "stops": 2, "tyres": "hard", "raced": ["hard"]}
        setup = {"rulebook": "cup", "track": "monaco", "laps": 2, "to_play": [1], "sky": "sun"}
        book = begin({**setup, "cars": [{**car, "waived": waived}]}, circuits.load("monaco"))
        talk, driver = Conversation(book), driver_named("champion", book)
        assert isinstance(driver, strong.Strong)
        assert isinstance(book, FormulaDe)
        assert talk.asked is not None
        turns = driver.weigh(talk.asked, book.race) or []
        return turns[4] - turns[2]

    assert feared(False) > feared(True) + LAST / 10


@pytest.mark.usefixtures("even")
def test_the_pits_are_weighed_in_the_gear_that_enters_them() -> None:
    """With the limit in 5th for a brake, which no stop for tyres brings back, in 6th not at all."""
    ways, turns = [], []
    for on in (False, True):
        setup = {"rulebook": "competition", "track": "monaco", "laps": 3, "sky": "sun", "to_play": [1]}
        car = {"car": 1, "at": "19:left:1", "gear": 5, "lap": 1, "stops": 1}
        book = begin({**setup, "cars": [car], "options": {"pit_limit": on}}, circuits.load("monaco"))
        driver = driver_named("champion", book)
        assert isinstance(driver, strong.Strong)
        assert isinstance(book, FormulaDe)
        Conversation(book)
        race = book.race
        for gear in (4, 5, 6):
            reached = driver.reach(race, race.cars[0], 17, gear)
            entry = [option for option in reached if option.answer["space"].startswith(("pit:", "box:"))]
            ways.append([option.wear.get("brakes", 0) for option in entry])
            turns.append(driver.landing_turns(entry, race, race.cars[0], gear))
        assert race.cars[0].gear == 5
    assert ways == [[0], [0], [0], [0], [-1], []]
    assert turns[4][0] > turns[3][0] == turns[1][0]


@pytest.mark.usefixtures("even")
@pytest.mark.parametrize(("at", "more"), [("9:left:2", 2), ("2:left:4", 0)])
def test_a_touch_is_feared_as_the_rules_of_the_place_have_it(at: str, more: int) -> None:
    """With corner contact two faces more in a corner of three stops, on a straight none."""
    chances = []
    for on in (False, True):
        other = at[: at.rindex(":") + 1] + str(int(at[at.rindex(":") + 1 :]) + 1)
        cars = [{"car": 1, "at": "1:left:1", "gear": 3, "lap": 1}, {"car": 2, "at": other, "gear": 3, "lap": 1}]
        setup = {"rulebook": "formula-d", "track": "monaco", "to_play": [1], "cars": cars}
        book = begin({**setup, "options": {"corner_contact": on}}, circuits.load("monaco"))
        driver = driver_named("champion", book)
        assert isinstance(driver, strong.Strong)
        assert isinstance(book, FormulaDe)
        Conversation(book)
        chances.append(driver.touched(book.race, book.race.cars[0], driver.track.ids[at]) * 20)
    assert chances == [1, 1 + more]


@pytest.mark.usefixtures("even")
@pytest.mark.parametrize("on", [False, True])
def test_a_second_slipstream_counts_where_there_may_be_one(on: bool) -> None:
    """From a stop behind one car a slipstream leads behind another: with one a turn, that is its end."""
    places = {1: "10:middle:2", 2: "10:middle:12"}
    stop: Json = {"space": "10:middle:11", "brakes": 0, "soft": 0}
    landed, towed = [], []
    for third in ("10:left:14", "2:left:2"):
        cars = [{"car": car, "at": at, "gear": 4, "lap": 1} for car, at in {**places, 3: third}.items()]
        setup = {**POSITION, "cars": cars, "to_play": [1], "options": {"one_slipstream": on}}
        book = begin(setup, circuits.load("monaco"))
        talk, driver = Conversation(book), driver_named("champion", book)
        assert isinstance(driver, strong.Strong)
        for answer in (4, 9):
            talk.answer(answer)
        assert talk.asked is not None
        turns = driver.weigh(talk.asked, book.race)
        assert turns is not None
        landed.append(turns[[option.answer for option in talk.asked.options or []].index(stop)])
        talk.answer(stop)
        before = book.save()
        turns = driver.weigh(talk.asked, book.race)
        assert turns is not None
        towed.append(min(turns))
        assert book.save() == before
    assert (landed[0] < landed[1], towed[0] < towed[1]) == (not on, not on)


@pytest.mark.usefixtures("even")
def test_what_a_stop_gives_back_is_spent_before_it() -> None:
    """A champion that will stop counts on the points of the lap only, so that more of them are worth less."""
    driver, talk = at_the_end_of_a_lap("death", wear={"points": 9})
    race = talk.rulebook.race
    car, space = race.cars[0], driver.track.ids["3:left:3"]
    to_the_flag, to_the_stop = driver.plans(race, car, 1, space)
    assert (to_the_flag.after, to_the_stop.after) == (1, 0)
    assert len(driver.plans(race, car, 2, space)) == 1  # on the last lap nobody stops


@pytest.mark.parametrize(
    ("rulebook", "sky", "tyres"),
    [("cup", "sun", ("hard", "soft")), ("cup", "rain", ("rain",)), ("competition", "changeable", ("rain",))],
)
@pytest.mark.usefixtures("even")
def test_rain_tyres_are_for_rain_that_may_come(rulebook: str, sky: str, tyres: tuple[str, ...]) -> None:
    car = {"car": 1, **({"team": "A"} if rulebook == "cup" else {})}
    setup = {"rulebook": rulebook, "track": "monaco", "laps": 2, "sky": sky, "practice": "sun", "cars": [car]}
    book: Any = begin(setup if sky == "changeable" else {**setup, "practice": ""}, circuits.load("monaco"))
    talk, driver = Conversation(book), driver_named("champion", book)
    assert isinstance(driver, strong.Strong)
    while talk.asked is not None and talk.asked.ask != "tyres":
        talk.answer(driver.answer(talk.asked, book.race))
    assert driver.tyres(book.race, book.race.cars[0]) in tyres
    if sky == "sun":  # and so it stays
        book.race.cars[0].raced, book.race.cars[0].tyres = ["hard"], "hard"
        book.race.cars[0].at = "box:10"
        assert driver.tyres(book.race, book.race.cars[0]) in tyres


@pytest.mark.usefixtures("even")
def test_a_point_of_kers_is_kept_for_a_space_that_is_worth_more_than_another() -> None:
    for at, lap, spends in (("2:left:8", 1, False), ("19:left:1", 2, True)):
        wear = {"tyres": 7, **CUP_CAR}
        car = {"at": at, "lap": lap, "stops": int(at.startswith("19")), "kers": 1, "tyres": "hard", "raced": ["hard"]}
        driver, talk = at_the_end_of_a_lap("cup", **car, waived=True, wear=wear)
        while talk.asked is not None and talk.asked.ask != "kers":
            talk.answer(driver.answer(talk.asked, talk.rulebook.race))
        assert talk.asked is not None
        assert (driver.answer(talk.asked, talk.rulebook.race) is not None) is spends, at


def test_a_shot_is_for_whom_it_costs_most_and_who_matters() -> None:
    def shot(number: int) -> Option:
        return Option({"fire": "forward-mg", "at": number}, facts={"hits_to": 8, "damage": 1})

    reload = Option({"reload": "megaton-missiles"}, facts={"tokens": 1})
    options = [shot(2), shot(3), reload, Option(None)]
    asked = Asked(1, "attack", "phase.one-action", 1, 1, options=options)
    fresh, last = Rival((0.3, 0.6, 0.9, 1.2, 1.5), 1.0), Rival((6.0,) * 5, 1.0)
    far = fresh._replace(weight=0.1)
    assert aim(asked, {2: fresh, 3: last}, {}) == {"fire": "forward-mg", "at": 3}
    assert aim(asked, {2: fresh, 3: far}, {}) == {"reload": "megaton-missiles"}
    asked = Asked(1, "attack", "phase.one-action", 1, 1, options=[options[1], options[0], options[3]])
    assert aim(asked, {2: fresh, 3: far}, {}) == {"fire": "forward-mg", "at": 2}


@pytest.mark.usefixtures("even")
def test_cards_are_used_where_they_bring_the_flag_nearer() -> None:
    cars = [{"car": 1, "at": "2:left:8", "gear": 4, "lap": 1}, {"car": 2, "at": "2:left:2", "gear": 4, "lap": 1}]
    setup = {"rulebook": "death", "track": "monaco", "laps": 2, "to_play": [1, 2], "cars": cars}
    book: Any = begin(setup, circuits.load("monaco"))
    talk, driver = Conversation(book), driver_named("champion", book)

    def uses(car: int, card: str, **fields: Json) -> Json:
        return driver.answer(Asked(1, "use", "", 1, car, card, [Option(True), Option(False)], fields=fields), book.race)

    assert uses(1, "limpet-mines") is True
    assert uses(2, "limpet-mines") is False  # nobody comes behind
    assert uses(1, "mag-plates", at="2:left:9") is True
    assert uses(1, "mag-plates", refit=4) in (True, False)  # torn off, it is offered in the pits
    assert uses(1, "mag-plates", at="2:left:7") is False
    talk.answer(4)
    talk.answer(7)
    assert uses(1, "nitros") is True
    assert isinstance(driver, strong.Strong)
    for card in ("nitros", "mag-plates", "limpet-mines"):  # fitted again, it is no use of it
        asked = Asked(1, "use", "", 1, 1, card, [Option(True), Option(False)], fields={"refit": 4})
        assert driver.uses(asked, book.race, book.race.cars[0]) is None, card
    assert book.race.cars[0].at == "2:left:8"


@pytest.mark.usefixtures("even")
def test_a_mine_is_laid_for_others_and_driven_round() -> None:
    """A remote mine lies ahead of whoever lays it: under a car there it goes off at once, else in his own way; a slip
    mine is for those behind."""

    def attack(weapon: str, ahead: str, behind: str = "2:left:2") -> Json:
        cars = [
            {"car": 1, "at": "2:left:8", "gear": 4, "lap": 1, "weapons": {weapon: 0}},
            {"car": 2, "at": ahead, "gear": 4, "lap": 1},
            {"car": 3, "at": behind, "gear": 4, "lap": 1},
        ]
        setup = {"rulebook": "death", "track": "monaco", "laps": 2, "to_play": [1, 2, 3], "cars": cars}
        book: Any = begin(setup, circuits.load("monaco"))
        options = [Option({"fire": weapon}), Option(None)]
        asked = Asked(1, "attack", "phase.one-action", 1, 1, options=options)
        return driver_named("champion", book).answer(asked, book.race)

    assert attack("remote-mines", "2:left:9") == {"fire": "remote-mines"}
    assert attack("remote-mines", "2:right:9") is None
    assert attack("slip-mines", "2:left:9") == {"fire": "slip-mines"}
    assert attack("slip-mines", "2:left:9", "3:left:1") is None

    cars = [{"car": 1, "at": "2:left:2", "gear": 4, "lap": 1}, {"car": 2, "at": "2:right:9", "gear": 4, "lap": 1}]
    mines = [{"car": 2, "card": "slip-mines", "at": "2:left:4"}, {"car": 2, "card": "remote-mines", "at": "2:left:5"}]
    setup = {"rulebook": "death", "track": "monaco", "laps": 2, "to_play": [1, 2], "cars": cars, "mines": mines}
    book = begin(setup, circuits.load("monaco"))
    assert isinstance(book, Death)
    driver = driver_named("champion", book)
    assert isinstance(driver, strong.Strong)
    lying = driver.lying(book.race, book.race.cars[0], 0.1)
    assert lying["2:left:4"] > lying["2:left:5"] > 0.1
