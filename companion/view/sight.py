"""The context of every view: the race at one moment, in one language."""

from __future__ import annotations

import copy
import unicodedata
from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Final, Literal

import msgspec

from companion.articles import load
from companion.desk import RaceDesk
from companion.desk.ahead import Ahead
from companion.rules.circuit.track import Track
from companion.rules.conversation.asking import Asked, Json, Option, Ruling
from companion.rules.conversation.consequence import Test
from companion.rules.conversation.errors import CompanionError
from companion.rules.conversation.kinds import Pool
from companion.rules.public import Board, PublicDiceCar, PublicSectionCar
from companion.sheets import entrants
from companion.sheets.acts import HINT
from companion.view.citing import cited, said_here
from companion.view.consequences import sentence
from companion.view.shown import Plate, Price
from companion.wording import Words
from companion.wording.filling import MissingWords, Names

Prices = Literal["always", "after", "never"]
"""When a die's prices are shown: before the roll, only after it, or never on keys."""

NOTHING: Final = object()
"""Stands for no selected answer, since None is an answer."""


class Sight:
    """The desk at one moment, with the words for it; made for each picture in the desk's thread.

    `ahead` is the lookahead, None while there is no time for it; `selected` the selected answer; `told` the rulings of
    the last entries, `entry` the one of them with a card. `accepted` says that its cost was accepted beforehand,
    `alone` that no person gave the last answer, `hurried` that the picture does not wait for all outcomes of a selected
    landing.
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
        """Number of hints left, by car whose driver may ask for any."""
        self.losses: list[tuple[Test, Price]] = []
        """What tests cost, as far as it was worded."""
        self._places = {number: place for place, number in enumerate(self.cars)} | chosen

    def _hints_left(self, car: int) -> int:
        """Return a car's hints left; a question costs one, however often it is viewed."""
        asked = {said.n for said in self.desk.history.said if said.by == f"{HINT}{car}"}
        return max(entrants.HINTS - len(asked), 0)

    def before(self, seq: int) -> Sight:
        """Return a copy in which each car is on the tyres that it had before an entry of the log."""
        n, past = self.desk.history.place_of(seq), copy.copy(self)
        if n is not None:
            past.cars = {
                number: msgspec.structs.replace(car, tyres=self.desk.history.tyres_before(n, number))
                for number, car in self.cars.items()
            }
        return past

    @cached_property
    def names(self) -> Names:
        return {number: car.driver for number, car in self.cars.items()}

    @cached_property
    def codes(self) -> dict[int, str]:
        """The cars' unique codes of up to three letters."""
        return codes({number: car.driver for number, car in self.cars.items()})

    @cached_property
    def playing(self) -> int | None:
        """The car whose turn is being played; before the race, the one that is asked."""
        if self.race.playing is not None:
            return self.race.playing
        return self.asked.car if self.asked is not None else None

    @property
    def car(self) -> PublicDiceCar | PublicSectionCar | None:
        """The car that is asked."""
        return self.cars.get(self.asked.car or 0) if self.asked is not None else None

    @cached_property
    def options(self) -> Sequence[Option]:
        """The answers offered."""
        return (self.asked.options or ()) if self.asked is not None else ()

    @property
    def fields(self) -> Mapping[str, Json]:
        """The further facts of the open question."""
        return (self.asked.fields or {}) if self.asked is not None else {}

    def option(self, answer: Json) -> Option | None:
        """Return the offered option for an answer, or None."""
        return next((option for option in self.options if option.answer == answer), None)

    @cached_property
    def order(self) -> list[int]:
        """The running order; before the race, the grid."""
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
        """The rulebook's figures as set at this table, for texts that name them."""
        return {figure.name: figure.value for figure in self.book.figures}

    # -- words

    def say(self, key: str, **facts: Json) -> str:
        """Return a text of the screens; raises MissingWords without one."""
        return self.words.screen(key, self.names, **facts)

    def maybe(self, key: str, **facts: Json) -> str:
        """Return a text of the screens, "" if it is missing or lacks a fact."""
        return self.words.maybe(key, self.names, **facts)

    def ruled(self, ruling: Ruling, names: Names | None = None) -> str:
        """Return a ruling's sentence in the log, with the drivers' names by default."""
        return sentence(ruling, self.words, names or self.names)

    def cited(self, article: str) -> str:
        """Return the citation of an article."""
        return cited(article, self.words)

    def article(self, article: str) -> str:
        """Return an article's text, with the figures changed at this table."""
        return said_here(load(self.race.rulebook).get(article), self.book, self.words)

    def effect(self, kind: str, key: str) -> str:
        """Return a card's kind and effect; "" if the rulebook has no such card."""
        try:
            said = self.article(f"{kind}.{key}")
            return f"{self.words.word('slot', kind).capitalize()} · {said}"
        except (CompanionError, MissingWords):
            return ""

    def cost(self, points: Mapping[Pool, int]) -> str:
        """Return points gained and lost in words; "" for none."""
        try:
            return self.words.cost(points) if any(points.values()) else ""
        except MissingWords:
            shown = (f"{'−' if count < 0 else '+'}{abs(count)} {self.pool(pool)}" for pool, count in points.items())
            return ", ".join(shown)

    def pool(self, pool: str) -> str:
        """Return a pool's name, or its key if it has no words."""
        try:
            return self.words.word("pool_short", pool)
        except MissingWords:
            return pool.replace("_", " ")


def codes(names: Mapping[int, str]) -> dict[int, str]:
    """Return a code per car from its driver's last name.

    At most three letters; the number if there is no name or no free code.
    """
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
    """Split a name into capital letters without Latin accents.

    Letters of other scripts keep up to two combining marks.
    """
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
