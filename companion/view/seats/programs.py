"""The program's seats in a race with people.

It answers for its drivers and tells the table how to move their cars. It rolls for them only if the table chose that,
and asks the table about everything that only eyes can see.
"""

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
from companion.view.consequences import shortened
from companion.view.setup.draft import PLAIN, offered_on
from companion.view.shown import AnswerKey, Plate, ViewModel
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
"""Rulings on a program's answers that the table has to carry out."""


class Programs:
    """Plays the program's seats, in the desk's thread.

    `on_news()` is called when they may go on: a table they wait for is ready, or the last car was moved. Without it
    they compute tables at once instead of waiting.
    """

    def __init__(self, desk: RaceDesk, on_news: Callable[[], object] | None = None) -> None:
        self._history = desk.history
        self.pushed: list[Ruling] = []
        """Rulings that the table still has to carry out for the car that was driven last."""
        self._patient, self._drivers = on_news is not None, dict[tuple[int, str], "Driver"]()
        self._listeners = [on_news] if on_news is not None else []
        self._apart: BackgroundJob | None = None
        self.waits = False
        """True if a driver waits for a table."""
        desk.listen(self._hear)

    @property
    def by(self) -> Mapping[int, str]:
        """The program's driver of each car, by number."""
        return self._history.programs

    @property
    def rolls(self) -> bool:
        """True if the program rolls for its cars."""
        return self._history.program_rolls

    @property
    def share(self) -> float:
        """Progress of the table waited for, 0 to 1."""
        return self._apart.share if self._apart is not None else 0.0

    def listen(self, listener: Callable[[], object]) -> None:
        """Call `listener()` too when they may go on, from any thread."""
        self._listeners.append(listener)

    def deaf(self, listener: Callable[[], object]) -> None:
        """Stop calling a listener."""
        self._listeners.remove(listener)

    def news(self) -> None:
        """Call all listeners."""
        for listener in list(self._listeners):
            listener()

    def end(self) -> None:
        """Stop the background job."""
        if self._apart is not None:
            self._apart.end()

    # -- what they answer

    def drive(self, desk: RaceDesk) -> bool:
        """Answer for the program's cars until a person is asked; return True if any answered.

        It stops after an undo while the desk is held, and before a new turn until the table has moved the last car.
        """
        before, self.waits = desk.seq, False
        while (asked := desk.asked) is not None and not desk.auto_answers_paused and self.answers(asked):
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
        """Return True if a turn must wait until the table has moved the last car."""
        return self.rolls and bool(self.pushed) and asked.ask in BEGINS and self.answers(asked)

    def done(self) -> None:
        """Confirm that the table has moved the car, so that the next may drive."""
        self.pushed = []
        self.news()

    def answers(self, asked: Asked) -> bool:
        """Return True if the program answers a question.

        A die only if it rolls, a card only if not dealt at the table, and nothing that must be seen on the board.
        """
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
        """Return True if a driver can answer now."""
        return self.by[asked.car or 0] in PLAIN or self.studied(desk, asked)

    def studies(self, desk: RaceDesk) -> bool:
        """Return True if a driver's table has still to be computed."""
        from companion.drivers.hint import ready

        return not set(self.by.values()) <= set(PLAIN) and not ready(desk.rulebook)

    def studied(self, desk: RaceDesk, asked: Asked) -> bool:
        """Return True if the table for a question is at hand; otherwise start computing it."""
        from companion.drivers.strong import WEIGHED

        return asked.ask not in WEIGHED or self.has_table(desk, asked.car or 0)

    def has_table(self, desk: RaceDesk, car: int) -> bool:
        """Return True if a car's table is at hand; otherwise start computing it.

        Also True if no table applies, or the computation is over, whatever its outcome.
        """
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
        """Collect the rulings on the program's answers.

        A person's answer means that the last car has been moved.
        """
        if told.kind in REMARKS:
            return
        mine = [ruling for ruling in told.rulings if ruling.car in self.by and ruling.kind in SAID]
        if person(told.by):
            self.pushed = []
        elif mine:
            self.pushed = [one for one in self.pushed if one.car == mine[0].car] + mine

    def push(self, sight: Sight) -> Push | None:
        """Return what to do on the board for the last car driven; None if nothing."""
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


class SeatShown(ViewModel, frozen=True, kw_only=True):
    """The driver of a car, and who may replace it.

    `ways` are the program's drivers by name and "" for a person; `chosen` is the index of the present one.
    """

    plate: Plate
    name: str
    ways: tuple[AnswerKey, ...]
    chosen: int


class SeatsShown(ViewModel, frozen=True, kw_only=True):
    """The seats that may change drivers during a race.

    `dice` tells who rolls for the program, and answers with the other way.
    """

    title: str
    rows: tuple[SeatShown, ...]
    dice: AnswerKey


def seats(sight: Sight) -> SeatsShown | None:
    """Return who may drive from here on; None if no seat can change."""
    desk, history = sight.desk, sight.desk.history
    rows = []
    for car in () if desk.counts or desk.over else desk.seats:
        ways = ["", *offered_on(sight.track)]
        if (now := history.programs.get(car, "")) not in ways:
            ways.append(now)
        keys = tuple(AnswerKey(answer=way, label=capital(sight.say("new_race.driven", program=way))) for way in ways)
        name = sight.names[car] or sight.words.number(car, sight.names)
        rows.append(SeatShown(plate=sight.plate(car), name=name, ways=keys, chosen=ways.index(now)))
    if not rows:
        return None
    rolls = history.program_rolls
    dice = AnswerKey(
        answer=not rolls,
        label=sight.say("new_race.dice"),
        note=sight.say("new_race.program_rolls", program=rolls),
    )
    return SeatsShown(title=sight.say("seats.title"), rows=tuple(rows), dice=dice)


def hand_over(
    desk: RaceDesk, car: int, program: str, *, rolls: bool | None = None, by: str = "table", why: str = ""
) -> str:
    """Give a car's seat to a driver of the program, or to a person ("").

    Return the driver chosen: if the circuit lacks the one named, the default. Raises BadAnswer for an unknown name.
    """
    if program and program not in DRIVERS:
        raise BadAnswer("no_driver", name=program, known=list(DRIVERS))
    there = offered_on(desk.rulebook.track)
    if program and program not in (*PLAIN, *there):
        program = there[0]
    desk.hand_over(car, program, rolls=rolls, by=by, why=why)
    return program


def handed_over(words: Words, car: int, program: str, rolls: bool, names: Names) -> str:
    """Return the sentence for a seat that went to another driver."""
    return words.say("handover", names, car=car, program=program, rolls=rolls)


def may_have_odds(desk: RaceDesk) -> bool:
    """Return True if a race may have odds, which tournaments and seasons exclude."""
    return not desk.counts


def worked_out(desk: RaceDesk, on_news: Callable[[], object]) -> BackgroundJob | None:
    """Start computing the tables of a race; None if its log is not on disk."""
    return _apart(desk, on_news, "drivers", "prepare", "--told", "--race")


def driven_out(desk: RaceDesk, on_news: Callable[[], object]) -> BackgroundJob | None:
    """Start playing a race out for its odds; None if its log is not on disk."""
    return _apart(desk, on_news, "races", "odds", "--json", "--told")


def _apart(desk: RaceDesk, on_news: Callable[[], object], *words: str) -> BackgroundJob | None:
    """Start a command on the race's log in a background job."""
    from companion.drivers.background_job import BackgroundJob

    log = desk.log
    if log is None or desk.unsaved:
        return None
    return BackgroundJob([*words, log.log_id, "--data", str(log.folder)], on_news)
