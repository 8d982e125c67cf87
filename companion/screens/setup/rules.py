"""Which rules a race goes by, and the figures and switches that a table may change."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, Final

from kivy.uix.scrollview import ScrollView

from companion.house_rules import LONGEST_NAME, HouseRules
from companion.rules.conversation.asking import Json
from companion.rules.rulebooks import RULEBOOKS
from companion.screens.setup.step import Change, Step
from companion.screens.widgets.field_rows import FieldRows
from companion.screens.widgets.key import Face, Key
from companion.screens.widgets.pane import Pane
from companion.screens.widgets.pen import BOLD, SEMIBOLD, Pen
from companion.screens.widgets.rows import Rows, RowView
from companion.screens.widgets.theme import BODY, CAPTION, NAME, SMALL, theme
from companion.screens.widgets.writing import Writing
from companion.view.setup.new_race import (
    FigureRow,
    cells,
    figure_rows,
    figure_value,
    house_of,
    rulebook_name,
    rulebooks,
    under_headings,
    with_cell,
)
from companion.view.shown import Field, Shown

LEFT: Final = 226
HEAD: Final = 30
ROW: Final = 76
NOTE_PITCH: Final = 17
MARGIN: Final = 14


class BookRow(Shown, frozen=True, kw_only=True):
    """A rulebook in the list, or house rules with the rulebook that they change as `note`."""

    name: str
    label: str
    note: str = ""
    chosen: bool


class BookRowView(RowView):
    """Draws a `BookRow`."""

    def draw(self, pen: Pen, shown: BookRow) -> None:
        if shown.chosen and not self.pressed:
            pen.fill(0, 0, pen.w, pen.h, "bg3")
        right = pen.w - 14
        if shown.chosen:
            pen.icon("check", right - 10, pen.h / 2, 22, "hi")
            right -= 28
        lift = 10 if shown.note else 0
        pen.text(shown.label, 14, pen.h / 2 - lift, NAME, "hi", SEMIBOLD, room=right - 14, cut=bool(shown.note))
        pen.text(shown.note, 14, pen.h / 2 + 14, CAPTION, "mid", SEMIBOLD, room=right - 14)


class FigureView(RowView):
    """Draws a `FigureRow`, chosen or not."""

    def draw(self, pen: Pen, shown: tuple[FigureRow, bool]) -> None:
        figure, chosen = shown
        if figure.kind == "heading":
            pen.text(figure.label, 14, pen.h - 20, BODY, "mid", BOLD, room=pen.w - 28)
            return
        if chosen and not self.pressed:
            pen.fill(0, 0, pen.w, pen.h, "bg3")
        right = pen.w - 16
        value = said(figure.value)
        token = "warn" if figure.changed else "hi"
        wide = min(pen.width(value, NAME, BOLD), 110)
        pen.text(value, right, pen.h / 2, NAME, token, BOLD, "right", room=112, cut=True)
        room = right - wide - 26
        words = theme.words
        told = figure.article == figure.label and not figure.changed and bool(figure.note)
        article = figure.note if told else figure.article
        if figure.proposed:
            article = f"{article} · {words.screen('new_race.proposed')}"
        if figure.changed:
            article = f"{article} · {words.screen('new_race.changed_from', usual=said(figure.usual))}"
        one = pen.width(figure.label, BODY, SEMIBOLD) <= room
        if one:
            pen.text(figure.label, 14, pen.h / 2 - 11, BODY, "hi", SEMIBOLD)
        else:
            first, *rest = pen.broken(figure.label, SMALL, SEMIBOLD, room)
            pen.text(first, 14, pen.h / 2 - 22, SMALL, "hi", SEMIBOLD, room=room)
            pen.text(" ".join(rest), 14, pen.h / 2 - 3, SMALL, "hi", SEMIBOLD, room=room, cut=True)
        token = "info" if figure.proposed else "mid"
        y = pen.h / 2 + (13 if one else 23)
        pen.text(article, 14, y, CAPTION, token, SEMIBOLD, room=room, cut=True)


class Note(Pane):
    """Shows what a switch brings, as high as that needs to be."""

    def paint(self, pen: Pen) -> None:
        lines = pen.broken(self.shown or "", CAPTION, SEMIBOLD, pen.w - 2 * MARGIN)
        for place, line in enumerate(lines):
            pen.text(line, MARGIN, (place + 0.5) * NOTE_PITCH, CAPTION, "mid", SEMIBOLD)
        self.height = theme.dp(len(lines) * NOTE_PITCH + 4)


def said(value: Json) -> str:
    """Return a figure as people write it."""
    return figure_value(value, theme.words)


class RulesStep(Step):
    """Rulebooks at the left, the figures of the chosen one at the right; a figure that is touched is changed at the
    left, until it is touched again."""

    def __init__(
        self,
        on_change: Change,
        saved: Callable[[], list[HouseRules]],
        keep: Callable[[HouseRules], object],
        **properties: Any,
    ) -> None:
        super().__init__(on_change, **properties)
        self.figure, self.names, self._saved, self._keep = "", False, saved, keep
        self.save = Key(on_tap=self._name)
        self.name = Writing(on_done=self._named, needed=True)
        self.books = Rows(BookRowView, self._book)
        self.figures = Rows(FigureView, self._figure, high=ROW)
        self.steps = FieldRows(self._cell)
        self.scroll = ScrollView(do_scroll_x=False, size_hint=(None, None))
        self.scroll.add_widget(self.steps)
        self.note = Note()
        self.reading = ScrollView(do_scroll_x=False, size_hint=(None, None), bar_width=theme.dp(4))
        self.reading.add_widget(self.note)
        self.switch = [Key(on_tap=partial(self._set, value)) for value in (False, True)]
        self.words: list[Key] = []
        self.usual = Key(on_tap=self._usual)

    def back(self) -> bool:
        if self.names:
            self.names = False
            self.look_again()
            return True
        if self.figure:
            self.figure = ""
            self.look_again()
            return True
        return False

    @property
    def row(self) -> FigureRow | None:
        """The figure that is being changed."""
        return next((row for row in figure_rows(self.draft, theme.words) if row.name == self.figure), None)

    def _book(self, place: int) -> None:
        house = self._saved()
        if place < len(house):
            self.on_change(self.draft.going_by_house(house[place]))
            return
        name = list(RULEBOOKS)[place - len(house)]
        if name != self.draft.rulebook or house_of(self.draft, house):
            self.on_change(self.draft.going_by(name))

    def _name(self) -> None:
        """Ask under which name the figures are to be kept."""
        self.names, self.name.line.text = True, ""
        self.draw_now()
        self.name.line.focus = True

    def _named(self, text: str) -> None:
        if text.strip():
            self.name.line.focus = False
            self._keep(HouseRules(text.strip(), self.draft.rulebook, dict(self.draft.options)))
            self.names = False
            self.look_again()

    def _figure(self, place: int) -> None:
        name = under_headings(figure_rows(self.draft, theme.words), theme.words)[place].name
        self.figure = "" if name == self.figure else name
        self.reading.scroll_y = 1
        self.look_again()

    def _set(self, value: Json) -> None:
        figure = next(one for one in RULEBOOKS[self.draft.rulebook].listed() if one.name == self.figure)
        self.on_change(self.draft.set_figure(figure, value))

    def _usual(self) -> None:
        if (row := self.row) is not None:
            self._set(row.usual)

    def _cell(self, name: str, value: int) -> None:
        row = self.row
        if row is not None and row.kind in ("number", "table") and name in {field.name for field in _fields(row)}:
            at = tuple(int(part) for part in name.split(".") if part)
            self._set(with_cell(row.value, at, value) if at else value)

    def _word(self, place: int) -> None:
        """The next word for a cell of a table of words."""
        row = self.row
        if row is not None and row.kind == "words":
            at, word = cells(row.value)[place]
            self._set(with_cell(row.value, at, row.words[(row.words.index(word) + 1) % len(row.words)]))

    # -- where everything is

    def arrange(self) -> None:
        if self.shown is None:
            return
        draft, words = self.draft, theme.words
        rows = figure_rows(draft, words)
        listed = under_headings(rows, words)
        self.figures.show([(row, bool(self.figure) and row.name == self.figure) for row in listed])
        self.put(self.figures, LEFT, HEAD, self.w - LEFT, self.h - HEAD)
        row = next((row for row in rows if row.name == self.figure), None)
        shown: list[Any] = []
        if row is None and self.names:
            self.name.show(Field(name="house", label=self.say("save_as"), kind="text", value="", high=LONGEST_NAME))
            self.put(self.name, 8, 12, LEFT - 17, 80)
            shown = [self.name]
        elif row is None:
            house = house_of(draft, self._saved())
            books = [
                BookRow(
                    name=one.name,
                    label=one.name,
                    note=rulebook_name(one.rulebook, words),
                    chosen=one is house,
                )
                for one in self._saved()
            ]
            books += [
                BookRow(name=key.answer, label=key.label, chosen=key.answer == draft.rulebook and house is None)
                for key in rulebooks(draft, words)
            ]
            self.books.show(books)
            keeps = bool(draft.options) and house is None
            self.put(self.books, 0, 0, LEFT - 1, self.h - 72 * keeps)
            shown = [self.books]
            if keeps:
                self.save.show(Face(label=self.say("save_rules"), look="quiet"))
                self.put(self.save, 12, self.h - 64, LEFT - 25, 52)
                shown.append(self.save)
        elif row.kind == "switch":
            for place, key in enumerate(self.switch):
                label = words.word("plain", bool(place))
                key.show(Face(label=label.capitalize(), look="option", size=NAME, chosen=row.value is bool(place)))
                self.put(key, 12 + place * 104, self.h - 128, 98 if place else 96, 52)
            shown = [*self.switch]
        elif row.kind == "words":
            shown = self._arrange_words(row)
        else:
            fields = _fields(row)
            high = min(54.0 * len(fields), self.h - 152)
            self.steps.show(fields)
            self.steps.size = (round(theme.dp(LEFT - 8)), round(theme.dp(54 * len(fields))))
            self.put(self.scroll, 0, self.h - 72 - high, LEFT - 1, high)
            shown = [self.scroll]
        if row is not None and _is_note(row):
            self.note.show(row.note)
            top = self._title(Pen.measuring(), row) - NOTE_PITCH / 2 + 4
            self.reading.bar_color = theme.rgba("rim")
            self.put(self.reading, 0, top, LEFT - 1, self.h - 136 - top)
            self.note.width = self.reading.width
            shown.append(self.reading)
        if row is not None:
            self.usual.show(Face(label=self.say("usual", laps=said(row.usual)) if row.kind in ("number", "switch") else
                                 words.screen("new_race.usual_key"), look="quiet"))  # fmt: skip
            self.put(self.usual, 12, self.h - 64, LEFT - 25, 52)
            shown.append(self.usual)
        children: tuple[Any, ...] = (
            self.books,
            self.save,
            self.name,
            *self.switch,
            *self.words,
            self.scroll,
            self.reading,
            self.usual,
        )
        self.only(shown, of=children)

    def _arrange_words(self, row: FigureRow) -> list[Key]:
        """A key for each cell of a table of words: a touch puts the next word there."""
        found = cells(row.value)
        while len(self.words) < len(found):
            self.words.append(Key(on_tap=partial(self._word, len(self.words))))
        for place, (_, word) in enumerate(found):
            self.words[place].show(Face(label=said(word), note=str(place + 1), look="option", size=NAME))
        keys = self.words[: len(found)]
        self.put_rows(keys, 12, self.h - 72 - 64 * len(found), LEFT - 25, 56, across=1)
        return keys

    def paint(self, pen: Pen) -> None:
        pen.fill(0, 0, pen.w, pen.h, "bg1")
        pen.fill(LEFT - 1, 0, 1, pen.h, "line")
        pen.text(self.say("house"), LEFT + 14, HEAD / 2, CAPTION, "mid", SEMIBOLD, room=pen.w - LEFT - 28)
        pen.fill(LEFT, HEAD - 1, pen.w - LEFT, 1, "line")
        if self.shown is None or (row := self.row) is None:
            return
        y = self._title(pen, row)
        if not _is_note(row):
            pen.text(row.article, MARGIN, y + 4, CAPTION, "mid", SEMIBOLD, room=LEFT - 2 * MARGIN)

    def _title(self, pen: Pen, row: FigureRow) -> float:
        """Write what the figure is called; return where the next line has its middle."""
        lines = 6 if row.kind == "switch" else 2
        return pen.paragraph(row.label, MARGIN, 24, BODY, LEFT - 2 * MARGIN, "hi", BOLD, lines, floor=SMALL)


def _is_note(row: FigureRow) -> bool:
    """Whether what the article says is read beside the figure, which is called as it is."""
    return bool(row.note) and row.article == row.label


def _fields(row: FigureRow) -> tuple[Field, ...]:
    """The steppers of a figure: one, or one for each cell of a table."""
    if row.kind == "number":
        return (Field(name="", label="", value=row.value, low=row.low, high=row.high),)
    return tuple(
        Field(
            name=".".join(map(str, at)),
            label="-".join(str(part + 1) for part in at),
            value=number,
            low=row.low,
            high=row.high,
        )
        for at, number in cells(row.value)
    )
