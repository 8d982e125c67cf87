"""The rules: every article of a rulebook and how its open questions are ruled here, to be searched and read, or beside
the rulebook that somebody knows: what he has to learn."""

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
from companion.screens.widgets.dock import dock
from companion.screens.widgets.key import Face, Key
from companion.screens.widgets.keyboard import HIGH as KEYBOARD
from companion.screens.widgets.pane import Pane
from companion.screens.widgets.pen import BOLD, MEDIUM, SEMIBOLD, Pen
from companion.screens.widgets.rows import Rows, RowView
from companion.screens.widgets.theme import BODY, CAPTION, NAME, SMALL, TITLE, theme
from companion.screens.widgets.title_bar import HIGH, Title, TitleBar
from companion.screens.widgets.writing import Writing
from companion.sheets.export import file_name
from companion.sheets.place import EXPORTS, sticks
from companion.view.pages import comparison
from companion.view.setup.new_race import rulebook_name
from companion.view.shown import Field, Shown, Toast

if TYPE_CHECKING:
    from companion.desk import RaceDesk
    from companion.screens.app.app import CompanionApp
    from companion.wording import Words

LIST: Final = 320
"""The width of the list."""
NUMBER: Final = 76
"""The most that an article's number takes beside its title."""
FIELD: Final = 52
MARGIN: Final = 24
KEY: Final = 124
"""How wide a key in the bar is."""


class Head(Shown, frozen=True, kw_only=True):
    """A row of the list: an article's number and title, `below` it where numbers are long; or the head of a chapter."""

    number: str
    title: str
    chosen: bool = False
    below: bool = False
    chapter: bool = False


class HeadRow(RowView):
    """Shows a `Head`."""

    def draw(self, pen: Pen, shown: Head) -> None:
        if shown.chosen:
            self.choose(pen)
        ink, middle = "mid" if shown.chosen else "low", pen.h / 2
        if shown.chapter:
            wide = pen.text(shown.title, 14, middle, NAME, "hi", BOLD, room=pen.w - 24, cut=True)
            room = pen.w - wide - 34
            pen.text(shown.number, pen.w - 10, middle + 1, CAPTION, ink, SEMIBOLD, "right", room=room, cut=True)
            return
        if shown.below:
            pen.text(shown.title, 14, middle - 9, BODY, "hi", SEMIBOLD, room=pen.w - 24, floor=BODY, cut=True)
            pen.text(shown.number, 14, middle + 13, CAPTION, ink, SEMIBOLD, room=pen.w - 24)
            return
        left = 14 + max(pen.text(shown.number, 14, middle, CAPTION, ink, SEMIBOLD), 56) + 8
        pen.text(shown.title, left, middle, BODY, "hi", SEMIBOLD, room=pen.w - left - 10, floor=BODY, cut=True)


class Reading(Shown, frozen=True, kw_only=True):
    """What is to be read: the number and title of an article, its paragraphs, each with its heading if it has one, and
    who referees it."""

    number: str = ""
    title: str = ""
    said: tuple[tuple[str, str], ...] = ()
    foot: str = ""


class Line(NamedTuple):
    """A line of the list by its id: its row, and what is read when it is touched."""

    id: str
    head: Head
    read: Callable[[], Reading]


class Page(Pane):
    """Shows a `Reading`, as high as it needs to be."""

    def paint(self, pen: Pen) -> None:
        if isinstance(self.shown, Reading):
            self.height = theme.dp(self._write(pen, self.shown) + MARGIN)

    def _write(self, pen: Pen, read: Reading) -> float:
        room = pen.w - 2 * MARGIN
        pen.text(read.number, MARGIN, 24, SMALL, "low", SEMIBOLD)
        y = pen.paragraph(read.title, MARGIN, 54, TITLE, room, "hi", BOLD, 4, floor=TITLE)
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


class RulesScreen(Screen):
    """Opened with `rulebook` (else that of the race that is open), `article` (its id), `search` (words), or nothing.
    With `known`, the rulebook that somebody knows, it tells how the other differs; where that is empty it asks."""

    given: OfRules

    def __init__(self, app: CompanionApp, given: OfRules) -> None:
        super().__init__(app, given)
        self._known = sorted(articles.rulebooks(), key=list(RULEBOOKS).index)
        given.setdefault("rulebook", app.playing.rulebook or self._known[0])
        self._bar = TitleBar(app.back, keep=2 * KEY)
        self._compare = Key(on_tap=self._compared)
        self._print = Key(on_tap=self._printed)
        self._books = {name: Key(on_tap=partial(self._open, name)) for name in self._known}
        self._search = Writing(on_change=self._searched, capitals="none")
        self._rows = Rows(HeadRow, on_row=self._read)
        self._scroll = ScrollView(size_hint=(None, None), do_scroll_x=False, bar_width=theme.dp(4))
        self._page = Page()
        self._scroll.add_widget(self._page)
        self._lines: list[Line] = []
        self._beneath = float(HIGH)
        """Where the list and the article begin."""
        self._reveals = False
        """Whether the list is new, and is to show the article that is read."""
        self._listed: tuple[object, ...] = ()
        dock().fbind("parent", self.look_again)

    def leave(self) -> None:
        dock().funbind("parent", self.look_again)
        self._search.on_change = None  # Kivy never lets go of a line to write in; of this screen it shall
        self.remove_widget(self._search)

    # -- what is looked at

    def _find(self) -> None:
        """The lines of the list: all, or those searched for; the first one is read unless another one is."""
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

    def _articles(self, words: str) -> list[Line]:
        """The articles of the rulebook."""
        known, lang, width = articles.load(self.given["rulebook"]), theme.language, Pen.measuring().width
        below = any(width(entry.id, CAPTION, SEMIBOLD) > NUMBER for entry in known)
        return [
            Line(
                entry.id,
                Head(number=entry.id + entry.mark(lang), title=entry.title(lang), below=below),
                partial(self._article, entry),
            )
            for entry in (known.find(words, lang) if words else known)
        ]

    def _article(self, entry: Entry) -> Reading:
        lang = theme.language
        said = [("", entry.text(lang))]
        if isinstance(entry, OpenQuestion) and entry.switch:
            said.append(("", f"{self.say('rules.else')}{theme.words.say('colon')}{entry.switch_text(lang)}"))
        said += [("", line) for line in comparison.restated(entry, theme.words)]
        by = theme.words.word("refereed", entry.by) if isinstance(entry, Article) else self.say("rules.open")
        return Reading(number=entry.id, title=entry.title(lang), said=tuple(said), foot=by)

    def _differences(self, found: Comparison, searched: str) -> list[Line]:
        """How the rulebook differs from the one that is known: all at once, by chapter, and one by one."""
        words = theme.words
        chapters = comparison.chapters(found, words, searched)
        lines = [self._head(self.say("compare.all"), "", chapters, found)] if chapters else []
        for chapter in chapters:
            lines.append(self._head(chapter.title, chapter.note, [chapter], found))
            lines += [
                Line(
                    f"{chapter.title} {place}",
                    Head(number=comparison.heading(one.kind, found, words), title=one.title, below=True),
                    partial(Reading, number=one.cited, title=one.title, said=one.said),
                )
                for place, one in enumerate(chapter.differences)
            ]
        return lines

    def _head(self, title: str, note: str, chapters: list[comparison.Chapter], found: Comparison) -> Line:
        """The head of a chapter, or of all: read, it gives a line for each difference, and what is alike."""

        def read() -> Reading:
            words = theme.words
            said = [("", comparison.summary(found, words))] if len(chapters) > 1 else []
            for chapter in chapters:
                lines = [line for _, line in comparison.told(chapter, found, words, cites=False)]
                if len(chapters) == 1 and chapter.alike:
                    lines.append(f"{self.say('compare.same')}{words.say('colon')}{', '.join(chapter.alike)}")
                heads = [" · ".join(filter(None, (chapter.title, chapter.note)))] if len(chapters) > 1 else []
                said += [(head, line) for head, line in zip([*heads, *[""] * len(lines)], lines, strict=False)]
            return Reading(title=title, said=tuple(said))

        return Line(title, Head(number=note, title=title, chapter=True), read)

    def _ids(self) -> list[str]:
        return [line.id for line in self._lines]

    def _open(self, rulebook: str) -> None:
        """Read another rulebook; while one is compared, say which one is known."""
        if self.given.get("known") is None:
            self.given.update({"rulebook": rulebook, "article": ""})
        else:
            self.given.update({"known": rulebook, "article": ""})
        self._scroll.scroll_y = 1
        self.look_again()

    def _compared(self) -> None:
        """Begin to compare the rulebook with another one, or end that."""
        if self.given.pop("known", None) is None:
            self.given["known"] = ""
        self.given.update({"article": "", "search": ""})
        self._search.line.text = ""
        self._scroll.scroll_y = 1
        self.look_again()

    def _printed(self) -> None:
        """Write the rulebook as a PDF onto the stick, else into the exports: as the race that is open plays it, if it
        goes by it."""
        rulebook = self.given["rulebook"]
        if self.app.playing.seat is not None and self.app.playing.rulebook == rulebook:
            self.see(_played, lambda found: self._write(rulebook, *found))
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

    def _reading(self) -> Reading:
        line = next((line for line in self._lines if line.id == self.given["article"]), None)
        if line is not None:
            return line.read()
        if (known := self.given.get("known")) == "":
            return Reading(title=self.say("compare.with"))
        elsewhere = articles.places_of(self.given.get("search", ""), theme.language) if known is None else []
        names = [rulebook_name(name, theme.words) for name in elsewhere]
        said = [("", self.say("rules.elsewhere", rulebooks=names))] if names else []
        return Reading(title=self.say("rules.nothing"), said=tuple(said))

    # -- where everything is

    def arrange(self) -> None:
        self._find()
        known, name = self.given.get("known"), rulebook_name(self.given["rulebook"], theme.words)
        title = Title(text=self.say("rules.title"), note=self.say("rules.found", count=len(self._lines)))
        if known is not None:
            left = rulebook_name(known, theme.words) if known else "?"
            title = Title(text=self.say("compare.title", left=left, right=name))
        self._bar.show(title)
        self.put(self._bar, 0, 0, self.w, HIGH)
        self._print.show(Face(label=self.say("printed_rules.key"), icon="export", look="option"))
        self._compare.show(Face(label=self.say("compare.key"), look="option", chosen=known is not None))
        self.put_rows([self._print, self._compare], self.w - 2 * KEY, 0, 2 * KEY - 4, HIGH)
        typing = dock().parent is not None
        top, foot = float(HIGH), self.h - (KEYBOARD if typing else 0)
        if typing or len(self._books) == 1:
            self.clear_widgets(self._books.values())
        else:
            top = self._arrange_books(top)
        self._beneath = top
        self._search.show(
            Field(name="search", label=self.say("rules.search"), kind="text", value=self.given.get("search", ""))
        )
        self._search.line.hint_text = self.say("rules.search")
        self._search.line.hint_text_color = theme.rgba("low")
        self.put(self._search, 8, top + 8, LIST - 16, FIELD)
        top += FIELD + 16
        chosen = self.given["article"]
        self._rows.show([msgspec.structs.replace(line.head, chosen=line.id == chosen) for line in self._lines])
        self.put(self._rows, 0, top, LIST, foot - top)
        if self._reveals and chosen:
            self._rows.reveal(self._ids().index(chosen))
        self._reveals = False
        self._scroll.bar_color = theme.rgba("rim")
        self.put(self._scroll, LIST + 1, top - FIELD - 16, self.w - LIST - 1, foot - top + FIELD + 16)
        self._page.width = self._scroll.width
        self._page.show(self._reading())

    def _arrange_books(self, top: float) -> float:
        """A key for each rulebook; while one is compared, for each that may be known."""
        rulebook, known = self.given["rulebook"], self.given.get("known")
        for name, key in self._books.items():
            label = rulebook_name(name, theme.words)
            key.show(Face(label=label, look="option", chosen=name == (rulebook if known is None else known)))
        keys = [key for name, key in self._books.items() if known is None or name != rulebook]
        self.only(keys, of=self._books.values())
        self.put_rows(keys, 8, top + 8, self.w - 16, FIELD)
        return top + FIELD + 16

    def paint(self, pen: Pen) -> None:
        pen.fill(0, 0, pen.w, pen.h, "bg1")
        pen.fill(LIST, self._beneath, 1, pen.h - self._beneath, "line")
        if not self._lines and self.given.get("known") != "":
            pen.icon("search", LIST / 2, (self.top - self._rows.center_y) / theme.scale, 48, "low")


def _played(desk: RaceDesk, _: Words) -> tuple[FigureTable, str]:
    """The figures by which a race is played, and its name."""
    begun = desk.history.beginning
    return desk.rulebook.figures, begun.name if begun is not None else ""
