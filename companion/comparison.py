"""Compare two rulebooks: their figures, and their articles side by side.

The comparison is computed, never written by hand. Articles are twins if they share an id, if they name each other
(`twins` in the articles), or if both rulebooks put them in the place of the same articles of the family (`cites`).
Twins are alike if they have the same words, if one restates the other, or if the very same methods of the rules cite
both; all others differ.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Final, get_args

from companion.articles import Article, Articles, Moment, load
from companion.rules.conversation.errors import CompanionError
from companion.rules.conversation.figures import Figure
from companion.rules.rulebooks import RULEBOOKS, USUAL

MOMENTS: Final[tuple[Moment, ...]] = get_args(Moment)
"""The chapters of a comparison, in the order of a race and of a turn."""
DISTANCE: Final = "0-0-1"
"""The article of the family on how many laps a race has, which each rulebook has as `laps`: it is no figure."""
OPTIONAL_PREFIXES: Final = ("option.", "variant.")
"""Prefixes of the ids of articles that hold where a table says so."""


@dataclass(frozen=True)
class Twins:
    """Articles of two rulebooks on the same subject.

    A side is empty if that rulebook has nothing on it.
    """

    left: tuple[Article, ...]
    right: tuple[Article, ...]
    alike: bool = False

    @property
    def moment(self) -> Moment:
        """The moment of the race that the articles are about, preferably by the right rulebook."""
        return (self.right or self.left)[0].moment


@dataclass(frozen=True)
class FigurePair:
    """A figure of two rulebooks; None for a rulebook that lacks it."""

    left: Figure | None
    right: Figure | None
    moment: Moment

    @property
    def alike(self) -> bool:
        """True if both rulebooks have the figure with the same value."""
        return self.left is not None and self.right is not None and self.left.setup_value == self.right.setup_value


@dataclass(frozen=True)
class Comparison:
    """The comparison of two rulebooks."""

    left: str
    right: str
    twins: tuple[Twins, ...]
    figures: tuple[FigurePair, ...]

    def having(self, said: str, lang: str) -> list[Twins]:
        """Return the articles of either rulebook that match an id or words, with their twins."""
        ours = {entry.id for entry in load(self.left).find(said, lang)}
        theirs = {entry.id for entry in load(self.right).find(said, lang)}
        return [
            one
            for one in self.twins
            if any(article.id in ours for article in one.left) or any(article.id in theirs for article in one.right)
        ]


@cache
def compare(left: str, right: str) -> Comparison:
    """Compare two rulebooks.

    Raises CompanionError for an unknown name, or for the same name twice.
    """
    ours, theirs = load(left), load(right)
    if left == right:
        raise CompanionError("same_rulebook", name=left)
    return Comparison(left, right, tuple(_twins(left, right, ours, theirs)), tuple(_figures(left, right, ours, theirs)))


# -- articles


def _twins(left: str, right: str, ours: Articles, theirs: Articles) -> Iterator[Twins]:
    """Yield the articles grouped by subject, in the order of the right rulebook.

    Each article goes with the one that it shares most with.
    """
    groups = {(side, one.id): [(side, one)] for side, book in enumerate((theirs, ours)) for one in book.articles}
    numbers, other_numbers = _numbers(left), _numbers(right)

    def common(one: Article, other: Article) -> float:
        if one.id == other.id or other.id in one.twins.get(right, ()) or one.id in other.twins.get(left, ()):
            return 1.0
        mine, its = numbers.get(one.id, set()), other_numbers.get(other.id, set())
        return len(mine & its) / (len(mine | its) + 1)

    pairs = [(one, max(theirs.articles, key=lambda other: common(one, other))) for one in ours.articles]
    pairs += [(max(ours.articles, key=lambda one: common(one, other)), other) for other in theirs.articles]
    for one, other in pairs:
        group, joining = groups[0, other.id], groups[1, one.id]
        if group is not joining and common(one, other):
            group += joining
            groups.update({(side, article.id): group for side, article in joining})
    for members in {id(group): group for group in groups.values()}.values():
        mine = tuple(one for one in ours.articles if (1, one) in members)
        its = tuple(one for one in theirs.articles if (0, one) in members)
        yield Twins(mine, its, _are_alike(left, right, mine, its))


@cache
def _numbers(rulebook: str) -> dict[str, set[str]]:
    """Return the articles of the family that each article of a rulebook replaces."""
    found: dict[str, set[str]] = {}
    for article in load(USUAL).articles:
        found.setdefault(RULEBOOKS[rulebook].article(article.id), set()).add(article.id)
    return found


def _are_alike(left: str, right: str, ours: Sequence[Article], theirs: Sequence[Article]) -> bool:
    """Return True if articles have the same words, restate each other or share methods.

    Those on the distance of a race differ where a race has another number of laps.
    """
    if [article.en for article in ours] == [article.en for article in theirs]:
        return True
    numbers, other_numbers = _numbers(left), _numbers(right)
    mine = {number for one in ours for number in numbers.get(one.id, ())}
    its = {number for one in theirs for number in other_numbers.get(one.id, ())}
    if DISTANCE in mine | its and RULEBOOKS[left].laps != RULEBOOKS[right].laps:
        return False
    if _restate(ours, right, theirs) or _restate(theirs, left, ours):
        return True
    if not ours or not theirs or any(one.id.startswith(OPTIONAL_PREFIXES) for one in (*ours, *theirs)):
        return False
    rules, other_rules = _rules(left), _rules(right)
    shared = mine & its
    ruled = _under(rules, shared | {one.id for one in ours})
    if not ruled:  # the board rules, which all share, or people do
        ruled_by_board = bool(shared) and all(one.by == "program" for one in (*ours, *theirs))
        return ruled_by_board and not _under(other_rules, shared | {one.id for one in theirs})
    return ruled == _under(other_rules, shared | {one.id for one in theirs})


def _restate(restating: Sequence[Article], rulebook: str, others: Sequence[Article]) -> bool:
    """Return True if articles name all articles of another rulebook as their twins."""
    named = [one.twins.get(rulebook, ()) for one in restating]
    return all(named) and {other.id for other in others} <= {twin for twins in named for twin in twins}


def _under(rules: dict[str, set[object]], ids: set[str]) -> set[object]:
    return {rule for one in ids for rule in rules.get(one, ())}


@cache
def _rules(rulebook: str) -> dict[str, set[object]]:
    """Return the methods of a rulebook's chapters by the articles that they cite.

    The articles are the rulebook's own, or the family's.
    """
    kind, found = RULEBOOKS[rulebook], dict[str, set[object]]()
    ids = [entry.id for book in (USUAL, rulebook) for entry in load(book).articles]
    for chapter in (kind, *kind.chapters().values()):
        for method in {method for name in dir(chapter) for method in _called(chapter, name)}:
            for article in cited(getattr(method, "__doc__", ""), ids):
                found.setdefault(article, set()).add(method)
    return found


def _called(chapter: type, name: str) -> Iterator[object]:
    """Yield the methods of a name that are actually called.

    A base's method is called only if the override calls `super()`.
    """
    for owner in chapter.__mro__[:-1]:
        if callable(found := vars(owner).get(name)) or isinstance(found, property | classmethod | staticmethod):
            method = found.fget if isinstance(found, property) else getattr(found, "__func__", found)
            yield method
            if "super" not in getattr(getattr(method, "__code__", None), "co_names", ()):
                return


_BRACKET: Final = re.compile(r"\[([^\[\]]*)\]", re.DOTALL)


def cited(text: str | None, ids: Sequence[str]) -> tuple[str, ...]:
    """Return the articles (of `ids`) and rulings that a docstring cites in square brackets.

    Ranges are written out.

    >>> cited("Up to [1-1 to 1-3, ruling 7].", ["1-1", "1-2", "1-3"])
    ('1-1', '1-2', '1-3', 'ruling 7')
    """
    found: list[str] = []
    for bracket in _BRACKET.findall(text or ""):
        rulings = False
        for part in re.split(r",\s*", " ".join(bracket.split())):
            name, to, last = part.partition(" to ")
            if name.startswith("ruling"):
                rulings, name = True, name.split(" ", 1)[1]
            if rulings:
                found += [f"ruling {n}" for n in range(int(name), int(last or name) + 1)]
            elif name in ids:
                end = ids.index(last) if to else ids.index(name)
                found += ids[ids.index(name) : end + 1]
    return tuple(dict.fromkeys(found))


# -- figures


def _figures(left: str, right: str, ours: Articles, theirs: Articles) -> Iterator[FigurePair]:
    """Yield the figure pairs in the order of the right rulebook.

    A switch appears only if both rulebooks have it, since it is an option of the table.
    """
    mine = {figure.name: figure for figure in RULEBOOKS[left].listed()}
    its = {figure.name: figure for figure in RULEBOOKS[right].listed()}
    for name in (*its, *(name for name in mine if name not in its)):
        one, other = mine.get(name), its.get(name)
        figure, book = (other, theirs) if other is not None else (one, ours)
        if figure is not None and (not isinstance(figure.value, bool) or (one and other)):
            found = next((entry for entry in book.under(figure.article) if isinstance(entry, Article)), None)
            yield FigurePair(one, other, found.moment if found is not None else "setup")
