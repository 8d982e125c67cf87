"""Play, watch and test races from your own program.

Only the names that this module exports are stable.

They follow python-chess and OpenSpiel where those have one: a race has legal answers, answers are pushed and popped,
a driver makes a step.
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Self

from companion import circuits
from companion.desk.beginning import begin_race
from companion.desk.race_desk import RaceDesk
from companion.desk.session import Event, event_of
from companion.drivers import DRIVERS, Driver
from companion.drivers.cards import RandomCardDriver
from companion.drivers.chance import RandomDriver
from companion.drivers.registry import driver_named
from companion.drivers.sensible import HeuristicDriver
from companion.rules.circuit.track import Track
from companion.rules.conversation.asking import Asked as Question
from companion.rules.conversation.asking import Json, Ruling
from companion.rules.conversation.errors import BadSetup, CompanionError
from companion.rules.conversation.typed import value_text
from companion.rules.dice.variants import VARIANTS, Variant
from companion.rules.ninety.circuit import SectionTrack
from companion.rules.rulebooks import RULEBOOKS
from companion.rules.testing import check
from companion.sheets.place import data_folder
from companion.sheets.reading import entries, find, reading
from companion.sheets.stored_race import race_name
from companion.strict_json import LARGEST
from companion.view.worded import BoardWords
from companion.wording import Words

__all__ = [
    "RULEBOOKS", "VARIANTS", "CompanionError", "Driver", "Event", "HeuristicDriver", "Question", "Race",
    "RandomDriver", "Ruling", "SectionTrack", "Track", "Variant", "check", "follow", "load_circuit", "make_driver",
]  # fmt: skip


PATHS = (str, os.PathLike)
"""What a path may be given as."""


def _check(name: str, value: object, wanted: str, *kinds: type) -> None:
    """Raise CompanionError for an argument of the wrong type."""
    if not isinstance(value, kinds) or isinstance(value, bool):
        raise CompanionError("field_wants", name=name, wanted=wanted, found=value_text(value))


def load_circuit(name: str | Path) -> Track | SectionTrack:
    """Return a circuit by its key, such as "monaco", or by the path of its file.

    Raises CompanionError if there is no such circuit.

    >>> load_circuit("monaco").name
    'Monaco'
    """
    _check("name", name, "a name or a path", *PATHS)
    return circuits.board(os.fspath(name))


class Race:
    """A race, with its open question, the legal answers and the rulings so far.

    >>> race = Race.begin("beginner", "monaco", ["Ada", "Bob"])
    >>> race.question.ask, race.turn, race.legal_answers[:3]
    ('test', 1, [1, 2, 3])
    >>> race.push(17)
    >>> race.push(4)
    >>> race.told()[-1]
    'Round 1: 1 Ada is first on the track.'
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
        circuit: str | Path,
        drivers: Sequence[str],
        *,
        laps: int | None = None,
        options: Mapping[str, Json] | None = None,
        folder: Path | None = None,
        name: str = "",
    ) -> Self:
        """Begin a race.

        The cars are numbered from 1 in the order of `drivers`. `laps` defaults to the circuit's own number; `options`
        holds figures and switches of the rulebook by name. Without a `folder` the race is kept in memory only. Raises
        CompanionError if the race cannot begin.
        """
        if isinstance(drivers, str):
            raise CompanionError("drivers_text", text=drivers)
        _check("drivers", drivers, "a list", list, tuple)
        _check("circuit", circuit, "a name or a path", *PATHS)
        cars = [{"car": number, "driver": driver} for number, driver in enumerate(drivers, 1)]
        setup: dict[str, Json] = {"rulebook": rulebook, "track": os.fspath(circuit), "cars": cars}
        if laps is not None:
            setup["laps"] = laps
        if options is not None:
            _check("options", options, "an object", Mapping)
            setup["options"] = dict(options)
        return cls.from_setup(setup, folder=folder, name=name)

    @classmethod
    def from_setup(cls, setup: Mapping[str, Json], *, folder: Path | None = None, name: str = "") -> Self:
        """Begin a race from a setup or a position of the referee's protocol.

        Raises CompanionError if it cannot begin, or for a `name` that no race may have.
        """
        _check("name", name, "a text", str)
        setup = _plain_setup(setup)
        circuit = str(setup.get("track", ""))
        place = _folder(folder) if folder is not None else None
        return cls(begin_race(setup, circuit, place, name=race_name(place, name) if name else ""))

    @classmethod
    def resume(cls, folder: Path | None = None, race: str = "last") -> Self:
        """Resume a stored race by its name or id.

        Without a `folder`, the race is looked up among the user's own. Raises CompanionError if there is no such race,
        or if another program is writing it.
        """
        _check("race", race, "a text", str)
        return cls(RaceDesk.resume(_folder(folder), race))

    # -- what is asked

    @property
    def question(self) -> Question | None:
        """The open question, or None once the race is over."""
        return self._desk.asked

    @property
    def turn(self) -> int | None:
        """The number of the car to answer, or None for a table question or a finished race."""
        return self.question.car if self.question is not None else None

    @property
    def legal_answers(self) -> list[Json]:
        """The answers on offer, or the faces of the die.

        Empty for a form, whose fields are in `question.fields`.
        """
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
        """Answer the open question.

        Raises CompanionError, and changes nothing, if the answer is not legal.
        """
        self._must_be_open()
        self._rulings = self._desk.answer(answer)

    def pop(self) -> Json:
        """Undo the last answer and return it.

        Raises CompanionError if there is nothing to undo.
        """
        self._must_be_open()
        self._rulings = ()
        return self._desk.undo(1)[-1].answer

    def step(self, driver: Driver) -> Json:
        """Have a driver answer the open question, and return its answer."""
        asked = self.question
        if asked is None:
            raise CompanionError("race_over")
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
        """The car numbers in running order."""
        return self._desk.rulebook.running_order()

    @property
    def is_over(self) -> bool:
        """True if the race is over."""
        return self._desk.over

    @property
    def result(self) -> Sequence[Mapping[str, Json]]:
        """The classification, one row per car; empty until the race is over."""
        return self._desk.rulebook.result() if self.is_over else ()

    @property
    def circuit(self) -> Track | SectionTrack:
        """The circuit of the race."""
        return self._desk.rulebook.track

    def close(self) -> None:
        """Stop writing the race, so that another program can resume it.

        This object takes no further answers.
        """
        self._closed = True
        self._desk.close()

    def _must_be_open(self) -> None:
        if self._closed:
            raise CompanionError("closed")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _words(self, lang: str) -> Words:
        return BoardWords(lang, self._desk.rulebook.name, self._desk.rulebook.track)


def make_driver(race: Race, name: str, seed: int = 0) -> Driver:
    """Return a driver for a race: "random", "sensible", "learner", "club" or "champion".

    The last three read tables, which take a minute to compute on a new circuit. Raises CompanionError for any other
    name.
    """
    _check("seed", seed, "a whole number", int)
    book = race._desk.rulebook
    if name not in ("random", *DRIVERS):
        raise CompanionError("no_driver", name=name, known=["random", *DRIVERS])
    if name != "random":
        return driver_named(name, book, seed)
    return (
        RandomCardDriver(book.track, seed) if isinstance(book.track, SectionTrack) else RandomDriver(book.track, seed)
    )


def follow(
    folder: Path | None = None, race: str = "last", *, after: int = 0, wait: bool = True, pause: float = 0.2
) -> Iterator[Event]:
    """Yield the events of a stored race while another program writes it.

    Starts after entry `after` of the log, 0 for all. With `wait` it polls every `pause` seconds, even once the race is
    over, because an answer may still be undone. Raises CompanionError if there is no such race, and for an `after` that
    numbers no entry.

    >>> import tempfile
    >>> folder = Path(tempfile.mkdtemp())
    >>> with Race.begin("beginner", "monaco", ["Ada", "Bob"], folder=folder) as race:
    ...     race.push(17)
    >>> [event.kind for event in follow(folder, wait=False)]
    ['setup', 'answer']
    """
    _check("race", race, "a text", str)
    _check("pause", pause, "a number", int, float)
    _check("after", after, "a whole number", int)
    if not 0 <= after < LARGEST:
        wanted = f"a whole number from 0 to {LARGEST - 1}"
        raise CompanionError("field_wants", name="after", wanted=wanted, found=value_text(after))
    place = _folder(folder)
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
        time.sleep(max(pause, 0.01))


def _folder(given: Path | str | None) -> Path:
    """Return the folder of the races. Raises CompanionError for what is no path."""
    if given is not None:
        _check("folder", given, "a path", *PATHS)
    return data_folder(given)


def _plain_setup(setup: Mapping[str, Json]) -> dict[str, Json]:
    """Return a setup as a program in another language would write it. Raises BadSetup."""
    if not isinstance(setup, Mapping):
        raise BadSetup("setup_object", example='{"track": "monaco", "cars": [{"car": 1}]}')
    try:
        plain: dict[str, Json] = json.loads(json.dumps(dict(setup), default=_path))
    except (TypeError, ValueError, RecursionError) as wrong:
        raise BadSetup("setup_not_plain", wrong=str(wrong)) from None
    return plain


def _path(value: object) -> str:
    """Return a path in a setup as text."""
    if isinstance(value, os.PathLike):
        return str(value)
    raise TypeError(type(value).__name__)
