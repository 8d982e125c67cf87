"""What every view is made from: the race as it stands, in one language, for one screen."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Final, Literal

from companion.articles import load
from companion.desk import RaceDesk
from companion.desk.ahead import Ahead
from companion.rules.circuit.track import Track
from companion.rules.conversation.asking import Asked, Json, Option, Ruling
from companion.rules.conversation.errors import CompanionError
from companion.rules.conversation.kinds import Pool
from companion.rules.public import Board, PublicDiceCar, PublicSectionCar
from companion.sheets import entrants
from companion.sheets.acts import HINT
from companion.view.brought import sentence
from companion.view.citing import cited, said_here
from companion.view.shown import Plate
from companion.wording import Words
from companion.wording.filling import MissingWords, Names

Prices = Literal["always", "after", "never"]
"""When a die's prices are shown: before the roll, only after it, or not on keys at all."""

NOTHING: Final = object()
"""No answer is selected; None is an answer."""


class Sight:
    """The desk as it stands, with the words for it. Made anew for each picture, in the desk's thread.

    `ahead` looks ahead, None where there is no time for it yet; `selected` is the answer that somebody has selected;
    `told` are the rulings of the last entries, `entry` the one of them that has a card, and `accepted` says that
    its price was accepted before, `alone` that the last answer was nobody's, `hurried` that the picture does not wait
    for what all the dice of a selected stop may come to.
    """

    def __init__(
        self,
        desk: RaceDesk,
        words: Words,
        *,
        ahead: Ahead | None = None,
        prices: Prices = "always",
        selected: Json = NOTHING,
        told: Sequence[Ruling] = (),
        entry: int = 0,
        accepted: bool = False,
        alone: bool = True,
        hurried: bool = False,
    ) -> None:
        self.desk, self.words, self.ahead, self.prices = desk, words, ahead, prices
        self.selected, self.told, self.entry, self.accepted = selected, told, entry, accepted
        self.alone, self.hurried = alone, hurried
        self.book, self.race = desk.rulebook, desk.public()
        self.track: Board = self.book.track
        self.asked: Asked | None = desk.asked
        self.cars: dict[int, PublicDiceCar | PublicSectionCar] = {car.number: car for car in self.race.cars}
        begun = desk.history.beginning
        chosen = entrants.plates(begun.setup) if begun is not None else {}
        hints = begun.setup.get("hints", ()) if begun is not None and self.track.known == "space" else ()
        self.hints: dict[int, int] = {car: self._hints_left(car) for car in hints}
        """Cars whose drivers may ask for a hint, with how many they have left."""
        self._places = {number: place for place, number in enumerate(self.cars)} | chosen

    def _hints_left(self, car: int) -> int:
        """One question costs one hint, however often it is looked at."""
        asked = {said.n for said in self.desk.history.said if said.by == f"{HINT}{car}"}
        return max(entrants.HINTS - len(asked), 0)

    @cached_property
    def names(self) -> Names:
        return {number: car.driver for number, car in self.cars.items()}

    @cached_property
    def codes(self) -> dict[int, str]:
        """The cars' codes of three letters, each its own."""
        return codes({number: car.driver for number, car in self.cars.items()})

    @cached_property
    def playing(self) -> int | None:
        """The car whose turn is being played; before the race the one that is asked."""
        if self.race.playing is not None:
            return self.race.playing
        return self.asked.car if self.asked is not None else None

    @property
    def car(self) -> PublicDiceCar | PublicSectionCar | None:
        """The car that is asked."""
        return self.cars.get(self.asked.car or 0) if self.asked is not None else None

    @cached_property
    def options(self) -> Sequence[Option]:
        """The answers that are offered."""
        return (self.asked.options or ()) if self.asked is not None else ()

    @property
    def fields(self) -> Mapping[str, Json]:
        """What the open question says beside its answers."""
        return (self.asked.fields or {}) if self.asked is not None else {}

    def option(self, answer: Json) -> Option | None:
        """The answer as it is offered; None for one that is not."""
        return next((option for option in self.options if option.answer == answer), None)

    @cached_property
    def order(self) -> list[int]:
        """The running order; before the race the grid."""
        order = self.race.order
        return [*order, *(car for car in self.cars if car not in order)]

    @property
    def road(self) -> Track:
        """The circuit of a race of dice and gears."""
        assert isinstance(self.track, Track)
        return self.track

    def plate(self, number: int) -> Plate:
        return Plate(number=number, place=self._places.get(number, 0))

    @cached_property
    def figures(self) -> dict[str, Json]:
        """The figures of the rulebook as this table has set them, for texts that name one."""
        return {figure.name: figure.value for figure in self.book.figures}

    # -- words

    def say(self, key: str, **facts: Json) -> str:
        """A text of the screens; raises MissingWords if there is none."""
        return self.words.screen(key, self.names, **facts)

    def maybe(self, key: str, **facts: Json) -> str:
        """A text of the screens, empty where nobody has written one or it wants what is not known."""
        return self.words.maybe(key, self.names, **facts)

    def ruled(self, ruling: Ruling, names: Names | None = None) -> str:
        """A ruling as the log says it, with the drivers' names if no others are wanted."""
        return sentence(ruling, self.words, names or self.names)

    def cited(self, article: str) -> str:
        """An article as it is cited."""
        return cited(article, self.words)

    def article(self, article: str) -> str:
        """What an article says, with the figures that this table has set otherwise."""
        return said_here(load(self.race.rulebook).get(article), self.book, self.words)

    def effect(self, kind: str, key: str) -> str:
        """What a card does, by its article, after its kind; empty for what is no card of this rulebook."""
        try:
            said = self.article(f"{kind}.{key}")
            return f"{self.words.word('slot', kind).capitalize()} · {said}"
        except (CompanionError, MissingWords):
            return ""

    def cost(self, points: Mapping[Pool, int]) -> str:
        """Points gained and lost; empty for none."""
        try:
            return self.words.cost(points) if any(points.values()) else ""
        except MissingWords:
            shown = (f"{'−' if count < 0 else '+'}{abs(count)} {self.pool(pool)}" for pool, count in points.items())
            return ", ".join(shown)

    def pool(self, pool: str) -> str:
        """A pool's name, as a rulebook that nobody has worded yet calls it where need be."""
        try:
            return self.words.word("pool_short", pool)
        except MissingWords:
            return pool.replace("_", " ")


def codes(names: Mapping[int, str]) -> dict[int, str]:
    """A code of at most three letters for each car, from its driver's last name; its number where there is no name or
    no code is left."""
    given: dict[int, str] = {}
    for number, name in names.items():
        letters = _letters(name.split()[-1]) if name.split() else []
        tried = [letters[:3]]
        tried += [[*letters[:2], letter] for letter in letters[3:]]
        tried += [[*letters[:1], a, b] for at, a in enumerate(letters[1:], 1) for b in letters[at + 1 :]]
        tried += [[*letters[:2], digit] for digit in "23456789" if letters]
        found = map("".join, tried)
        given[number] = next((code for code in found if code and code not in given.values()), str(number))
    return given


def _letters(name: str) -> list[str]:
    """The letters of a name, as capitals; Latin ones without their accents, others with the marks on them, two each at
    most."""
    kept: list[str] = []
    for letter in name:
        first = unicodedata.normalize("NFKD", letter)[:1]
        if first.isascii() and first.isalpha():
            kept += first.upper()
        elif letter.isalpha():
            kept += letter.upper()
        elif kept and not kept[-1].isascii() and len(kept[-1]) < 3 and unicodedata.category(letter).startswith("M"):
            kept[-1] += letter
    return kept
