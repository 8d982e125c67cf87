"""The tables of a round, with the swaps of drivers and their reasons.

A touch on a driver shows the cost of each swap, a second one swaps.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, Final, Literal

from companion.desk.organising import collect_sticks
from companion.desk.record_desk import RecordDesk
from companion.rules.conversation.errors import CompanionError
from companion.screens.app.visits import OfRecord
from companion.screens.events.record_screen import Offer, RecordScreen
from companion.screens.kit import plate
from companion.screens.kit.compose import TITLE_BAR as BAR
from companion.screens.kit.compose import Area, Title, Ui
from companion.screens.kit.confirm import Confirmation
from companion.screens.kit.empty import Empty, EmptyState
from companion.screens.kit.foot import KEYS, deed
from companion.screens.kit.key import Face
from companion.screens.kit.menu import WIDE as MENU
from companion.screens.kit.pen import BOLD, SEMIBOLD, Pen
from companion.screens.kit.rows import Rows, RowView
from companion.screens.kit.stepper import Stepper
from companion.screens.kit.theme import BODY, CAPTION, QUESTION, SMALL, VALUE
from companion.screens.kit.touch import Target
from companion.tournament.seeding import Deal
from companion.tournament.tournament import From, Published, Reseated, Swapped
from companion.view.events.seeding import DriverSeat, MoveRow, SeedingShown, TableRow, seeding
from companion.view.shown import Field, Toast
from companion.wording import Words

if TYPE_CHECKING:
    from companion.screens.app.app import CompanionApp

HEAD: Final = 22.0
SEATS_AT: Final = 94.0
"""Left edge of the seats, in dp."""
PITCH: Final = 61.2
HIGHEST: Final = 100.0
"""Minimum and maximum height of the row of a table, in dp."""
TABLES_SHOWN: Final = 5
"""Number of tables shown at once."""
ACROSS: Final = 5
"""Minimum number of seats in a row."""
BESIDE_PLATE: Final = 50.0
"""Width of a seat that the plate and the margins take, in dp."""
SIDE: Final = 243.0
"""Width of the column with the constraints, in dp."""
DEALS: Final[tuple[Deal, ...]] = ("turn", "snake", "level")
REASONS: Final = ("brothers", "club", "door")
"""Reasons for a swap of seats, or for leaving team-mates together; another reason is typed."""
TABLE_SIZE: Final = 8
"""Usual number of drivers at a table."""
Next = Literal["", "final", "semi"]
"""Field of the next round: everybody, or the best so many."""
FURTHER: Final[dict[Next, Next]] = {"": "final", "final": "semi", "semi": ""}
FINALISTS: Final[dict[Next, int]] = {"final": TABLE_SIZE, "semi": 2 * TABLE_SIZE}
"""Usual number of drivers of a final and of a semi-final."""


class SeatKey(Target):
    """Key of a `DriverSeat` and what its driver is called there; seats are closer together than other keys.

    A finger that moves away drags the driver: `on_drag()` when it leaves the seat, `on_drop(place)` where it lifts.
    """

    joined = True

    def __init__(self, **properties: Any) -> None:
        super().__init__(**properties)
        self.on_drag: Callable[[], object] = lambda: None
        self.on_drop: Callable[[tuple[float, float]], object] = lambda _: None
        self.dragged = False

    def on_touch_move(self, touch: Any) -> bool:
        if touch.grab_current is self and self.pressed and not self.collide_point(*touch.pos):
            if not self.dragged:
                self.dragged = True
                self.on_drag()
            return True
        return super().on_touch_move(touch)

    def on_touch_up(self, touch: Any) -> bool:
        if touch.grab_current is self and self.dragged:
            self.dragged = False
            touch.ungrab(self)
            self._let_go()
            self.on_drop(touch.pos)
            return True
        return super().on_touch_up(touch)

    def paint(self, pen: Pen) -> None:
        if self.shown is None:
            return
        seat: DriverSeat
        seat, called = self.shown
        w, h = pen.w - 4, pen.h - 4
        lit = seat.state in ("plain", "cheap", "cheapest", "partner", "gone")
        chosen = seat.state == "chosen"
        fill = "bg4" if self.pressed else "pri" if chosen else "bg3" if lit else "bg2"
        pen.fill(2, 2, w, h, fill, 6)
        if seat.state in ("cheapest", "partner", "gone"):
            pen.rim(2, 2, w, h, "pri" if seat.state == "cheapest" else "warn", 2, 6)
        line, notes = pen.h / 2 - 10, pen.h / 2 + 14
        plate.draw(pen, seat.plate, 22, line, 24)
        ink = "onpri" if chosen else "hi" if lit else "low"
        beside = 39 + plate.wider(seat.plate, 24)
        pen.text(called, beside, line, BODY, ink, SEMIBOLD, room=w - beside - 1, cut=True, floor=CAPTION)
        tone = {"cheap": "ok", "cheapest": "ok", "partner": "warn", "gone": "warn", "chosen": "onpri"}.get(
            seat.state, "mid" if lit else "low"
        )
        note, room = seat.note, w - (26 if seat.moved else 8)
        if seat.state == "plain" and pen.width(note, CAPTION, SEMIBOLD) > room:
            note = str(seat.rank or "")
        pen.text(note, 8, notes, CAPTION, tone, SEMIBOLD, room=room, cut=True)
        if seat.moved:
            pen.icon("redo", w - 8, notes, 14, "onpri" if chosen else "info")


class TableKey(Target):
    """Key of a `TableRow`: number, mean and status; a published one opens its result."""

    joined = True

    def paint(self, pen: Pen) -> None:
        row: TableRow | None = self.shown
        if row is None:
            return
        if self.pressed:
            pen.fill(0, 0, pen.w, pen.h, "bg4")
        if row.broken:
            pen.fill(0, 0, 4, pen.h, "warn")
        pen.text(row.number, 28, pen.h / 2, 28, "hi", BOLD, "centre")
        pen.text(row.mean, pen.w - 10, pen.h / 2 - 13, SMALL, "mid", SEMIBOLD, "right")
        icon, tone = ("triangle", "warn") if row.broken else ("finish" if row.done else "check", "ok")
        pen.icon(icon, pen.w - 20, pen.h / 2 + 11, 18, tone)


class MoveView(RowView):
    """Row of a `MoveRow`."""

    def draw(self, pen: Pen, shown: MoveRow) -> None:
        pen.text(shown.place, 28, pen.h / 2, BODY, "mid", SEMIBOLD, "right")
        half = (pen.w - 130) / 2
        for x, (one, name, to) in ((58.0, shown.one), (58 + half, shown.other)):
            plate.draw(pen, one, x, 20, 24)
            room = half - 48 - pen.width(to, SMALL, BOLD)
            wide = pen.text(name, x + 20, 20, SMALL, "hi", BOLD, room=room, cut=True)
            pen.text(to, x + 24 + wide, 20, SMALL, "hi", BOLD)
        right = pen.w - 14
        pen.text(shown.by, right, 20, CAPTION, "mid", SEMIBOLD, "right", room=80)
        ranks = pen.text(shown.ranks, right, 47, CAPTION, "ok", SEMIBOLD, "right")
        pen.text(shown.why, 46, 47, CAPTION, "mid", SEMIBOLD, room=right - ranks - 60, cut=True)


class SeedingScreen(RecordScreen):
    """The tables of the last round; `given["moves"]` shows the swaps."""

    kind = "tournament"

    def __init__(self, app: CompanionApp, given: OfRecord) -> None:
        super().__init__(app, given)
        self.chosen = 0
        """Number of the selected driver, 0 for none."""
        self.first = 0
        """Index of the first table shown."""
        self.next: Next = ""
        """Kind of the next round."""
        self.way: Deal = "turn"
        """Way of dealing the next round."""
        self.choosing = False
        """True if the ways of dealing are shown."""
        self.count = Stepper(on_change=lambda _: self.look_again())
        self.rows = Rows(MoveView, on_row=self._back_again, high=65.6)

    def look(self, desk: RecordDesk[Any], words: Words) -> SeedingShown:
        self.collect(desk)
        return seeding(desk.record, words, self.chosen)

    # -- what fingers do

    def _turn(self) -> None:
        """Toggle between tables and swaps."""
        self.given["moves"] = not self.given.get("moves", False)
        self.chosen = 0
        self.again()

    def _further(self) -> None:
        """Show the next tables, cyclically."""
        now: SeedingShown = self.now
        self.first = 0 if self.first + TABLES_SHOWN >= len(now.tables) else self.first + TABLES_SHOWN - 1
        self.look_again()

    def offers(self) -> Sequence[Offer]:
        here = self.record
        return (
            ("weather", "rain", lambda: self.app.go("weather", record=here)),
            ("standings", "trophy", lambda: self.app.go("standings", record=here, kind="tournament")),
            ("entrants", "person", lambda: self.app.go("entrants", record=here)),
            ("collect", "usb", self._collect),
        )

    def _collect(self) -> None:
        """Collect results of tables that raced elsewhere, from every stick."""
        self.app.recording.do(collect_sticks, self._came, self.show_refusal)

    def _came(self, found: tuple[list[str], list[CompanionError]]) -> None:
        came, wrong = found
        if wrong:
            self.show_refusal(wrong[0])
        else:
            self.app.tell(Toast(text=self.say("seeding.came", tables=", ".join(came)), icon="usb"))
            self.again()

    def correct(self, race: str) -> None:
        if race:
            super().correct(race)
        else:
            self.app.tell(Toast(text=self.say("seeding.reseat"), icon="info"))

    def _seat(self, number: int) -> None:
        """Select a driver, or swap him with the selected one."""
        now: SeedingShown = self.now
        chosen = self.chosen
        self.chosen = 0 if chosen == number else number if not chosen else 0
        here = next((row for row in now.tables if any(seat.number == chosen for seat in row.seats)), None)
        if not chosen or chosen == number or here is None or any(seat.number == number for seat in here.seats):
            self.again()
        elif now.published:
            self.asking.why(
                self.say("seeding.ask_seats"), "seeding.reason", REASONS,
                then=lambda why: self.do(lambda _: Reseated(round=now.round, one=chosen, other=number, why=why)),
            )  # fmt: skip
        else:
            why = self.say("seeding.why_swap")
            self.do(lambda record: Swapped(round=now.round, one=chosen, other=number, why=why))

    def _drag(self, number: int) -> None:
        """Select a dragged driver, to show the cost of each swap."""
        if self.chosen != number:
            self.chosen = number
            self.again()

    def _drop(self, number: int, place: tuple[float, float]) -> None:
        """Drop a driver on another one's seat, or nowhere."""
        seats = (key.shown for key in self.children if isinstance(key, SeatKey) and key.collide_point(*place))
        seat, _ = next(seats, (None, ""))
        self.chosen = number
        self._seat(seat.number if seat is not None else number)

    def _back_again(self, place: int) -> None:
        """Reverse a swap."""
        now: SeedingShown = self.now
        one, other = now.moves[place].numbers
        why = self.say("seeding.why_swap")
        if not now.published:
            self.do(lambda record: Swapped(round=now.round, one=one, other=other, why=why))

    def _publish(self) -> None:
        now: SeedingShown = self.now
        self.chosen = 0
        self.do(lambda record: Published(round=now.round))

    def _publish_though_changed(self) -> None:
        """Ask whether to deal again or why the outdated tables stay, then publish."""
        now: SeedingShown = self.now
        self.chosen = 0
        self.ask_to_keep(now.objection, keep=lambda why: self.do(lambda _: Published(round=now.round, why=why)))

    def _publish_all_the_same(self) -> None:
        """Ask why tables with team-mates together are published, then publish."""
        now: SeedingShown = self.now
        self.chosen = 0
        self.asking.why(self.say("seeding.ask_publish"), "seeding.reason", REASONS,
                        then=lambda why: self.do(lambda _: Published(round=now.round, why=why)),
                        told=now.note)  # fmt: skip

    def _deal(self) -> None:
        """Deal the next round."""
        now: SeedingShown = self.now
        count, way, final = self.count.value, self.way, self.next == "final"
        source: From = "standings" if now.round else "trials"
        if self.next:  # it is the drivers that are counted there
            self.do(lambda record: record.seeding(tables=-(-count // TABLE_SIZE), first=count, source=source, way=way,
                                                  final=final))  # fmt: skip
        else:
            self.do(lambda record: record.seeding(tables=count, source=source, way=way))
        self.next = ""

    def _final(self) -> None:
        """Cycle the next round: ordinary, final, semi-final."""
        self.next = FURTHER[self.next]
        self._count(self.now)
        self.look_again()

    def _count(self, now: SeedingShown) -> None:
        """Set the stepper to count tables, or the drivers of a final or semi-final."""
        if self.next:
            usual = min(FINALISTS[self.next], now.drivers)
            field = Field(name=self.next, label=self.say("seeding.first"), value=usual, low=2, high=now.drivers)
        else:
            most = max(1, (now.drivers or 2) // 2)
            usual = min(most, max(1, -(-now.drivers // TABLE_SIZE)))
            field = Field(name="tables", label=self.say("seeding.tables"), value=usual, low=1, high=most)
        if self.count.shown is None or self.count.shown.name != field.name or self.count.shown.high != field.high:
            self.count.show(field)

    @property
    def _shown_deal(self) -> Deal:
        """The way of dealing the next round, or that of the tables."""
        now: SeedingShown = self.now
        return self.way if now.can_deal else now.deal

    def _toggle_deals(self) -> None:
        self.choosing, self.chosen = not self.choosing, 0
        self.again()

    def _choose_deal(self, way: Deal) -> None:
        """Choose the kind of deal; tables already dealt are dealt again if confirmed."""
        now: SeedingShown = self.now
        self.choosing = False
        if now.tables and not now.can_deal and way != now.deal:
            title = self.say("seeding.anew", way=way)
            question = Confirmation(title=title, note=self.say("seeding.anew_note"), act=self.say("seeding.anew_act"))
            self.app.ask(question, lambda: self.do(lambda record: record.seeding_again(way)))
        elif not now.published or now.can_deal:
            self.way = way
        self.again()

    def _table(self, key: str) -> None:
        self.app.go("table_result", record=self.record, table=key)

    def _do_due(self) -> None:
        """Open the screen of the next step."""
        now: SeedingShown = self.now
        if now.due == "weather":
            self.app.go("weather", record=self.record)
        elif now.due == "standings":
            self.app.go("standings", record=self.record, kind="tournament")
        else:
            self._table(now.due_table)

    def back(self) -> bool:
        if super().back():
            return True
        was = bool(self.chosen) or self.choosing or self.given.get("moves", False)
        self.choosing, self.chosen, self.given["moves"] = False, 0, False
        if was:
            self.again()
        return was

    @property
    def table_here(self) -> str:
        return f"tables {self.now.round}" if self.now.round else "entries"

    # -- what is shown

    def compose_record(self, ui: Ui) -> None:
        now: SeedingShown = self.now
        self.bar.show(Title(text=self.say("seeding.title"), note=now.subtitle))
        if not now.published or now.can_deal:
            self.bar.keep = MENU + 148.0
            face = Face(label=self.say(f"seeding.deals.{self._shown_deal}"), icon="down", look="option", size=SMALL)
            ui.button(Area(ui.pen.w - MENU - 140, 0, 132, BAR), "deal", face, self._toggle_deals)
        foot = self.compose_foot(ui, now.undo)
        self._compose_keys(ui, foot, now)
        self._compose_question(ui, foot, now)
        if self.choosing:
            self._compose_deals(ui, ui.area.inset(20, 20))
        elif now.tables and self.given.get("moves"):
            self._compose_constraints(ui, ui.area.cut_right(SIDE), now)
            self._compose_moves(ui, ui.area, now)
        elif now.tables:
            self._compose_seats(ui, ui.area, now)
        else:
            self._compose_empty(ui, ui.area, "table", "none_dealt")

    def _compose_deals(self, ui: Ui, area: Area) -> None:
        """Compose the ways of dealing in a column."""
        for cell, way in zip(area.rows(len(DEALS), KEYS, 12), DEALS, strict=True):
            label, note = self.say(f"seeding.deals.{way}"), self.say(f"seeding.deals_note.{way}")
            face = Face(label=label, note=note, look="option", size=VALUE, chosen=way == self._shown_deal)
            ui.button(cell, way, face, partial(self._choose_deal, way))

    def _compose_seats(self, ui: Ui, area: Area, now: SeedingShown) -> None:
        """Compose a row for each table: its key, and the drivers in the order of the grid."""
        across = max(ACROSS, max(len(row.seats) for row in now.tables))
        head = area.cut_top(HEAD)
        mean = head.cut_left(SEATS_AT)
        mean_head = self.say("seeding.table_mean")
        ui.pen.text(mean_head, mean.x + 10, mean.middle[1], CAPTION, "low", SEMIBOLD, room=mean.w - 14, cut=True)
        for at, cell in enumerate(head.columns(across, 0)):
            ui.pen.text(self.say("seeding.grid", place=at + 1), *cell.middle, CAPTION, "low", SEMIBOLD, "centre")
        shown = now.tables[self.first : self.first + TABLES_SHOWN]
        room = (area.w - SEATS_AT) / across - BESIDE_PLATE
        seats = (seat for row in now.tables for seat in row.seats)
        named = all(ui.pen.width(one.name, BODY, SEMIBOLD) + plate.wider(one.plate, 24) <= room for one in seats)
        high = min(HIGHEST, max(PITCH, area.h / min(len(now.tables), TABLES_SHOWN)))
        for line, row in zip(area.rows(len(shown), high, 0), shown, strict=True):
            tap = partial(self._table, row.key) if now.published else None
            ui.target(line.cut_left(SEATS_AT - 2), row.key, TableKey, row, tap)
            line.cut_left(2)
            for cell, seat in zip(line.columns(across, 0), row.seats, strict=False):
                said = seat, seat.name if named else seat.code
                key = ui.target(cell, seat.number, SeatKey, said, partial(self._seat, seat.number))
                key.on_drag, key.on_drop = partial(self._drag, seat.number), partial(self._drop, seat.number)

    def _compose_moves(self, ui: Ui, area: Area, now: SeedingShown) -> None:
        """Compose the swaps, and below them how many stay where they were dealt."""
        stay = area.cut_bottom(46)
        ui.pen.text(now.stay, stay.x + 24, stay.middle[1], SMALL, "mid", SEMIBOLD, room=stay.w - 40)
        if now.moves:
            ui.place(area, self.rows).show(now.moves)
        else:
            self._compose_empty(ui, area, "check", "none_moved")

    def _compose_empty(self, ui: Ui, area: Area, icon: str, key: str) -> None:
        """Say what is not there yet, and why, in a frame."""
        empty = ui.named("empty", Empty)
        empty.show(EmptyState(icon=icon, title=self.say(f"seeding.{key}"), note=self.say(f"seeding.{key}_note")))
        ui.place(Area(area.x + 20, area.y + 30, area.w - 40, area.h - 54), empty)

    def _compose_constraints(self, ui: Ui, side: Area, now: SeedingShown) -> None:
        """Write the constraints of the tables, and whether each is kept."""
        pen = ui.pen
        ui.fill(Area(side.x, side.y, 1, side.h), "line")
        head = side.cut_top(41)
        pen.text(self.say("seeding.constraints"), head.x + 14, head.y + 22, BODY, "hi", BOLD)
        for row, one in zip(side.rows(len(now.constraints), 46, 0), now.constraints, strict=True):
            y = row.middle[1]
            pen.fill(row.x, row.y, row.w, 1, "line")
            pen.icon("check" if one.kept else "triangle", row.x + 24, y, 20, "ok" if one.kept else "warn")
            value = pen.text(one.value, row.right - 12, y, SMALL, "mid", SEMIBOLD, "right", room=90)
            pen.text(one.text, row.x + 42, y, SMALL, "hi", SEMIBOLD, room=row.w - 62 - value)

    def _compose_question(self, ui: Ui, foot: Area, now: SeedingShown) -> None:
        """Write what is asked, with the plate of the chosen driver, and a note or a warning."""
        pen, x, y, room = ui.pen, foot.x, foot.y, foot.w
        if now.chosen is not None:
            plate.draw(pen, now.chosen, x + 18, y + 24, 36)
            x, room = x + 44, room - 44
        pen.text(now.question, x, y + 23, QUESTION, "hi", BOLD, room=room, cut=bool(self.chosen))
        if now.tone == "warn":
            pen.icon("triangle", foot.x + 9, y + 60, 18, "warn")
            foot.cut_left(24)
        tone = "warn" if now.tone == "warn" else "mid"
        pen.text(now.note, foot.x, y + 60, SMALL, tone, SEMIBOLD, room=foot.w, cut=True)

    def _compose_keys(self, ui: Ui, foot: Area, now: SeedingShown) -> None:
        """Compose the keys of the foot, from the right; cut off what they take."""
        main, moves = foot.cut_right(152), self.given.get("moves", False)
        if now.can_deal:
            self._count(now)
            foot.cut_right(8)
            ui.place(foot.cut_right(150).inset(0, 4), self.count)
            if now.round:
                foot.cut_right(8)
                label = self.say(f"seeding.{self.next or 'final'}")
                face = Face(label=label, icon="trophy", look="option", chosen=bool(self.next))
                ui.button(foot.cut_right(96), "final", face, self._final)
        elif now.tables:
            foot.cut_right(8)
            note = "" if moves else self.say("seeding.so_far", count=len(now.moves))
            label, icon = self.say("seeding.tables" if moves else "seeding.moves"), "table" if moves else "redo"
            ui.button(foot.cut_right(96), "moves", Face(label=label, note=note, icon=icon, look="option"), self._turn)
        if len(now.tables) > TABLES_SHOWN and not moves:
            foot.cut_right(8)
            ui.button(foot.cut_right(52).inset(0, 16), "more", Face(icon="down", look="option"), self._further)
        foot.cut_right(16)
        self._compose_step(ui, main, now)

    def _compose_step(self, ui: Ui, area: Area, now: SeedingShown) -> None:
        """Compose the main key: to deal, to publish, or to the next step."""
        if now.can_deal:
            label = self.say("seeding.deal" if self.next or not now.round else "seeding.next_round")
            price = self.say("seeding.final_of" if self.next else "seeding.deal_to", tables=self.count.value)
            self.compose_main(ui, area, deed(label, price), self._deal)
            return
        if now.published:
            note = self.say(f"seeding.due_note.{now.due}", table=now.due_table)
            self.compose_main(ui, area, deed(self.say(f"seeding.due.{now.due}"), note), self._do_due)
            return
        label = self.say("seeding.publish")
        if now.objection:
            face = Face(label=label, look="option", size=VALUE, note=self.say("seeding.changed"))
            self.compose_main(ui, area, face, self._publish_though_changed)
        elif now.broken:
            left = self.say("seeding.pairs_left", count=now.broken)
            face = Face(label=label, look="barred", size=VALUE, note=left)
            self.compose_main(ui, area, face, on_hold=self._publish_all_the_same)
        else:
            face = deed(label, self.say("seeding.to_tables", count=len(now.tables)))
            self.compose_main(ui, area, face, self._publish)
