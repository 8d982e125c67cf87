"""The rules: every article of a rulebook and how its open questions are ruled here, to be searched and read."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Final

from kivy.uix.scrollview import ScrollView

from companion import articles
from companion.articles import Article, Entry, OpenQuestion
from companion.screens.app.screen import Screen
from companion.screens.app.visits import OfRules
from companion.screens.widgets.dock import dock
from companion.screens.widgets.key import Face, Key
from companion.screens.widgets.keyboard import HIGH as KEYBOARD
from companion.screens.widgets.pane import Pane
from companion.screens.widgets.pen import BOLD, MEDIUM, SEMIBOLD, Pen
from companion.screens.widgets.rows import Rows, RowView
from companion.screens.widgets.theme import BODY, CAPTION, SMALL, TITLE, theme
from companion.screens.widgets.title_bar import HIGH, Title, TitleBar
from companion.screens.widgets.writing import Writing
from companion.view.setup.new_race import rulebook_name
from companion.view.shown import Field, Shown

if TYPE_CHECKING:
    from companion.screens.app.app import CompanionApp

LIST: Final = 320
"""The width of the list."""
NUMBER: Final = 76
"""The most that an article's number takes beside its title."""
FIELD: Final = 52
MARGIN: Final = 24


class Head(Shown, frozen=True, kw_only=True):
    """A row of the list: an article's number and title, `below` it where numbers are long."""

    number: str
    title: str
    chosen: bool = False
    below: bool = False


class HeadRow(RowView):
    """Shows a `Head`."""

    def draw(self, pen: Pen, shown: Head) -> None:
        if shown.chosen:
            self.choose(pen)
        ink, middle = "mid" if shown.chosen else "low", pen.h / 2
        if shown.below:
            pen.text(shown.title, 14, middle - 9, BODY, "hi", SEMIBOLD, room=pen.w - 24, floor=BODY, cut=True)
            pen.text(shown.number, 14, middle + 13, CAPTION, ink, SEMIBOLD, room=pen.w - 24)
            return
        left = 14 + max(pen.text(shown.number, 14, middle, CAPTION, ink, SEMIBOLD), 56) + 8
        pen.text(shown.title, left, middle, BODY, "hi", SEMIBOLD, room=pen.w - left - 10, floor=BODY, cut=True)


class Reading(Shown, frozen=True, kw_only=True):
    """An article to be read: its number and title, its paragraphs, and who referees it."""

    number: str = ""
    title: str = ""
    said: tuple[str, ...] = ()
    foot: str = ""


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
        for paragraph in read.said:
            for line in pen.broken(paragraph, BODY, MEDIUM, room):
                pen.text(line, MARGIN, y, BODY, "hi", MEDIUM)
                y += 26
            y += 12
        pen.text(read.foot, MARGIN, y + 2, CAPTION, "low", SEMIBOLD)
        return y + 10


class RulesScreen(Screen):
    """Opened with `rulebook` (else that of the race that is open), `article` (its id), `search` (words), or nothing."""

    given: OfRules

    def __init__(self, app: CompanionApp, given: OfRules) -> None:
        super().__init__(app, given)
        self._known = articles.rulebooks()
        given.setdefault("rulebook", app.playing.rulebook or self._known[0])
        self._bar = TitleBar(app.back)
        self._books = {name: Key(on_tap=partial(self._open, name)) for name in self._known}
        self._search = Writing(on_change=self._searched, capitals="none")
        self._rows = Rows(HeadRow, on_row=self._read)
        self._scroll = ScrollView(size_hint=(None, None), do_scroll_x=False, bar_width=theme.dp(4))
        self._page = Page()
        self._scroll.add_widget(self._page)
        self._found: list[Entry] = []
        self._beneath = float(HIGH)
        """Where the list and the article begin."""
        self._below = False
        """Whether a number of the rulebook is too long to stand beside its title."""
        self._reveals = False
        """Whether the list is new, and is to show the article that is read."""
        self._listed: tuple[object, ...] = ()
        dock().fbind("parent", self.look_again)

    def leave(self) -> None:
        dock().funbind("parent", self.look_again)
        self._search.on_change = None  # Kivy never lets go of a line to write in; of this screen it shall
        self.remove_widget(self._search)

    # -- what is looked at

    @property
    def _articles(self) -> articles.Articles:
        return articles.load(self.given["rulebook"])

    def _find(self) -> None:
        """The entries that are listed: all, or those searched for; the first one is read unless another one is."""
        words = self.given.get("search", "").strip()
        known = self._articles
        if self._listed == (self.given["rulebook"], words, theme.language):
            return
        self._listed = (self.given["rulebook"], words, theme.language)
        width = Pen.measuring().width
        self._below = any(width(entry.id, CAPTION, SEMIBOLD) > NUMBER for entry in known)
        self._reveals = True
        self._found = known.find(words, theme.language) if words else list(known)
        if self.given.get("article") not in known or (words and self.given["article"] not in self._ids()):
            self.given["article"] = self._found[0].id if self._found else ""

    def _ids(self) -> list[str]:
        return [entry.id for entry in self._found]

    def _open(self, rulebook: str) -> None:
        self.given.update({"rulebook": rulebook, "article": ""})
        self.look_again()

    def _searched(self, text: str) -> None:
        self.given["search"] = text
        self.look_again()

    def _read(self, index: int) -> None:
        self.given["article"] = self._found[index].id
        self._scroll.scroll_y = 1
        self.look_again()

    def _reading(self) -> Reading:
        if not self.given["article"]:
            return Reading(title=self.say("rules.nothing"))
        entry, lang = self._articles.get(self.given["article"]), theme.language
        said = [entry.text(lang)]
        if isinstance(entry, OpenQuestion) and entry.switch:
            said.append(f"{self.say('rules.else')}{theme.words.say('colon')}{entry.switch_text(lang)}")
        by = theme.words.word("refereed", entry.by) if isinstance(entry, Article) else self.say("rules.open")
        return Reading(number=entry.id, title=entry.title(lang), said=tuple(said), foot=by)

    # -- where everything is

    def arrange(self) -> None:
        self._find()
        self._bar.show(Title(text=self.say("rules.title"), note=self.say("rules.found", count=len(self._found))))
        self.put(self._bar, 0, 0, self.w, HIGH)
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
        lang = theme.language
        heads = [Head(number=e.id, title=e.title(lang), chosen=e.id == chosen, below=self._below) for e in self._found]
        self._rows.show(heads)
        self.put(self._rows, 0, top, LIST, foot - top)
        if self._reveals and chosen:
            self._rows.reveal(self._ids().index(chosen))
        self._reveals = False
        self._scroll.bar_color = theme.rgba("rim")
        self.put(self._scroll, LIST + 1, top - FIELD - 16, self.w - LIST - 1, foot - top + FIELD + 16)
        self._page.width = self._scroll.width
        self._page.show(self._reading())

    def _arrange_books(self, top: float) -> float:
        for name, key in self._books.items():
            label = rulebook_name(name, theme.words)
            key.show(Face(label=label, look="option", chosen=name == self.given["rulebook"]))
        self.put_rows(self._books.values(), 8, top + 8, self.w - 16, FIELD)
        return top + FIELD + 16

    def paint(self, pen: Pen) -> None:
        pen.fill(0, 0, pen.w, pen.h, "bg1")
        pen.fill(LIST, self._beneath, 1, pen.h - self._beneath, "line")
        if not self._found:
            pen.icon("search", LIST / 2, (self.top - self._rows.center_y) / theme.scale, 48, "low")
