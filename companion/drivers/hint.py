"""A hint: what a champion would answer, and by how much that is better than the next best."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Final, NamedTuple

from companion.drivers import chooses
from companion.drivers.cards import SURE, HeuristicCardDriver
from companion.drivers.odds import CarProspects, at_hand, standings, tabled, wins_of
from companion.drivers.registry import strong
from companion.drivers.weights import DICE
from companion.rules.conversation.asking import Asked, Json
from companion.rules.conversation.errors import BadAnswer
from companion.rules.conversation.kinds import Compound
from companion.rules.dice.formula_de import FormulaDe

if TYPE_CHECKING:
    from companion.drivers.strong import Strong
    from companion.rules.ninety.ninety import Ninety
    from companion.rules.rulebooks import Book, Dice


class WeighedAnswer(NamedTuple):
    """An answer as the table weighs it: the turns still to come with it, and the car's chance to win then."""

    answer: Json
    turns: float
    wins: float


class Hint(NamedTuple):
    """A champion's answer.

    Where a table weighs the question, it has the turns still to come, the next best answer with how many turns more it
    takes, the best MAX_CHOICES choices, and the results of the rolls of a gear (`rolls`). It is a `plain` driver's
    where there are no champions: with cards, and on corner sheets.
    """

    answer: Json
    turns: float | None = None
    other: Json = None
    gain: float = 0.0
    best: tuple[WeighedAnswer, ...] = ()
    rolls: GearRolls | None = None
    plain: bool = False


class GearRolls(NamedTuple):
    """The rolls of a gear, each driven to its best stop.

    They are the faces from and to, how many of a hundred cost nothing, how many make a stop in which corner (as its
    number, 0: none does), and the points on average.
    """

    low: int
    high: int
    free: int
    stop: int
    corner: int
    cost: float


MAX_CHOICES: Final = 3
"""Maximum number of choices in a hint."""


def ready(book: Book, tyres: Compound | None = None) -> bool:
    """Return True if a hint for a car on such tyres comes at once, without a minute's work on a table."""
    return not tabled(book) or at_hand(book, tyres)


def hint(asked: Asked | None, book: Book) -> Hint:
    """Return a champion's answer to the open question.

    Raises BadAnswer where chance answers, or nobody, or nothing speaks for one answer more than for another.
    """
    if asked is None or not chooses(asked):
        raise BadAnswer("no_hint")
    if not isinstance(book, FormulaDe):
        return Hint(_of_cards(asked, book), plain=True)
    assert asked.car is not None
    champion = strong("champion", book)
    turns = champion.weigh(asked, book.race) if len(asked.options or ()) > 1 else None
    if turns is None:
        return Hint(champion.besides(asked, book.race), plain=not champion.known)
    ranked = sorted(range(len(turns)), key=lambda number: turns[number])
    answers = [option.answer for option in asked.options or []]
    best, second = ranked[:2]
    cars = standings(book, champion)
    wins = wins_of(cars, [CarProspects(asked.car, turns[number] + 1) for number in ranked[:MAX_CHOICES]])
    return Hint(
        answers[best],
        turns[best],
        answers[second],
        turns[second] - turns[best],
        tuple(WeighedAnswer(answers[at], turns[at], chance) for at, chance in zip(ranked, wins, strict=False)),
        _rolls(champion, book, asked.car, answers[best]) if asked.ask == "gear" else None,
    )


def _of_cards(asked: Asked, book: Ninety) -> Json:
    """Return a sensible driver's answer with cards, if he has reasons and has seen the cards."""
    answer = HeuristicCardDriver(book.track).answer(asked, book.race) if asked.ask in SURE else None
    offered = [option.answer for option in asked.options or []]
    if answer not in offered and asked.ask == "declare":
        answer = "go"  # with which cards their holder knows
    if answer not in offered:
        raise BadAnswer("no_reason")
    return answer


def _rolls(champion: Strong, book: Dice, number: int, gear: int) -> GearRolls:
    """Return the results of the rolls of a gear for a car, if each is driven to its best stop."""
    race, car = book.race, book.car(number)
    free = stop = cost = 0.0
    corners: Counter[int] = Counter()
    for face, share in DICE[gear]:
        options = champion.reach(race, car, face + 1)
        turns = champion.landing_turns(options, race, car, gear)
        option = options[turns.index(min(turns))]
        points = -sum(option.wear.values())
        cost += share * points
        free += share * (not points and not {"spin", "out", "tests"} & option.facts.keys())
        if option.facts.get("stops"):
            stop += share
            corners[option.facts["corner"]] += 1
    corner = corners.most_common(1)[0][0] if corners else 0
    faces = DICE[gear]
    return GearRolls(faces[0][0] + 1, faces[-1][0] + 1, round(100 * free), round(100 * stop), corner, cost)
