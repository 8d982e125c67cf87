"""How the race begins: from the grid, or from a position that stands on the board already."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any, Final

import msgspec
from kivy.uix.scrollview import ScrollView

from companion.rules.asking import Json
from companion.screens.entrants import Entrant
from companion.screens.pen import BOLD, SEMIBOLD, Pen
from companion.screens.setup.step import Change, DriverRow, DriverRowView, Step
from companion.screens.theme import BODY, NAME, theme
from companion.screens.view.draft import plate
from companion.screens.view.draft_setup import field_of, from_position
from companion.screens.view.shown import Field
from companion.screens.view.shown import Key as Answer
from companion.screens.view.standing import Stretch, standing_fields, stretches
from companion.screens.view.standing_cars import CardStanding, Standing
from companion.screens.widgets import line_up
from companion.screens.widgets.form import Choice
from companion.screens.widgets.key import Face, Key
from companion.screens.widgets.plate import draw
from companion.screens.widgets.rows import Rows, RowView
from companion.screens.widgets.stepper import Stepper
from companion.screens.widgets.value_rows import ValueRows

STRETCHES: Final = 226
ROW: Final = 54
TURN: Final = 150


class StretchView(RowView):
    """Draws a part of the circuit, chosen or not."""

    def draw(self, pen: Pen, shown: tuple[Stretch, bool]) -> None:
        stretch, chosen = shown
        if chosen:
            self.choose(pen)
        pen.text(stretch.label, 14, pen.h / 2, BODY, "hi", SEMIBOLD, room=pen.w - 24, cut=True)


class StartStep(Step):
    """Chooses between the two. In a position the cars stand in a list, and the one that is touched (`car`) is placed:
    its part of the circuit, lane and space, its gear, laps and points; in the race of cards its section, where it is
    last in the line, its chart and what else it has."""

    def __init__(self, on_change: Change, **properties: Any) -> None:
        super().__init__(on_change, **properties)
        self.car = 0
        self.stretch, self.lane = "", 0
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
        if self.car:
            self.car = 0
            self.look_again()
            return True
        return False

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
        self.car = field_of(self.draft)[place].number
        at = self.standing.at
        self.stretch, self.lane = "", 0
        for stretch in self._stretches():
            for lane, (_, _, spaces) in enumerate(stretch.lanes):
                if at in spaces:
                    self.stretch, self.lane = stretch.name, lane
        self.look_again()

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
        wear = {field.name: field.value for field in self._fields() if field.icon}
        if name in wear:
            self._keep(wear={**wear, name: value})
        elif name == "chart":
            assert isinstance(value, list)
            self._keep(chart=tuple(value), wear={}, permanent=0)
        else:
            self._keep(**{name: value})

    def _keep(self, **values: Any) -> None:
        self.on_change(self.draft.standing_at(self.car, msgspec.structs.replace(self.standing, **values)))

    @property
    def _grid(self) -> Sequence[Entrant]:
        """The cars as they will stand, where that is known: not before a race whose grid is driven or rolled for."""
        known = not self.draft.cards and (not self.draft.season or self.draft.line_up == "hand")
        return self.draft.entrants if known else ()

    def _fields(self) -> list[Field]:
        return standing_fields(self.draft, self.car, theme.words)

    # -- where everything is

    def arrange(self) -> None:
        if self.shown is None:
            return
        if self.car not in [one.number for one in field_of(self.draft)] or self.draft.standing is None:
            self.car = 0
        shown = self._arrange_car() if self.car else self._arrange_ways()
        self.only(shown, of=(*self.ways, self.turn, self.cars, self.parts, self.lanes, self.space, self.scroll))

    def _arrange_ways(self) -> list[Any]:
        draft, position = self.draft, self.draft.standing is not None
        turns = position and draft.cards
        wide = (self.w - 32 - (TURN + 8 if turns else 0)) / 2
        for place, (key, name) in enumerate(zip(self.ways, ("grid_start", "position_start"), strict=True)):
            note = self.say("cards_note" if draft.cards and not place else name.replace("start", "note"))
            key.show(Face(label=self.say(name), note=note, look="option", size=NAME, chosen=position == bool(place)))
            self.put(key, 12 + place * (wide + 8), 12, wide, 76)
        if not position:
            return [*self.ways]
        rows, field = [], field_of(draft)
        for place, one in enumerate(field):
            where = draft.standing_of(one.number)
            said = self._where(one.number, field)
            rows.append(DriverRow(entrant=one, place=place + 1, word=said, tone="plain" if where.at else "warn"))
        self.cars.show(rows)
        self.put(self.cars, 0, 100, self.w, self.h - 100)
        if not turns:
            return [*self.ways, self.cars]
        last = draft.laps or draft.usual_laps
        self.turn.show(Field(name="turn", label=self.say("turn"), value=min(draft.turn, last), low=1, high=last))
        self.put(self.turn, self.w - 12 - TURN, 12, TURN, 76)
        return [*self.ways, self.turn, self.cars]

    def _where(self, number: int, field: Sequence[Entrant]) -> str:
        """Where a car stands, with its place in a line of several."""
        at = self.draft.standing_of(number).at
        place, of = self.draft.in_line(number, field)
        said = theme.words.place(at) if at else self.say("nowhere")
        return self.say("in_line", where=said, place=place, of=of) if of > 1 else said

    def _arrange_car(self) -> list[Any]:
        parts = self._stretches()
        part = next((one for one in parts if one.name == self.stretch), None)
        self.parts.show([(one, one.name == self.stretch) for one in parts])
        self.put(self.parts, 0, 0, STRETCHES - 1, self.h)
        left, wide = STRETCHES + 12, self.w - STRETCHES - 24
        shown: list[Any] = [self.parts]
        top = 48.0
        spaces = self._spaces()
        if part is not None and len(spaces) > 1:
            at = spaces.index(self.standing.at) if self.standing.at in spaces else 0
            label = self.say("space")
            self.space.show(Field(name="space", label=label, value=at + 1, low=1, high=len(spaces)))
            self.put(self.space, left + wide - 150, top, 150, 76)
            shown.append(self.space)
        if part is not None and len(part.lanes) > 1:
            keys = tuple(Answer(answer=lane, label=word.capitalize()) for lane, (_, word, _) in enumerate(part.lanes))
            self.lanes.show(Field(name="lane", label=self.say("lane"), kind="choice", value=self.lane, keys=keys))
            self.put(self.lanes, left, top, wide - 162, 76)
            shown.append(self.lanes)
        top += 84 if len(shown) > 1 else 0
        fields = tuple(self._fields())
        self.values.show(fields)
        self.values.size = (round(theme.dp(self.w - STRETCHES)), round(theme.dp(self.values.wanted)))
        self.put(self.scroll, STRETCHES, top, self.w - STRETCHES, self.h - top)
        return [*shown, self.scroll]

    def paint(self, pen: Pen) -> None:
        pen.fill(0, 0, pen.w, pen.h, "bg1")
        if self.shown is None:
            return
        if not self.car:
            if self.draft.standing is not None:
                pen.fill(0, 99, pen.w, 1, "line")
            else:
                line_up.draw(pen, self._grid, 16, 116, pen.w - 32)
            return
        pen.fill(STRETCHES - 1, 0, 1, pen.h, "line")
        field = field_of(self.draft)
        driver = next(one for one in field if one.number == self.car)
        draw(pen, plate(driver), STRETCHES + 30, 25, 30)
        where = self._where(self.car, field)
        right = pen.w - 14
        wide = pen.text(where, right, 25, BODY, "hi" if self.standing.at else "warn", SEMIBOLD, "right")
        name = driver.name or self.say("no_name")
        pen.text(name, STRETCHES + 56, 25, NAME, "hi", BOLD, room=right - wide - STRETCHES - 68, cut=True)
