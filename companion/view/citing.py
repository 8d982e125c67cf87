"""How an article is cited, and what it says at this table."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from companion.articles import Entry, OpenQuestion, load
from companion.rules.conversation.asking import Json
from companion.rules.conversation.errors import CompanionError
from companion.rules.conversation.rulebook import Floor
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


def figure_set(name: str, value: Json, words: Words) -> str:
    """A figure by its name in the reader's language, or as a setup writes it, and what it is; one of a table row by
    row."""
    named = words.maybe(f"figure.{name}") or name.replace("_", " ").capitalize()
    rows = value if isinstance(value, list | tuple) else [value]
    cells = ("-".join(map(str, one)) if isinstance(one, list | tuple) else str(one) for one in rows)
    return f"{named} {words.word('plain', value) if isinstance(value, bool) else ' '.join(cells)}"


def said_here(entry: Entry, book: Floor[Any], words: Words) -> str:
    """What an article says, and what this table has set otherwise of the figures that it names."""
    said = entry.text(words.lang)
    changed = " · ".join(_set_here(entry, book, words))
    return f"{said} {words.say('set_here', set=changed)}" if changed else said


def _set_here(entry: Entry, book: Floor[Any], words: Words) -> Iterator[str]:
    usual = {figure.name: figure.value for figure in book.listed()}
    for figure in book.listed(book.figures):
        within = entry.id == figure.article or entry.id.startswith(f"{figure.article}-")
        if not within or figure.value == usual[figure.name]:
            continue
        if isinstance(entry, OpenQuestion) and entry.switch == figure.name:
            yield (entry.switch_text(words.lang) if figure.value else entry.text(words.lang)).rstrip(".")
        else:
            yield figure_set(figure.name, figure.value, words)
