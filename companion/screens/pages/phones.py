"""The phones of a race: who drives or watches from one, and the codes to join.

One code at a time is shown, to scan or to type.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from functools import partial
from typing import TYPE_CHECKING, Final

from kivy.clock import Clock

from companion.printing.code import squares_of
from companion.rules.conversation.errors import CompanionError
from companion.screens.app.screen import Screen
from companion.screens.kit import plate
from companion.screens.kit.compose import Area, Composed, Ui
from companion.screens.kit.key import Face
from companion.screens.kit.pen import BOLD, SEMIBOLD, Pen
from companion.screens.kit.rows import Rows, RowView
from companion.screens.kit.theme import BODY, CAPTION, NAME, SMALL, VALUE, theme
from companion.screens.kit.touch import Target
from companion.screens.pages.exporting import MARGIN, squares
from companion.view.shown import Plate, Tone, ViewModel
from companion.web import PORT
from companion.web.access_point import START_SECONDS, AccessPoint, Fault, access_point, fault, turn, wifi
from companion.web.networks import addresses

if TYPE_CHECKING:
    from pathlib import Path

    from companion.screens.app.app import CompanionApp
    from companion.web.running import Phones

LIST: Final = 400.0
CODE: Final = 264.0
ROW: Final = 52.0
SWITCH: Final = 272.0
KEY: Final = 64.0
REVOKE: Final = 100.0
QUIET_SECONDS: Final = 6.0
"""Seconds without a request after which a phone is quiet."""
MOST: Final = 3
"""Maximum number of networks with a key."""
WATCH, WIFI = 0, -1
"""Seats besides the cars, which have their own numbers."""


class PhoneRow(ViewModel, frozen=True, kw_only=True):
    """A seat for a phone: a car's driver, the watchers or the network.

    The watchers (`WATCH`) and the network (`WIFI`) have a `mark` instead of a plate.
    """

    seat: int
    name: str
    plate: Plate | None = None
    mark: str = ""
    word: str = ""
    icon: str = ""
    tone: Tone = "plain"
    chosen: bool = False
    revoke: str = ""


class Revoke(Target):
    """The part of a row that revokes the phone's token, drawn as a key."""

    joined = True

    def paint(self, pen: Pen) -> None:
        if self.pressed:
            pen.fill(5, 3, pen.w - 12, pen.h - 7, "bg4", 8)
        pen.rim(5, 3, pen.w - 12, pen.h - 7, "rim", 2, 8)
        pen.text(self.shown, pen.w / 2 - 1, pen.h / 2, CAPTION, "hi", SEMIBOLD, "centre", room=pen.w - 18)


class PhoneView(RowView, Composed):
    """A row that shows a `PhoneRow`."""

    def _revoked(self) -> None:
        if isinstance(self.rows, PhoneRows) and self._stands():
            self.rows.on_revoke(self.shown.seat)

    def compose(self, ui: Ui) -> None:
        self.paint(ui.pen)
        if self.shown is not None and self.shown.revoke:
            ui.target(Area(LIST - REVOKE, 0, REVOKE, ROW), "revoke", Revoke, self.shown.revoke, self._revoked)

    def draw(self, pen: Pen, shown: PhoneRow) -> None:
        if shown.chosen:
            self.choose(pen)
        middle = pen.h / 2
        if shown.plate is not None:
            plate.draw(pen, shown.plate, 32, middle, 28)
        else:
            pen.icon(shown.mark, 32, middle, 24, "hi")
        tone = {"plain": "mid"}.get(shown.tone, shown.tone)
        word = 184.0
        right = pen.w - (REVOKE if shown.revoke else 12)
        pen.text(shown.name, 58, middle, BODY, "hi", SEMIBOLD, room=word - 72, cut=True)
        pen.icon(shown.icon, word, middle, 18, tone)
        pen.text(shown.word, word + 16, middle, SMALL, tone, SEMIBOLD, room=right - word - 16, cut=True)


class PhoneRows(Rows):
    """A list of seats; a tap on a row or on its key reports the seat."""

    def __init__(self, *, on_seat: Callable[[int], object], on_revoke: Callable[[int], object]) -> None:
        self.on_revoke = on_revoke
        super().__init__(PhoneView, on_row=lambda index: on_seat(self.shown[index].seat), high=ROW)


class OwnNetwork:
    """The state of the wireless network that this device can make.

    It is up, starting, or has failed for a reason.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self.made: AccessPoint | None = None
        """Name and password; None if the device makes no network."""
        self.damage: CompanionError | None = None
        """Reason why it cannot be read, though it exists."""
        try:
            self.made = access_point(folder)
        except CompanionError as wrong:
            self.damage = wrong
        self.hosts = addresses()[:MOST]
        """Addresses of this device, one for each network."""
        self._start: tuple[float, Fault | None] | None = None
        """Start time and the reason of the previous failure; None if no start is awaited."""
        found = fault()
        self.fault = found.why if found is not None and not self.is_up else ""

    @property
    def is_up(self) -> bool:
        """True while the device has the network's address."""
        return self.made is not None and self.made.address in self.hosts

    @property
    def is_starting(self) -> bool:
        """True while the network has been started and is not yet up."""
        return self._start is not None

    @property
    def name(self) -> str:
        """The network's name, empty if the device cannot make one."""
        return self.made.name if self.made is not None else ""

    def switch(self) -> None:
        """Start the network, or stop it."""
        self._start, self.fault = None if self.is_up else (Clock.get_time(), fault()), ""
        turn(self._folder, on=not self.is_up)

    def look(self) -> None:
        """Read the addresses again.

        The wait for a start ends once the network is up, has failed, or has taken too long.
        """
        self.hosts = addresses()[:MOST]
        if self._start is None:
            return
        since, before = self._start
        found = fault()
        if self.is_up:
            self._start = None
        elif found is not None and found != before:
            self._start, self.fault = None, found.why
        elif Clock.get_time() - since > START_SECONDS:
            self._start, self.fault = None, "failed"


class PhonesScreen(Composed, Screen):
    """The phones of the open race.

    While it is closed to phones there is a key for each network to open on; then the seats are at the left, and the
    code of the chosen one at the right.
    """

    def __init__(self, app: CompanionApp, given: Mapping[str, object]) -> None:
        super().__init__(app, given)
        self._network = OwnNetwork(app.folder)
        self._chosen = WATCH
        self._awaited = 0
        """Car whose code is shown until somebody uses it."""
        self._tick = Clock.schedule_interval(self._second, 1)
        if app.playing.seat is None:
            self.go_home()

    def leave(self) -> None:
        self._tick.cancel()

    @property
    def _pages(self) -> Phones | None:
        """The pages served to phones, None while closed."""
        return self.app.playing.phones.pages

    @property
    def _cars(self) -> dict[int, tuple[Plate, str]]:
        """The plate and driver of each car that a person drives, by its number."""
        shown, seat = self.app.playing.shown, self.app.playing.seat
        if shown is None or seat is None:
            return {}
        rows = (row for row in shown.order if not row.bot and row.plate.number not in seat.programs.by)
        return {row.plate.number: (row.plate, row.name or row.code) for row in rows}

    @property
    def _next_car(self) -> int | None:
        """The next car after the chosen one without a phone, None if all have one."""
        cars = list(self._cars)
        at = cars.index(self._chosen) + 1 if self._chosen in cars else 0
        since = self._pages.tokens.since if self._pages is not None else {}
        return next((car for car in (*cars[at:], *cars[:at]) if car not in since and car != self._chosen), None)

    def _second(self, _: float) -> None:
        """Update the networks, and go on to the next car once the code is used."""
        self._network.look()
        pages = self._pages
        if pages is not None and self._awaited and self._awaited not in pages.tokens.codes:
            self._awaited = 0
            if self._chosen in pages.tokens.since and (car := self._next_car) is not None:
                self._choose(car)
        self.look_again()

    # -- what fingers do

    def _open(self, host: str) -> None:
        playing = self.app.playing
        if playing.seat is not None:
            port = PORT if self.given.get("port") is None else int(str(self.given["port"]))
            playing.phones.open(playing.seat, self.app.folder, playing.log_id, host, port, self._on_open)

    def _on_open(self, wrong: CompanionError | None) -> None:
        def show(_: float) -> None:
            if wrong is not None:
                self.app.tell(wrong)
            self.look_again()

        Clock.schedule_once(show)

    def _close(self) -> None:
        self.app.playing.phones.shut()
        self.look_again()

    def _switch_network(self) -> None:
        self._network.switch()
        self.look_again()

    def _switch_drivers(self, pages: Phones) -> None:
        """Let drivers answer for themselves, or the table for all."""
        pages.answering(not pages.tokens.drivers)
        self.look_again()

    def _switch_feed(self, pages: Phones) -> None:
        """Open the feed to other programs, or close it."""
        pages.offer(not pages.tokens.api)
        self.look_again()

    def _choose(self, seat: int) -> None:
        """Show the code of a seat, creating one for a car that has none."""
        self._chosen = seat
        pages = self._pages
        if pages is not None and seat > 0 and seat not in {*pages.tokens.since, *pages.tokens.codes}:
            pages.tokens.code(seat)
        self._await_code()

    def _renew(self, pages: Phones) -> None:
        """Create a new code for the chosen car; an unused one becomes invalid."""
        pages.tokens.code(self._chosen)
        self._await_code()

    def _revoke(self, car: int) -> None:
        """Stop the phone of a car from driving it, at once."""
        if self._pages is not None:
            self._pages.revoke(car)
            self._await_code()

    def _await_code(self) -> None:
        """Remember whether the visible code can still be used."""
        pages = self._pages
        self._awaited = self._chosen if pages is not None and self._chosen in pages.tokens.codes else 0
        self.look_again()

    # -- what is shown

    def compose(self, ui: Ui) -> None:
        ui.fill(ui.area, "bg1")
        pages, cars = self._pages, self._cars
        note = self.say("phones.of", count=len(pages.tokens.since), all=len(cars)) if pages is not None else ""
        switch = ui.title(self.say("phones.title"), self.app.back, note, keep=SWITCH)
        if pages is None:
            self._compose_shut(ui)
            return
        self._compose_seats(ui, ui.area.cut_left(LIST), pages)
        on = pages.tokens.drivers
        face = Face(label=self.say("phones.drivers"), note=self._on(on), look="option", size=CAPTION, chosen=on)
        ui.button(switch, "drivers", face, partial(self._switch_drivers, pages))
        ui.fill(ui.area, "bg2")
        area = ui.area.inset(16)
        self._compose_keys(ui, area.cut_bottom(KEY + 12).cut_top(KEY), pages)
        self._compose_code(ui, area, pages)

    def _compose_shut(self, ui: Ui) -> None:
        """Lay out the explanation, and a key for each network."""
        network, body = self._network, ui.area.inset(24)
        if network.is_starting:
            said = self.say("phones.starting", name=network.name)
        elif network.fault:
            said = self.say("phones.fault", why=network.fault)
        elif network.damage is not None:
            said = theme.words.error(network.damage)
        else:
            said = self.say("phones.shut" if network.hosts else "phones.no_network")
        tone = "warn" if network.fault or network.damage is not None else "mid"
        ui.pen.paragraph(said, body.x, body.y + 26, BODY, body.w, tone, SEMIBOLD)
        body.cut_top(102)
        for host in network.hosts:
            named = f"{network.name} · {host}" if network.made is not None and host == network.made.address else host
            face = Face(label=self.say("phones.open"), note=named, icon="phone", size=NAME)
            ui.button(body.cut_top(72), host, face, partial(self._open, host))
            body.cut_top(8)
        if network.made is not None:
            self._compose_network_key(ui, body.cut_top(72))

    def _compose_network_key(self, ui: Ui, area: Area) -> None:
        label = self.say("phones.stop" if self._network.is_up else "phones.start", name=self._network.name)
        ui.button(area, "network", Face(label=label, look="option", size=SMALL), self._switch_network)

    def _compose_seats(self, ui: Ui, area: Area, pages: Phones) -> None:
        """Lay out the network, the watchers and, scrolling below them, the cars."""
        first = []
        if self._network.is_up:
            wifi, name = self.say("phones.wifi"), self._network.name
            first.append(PhoneRow(seat=WIFI, name=wifi, mark="phone", word=name, chosen=self._chosen == WIFI))
        watching = self.say("phones.watching", count=pages.watching)
        first.append(PhoneRow(seat=WATCH, name=self.say("phones.watch"), mark="flag", word=watching, icon="person",
                              chosen=self._chosen == WATCH))  # fmt: skip
        drivers = [self._row(pages, shown, name) for shown, name in self._cars.values()]
        make = partial(PhoneRows, on_seat=self._choose, on_revoke=self._revoke)
        for key, rows, high in (("first", first, ROW * len(first)), ("drivers' rows", drivers, area.h)):
            ui.place(area.cut_top(min(high, area.h)), ui.named(key, make)).show(rows)

    def _row(self, pages: Phones, shown: Plate, name: str) -> PhoneRow:
        car, tokens = shown.number, pages.tokens
        heard = tokens.heard.get(car)
        tone: Tone = "plain"
        word, icon = self.say("phones.none"), "table"
        if heard is not None and (quiet := time.monotonic() - heard) > QUIET_SECONDS:
            word, icon, tone = self.say("phones.quiet", minutes=int(quiet // 60), seconds=int(quiet)), "clock", "warn"
        elif heard is not None:
            word, icon, tone = self.say("phones.joined", time=tokens.since[car]), "check", "ok"
        elif car == self._chosen and car in tokens.codes:
            word, icon = self.say("phones.now"), "phone"
        revoke = self.say("phones.revoke") if tokens.has(car) else ""
        return PhoneRow(seat=car, name=name, plate=shown, word=word, icon=icon, tone=tone,
                        chosen=car == self._chosen, revoke=revoke)  # fmt: skip

    def _compose_keys(self, ui: Ui, row: Area, pages: Phones) -> None:
        """Lay out the actions on the chosen seat."""
        if self._chosen == WIFI:
            self._compose_network_key(ui, row)
        elif self._chosen == WATCH:
            left, right = row.columns(2)
            ui.button(left, "close", Face(label=self.say("phones.close"), look="option", size=SMALL), self._close)
            on = pages.tokens.api
            note = self.say("phones.feed_barred") if on and pages.feed_barred else self._on(on)
            face = Face(label=self.say("phones.feed"), note=note, look="option", size=SMALL, chosen=on)
            ui.button(right, "feed", face, partial(self._switch_feed, pages))
        else:
            car = self._next_car
            cells = row.columns(1 if car is None else 2)
            face = Face(label=self.say("phones.anew"), look="option", size=SMALL)
            ui.button(cells[0], "renew", face, partial(self._renew, pages))
            if car is not None:
                face = Face(label=self.say("phones.next"), note=f"{car} {self._cars[car][1]}", look="quiet", size=SMALL)
                ui.button(cells[1], "next", face, partial(self._choose, car))

    def _on(self, on: bool) -> str:
        return self.say("phones.on" if on else "phones.off")

    def _compose_code(self, ui: Ui, area: Area, pages: Phones) -> None:
        """Lay out the code of the chosen seat, with the text to type beside it."""
        pen, who = ui.pen, self._cars.get(self._chosen)
        head = area.cut_top(52)
        if who is None:
            title = self.say("phones.wifi" if self._chosen == WIFI else "phones.watch")
        else:
            title = self.say("phones.car", name=who[1], car=str(who[0].number))
            plate.draw(pen, who[0], head.x + 20, head.middle[1], 38)
        pen.text(title, head.x + (46 if who else 0), head.middle[1], VALUE, "hi", BOLD, room=area.w - 46, cut=True)
        address = self._address(pages)
        if not address:
            key = "phones.drives" if self._chosen in pages.tokens.since else "phones.void"
            pen.paragraph(self.say(key), area.x, area.y + 18, BODY, area.w, "mid", SEMIBOLD)
            return
        if who is not None:
            pen.text(self.say("phones.once"), area.x, area.y + 4, CAPTION, "mid", SEMIBOLD, room=area.w)
        area.cut_top(18)
        side = min(CODE, area.h - 16)
        code = Area(area.x, area.y, side, side)
        ui.fill(code, "#F3F6F9", 8)
        rows = squares_of(address)
        pixels = int(side * pen.scale) // (len(rows) + 2 * MARGIN)
        pen.picture(squares(rows, pixels), *code.middle, "#07090B")
        left, y = code.right + 14, code.y + 10
        for word, lines in self._typed(pages):
            pen.text(word, left, y, CAPTION, "mid", SEMIBOLD, room=pen.w - left - 6)
            for line in lines:
                y += 20 if line == lines[0] else 21
                pen.text(line, left, y, BODY, "hi", BOLD, room=pen.w - left - 6)
            y += 26

    def _address(self, pages: Phones) -> str:
        """Return the content of the chosen code, empty if that car has no unused one."""
        if self._chosen == WIFI and self._network.made is not None:
            return wifi(self._network.made)
        if self._chosen == WATCH:
            return pages.address
        code = pages.tokens.codes.get(self._chosen)  # somebody may use it at any moment
        return pages.joining(code) if code is not None else ""

    def _typed(self, pages: Phones) -> list[tuple[str, list[str]]]:
        """Return what to type without a camera: the network, the address and the code."""
        found, own = [], self._network.made
        host, _, port = pages.address.removeprefix("http://").removesuffix("/").partition(":")
        if own is not None and (self._chosen == WIFI or host == own.address):
            found += [(self.say("phones.wifi"), [own.name]), (self.say("phones.password"), [own.password])]
        if self._chosen != WIFI:
            found.append((self.say("phones.scan"), [host, f":{port}"]))
        if (code := pages.tokens.codes.get(self._chosen)) is not None:
            found.append((self.say("phones.then"), [code.typed]))
        return found
