"""How an article is cited, and what it says at this table."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from companion.articles import Entry, OpenQuestion, load
from companion.rules.conversation.asking import Json
from companion.rules.conversation.errors import CompanionError
from companion.rules.conversation.figures import Figure
from companion.rules.conversation.rulebook import Rulebook
from companion.rules.dice.variants import VARIANTS
from companion.wording import Words


def cited(article: str, words: Words) -> str:
    """An article by its number, a ruling in the reader's language; by its title where articles have words for
    numbers."""
    if not article[:1].isalpha():
        return words.screen("cited", article=article) if article else ""
    ruling, _, number = article.partition(" ")
    if number:
        return words.screen("ruling_cited", number=number)
    try:
        return load(words.rulebook).get(ruling).title(words.lang)
    except CompanionError:
        return article


def listed(article: str, words: Words) -> str:
    """An article in a column that is headed so: a number needs no word."""
    return article if not article[:1].isalpha() else cited(article, words)


def figure_name(name: str, words: Words) -> str:
    """Return what a figure or switch is called in the reader's language, or its name in a setup; a variant has the
    title of its article."""
    if said := words.maybe(f"figure.{name}"):
        return said
    if variant := VARIANTS.switched_by(name):
        try:
            return load(words.rulebook).get(variant.article).title(words.lang)
        except CompanionError:
            if title := variant.title.get(words.lang) or variant.title.get("en"):
                return title
    return name.replace("_", " ").capitalize()


def figure_set(name: str, value: Json, words: Words) -> str:
    """A figure by its name in the reader's language, or as a setup writes it, and what it is; one of a table row by
    row."""
    named = figure_name(name, words)
    rows = value if isinstance(value, list | tuple) else [value]
    cells = ("-".join(map(str, one)) if isinstance(one, list | tuple) else str(one) for one in rows)
    return f"{named} {words.word('plain', value) if isinstance(value, bool) else ' '.join(cells)}"


def said_here(entry: Entry, book: Rulebook[Any], words: Words) -> str:
    """What an article says, and what this table has set otherwise of the figures that it names."""
    return said_with(entry, book.listed(), book.listed(book.figures), words)


def said_with(entry: Entry, usual: Iterable[Figure], here: Iterable[Figure], words: Words) -> str:
    """Return what an article says, and what the figures `here` have otherwise than usual of those that it names."""
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
