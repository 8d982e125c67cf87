"""The drivers of the program by name, for whichever rulebook."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import msgspec

from companion.drivers import DRIVERS, Driver
from companion.drivers.cards import HeuristicCardDriver
from companion.drivers.sensible import HeuristicDriver
from companion.drivers.strong import ERRORS, Strong
from companion.rules.conversation.asking import Asked, Json
from companion.rules.conversation.errors import BadAnswer
from companion.rules.dice.formula_de import FormulaDe

if TYPE_CHECKING:
    from companion.rules.rulebooks import Book, Dice


def driver_named(name: str, book: Book, seed: int = 0) -> Driver:
    """Return a driver for a race that has begun; the race of cards has one only.

    Raises BadAnswer for an unknown name.
    """
    if name not in DRIVERS:
        raise BadAnswer("no_driver", name=name, known=list(DRIVERS))
    if not isinstance(book, FormulaDe):
        return HeuristicCardDriver(book.track, seed)
    if name == "sensible":
        return HeuristicDriver(book.track, seed, book.gears.highest())
    return strong(name, book, seed)


def answered(driver: Driver, asked: Asked, book: Book) -> Json:
    """Return a driver's answer to the open question of a race."""
    return driver.answer(asked, book.race)


def strong(name: str, book: Dice, seed: int = 0) -> Strong:
    """Return a driver who reads the tables of a race."""
    strength = next(one for one in ERRORS if one == name)
    return Strong(book.track, seed, rulebook=book.name, strength=strength, options=changed(book))


def changed(book: Dice) -> Mapping[str, Json]:
    """Return the figures of a race that are not the usual ones, as its setup has them."""
    usual, figures = type(book.figures)(), book.figures
    names = (name for name in figures.__struct_fields__ if getattr(figures, name) != getattr(usual, name))
    found: dict[str, Json] = msgspec.to_builtins({name: getattr(figures, name) for name in names})
    return found
