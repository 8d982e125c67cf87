"""How the race begins: from the grid, or from a position that stands on the board already, with the values of
each car."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, Final

import msgspec
from kivy.uix.scrollview import ScrollView

from companion import circuits
from companion.rules.circuit.track import Track
from companion.rules.conversation.asking import Json
from companion.screens.board.view import Board
from companion.screens.setup.step import Change, DriverRow, DriverRowView, Step
from companion.screens.widgets.field_rows import FieldRows
from companion.screens.widgets.form import Choice
from companion.screens.widgets.key import Face, Key
from companion.screens.widgets.pane import Pane
from companion.screens.widgets.pen import BOLD, SEMIBOLD, Pen
from companion.screens.widgets.place_steps import Places
from companion.screens.widgets.plate import draw
from companion.screens.widgets.plate import draw as draw_plate
from companion.screens.widgets.rows import Rows, RowView
from companion.screens.widgets.stepper import Stepper
from companion.screens.widgets.theme import BODY, CAPTION, NAME, theme
from companion.sheets.entrants import Entrant
from companion.view.setup.draft import OUT, CardStanding, Standing, field_of, from_position, plate
from companion.view.setup.standing import Stretch, position_scene, race_fields, standing_fields, stretches, with_value
from companion.view.shown import Field, Tone
from companion.view.shown import Key as Answer
from companion.view.worded import BoardWords
from companion.wording import Words

CHOICE: Final = 84.0
MORE: Final = 60.0
"""The pitch of further lines of keys."""
FIGURE: Final = 54.0
SHORT: Final = 5
"""Labels of so many letters have room beside one another, longer ones three in a line."""


def lines(field: Field) -> list[Field]:
    """A choice as lines of keys, the first with its name."""
    keys = field.keys
    across = len(keys) if max(len(key.label) for key in keys) <= SHORT else 3
    return [
        msgspec.structs.replace(field, label="" if at else field.label, keys=keys[at : at + across])
        for at in range(0, len(keys), across)
    ]


class ValueRows(Pane):
    """Shows `Field`s: those of kind "choice" or "many" first, then the figures, then those of kind "places".
    `on_change(name, value)` is called. `wanted` is the height that it needs in dp."""

    def __init__(self, on_change: Callable[[str, Json], object], **properties: Any) -> None:
        super().__init__(**properties)
        self.on_change = on_change
        self.choices: dict[str, list[Choice]] = {}
        """The lines of keys of each choice."""
        self.figures = FieldRows(on_change)
        self.places: dict[str, Places] = {}

    @property
    def keys(self) -> dict[str, tuple[Any, Any]]:
        """− and + of each figure."""
        return self.figures.keys

    @property
    def wanted(self) -> float:
        fields: tuple[Field, ...] = self.shown or ()
        return sum(self._high(field) for field in fields)

    def arrange(self) -> None:
        fields: tuple[Field, ...] = self.shown or ()
        listed = [field for field in fields if field.kind in ("choice", "many")]
        for name in [name for name in self.choices if name not in {field.name for field in listed}]:
            for choice in self.choices.pop(name):
                self.remove_widget(choice)
        y = 0.0
        for field in listed:
            parts = lines(field)
            made = self.choices.setdefault(field.name, [])
            self.as_many(made, len(parts), partial(Choice, partial(self.on_change, field.name)))
            for at, (choice, part) in enumerate(zip(made, parts, strict=True)):
                high = MORE if at else CHOICE
                choice.show(part)
                self.put(choice, 12, y, self.w - 24, high - 8)
                y += high
        figures = tuple(field for field in fields if field.kind == "stepper")
        self.figures.show(figures)
        self.put(self.figures, 0, y, self.w, FIGURE * len(figures))
        y += FIGURE * len(figures)
        wanted = {field.name: field for field in fields if field.kind == "places"}
        for name in [name for name in self.places if name not in wanted]:
            self.remove_widget(self.places.pop(name))
        for name, field in wanted.items():
            places = self.places.setdefault(name, Places(partial(self.on_change, name)))
            places.show(field)
            self.put(places, 12, y + 4, self.w - 24, self._high(field) - 8)
            y += self._high(field)

    @staticmethod
    def _high(field: Field) -> float:
        if field.kind == "places":
            return Places.room(len(field.value) if isinstance(field.value, list) else 0) + 8
        return FIGURE if field.kind == "stepper" else CHOICE + MORE * (len(lines(field)) - 1)


HIGH: Final = 196.0
WIDEST: Final = 132.0
"""The most that a slot is wide: a grid of few cars stands at the left."""


def draw_grid(pen: Pen, grid: Sequence[Entrant], x: float, top: float, room: float) -> None:
    """Draws the grid from pole on, from the left; places, plates, and names as far as they have room."""
    columns = (len(grid) + 1) // 2
    pitch = min(WIDEST, room / (columns + 0.5))
    side = min(pitch, 64.0) - 6
    for place, entrant in enumerate(grid):
        middle = x + (place // 2 + 0.5 + 0.5 * (place % 2)) * pitch
        y = top + (place % 2) * HIGH / 2
        pen.fill(middle - side / 2, y + 4, side, 2, "rim")
        for edge in (middle - side / 2, middle + side / 2 - 2):
            pen.fill(edge, y + 4, 2, 12, "rim")
        draw_plate(pen, plate(entrant), middle, y + 32, 36)
        ink, weight = ("hi", BOLD) if place == 0 else ("mid", SEMIBOLD)
        pen.text(entrant.name, middle, y + 64, CAPTION, ink, weight, "centre", room=pitch - 6, cut=True)


STRETCHES: Final = 226
ROW: Final = 54
TURN: Final = 150
TABS: Final = 60.0
"""The height of the line with the driver and the two pages of his car."""
PAGE: Final = 108.0


@functools.lru_cache(maxsize=4)
def _words(lang: str, rulebook: str, track: str) -> Words:
    """The words of a board: its places by its corners' names."""
    board = circuits.board(track)
    return BoardWords(lang, rulebook, board) if isinstance(board, Track) else Words(lang, rulebook)


class StretchView(RowView):
    """Draws a part of the circuit, chosen or not."""

    def draw(self, pen: Pen, shown: tuple[Stretch, bool]) -> None:
        stretch, chosen = shown
        if chosen:
            self.choose(pen)
        pen.text(stretch.label, 14, pen.h / 2, BODY, "hi", SEMIBOLD, room=pen.w - 24, cut=True)


class StartStep(Step):
    """Chooses between the two. In a position the cars stand in a list; the one that is touched (`car`) is put on the
    board, by a tap there or by its part of the circuit, lane and space, and beside that (`page` 1) has its points and
    whatever its rulebook keeps of a car. The race has its sky, its round and the like (`of_race`)."""

    def __init__(self, on_change: Change, **properties: Any) -> None:
        super().__init__(on_change, **properties)
        self.car, self.page, self.of_race = 0, 0, False
        self.stretch, self.lane = "", 0
        self.pages = [Key(on_tap=partial(self._page, page)) for page in range(2)]
        self.race = Key(on_tap=partial(self._race, True))
        self.board = Board(on_space=self._tapped)
        self.ways = [Key(on_tap=partial(self._way, position)) for position in (False, True)]
        self.cars = Rows(DriverRowView, self._open)
        self.parts = Rows(StretchView, self._part, high=ROW)
        self.lanes = Choice(self._lane)
        self.space = Stepper(self._space)
        self.turn = Stepper(self._turn)
        self.values = ValueRows(self._value)
        self.scroll = ScrollView(do_scroll_x=False, size_hint=(None, None))
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
    def standing(self) -> Standing | CardStanding:
        """Where the car that is placed stands."""
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
        """The part of the circuit and the lane in which the car stands."""
        at = self.standing.at
        self.stretch, self.lane = "", 0
        for stretch in self._stretches():
            for lane, (_, _, spaces) in enumerate(stretch.lanes):
                if at in spaces:
                    self.stretch, self.lane = stretch.name, lane

    def _tapped(self, space: str) -> None:
        """A space of the board: the car stands there."""
        if self.car and any(space in spaces for part in self._stretches() for _, _, spaces in part.lanes):
            draft = self.draft.placing(self.car, space)
            self.shown = draft
            self._find()
            self.on_change(draft)

    def _spaces(self) -> tuple[str, ...]:
        """The spaces of the part and lane that are chosen."""
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
    def _grid(self) -> Sequence[Entrant]:
        """The cars as they will stand, where that is known: not before a race whose grid is driven or rolled for."""
        draft = self.draft
        known = not draft.cards and not draft.rolls and (not draft.season or draft.line_up == "hand")
        return self.field if known else ()

    def _fields(self) -> list[Field]:
        words = theme.words
        return race_fields(self.draft, words) if self.of_race else standing_fields(self.draft, self.car, words)

    # -- where everything is

    def arrange(self) -> None:
        if self.shown is None:
            return
        if self.car not in [one.number for one in field_of(self.draft)] or self.draft.standing is None:
            self.car = 0
        self.of_race = self.of_race and self.draft.standing is not None
        if self.of_race:
            shown = [self._arrange_values(0, 0)]
        elif self.car:
            shown = self._arrange_car()
        else:
            shown = self._arrange_ways()
        self.only(shown, of=(*self.ways, self.turn, self.race, self.cars, *self.pages, self.parts, self.lanes,
                             self.space, self.board, self.scroll))  # fmt: skip

    def _arrange_ways(self) -> list[Any]:
        draft, position = self.draft, self.draft.standing is not None
        beside: Any = (self.turn if draft.cards else self.race) if position else None
        for place, (key, name) in enumerate(zip(self.ways, ("grid_start", "position_start"), strict=True)):
            grid = "cards_note" if draft.cards else "rolled_note" if draft.rolls else "grid_note"
            note = self.say("position_note" if place else grid)
            key.show(Face(label=self.say(name), note=note, look="option", size=NAME, chosen=position == bool(place)))
        self.put_rows(self.ways, 12, 12, self.w - 24 - (TURN + 8 if beside is not None else 0), 76)
        if beside is None:
            return [*self.ways]
        rows, field = [], field_of(draft)
        for place, one in enumerate(field):
            said = self._where(one.number, field)
            tone: Tone = "plain" if draft.known(one.number) else "warn"
            rows.append(DriverRow(entrant=one, place=place + 1, word=said, tone=tone))
        self.cars.show(rows)
        self.put(self.cars, 0, 100, self.w, self.h - 100)
        last = draft.laps or draft.usual_laps
        self.turn.show(Field(name="turn", label=self.say("turn"), value=min(draft.turn, last), low=1, high=last))
        note = self.say("of_race_note", round=draft.race.get("round", 1), sky=draft.race.get("sky", ""))
        self.race.show(Face(label=self.say("of_race"), note=note, look="option", size=NAME))
        self.put(beside, self.w - 12 - TURN, 12, TURN, 76)
        return [*self.ways, beside, self.cars]

    def _where(self, number: int, field: Sequence[Entrant]) -> str:
        """Where a car stands, with its place in a line of several."""
        standing = self.draft.standing_of(number)
        if standing.out:
            return theme.words.word("status", OUT)
        at = standing.at
        place, of = self.draft.in_line(number, field)
        said = _words(theme.language, self.draft.rulebook, self.draft.track).place(at) if at else self.say("nowhere")
        return self.say("in_line", where=said, place=place, of=of) if of > 1 else said

    def _arrange_car(self) -> list[Any]:
        for page, (key, name) in enumerate(zip(self.pages, ("on_board", "of_car"), strict=True)):
            key.show(Face(label=self.say(name), look="option", size=BODY, chosen=page == self.page))
        self.put_rows(self.pages, self.w - 20 - 2 * PAGE, 4, 2 * PAGE + 8, 52)
        if self.page:
            return [*self.pages, self._arrange_values(0, TABS)]
        parts = self._stretches()
        part = next((one for one in parts if one.name == self.stretch), None)
        self.parts.show([(one, one.name == self.stretch) for one in parts])
        self.put(self.parts, 0, TABS, STRETCHES - 1, self.h - TABS)
        left, wide = STRETCHES + 12, self.w - STRETCHES - 24
        shown: list[Any] = [*self.pages, self.parts, self.board]
        foot = self.h - 84
        spaces = self._spaces()
        if part is not None and len(spaces) > 1:
            at = spaces.index(self.standing.at) if self.standing.at in spaces else 0
            label = self.say("space")
            self.space.show(Field(name="space", label=label, value=at + 1, low=1, high=len(spaces)))
            self.put(self.space, left + wide - 150, foot, 150, 76)
            shown.append(self.space)
        if part is not None and len(part.lanes) > 1:
            keys = tuple(Answer(answer=lane, label=word.capitalize()) for lane, (_, word, _) in enumerate(part.lanes))
            self.lanes.show(Field(name="lane", label=self.say("lane"), kind="choice", value=self.lane, keys=keys))
            self.put(self.lanes, left, foot, wide - 162, 76)
            shown.append(self.lanes)
        high = (foot if len(shown) > 4 else self.h) - TABS
        board = self.draft.board
        self.put(self.board, STRETCHES, TABS, self.w - STRETCHES, high)
        self.board.show(board if isinstance(board, Track) else None, position_scene(self.draft, self.car))
        return shown

    def _arrange_values(self, left: float, top: float) -> ScrollView:
        """What can be set, beneath one another."""
        self.values.show(tuple(self._fields()))
        high = max(self.values.wanted, self.h - top)
        self.values.size = (round(theme.dp(self.w - left)), round(theme.dp(high)))
        self.put(self.scroll, left, top, self.w - left, self.h - top)
        return self.scroll

    def paint(self, pen: Pen) -> None:
        pen.fill(0, 0, pen.w, pen.h, "bg1")
        if self.shown is None:
            return
        if not self.car:
            if self.draft.standing is None:
                draw_grid(pen, self._grid, 16, 116, pen.w - 32)
            elif not self.of_race:
                pen.fill(0, 99, pen.w, 1, "line")
            return
        pen.fill(0, TABS - 1, pen.w, 1, "line")
        field = field_of(self.draft)
        driver = next(one for one in field if one.number == self.car)
        draw(pen, plate(driver), 30, TABS / 2, 30)
        left, right = 56.0, pen.w - 12 - 2 * (PAGE + 8)
        known = self.draft.known(self.car)
        name = driver.name or self.say("no_name")
        pen.text(name, left, TABS / 2 - 10, NAME, "hi", BOLD, room=right - left, cut=True)
        said, token = self._where(self.car, field), "mid" if known else "warn"
        pen.text(said, left, TABS / 2 + 14, CAPTION, token, SEMIBOLD, room=right - left, cut=True)
