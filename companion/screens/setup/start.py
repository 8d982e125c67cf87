"""The start of a race: from the grid, or from a position on the board.

A position has the values of each car.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, Final

import msgspec
from kivy.effects.scroll import ScrollEffect
from kivy.uix.scrollview import ScrollView

from companion import circuits
from companion.rules.circuit.track import Track
from companion.rules.conversation.asking import Json
from companion.screens.board.view import BoardView
from companion.screens.kit.compose import Area, Composed, Ui, even_rows
from companion.screens.kit.field_rows import FieldRows
from companion.screens.kit.form import ChoiceKeys
from companion.screens.kit.key import Face
from companion.screens.kit.pen import BOLD, SEMIBOLD, Pen
from companion.screens.kit.place_steps import Places
from companion.screens.kit.plate import draw
from companion.screens.kit.rows import Rows, RowView
from companion.screens.kit.stepper import Stepper
from companion.screens.kit.theme import BODY, CAPTION, NAME, theme
from companion.screens.setup.step import Change, DriverRow, DriverRowView, SetupStep
from companion.sheets.entrants import RaceEntrant
from companion.view.setup.draft import OUT, CardStanding, StartPosition, field_of, from_position, plate
from companion.view.setup.standing import Stretch, position_scene, race_fields, standing_fields, stretches, with_value
from companion.view.shown import AnswerKey, Field, Tone
from companion.view.worded import BoardWords
from companion.wording import Words

CHOICE_HEIGHT: Final = 84.0
MORE_HEIGHT: Final = 60.0
"""Pitch of further lines of keys, in dp."""
FIGURE_HEIGHT: Final = 54.0
SHORT_LABEL: Final = 5
"""Length of labels, in letters, that fit beside one another; longer ones stand up to three in a line."""


def lines(field: Field) -> list[Field]:
    """Split a choice into rows of keys, the first with its name."""
    keys = field.keys
    across = len(keys) if max(len(key.label) for key in keys) <= SHORT_LABEL else even_rows(len(keys), 3)
    return [
        msgspec.structs.replace(field, label="" if at else field.label, keys=keys[at : at + across])
        for at in range(0, len(keys), across)
    ]


class ValueRows(Composed):
    """Rows of `Field`s: choices first, then numbers, then lists of spaces.

    `on_change(name, value)` is called for each change.
    """

    def __init__(self, on_change: Callable[[str, Json], object], **properties: Any) -> None:
        super().__init__(**properties)
        self.on_change = on_change

    @property
    def needed_height(self) -> float:
        """The height of all rows, in dp."""
        fields: tuple[Field, ...] = self.shown or ()
        return sum(self._height(field) for field in fields)

    def compose(self, ui: Ui) -> None:
        fields: tuple[Field, ...] = self.shown or ()
        for field in fields:
            if field.kind in ("choice", "many"):
                self._compose_choice(ui, field)
        figures = tuple(field for field in fields if field.kind == "stepper")
        rows = ui.named("figures", partial(FieldRows, self.on_change))
        ui.place(ui.area.cut_top(FIGURE_HEIGHT * len(figures)), rows).show(figures)
        for field in fields:
            if field.kind == "places":
                places = ui.named(field.name, partial(Places, partial(self.on_change, field.name)))
                ui.place(ui.area.cut_top(self._height(field)).inset(12, 4), places).show(field)

    def _compose_choice(self, ui: Ui, field: Field) -> None:
        """Compose the lines of keys of a choice."""
        for at, line in enumerate(lines(field)):
            area = ui.area.cut_top(MORE_HEIGHT if at else CHOICE_HEIGHT).inset(12)
            area.cut_bottom(8)
            keys = ui.named((field.name, at), partial(ChoiceKeys, partial(self.on_change, field.name)))
            ui.place(area, keys).show(line)

    @staticmethod
    def _height(field: Field) -> float:
        if field.kind == "places":
            return Places.room(len(field.value) if isinstance(field.value, list) else 0) + 8
        return FIGURE_HEIGHT if field.kind == "stepper" else CHOICE_HEIGHT + MORE_HEIGHT * (len(lines(field)) - 1)


GRID_HEIGHT: Final = 196.0
"""Height of the drawn grid, in dp."""
MAX_SLOT: Final = 132.0
"""Maximum width of a slot, in dp: a grid of few cars stands at the left."""


def draw_cars(pen: Pen, cars: Sequence[RaceEntrant], x: float, top: float, room: float, *, grid: bool) -> None:
    """Draw plates, and names as they fit: on the slots of a grid from pole, left to right, else in two rows."""
    columns = (len(cars) + 1) // 2
    pitch = min(MAX_SLOT, room / (columns + 0.5))
    side = min(pitch, 64.0) - 6
    for place, entrant in enumerate(cars):
        column, row = divmod(place, 2) if grid else (place % columns, place // columns)
        middle = x + (column + 0.5 + (0.5 * row if grid else 0)) * pitch
        y = top + row * GRID_HEIGHT / 2
        if grid:
            pen.fill(middle - side / 2, y + 4, side, 2, "rim")
            for edge in (middle - side / 2, middle + side / 2 - 2):
                pen.fill(edge, y + 4, 2, 12, "rim")
        draw(pen, plate(entrant), middle, y + 32, 36)
        ink, weight = ("hi", BOLD) if grid and place == 0 else ("mid", SEMIBOLD)
        pen.text(entrant.name, middle, y + 64, CAPTION, ink, weight, "centre", room=pitch - 6, cut=True)


STRETCHES_WIDTH: Final = 226
ROW: Final = 54
TURN_WIDTH: Final = 150
TABS_HEIGHT: Final = 60.0
"""Height of the line with the driver and the two pages of his car, in dp."""
PAGE_WIDTH: Final = 108.0


@functools.lru_cache(maxsize=4)
def _words(lang: str, rulebook: str, track: str) -> Words:
    """Return the words of a board, with its corners' names in those of its spaces."""
    board = circuits.board(track)
    return BoardWords(lang, rulebook, board) if isinstance(board, Track) else Words(lang, rulebook)


class StretchView(RowView):
    """Row of a stretch of the circuit."""

    def draw(self, pen: Pen, shown: tuple[Stretch, bool]) -> None:
        stretch, chosen = shown
        if chosen:
            self.choose(pen)
        pen.text(stretch.label, 14, pen.h / 2, BODY, "hi", SEMIBOLD, room=pen.w - 24, cut=True)


class StartStep(SetupStep):
    """Step of the start: from the grid, or from a position.

    In a position the cars are in a list; the one touched (`car`) is placed on the board, by a tap there or by
    stretch, lane and space; beside that (`page` 1) are its points and whatever else its rulebook records of a car.
    The race has its weather, its round and the like (`of_race`).
    """

    def __init__(self, on_change: Change, **properties: Any) -> None:
        super().__init__(on_change, **properties)
        self.car, self.page, self.of_race = 0, 0, False
        self.stretch, self.lane = "", 0
        self.board = BoardView(on_space=self._place_car)
        self.cars = Rows(DriverRowView, on_row=self._open)
        self.parts = Rows(StretchView, on_row=self._part, high=ROW)
        self.lanes = ChoiceKeys(on_change=self._lane)
        self.space = Stepper(on_change=self._space)
        self.turn = Stepper(on_change=self._turn)
        self.values = ValueRows(on_change=self._value)
        self.scroll = ScrollView(do_scroll_x=False, size_hint=(None, None), effect_cls=ScrollEffect)
        self.scroll.add_widget(self.values)

    def back(self) -> bool:
        within = bool(self.car) or self.of_race
        self.car, self.of_race = 0, False
        self.look_again()
        return within

    def _page(self, page: int) -> None:
        self.page = page
        self.scroll.scroll_y = 1
        self.look_again()

    def _race(self, opened: bool) -> None:
        self.of_race = opened
        self.scroll.scroll_y = 1
        self.look_again()

    @property
    def standing(self) -> StartPosition | CardStanding:
        """The position of the car being placed."""
        return self.draft.standing_of(self.car)

    def _stretches(self) -> list[Stretch]:
        board = self.draft.board
        return stretches(board, theme.words) if board is not None else []

    def _way(self, position: bool) -> None:
        if position and self.draft.standing is None:
            self.on_change(from_position(self.draft))
        elif not position:
            self.on_change(self.draft.but(standing=None))

    def _open(self, place: int) -> None:
        self.car, self.page = field_of(self.draft)[place].number, 0
        self._find()
        self.look_again()

    def _find(self) -> None:
        """Find the stretch and the lane of the car."""
        at = self.standing.at
        self.stretch, self.lane = "", 0
        for stretch in self._stretches():
            for lane, (_, _, spaces) in enumerate(stretch.lanes):
                if at in spaces:
                    self.stretch, self.lane = stretch.name, lane

    def _place_car(self, space: str) -> None:
        """Place the car on the tapped space."""
        if self.car and any(space in spaces for part in self._stretches() for _, _, spaces in part.lanes):
            draft = self.draft.placing(self.car, space)
            self.shown = draft
            self._find()
            self.on_change(draft)

    def _spaces(self) -> tuple[str, ...]:
        """Return the spaces of the selected stretch and lane."""
        part = next((part for part in self._stretches() if part.name == self.stretch), None)
        if part is None:
            return ()
        return part.lanes[min(self.lane, len(part.lanes) - 1)][2]

    def _part(self, place: int) -> None:
        self.stretch, self.lane = self._stretches()[place].name, 0
        self._stand(0)

    def _lane(self, lane: int) -> None:
        spaces = self._spaces()
        at = spaces.index(self.standing.at) if self.standing.at in spaces else 0
        self.lane = lane
        self._stand(min(at, len(self._spaces()) - 1))

    def _space(self, number: int) -> None:
        self._stand(number - 1)

    def _stand(self, place: int) -> None:
        spaces = self._spaces()
        if spaces:
            self.on_change(self.draft.placing(self.car, spaces[min(place, len(spaces) - 1)]))

    def _turn(self, turn: int) -> None:
        self.on_change(self.draft.but(turn=turn))

    def _value(self, name: str, value: Json) -> None:
        if self.of_race:
            self.on_change(self.draft.but(race={**self.draft.race, name: value}))
        else:
            self.on_change(with_value(self.draft, self.car, name, value, theme.words))

    @property
    def _knows_grid(self) -> bool:
        """True if the starting grid is known: not before a race whose grid is driven or rolled for."""
        draft = self.draft
        return not draft.cards and not draft.rolls and (not draft.season or draft.line_up == "hand")

    def _fields(self) -> list[Field]:
        words = _words(theme.language, self.draft.rulebook, self.draft.track)
        return race_fields(self.draft, words) if self.of_race else standing_fields(self.draft, self.car, words)

    # -- what is shown

    def compose_step(self, ui: Ui) -> None:
        if self.car not in [one.number for one in field_of(self.draft)] or self.draft.standing is None:
            self.car = 0
        self.of_race = self.of_race and self.draft.standing is not None
        if self.of_race:
            self._compose_values(ui, ui.area)
        elif self.car:
            self._compose_car(ui, ui.area)
        else:
            self._compose_ways(ui, ui.area)

    def _compose_ways(self, ui: Ui, area: Area) -> None:
        """Compose the choice between grid and position, and the grid or the cars of the position."""
        draft, is_position = self.draft, self.draft.standing is not None
        ways = area.cut_top(100).inset(12, 12)
        if is_position:
            beside = ways.cut_right(TURN_WIDTH)
            ways.cut_right(8)
            if draft.cards:
                last = draft.laps or draft.usual_laps
                value = min(draft.turn, last)
                turn = Field(name="turn", label=self.say("turn"), value=value, low=1, high=last)
                ui.place(beside, self.turn).show(turn)
            else:
                note = self.say("of_race_note", round=draft.race.get("round", 1), sky=draft.race.get("sky", ""))
                face = Face(label=self.say("of_race"), note=note, look="option", size=NAME)
                ui.button(beside, "race", face, partial(self._race, True))
        grid = "cards_note" if draft.cards else "rolled_note" if draft.rolls else "grid_note"
        notes = {"grid_start": grid, "position_start": "position_note"}
        for cell, (name, note) in zip(ways.columns(2), notes.items(), strict=True):
            position = name == "position_start"
            face = Face(
                label=self.say(name), note=self.say(note), look="option", size=NAME, chosen=position == is_position
            )
            ui.button(cell, name, face, partial(self._way, position))
        if is_position:
            ui.fill(Area(area.x, area.y - 1, area.w, 1), "line")
            ui.place(area, self.cars).show(self._rows())
        else:
            draw_cars(ui.pen, self.field, area.x + 16, area.y + 16, area.w - 32, grid=self._knows_grid)

    def _rows(self) -> list[DriverRow]:
        """Return the cars of a position, each with where it is."""
        draft, field = self.draft, field_of(self.draft)
        rows = []
        for place, one in enumerate(field):
            tone: Tone = "plain" if draft.is_settled(one.number) else "warn"
            word = self._where(one.number, field)
            rows.append(DriverRow(entrant=one, place=place + 1, word=word, tone=tone))
        return rows

    def _where(self, number: int, field: Sequence[RaceEntrant]) -> str:
        """Return a car's position in words, with its place in a queue on one space."""
        standing = self.draft.standing_of(number)
        if standing.out:
            return theme.words.word("status", OUT)
        at = standing.at
        place, of = self.draft.in_line(number, field)
        said = _words(theme.language, self.draft.rulebook, self.draft.track).place(at) if at else self.say("nowhere")
        return self.say("in_line", where=said, place=place, of=of) if of > 1 else said

    def _compose_car(self, ui: Ui, area: Area) -> None:
        """Compose the driver, and the two pages of his car: where it is, and what it has."""
        head = area.cut_top(TABS_HEIGHT)
        self._compose_driver(ui, head)
        if self.page:
            self._compose_values(ui, area)
        else:
            self._compose_place(ui, area)

    def _compose_driver(self, ui: Ui, head: Area) -> None:
        ui.fill(Area(head.x, head.bottom - 1, head.w, 1), "line")
        pages = head.inset(0, 4).cut_top(52)
        pages.cut_right(12)
        pages = pages.cut_right(2 * PAGE_WIDTH + 8)
        for page, (cell, name) in enumerate(zip(pages.columns(2), ("on_board", "of_car"), strict=True)):
            face = Face(label=self.say(name), look="option", size=BODY, chosen=page == self.page)
            ui.button(cell, name, face, partial(self._page, page))
        field, middle = field_of(self.draft), head.middle[1]
        driver = next(one for one in field if one.number == self.car)
        draw(ui.pen, plate(driver), 30, middle, 30)
        left, room = 56.0, pages.x - 8 - 56
        name = driver.name or self.say("no_name")
        ui.pen.text(name, left, middle - 10, NAME, "hi", BOLD, room=room, cut=True)
        said, token = self._where(self.car, field), "mid" if self.draft.is_settled(self.car) else "warn"
        ui.pen.text(said, left, middle + 14, CAPTION, token, SEMIBOLD, room=room, cut=True)

    def _compose_place(self, ui: Ui, area: Area) -> None:
        """Compose the stretches, and the board over lane and space of the selected one."""
        stretches, spaces = self._stretches(), self._spaces()
        part = next((one for one in stretches if one.name == self.stretch), None)
        listed = area.cut_left(STRETCHES_WIDTH)
        listed.cut_right(1)
        ui.place(listed, self.parts).show([(one, one.name == self.stretch) for one in stretches])
        self.parts.follow(lambda shown: bool(shown[1]))
        if part is not None and (len(spaces) > 1 or len(part.lanes) > 1):
            row = area.cut_bottom(84).inset(12)
            row.cut_bottom(8)
            where = row.cut_right(150)
            row.cut_right(12)
            if len(spaces) > 1:
                at = spaces.index(self.standing.at) if self.standing.at in spaces else 0
                field = Field(name="space", label=self.say("space"), value=at + 1, low=1, high=len(spaces))
                ui.place(where, self.space).show(field)
            if len(part.lanes) > 1:
                keys = tuple(
                    AnswerKey(answer=lane, label=word.capitalize()) for lane, (_, word, _) in enumerate(part.lanes)
                )
                field = Field(name="lane", label=self.say("lane"), kind="choice", value=self.lane, keys=keys)
                ui.place(row, self.lanes).show(field)
        board = self.draft.board
        scene = position_scene(self.draft, self.car)
        ui.place(area, self.board).show(board if isinstance(board, Track) else None, scene)

    def _compose_values(self, ui: Ui, area: Area) -> None:
        """Compose the fields that can be set, one below the other."""
        self.values.show(tuple(self._fields()))
        self.values.size = (round(theme.dp(area.w)), round(theme.dp(max(self.values.needed_height, area.h))))
        ui.place(area, self.scroll)
