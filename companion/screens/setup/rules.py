"""The rules of a race: rulebook, and the numbers and switches that a table may change."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, Final

from kivy.effects.scroll import ScrollEffect
from kivy.uix.scrollview import ScrollView

from companion.house_rules import LONGEST_NAME, HouseRules
from companion.rules.conversation.asking import Json
from companion.rules.rulebooks import RULEBOOKS
from companion.screens.kit.compose import Area, Ui
from companion.screens.kit.field_rows import FieldRows
from companion.screens.kit.key import Face
from companion.screens.kit.pane import Pane
from companion.screens.kit.pen import BOLD, SEMIBOLD, Pen
from companion.screens.kit.rows import Rows, RowView
from companion.screens.kit.theme import BODY, CAPTION, NAME, SMALL, theme
from companion.screens.kit.writing import Writing
from companion.screens.setup.step import Change, SetupStep
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
from companion.view.shown import Field, ViewModel

SIDE_WIDTH: Final = 226
HEAD_HEIGHT: Final = 30
ROW_HEIGHT: Final = 76
NOTE_PITCH: Final = 17
MARGIN: Final = 14


class BookRow(ViewModel, frozen=True, kw_only=True):
    """A rulebook in the list, or house rules with their rulebook as `note`."""

    name: str
    label: str
    note: str = ""
    chosen: bool


class BookRowView(RowView):
    """Row of a `BookRow`."""

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
    """Row of a `FigureRow`."""

    def draw(self, pen: Pen, shown: tuple[FigureRow, bool]) -> None:
        figure, chosen = shown
        if figure.kind == "heading":
            pen.text(figure.label, 14, pen.h - 20, BODY, "mid", BOLD, room=pen.w - 28)
            return
        if chosen and not self.pressed:
            pen.fill(0, 0, pen.w, pen.h, "bg3")
        right = pen.w - 16
        value = value_text(figure.value)
        token = "warn" if figure.changed else "hi"
        wide = min(pen.width(value, NAME, BOLD), 110)
        pen.text(value, right, pen.h / 2, NAME, token, BOLD, "right", room=112, cut=True)
        room = right - wide - 26
        words = theme.words
        named = figure.article == figure.label
        parts = [] if named and figure.changed else [figure.note or figure.article if named else figure.article]
        if figure.proposed:
            parts.append(words.screen("new_race.proposed"))
        if figure.changed:
            parts.append(words.screen("new_race.changed_from", usual=value_text(figure.usual)))
        article = " · ".join(parts)
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
    """The effect of a switch, as high as its text needs."""

    def paint(self, pen: Pen) -> None:
        lines = pen.broken(self.shown or "", CAPTION, SEMIBOLD, pen.w - 2 * MARGIN)
        for place, line in enumerate(lines):
            pen.text(line, MARGIN, (place + 0.5) * NOTE_PITCH, CAPTION, "mid", SEMIBOLD)
        self.height = theme.dp(len(lines) * NOTE_PITCH + 4)


def value_text(value: Json) -> str:
    """Return a value as people write it."""
    return figure_value(value, theme.words)


class RulesStep(SetupStep):
    """Step of the rules: rulebooks at the left, values of the selected one at the right.

    A value that is touched can be changed at the left, until it is touched again.
    """

    def __init__(
        self,
        on_change: Change,
        saved: Callable[[], list[HouseRules]],
        keep: Callable[[HouseRules], object],
        **properties: Any,
    ) -> None:
        super().__init__(on_change, **properties)
        self.figure, self.is_naming, self.saved, self.keep = "", False, saved, keep
        self.name = Writing(on_done=self._named, needed=True)
        self.books = Rows(BookRowView, on_row=self._book)
        self.figures = Rows(FigureView, on_row=self._figure, high=ROW_HEIGHT)
        self.steps = FieldRows(on_change=self._cell)
        self.scroll = ScrollView(do_scroll_x=False, size_hint=(None, None), effect_cls=ScrollEffect)
        self.scroll.add_widget(self.steps)
        self.note = Note()
        self.reading = ScrollView(do_scroll_x=False, size_hint=(None, None), bar_width=theme.dp(4))
        self.reading.add_widget(self.note)

    def back(self) -> bool:
        if self.is_naming:
            self.is_naming = False
            self.look_again()
            return True
        if self.figure:
            self.figure = ""
            self.look_again()
            return True
        return False

    @property
    def row(self) -> FigureRow | None:
        """The value being changed, or None."""
        return next((row for row in figure_rows(self.draft, theme.words) if row.name == self.figure), None)

    def _book(self, place: int) -> None:
        house = self.saved()
        if place < len(house):
            self.on_change(self.draft.going_by_house(house[place]))
            return
        name = list(RULEBOOKS)[place - len(house)]
        if name != self.draft.rulebook or house_of(self.draft, house):
            self.on_change(self.draft.going_by(name))

    def _name(self) -> None:
        """Ask for a name under which to store the changed values."""
        self.is_naming, self.name.line.text = True, ""
        self.draw_now()
        self.name.line.focus = True

    def _named(self, text: str) -> None:
        if text.strip():
            self.name.line.focus = False
            self.keep(HouseRules(text.strip(), self.draft.rulebook, dict(self.draft.options)))
            self.is_naming = False
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
        """Put the next word into a cell of a table of words."""
        row = self.row
        if row is not None and row.kind == "words":
            at, word = cells(row.value)[place]
            self._set(with_cell(row.value, at, row.words[(row.words.index(word) + 1) % len(row.words)]))

    # -- what is shown

    def compose_step(self, ui: Ui) -> None:
        words = theme.words
        rows = figure_rows(self.draft, words)
        row = next((row for row in rows if row.name == self.figure), None)
        side = ui.area.cut_left(SIDE_WIDTH)
        ui.fill(side.cut_right(1), "line")
        head = ui.area.cut_top(HEAD_HEIGHT)
        ui.text(head.inset(14), self.say("house", group=rows[0].group if rows else ""), CAPTION, "mid")
        ui.fill(head.cut_bottom(1), "line")
        listed = [(one, bool(self.figure) and one.name == self.figure) for one in under_headings(rows, words)]
        ui.place(ui.area, self.figures).show(listed)
        if row is not None:
            self._compose_figure(ui, side, row)
        elif self.is_naming:
            field = Field(name="house", label=self.say("save_as"), kind="text", value="", high=LONGEST_NAME)
            ui.place(side.inset(8, 12).cut_top(80), self.name).show(field)
        else:
            self._compose_books(ui, side)

    def _compose_books(self, ui: Ui, side: Area) -> None:
        """Compose the house rules and the rulebooks, and a key that keeps what was changed."""
        draft, words = self.draft, theme.words
        house = house_of(draft, self.saved())
        books = [
            BookRow(name=one.name, label=one.name, note=rulebook_name(one.rulebook, words), chosen=one is house)
            for one in self.saved()
        ]
        books += [
            BookRow(name=key.answer, label=key.label, chosen=key.answer == draft.rulebook and house is None)
            for key in rulebooks(draft, words)
        ]
        if draft.options and house is None:
            face = Face(label=self.say("save_rules"), look="quiet")
            ui.button(_foot(side), "save", face, self._name)
        ui.place(side, self.books).show(books)
        self.books.follow(lambda book: bool(book.chosen))

    def _compose_figure(self, ui: Ui, side: Area, row: FigureRow) -> None:
        """Compose the name of a value, what it means, and the keys that change it."""
        lines = 6 if row.kind == "switch" else 2
        y = ui.pen.paragraph(row.label, MARGIN, 24, BODY, SIDE_WIDTH - 2 * MARGIN, "hi", BOLD, lines, floor=SMALL)
        if _is_note(row):
            self.note.show(row.note)
            top = y - NOTE_PITCH / 2 + 4
            self.reading.bar_color = theme.rgba("rim")
            ui.place(Area(side.x, top, side.w, side.h - 136 - top), self.reading)
            self.note.width = self.reading.width
        else:
            ui.pen.text(row.article, MARGIN, y + 4, CAPTION, "mid", SEMIBOLD, room=SIDE_WIDTH - 2 * MARGIN)
        is_short = row.kind in ("number", "switch")
        usual = self.say("usual", laps=value_text(row.usual)) if is_short else theme.words.screen("new_race.usual_key")
        ui.button(_foot(side), "usual", Face(label=usual, look="quiet"), self._usual)
        if row.kind == "switch":
            side.cut_bottom(4)
            for cell, value in zip(side.cut_bottom(52).inset(12).columns(2), (False, True), strict=True):
                label = theme.words.word("plain", value).capitalize()
                face = Face(label=label, look="option", size=NAME, chosen=row.value is value)
                ui.button(cell, value, face, partial(self._set, value))
        elif row.kind == "words":
            found = cells(row.value)
            keys = side.cut_bottom(64 * len(found)).inset(12)
            for place, (cell, (_, word)) in enumerate(zip(keys.rows(len(found), 56), found, strict=True)):
                face = Face(label=value_text(word), note=str(place + 1), look="option", size=NAME)
                ui.button(cell, ("word", place), face, partial(self._word, place))
        else:
            fields = _fields(row)
            self.steps.show(fields)
            self.steps.size = (round(theme.dp(SIDE_WIDTH - 8)), round(theme.dp(54 * len(fields))))
            ui.place(side.cut_bottom(min(54 * len(fields), side.h - 80)), self.scroll)


def _foot(side: Area) -> Area:
    """Cut the place of a key off the bottom of the left column."""
    return side.cut_bottom(72).inset(12, 8).cut_top(52)


def _is_note(row: FigureRow) -> bool:
    """Return True if the article explains the value and has the same name."""
    return bool(row.note) and row.article == row.label


def _fields(row: FigureRow) -> tuple[Field, ...]:
    """Return the steppers of a value: one, or one for each cell of a table."""
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
