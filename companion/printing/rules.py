"""A rulebook on paper: its articles in our own words, in two columns, with the options and figures of a table.

Of options and variants only those that are on are printed; the figures that a table has changed stand first, and where
an article names one.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final

from companion.articles import Article, Entry, load
from companion.drawing.typefaces import BOLD, MEDIUM, SEMIBOLD
from companion.printing.paper import EDGE, INK, POINT, QUIET, RULE, Paper
from companion.rules.conversation.asking import Json
from companion.rules.conversation.figures import Figure, FigureTable
from companion.rules.dice.variants import Variant
from companion.rules.rulebooks import RULEBOOKS, variants_shown
from companion.view.citing import listed, said_with
from companion.view.pages.comparison import changed_here
from companion.view.setup.new_race import figure_value, figure_words, rulebook_name
from companion.wording import Words

TITLE, HEAD, BODY, SMALL = 20.0, 12.0, 9.0, 7.5
GAP: Final = 8.0
"""Gap between the two columns, in mm."""
LEADING: Final = 1.32
"""Distance between lines, in sizes of type."""


def as_pdf(rulebook: str, figures: FigureTable, lang: str, name: str = "", *, letter: bool = False) -> bytes:
    """Return a rulebook as a PDF, with the figures of a table and under its `name`.

    The same gives the same file, byte by byte.
    """
    return _Printed(rulebook, figures, Words(lang, rulebook), name, letter).whole()


@dataclass(frozen=True)
class _Line:
    """A line of a column, so far to the right and so far above the next one, in mm; a `right` text ends it."""

    text: str
    size: float = BODY
    weight: int = MEDIUM
    ink: str = INK
    right: str = ""
    indent: float = 0.0
    after: float = 0.0

    @property
    def high(self) -> float:
        return self.size * POINT * LEADING + self.after


class _Printed:
    """A rulebook being drawn; `y` is how far down the column it has come."""

    def __init__(self, rulebook: str, figures: FigureTable, words: Words, name: str, letter: bool) -> None:
        self.rulebook, self.figures, self.words, self.name = rulebook, figures, words, name
        self.kind, self.book = RULEBOOKS[rulebook], load(rulebook)
        self.usual, self.here = list(self.kind.listed()), list(self.kind.listed(figures))
        self.title = rulebook_name(rulebook, words)
        self.paper = Paper(self.title, datetime(2000, 1, 1, tzinfo=UTC), "letter" if letter else "A4")
        self.wide = (self.paper.wide - 2 * EDGE - GAP) / 2
        self.bottom = self.paper.high - EDGE - 8
        self.column, self.top, self.y = 0, EDGE + 4, EDGE + 4

    def whole(self) -> bytes:
        """Return the document."""
        self._top()
        self._section("table", [self._paragraph(line) for line in self._option_lines()])
        self._section("articles", [self._entry(entry) for entry in self._articles()])
        self._section("open", [self._entry(entry) for entry in self.book.questions])
        idle = frozenset().union(*(one.all_figures for one in self._off()))
        self._section("figures", [self._figure(figure) for figure in self.here if figure.name not in idle])
        self._foot()
        return self.paper.whole()

    def say(self, key: str, **facts: Json) -> str:
        return self.words.screen(f"printed_rules.{key}", **facts)

    # -- what is told

    def _off(self) -> list[Variant]:
        """Return the variants that are off."""
        return [one for one in variants_shown(self.rulebook) if not getattr(self.figures, one.switch)]

    def _option_lines(self) -> Iterator[str]:
        """Draw what the table has on, and what it has changed."""
        changed = list(changed_here(self.rulebook, self.figures, self.words))
        yield from changed or [self.say("usual")]
        if off := self._off():
            yield self.say("off", titles=[self._titled(one.article) for one in off])

    def _titled(self, article: str) -> str:
        return listed(article, self.words)

    def _articles(self) -> Iterator[Article]:
        """Draw the articles, without those of options and variants that are off."""
        off = [one.article for one in self._off()]
        return (
            article
            for article in self.book.articles
            if not any(article.id == one or article.id.startswith(f"{one}-") for one in off)
        )

    def _entry(self, entry: Entry) -> list[_Line]:
        """Draw an article or open question: number, title, and its text at this table."""
        lang = self.words.lang
        heads = self.paper.broken(f"{entry.id}  {entry.title(lang)}", BODY, self.wide, BOLD)
        lines = [_Line(head, weight=BOLD) for head in heads]
        return [*lines, *self._paragraph(said_with(entry, self.usual, self.here, self.words))]

    def _figure(self, figure: Figure) -> list[_Line]:
        """Draw a figure: name and article, and its value at the right or beneath."""
        value = figure_value(figure.setup_value, self.words)
        label = f"{self._label(figure)} ({listed(figure.article, self.words)})"
        room = self.wide - self.paper.width(value, BODY, SEMIBOLD) - 3
        if room < self.wide / 3:
            return [*self._paragraph(label, after=0), *self._paragraph(value, weight=SEMIBOLD)]
        first, *rest = self.paper.broken(label, BODY, room)
        lines = [_Line(first, right=value), *(_Line(line) for line in rest)]
        return [*lines[:-1], _Line(lines[-1].text, right=lines[-1].right, after=0.8)]

    def _label(self, figure: Figure) -> str:
        return figure_words(figure, self.book, self.words)[0]

    def _paragraph(self, text: str, after: float = 2.2, weight: int = MEDIUM) -> list[_Line]:
        *lines, last = self.paper.broken(text, BODY, self.wide, weight)
        return [*(_Line(line, weight=weight) for line in lines), _Line(last, weight=weight, after=after)]

    # -- the sheets

    def _top(self) -> None:
        paper, right = self.paper, self.paper.wide - EDGE
        paper.text(self.name or self.title, EDGE, self.y, TITLE, weight=BOLD, room=right - EDGE)
        under = self.say("under", rulebook=self.title, count=len(list(self._articles())))
        paper.text(under, EDGE, self.y + 8, BODY + 1, weight=SEMIBOLD, ink=QUIET, room=right - EDGE)
        self.y = self.top = self.y + 16

    def _section(self, key: str, blocks: Sequence[Sequence[_Line]]) -> None:
        """Draw a heading and what stands under it, the heading with the first of it."""
        if not blocks:
            return
        head = _Line(self.say(key), HEAD, BOLD, after=1.6)
        for block in ([head, *blocks[0]], *blocks[1:]):
            self._block(block)
        self.y += 3

    def _block(self, lines: Sequence[_Line]) -> None:
        """Draw lines that stay together if a column has room for them."""
        high = sum(line.high for line in lines)
        if self.y + high > self.bottom and high < self.bottom - EDGE - 4:
            self._next_column()
        for line in lines:
            if self.y + line.high - line.after > self.bottom:
                self._next_column()
            x = EDGE + self.column * (self.wide + GAP) + line.indent
            middle = self.y + line.size * POINT * LEADING / 2
            self.paper.text(line.text, x, middle, line.size, weight=line.weight, ink=line.ink, room=self.wide)
            if line.right:
                self.paper.text(line.right, x + self.wide, middle, line.size, weight=SEMIBOLD, align="right")
            self.y += line.high

    def _next_column(self) -> None:
        if self.column:
            self._foot()
            self.paper.turn()
            self.top = EDGE + 4
        self.column = 1 - self.column
        self.y = self.top

    def _foot(self) -> None:
        paper, y, right = self.paper, self.paper.high - EDGE, self.paper.wide - EDGE
        paper.line([(EDGE, y - 4), (right, y - 4)], RULE)
        wide = paper.text(str(paper.sheets), right, y, SMALL, ink=QUIET, align="right")
        told = " · ".join(filter(None, (self.title, self.name)))
        paper.text(told, EDGE, y, SMALL, ink=QUIET, room=right - EDGE - wide - 6)
