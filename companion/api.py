"""Play, watch and test races from a program of your own.

What this module exports stays as it is; nothing else is promised.

The names are those of python-chess and OpenSpiel where these have one: a race has legal answers, answers are pushed and
popped, a driver makes a step.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Self

from companion import circuits
from companion.desk.beginning import begin_race
from companion.desk.race_desk import RaceDesk
from companion.desk.session import Event, event_of
from companion.drivers import Driver
from companion.drivers.cards import RandomCardDriver
from companion.drivers.chance import RandomDriver
from companion.drivers.registry import driver_named
from companion.drivers.sensible import HeuristicDriver
from companion.rules.circuit.track import Track
from companion.rules.conversation.asking import Asked as Question
from companion.rules.conversation.asking import Json, Ruling
from companion.rules.conversation.errors import CompanionError
from companion.rules.dice.variants import VARIANTS, Variant
from companion.rules.ninety.circuit import SectionTrack
from companion.rules.rulebooks import RULEBOOKS, begin
from companion.rules.testing import check
from companion.sheets.place import data_folder
from companion.sheets.reading import entries, find, reading
from companion.wording import Words

__all__ = [
    "RULEBOOKS", "VARIANTS", "CompanionError", "Driver", "Event", "HeuristicDriver", "Question", "Race",
    "RandomDriver", "Ruling", "SectionTrack", "Track", "Variant", "check", "follow", "load_circuit", "make_driver",
]  # fmt: skip


def load_circuit(name: str) -> Track | SectionTrack:
    """Return a circuit by its key, such as "monaco", or the path of its file.

    Raises CompanionError if there is none.

    >>> load_circuit("monaco").name
    'Monaco'
    """
    return circuits.board(name)


class Race:
    """A race: its open question, what can be answered, and what was ruled.

    >>> race = Race.begin("beginner", "monaco", ["Ada", "Bob"])
    >>> race.question.ask, race.turn, race.legal_answers[:3]
    ('test', 1, [1, 2, 3])
    >>> race.push(17)
    >>> race.push(4)
    >>> race.told()[-1]
    'Round 1: 1 Ada leads.'
    >>> race.pop()
    4
    >>> driver = make_driver(race, "sensible", seed=1)
    >>> while not race.is_over:
    ...     answer = race.step(driver)
    >>> [line["place"] for line in race.result]
    [1, 2]

    With a folder every answer is on the disk before it is accepted, and the race goes on where it was:

    >>> import tempfile
    >>> folder = Path(tempfile.mkdtemp())
    >>> with Race.begin("formula-d", "monaco", ["Ada", "Bob"], folder=folder) as race:
    ...     race.push(next(iter(race.legal_answers)))
    >>> with Race.resume(folder) as race:
    ...     len(race.answers)
    1
    """

    def __init__(self, desk: RaceDesk) -> None:
        self._desk = desk
        self._closed = False
        self._rulings: Sequence[Ruling] = desk.history.opening

    @classmethod
    def begin(
        cls,
        rulebook: str,
        circuit: str,
        drivers: Sequence[str],
        *,
        laps: int | None = None,
        options: Mapping[str, Json] | None = None,
        folder: Path | None = None,
        name: str = "",
    ) -> Self:
        """Begin a race: the cars are numbered from 1 in the order of their drivers.

        `laps` is the circuit's unless given; `options` are figures and switches of the rulebook by name. Without a
        `folder` the race is kept in memory alone. Raises CompanionError if no race can begin so.
        """
        cars = [{"car": number, "driver": driver} for number, driver in enumerate(drivers, 1)]
        setup: dict[str, Json] = {"rulebook": rulebook, "track": circuit, "cars": cars}
        if laps is not None:
            setup["laps"] = laps
        if options:
            setup["options"] = dict(options)
        return cls.from_setup(setup, folder=folder, name=name)

    @classmethod
    def from_setup(cls, setup: Mapping[str, Json], *, folder: Path | None = None, name: str = "") -> Self:
        """Begin a race from a setup or a position, as the referee's protocol has it."""
        circuit = str(setup.get("track", ""))
        if folder is not None:
            return cls(begin_race(setup, circuit, Path(folder), name=name))
        return cls(RaceDesk(begin(setup, circuits.board(circuit)), setup=setup, name=name))

    @classmethod
    def resume(cls, folder: Path | None = None, race: str = "last") -> Self:
        """Go on with a stored race by its name or id; without a folder one of the user's own races.

        Raises CompanionError if there is none, or another program writes it.
        """
        return cls(RaceDesk.resume(data_folder(folder), race))

    # -- what is asked

    @property
    def question(self) -> Question | None:
        """The open question, None once the race is over."""
        return self._desk.asked

    @property
    def turn(self) -> int | None:
        """The number of the car that is asked, None where the table is asked or the race is over."""
        return self.question.car if self.question is not None else None

    @property
    def legal_answers(self) -> list[Json]:
        """The answers that are offered, or the faces of the die; empty for a form: `question.fields` describes it."""
        asked = self.question
        if asked is None:
            return []
        if asked.faces is not None:
            return list(asked.faces)
        return [option.answer for option in asked.options or ()]

    def text(self, lang: str = "en") -> str:
        """Return the open question as a sentence."""
        asked = self.question
        return self._words(lang).question(asked, self._desk.names) if asked is not None else ""

    # -- what is answered

    def push(self, answer: Json) -> None:
        """Answer the open question. Raises CompanionError, and nothing has happened, if that is no legal answer."""
        self._must_be_open()
        self._rulings = self._desk.answer(answer)

    def pop(self) -> Json:
        """Take the last answer back, and return it. Raises CompanionError if there is none."""
        self._must_be_open()
        self._rulings = ()
        return self._desk.undo(1)[-1].answer

    def step(self, driver: Driver) -> Json:
        """Have a driver answer the open question; return its answer."""
        asked = self.question
        if asked is None:
            raise CompanionError("The race is over.", "over")
        answer = driver.answer(asked, self._desk.rulebook.race)
        self.push(answer)
        return answer

    @property
    def answers(self) -> list[Json]:
        """The answers in force, from the first on."""
        return [item.event.answer for item in self._desk.history.items]

    # -- what came of it

    @property
    def rulings(self) -> Sequence[Ruling]:
        """The rulings on the last answer, with kinds, facts and articles."""
        return self._rulings

    def told(self, lang: str = "en") -> list[str]:
        """Return the last rulings as sentences in "en" or "fr"."""
        words = self._words(lang)
        return [words.ruling(ruling, self._desk.names) for ruling in self._rulings]

    @property
    def running_order(self) -> Sequence[int]:
        """The numbers of the cars from the first on."""
        return self._desk.rulebook.running_order()

    @property
    def is_over(self) -> bool:
        """Whether the race is over."""
        return self._desk.over

    @property
    def result(self) -> Sequence[Mapping[str, Json]]:
        """The classification, a line a car; empty until the race is over."""
        return self._desk.rulebook.result() if self.is_over else ()

    @property
    def circuit(self) -> Track | SectionTrack:
        """The circuit."""
        return self._desk.rulebook.track

    def close(self) -> None:
        """End writing; another program may go on with the race, and this object no more."""
        self._closed = True
        self._desk.close()

    def _must_be_open(self) -> None:
        if self._closed:
            raise CompanionError("The race is closed; resume it first.", "closed")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _words(self, lang: str) -> Words:
        return Words(lang, self._desk.rulebook.name)


def make_driver(race: Race, name: str, seed: int = 0) -> Driver:
    """Return a driver for a race: "random", "sensible", "learner", "club" or "champion".

    The last three read tables that take a minute to work out on a circuit that is new to them. Raises CompanionError
    for another name.
    """
    book = race._desk.rulebook
    if name != "random":
        return driver_named(name, book, seed)
    return (
        RandomCardDriver(book.track, seed) if isinstance(book.track, SectionTrack) else RandomDriver(book.track, seed)
    )


def follow(
    folder: Path | None = None, race: str = "last", *, after: int = 0, wait: bool = True, pause: float = 0.2
) -> Iterator[Event]:
    """Yield the events of a stored race, while another program writes it.

    It begins with the event after entry `after` of the log, 0 for all. With `wait` it goes on looking every `pause`
    seconds for what comes, also after the race is over: an answer may still be taken back. Raises CompanionError if
    there is no such race.

    >>> import tempfile
    >>> folder = Path(tempfile.mkdtemp())
    >>> with Race.begin("beginner", "monaco", ["Ada", "Bob"], folder=folder) as race:
    ...     race.push(17)
    >>> [event.kind for event in follow(folder, wait=False)]
    ['setup', 'answer']
    """
    place = data_folder(folder)
    with reading(place) as db:
        log_id = find(db, race).log_id
    while True:
        with reading(place) as db:
            found = list(entries(db, log_id, after + 1))
        for entry in found:
            after = entry.seq
            yield event_of(entry.seq, entry.kind, entry.n, entry.actor, entry.at_wall, entry.read(), entry.ruled())
        if not wait:
            return
        time.sleep(pause)
