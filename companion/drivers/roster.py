"""The drivers of the program by name, for whichever rulebook."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import msgspec

from companion.drivers import DRIVERS, Driver
from companion.drivers.cards import SensibleWithCards
from companion.drivers.sensible import Sensible
from companion.drivers.strong import ERRORS, Strong
from companion.rules.conversation.asking import Asked, Json
from companion.rules.conversation.errors import BadAnswer
from companion.rules.dice.formula_de import FormulaDe

if TYPE_CHECKING:
    from companion.rules.rulebooks import Book, Dice


def driver_named(name: str, book: Book, seed: int = 0) -> Driver:
    """A driver for a race that has begun; of the race of cards there is one only. Raises BadAnswer for a name that none
    has."""
    if name not in DRIVERS:
        raise BadAnswer(f"There is no driver {name}; there are {', '.join(DRIVERS)}.", "no_driver", name=name)
    if not isinstance(book, FormulaDe):
        return SensibleWithCards(book.track, seed)
    return Sensible(book.track, seed) if name == "sensible" else strong(name, book, seed)


def answered(driver: Driver, asked: Asked, book: Book) -> Json:
    """A driver's answer to the open question of a race."""
    return driver.answer(asked, book.race)


def strong(name: str, book: Dice, seed: int = 0) -> Strong:
    """A driver who reads the tables of a race."""
    strength = next(one for one in ERRORS if one == name)
    return Strong(book.track, seed, rulebook=book.name, strength=strength, options=changed(book))


def changed(book: Dice) -> Mapping[str, Json]:
    """The figures of a race that are otherwise than usual, as its setup has them."""
    usual, figures = type(book.figures)(), book.figures
    names = (name for name in figures.__struct_fields__ if getattr(figures, name) != getattr(usual, name))
    found: dict[str, Json] = msgspec.to_builtins({name: getattr(figures, name) for name in names})
    return found
