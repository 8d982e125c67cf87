"""The race of cards and sections: every turn each driver, from the leader on, draws, plays, pays and moves.

The book lists its chapters and runs a race from step to step; `begin_sections` makes one of a setup or a position.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from typing import ClassVar, Final

import msgspec

from companion.rules.conversation.asking import Json, Procedure
from companion.rules.conversation.errors import BadAnswer, BadSetup
from companion.rules.conversation.kinds import CHART, SectionAsk, by_name
from companion.rules.conversation.rulebook import Rulebook
from companion.rules.conversation.setup import NUMBERS, check_numbers, read_options, read_race
from companion.rules.conversation.shuffling import DECK
from companion.rules.conversation.typed import owner, unknown_field
from companion.rules.ninety.cards import card_named, check_named
from companion.rules.ninety.circuit import TURNS, CardSection, SectionTrack, section_name
from companion.rules.ninety.figures import SectionFigures
from companion.rules.ninety.hand import CarChart, Hand, TargetCheck
from companion.rules.ninety.position import Practice, SectionPosition, SectionReferee
from companion.rules.ninety.state import SectionCar, SectionRace
from companion.rules.ninety.turn import (
    Bots,
    CornerContest,
    LineUp,
    Overtaking,
    PitWall,
    SectionFinish,
    SectionTurn,
    Strategies,
    Trajectories,
)

SECTION_ASKS: Final[Mapping[SectionAsk, tuple[str, str]]] = {
    "chart": ("the car chart that was dealt", '{"tyres": 12, "cards": 6, "damage": 4}'),
    "substitute": ("whether the substitute car is taken", "true or false"),
    "qualify": ("the card shown for qualifying", 'a card, such as "S3 45 TT"'),
    "strategy": ("the strategy", '"save_tyres", "hazard", "balance", "lucky", "banging", or "chase" if it is on'),
    "declare": (
        "what is declared at the start of a turn, or what the turn begins with: the cards, or whether an extreme "
        "trajectory is tried",
        '"stop", "skip", or a list of cards, true or false; "go" to draw first; off the track "back"',
    ),
    "keep": ("which of two drawn cards is kept", "one of the two"),
    "play": ("the cards played for movement", '["S3 45 TT"], or two as ["D1 20 C", "G3 71"]'),
    "pay": ("the cards laid down instead of tyres", "how many; with a deck of the program a list of them, [] for none"),
    "check": ("what is played against the check card", '"blind", a card, or of one of the table its factor'),
    "discard": ("a card discarded at a stop", "a card"),
    "contest": ("whether a driver takes part in a contest", "true or false"),
    "show": ("the cards shown in a contest", "a list of one card or two"),
    "drawn": (
        "a card turned over; `what` says for what: qualifying, level, symbol, leader, late, extreme, contest",
        "a card; where `by` says so its factor or its value alone is enough",
    ),
    "extreme": ("whether a driver on an extreme trajectory takes its check before he draws", "true or false"),
    "late": ("whether a driver brakes late", "true or false"),
    "line": ("the trajectory point on which a turn ends", "its number in the section, or null"),
}
"""Every kind of question, with what it asks and how it is answered."""


class Ninety(Rulebook[SectionCar]):
    """The rulebook `ninety`, chapter by chapter."""

    order: LineUp
    turn: SectionTurn
    hand: Hand
    chart: CarChart
    checks: TargetCheck
    moving: Overtaking
    contests: CornerContest
    trajectories: Trajectories
    strategies: Strategies
    pits: PitWall
    bots: Bots
    preparing: Practice
    finish: SectionFinish
    position: SectionPosition
    referee: SectionReferee

    name: ClassVar[str] = "ninety"
    VERSION: ClassVar[str] = "ninety 7"
    race: SectionRace
    track: SectionTrack
    figures: SectionFigures
    race_type: ClassVar[type[SectionRace]] = SectionRace
    figures_type: ClassVar[type[SectionFigures]] = SectionFigures
    reminders: ClassVar[Mapping[str, tuple[str, ...]]] = {}
    word: ClassVar[str] = "ruling 50"
    car_details: ClassVar[tuple[str, ...]] = ("cause",)
    car_values: tuple[str, ...] = (
        "wear", "at", "lap", "strategy", "fuel", "check", "stops", "permanent", "status", "hand", "frozen",
    )  # fmt: skip
    """Values of a car that the referee can set by an override, in the order in which they are set."""
    race_values: tuple[str, ...] = ("queue",)
    statuses: ClassVar[tuple[str, ...]] = ("racing", "off", "out")
    """Statuses of a car that the referee can set."""
    car_ranges: ClassVar[Mapping[str, tuple[int, int]]] = {
        "lap": (-9, 99), "fuel": (0, 99), "stops": (0, 99), "permanent": (0, 20),
    }  # fmt: skip
    laps: ClassVar[int] = 20
    """Turns of a race where neither the setup nor the circuit says."""
    race_ranges: ClassVar[Mapping[str, tuple[int, int]]] = {"laps": TURNS}
    """Lowest and highest value of each number of a race, in a setup."""

    def __init__(self, race: SectionRace, track: SectionTrack, figures: SectionFigures) -> None:
        super().__init__(race, track, figures)
        self.holds: Callable[[], bool] = lambda: True
        """Check whether the step being played can go on from what the referee has set."""
        self.undoes: Callable[[], None] = lambda: None
        """Undo of the step being played, for when it is given up."""
        self.hidden = False
        """True if cards of the program's deck are asked for, as those of the table's own are."""
        self.open_chapters()

    def hide_unknown(self, hidden: bool) -> None:
        """While it is `hidden` the deck gives nothing away: a card turned over is asked for."""
        self.hidden = hidden

    def sample_hidden(self, seed: int) -> None:
        """Deal again the cards of the program's deck that lie or are held face down."""
        self.hand.deal_anew(seed)

    def step(self) -> Procedure[None] | None:
        """Return the next piece of the procedure, or None when the race is over."""
        race = self.race
        self.holds, self.undoes = lambda: True, lambda: None
        if race.phase == "setup":
            return self.preparing.prepare()
        if race.phase == "over":
            return None
        if not self.order.waiting():
            return self.finish.end_of_turn()
        what, number = self.contests.comes_up()
        return self.contests.contest(number) if what == "contest" else self.turn.turn(self.car(number))

    def abandon(self) -> None:
        """Give up the step that was being played; what comes next depends on the state alone."""
        self.undoes()
        self.holds, self.undoes = lambda: True, lambda: None

    # -- what the world asks

    def running_order(self) -> list[int]:
        """Return the running order, then the retired cars, the later first."""
        return self.order.running_order()

    def to_play(self) -> list[int]:
        """Return the numbers of the cars still to play this turn, in the order of activation as it stands."""
        return [car.number for car in self.order.waiting()]

    def result(self) -> list[dict[str, Json]]:
        """Return the classification; retired cars come behind without place or points, the later first."""
        return self.finish.result()

    def section(self, car: SectionCar) -> CardSection:
        """Return the section that a car stands in: a straight, a braking section or a corner.

        [track.sections]
        """
        return self.track.sections[car.section]

    def state(self) -> dict[str, Json]:
        """Return the position as a setup that goes on exactly from here; whole only between two turns."""
        race, usual = self.race, SectionFigures()
        values: dict[str, Json] = msgspec.to_builtins(race)
        for inner in ("played", "phase"):
            values.pop(inner, None)
        for car, said in zip(race.cars, values["cars"], strict=True):
            for name in car.said_otherwise:
                said.pop(name, None)
            if car.point is not None:
                said["point"] = car.point
            if race.phase != "setup":
                said["at"] = section_name(car.section)
        if race.contested:
            values["contested"] = [[number, section_name(section)] for number, section in race.contested]
        if race.phase == "setup":
            values["phase"] = race.phase
        else:
            values["to_play"] = self.to_play()
        changed = {x.name: x.value for x in self.figures if x.value != getattr(usual, x.name)}
        if changed:
            values["options"] = msgspec.to_builtins(changed)
        return {"rulebook": self.name, "track": self.track.key, **values}

    # -- the referee's word

    def override(self, change: Mapping[str, Json]) -> bool:
        """Set values by the referee's word, as `set_by_word`.

        Returns True if the step being played cannot go on from them.
        """
        self.set_by_word(change)
        return not self.holds()

    def faults(self) -> Iterator[BadSetup]:
        """Yield all that is wrong with the position as it stands."""
        return self.position.faults()

    def _set_race(self, race: SectionRace, name: str, value: Json) -> None:
        self.referee.set_queue(race, name, value)

    def _set_car(self, car: SectionCar, values: Mapping[str, Json]) -> None:
        self.referee.set_car(car, values)

    def _lap_over_line(self, car: SectionCar, values: Mapping[str, Json]) -> Mapping[str, Json]:
        return self.referee.lap_over_line(car, values)


_DERIVED_FIELDS: Final = ("cars", "played")
"""Fields of a race that a setup does not give itself: `to_play` does."""
_CAR_FIELDS: Final = {*SectionCar.__struct_encode_fields__, "at", "point"} - {*SectionCar.said_otherwise}
"""Fields that a setup may give of a car."""
_MID_RACE_FIELDS: Final = ("round", "turn", "stopped", "contested", "gone", "pile", "discards", "shuffles", "grid")
"""Fields that only a position in the middle of a race has."""
_MID_RACE_CAR_FIELDS: Final = (
    "status", "lap", "stops", "wear", "shown", "section", "line", "permanent", "frozen", "still", "lapped", "freed",
)  # fmt: skip
"""Fields that no car has before its race, which begins in the first section for all."""


def begin_sections(setup: Mapping[str, Json], track: SectionTrack, kind: type[Ninety] = Ninety) -> Ninety:
    """Begin the race of a setup; with `to_play`, which lists who still plays this turn, in the middle of it.

    Bots join unless the setup has some, or figures that want none. Raises BadSetup with one sentence.
    """
    figures = read_options(setup, kind.figures_type)
    race = _race(setup, track)
    running = "to_play" in setup
    preparing = not running and "phase" in setup
    if preparing and race.phase != "setup":
        raise BadSetup("phase")
    if not running and not preparing and (middle := [name for name in _MID_RACE_FIELDS if name in setup]):
        raise BadSetup("under_way_only", name=middle[0])
    if not running and not preparing and not any(car.bot for car in race.cars):
        _add_bots(race, figures)
    rulebook = kind(race, track, figures)
    _read_piles(rulebook)
    _check_cars(rulebook, fresh=not running and not preparing)
    if running:
        _continue(rulebook, setup["to_play"])
    if preparing:
        _go_on_preparing(rulebook)
    _sound(rulebook)
    return rulebook


def _race(setup: Mapping[str, Json], track: SectionTrack) -> SectionRace:
    race = read_race(_with_indices(setup, track), SectionRace, track.turns, _DERIVED_FIELDS)
    if not TURNS[0] <= race.laps <= TURNS[1]:
        raise BadSetup("turns_range", low=TURNS[0], high=TURNS[1], turns=race.laps)
    if not 0 <= race.deck <= DECK:
        raise BadSetup("deck_number", most=DECK, deck=race.deck)
    return race


def _with_indices(setup: Mapping[str, Json], track: SectionTrack) -> Mapping[str, Json]:
    """Return the setup with its sections and points as the rules count them, from 0."""
    cars, contested = setup.get("cars"), setup.get("contested")
    placed = dict(setup)
    if isinstance(cars, list):
        placed["cars"] = [
            _car_with_indices(car, track, owner(car, f"cars, entry {entry}")) if isinstance(car, dict) else car
            for entry, car in enumerate(cars, 1)
        ]
    if isinstance(contested, list):
        placed["contested"] = [
            [pair[0], _section(pair[1], track, '"contested"')] if isinstance(pair, list) and len(pair) == 2 else pair
            for pair in contested
        ]
    return placed


def _car_with_indices(car: Mapping[str, Json], track: SectionTrack, whose: str) -> dict[str, Json]:
    """Return a car with its section and its trajectory point by number."""
    if unknown := [name for name in car if name not in _CAR_FIELDS]:
        raise unknown_field(whose, unknown[0], _CAR_FIELDS)
    rest = {name: value for name, value in car.items() if name not in ("at", "point")}
    if car.get("at") is not None:
        rest["section"] = _section(car["at"], track, whose)
    if (point := car.get("point")) is not None:
        if isinstance(point, bool) or not isinstance(point, int) or point < 1:
            raise BadSetup("no_point", car=car.get("car"), line=str(point))
        rest["line"] = point - 1
    return rest


def _section(named: Json, track: SectionTrack, whose: str) -> int:
    section = track.number_of(named)
    if section is None:
        last = section_name(len(track.sections) - 1)
        raise BadSetup("no_section_of", where=whose, track=track.name, place=named, last=last)
    return section


def _add_bots(race: SectionRace, figures: SectionFigures) -> None:
    """Add bots with the next free numbers, the slow ones first [bots.number]."""
    check_numbers([car.number for car in race.cars])
    count = Bots.bots_wanted(figures, len(race.cars))
    taken = {car.number for car in race.cars}
    free = iter([number for number in range(NUMBERS[0], NUMBERS[1] + 1) if number not in taken])
    for place in range(2 * count):
        kind = "slow" if place < count else "fast"
        race.cars.append(SectionCar(next(free), driver=f"Bot {chr(65 + place)}", bot=kind))  # type: ignore[arg-type]


def _check_cars(rulebook: Ninety, *, fresh: bool) -> None:
    race = rulebook.race
    check_numbers([car.number for car in race.cars])
    if all(car.bot for car in race.cars):
        raise BadSetup("only_bots")
    for car in race.cars:
        new = SectionCar(car.number)
        if fresh and any(getattr(car, name) != getattr(new, name) for name in _MID_RACE_CAR_FIELDS):
            raise BadSetup("already_racing", car=car.number, example='"to_play": [3, 1, 2]')
        for codes in (car.hand, car.frozen):
            codes[:] = _read_cards(car, codes)
        if car.shown:
            (car.shown,) = _read_cards(car, [car.shown])
        if car.check:
            (car.check,) = _read_cards(car, [car.check], card_named if rulebook.race.deck else check_named)
        if car.built:
            try:
                rulebook.preparing.read_chart(by_name(car.built))
            except BadAnswer as wrong:
                raise BadSetup("car_fault", car=car.number, wrong=wrong) from None
            if fresh:
                rulebook.chart.give_chart(car, car.built)
        elif fresh:
            _uncharted(car)


def _read_cards(car: SectionCar, codes: list[str], read: Callable[[str], str] = card_named) -> list[str]:
    try:
        return list(map(read, codes))
    except BadAnswer as wrong:
        raise BadSetup("car_fault", car=car.number, wrong=wrong) from None


def _continue(rulebook: Ninety, to_play: Json) -> None:
    """Begin in the middle: what is left out has its value at the start of a race."""
    race = rulebook.race
    race.phase, race.round = "race", max(race.round, 1)
    if race.round > race.laps:
        raise BadSetup("no_turn", turns=race.laps, turn=race.round)
    if fault := next(rulebook.position.list_faults(), None):
        raise fault
    race.turn = max(race.turn, *(car.arrived for car in race.cars), 0)  # who has no moment of his own comes behind
    for slot, car in enumerate(race.cars, 1):
        car.place = car.place or slot
        car.fuel = car.fuel or rulebook.preparing.fuel(car.place)
        car.status = "racing" if car.status == "grid" else car.status
        if not car.bot:
            _complete(rulebook, car)
        if not car.arrived:
            rulebook.order.arrive(car)
    running = [car.number for car in rulebook.order.running()]
    if not isinstance(to_play, list) or any(
        isinstance(number, bool) or number not in running or to_play.count(number) > 1 for number in to_play
    ):
        raise BadSetup("to_play_turn")
    race.played = [number for number in running if number not in to_play]
    race.gone += [car.number for car in race.cars if car.status == "out" and car.number not in race.gone]


def _go_on_preparing(rulebook: Ninety) -> None:
    """Give the cars what their charts say; a car that has not been dealt one has nothing yet.

    The card that was shown is the check card, and with a place on the grid comes its fuel, unless the position says
    another.
    """
    race = rulebook.race
    for car in race.cars:
        if car.built and not car.bot:
            _fill_chart(rulebook, car)
            car.check = car.check or car.shown
        else:
            _uncharted(car)
    if race.grid and sorted(race.grid) != sorted(car.number for car in race.cars):
        raise BadSetup("grid_every_car")
    for place, number in enumerate(race.grid, 1):
        car = rulebook.car(number)
        car.place, car.fuel = place, car.fuel or rulebook.preparing.fuel(place)


def _uncharted(car: SectionCar) -> None:
    if car.hand or car.wear:
        raise BadSetup("cards_without_chart", car=car.number)


def _sound(rulebook: Ninety) -> None:
    """Raise BadSetup with the first fault of the position."""
    if fault := next(rulebook.faults(), None):
        raise fault


def _read_piles(rulebook: Ninety) -> None:
    """Check that the deck has real cards only, and store their codes."""
    race = rulebook.race
    for name in ("pile", "discards"):
        codes: list[str] = getattr(race, name)
        try:
            codes[:] = map(card_named, codes)
        except BadAnswer:
            raise BadSetup("cards_listed", name=name) from None


def _fill_chart(rulebook: Ninety, car: SectionCar) -> None:
    """Fill in what is left on a player's chart and his hand, where the position does not say."""
    car.wear = {**car.built, "damage": max(0, car.built["damage"] - car.permanent), **car.wear}
    if unknown := [pool for pool in car.wear if pool not in CHART]:
        raise BadSetup("car_no_pool", car=car.number, pool=unknown[0], pools=", ".join(CHART))
    if low := [pool for pool, points in car.wear.items() if not 0 <= points <= 60]:
        raise BadSetup("car_pool_range", car=car.number, pool=low[0], points=car.wear[low[0]])
    if not 0 <= car.permanent <= car.built["damage"] - car.wear["damage"]:
        raise BadSetup("chart_damage", car=car.number, count=car.built["damage"])
    car.hand += (Counter(car.frozen) - Counter(car.hand)).elements()
    if rulebook.hand.dealt:
        missing = car.wear["cards"] - len(car.hand)
        car.wear["cards"] = len(car.hand)
        rulebook.hand.draw(car, max(0, missing))


def _complete(rulebook: Ninety, car: SectionCar) -> None:
    """Fill in a player's chart, check card and strategy, where the position does not say."""
    car.built = car.built or rulebook.preparing.charts()[0]
    _fill_chart(rulebook, car)
    car.check = car.check or car.shown or (rulebook.hand.next_card() if rulebook.hand.dealt else "D2 50")
    car.shown = car.shown or car.check
    car.substitute = car.substitute or "kept"
    car.strategy = car.strategy or "balance"
