"""Random legal races on every circuit of sections, with cards on the table and with a deck of the program.

`pytest tests/rules/ninety/test_random_races.py --races 5000` plays more of them; `-s` prints what was ruled how often.
"""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Any

import pytest

from companion import circuits
from companion.articles import load as load_articles
from companion.drivers.cards import HeuristicCardDriver, RandomCardDriver
from companion.rules.conversation.asking import Asked, Ruling
from companion.rules.conversation.conversation import Conversation
from companion.rules.conversation.errors import BadAnswer, BadOverride
from companion.rules.conversation.forms import canonical_json
from companion.rules.conversation.kinds import SECTION_KINDS
from companion.rules.ninety.cards import card
from companion.rules.ninety.circuit import SectionTrack, load_sections
from companion.rules.ninety.ninety import SECTION_ASKS, Ninety
from companion.rules.ninety.state import STRATEGIES
from companion.rules.rulebooks import begin
from tests.rules.ninety.test_circuits import PUBLISHED

LONGEST = 4000
FREE = ("bots.overtake", "strategy.banging-wheels", "overtake.lapping-late")
"""By what a car is passed without a point: bots one another, and once in the first turn with Banging Wheels. A car off
the track is not there, and contests are no overtakes; late braking is told only where it laps."""
WRONG: tuple[Any, ...] = (
    None, True, False, 4.0, -1, 0, 99, "", "go away", "S9 1", "S1 0", "S1 101", "S3 45 X", [], [1], ["S2 1", "S3 1"],
    ["S1 1", "S1 2", "S1 3"], {}, {"tyres": 1}, "stop please",
)  # fmt: skip
WRONG_BUT_THERE: tuple[Any, ...] = ("", [], ["S2 1", "S3 1"], ["S1 1", "S1 2", "S1 3"])
"""What makes no movement, but may be shown or paid with."""
ARTICLES = {entry.id for entry in load_articles("ninety")}


class Watched:
    """One random race; the same for the same seed."""

    def __init__(self, track: SectionTrack, seed: int, tried: set[str]) -> None:
        self.random, self.aside, self.tried = Random(f"{track.key} {seed}"), Random(seed), tried
        chance = self.random
        self.setup: dict[str, Any] = {
            "rulebook": "ninety",
            "track": track.key,
            "laps": chance.choice((4, 8, 12, track.turns)),
            "deck": chance.choice((0, chance.randint(1, 10**9))),
            "cars": [{"car": n, "driver": f"D{n}"} for n in chance.sample(range(1, 40), chance.randint(1, 5))],
        }
        if chance.random() < 0.4:
            self.setup["options"] = chance.choice(
                (
                    {"chase": True, "fast_bot": 4},
                    {"bots_few": 0, "bots_many": 0},
                    {"charts": [[3, 4, 1], [2, 3, 2]], "fuel_others": 4, "fuel_pole": 2},
                    {"deck_values": [10, 10, 10, 10], "saved_tyres": 2, "banging_bonus": 0},
                )
            )
        self.track = track
        self.rulebook: Ninety = begin(self.setup, track)
        self.talk = Conversation(self.rulebook)
        sense = chance.choice((0.0, 0.5, 0.9, 1.0))
        self.drivers = (RandomCardDriver(track, seed), HeuristicCardDriver(track, seed))
        self.sense, self.ruled, self.tally = sense, [list(self.talk.opening)], Counter[str]()

    def play(self) -> None:
        while self.talk.question is not None:
            assert self.talk.n < LONGEST, "the race does not end"
            self.check()
            if self.aside.random() < 0.05 or self.talk.question.ask not in self.tried:
                self.try_aside()
            if self.aside.random() < 0.02:
                self.go_back()
            if self.random.random() < 0.01:
                self.override()
            else:
                self.answer()
        self.check()
        self.check_result()
        self.replay()

    def answer(self) -> None:
        asked = self.talk.asked
        assert asked is not None
        driver = self.drivers[self.random.random() < self.sense]
        for _ in range(200):
            answer = driver.answer(asked, self.rulebook.race)
            try:
                rulings = self.talk.answer(answer)
            except BadAnswer:
                assert not self.rulebook.race.deck, "what is offered is accepted"
                continue  # a card made up may happen to be frozen, or one too many
            self.note(rulings, asked)
            return
        raise AssertionError(f"nothing is accepted: {asked}")

    def note(self, rulings: list[Ruling], asked: Asked | None = None) -> None:
        self.ruled.append(rulings)
        for ruling in rulings:
            self.tally[ruling.kind] += 1
            assert ruling.kind in SECTION_KINDS, ruling
            assert ruling.article in ARTICLES, ruling
            if ruling.kind == "overtakes":
                assert (ruling.facts["price"] == 0) == (ruling.article in FREE), ruling

    # -- what holds

    def check(self) -> None:
        race, count = self.rulebook.race, len(self.track.sections)
        on_track = [car for car in race.cars if car.status == "racing"]
        arrived = [car.arrived for car in race.cars if car.arrived]
        assert len(set(arrived)) == len(arrived)
        for car in race.cars:
            assert 0 <= car.section < count
            assert all(points >= 0 for points in car.wear.values()), car
            assert not car.bot or (not car.wear and not car.hand and not car.check)
            assert (car.status == "out") == (car.number in race.gone)
            if car.built:
                assert car.wear["damage"] + car.permanent <= car.built["damage"]
                assert len(car.hand) <= car.wear["cards"]
                assert not race.deck or len(car.hand) == car.wear["cards"], car
                assert not Counter(car.frozen) - Counter(car.hand + car.frozen[1:]), car
        queues = [self.rulebook.order.queue(section) for section in range(count)]
        for section, queue in enumerate(queues):
            assert [car.arrived for car in queue] == sorted(car.arrived for car in queue)
            lines = [car.line for car in queue if car.line >= 0]
            assert len(set(lines)) == len(lines)
            assert all(line < len(self.track.sections[section].trajectories) for line in lines)
        assert len(on_track) == sum(map(len, queues)) or race.round == 0
        question = self.talk.question
        if question is not None:
            assert question.ask in SECTION_ASKS
            assert question.article in ARTICLES
            assert question.options() or question.fields
            if question.ask in ("play", "check", "pay", "discard", "show") and question.car is not None:
                self.no_frozen_card(question, question.car)

    def no_frozen_card(self, question: Any, number: int) -> None:
        """A frozen card is neither offered nor taken."""
        car = self.rulebook.car(number)
        once = [code for code in car.frozen if car.hand.count(code) <= car.frozen.count(code)]
        played = question.options() if question.ask == "check" else ()
        for code in once:
            listed = [option.answer for option in question.options()]
            assert all(code not in (answer if isinstance(answer, list) else [answer]) for answer in listed) or played
            if not played and question.ask != "pay":
                with pytest.raises(BadAnswer):
                    question.read([code] if question.ask in ("play", "show") else code)

    def check_result(self) -> None:
        rows = self.rulebook.result()
        assert sorted(row["car"] for row in rows) == sorted(car.number for car in self.rulebook.race.cars)
        placed = [row for row in rows if row["place"] is not None]
        assert [row["place"] for row in placed] == list(range(1, len(placed) + 1))
        assert rows[: len(placed)] == placed
        progress = [self.rulebook.order.progress(self.rulebook.car(row["car"])) for row in placed]
        assert progress == sorted(progress, reverse=True)
        assert [row["points"] for row in placed[:6]] == [10, 6, 4, 3, 2, 1][: len(placed)]

    # -- tried on the side

    def try_aside(self) -> None:
        talk, question = self.talk, self.talk.question
        assert question is not None
        self.tried.add(question.ask)
        offered = [option.answer for option in question.options()]
        assert len({canonical_json(answer) for answer in offered}) == len(offered)
        fork = talk.fork(self.rulebook.clone(), talk.n)
        assert fork.digest == talk.digest
        for answer in offered[:8]:
            fork.answer(answer)
            fork.rewind(talk.n)
        assert fork.digest == talk.digest
        good = {canonical_json(answer) for answer in offered}
        before = self.rulebook.save()
        for answer in self.aside.sample(WRONG, 8):
            if canonical_json(answer) in good or (question.ask in ("pay", "show") and answer in WRONG_BUT_THERE):
                continue
            if answer == 99 and (question.fields or {}).get("by") == "factor":
                continue
            with pytest.raises(BadAnswer) as refusal:
                talk.answer(answer)
            assert str(refusal.value)[-1] == "."
            assert self.rulebook.save() == before

    def go_back(self) -> None:
        talk = self.talk
        now, n = talk.digest, self.aside.randint(max(0, talk.n - 30), talk.n)
        tail = talk.events[n:]
        talk.rewind(n)
        for event, ruled in zip(tail, self.ruled[n + 1 :], strict=True):
            assert talk.apply(event) == ruled
        assert talk.digest == now

    def override(self) -> None:
        chance, race, before = self.random, self.rulebook.race, self.rulebook.save()
        one, queue = chance.choice(race.cars).number, self.rulebook.order.queue(0)
        change = chance.choice(
            (
                {"car": one, "wear": {chance.choice(("tyres", "cards", "damage")): chance.randint(0, 6)}},
                {"car": one, "at": f"section:{chance.randint(1, len(self.track.sections) + 1)}"},
                {"car": one, "status": chance.choice(("out", "racing", "off"))},
                {"car": one, "strategy": chance.choice(STRATEGIES)},
                {"car": one, "check": f"D2 {chance.randint(1, 100)}"},
                {"car": one, "stops": 1, "fuel": chance.randint(1, 20)},
                {"queue": [car.number for car in chance.sample(queue, len(queue))]},
            )
        )
        try:
            ruled = self.talk.override(change)
        except BadOverride:
            assert self.rulebook.save() == before, change
        else:
            self.note(ruled)

    def replay(self) -> None:
        talk = Conversation(begin(self.setup, self.track))
        for event, ruled in zip(self.talk.events, self.ruled[1:], strict=True):
            assert talk.apply(event) == ruled
        assert talk.rulebook.save() == self.rulebook.save()


@pytest.mark.parametrize("circuit", [*circuits.section_keys(), "published"])
def test_random_legal_races(circuit: str, races: int) -> None:
    track = load_sections(PUBLISHED, "a ring", "ring") if circuit == "published" else circuits.board(circuit)
    assert isinstance(track, SectionTrack)
    tally: Counter[str] = Counter()
    tried: set[str] = set()
    for seed in range(races):
        race = Watched(track, seed, tried)
        try:
            race.play()
        except BaseException as failure:
            failure.add_note(f"{circuit}, race {seed}, at answer {race.talk.n}")
            raise
        tally += race.tally
    print(f"\n{circuit}: " + ", ".join(f"{kind} {count}" for kind, count in sorted(tally.items())))
    if races >= 200:
        signs = any(point.sign for section in track.sections for point in section.trajectories)
        kinds, asks = set(SECTION_KINDS) - {"no_card"}, set(SECTION_ASKS)
        assert (kinds if signs else kinds - {"extreme"}) == set(tally), "never ruled, or not known"
        assert (asks if signs else asks - {"extreme"}) == tried


def test_cards_made_up_are_cards() -> None:
    maker = RandomCardDriver(None, 1)
    assert all(1 <= card(maker.card()).factor <= 100 for _ in range(200))
