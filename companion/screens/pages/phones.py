"""Phones: who drives or watches from a phone, the code to scan for each, and whether they are open at all."""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

from kivy.clock import Clock

from companion.printing.code import squares_of
from companion.rules.conversation.errors import CompanionError
from companion.screens.app.screen import Screen
from companion.screens.pages.exporting import MARGIN, squares
from companion.screens.widgets import plate
from companion.screens.widgets.key import Face, Key
from companion.screens.widgets.pen import BOLD, SEMIBOLD, Pen
from companion.screens.widgets.rows import Rows, RowView
from companion.screens.widgets.theme import BODY, CAPTION, NAME, SMALL, VALUE
from companion.screens.widgets.title_bar import HIGH, Title, TitleBar
from companion.view.shown import Plate, Shown, Tone
from companion.web import PORT
from companion.web.networks import addresses

if TYPE_CHECKING:
    from companion.screens.app.app import CompanionApp
    from companion.web.running import Phones

LIST: Final = 400.0
CODE: Final = 264.0
ROW: Final = 48.0
SWITCH: Final = 272.0
KEY: Final = 64.0
HERE: Final = 6.0
"""Seconds after which a phone that is not heard of is quiet."""
MOST: Final = 3
"""Networks that have a key."""


class PhoneRow(Shown, frozen=True, kw_only=True):
    """Who may have a phone: whoever watches (no plate), or the driver of a car; and what is known of it."""

    name: str
    plate: Plate | None = None
    word: str = ""
    icon: str = ""
    tone: Tone = "plain"
    chosen: bool = False


class PhoneView(RowView):
    """A `PhoneRow`."""

    def draw(self, pen: Pen, shown: PhoneRow) -> None:
        if shown.chosen:
            self.choose(pen)
        middle = pen.h / 2
        if shown.plate is not None:
            plate.draw(pen, shown.plate, 32, middle, 28)
        else:
            pen.icon("flag", 32, middle, 24, "hi")
        pen.text(shown.name, 58, middle, BODY, "hi", SEMIBOLD, room=150, cut=True)
        tone = {"plain": "mid"}.get(shown.tone, shown.tone)
        pen.icon(shown.icon, 228, middle, 18, tone)
        pen.text(shown.word, 246, middle, SMALL, tone, SEMIBOLD, room=pen.w - 258, cut=True)


class PhonesScreen(Screen):
    """The list at the left, the code of the chosen one at the right; before they are open a key for each network."""

    def __init__(self, app: CompanionApp, given: Mapping[str, object]) -> None:
        super().__init__(app, given)
        self.bar = TitleBar(app.back, keep=SWITCH)
        self.drivers = Key(on_tap=self.switch)
        self.rows = Rows(PhoneView, on_row=self.choose, high=ROW)
        self.networks = [Key() for _ in range(MOST)]
        self.anew, self.revoke, self.shut = Key(on_tap=self.replace), Key(on_tap=self.take), Key(on_tap=self.close)
        self.chosen = 0
        self._hosts = addresses()[:MOST]
        self._tick = Clock.schedule_interval(self.look_again, 1)
        if app.playing.seat is None:
            self.go_home()

    def leave(self) -> None:
        self._tick.cancel()

    @property
    def pages(self) -> Phones | None:
        """The pages, while they are open."""
        return self.app.playing.phones.pages

    @property
    def cars(self) -> list[tuple[Plate, str]]:
        """Each car with its driver."""
        shown = self.app.playing.shown
        return [(row.plate, row.name or row.code) for row in shown.order] if shown is not None else []

    # -- what is meant

    def open(self, host: str) -> None:
        """Opens the pages on a network."""
        playing = self.app.playing
        if playing.seat is not None:
            port = PORT if self.given.get("port") is None else int(str(self.given["port"]))
            playing.phones.open(playing.seat, self.app.folder, playing.log_id, host, port, self._opened)

    def _opened(self, wrong: CompanionError | None) -> None:
        Clock.schedule_once(lambda _: self.app.tell(wrong) if wrong is not None else self._ready())

    def _ready(self) -> None:
        if self.pages is not None:
            for shown, _ in self.cars:
                self.pages.tokens.of(shown.number)
        self.look_again()

    def close(self) -> None:
        """Closes them."""
        self.app.playing.phones.shut()
        self.look_again()

    def switch(self) -> None:
        """Drivers answer for themselves, or the table does for all."""
        if self.pages is not None:
            self.pages.answering(not self.pages.tokens.drivers)
            self.look_again()

    def choose(self, index: int) -> None:
        """Shows the code of a row."""
        self.chosen = index
        self.look_again()

    def replace(self) -> None:
        """A new code for the chosen car; the old one is void."""
        if self.pages is not None and self.chosen:
            self.pages.replace(self.cars[self.chosen - 1][0].number)
            self.look_again()

    def take(self) -> None:
        """Voids the code of the chosen car, at once."""
        if self.pages is not None and self.chosen:
            self.pages.revoke(self.cars[self.chosen - 1][0].number)
            self.look_again()

    # -- what is shown

    @property
    def address(self) -> str:
        """What the chosen code says; "" if that car has none."""
        pages = self.pages
        if pages is None:
            return ""
        if not self.chosen:
            return pages.address
        number = self.cars[self.chosen - 1][0].number
        return pages.drive(number) if pages.tokens.has(number) else ""

    def row(self, place: int, shown: Plate, name: str) -> PhoneRow:
        """A driver's row."""
        assert self.pages is not None
        heard, here = self.pages.tokens.heard.get(shown.number), self.chosen == place
        if not self.pages.tokens.has(shown.number):
            known: tuple[str, str, Tone] = (self.say("phones.revoked"), "cross", "bad")
        elif heard is None:
            known = self.say("phones.none"), "phone", "plain"
        elif (quiet := time.monotonic() - heard) > HERE:
            known = self.say("phones.quiet", minutes=round(quiet / 60)), "clock", "warn"
        else:
            known = self.say("phones.here"), "check", "ok"
        return PhoneRow(name=name, plate=shown, word=known[0], icon=known[1], tone=known[2], chosen=here)

    def arrange(self) -> None:
        pages = self.pages
        self.bar.show(Title(text=self.say("phones.title")))
        self.put(self.bar, 0, 0, self.w, HIGH)
        left, y = LIST + 16, self.h - KEY - 12
        if pages is None:
            self.only(self.networks[: len(self._hosts)], of=[*self.networks, *self._open_ones])
            for key, host in zip(self.networks, self._hosts, strict=False):
                key.on_tap = lambda host=host: self.open(host)
                key.show(Face(label=self.say("phones.open"), note=host, icon="phone", size=NAME))
            self.put_rows(self.networks[: len(self._hosts)], 24, 150, self.w - 48, 80, across=1)
            return
        watching = self.say("phones.watching", count=pages.watching)
        first = PhoneRow(name=self.say("phones.watch"), word=watching, icon="person", chosen=not self.chosen)
        drivers = [self.row(place, shown, name) for place, (shown, name) in enumerate(self.cars, 1)]
        self.rows.show([first, *drivers])
        self.put(self.rows, 0, HIGH, LIST, self.h - HIGH)
        on = pages.tokens.drivers
        note = self.say("phones.on" if on else "phones.off")
        self.drivers.show(Face(label=self.say("phones.drivers"), note=note, look="option", size=CAPTION, chosen=on))
        self.put(self.drivers, self.w - SWITCH, 0, SWITCH, HIGH)
        self.shut.show(Face(label=self.say("phones.close"), look="quiet", size=SMALL))
        self.anew.show(Face(label=self.say("phones.anew"), look="option", size=SMALL))
        self.revoke.show(Face(label=self.say("phones.revoke"), look="option", size=SMALL))
        keys = [self.anew, self.revoke, self.shut] if self.chosen else [self.shut]
        self.only([self.rows, self.drivers, *keys], of=[*self.networks, *self._open_ones])
        self.put_rows(keys, left, y, self.w - left - 16, KEY)

    @property
    def _open_ones(self) -> list[Key | Rows]:
        return [self.rows, self.drivers, self.anew, self.revoke, self.shut]

    def paint(self, pen: Pen) -> None:
        pen.fill(0, 0, pen.w, pen.h, "bg1")
        if self.pages is None:
            key = "phones.shut" if self._hosts else "phones.no_network"
            pen.paragraph(self.say(key), 24, HIGH + 26, BODY, pen.w - 48, "mid", SEMIBOLD)
            return
        pen.fill(LIST, HIGH, pen.w - LIST, pen.h - HIGH, "bg2")
        left, room = LIST + 16, pen.w - LIST - 32
        who = self.cars[self.chosen - 1] if self.chosen else None
        title = self.say("phones.watch") if who is None else self.say("phones.car", name=who[1], car=str(who[0].number))
        if who is not None:
            plate.draw(pen, who[0], left + 20, HIGH + 26, 38)
        pen.text(title, left + (46 if who else 0), HIGH + 26, VALUE, "hi", BOLD, room=room - 46, cut=True)
        if not (address := self.address):
            pen.paragraph(self.say("phones.void"), left, HIGH + 70, BODY, room, "mid", SEMIBOLD)
            return
        code = min(CODE, pen.h - HIGH - 60 - KEY - 28)
        top = HIGH + 56
        pen.fill(left, top, code, code, "#F3F6F9", 8)
        rows = squares_of(address)
        pixels = int(code * pen.scale) // (len(rows) + 2 * MARGIN)
        pen.picture(squares(rows, pixels), left + code / 2, top + code / 2, "#07090B")
        beside = left + code + 14
        pen.text(self.say("phones.scan"), beside, top + 12, CAPTION, "mid", SEMIBOLD, room=pen.w - beside - 6)
        y = top + 36.0
        where = self.pages.address.removeprefix("http://").removesuffix("/").partition(":")
        for part in (where[0], f":{where[2]}"):
            pen.text(part, beside, y, SMALL, "hi", BOLD, room=pen.w - beside - 6)
            y += 22
