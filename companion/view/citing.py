"""How an article is cited."""

from __future__ import annotations

from companion.articles import load
from companion.rules.conversation.errors import CompanionError
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
