"""The figures and switches of a rulebook, to be looked at and changed before a race."""

from __future__ import annotations

import contextlib
from typing import Literal

from companion.articles import Articles, OpenQuestion
from companion.articles import load as load_articles
from companion.rules.conversation.asking import Json
from companion.rules.conversation.errors import CompanionError
from companion.rules.conversation.figures import Figure
from companion.rules.rulebooks import RULEBOOKS
from companion.view.citing import listed
from companion.view.draft import Draft
from companion.view.shown import Shown
from companion.wording import Words
from companion.wording.filling import MissingWords


class FigureRow(Shown, frozen=True, kw_only=True):
    """One figure or switch: a stepper, a switch, or a table of cells: of figures, or of some of the `words`. `article`
    is as it is cited."""

    name: str
    label: str
    article: str
    note: str = ""
    proposed: bool = False
    changed: bool = False
    kind: Literal["number", "switch", "table", "words"] = "number"
    value: Json = None
    usual: Json = None
    low: int = 0
    high: int = 99
    words: tuple[str, ...] = ()


def figure_rows(draft: Draft, words: Words) -> list[FigureRow]:
    """Every figure and switch of the rulebook; those that are proposed rather than found first."""
    articles = load_articles(draft.rulebook)
    own = Words(words.lang, draft.rulebook)  # the words of the race that is made, whatever race is open
    rows = []
    figures = sorted(RULEBOOKS[draft.rulebook].listed(), key=lambda figure: not figure.proposed)
    for figure in figures:
        usual = figure.said
        value = draft.options.get(figure.name, usual)
        label, note = _figure_words(figure, articles, words)
        kind: Literal["number", "switch", "table", "words"] = "words" if figure.words else "table"
        if isinstance(usual, int):
            kind = "switch" if isinstance(usual, bool) else "number"
        rows.append(
            FigureRow(
                name=figure.name,
                label=label,
                article=listed(figure.article, own),
                note=note,
                proposed=figure.proposed,
                changed=figure.name in draft.options,
                kind=kind,
                value=value,
                usual=usual,
                low=figure.low or 0,
                high=99 if figure.high is None else figure.high,
                words=figure.words,
            )
        )
    return rows


def _figure_words(figure: Figure, articles: Articles, words: Words) -> tuple[str, str]:
    """What a figure is called and what its article says: its own words, what its switch means when it is on, the title
    of its article, or the name that it has in a setup."""
    name = figure.name.replace("_", " ").capitalize()
    try:
        entry = articles.get(figure.article)
    except CompanionError:
        entry = None
    if isinstance(entry, OpenQuestion) and entry.switch == figure.name:
        return entry.switch_text(words.lang), ""
    text = entry.text(words.lang) if entry is not None else ""
    with contextlib.suppress(MissingWords):
        return words.screen(f"figure.{figure.name}"), text
    return f"{entry.title(words.lang)} ({name})" if entry is not None else name, text


def cells(value: Json) -> list[tuple[tuple[int, ...], Json]]:
    """The figures or words of a table, each with where it stands."""
    found: list[tuple[tuple[int, ...], Json]] = []
    for at, inner in enumerate(value):
        if isinstance(inner, list):
            found += [((at, *deeper), one) for deeper, one in cells(inner)]
        else:
            found.append(((at,), inner))
    return found


def with_cell(value: Json, at: tuple[int, ...], one: Json) -> Json:
    """A table with one figure or word changed."""
    first, *rest = at
    return [
        (with_cell(inner, tuple(rest), one) if rest else one) if place == first else inner
        for place, inner in enumerate(value)
    ]
