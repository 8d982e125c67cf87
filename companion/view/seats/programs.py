"""The program's seats in a race beside people: what its drivers answer, and what the table is told to do with their
cars. Nothing is rolled for them unless the table said so, and what only eyes can tell is asked of the table."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Final

from companion.desk import EntryWritten, RaceDesk
from companion.drivers import BEGINS, DRIVERS
from companion.rules.conversation.asking import Asked, Ruling
from companion.rules.conversation.errors import BadAnswer
from companion.rules.dice.formula_de import FormulaDe
from companion.sheets.acts import person
from companion.sheets.entry import REMARKS
from companion.view.brought import shortened
from companion.view.setup.draft import PLAIN, offered_on
from companion.view.shown import Key, Plate, Shown
from companion.view.shown_race import Push
from companion.view.sight import Sight
from companion.wording import Words, capital
from companion.wording.filling import Names

if TYPE_CHECKING:
    from companion.drivers import Driver
    from companion.drivers.background_job import BackgroundJob

SAID: Final = frozenset({
    "gear", "tyres", "stops", "box", "quick_stop", "gear_cut", "repair", "move", "out", "spin", "finish", "stall",
    "kers", "slipstream", "shot", "reload", "card", "plays", "used",
})  # fmt: skip
"""Rulings on a program's answers that the table has something to do for."""


class Programs:
    """Answers for the cars whose seats the program has, in the desk's thread; `on_news()` is called when they may go
    on: a table has been worked out that they wait for, or the last car was pushed. Without it they wait for no table,
    but work it out at once."""

    def __init__(self, desk: RaceDesk, on_news: Callable[[], object] | None = None) -> None:
        self._history = desk.history
        self.pushed: list[Ruling] = []
        """What the table has still to do for the car that was driven last."""
        self._patient, self._drivers = on_news is not None, dict[tuple[int, str], "Driver"]()
        self._listeners = [on_news] if on_news is not None else []
        self._apart: BackgroundJob | None = None
        self.waits = False
        """Whether a driver waits for a table."""
        desk.listen(self._hear)

    @property
    def by(self) -> Mapping[int, str]:
        """Which driver of the program drives a car, by number."""
        return self._history.programs

    @property
    def rolls(self) -> bool:
        """Whether it rolls for them."""
        return self._history.program_rolls

    @property
    def share(self) -> float:
        """How much of what is waited for is done."""
        return self._apart.share if self._apart is not None else 0.0

    def listen(self, listener: Callable[[], object]) -> None:
        """Calls `listener()`, too, when they may go on; from any thread."""
        self._listeners.append(listener)

    def deaf(self, listener: Callable[[], object]) -> None:
        """Calls it no more."""
        self._listeners.remove(listener)

    def news(self) -> None:
        """Tells all who listen that there are some."""
        for listener in list(self._listeners):
            listener()

    def end(self) -> None:
        """Nothing is waited for any more."""
        if self._apart is not None:
            self._apart.end()

    # -- what they answer

    def drive(self, desk: RaceDesk) -> bool:
        """Answers for the program's cars until a person is asked, whether anything was; not what has just been taken
        back, and no further turn as long as the table has not pushed the car of the last one."""
        before, self.waits = desk.seq, False
        while (asked := desk.asked) is not None and not desk.held and self.answers(asked):
            assert asked.car is not None
            if self.holds(asked):
                break
            self.waits = not self._ready(desk, asked)
            if self.waits:
                break
            name = self.by[asked.car]
            answer = self._driver(asked.car, desk).answer(asked, desk.rulebook.race)
            if asked.ask == "declare" and not isinstance(answer, str):
                answer = "go"  # with which cards the table says
            desk.answer(answer, n=asked.n, by=f"driver:{name}")
        return desk.seq > before

    def holds(self, asked: Asked) -> bool:
        """Whether a turn of theirs waits until the table has pushed the car of the last one."""
        return self.rolls and bool(self.pushed) and asked.ask in BEGINS and self.answers(asked)

    def done(self) -> None:
        """The table has done on the board what they wanted: the next one may drive."""
        self.pushed = []
        self.news()

    def answers(self, asked: Asked) -> bool:
        """Whether a question is one for the program: a die only if it rolls, a card only if it was not dealt on the
        table, nothing that was seen on the board."""
        if asked.car not in self.by:
            return False
        if asked.faces is not None:
            return self.rolls
        if asked.ask in ("declare", "setup"):
            return True
        return bool(asked.options) and not {"card", "past"} & (asked.fields or {}).keys()

    def _driver(self, car: int, desk: RaceDesk) -> Driver:
        from companion.drivers.registry import driver_named

        seat = car, self.by[car]
        if seat not in self._drivers:
            self._drivers[seat] = driver_named(self.by[car], desk.rulebook, desk.n + car)
        return self._drivers[seat]

    def _ready(self, desk: RaceDesk, asked: Asked) -> bool:
        """Whether a driver can answer now."""
        return self.by[asked.car or 0] in PLAIN or self.studied(desk, asked)

    def studies(self, desk: RaceDesk) -> bool:
        """Whether a table has still to be worked out for one of them."""
        from companion.drivers.hint import ready

        return not set(self.by.values()) <= set(PLAIN) and not ready(desk.rulebook)

    def studied(self, desk: RaceDesk, asked: Asked) -> bool:
        """Whether the table that a question wants is at hand; else it is worked out apart, whatever comes of that."""
        from companion.drivers.strong import WEIGHED

        return asked.ask not in WEIGHED or self.known(desk, asked.car or 0)

    def known(self, desk: RaceDesk, car: int) -> bool:
        """Whether the table is at hand that a car is weighed by; else it is worked out apart."""
        book = desk.rulebook
        if not self._patient or not isinstance(book, FormulaDe) or (self._apart is not None and self._apart.over):
            return True
        from companion.drivers.hint import ready

        if ready(book, book.car(car).tyres):
            return True
        if self._apart is None:
            self._apart = worked_out(desk, self.news)
        return self._apart is None

    # -- what the table is told

    def _hear(self, told: EntryWritten) -> None:
        """What was ruled on a program's answer; where a person answers for another car, the last was pushed."""
        if told.kind in REMARKS:
            return
        mine = [ruling for ruling in told.rulings if ruling.car in self.by and ruling.kind in SAID]
        if person(told.by):
            self.pushed = []
        elif mine:
            self.pushed = [one for one in self.pushed if one.car == mine[0].car] + mine

    def push(self, sight: Sight) -> Push | None:
        """What is to be done on the board for the car that was driven last."""
        if self.waits:
            return Push(text=sight.say("push.waits", share=round(100 * self.share)))
        if not self.pushed:
            return None
        last = self.pushed[-1]
        assert last.car is not None
        who = sight.words.number(last.car, sight.names)
        moved = [ruling for ruling in self.pushed if ruling.kind == "move"]
        said = [
            shortened(sight.ruled(ruling), who)
            if ruling.kind != "move"
            else sight.say("push.rolled", rolled=ruling.facts.get("rolled", 0))
            for ruling in self.pushed
        ]
        name = sight.names.get(last.car) or who
        return Push(
            plate=sight.plate(last.car),
            title=sight.say("push.to", at=moved[-1].facts.get("at")) if moved else name,
            text=". ".join(filter(None, dict.fromkeys(said))),
            key=sight.say("push.done"),
        )


# -- who drives from here on


class SeatShown(Shown, frozen=True, kw_only=True):
    """Who sits in a car, and who else may: `ways` are the program's drivers by name, and "" for a person; the one at
    `chosen` drives."""

    plate: Plate
    name: str
    ways: tuple[Key, ...]
    chosen: int


class SeatsShown(Shown, frozen=True, kw_only=True):
    """The seats that may go to the program or to a person amid a race; `dice` tells who rolls for the program, and
    answers with the other way."""

    title: str
    rows: tuple[SeatShown, ...]
    dice: Key


def seats(sight: Sight) -> SeatsShown | None:
    """Who may drive from here on; None where nobody takes another's seat, or there is none left."""
    desk, history = sight.desk, sight.desk.history
    rows = []
    for car in () if desk.counts or desk.over else desk.seats:
        ways = ["", *offered_on(sight.track)]
        if (now := history.programs.get(car, "")) not in ways:
            ways.append(now)
        keys = tuple(Key(answer=way, label=capital(sight.say("new_race.driven", program=way))) for way in ways)
        name = sight.names[car] or sight.words.number(car, sight.names)
        rows.append(SeatShown(plate=sight.plate(car), name=name, ways=keys, chosen=ways.index(now)))
    if not rows:
        return None
    rolls = history.program_rolls
    dice = Key(
        answer=not rolls,
        label=sight.say("new_race.dice"),
        note=sight.say("new_race.program_rolls", program=rolls),
    )
    return SeatsShown(title=sight.say("seats.title"), rows=tuple(rows), dice=dice)


def hand_over(
    desk: RaceDesk, car: int, program: str, *, rolls: bool | None = None, by: str = "table", why: str = ""
) -> str:
    """Gives a car's seat to a driver of the program, or with "" to a person, and tells which driver it is: where there
    is none of that name for the circuit, the usual one. Raises BadAnswer."""
    if program and program not in DRIVERS:
        raise BadAnswer(f"There is no driver {program}; there are {', '.join(DRIVERS)}.", "no_driver", name=program)
    there = offered_on(desk.rulebook.track)
    if program and program not in (*PLAIN, *there):
        program = there[0]
    desk.hand_over(car, program, rolls=rolls, by=by, why=why)
    return program


def handed_over(words: Words, car: int, program: str, rolls: bool, names: Names) -> str:
    """That a seat has gone to another driver, in a sentence."""
    return words.say("handover", names, car=car, program=program, rolls=rolls)


def may_have_odds(desk: RaceDesk) -> bool:
    """Whether a race can have odds: in no tournament or season."""
    return not desk.counts


def worked_out(desk: RaceDesk, on_news: Callable[[], object]) -> BackgroundJob | None:
    """Has the tables of a race worked out apart; None for one whose log is on no disk."""
    return _apart(desk, on_news, "drivers", "prepare", "--told", "--race")


def driven_out(desk: RaceDesk, on_news: Callable[[], object]) -> BackgroundJob | None:
    """Has a race driven to its end apart, so that odds may be told; None for one whose log is on no disk."""
    return _apart(desk, on_news, "odds", "--json", "--told")


def _apart(desk: RaceDesk, on_news: Callable[[], object], *words: str) -> BackgroundJob | None:
    """A command that the race comes after."""
    from companion.drivers.background_job import BackgroundJob

    log = desk.log
    if log is None or desk.unsaved:
        return None
    return BackgroundJob([*words, log.log_id, "--data", str(log.folder)], on_news)
