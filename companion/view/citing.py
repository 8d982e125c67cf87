"""Citations of articles, and their text under this table's figures."""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

from companion.articles import Entry, OpenQuestion, load
from companion.rules.conversation.asking import Json
from companion.rules.conversation.errors import CompanionError
from companion.rules.conversation.figures import Figure
from companion.rules.conversation.rulebook import Rulebook
from companion.rules.dice.variants import VARIANTS
from companion.rules.rulebooks import RULEBOOKS
from companion.wording import Words

FIGURE_FACTS: Final[Mapping[str, tuple[str, ...]]] = {
    "options_exclude": ("one", "other"),
    "needs_switch": ("switch", "other"),
    "deck_empty": ("figure",),
    "no_charts": ("figure",),
    "starting_gear": ("start", "top"),
    "three_laps": ("switch",),
    "picked_not_dealt": ("switch",),
}
"""Errors about figures and switches, and which of their facts name one as a setup does."""


def cited(article: str, words: Words) -> str:
    """Return the citation of an article.

    A numbered article is cited by number, a ruling by its number in the reader's language, a named article by its
    title: in the words' rulebook, or else in another one, whose seasons and tournaments may be run by it.
    """
    if not article[:1].isalpha():
        return words.screen("cited", article=article) if article else ""
    ruling, _, number = article.partition(" ")
    if number:
        return words.screen("ruling_cited", number=number)
    for rulebook in (words.rulebook, *RULEBOOKS):
        with contextlib.suppress(CompanionError):
            return load(rulebook).get(ruling).title(words.lang)
    variant = next((one for one in VARIANTS.values() if one.article == article), None)
    return variant.title_in(words.lang) if variant else article


def listed(article: str, words: Words) -> str:
    """Return the citation for a column headed "article": a number stands alone."""
    return article if not article[:1].isalpha() else cited(article, words)


def figure_name(name: str, words: Words) -> str:
    """Return the name of a figure or switch in the reader's language.

    A variant has the title of its article. Without any words, fall back on the name used in setups.
    """
    if said := words.maybe(f"figure.{name}"):
        return said
    if variant := VARIANTS.switched_by(name):
        try:
            return load(words.rulebook).get(variant.article).title(words.lang)
        except CompanionError:
            return variant.title_in(words.lang)
    return name.replace("_", " ").capitalize()


def titled(wrong: CompanionError, words: Words) -> CompanionError:
    """Return an error about figures or switches with their names in the reader's language, not those used in setups.

    An error about anything else is returned as it is.
    """
    names = {fact: figure_name(str(wrong.facts[fact]), words) for fact in FIGURE_FACTS.get(wrong.kind, ())}
    return type(wrong)(wrong.kind, **{**wrong.facts, **names}) if names else wrong


def figure_set(name: str, value: Json, words: Words) -> str:
    """Return a figure with its value: "name value", a table row by row."""
    named = figure_name(name, words)
    if isinstance(value, bool):
        return f"{named} {words.word('plain', value)}"
    rows = value if isinstance(value, list | tuple) else [value]
    if any(isinstance(one, str) for one in rows):
        return f"{named} → {', '.join(words.word('outcome', str(one)) for one in rows)}"
    return f"{named} {' '.join('-'.join(map(str, one)) if isinstance(one, list | tuple) else str(one) for one in rows)}"


def said_here(entry: Entry, book: Rulebook[Any], words: Words) -> str:
    """Return an article's text, with the figures it names that this table has changed."""
    return said_with(entry, book.listed(), book.listed(book.figures), words)


def said_with(entry: Entry, usual: Iterable[Figure], here: Iterable[Figure], words: Words) -> str:
    """Return an article's text, with the figures it names that differ between `usual` and `here`."""
    said = entry.text(words.lang)
    changed = " · ".join(_set_otherwise(entry, usual, here, words))
    return f"{said} {words.say('set_here', set=changed)}" if changed else said


def _set_otherwise(entry: Entry, usual: Iterable[Figure], here: Iterable[Figure], words: Words) -> Iterator[str]:
    before = {figure.name: figure.value for figure in usual}
    for figure in here:
        own = isinstance(entry, OpenQuestion) and entry.switch == figure.name
        within = own or entry.id == figure.article or entry.id.startswith(f"{figure.article}-")
        if not within or figure.value == before[figure.name]:
            continue
        if isinstance(entry, OpenQuestion) and own:
            yield (entry.switch_text(words.lang) if figure.value else entry.text(words.lang)).rstrip(".")
        else:
            yield figure_set(figure.name, figure.value, words)
