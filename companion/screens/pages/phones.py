"""Phones: who drives or watches from one, one code at a time to scan or to type, and whether they are open at all."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, Final

from kivy.clock import Clock

from companion.printing.code import squares_of
from companion.rules.conversation.errors import CompanionError
from companion.screens.app.screen import Screen
from companion.screens.pages.exporting import MARGIN, squares
from companion.screens.widgets import plate
from companion.screens.widgets.key import Face, Key
from companion.screens.widgets.pen import BOLD, SEMIBOLD, Pen
from companion.screens.widgets.rows import Rows, RowView
from companion.screens.widgets.theme import BODY, CAPTION, NAME, SMALL, VALUE, theme
from companion.screens.widgets.title_bar import HIGH, Title, TitleBar
from companion.screens.widgets.touch import Target
from companion.view.shown import Plate, Shown, Tone
from companion.web import PORT
from companion.web.access_point import START_SECONDS, AccessPoint, Fault, access_point, fault, turn, wifi
from companion.web.networks import addresses

if TYPE_CHECKING:
    from companion.screens.app.app import CompanionApp
    from companion.web.running import Phones

LIST: Final = 400.0
CODE: Final = 264.0
ROW: Final = 52.0
SWITCH: Final = 272.0
KEY: Final = 64.0
REVOKE: Final = 100.0
HERE: Final = 6.0
"""Seconds after which a phone that is not heard of is quiet."""
MOST: Final = 3
"""Networks that have a key."""
WATCH, WIFI = 0, -1
"""What stands in the list beside the numbers of the cars."""


class PhoneRow(Shown, frozen=True, kw_only=True):
    """Who may have a phone: whoever watches, or the driver of a car; or the network itself, which has no plate either,
    but a `mark`; and what is known of it."""

    name: str
    plate: Plate | None = None
    mark: str = ""
    word: str = ""
    icon: str = ""
    tone: Tone = "plain"
    chosen: bool = False
    revoke: str = ""


class Revoke(Target):
    """The area of a row that takes the token from the phone that drives, drawn as a key."""

    joined = True

    def paint(self, pen: Pen) -> None:
        if self.pressed:
            pen.fill(5, 3, pen.w - 12, pen.h - 7, "bg4", 8)
        pen.rim(5, 3, pen.w - 12, pen.h - 7, "rim", 2, 8)
        pen.text(self.shown, pen.w / 2 - 1, pen.h / 2, CAPTION, "hi", SEMIBOLD, "centre", room=pen.w - 18)


class PhoneView(RowView):
    """A `PhoneRow`."""

    def __init__(self, **properties: Any) -> None:
        self.key = Revoke(on_tap=self._revoked)
        super().__init__(**properties)

    def _revoked(self) -> None:
        if isinstance(self.rows, PhoneRows) and self._stands():
            self.rows.on_revoke(self.index)

    def arrange(self) -> None:
        told = self.shown.revoke if self.shown is not None else ""
        self.key.show(told)
        if told:
            self.put(self.key, LIST - REVOKE, 0, REVOKE, ROW)
        else:
            self.remove_widget(self.key)

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
    """The list; `on_revoke(index)` tells whose key was tapped."""

    def __init__(self, on_row: Callable[[int], object], on_revoke: Callable[[int], object]) -> None:
        self.on_revoke = on_revoke
        super().__init__(PhoneView, on_row=on_row, high=ROW)


class PhonesScreen(Screen):
    """The list at the left, the code of the chosen one at the right; before they are open a key for each network."""

    def __init__(self, app: CompanionApp, given: Mapping[str, object]) -> None:
        super().__init__(app, given)
        self.bar = TitleBar(app.back, keep=SWITCH)
        self.drivers = Key(on_tap=self.switch)
        self.first = PhoneRows(lambda index: self._show(self.listed[index]), self.take)
        self.rows = PhoneRows(lambda index: self._show(list(self.cars)[index]), self.take)
        self.networks = [Key() for _ in range(MOST)]
        self.point = Key(on_tap=self.turn)
        self.anew, self.shut = Key(on_tap=self.replace), Key(on_tap=self.close)
        self.next = Key(on_tap=self.go_on)
        self.feed = Key(on_tap=self.offer)
        self.chosen = WATCH
        self._awaited = 0
        """The car whose code is shown, until somebody has used it."""
        self._own: AccessPoint | None = None
        self._damaged: CompanionError | None = None
        """Why this device's own network is not known, though it has one."""
        try:
            self._own = access_point(app.folder)
        except CompanionError as wrong:
            self._damaged = wrong
        self._hosts = addresses()[:MOST]
        self._begun: tuple[float, Fault | None] | None = None
        """When that network was asked for, and why it did not start the time before; None if it is not awaited."""
        found = fault()
        self._fault = found.why if found is not None and not self.up else ""
        self._tick = Clock.schedule_interval(self._second, 1)
        if app.playing.seat is None:
            self.go_home()

    def leave(self) -> None:
        self._tick.cancel()

    @property
    def pages(self) -> Phones | None:
        """The pages, while they are open."""
        return self.app.playing.phones.pages

    @property
    def cars(self) -> dict[int, tuple[Plate, str]]:
        """Each car that a person drives, with its driver."""
        shown, seat = self.app.playing.shown, self.app.playing.seat
        if shown is None or seat is None:
            return {}
        rows = (row for row in shown.order if not row.bot and row.plate.number not in seat.programs.by)
        return {row.plate.number: (row.plate, row.name or row.code) for row in rows}

    @property
    def up(self) -> bool:
        """Whether this device's own network is there."""
        return self._own is not None and self._own.address in self._hosts

    @property
    def listed(self) -> list[int]:
        """What stands above the cars, and does not scroll with them."""
        return [*([WIFI] if self.up else []), WATCH]

    def _second(self, _: float) -> None:
        """The networks may have changed, or the code that is shown is used: the next car's is shown then."""
        self._hosts = addresses()[:MOST]
        self._look_for_network()
        pages = self.pages
        if pages is not None and self._awaited and self._awaited not in pages.tokens.codes:
            self._awaited = 0
            if self.chosen in pages.tokens.since:
                self.go_on()
        self.look_again()

    def _look_for_network(self) -> None:
        """End the wait for this device's own network once it is there, or known not to come."""
        if self._begun is None:
            return
        since, before = self._begun
        found = fault()
        if self.up:
            self._begun = None
        elif found is not None and found != before:
            self._begun, self._fault = None, found.why
        elif Clock.get_time() - since > START_SECONDS:
            self._begun, self._fault = None, "failed"

    # -- what is meant

    def open(self, host: str) -> None:
        """Opens the pages on a network."""
        playing = self.app.playing
        if playing.seat is not None:
            port = PORT if self.given.get("port") is None else int(str(self.given["port"]))
            playing.phones.open(playing.seat, self.app.folder, playing.log_id, host, port, self._opened)

    def _opened(self, wrong: CompanionError | None) -> None:
        def told(_: float) -> None:
            if wrong is not None:
                self.app.tell(wrong)
            self.look_again()

        Clock.schedule_once(told)

    def close(self) -> None:
        """Closes them."""
        self.app.playing.phones.shut()
        self.look_again()

    def turn(self) -> None:
        """Has this device's own network come, or go."""
        self._begun, self._fault = None if self.up else (Clock.get_time(), fault()), ""
        turn(self.app.folder, on=not self.up)
        self.look_again()

    def switch(self) -> None:
        """Drivers answer for themselves, or the table does for all."""
        if self.pages is not None:
            self.pages.answering(not self.pages.tokens.drivers)
            self.look_again()

    def offer(self) -> None:
        """Other programs may follow the race, or no longer."""
        if self.pages is not None:
            self.pages.offer(not self.pages.tokens.api)
            self.look_again()

    def go_on(self) -> None:
        """Shows the code of the next car without a phone, if there is one."""
        if (following := self.following) is not None:
            self._show(following)

    def _show(self, chosen: int) -> None:
        self.chosen = chosen
        pages = self.pages
        if pages is not None and chosen > 0 and chosen not in {*pages.tokens.since, *pages.tokens.codes}:
            pages.tokens.code(chosen)
        self._await()

    def _await(self) -> None:
        """Looks whether a code is shown now that may be used."""
        pages = self.pages
        self._awaited = self.chosen if pages is not None and self.chosen in pages.tokens.codes else 0
        self.look_again()

    def replace(self) -> None:
        """A new code for the chosen car, with which one more phone joins; one that was not used yet is void."""
        if self.pages is not None and self.chosen > 0:
            self.pages.tokens.code(self.chosen)
            self._await()

    def take(self, index: int) -> None:
        """No phone drives the car of a row any more, at once."""
        if self.pages is not None:
            self.pages.revoke(list(self.cars)[index])
            self._await()

    # -- what is shown

    @property
    def following(self) -> int | None:
        """The next car that has no phone, after the chosen one."""
        cars = list(self.cars)
        at = cars.index(self.chosen) + 1 if self.chosen in cars else 0
        since = self.pages.tokens.since if self.pages is not None else {}
        return next((car for car in (*cars[at:], *cars[:at]) if car not in since and car != self.chosen), None)

    @property
    def address(self) -> str:
        """What the chosen code says; "" if that car has none that was not used."""
        pages = self.pages
        if pages is None:
            return ""
        if self.chosen == WIFI and self._own is not None:
            return wifi(self._own)
        if self.chosen == WATCH:
            return pages.address
        code = pages.tokens.codes.get(self.chosen)  # somebody may use it at any moment
        return pages.joining(code) if code is not None else ""

    def row(self, shown: Plate, name: str) -> PhoneRow:
        """A driver's row."""
        assert self.pages is not None
        tokens, here = self.pages.tokens, self.chosen == shown.number
        heard = tokens.heard.get(shown.number)
        if heard is None:
            known: tuple[str, str, Tone] = (self.say("phones.none"), "table", "plain")
            if here and shown.number in tokens.codes:
                known = self.say("phones.now"), "phone", "plain"
        elif (quiet := time.monotonic() - heard) > HERE:
            known = self.say("phones.quiet", minutes=int(quiet // 60), seconds=int(quiet)), "clock", "warn"
        else:
            known = self.say("phones.joined", time=tokens.since[shown.number]), "check", "ok"
        revoke = self.say("phones.revoke") if tokens.has(shown.number) else ""
        return PhoneRow(name=name, plate=shown, word=known[0], icon=known[1], tone=known[2], chosen=here, revoke=revoke)

    def arrange(self) -> None:
        pages = self.pages
        self.bar.show(Title(text=self.say("phones.title"), note=self._joined() if pages is not None else ""))
        self.put(self.bar, 0, 0, self.w, HIGH)
        if pages is None:
            self._arrange_shut()
            return
        first = [
            PhoneRow(name=self.say("phones.wifi"), mark="phone", word=self._own.name, chosen=self.chosen == WIFI)
            for _ in range(self.up) if self._own is not None
        ]  # fmt: skip
        watching = self.say("phones.watching", count=pages.watching)
        watch = PhoneRow(
            name=self.say("phones.watch"), mark="flag", word=watching, icon="person", chosen=self.chosen == WATCH
        )
        self.first.show([*first, watch])
        self.rows.show([self.row(shown, name) for shown, name in self.cars.values()])
        top = HIGH + self.first.rows_high
        self.put(self.first, 0, HIGH, LIST, self.first.rows_high)
        self.put(self.rows, 0, top, LIST, self.h - top)
        on = pages.tokens.drivers
        note = self.say("phones.on" if on else "phones.off")
        self.drivers.show(Face(label=self.say("phones.drivers"), note=note, look="option", size=CAPTION, chosen=on))
        self.put(self.drivers, self.w - SWITCH, 0, SWITCH, HIGH)
        keys = self._keys()
        self.only([self.first, self.rows, self.drivers, *keys], of=[*self.networks, *self._open_ones])
        self.put_rows(keys, LIST + 16, self.h - KEY - 12, self.w - LIST - 32, KEY)

    def _keys(self) -> list[Key]:
        """What can be done with what is chosen."""
        if self.chosen == WIFI:
            self.point.show(Face(label=self._point_word(), look="option", size=SMALL))
            return [self.point]
        if self.chosen == WATCH:
            self.shut.show(Face(label=self.say("phones.close"), look="option", size=SMALL))
            return [self.shut, self._feed_key()]
        self.anew.show(Face(label=self.say("phones.anew"), look="option", size=SMALL))
        following, keys = self.following, [self.anew]
        if following is not None:
            shown, name = self.cars[following]
            self.next.show(Face(label=self.say("phones.next"), note=f"{shown.number} {name}", look="quiet", size=SMALL))
            keys.append(self.next)
        return keys

    def _feed_key(self) -> Key:
        """The key that lets other programs follow the race."""
        assert self.pages is not None
        on = self.pages.tokens.api
        note = "phones.feed_barred" if on and self.pages.feed_barred else "phones.on" if on else "phones.off"
        shown = Face(label=self.say("phones.feed"), note=self.say(note), look="option", size=SMALL, chosen=on)
        self.feed.show(shown)
        return self.feed

    def _arrange_shut(self) -> None:
        keys = self.networks[: len(self._hosts)]
        for key, host in zip(keys, self._hosts, strict=True):
            key.on_tap = lambda host=host: self.open(host)
            key.show(Face(label=self.say("phones.open"), note=self._named(host), icon="phone", size=NAME))
        if self._own is not None:
            self.point.show(Face(label=self._point_word(), look="option", size=SMALL))
            keys = [*keys, self.point]
        self.only(keys, of=[*self.networks, *self._open_ones])
        self.put_rows(keys, 24, 150, self.w - 48, 72, across=1)

    def _named(self, host: str) -> str:
        return f"{self._own.name} · {host}" if self._own is not None and host == self._own.address else host

    def _point_word(self) -> str:
        return self.say("phones.stop" if self.up else "phones.start", name=self._own.name if self._own else "")

    def _shut_word(self) -> str:
        """Return what is said while the pages are shut: what becomes of the own network, else what there is."""
        if self._begun is not None and self._own is not None:
            return self.say("phones.starting", name=self._own.name)
        if self._fault:
            return self.say("phones.fault", why=self._fault)
        if self._damaged is not None:
            return theme.words.error(self._damaged)
        return self.say("phones.shut" if self._hosts else "phones.no_network")

    def _joined(self) -> str:
        """How many drivers have a phone."""
        since = self.pages.tokens.since if self.pages is not None else {}
        return self.say("phones.of", count=len(since), all=len(self.cars))

    @property
    def _open_ones(self) -> list[Key | Rows]:
        return [self.first, self.rows, self.drivers, self.anew, self.next, self.shut, self.feed, self.point]

    def paint(self, pen: Pen) -> None:
        pen.fill(0, 0, pen.w, pen.h, "bg1")
        if self.pages is None:
            tone = "warn" if self._fault or self._damaged is not None else "mid"
            pen.paragraph(self._shut_word(), 24, HIGH + 26, BODY, pen.w - 48, tone, SEMIBOLD)
            return
        pen.fill(LIST, HIGH, pen.w - LIST, pen.h - HIGH, "bg2")
        left, room = LIST + 16, pen.w - LIST - 32
        who = self.cars.get(self.chosen)
        title = self.say("phones.wifi" if self.chosen == WIFI else "phones.watch")
        if who is not None:
            title = self.say("phones.car", name=who[1], car=str(who[0].number))
            plate.draw(pen, who[0], left + 20, HIGH + 26, 38)
        pen.text(title, left + (46 if who else 0), HIGH + 26, VALUE, "hi", BOLD, room=room - 46, cut=True)
        if not (address := self.address):
            key = "phones.drives" if self.chosen in self.pages.tokens.since else "phones.void"
            pen.paragraph(self.say(key), left, HIGH + 70, BODY, room, "mid", SEMIBOLD)
            return
        if who is not None:
            pen.text(self.say("phones.once"), left, HIGH + 56, CAPTION, "mid", SEMIBOLD, room=room)
        code = min(CODE, pen.h - HIGH - 72 - KEY - 26)
        top = HIGH + 70
        pen.fill(left, top, code, code, "#F3F6F9", 8)
        rows = squares_of(address)
        pixels = int(code * pen.scale) // (len(rows) + 2 * MARGIN)
        pen.picture(squares(rows, pixels), left + code / 2, top + code / 2, "#07090B")
        self._beside(pen, left + code + 14, top + 10)

    def _beside(self, pen: Pen, left: float, y: float) -> None:
        """What is typed where there is no camera: the network, the address, the code."""
        pages, own = self.pages, self._own
        assert pages is not None
        told: list[tuple[str, list[str]]] = []
        host, _, port = pages.address.removeprefix("http://").removesuffix("/").partition(":")
        if own is not None and (self.chosen == WIFI or host == own.address):
            told.append((self.say("phones.wifi"), [own.name]))
            told.append((self.say("phones.password"), [own.password]))
        if self.chosen != WIFI:
            told.append((self.say("phones.scan"), [host, f":{port}"]))
        if (code := pages.tokens.codes.get(self.chosen)) is not None:
            told.append((self.say("phones.then"), [code.typed]))
        for word, lines in told:
            pen.text(word, left, y, CAPTION, "mid", SEMIBOLD, room=pen.w - left - 6)
            y += 20
            for line in lines:
                pen.text(line, left, y, BODY, "hi", BOLD, room=pen.w - left - 6)
                y += 21
            y += 5
