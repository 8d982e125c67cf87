"""Random legal races: one race played by chance and sense, with what has to hold after every answer.

`Watched` plays it. Everything that chance decides comes from the seed, so a race that fails can be played again alone:
the message names circuit and seed.
"""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Any

import pytest

from companion.articles import load as load_articles
from companion.drivers.chance import RandomDriver
from companion.drivers.sensible import HeuristicDriver
from companion.rules.circuit.track import Track
from companion.rules.conversation.asking import Question, Ruling
from companion.rules.conversation.conversation import Conversation
from companion.rules.conversation.errors import BadAnswer, BadOverride
from companion.rules.conversation.forms import canonical_json
from companion.rules.conversation.kinds import KINDS
from companion.rules.cup import Cup, CupCar, CupRace
from companion.rules.death.cards import CARDS, SLOTS, of_kind
from companion.rules.death.death import Death
from companion.rules.death.state import DeathCar
from companion.rules.dice.competition import Competition
from companion.rules.dice.questions import ALL_ASKS
from companion.rules.dice.setup import GONE, UNDER, WINGS
from companion.rules.dice.state import RaceState
from companion.rules.league import League
from companion.rules.rulebooks import RULEBOOKS, begin, variants_of
from tests.rules.foretold import Ledger

LONGEST = 4000
"""Answers after which a race cannot be going on any more."""
ASIDE, SOME = 0.02, 8
"""How often a question is tried on the side whose sort was tried before, and how many of its answers then."""
BACK, WHOLE = 0.02, 0.25
"""How often answers are taken back, and how often all of them are given again, not only those of the step."""
REPLAYED = 3
"""Of so many races one is played again from its answers."""
Sort = tuple[str, str, str, frozenset[str]]
"""A sort of question: its kind, its matter without numbers, its article, and what its options tell."""
WRONG: tuple[Any, ...] = (
    None, True, False, 4.0, -1, 0, 21, 99, 10**30, "", "4", "5:left:3", [], [1], [[]], {}, {"space": "1:left:1"},
    {"space": []}, {"space": "99:left:1", "brakes": 0, "soft": 0}, {"space": "pit:1", "brakes": 41, "soft": 0},
    {"brakes": 1},
    {"in": "corner 99"}, {"in": 3}, {"in": "pit", "line": 1}, {"tyres": 1}, {"stand": 3}, "intermediate", "slow",
)  # fmt: skip
"""Answers of every shape; whichever of them a question offers is no wrong one there."""


class Watched:
    """One random race. `tally` counts its rulings by kind; `tried` holds the sorts of question tried on the side, and
    a sort that is not among them yet is tried at once, with every answer that it offers. A race may be `mixed`: with
    some options of the box and variants on, drawn from a stream of their own, so that it is otherwise set up as
    ever."""

    def __init__(
        self, track: Track, seed: int, tried: set[Sort], rulebook: str = "competition", *, mixed: bool = False
    ) -> None:
        self.track, self.seed, self.kind = track, seed, RULEBOOKS[rulebook]
        self.articles = {entry.id for entry in load_articles(rulebook)}
        self.random, self.aside = Random(f"{track.key} {seed}"), Random(seed)
        self.setup, self.mixed = self._setup(), mixed
        if mixed:
            mix(self.setup, Random(f"{rulebook} {track.key} {seed}"))
        self.rulebook = begin(self.setup, track)
        self.numbers = {car.number for car in self.rulebook.race.cars}
        self.spare = self.rulebook.clone()
        self.talk = Conversation(self.rulebook)
        self.sense = self.random.choice((0.0, 0.6, 0.9, 0.97, 0.99))
        self.drivers = (RandomDriver(track, seed), HeuristicDriver(track, seed))
        self.tally: Counter[str] = Counter(ruling.kind for ruling in self.talk.opening)
        self.ledger = Ledger()
        self.ledger.enter(self.talk.opening)
        self.ruled: list[list[Ruling]] = []
        self.tried = tried
        self.brought_back = 0  # how often the referee's word may have sent a car that was home round again

    # -- the race

    def play(self) -> None:
        """Plays it to the end."""
        for ruling in self.talk.opening:
            self.check_ruling(ruling)
        while self.talk.question is not None:
            assert self.talk.n < LONGEST, "the race does not end"
            self.check()
            new = self.sort(self.talk.question) not in self.tried
            if new or self.aside.random() < ASIDE:
                self.try_aside(everything=new)
            if self.aside.random() < BACK:
                self.go_back()
            chance = self.random.random()
            if chance < 0.02 and self.rulebook.race.phase == "race":
                self.override()
            elif chance < 0.03:
                self.force()
            else:
                self.answer()
        self.check()
        assert self.rulebook.race.phase == "over"
        self.check_result()
        if self.seed % REPLAYED == 0:
            self.replay()

    def answer(self) -> None:
        asked = self.talk.asked
        assert asked is not None
        driver = self.drivers[self.random.random() < self.sense]
        answer = driver.answer(asked, self.rulebook.race)
        if asked.ask in ("landing", "slipstream") and self.random.random() < 0.2:
            close = [option.answer for option in asked.options or [] if self._behind_somebody(option.answer)]
            answer = self.random.choice(close) if close else answer
        self.note(self.talk.answer(answer))

    def _behind_somebody(self, answer: Any) -> bool:
        """Whether a landing without brakes ends straight behind another car: slipstreams are rare enough."""
        if self.track.known == "corner" or answer is None or answer["brakes"]:
            return False
        ahead = self.track.ahead[self.track.ids[answer["space"]]]
        return ahead >= 0 and any(car.at == self.track.spaces[ahead].name for car in self.rulebook.race.cars)

    def note(self, rulings: list[Ruling]) -> None:
        assert not self.rulebook.ruled
        self.ruled.append(rulings)
        for ruling in rulings:
            self.check_ruling(ruling)
            self.tally[ruling.kind] += 1
        self.ledger.enter(rulings)
        if self.talk.last_checkpoint[0] == self.talk.n:
            self.ledger.check(self.rulebook.race)

    # -- what holds

    def check_ruling(self, ruling: Ruling) -> None:
        """Every ruling is of a known kind, has an article that can be shown, and a car that is in the race."""
        assert ruling.kind in KINDS, ruling
        assert ruling.article in self.articles, ruling
        assert ruling.car is None or ruling.car in self.numbers, ruling

    def check(self) -> None:
        """What holds whenever a question is open."""
        race, track = self.rulebook.race, self.track
        by_space = track.known == "space"
        # on a sheet of few corners a made-up look may see a cup car go right round past the flag
        most_laps = race.laps + 1 + self.brought_back + (self.kind is Cup and not by_space)
        playing = race.move.car if race.move is not None else None
        taken: set[str] = set()
        for car in race.cars:
            status, at, number = car.status, car.at, car.number
            alive, standing = car.alive, car.standing
            assert not car.wear or min(car.wear.values()) >= 0, car
            assert 0 <= car.gear <= 6, car
            assert 0 <= car.stand <= 10, car
            if getattr(self.rulebook.figures, "teams", False) and car.built:
                assert {mate.stand for mate in race.cars if mate.team == car.team and mate.built} <= {car.stand}
            assert 0 <= car.lap <= most_laps, car
            assert (status == "finished") == (number in race.home), car
            assert (status in ("out", "wreck")) == (number in race.gone), car
            if standing and at is not None:
                assert track.has_place(at), car
                if car.stops and alive and number != playing and not race.cut_short:  # ended within a turn
                    corner = self.rulebook.corners.corner_of(at)
                    assert car.stops <= (track.corners[corner].stops if corner >= 0 else 3), car
                assert (status == "pit") == at.startswith("pit") or status in ("coasting", "wreck"), car
                assert (status == "box") == at.startswith("box"), car
                home = race.move is not None and race.move.finished and number == playing
                if by_space and not home and not self.rulebook.pits.holds_many(at):
                    assert at not in taken, f"two cars on {at}"
                    taken.add(at)
            if alive and car.wear and playing is None:
                assert car.cause == "", car
        assert len(set(race.played)) == len(race.played)
        to_play = self.rulebook.to_play()
        assert len(set(to_play)) == len(to_play)
        if isinstance(race, CupRace):
            past = {car.number for car in race.cars if car.lap > race.laps and not car.lost}
            assert set(race.flagged) - set(race.gone) == past
        assert sorted(set(race.dangers)) == race.dangers
        assert all(map(track.has_place, race.dangers))
        question = self.talk.question
        if question is not None:
            assert question.ask in ALL_ASKS, question.ask
            assert question.article in self.articles, question.article
            assert question.options() or question.faces or question.fields, f"{question.ask} has no answer"
            if question.car is not None and question.what != "weather":
                assert self.rulebook.car(question.car).standing, f"{question.ask} is asked of a car that has gone"

    def check_result(self) -> None:
        """At the end everybody is home or out, and is listed once."""
        race: RaceState = self.rulebook.race
        assert race.cut_short or not any(car.alive for car in race.cars)
        rows = self.rulebook.result()
        assert sorted(row["car"] for row in rows) == sorted(car.number for car in race.cars)
        # where the cup is ended, a car that crossed the line earlier may not have left turn one
        first = len(race.cars) if race.cut_short and isinstance(race, CupRace) else len(race.home)
        assert [row["car"] for row in rows[:first] if row["car"] in race.home] == race.home
        placed = self.rulebook.finish.places_retired()
        assert all((row["place"] is None) == (row["status"] in GONE and not placed) for row in rows)

    # -- tried on the side

    @staticmethod
    def sort(question: Question[Any]) -> Sort:
        """Of which sort a question is."""
        told = frozenset(fact for option in question.options() for fact in option.facts)
        return question.ask, question.what.rstrip("0123456789"), question.article, told

    def try_aside(self, *, everything: bool) -> None:
        """Every offered answer, or some of them, is accepted, and ten wrong ones are refused with the state
        untouched."""
        talk, question = self.talk, self.talk.question
        assert question is not None
        self.tried.add(self.sort(question))
        offered = [option.answer for option in question.options()] + list(question.faces or ())
        assert len({canonical_json(answer) for answer in offered}) == len(offered), (
            f"{question.ask} offers an answer twice"
        )
        fork = talk.fork(self.spare, talk.n)
        assert fork.digest == talk.digest
        for answer in offered if everything or len(offered) <= SOME else self.aside.sample(offered, SOME):
            fork.answer(answer)
            fork.rewind(talk.n)
        assert fork.digest == talk.digest
        good = {canonical_json(answer) for answer in offered}
        wrong = [answer for answer in (*WRONG, *self._nearly(question)) if canonical_json(answer) not in good]
        self.aside.shuffle(wrong)
        before = self.rulebook.save()
        for answer in wrong[:10]:
            if question.ask == "setup" and isinstance(answer, dict) and set(self.rulebook.race.pools) <= set(answer):
                continue  # more than one car is a good one
            with pytest.raises(BadAnswer) as refusal:
                talk.answer(answer)
            assert str(refusal.value)[-1] == ".", f"{question.ask}: {refusal.value}"
            assert talk.question is question
            assert self.rulebook.save() == before
            assert not self.rulebook.ruled

    def _nearly(self, question: Any) -> list[Any]:
        """Wrong answers close to good ones."""
        wrong: list[Any] = []
        for option in question.options()[:6]:
            if isinstance(option.answer, dict):
                wrong += [{**option.answer, "more": 1}, {**option.answer, "brakes": 41}, [option.answer]]
            elif isinstance(option.answer, int):
                wrong += [option.answer + 30, str(option.answer), float(option.answer)]
            elif isinstance(option.answer, str):
                wrong += [option.answer.upper(), option.answer + " "]
        return wrong

    def go_back(self) -> None:
        """Some answers are taken back and given again: everything is as it was. Where the next step begins in the
        same state, what comes after it was already said; now and then that is given again too."""
        talk = self.talk
        now, n = talk.digest, self.aside.randint(max(0, talk.n - 40), talk.n)
        key, events, marks = talk.key, list(talk.events), talk.checkpoints
        talk.rewind(n)
        assert talk.n == n
        step = min((at for at, _ in marks if at > n), default=-1)
        whole = self.aside.random() < WHOLE
        for event, ruled in zip(events[n:], self.ruled[n:], strict=True):
            assert talk.apply(event) == ruled
            if not whole and talk.n == step:
                assert talk.checkpoints == [mark for mark in marks if mark[0] <= step]
                talk.restore(events, marks)
                break
        assert (talk.digest, talk.key, talk.checkpoints) == (now, key, marks)

    def override(self) -> None:
        """The referee sets a value, whatever it is; if it is refused nothing has changed."""
        before, change = self.rulebook.save(), self._change()
        try:
            ruled = self.talk.override(change)
        except BadOverride:
            assert self.rulebook.save() == before, change
        else:
            self.brought_back += change.get("status", "out") != "out" or (self.kind is Cup and "at" in change)
            self.note(ruled)

    def force(self) -> None:
        """The referee gives an answer that may not be legal; if it makes no sense nothing has changed."""
        before, chance = self.rulebook.save(), self.random
        answer = chance.choice((chance.randint(-2, 45), self._landing(), None, *WRONG))
        try:
            ruled = self.talk.answer(answer, forced=True)
        except BadAnswer:
            assert self.rulebook.save() == before, answer
        else:
            self.note(ruled)

    def _landing(self) -> dict[str, Any]:
        return {"space": self._place(), "brakes": self.random.randint(-1, 4), "soft": self.random.randint(0, 2)}

    def _change(self) -> dict[str, Any]:
        chance, race = self.random, self.rulebook.race
        car = chance.choice(race.cars)
        if self.mixed and chance.random() < 0.25 and (change := self._change_of_variants(car)):
            return {"car": car.number, **change}
        kind = chance.choice(
            ("wear", "wear", "gear", "at", "sky", "surface", "status", "order", "tyres", "stops", "stand", "dangers")
        )
        if kind == "wear":
            return {"car": car.number, "wear": {chance.choice(race.pools): chance.randint(0, 8)}}
        if kind == "gear":
            return {"car": car.number, "gear": chance.randint(1, 6)}
        if kind == "at":
            return {"car": car.number, "at": self._place()}
        if kind == "sky":
            return {"sky": chance.choice(("sun", "changeable", "rain"))}
        if kind == "surface":
            return {"surface": chance.choice(("dry", "wet"))}
        if kind == "status":
            return {"car": car.number, "status": chance.choice(("out", "out", "racing", "stalled", "spun"))}
        if kind == "order":
            waiting = self.rulebook.to_play()
            chance.shuffle(waiting)
            return {"order": waiting[: chance.randint(0, len(waiting))]}
        if kind == "stand" and chance.random() < 0.2:
            return (
                {"red_flag": "now"} if chance.random() < 0.8 else {"cut_short": chance.choice(("now", "half", "none"))}
            )
        if kind == "stand" and isinstance(car, CupCar):
            words = {"kers": chance.randint(0, 3), "waived": True, "raced": ["soft", car.tyres]}
            name = chance.choice(list(words))
            return {"car": car.number, name: words[name]} if chance.random() < 0.8 else {"wet_conditions": True}
        if kind == "stand" and isinstance(car, DeathCar):
            return {"car": car.number, "weapons": dict.fromkeys(car.weapons, chance.randint(0, 2))}
        if kind == "dangers":
            return {"dangers": sorted({self._place() for _ in range(3)})}
        corner = self.rulebook.corners.corner_of(car.at) if car.standing else -1
        most = self.track.corners[corner].stops if corner >= 0 else 0
        values = {"tyres": chance.choice(("hard", "soft", "rain")), "stops": chance.randint(0, most), "stand": 1}
        return {"car": car.number, kind: values[kind]}

    def _change_of_variants(self, car: Any) -> dict[str, Any]:
        """A value that only a variant gives a car, if it gives any."""
        chance, book = self.random, self.rulebook
        values: dict[str, Any] = {"wings": chance.choice(WINGS), "bought": chance.randint(0, 6)}
        if allowances := list(book.position.allowances(car)):
            values["uses"] = {f"{chance.choice(allowances)}:{max(car.lap, 1)}": chance.randint(0, 2)}
        there = [name for name in ("wings", "bought", "uses") if name in book.car_values]
        name = chance.choice(there) if there else ""
        return {name: values[name]} if name else {}

    def replay(self) -> None:
        """The same answers on a fresh rulebook: the same state, byte by byte, and the same rulings."""
        talk = Conversation(begin(self.setup, self.track))
        assert talk.opening == self.talk.opening
        for event, ruled in zip(self.talk.events, self.ruled, strict=True):
            assert talk.apply(event) == ruled
        assert talk.rulebook.save() == self.rulebook.save()

    # -- how it begins

    def _setup(self) -> dict[str, Any]:
        chance = self.random
        laps = chance.choice((1, 2, 2, 3))
        setup: dict[str, Any] = {"rulebook": self.kind.name, "track": self.track.key, "laps": laps}
        cars: list[dict[str, Any]] = [
            {"car": number, "driver": f"D{number}", "team": chance.choice("AB")}
            for number in chance.sample(range(1, 30), chance.randint(2, 6 if laps < 3 else 4))
        ]
        setup["cars"] = cars
        if "sky" in self.kind.race_values and chance.random() < 0.5:
            setup["sky"] = chance.choice(("sun", "changeable", "rain"))
        if chance.random() < 0.3:
            setup["options"] = chance.choice(SWITCHES[self.kind.name])
        if setup.get("options", {}).get("teams"):
            for car in cars:
                del car["team"]
        if self.kind is League:
            enter(setup, cars, chance)
        if chance.random() < 0.35:
            self._position(setup, cars, laps)
        return setup

    def _position(self, setup: dict[str, Any], cars: list[dict[str, Any]], laps: int) -> None:
        """The race begins in the middle, with the cars anywhere."""
        chance = self.random
        if "sky" in self.kind.race_values:
            setup["sky"] = setup.get("sky", "changeable")
            setup["surface"] = UNDER.get(setup["sky"]) or chance.choice(("dry", "wet"))
        taken: set[str] = set()
        centre = chance.randrange(self.track.length or len(self.track.corners))
        options = setup.get("options", {})
        highest = options.get("highest_gear", 6)
        for car in cars:
            place = self._near(centre)
            while place in taken or place.startswith(("pit", "box")):
                place = self._near(centre)
            if self.track.known == "space":
                taken.add(place)
            car |= {"at": place, "lap": chance.randint(1, laps), "gear": chance.randint(1, highest)}
            if self.kind is Death or "tyres" in self.kind.car_values:
                car |= {
                    "tyres": chance.choice(("hard", "soft", "rain")),
                    "tyre_laps": chance.randint(0, min(2, car["lap"] - 1)),
                }
            pools = self.kind.race_type.pools
            built = options.get("base") or options.get("wear_setup") or (6, 3, 3, 3, 3, 2)
            if len(pools) == 1:
                built = (min(built[0], options.get("car_points", built[0])),)
            least = 0 if self.kind is Cup else 1
            car["wear"] = {pool: chance.randint(least, most) for pool, most in zip(pools, built, strict=False)}
            if self.kind is Competition:
                car["stand"] = chance.randint(0, 2)
            car["status"] = chance.choice(("racing", "racing", "racing", "stalled", "spun", "coasting"))
            if car["status"] not in self.kind.statuses:
                car["status"] = "racing"
            if car["status"] == "coasting" and not hasattr(self.kind, "coast"):
                car["status"] = "racing"
            if car["status"] == "coasting":
                car["wear"]["engine"] = 0
            if self.kind is Cup:
                car["kers"] = chance.randint(0, 2)
        dangers = sorted({self._place() for _ in range(chance.randint(0, 8))})
        setup |= {"dangers": dangers} if "dangers" in self.kind.race_values else {}
        if self.kind not in (Competition, Cup):
            for car in cars:
                car["status"] = "racing" if car["status"] == "coasting" else car["status"]
        if self.kind is Death:
            arm(cars, chance)
            setup["dangers"] = [space for space in setup["dangers"] if space[:3] not in ("pit", "box")]
        setup["to_play"] = [car["car"] for car in cars if chance.random() < 0.7]

    def _near(self, centre: int) -> str:
        """Some place not far from a place along the lap, most often: cars in a bunch meet."""
        track, chance = self.track, self.random
        if chance.random() < 0.2:
            return self._place()
        if track.known == "corner":
            return chance.choice((f"corner:{centre + 1}", f"after:{centre + 1}"))
        near = [x for x, place in enumerate(track.place) if (place - centre) % track.length < 24]
        return track.spaces[chance.choice([x for x in near if x not in track.blocked])].name

    def _place(self) -> str:
        track, chance = self.track, self.random
        if track.known == "space":
            return track.spaces[chance.choice([x for x in range(len(track.spaces)) if x not in track.blocked])].name
        corner = chance.randint(1, len(track.corners))
        return chance.choice((f"corner:{corner}", f"after:{corner}", "after:0", f"pit:{chance.randint(1, 2)}"))


def mix(setup: dict[str, Any], chance: Random) -> None:
    """Switches on up to eight of the options and variants of a rulebook that can be on together, beside what is set."""
    there = variants_of(setup["rulebook"])
    options = setup.get("options", {})
    on = [one for one in there if options.get(one.switch)]
    for one in chance.sample(there, chance.randint(0, min(8, len(there)))):
        excluded = any(one.name in other.excludes or other.name in one.excludes for other in on)
        if one.switch not in options and not excluded:
            on.append(one)
    on += [one for one in there if one not in on and any(one.name in other.needs for other in on)]
    setup["options"] = {**options, **dict.fromkeys([one.switch for one in on], True)}
    names = {one.name for one in on}
    if "three-laps" in names:
        setup["laps"] = 3
    for car in setup["cars"] if "teams" in names else ():
        car.pop("team", None)
    if "to_play" in setup:
        begun(setup, names, chance)


def begun(setup: dict[str, Any], on: set[str], chance: Random) -> None:
    """A position in the middle of a race says what the cars have of the options and variants that are on."""
    box, options = setup["rulebook"] == "formula-d", setup["options"]
    if box and "weather" in on and chance.random() < 0.8:
        setup["sky"] = chance.choice(("sun", "changeable", "rain"))
        setup["surface"] = UNDER.get(setup["sky"]) or chance.choice(("dry", "wet"))
    kinds = ["hard", "soft", *["rain"] * (not box or "weather" in on), *["super_soft"] * ("super-soft" in on)]
    for car in setup["cars"]:
        if (box and "tyres" in on) or (not box and "tyres" in car):
            car |= {"tyres": chance.choice(kinds), "tyre_laps": chance.randint(0, min(2, car["lap"] - 1))}
        if "wings" in on:
            car["wings"] = chance.choice(WINGS)
        once = [*["top"] * ("top" in on), *["super_top"] * ("super-top" in on)]
        car["uses"] = [f"{name}:{chance.randint(1, car['lap'])}" for name in once if chance.random() < 0.3]
        if "boosters" in on:
            most = options.get("base") or options.get("wear_setup") or (5,)
            car["bought"] = chance.randint(0, max(0, most[0] - 1))
            tyres = "tyres" if "tyres" in car["wear"] else "points"
            car["wear"][tyres] = max(1, car["wear"][tyres] - car["bought"])
            fired = sorted(chance.randint(1, car["lap"]) for _ in range(chance.randint(0, car["bought"])))
            car["uses"] += [f"boosters:{lap}" for lap in fired if fired.count(lap) <= 2]


def arm(cars: list[dict[str, Any]], chance: Random) -> None:
    """Gives the cars of a position cards, so that none is there more often than it was printed."""
    decks = {kind: [card.key for card in of_kind(kind) for _ in range(card.copies)] for kind in SLOTS}
    for deck in decks.values():
        chance.shuffle(deck)
    for car in cars:
        del car["tyres"], car["tyre_laps"]
        if car["status"] == "coasting":
            car["status"] = "racing"
        weapons = [decks["weapon"].pop() for _ in range(2)]
        if CARDS[weapons[0]].powerful:
            weapons.pop()
        car["weapons"] = {key: chance.choice((0, 0, 1)) for key in weapons}
        car["defence"] = "" if CARDS[weapons[-1]].powerful and len(weapons) == 2 else decks["defence"].pop()
        if not car["defence"] or not CARDS[car["defence"]].powerful:
            car["utility"] = decks["utility"].pop()
        if not CARDS[decks["defence"][-1]].powerful and chance.random() < 0.8:
            car["stripped"] = [decks["defence"].pop()]


def enter(setup: dict[str, Any], cars: list[dict[str, Any]], chance: Random) -> None:
    """Teams of two, some at home; the race before may have had them all, some, or nobody."""
    for place, car in enumerate(cars):
        car |= {"team": f"T{place // 2}", "home": chance.random() < 0.3}
    last = [car["car"] for car in cars if chance.random() < 0.7]
    setup["last"] = chance.sample(last, len(last)) if chance.random() < 0.5 else []


SWITCHES: dict[str, tuple[dict[str, Any], ...]] = {
    "beginner": (
        {"no_stop_standing_still": True, "distance": True},
        {"car_points": 5, "stall_to": 6, "great_from": 14},
        {"engine_dry": 12, "collision_dry": 12, "leave_gear": 3, "points": [25, 18, 15]},
        {"starting_gear": 2, "highest_gear": 3},
    ),
    "formula-d": (
        {"no_stop_standing_still": True, "distance": True},
        {"wear_setup": [2, 1, 1, 1, 1, 1]},
        {"engine_dry": 12, "stall_to": 6, "great_from": 14},
        {"quick_to": 3, "leave_gear": 3, "collision_dry": 10, "points": [25, 18, 15]},
        {"teams": True, "stop_technical": True},
        {"starting_gear": 2, "highest_gear": 3},
        {"street": True, "stop_technical": True, "trial": True},
    ),
    "competition": (
        {"flag_next_crossing": True},
        {"restart_stall_aggravated": True, "distance": False},
        {"pits_are_a_way_round": True, "no_slipstream_into_pits": True},
        {"no_stop_standing_still": True, "soft_space_not_over_line": True},
        {"engine_dry": 12, "engine_wet": 12, "stall_to": 6, "great_from": 14},
        {"starting_gear": 2, "highest_gear": 3},
    ),
    "cup": (
        {"grid_by_die": True, "team_points": 9},
        {"grid_in_phases": True, "drs_in_wet_conditions": True, "table_names_zones": True},
        {"missed_stops_spin": True, "long_blocks_cost_tyres": True},
        {"pits_are_a_way_round": True, "no_stop_standing_still": True, "soft_space_not_over_line": True},
        {"botched_to": 15, "minimal_to": 16, "repair_points": 6, "bonus_spaces": 2, "leave_gear": 6},
        {"kers_lap": 3, "kers_most": 4, "checks_wet": ["dry", "clouds", "wet"]},
        {"starting_gear": 2, "highest_gear": 3},
        {"base": [0, 0, 0, 0, 0, 0], "cost": [1, 2, 3, 1, 2, 3], "engine_dry": 12, "stall_to": 6, "great_from": 14},
    ),
    "death": (
        {"pick_cards": True, "grid_by_die": True, "distance": True},
        {"pick_cards": True, "sight_is_given": True, "attacks_as_played": True, "grid_by_die": True},
        {"out_at_zero": True, "markers_stay": True, "tokens_on_hits_only": True},
        {"armour_everywhere": True, "doublers_count_once": True, "neighbours_at_zero": True, "grid_by_die": True},
        {"jammer_before_bravado": True, "bravado_spends_shot": True, "cars_block_fire": True},
        {"start_tokens": 0, "engine_dry": 12, "wreckage_to": 15, "remote_gear": 2},
        {"starting_gear": 2, "highest_gear": 3},
        {"car_points": 5, "stall_to": 6, "great_from": 14},
    ),
    "league": (
        {"official_body_test": True, "official_slipstream": True, "no_stop_standing_still": True},
        {"wear_setup": [2, 1, 1, 1, 1, 1], "home_tyres": 4},
        {"engine_dry": 12, "engine_wet": 12, "stall_to": 6, "great_from": 14},
        {"quick_to": 3, "technical_points": 4, "leave_gear": 3},
        {"starting_gear": 2, "highest_gear": 3},
        {"collision_dry": 10, "collision_wet": 12, "points": [25, 18, 15]},
    ),
}
"""Figures and switches that are thrown at random, by rulebook."""
