"""A hint: what a champion would answer, and by how much that is better than the next best."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from companion.drivers.course import Scene
from companion.drivers.prepared import at_hand
from companion.drivers.roster import changed, strong
from companion.rules.conversation.asking import Asked, Json
from companion.rules.conversation.errors import BadAnswer
from companion.rules.conversation.kinds import Compound
from companion.rules.dice.formula_de import FormulaDe

if TYPE_CHECKING:
    from companion.rules.rulebooks import Book


class Hint(NamedTuple):
    """A champion's answer; where a table weighs the question the turns that are then still to come, and the next best
    answer with how many turns more it takes."""

    answer: Json
    turns: float | None = None
    other: Json = None
    gain: float = 0.0


def ready(book: Book, tyres: Compound | None = None) -> bool:
    """Whether a hint for a car on such tyres comes at once; else a table is worked out first, which takes a minute."""
    if not isinstance(book, FormulaDe) or book.track.known != "space":
        return True
    scene = Scene.of(book.name, book.race.surface == "wet", tyres)
    return at_hand(book.track, scene, book.race.laps, changed(book))


def hint(asked: Asked | None, book: Book) -> Hint:
    """What a champion would answer to the open question; raises BadAnswer where chance answers, or nobody."""
    if asked is None or asked.faces is not None or asked.car is None or not isinstance(book, FormulaDe):
        raise BadAnswer("There is nothing to choose here, so there is no hint.", "no_hint")
    champion = strong("champion", book)
    turns = champion.weigh(asked, book.race) if len(asked.options or ()) > 1 else None
    if turns is None:
        return Hint(champion.besides(asked, book.race))
    ranked = sorted(range(len(turns)), key=lambda number: turns[number])
    options = asked.options or []
    best, second = ranked[:2]
    return Hint(options[best].answer, turns[best], options[second].answer, turns[second] - turns[best])
