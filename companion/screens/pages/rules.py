"""The rules: every article of a rulebook, with the rulings on its open questions.

They can be searched and read, or compared with a rulebook that the reader knows, to show what to learn.
"""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Final, NamedTuple

import msgspec
from kivy.clock import Clock
from kivy.uix.scrollview import ScrollView

from companion import articles, whole_file
from companion.articles import Article, Entry, OpenQuestion
from companion.comparison import Comparison, compare
from companion.rules.conversation.errors import CompanionError
from companion.rules.conversation.figures import FigureTable
from companion.rules.rulebooks import RULEBOOKS
from companion.screens.app.screen import Screen
from companion.screens.app.visits import OfRules
from companion.screens.kit.compose import Area, Composed, Ui
from companion.screens.kit.dock import dock
from companion.screens.kit.key import Face
from companion.screens.kit.keyboard import HIGH as KEYBOARD
from companion.screens.kit.pane import Pane
from companion.screens.kit.pen import BOLD, MEDIUM, SEMIBOLD, Pen
from companion.screens.kit.rows import Rows, RowView
from companion.screens.kit.theme import BODY, CAPTION, NAME, SMALL, TITLE, theme
from companion.screens.kit.writing import Writing
from companion.sheets.export import file_name
from companion.sheets.place import EXPORTS, sticks
from companion.view.citing import listed
from companion.view.pages import comparison
from companion.view.setup.new_race import rulebook_name
from companion.view.shown import Field, Toast, ViewModel

if TYPE_CHECKING:
    from companion.desk import RaceDesk
    from companion.screens.app.app import CompanionApp
    from companion.wording import Words

LIST: Final = 320
"""Width of the list, in dp."""
NUMBER: Final = 76
"""Maximum width of an article's number beside its title, in dp."""
FIELD: Final = 52
MARGIN: Final = 24
KEY: Final = 124
"""Width of a key in the bar, in dp."""


class ArticleHead(ViewModel, frozen=True, kw_only=True):
    """A row of the list: an article's number and title, or the head of a chapter.

    `below` puts the title under a long number.
    """

    number: str
    title: str
    chosen: bool = False
    below: bool = False
    chapter: bool = False


class HeadRow(RowView):
    """A row that shows an `ArticleHead`."""

    def draw(self, pen: Pen, shown: ArticleHead) -> None:
        if shown.chosen:
            self.choose(pen)
        ink, middle = "mid" if shown.chosen else "low", pen.h / 2
        if shown.chapter:
            wide = pen.text(shown.title, 14, middle, NAME, "hi", BOLD, room=pen.w - 24, cut=True)
            room = pen.w - wide - 34
            pen.text(shown.number, pen.w - 10, middle + 1, CAPTION, ink, SEMIBOLD, "right", room=room, cut=True)
            return
        if shown.below or not shown.number:
            line = middle - 9 if shown.number else middle
            pen.text(shown.title, 14, line, BODY, "hi", SEMIBOLD, room=pen.w - 24, floor=BODY, cut=True)
            pen.text(shown.number, 14, middle + 13, CAPTION, ink, SEMIBOLD, room=pen.w - 24)
            return
        left = 14 + max(pen.text(shown.number, 14, middle, CAPTION, ink, SEMIBOLD), 56) + 8
        pen.text(shown.title, left, middle, BODY, "hi", SEMIBOLD, room=pen.w - left - 10, floor=BODY, cut=True)


def article_number(article: str) -> str:
    """Return an article's number, "" for a named one: its title says all that a reader needs."""
    return listed(article, theme.words) if not article[:1].isalpha() or " " in article else ""


def number_with_mark(entry: Entry) -> str:
    """Return an entry's number with its mark, or either of them."""
    number, mark = article_number(entry.id), entry.mark(theme.language)
    return number + mark if number else mark.removeprefix(" · ")


class ArticleText(ViewModel, frozen=True, kw_only=True):
    """A text to read: an article's number and title, its paragraphs, and its referee.

    A paragraph has a heading, or an empty one.
    """

    number: str = ""
    title: str = ""
    said: tuple[tuple[str, str], ...] = ()
    foot: str = ""


class ListLine(NamedTuple):
    """A line of the list: its id, its row, and a function that makes its text."""

    id: str
    head: ArticleHead
    read: Callable[[], ArticleText]


class ArticlePage(Pane):
    """A page that shows an `ArticleText`, as high as it needs to be."""

    def paint(self, pen: Pen) -> None:
        if isinstance(self.shown, ArticleText):
            self.height = theme.dp(self._write(pen, self.shown) + MARGIN)

    def _write(self, pen: Pen, read: ArticleText) -> float:
        room = pen.w - 2 * MARGIN
        pen.text(read.number, MARGIN, 24, SMALL, "low", SEMIBOLD)
        y = pen.paragraph(read.title, MARGIN, 54 if read.number else 30, TITLE, room, "hi", BOLD, 4, floor=TITLE)
        y += 8
        for heading, paragraph in read.said:
            if heading:
                y = pen.paragraph(heading, MARGIN, y, SMALL, room, "mid", BOLD, 2, floor=SMALL) + 4
            for line in pen.broken(paragraph, BODY, MEDIUM, room):
                pen.text(line, MARGIN, y, BODY, "hi", MEDIUM)
                y += 26
            y += 12
        pen.text(read.foot, MARGIN, y + 2, CAPTION, "low", SEMIBOLD)
        return y + 10


class RulesScreen(Composed, Screen):
    """The articles of a rulebook, or its differences from a known one.

    It opens with `rulebook` (by default that of the open race), and optionally `article` (an id) or `search` (words).
    With `known`, a rulebook, it shows the differences; if that is empty, it asks for one.
    """

    given: OfRules

    def __init__(self, app: CompanionApp, given: OfRules) -> None:
        super().__init__(app, given)
        self._known = sorted(articles.rulebooks(), key=list(RULEBOOKS).index)
        given.setdefault("rulebook", app.playing.rulebook or self._known[0])
        self._search = Writing(on_change=self._searched, capitals="none")
        self._rows = Rows(HeadRow, on_row=self._read)
        self._scroll = ScrollView(size_hint=(None, None), do_scroll_x=False, bar_width=theme.dp(4))
        self._page = ArticlePage()
        self._scroll.add_widget(self._page)
        self._lines: list[ListLine] = []
        self._reveals = False
        """True if the list is new, and should scroll to the open article."""
        self._listed: tuple[object, ...] = ()
        dock().fbind("parent", self.look_again)

    def leave(self) -> None:
        dock().funbind("parent", self.look_again)
        self._search.on_change = None  # Kivy never lets go of a line to write in; of this screen it shall
        self.remove_widget(self._search)

    # -- what is looked at

    def _find(self) -> None:
        """List all lines, or those that match the search.

        The first is read, unless another is.
        """
        words = self.given.get("search", "").strip()
        listed = (self.given["rulebook"], self.given.get("known"), words, theme.language)
        if self._listed == listed:
            return
        self._listed = listed
        self._reveals = True
        known = self.given.get("known")
        if known is None:
            self._lines = self._articles(words)
        else:
            self._lines = self._differences(compare(known, self.given["rulebook"]), words) if known else []
        if self.given.get("article") not in self._ids():
            self.given["article"] = self._lines[0].id if self._lines else ""

    def _articles(self, words: str) -> list[ListLine]:
        """Return the lines of the rulebook's articles."""
        known, lang, width = articles.load(self.given["rulebook"]), theme.language, Pen.measuring().width
        below = any(width(entry.id, CAPTION, SEMIBOLD) > NUMBER for entry in known)
        return [
            ListLine(
                entry.id,
                ArticleHead(number=number_with_mark(entry), title=entry.title(lang), below=below),
                partial(self._article, entry),
            )
            for entry in (known.find(words, lang) if words else known)
        ]

    def _article(self, entry: Entry) -> ArticleText:
        lang = theme.language
        said = [("", entry.text(lang))]
        if isinstance(entry, OpenQuestion) and entry.switch:
            said.append(("", f"{self.say('rules.else')}{theme.words.say('colon')}{entry.switch_text(lang)}"))
        said += [("", line) for line in comparison.restated(entry, theme.words)]
        by = theme.words.word("refereed", entry.by) if isinstance(entry, Article) else self.say("rules.open")
        return ArticleText(number=article_number(entry.id), title=entry.title(lang), said=tuple(said), foot=by)

    def _differences(self, found: Comparison, searched: str) -> list[ListLine]:
        """Return the differences from the known rulebook.

        They come all at once, by chapter and one by one.
        """
        words = theme.words
        chapters = comparison.chapters(found, words, searched)
        lines = [self._head(self.say("compare.all"), "", chapters, found)] if chapters else []
        for chapter in chapters:
            lines.append(self._head(chapter.title, chapter.note, [chapter], found))
            lines += [
                ListLine(
                    f"{chapter.title} {place}",
                    ArticleHead(number=comparison.heading(one.kind, found, words), title=one.title, below=True),
                    partial(ArticleText, number=one.cited, title=one.title, said=one.said),
                )
                for place, one in enumerate(chapter.differences)
            ]
        return lines

    def _head(self, title: str, note: str, chapters: list[comparison.PhaseDifferences], found: Comparison) -> ListLine:
        """Return a line for some chapters, with each difference and what is alike."""

        def read() -> ArticleText:
            words = theme.words
            said = [("", comparison.summary(found, words))] if len(chapters) > 1 else []
            for chapter in chapters:
                lines = [line for _, line in comparison.chapter_lines(chapter, found, words, cites=False)]
                if len(chapters) == 1 and chapter.alike:
                    lines.append(f"{self.say('compare.same')}{words.say('colon')}{', '.join(chapter.alike)}")
                heads = [" · ".join(filter(None, (chapter.title, chapter.note)))] if len(chapters) > 1 else []
                said += [(head, line) for head, line in zip([*heads, *[""] * len(lines)], lines, strict=False)]
            return ArticleText(title=title, said=tuple(said))

        return ListLine(title, ArticleHead(number=note, title=title, chapter=True), read)

    def _ids(self) -> list[str]:
        return [line.id for line in self._lines]

    def _open(self, rulebook: str) -> None:
        """Read another rulebook; while comparing, set the known one."""
        if self.given.get("known") is None:
            self.given.update({"rulebook": rulebook, "article": ""})
        else:
            self.given.update({"known": rulebook, "article": ""})
        self._scroll.scroll_y = 1
        self.look_again()

    def _compared(self) -> None:
        """Start to compare with another rulebook, or stop."""
        if self.given.pop("known", None) is None:
            self.given["known"] = ""
        self.given.update({"article": "", "search": ""})
        self._search.line.text = ""
        self._scroll.scroll_y = 1
        self.look_again()

    def _printed(self) -> None:
        """Write the rulebook as a PDF to a USB stick, else to the exports.

        If the open race uses this rulebook, the PDF has its figures.
        """
        rulebook = self.given["rulebook"]
        if self.app.playing.seat is not None and self.app.playing.rulebook == rulebook:
            self.see(_race_figures, lambda found: self._write(rulebook, *found))
        else:
            self._write(rulebook, RULEBOOKS[rulebook].figure_table()(), "")

    def _write(self, rulebook: str, figures: FigureTable, name: str) -> None:
        words = theme.words

        def write() -> None:
            from companion.printing.rules import as_pdf  # what prints takes long to import

            folder = next(iter(sticks()), self.app.folder / EXPORTS)
            file = file_name(" ".join(filter(None, (rulebook_name(rulebook, words), name))), "pdf")
            said: Toast | CompanionError
            try:
                with contextlib.suppress(OSError):  # then it cannot be written either
                    folder.mkdir(parents=True, exist_ok=True)
                whole_file.write_out(folder / file, as_pdf(rulebook, figures, words.lang, name))
                said = Toast(text=words.screen("doctor.written", path=f"{folder.name}/{file}"), tone="ok", icon="check")
            except CompanionError as wrong:
                said = wrong
            Clock.schedule_once(lambda _: self.app.tell(said))

        threading.Thread(target=write, name="rulebook", daemon=True).start()

    def _searched(self, text: str) -> None:
        self.given["search"] = text
        self.look_again()

    def _read(self, index: int) -> None:
        self.given["article"] = self._lines[index].id
        self._scroll.scroll_y = 1
        self.look_again()

    def _reading(self) -> ArticleText:
        line = next((line for line in self._lines if line.id == self.given["article"]), None)
        if line is not None:
            return line.read()
        if (known := self.given.get("known")) == "":
            return ArticleText(title=self.say("compare.with"))
        elsewhere = articles.places_of(self.given.get("search", ""), theme.language) if known is None else []
        names = [rulebook_name(name, theme.words) for name in elsewhere]
        said = [("", self.say("rules.elsewhere", rulebooks=names))] if names else []
        return ArticleText(title=self.say("rules.nothing"), said=tuple(said))

    # -- what is shown

    def compose(self, ui: Ui) -> None:
        self._find()
        ui.fill(ui.area, "bg1")
        known, name = self.given.get("known"), rulebook_name(self.given["rulebook"], theme.words)
        title, note = self.say("rules.title"), self.say("rules.found", count=len(self._lines))
        if known is not None:
            left = rulebook_name(known, theme.words) if known else "?"
            title, note = self.say("compare.title", left=left, right=name), ""
        keys = ui.title(title, self.app.back, note, keep=2 * KEY)
        keys.cut_right(4)
        printing, comparing = keys.columns(2)
        face = Face(label=self.say("printed_rules.key"), icon="export", look="option")
        ui.button(printing, "print", face, self._printed)
        face = Face(label=self.say("compare.key"), look="option", chosen=known is not None)
        ui.button(comparing, "compare", face, self._compared)
        typing = dock().parent is not None
        if not typing and len(self._known) > 1:
            self._compose_books(ui, ui.area.cut_top(FIELD + 16).inset(8, 8))
        ui.fill(Area(LIST, ui.area.y, 1, ui.area.h), "line")
        if typing:
            ui.area.cut_bottom(KEYBOARD)
        self._compose_list(ui, ui.area.cut_left(LIST))
        ui.area.cut_left(1)
        self._scroll.bar_color = theme.rgba("rim")
        ui.place(ui.area, self._scroll)
        self._page.width = self._scroll.width
        self._page.show(self._reading())

    def _compose_books(self, ui: Ui, row: Area) -> None:
        """Compose a key for each rulebook, or for each that may be known."""
        rulebook, known = self.given["rulebook"], self.given.get("known")
        names = [name for name in self._known if known is None or name != rulebook]
        for cell, name in zip(row.columns(len(names)), names, strict=True):
            label, chosen = rulebook_name(name, theme.words), rulebook if known is None else known
            ui.button(cell, name, Face(label=label, look="option", chosen=name == chosen), partial(self._open, name))

    def _compose_list(self, ui: Ui, area: Area) -> None:
        """Compose the search and the list of what it finds."""
        label = self.say("rules.search")
        self._search.show(Field(name="search", label=label, kind="text", value=self.given.get("search", "")))
        self._search.line.hint_text = label
        self._search.line.hint_text_color = theme.rgba("low")
        ui.place(area.cut_top(FIELD + 16).inset(8, 8), self._search)
        chosen = self.given["article"]
        self._rows.show([msgspec.structs.replace(line.head, chosen=line.id == chosen) for line in self._lines])
        ui.place(area, self._rows)
        if self._reveals and chosen:
            self._rows.reveal(self._ids().index(chosen))
        self._reveals = False
        if not self._lines and self.given.get("known") != "":
            ui.icon(area, "search", 48, "low")


def _race_figures(desk: RaceDesk, _: Words) -> tuple[FigureTable, str]:
    """Return the figures that a race is played with, and its name."""
    return desk.rulebook.figures, desk.history.name
