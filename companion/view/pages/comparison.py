"""Differences between two rulebooks by chapter, for a player who knows one of them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final, Literal

from companion.articles import Article, Entry, load
from companion.comparison import MOMENTS, Comparison, FigurePair, Twins
from companion.rules.conversation.figures import Figure, FigureTable
from companion.rules.rulebooks import RULEBOOKS, variants_shown
from companion.view.citing import listed
from companion.view.setup.new_race import figure_value, figure_words, rulebook_name
from companion.view.shown import ViewModel
from companion.wording import Words, capital

Kind = Literal["figure", "other", "right", "left"]
"""Kinds of differences: a figure, a rule, and content of the new rulebook alone or of the known one alone."""
KINDS: Final[tuple[Kind, ...]] = ("figure", "other", "right", "left")
ARTICLES_NAMED: Final = 3
"""Number of articles of one side that are named before the others are counted."""
LONE_ARTICLES_NAMED: Final = 8
"""Number of articles named in a chapter that only one rulebook has, before the others are counted."""


class Difference(ViewModel, frozen=True, kw_only=True):
    """A difference: its title, articles, and texts with headings."""

    kind: Kind
    title: str
    cited: str
    said: tuple[tuple[str, str], ...]


class PhaseDifferences(ViewModel, frozen=True, kw_only=True):
    """The differences in one phase of a race, and the titles of what is alike."""

    title: str
    note: str
    alike: tuple[str, ...]
    differences: tuple[Difference, ...]


def summary(found: Comparison, words: Words) -> str:
    """Return a sentence on how alike two rulebooks are."""
    apart = [one for one in found.twins if not one.alike]
    return words.screen(
        "compare.summary",
        left=rulebook_name(found.left, words),
        right=rulebook_name(found.right, words),
        rules=sum(one.alike for one in found.twins),
        figures=sum(one.alike for one in found.figures),
        other=sum(bool(one.left and one.right) for one in apart),
        values=sum(bool(one.left and one.right) and not one.alike for one in found.figures),
        only_right=sum(len(one.right) for one in apart if not one.left),
        only_left=sum(len(one.left) for one in apart if not one.right),
    )


def chapters(found: Comparison, words: Words, having: str = "") -> list[PhaseDifferences]:
    """Return the chapters with content, in turn order.

    `having` limits them to articles found by id or words; figures are then left out.
    """
    twins = found.having(having, words.lang) if having else found.twins
    figures = () if having else found.figures
    made = []
    for moment in MOMENTS:
        alike = [one for one in twins if one.alike and one.moment == moment]
        apart = [*_figures(found, [one for one in figures if one.moment == moment], words)]
        apart += _rules(found, [one for one in twins if not one.alike and one.moment == moment], words)
        if alike or apart:
            made.append(
                PhaseDifferences(
                    title=capital(words.word("moment", moment)),
                    note=words.screen("compare.alike", count=len(alike)) if alike else "",
                    alike=tuple(_listed(one.right, words) for one in alike),
                    differences=tuple(sorted(apart, key=lambda one: KINDS.index(one.kind))),
                )
            )
    return made


def chapter_lines(
    chapter: PhaseDifferences, found: Comparison, words: Words, *, cites: bool
) -> Iterator[tuple[Kind, str]]:
    """Yield the differences of a chapter as lines.

    Rules that only one rulebook has share a line. With `cites`, lines name their articles.
    """

    def line(one: Difference) -> str:
        return f"{one.title} [{one.cited}]" if cites else one.title

    yield from ((one.kind, line(one)) for one in chapter.differences if one.kind in ("figure", "other"))
    for kind in KINDS[2:]:
        if alone := [line(one) for one in chapter.differences if one.kind == kind]:
            yield kind, f"{heading(kind, found, words)}{words.say('colon')}{several(alone, words, LONE_ARTICLES_NAMED)}"


def heading(kind: Kind, found: Comparison, words: Words) -> str:
    """Return the heading of a kind of difference."""
    book = rulebook_name(found.left if kind == "left" else found.right, words)
    return words.screen(f"compare.{'only' if kind in ('left', 'right') else kind}", rulebook=book)


def several(titles: Sequence[str], words: Words, first: int = ARTICLES_NAMED) -> str:
    """Return the first few titles, and how many more there are."""
    rest = len(titles) - first
    return ", ".join(titles) if rest < 2 else words.screen("compare.more", said=", ".join(titles[:first]), count=rest)


def changed_here(rulebook: str, figures: FigureTable, words: Words) -> Iterator[str]:
    """Yield a sentence per variant in use and per figure that this table has changed."""
    kind, book = RULEBOOKS[rulebook], load(rulebook)
    usual = {figure.name: figure.setup_value for figure in kind.listed()}
    shown = variants_shown(rulebook)
    for one in shown:
        if getattr(figures, one.switch):
            yield words.screen("printed_rules.on", title=listed(one.article, words))
    switches = {one.switch for one in shown}
    for figure in kind.listed(figures):
        if figure.setup_value != usual[figure.name] and figure.name not in switches:
            yield words.screen(
                "printed_rules.changed",
                name=figure_words(figure, book, words)[0],
                value=figure_value(figure.setup_value, words),
                usual=figure_value(usual[figure.name], words),
            )


def restated(entry: Entry, words: Words) -> list[str]:
    """Return a line per other rulebook that restates an article, with its twins."""
    if not isinstance(entry, Article):
        return []
    return [
        words.screen(
            "rules.twins",
            rulebook=rulebook_name(rulebook, words),
            titles=[f"{load(rulebook).get(twin).title(words.lang)} ({twin})" for twin in twins],
        )
        for rulebook, twins in entry.twins.items()
    ]


def _figures(found: Comparison, pairs: Sequence[FigurePair], words: Words) -> Iterator[Difference]:
    for pair in pairs:
        if pair.alike:
            continue
        kind: Kind = "figure" if pair.left and pair.right else "right" if pair.right else "left"
        sides = [
            (rulebook, figure)
            for rulebook, figure in ((found.left, pair.left), (found.right, pair.right))
            if figure is not None
        ]
        label, _ = figure_words(sides[-1][1], load(sides[-1][0]), Words(words.lang, sides[-1][0]))
        values = " → ".join(figure_value(figure.setup_value, words) for _, figure in sides)
        yield Difference(
            kind=kind,
            title=f"{label}{words.say('colon')}{values}",
            cited=" → ".join(dict.fromkeys(figure.article for _, figure in sides)),
            said=tuple(_figure_said(rulebook, figure, words) for rulebook, figure in sides),
        )


def _figure_said(rulebook: str, figure: Figure, words: Words) -> tuple[str, str]:
    """Return a rulebook's figure with the text of its article."""
    name, entries = rulebook_name(rulebook, words), load(rulebook).under(figure.article)
    head = f"{name} · {figure.article}{words.say('colon')}{figure_value(figure.setup_value, words)}"
    return head, entries[0].text(words.lang) if entries else ""


def _rules(found: Comparison, apart: Sequence[Twins], words: Words) -> Iterator[Difference]:
    for one in apart:
        sides = [articles for articles in (one.left, one.right) if articles]
        yield Difference(
            kind="other" if one.left and one.right else "right" if one.right else "left",
            title=" → ".join(_listed(articles, words) for articles in sides),
            cited=" → ".join(_numbers(articles) for articles in sides),
            said=(*_texts(found.left, one.left, words), *_texts(found.right, one.right, words)),
        )


def _texts(rulebook: str, articles: Sequence[Article], words: Words) -> list[tuple[str, str]]:
    name = rulebook_name(rulebook, words)
    return [(f"{name} · {one.id} · {one.title(words.lang)}", one.text(words.lang)) for one in articles]


def _listed(articles: Sequence[Article], words: Words) -> str:
    return several([one.title(words.lang) for one in articles], words)


def _numbers(articles: Sequence[Article]) -> str:
    """Return the id of a single article, or the first and last of several."""
    return articles[0].id if len(articles) == 1 else f"{articles[0].id} … {articles[-1].id}"
