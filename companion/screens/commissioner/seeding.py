"""The tables of a round: a touch on a driver shows what each swap would cost, a second one swaps; and the moves with
their reasons."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, Final, Literal

from companion.desk.organising import collect_sticks
from companion.desk.record_desk import RecordDesk
from companion.rules.conversation.errors import CompanionError
from companion.screens.app.visits import OfRecord
from companion.screens.commissioner.record_screen import Offer, RecordScreen
from companion.screens.widgets import plate
from companion.screens.widgets.confirm import Question
from companion.screens.widgets.empty import Empty, Nothing
from companion.screens.widgets.foot import BAND, KEYS, deed, ground
from companion.screens.widgets.key import Face, Key
from companion.screens.widgets.menu import WIDE as MENU
from companion.screens.widgets.pen import BOLD, SEMIBOLD, Pen
from companion.screens.widgets.rows import Rows, RowView
from companion.screens.widgets.stepper import Stepper
from companion.screens.widgets.theme import BODY, CAPTION, QUESTION, SMALL, VALUE
from companion.screens.widgets.title_bar import HIGH as BAR
from companion.screens.widgets.title_bar import Title
from companion.screens.widgets.touch import Target
from companion.tournament.seeding import Deal
from companion.tournament.tournament import From, Published, Reseated, Swapped
from companion.view.commissioner.seeding import MoveRow, Seat, SeedingShown, TableRow, seeding
from companion.view.shown import Field, Toast
from companion.wording import Words

if TYPE_CHECKING:
    from companion.screens.app.app import CompanionApp

HEAD: Final = 22.0
SIDE: Final = 94.0
"""Where the seats begin."""
PITCH: Final = 61.2
SEEN: Final = 5
"""How many tables are seen at once."""
ACROSS: Final = 8
RIGHT: Final = 243.0
MOVE: Final = 65.6
DEALS: Final[tuple[Deal, ...]] = ("turn", "snake", "level")
REASONS: Final = ("brothers", "club", "door")
"""Why two drivers change seats, or team-mates stay together; another reason is typed."""
FULL: Final = 8
"""How many drivers a table usually has."""
Next = Literal["", "final", "semi"]
"""Whom the next round is for: everybody, or the first so many."""
FURTHER: Final[dict[Next, Next]] = {"": "final", "final": "semi", "semi": ""}
USUAL: Final[dict[Next, int]] = {"final": FULL, "semi": 2 * FULL}
"""How many drivers they have."""


class SeatKey(Target):
    """Shows a `Seat`; seats stand closer than other keys. A finger that goes elsewhere takes the driver along:
    `on_drag()` when it leaves the seat, `on_drop(place)` where it is lifted."""

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
        seat: Seat | None = self.shown
        if seat is None:
            return
        w, h = pen.w - 4, pen.h - 4
        lit = seat.state in ("plain", "cheap", "cheapest", "partner", "gone")
        chosen = seat.state == "chosen"
        fill = "bg4" if self.pressed else "pri" if chosen else "bg3" if lit else "bg2"
        pen.fill(2, 2, w, h, fill, 6)
        if seat.state in ("cheapest", "partner", "gone"):
            pen.rim(2, 2, w, h, "pri" if seat.state == "cheapest" else "warn", 2, 6)
        plate.draw(pen, seat.plate, 22, 21, 24)
        ink = "onpri" if chosen else "hi" if lit else "low"
        beside = 39 + plate.wider(seat.plate, 24)
        pen.text(seat.code, beside, 21, BODY, ink, SEMIBOLD, room=w - beside - 1, cut=True, floor=CAPTION)
        tone = {"cheap": "ok", "cheapest": "ok", "partner": "warn", "gone": "warn", "chosen": "onpri"}.get(
            seat.state, "mid" if lit else "low"
        )
        note, room = seat.note, w - (26 if seat.moved else 8)
        if seat.state == "plain" and pen.width(note, CAPTION, SEMIBOLD) > room:
            note = str(seat.rank or "")
        pen.text(note, 8, 45, CAPTION, tone, SEMIBOLD, room=room, cut=True)
        if seat.moved:
            pen.icon("redo", w - 8, 45, 14, "onpri" if chosen else "info")


class TableKey(Target):
    """Shows a `TableRow`'s number, mean and whether all is well; a published one opens its result."""

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
        pen.text(row.mean, pen.w - 10, 18, SMALL, "mid", SEMIBOLD, "right")
        icon, tone = ("triangle", "warn") if row.broken else ("finish" if row.done else "check", "ok")
        pen.icon(icon, pen.w - 20, 42, 18, tone)


class MoveView(RowView):
    """Draws a `MoveRow`."""

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
    """The tables of the last round; `given["moves"]` shows what was moved."""

    kind = "tournament"

    def __init__(self, app: CompanionApp, given: OfRecord) -> None:
        super().__init__(app, given)
        self.chosen = 0
        self.first = 0
        self.seats: list[SeatKey] = []
        self.numbers: list[TableKey] = []
        self.moves, self.more = Key(on_tap=self._turn), Key(on_tap=self._further)
        self.deal, self.final = Key(on_tap=self._deals), Key(on_tap=self._final)
        self.next: Next = ""
        """What the next round is."""
        self.way: Deal = "turn"
        """How the next round is to be dealt."""
        self.choosing = False
        """Whether the ways of dealing are shown."""
        self.deals = {way: Key(on_tap=partial(self._choose_deal, way)) for way in DEALS}
        self.count = Stepper(lambda _: self.look_again())
        self.rows = Rows(MoveView, self._back_again, high=MOVE)
        self.none = Empty()

    def look(self, desk: RecordDesk[Any], words: Words) -> SeedingShown:
        self.collect(desk)
        return seeding(desk.record, words, self.chosen)

    # -- what fingers do

    def _turn(self) -> None:
        """The tables, or the moves."""
        self.given["moves"] = not self.given.get("moves", False)
        self.chosen = 0
        self.again()

    def _further(self) -> None:
        now: SeedingShown = self.now
        self.first = 0 if self.first + SEEN >= len(now.tables) else self.first + SEEN - 1
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
        """Results of tables that raced elsewhere, from every stick."""
        self.app.recording.do(collect_sticks, self._came, self.told)

    def _came(self, found: tuple[list[str], list[CompanionError]]) -> None:
        came, wrong = found
        if wrong:
            self.told(wrong[0])
        else:
            self.app.tell(Toast(text=self.say("seeding.came", tables=", ".join(came)), icon="usb"))
            self.again()

    def correct(self, race: str) -> None:
        if race:
            super().correct(race)
        else:
            self.app.tell(Toast(text=self.say("seeding.reseat"), icon="info"))

    def _seat(self, number: int) -> None:
        now: SeedingShown = self.now
        chosen = self.chosen
        self.chosen = 0 if chosen == number else number if not chosen else 0
        here = next((row for row in now.tables if any(seat.number == chosen for seat in row.seats)), None)
        if not chosen or chosen == number or here is None or any(seat.number == number for seat in here.seats):
            self.again()
        elif now.published:
            self.asking.why(
                self.say("seeding.ask_seats"), "seeding.reason", REASONS,
                lambda why: self.do(lambda _: Reseated(round=now.round, one=chosen, other=number, why=why)),
            )  # fmt: skip
        else:
            why = self.say("seeding.why_swap")
            self.do(lambda record: Swapped(round=now.round, one=chosen, other=number, why=why))

    def _drag(self, number: int) -> None:
        """A driver is taken along: what a swap with each other one would cost is shown."""
        if self.chosen != number:
            self.chosen = number
            self.again()

    def _drop(self, number: int, place: tuple[float, float]) -> None:
        """A driver is let go on the seat of another one, or nowhere."""
        key = next((key for key in self.seats if key.parent is self and key.collide_point(*place)), None)
        self.chosen = number
        self._seat(key.shown.number if key is not None else number)

    def _back_again(self, place: int) -> None:
        """A move is made again the other way round."""
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
        """What the tables were dealt from has changed: they are dealt anew, or stay with a reason, which is asked."""
        now: SeedingShown = self.now
        self.chosen = 0
        self.ask_to_keep(now.objection, lambda why: self.do(lambda _: Published(round=now.round, why=why)))

    def _publish_all_the_same(self) -> None:
        """With team-mates together: why, is asked."""
        now: SeedingShown = self.now
        self.chosen = 0
        self.asking.why(self.say("seeding.ask_publish"), "seeding.reason", REASONS,
                        lambda why: self.do(lambda _: Published(round=now.round, why=why)), now.note)  # fmt: skip

    def _deal(self) -> None:
        now: SeedingShown = self.now
        count, way, final = self.count.value, self.way, self.next == "final"
        source: From = "standings" if now.round else "trials"
        if self.next:  # it is the drivers that are counted there
            self.do(lambda record: record.seeding(tables=-(-count // FULL), first=count, source=source, way=way,
                                                  final=final))  # fmt: skip
        else:
            self.do(lambda record: record.seeding(tables=count, source=source, way=way))
        self.next = ""

    def _final(self) -> None:
        """The next round is the final, or a semi-final, or neither."""
        self.next = FURTHER[self.next]
        self._count(self.now)
        self.look_again()

    def _count(self, now: SeedingShown) -> None:
        """The stepper counts tables, or the drivers of a final or semi-final."""
        if self.next:
            usual = min(USUAL[self.next], now.drivers)
            field = Field(name=self.next, label=self.say("seeding.first"), value=usual, low=2, high=now.drivers)
        else:
            most = max(1, (now.drivers or 2) // 2)
            usual = min(most, max(1, -(-now.drivers // FULL)))
            field = Field(name="tables", label=self.say("seeding.tables"), value=usual, low=1, high=most)
        if self.count.shown is None or self.count.shown.name != field.name or self.count.shown.high != field.high:
            self.count.show(field)

    def _deals(self) -> None:
        self.choosing, self.chosen = not self.choosing, 0
        self.again()

    def _choose_deal(self, way: Deal) -> None:
        """For tables that are not dealt yet it is chosen; those that are dealt are dealt anew, if that is meant."""
        now: SeedingShown = self.now
        self.choosing = False
        if now.tables and not now.can_deal and way != now.deal:
            title = self.say("seeding.anew", way=way)
            question = Question(title=title, note=self.say("seeding.anew_note"), act=self.say("seeding.anew_act"))
            self.app.ask(question, lambda: self.do(lambda record: record.seeding_again(way)))
        elif not now.published or now.can_deal:
            self.way = way
        self.again()

    def _table(self, key: str) -> None:
        self.app.go("table_result", record=self.record, table=key)

    def _do_due(self) -> None:
        """Goes to what comes next."""
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

    # -- where everything is

    def place(self) -> list[Any]:
        now: SeedingShown = self.now
        self.bar.show(Title(text=self.say("seeding.title"), note=now.subtitle))
        seen: list[Any] = [self.put_undo(now.undo)]
        if not now.published or now.can_deal:
            self.bar.keep = MENU + 148.0
            way = self.way if now.can_deal else now.deal
            face = Face(label=self.say(f"seeding.deals.{way}"), icon="down", look="option", size=SMALL)
            self.deal.show(face)
            self.put(self.deal, self.w - MENU - 140, 0, 132, BAR)
            seen.append(self.deal)
        if self.choosing:
            seen += self._place_deals(now)
        elif now.tables and not self.given.get("moves"):
            seen += self._place_seats(now)
        elif now.tables:
            seen += self._place_moves(now)
        return [*seen, *self._place_keys(now)]

    def _place_deals(self, now: SeedingShown) -> list[Any]:
        """The ways of dealing below each other."""
        chosen = self.way if now.can_deal else now.deal
        for way, key in self.deals.items():
            note = self.say(f"seeding.deals_note.{way}")
            key.show(Face(label=self.say(f"seeding.deals.{way}"), note=note, look="option", size=VALUE,
                          chosen=way == chosen))  # fmt: skip
        self.put_rows(self.deals.values(), 20, BAR + 20, self.w - 40, KEYS, across=1, gap=12)
        return [*self.deals.values()]

    def _place_seats(self, now: SeedingShown) -> list[Any]:
        rows = now.tables[self.first : self.first + SEEN]
        across = max(ACROSS, max(len(row.seats) for row in now.tables))
        wide = (self.w - SIDE) / across
        self.as_many(self.numbers, len(rows), TableKey)
        self.as_many(self.seats, sum(len(row.seats) for row in rows), SeatKey)
        seats = iter(self.seats)
        for at, (row, number) in enumerate(zip(rows, self.numbers, strict=True)):
            y = BAR + HEAD + at * PITCH
            number.on_tap = partial(self._table, row.key) if now.published else None
            number.show(row)
            self.put(number, 0, y, SIDE - 2, PITCH)
            for place, seat in enumerate(row.seats):
                key = next(seats)
                key.on_tap = partial(self._seat, seat.number)
                key.on_drag, key.on_drop = partial(self._drag, seat.number), partial(self._drop, seat.number)
                key.show(seat)
                self.put(key, SIDE + place * wide, y, wide, PITCH)
        return [*self.numbers, *self.seats]

    def _place_moves(self, now: SeedingShown) -> list[Any]:
        left, top = self.w - RIGHT, self.h - BAND
        if now.moves:
            self.rows.show(now.moves)
            self.put(self.rows, 0, BAR, left, top - BAR - 46)
            return [self.rows]
        nothing = Nothing(icon="check", title=self.say("seeding.none_moved"), note=self.say("seeding.none_moved_note"))
        self.none.show(nothing)
        self.put(self.none, 20, BAR + 30, left - 40, top - BAR - 100)
        return [self.none]

    def _place_keys(self, now: SeedingShown) -> list[Any]:
        top, right = self.h - BAND + 8, self.w - 12
        seen: list[Any] = []
        if now.can_deal:
            self._count(now)
            self.put(self.count, right - 310, top + 4, 150, 76)
            price = self.say("seeding.final_of" if self.next else "seeding.deal_to", tables=self.count.value)
            label = self.say(f"seeding.{self.next or 'next_round'}" if now.round else "seeding.deal")
            face = deed(label, price)
            self.main.on_tap, self.main.on_hold = self._deal, None
            seen.append(self.count)
            if now.round:
                ends = self.say(f"seeding.{self.next or 'final'}")
                self.final.show(Face(label=ends, icon="trophy", look="option", size=BODY, chosen=bool(self.next)))
                self.put(self.final, right - 414, top, 96, KEYS)
                seen.append(self.final)
        elif now.published:
            self.main.on_tap, self.main.on_hold = self._do_due, None
            said = self.say(f"seeding.due_note.{now.due}", table=now.due_table)
            face = deed(self.say(f"seeding.due.{now.due}"), said)
        elif now.objection:
            self.main.on_tap, self.main.on_hold = self._publish_though_changed, None
            changed = self.say("seeding.changed")
            face = Face(label=self.say("seeding.publish"), look="option", size=VALUE, note=changed)
        elif now.broken:
            self.main.on_tap, self.main.on_hold = None, self._publish_all_the_same
            left = self.say("seeding.pairs_left", count=now.broken)
            face = Face(label=self.say("seeding.publish"), look="barred", size=VALUE, note=left)
        else:
            self.main.on_tap, self.main.on_hold = self._publish, None
            face = deed(self.say("seeding.publish"), self.say("seeding.to_tables", count=len(now.tables)))
        seen.append(self.put_main(face, 152))
        if now.tables and not now.can_deal:
            moved = self.given.get("moves", False)
            note = "" if moved else self.say("seeding.so_far", count=len(now.moves))
            label = self.say("seeding.tables" if moved else "seeding.moves")
            self.moves.show(Face(label=label, note=note, icon="table" if moved else "redo", look="option", size=BODY))
            self.put(self.moves, right - 256, top, 96, KEYS)
            seen.append(self.moves)
        if len(now.tables) > SEEN and not self.given.get("moves"):
            self.more.show(Face(icon="down", look="option"))
            self.put(self.more, right - 316, top + 16, 52, 52)
            seen.append(self.more)
        return seen

    def draw(self, pen: Pen) -> None:
        now: SeedingShown = self.now
        top = pen.h - BAND
        ground(pen)
        keys = 422 if now.can_deal and now.round else 318 if now.can_deal else 264
        room = pen.w - 128 - 12 - keys - 8
        x = 128.0
        if now.chosen is not None:
            plate.draw(pen, now.chosen, 146, top + 32, 36)
            x, room = x + 44, room - 44
        pen.text(now.question, x, top + 31, QUESTION, "hi", BOLD, room=room, cut=bool(self.chosen))
        warned = now.tone == "warn"
        x, room = (152.0, room - 24) if warned else (128.0, room)
        if warned:
            pen.icon("triangle", 137, top + 68, 18, "warn")
        tone = "warn" if warned else "mid"
        pen.text(now.note, x, top + 68, SMALL, tone, SEMIBOLD, room=room, cut=True)
        if self.choosing:
            return
        if now.tables and not self.given.get("moves"):
            across = max(ACROSS, max(len(row.seats) for row in now.tables))
            wide = (pen.w - SIDE) / across
            pen.text(
                self.say("seeding.table_mean"), 10, BAR + HEAD / 2, CAPTION, "low", SEMIBOLD, room=SIDE - 14, cut=True
            )
            for at in range(across):
                x = SIDE + wide * (at + 0.5)
                pen.text(self.say("seeding.grid", place=at + 1), x, BAR + HEAD / 2, CAPTION, "low", SEMIBOLD, "centre")
        elif now.tables:
            self._draw_constraints(pen, now)

    def _draw_constraints(self, pen: Pen, now: SeedingShown) -> None:
        left, top = pen.w - RIGHT, pen.h - BAND
        pen.fill(left, BAR, 1, top - BAR, "line")
        pen.text(now.stay, 24, top - 23, SMALL, "mid", SEMIBOLD, room=left - 40)
        pen.text(self.say("seeding.constraints"), left + 14, BAR + 22, BODY, "hi", BOLD)
        for at, one in enumerate(now.constraints):
            y = BAR + 64 + at * 46
            pen.fill(left, y - 23, RIGHT, 1, "line")
            pen.icon("check" if one.kept else "triangle", left + 24, y, 20, "ok" if one.kept else "warn")
            value = pen.text(one.value, pen.w - 12, y, SMALL, "mid", SEMIBOLD, "right", room=90)
            pen.text(one.text, left + 42, y, SMALL, "hi", SEMIBOLD, room=RIGHT - 62 - value)
