"""The hall: the code to join one, the address of race control, and the connection."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from functools import partial
from typing import TYPE_CHECKING, Any

from kivy.clock import Clock
from msgspec.structs import replace

from companion.hall.joining import PAGES
from companion.hall.members import LENGTH, LETTERS
from companion.hall.membership import Membership, joined
from companion.rules.conversation.errors import CompanionError
from companion.screens.app.screen import Screen
from companion.screens.kit.compose import Area, Composed, Ui
from companion.screens.kit.confirm import Confirmation
from companion.screens.kit.foot import MAIN, deed
from companion.screens.kit.key import Face
from companion.screens.kit.pen import BOLD, SEMIBOLD
from companion.screens.kit.theme import BODY, CLOCK, VALUE, theme
from companion.screens.kit.writing import Writing
from companion.view.shown import Field, Toast

if TYPE_CHECKING:
    from companion.hall.discovery import HallAddress
    from companion.screens.app.app import CompanionApp


class HallScreen(Composed, Screen):
    """The entry of a hall's code and address, or the hall joined and a way to leave.

    The address is filled in if a hall is found on the network.
    """

    def __init__(self, app: CompanionApp, given: Mapping[str, object]) -> None:
        super().__init__(app, given)
        self.halls: list[HallAddress] = []
        """Halls on the network."""
        self.code, self.busy, self.seeking = "", False, False
        self.address = Writing(capitals="none")
        self.place: Membership | None = None
        try:
            self.place = joined(app.folder)
        except CompanionError as wrong:  # another code makes that good
            Clock.schedule_once(lambda _, wrong=wrong: app.tell(wrong))
        self._clock: Any = Clock.schedule_interval(lambda _: self.look_again() if self.place else None, 1)
        self._write("")
        if self.place is None:
            self._seek()

    def leave(self) -> None:
        self._clock.cancel()

    # -- what fingers do

    def _add(self, letter: str) -> None:
        self.code = (self.code + letter)[:LENGTH]
        self.look_again()

    def _take_back(self) -> None:
        self.code = self.code[:-1]
        self.look_again()

    def _seek(self) -> None:
        """Listen for halls in a thread, or switch to the next one found."""
        if self.halls:
            self.halls = [*self.halls[1:], self.halls[0]]
            self._write(_address(self.halls[0]))
        elif not self.seeking:
            self.seeking = True
            threading.Thread(target=self._listen, name="halls", daemon=True).start()
        self.look_again()

    def _listen(self) -> None:
        from companion.hall.discovery import discover  # only here: it opens the network

        heard = discover()
        Clock.schedule_once(lambda _: self._on_halls(heard))

    def _on_halls(self, heard: list[HallAddress]) -> None:
        self.seeking, self.halls = False, heard
        if self.app.screen is self:
            if heard and not self.address.value:
                self._write(_address(heard[0]))
            self.look_again()

    def _write(self, value: str) -> None:
        self.address.show(Field(name="address", label=self.say("table_hall.address"), value=value))

    def _join(self) -> None:
        at = self.address.value.strip()
        if not at:
            return
        self.busy = True
        host, _, port = at.partition(":") if at.count(":") == 1 else (at, "", "")
        self.app.hall.join(host, int(port) if port.isdecimal() else PAGES, self.code, self._done)
        self.look_again()

    def _done(self, outcome: Membership | CompanionError) -> None:
        self.busy = False
        self.app.playing.signals.happen("refused" if isinstance(outcome, CompanionError) else "accepted")
        if isinstance(outcome, CompanionError):
            self.app.tell(outcome)
        else:
            self.place, self.code = outcome, ""
            text = self.say("table_hall.joined", table=outcome.table, hall=outcome.hall)
            self.app.tell(Toast(text=text, tone="ok", icon="check"))
        self.look_again()

    def _ask_out(self) -> None:
        if self.place is not None:
            title, note = self.say("table_hall.leave_ask"), self.say("table_hall.leave_note")
            self.app.ask(Confirmation(title=title, note=note, act=self.say("table_hall.leave")), self._leave_hall)

    def _leave_hall(self) -> None:
        self.place = None
        self.app.hall.leave()
        self._seek()

    def press(self, name: str) -> bool:
        if name != "confirm" or self.place is not None:
            return super().press(name)
        self.tap_key("join")
        return True

    @property
    def toast_at(self) -> tuple[float, float]:
        return 20, self.h - 72

    # -- what is shown

    def compose(self, ui: Ui) -> None:
        ui.fill(ui.area, "bg1")
        ui.title(self.say("table_hall.title"), self.app.back, self.place.hall if self.place is not None else "")
        foot = ui.foot()
        if self.place is not None:
            self._joined(ui, foot, self.place)
            return
        body = ui.area.inset(12)
        head = body.cut_top(96).inset(0, 10).cut_top(76)
        code = head.cut_left(LENGTH * 54 + 16).cut_left(LENGTH * 54 - 4)
        for at, slot in enumerate(code.inset(0, 12).cells(LENGTH, LENGTH, 60, 4)):
            ui.fill(slot, "bg3", 8)
            if at < len(self.code):
                ui.text(slot, self.code[at], VALUE, weight=BOLD, align="centre")
            elif at == len(self.code):
                ui.pen.rim(*slot.box, "hi", 2, 8)
        seek = self.say("table_hall.next" if len(self.halls) > 1 else "table_hall.seek")
        face = Face(label=seek, look="barred" if self.seeking else "option")
        ui.button(head.cut_right(120).cut_right(112), "seek", face, None if self.seeking else self._seek)
        ui.place(head, self.address)
        body.cut_bottom(8)
        for cell, letter in zip(body.cells(len(LETTERS), 8), LETTERS, strict=True):
            ui.button(cell, letter, Face(label=letter, look="option", size=VALUE), partial(self._add, letter))
        face = Face(icon="undo", label=self.say("table_hall.less"), look="option" if self.code else "barred")
        ui.button(foot.cut_left(92), "less", face, self._take_back if self.code else None)
        left = LENGTH - len(self.code)
        said = self.say("table_hall.left", count=left) if left else self.say("table_hall.here")
        face, barred = deed(self.say("table_hall.join"), said), bool(left or self.busy)
        face = replace(face, look="barred") if barred else face
        ui.button(foot.cut_right(MAIN), "join", face, None if barred else self._join)
        note = self.say("table_hall.heard", hall=self.halls[0].hall if self.halls else "")
        ui.ask(foot.inset(12), self.say("table_hall.ask"), self.say("table_hall.seeking") if self.seeking else note)

    def _joined(self, ui: Ui, foot: Area, place: Membership) -> None:
        """Lay out the hall that this table has joined, and the connection to it."""
        stand = self.app.hall.carrier.stand if self.app.hall.carrier is not None else None
        said = theme.words.say("hall_stand", line=stand.line, behind=stand.behind) if stand is not None else ""
        why = theme.words.stored_error(stand.why) if stand is not None and stand.why else ""
        (x, y), pen, room = ui.area.middle, ui.pen, ui.area.w - 48
        pen.icon("whistle", x, y - 70, 80, "low")
        pen.text(self.say("table_hall.table", table=place.table), x, y, CLOCK, "hi", BOLD, "centre", room)
        pen.text(said, x, y + 44, VALUE, "mid", SEMIBOLD, "centre", room)
        pen.text(why, x, y + 78, BODY, "warn", SEMIBOLD, "centre", room, cut=True)
        ui.button(foot.cut_right(MAIN), "leave", Face(label=self.say("table_hall.leave"), look="quiet"), self._ask_out)
        ui.ask(foot.inset(8), self.say("table_hall.in", hall=place.hall), self.say("table_hall.in_note"))


def _address(place: HallAddress) -> str:
    """Return the address of a hall, without the usual port."""
    return place.host if place.port == PAGES else f"{place.host}:{place.port}"
