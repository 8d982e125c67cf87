"""Drivers: whatever they answer is legal, the same seed drives the same race, and the sensible one arrives."""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Any

import pytest

from companion import circuits
from companion.drivers import Driver
from companion.drivers.chance import RandomDriver
from companion.drivers.fighting import fight
from companion.drivers.foresight import FAR, CornersAhead, roll, through
from companion.drivers.registry import driver_named
from companion.drivers.sensible import HeuristicDriver
from companion.rules.conversation.asking import Asked, Option
from companion.rules.conversation.conversation import Conversation
from companion.rules.conversation.faces import FACES, GEAR_DICE
from companion.rules.dice.formula_de import FormulaDe
from companion.rules.dice.questions import ALL_ASKS
from companion.rules.dice.state import Car
from companion.rules.rulebooks import begin

OWN = ("monaco", "kestrel-moor", "porto-sereno", "copper-basin")
SHEETS = ("spa", "indianapolis-oval")
WEAR = {"tyres": 6, "brakes": 3, "gearbox": 3, "body": 3, "engine": 3, "handling": 2}


def race(
    track: str, driver: type[RandomDriver] | type[HeuristicDriver], seed: int, cars: int = 8, **setup: Any
) -> Conversation:
    """A whole race by one driver for all seats."""
    circuit = circuits.load(track)
    named = [{"car": number, "driver": f"D{number}"} for number in range(1, cars + 1)]
    talk = Conversation(begin({"track": track, "cars": named, **setup}, circuit))
    who: Driver = driver(circuit, seed)
    while (asked := talk.asked) is not None:
        talk.answer(who.answer(asked, rules(talk).race))
        assert talk.n < 5000, "a race without end"
    return talk


def rules(talk: Conversation) -> FormulaDe:
    assert isinstance(talk.rulebook, FormulaDe)
    return talk.rulebook


@pytest.mark.parametrize("driver", [RandomDriver, HeuristicDriver])
@pytest.mark.parametrize("track", [*OWN, *SHEETS])
def test_whole_races_end_with_every_car_home_or_out(
    track: str, driver: type[RandomDriver] | type[HeuristicDriver]
) -> None:
    for seed in range(4):
        talk = race(track, driver, seed, laps=1 + seed % 2)
        assert {car.status for car in rules(talk).race.cars} <= {"finished", "out", "wreck"}


@pytest.mark.parametrize("driver", [RandomDriver, HeuristicDriver])
def test_the_same_seed_drives_the_same_race(driver: type[RandomDriver] | type[HeuristicDriver]) -> None:
    one, two, other = (race("monaco", driver, seed, laps=1) for seed in (3, 3, 4))
    assert one.events == two.events
    assert one.digest == two.digest
    assert one.events != other.events


@pytest.mark.parametrize("driver", [RandomDriver, HeuristicDriver])
def test_a_driver_leaves_the_state_as_it_is(driver: type[RandomDriver] | type[HeuristicDriver]) -> None:
    circuit = circuits.load("monaco")
    talk = Conversation(begin({"track": "monaco", "laps": 1, "cars": [{"car": 1}, {"car": 2}]}, circuit))
    who = driver(circuit, 5)
    while (asked := talk.asked) is not None:
        before = talk.digest
        answer = who.answer(asked, rules(talk).race)
        assert talk.digest == before
        talk.answer(answer)


def test_the_sensible_driver_arrives_where_chance_does_not() -> None:
    def home(driver: type[RandomDriver] | type[HeuristicDriver]) -> int:
        return sum(len(rules(race("monaco", driver, seed)).race.home) for seed in range(6))

    assert home(RandomDriver) <= 6
    assert home(HeuristicDriver) >= 24


@pytest.mark.parametrize("track", OWN)
def test_the_sensible_driver_uses_what_there_is_to_use(track: str) -> None:
    """Pits, slipstreams, every gear: what a demo must show and a simulation must meet."""
    kinds: Counter[str] = Counter()
    for seed in range(6):
        talk = Conversation(begin({"track": track, "cars": [{"car": n} for n in range(1, 9)]}, circuits.load(track)))
        who = HeuristicDriver(circuits.load(track), seed)
        while (asked := talk.asked) is not None:
            kinds[asked.ask] += 1
            if asked.ask == "roll":
                kinds[asked.what] += 1
            talk.answer(who.answer(asked, rules(talk).race))
    assert {f"gear_{gear}" for gear in range(1, 6)} <= set(kinds)
    assert kinds["stop"]
    assert kinds["slipstream"]


def test_dice_fall_as_their_sides_are_printed() -> None:
    circuit = circuits.load("monaco")
    state = rules(Conversation(begin({"track": "monaco", "cars": [{"car": 1}]}, circuit))).race
    for who in (RandomDriver(circuit, 1), HeuristicDriver(circuit, 1)):
        for gear in GEAR_DICE:
            asked = Asked(0, "roll", "6-2-6", 1, 1, what=f"gear_{gear}", faces=list(FACES[gear]))
            rolled = Counter(who.answer(asked, state) for _ in range(2000))
            assert set(rolled) == set(FACES[gear])
        second = Asked(0, "roll", "6-2-6", 1, 1, what="gear_2", faces=list(FACES[2]))
        rolled = Counter(who.answer(second, state) for _ in range(3000))
        assert rolled[4] > rolled[3] > rolled[2]


def test_chance_gives_every_answer_in_time() -> None:
    circuit = circuits.load("monaco")
    state = rules(Conversation(begin({"track": "monaco", "cars": [{"car": 1}]}, circuit))).race
    who = RandomDriver(circuit, 2)
    gears = Asked(0, "gear", "6-1-1", 1, 1, options=[Option(gear) for gear in range(1, 5)])
    assert {who.answer(gears, state) for _ in range(200)} == {1, 2, 3, 4}
    fields = {pool: [1, 22] for pool in WEAR} | {"stand": [0, 2], "points": [20, 2]}
    cars = [who.answer(Asked(0, "setup", "5-0-2", 1, 1, fields=fields), state) for _ in range(100)]
    assert {sum(car.values()) for car in cars} == {22}
    assert {car["stand"] for car in cars} == {0, 1, 2}
    assert min(min(points for pool, points in car.items() if pool != "stand") for car in cars) == 1


def options(*given: Any) -> list[Option]:
    return [one if isinstance(one, Option) else Option(one) for one in given]


@pytest.mark.parametrize("driver", [RandomDriver, HeuristicDriver])
def test_every_kind_of_question_has_an_answer(driver: type[RandomDriver] | type[HeuristicDriver]) -> None:
    circuit = circuits.load("monaco")
    state = rules(Conversation(begin({"track": "monaco", "cars": [{"car": 1}, {"car": 2}]}, circuit))).race
    for car in state.cars:
        car.wear, car.built, car.at, car.gear = dict(WEAR), dict(WEAR), "2:left:5", 3
    who = driver(circuit, 1)
    landing = {"space": "2:left:9", "brakes": 0, "soft": 0}
    pools = {pool: [1, 22] for pool in WEAR} | {"stand": [0, 2], "points": [20, 2]}
    known = {
        "practice": {"faces": list(range(1, 21))},
        "box": {"options": options(1, 2)},
        "setup": {"fields": pools, "options": options({**WEAR, "stand": 2})},
        "tyres": {"options": options("hard", "soft", "rain")},
        "start": {"faces": list(range(1, 21)), "what": "start"},
        "gear": {"options": options(2, 3, Option(1, {"gearbox": -1}))},
        "roll": {"faces": list(FACES[3]), "what": "gear_3"},
        "landing": {"options": options(Option(landing, {}, {"moved": 4}))},
        "slipstream": {"options": options(None, Option(landing, {}, {"moved": 3}))},
        "front": {"options": options(1, 2)},
        "test": {"faces": list(range(1, 21)), "what": "engine"},
        "stop": {"options": options("quick", "long")},
        "repair": {"options": options({}, Option({"brakes": 1}, {"brakes": 1})), "fields": {"stand": 2}},
        "kers": {"options": options(None, Option(landing, {}, {"moved": 1}))},
        "attack": {"options": options(Option({"fire": "flamer", "at": 2}, {}, {"hits_to": 16, "damage": 1}), None)},
        "sight": {"options": options(True, False), "fields": {"range": 9}},
        "use": {"options": options(True, False), "what": "nitros", "fields": {"card": "nitros"}},
        "clutch": {"options": options(None, Option(landing, {"body": -2}))},
        "card": {"options": options("flamer", "rear-mg"), "what": "weapon"},
        "slot": {"options": options("weapon", "defence"), "what": "turret-mg"},
        "strip": {"options": options("turbo", "bravado")},
        "extra": {"options": options("flamer", "rear-mg")},
        "place": {"options": options(landing)},
        "zone": {"options": options(3, 10), "what": "zone_1"},
        "allowance": {"options": options(None, 1, -1), "what": "top"},
        "wings": {"options": options("normal", "high", "low")},
    }
    for ask, parts in known.items():
        asked = Asked(0, ask, "0-0-0", 1, 1, **parts)
        answer = who.answer(asked, state)
        offered = [*(asked.faces or []), *(option.answer for option in asked.options or [])]
        assert answer in offered or ask == "setup"
    assert set(ALL_ASKS) == {*known, "saw"}, "a kind of question that no driver was tried on"


# -- how the sensible driver thinks


class Wheel:
    """A sensible driver with one car in hand."""

    def __init__(self, at: str, gear: int, *, tyres: str = "hard", wet: bool = False, **wear: int) -> None:
        self.track = circuits.load("monaco")
        car = {"car": 1, "at": at, "gear": gear, "lap": 1, "status": "racing", "tyres": tyres, "wear": {**WEAR, **wear}}
        position = {"track": "monaco", "laps": 3, "sky": "rain" if wet else "sun", "cars": [car], "to_play": [1]}
        self.talk = Conversation(begin(position, self.track))
        self.driver = HeuristicDriver(self.track, 0)

    @property
    def car(self) -> Car:
        return rules(self.talk).race.cars[0]

    def answers(self) -> Any:
        asked = self.talk.asked
        assert asked is not None
        return self.driver.answer(asked, rules(self.talk).race)

    def lands(self, face: int) -> Option:
        """Where the driver stops after rolling a face in the gear it is in."""
        self.talk.answer(self.car.gear)
        self.talk.answer(face)
        asked = self.talk.asked
        assert asked is not None
        answer = self.answers()
        return next(option for option in asked.options or [] if option.answer == answer)


def test_a_gear_is_chosen_for_the_corner_that_comes() -> None:
    assert Wheel("10:middle:2", 4).answers() == 5  # twenty-six spaces of straight ahead
    assert Wheel("2:middle:18", 4).answers() < 4  # at the door of Casino
    assert Wheel("2:middle:2", 3).answers() == 4


def test_a_car_is_braked_rather_than_thrown_out() -> None:
    taken = Wheel("8:middle:3", 4).lands(12)  # Tabac wants more than one stop
    assert "out" not in taken.facts


def test_the_pits_are_sought_when_the_tyres_are_nearly_gone() -> None:
    circuit = circuits.load("monaco")
    wheel = Wheel("2:middle:2", 3)
    box = circuit.ids["box:1"]
    race = rules(wheel.talk).race
    full = wheel.driver.pitting(wheel.car, race, box)
    wheel.car.wear["tyres"] = 1
    assert wheel.driver.pitting(wheel.car, race, box) < 0 < full


def test_a_sensible_driver_of_the_cup_stops_for_its_second_compound_and_gets_home() -> None:
    track, causes = circuits.load("monaco"), []
    for seed in range(2):
        cars = [{"car": number, "team": "AB"[number % 2]} for number in range(1, 5)]
        setup = {"rulebook": "cup", "track": track.key, "laps": 2, "sky": "sun", "cars": cars}
        talk = Conversation(begin(setup, track))
        driver = HeuristicDriver(track, seed)
        while (asked := talk.asked) is not None:
            talk.answer(driver.answer(asked, rules(talk).race))
        causes += [car.cause for car in rules(talk).race.cars]
    assert "compounds" not in causes
    assert causes.count("") >= 5


@pytest.mark.parametrize("waived", [False, True])
def test_a_sensible_driver_is_let_off_the_second_compound(waived: bool) -> None:
    car = {"car": 1, "at": "19:left:1", "gear": 4, "lap": 1, "tyres": "hard", "raced": ["hard"], "waived": waived}
    setup = {
        "rulebook": "cup",
        "track": "monaco",
        "laps": 2,
        "sky": "sun",
        "to_play": [1],
        "cars": [{**car, "wear": WEAR}],
    }
    book = begin(setup, circuits.load("monaco"))
    assert isinstance(book, FormulaDe)
    driver, one = HeuristicDriver(book.track), book.race.cars[0]
    assert (driver.pitting(one, book.race, book.track.ids["box:1"]) < 0) is not waived


def test_rain_tyres_are_taken_on_a_wet_track() -> None:
    wheel = Wheel("2:middle:2", 3, wet=True)
    asked = Asked(0, "tyres", "19-2-6", 1, 1, options=options("hard", "soft", "rain"))
    assert wheel.driver.answer(asked, rules(wheel.talk).race) == "rain"


def test_foresight_knows_the_board() -> None:
    track = circuits.load("monaco")
    outlook = CornersAhead(track)
    for space, one in enumerate(track.spaces):
        if one.section < 0 or not track.moves[space]:
            continue
        ahead = outlook.ahead(space)
        assert ahead.near >= 1
        assert ahead.far >= ahead.near
        assert track.corners[ahead.corner]
        if track.corner[space] >= 0:
            assert 0 <= outlook.rest(space) <= track.corners[track.corner[space]].longest
    first = track.ids["2:middle:1"]
    assert outlook.ahead(first).near == 18


def test_foresight_fears_what_cannot_be_paid() -> None:
    from companion.drivers.foresight import Outfit

    rich, poor = Outfit(3, 5, 0), Outfit(0, 0, 0)
    for near in (5, 8, 15, FAR):
        assert through(near, near + 5, 1, 4, rich) < through(near, near + 5, 1, 4, poor)
    assert roll(2, 6, 2, 5, poor) > roll(2, 6, 2, 2, poor)


def test_foresight_counts_on_no_gear_that_the_race_has_not() -> None:
    """On a long straight less is expected where 4th is the highest gear; before a near corner it is all the same."""
    from companion.drivers.foresight import Outfit

    setup = {"rulebook": "formula-d", "track": "monaco", "cars": [{"car": 1}], "options": {"highest_gear": 4}}
    driver = driver_named("sensible", begin(setup, circuits.load("monaco")))
    assert isinstance(driver, HeuristicDriver)
    assert driver.highest == 4
    for now in range(7):
        cost = [through(FAR, FAR + 5, 1, now, Outfit(3, 5, 0, highest)) for highest in range(1, 7)]
        assert cost == sorted(cost, reverse=True)
        assert cost[3] > cost[5]
    assert through(3, 8, 1, 3, Outfit(3, 5, 0, 4)) == through(3, 8, 1, 3, Outfit(3, 5, 0))


def test_a_sensible_driver_fires_what_promises_most_and_pays_for_no_clutch_with_its_last_points() -> None:
    car = Car(1, wear={"points": 18})
    shots = options(
        Option({"fire": "flamer", "at": 2}, {}, {"hits_to": 16, "damage": 1}),
        Option({"fire": "megaton-missiles", "at": 2}, {}, {"hits_to": 10, "damage": 4}),
        Option({"fire": "megaton-missiles", "at": 3}, {}, {"hits_to": 10, "damage": 0}),
        Option({"reload": "rear-mg"}, {}, {"tokens": 1}),
        None,
    )
    asked = Asked(0, "attack", "phase.one-action", 1, 1, options=shots)
    assert {str(fight(asked, car, Random(seed))) for seed in range(20)} == {str(shots[1].answer)}
    nothing = Asked(0, "attack", "phase.one-action", 1, 1, options=shots[3:])
    assert fight(nothing, car, Random(1)) == {"reload": "rear-mg"}
    clutch = Asked(
        0, "clutch", "clutch.drop", 1, 1, options=options(None, Option({"space": "3:left:1"}, {"points": -2}))
    )
    assert {str(fight(clutch, car, Random(seed))) for seed in range(20)} == {"None", "{'space': '3:left:1'}"}
    car.wear["points"] = 3
    assert {fight(clutch, car, Random(seed)) for seed in range(20)} == {None}
