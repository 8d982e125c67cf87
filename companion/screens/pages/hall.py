"""The hall: the code of eight letters by which this table joins one, where race control is, and how the table stands
with it."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from kivy.clock import Clock
from msgspec.structs import replace

from companion.hall.joined import Joined, joined
from companion.hall.joining import PAGES
from companion.hall.members import LENGTH, LETTERS
from companion.rules.conversation.errors import CompanionError
from companion.screens.app.screen import Screen
from companion.screens.widgets.confirm import Question
from companion.screens.widgets.foot import BAND, KEYS, MAIN, ask, deed, ground
from companion.screens.widgets.key import Face, Key
from companion.screens.widgets.pen import BOLD, SEMIBOLD, Pen
from companion.screens.widgets.theme import BODY, CLOCK, QUESTION, SMALL, VALUE, theme
from companion.screens.widgets.title_bar import HIGH as BAR
from companion.screens.widgets.title_bar import Title, TitleBar
from companion.screens.widgets.writing import Writing
from companion.view.shown import Field, Toast

if TYPE_CHECKING:
    from companion.hall.found import Place
    from companion.screens.app.app import CompanionApp

SLOT: Final = 50.0
TOP: Final = BAR + 96.0
"""Where the keys of the letters begin."""
ADDRESS: Final = 12 + LENGTH * (SLOT + 4) + 16
"""Where the line of the address begins."""
SEEK: Final = 112.0


class HallScreen(Screen):
    """Letter by letter; the address is filled in where a hall is heard. In a hall, its name and the way out."""

    def __init__(self, app: CompanionApp, given: Mapping[str, object]) -> None:
        super().__init__(app, given)
        self.bar, self.code = TitleBar(app.back), ""
        self.halls: list[Place] = []
        """Those that are heard."""
        self.busy = self.seeking = False
        self.letters = {one: Key(Face(label=one, look="option", size=VALUE), on_tap=partial(self._add, one))
                        for one in LETTERS}  # fmt: skip
        self.address = Writing(capitals="none")
        self.seek, self.less = Key(on_tap=self._seek), Key(on_tap=self._take_back)
        self.main, self.out = Key(on_tap=self._join), Key(on_tap=self._ask_out)
        self.place: Joined | None = None
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
        """Listens for halls, in a thread of its own; one that was heard already gives way to the next."""
        if self.halls:
            self.halls = [*self.halls[1:], self.halls[0]]
            self._write(_address(self.halls[0]))
        elif not self.seeking:
            self.seeking = True
            threading.Thread(target=self._listen, name="halls", daemon=True).start()
        self.look_again()

    def _listen(self) -> None:
        from companion.hall.found import found  # only here: it opens the network

        heard = found()
        Clock.schedule_once(lambda _: self._found(heard))

    def _found(self, heard: list[Place]) -> None:
        self.seeking, self.halls = False, heard
        if self.app.screen is self:
            if heard and not self.address.value:
                self._write(_address(heard[0]))
            self.look_again()

    def _write(self, value: str) -> None:
        self.address.show(Field(name="address", label=self.say("table_hall.address"), value=value))

    def _join(self) -> None:
        at = self.address.value.strip()
        if len(self.code) < LENGTH or not at or self.busy:
            return
        self.busy = True
        host, _, port = at.partition(":") if at.count(":") == 1 else (at, "", "")
        self.app.hall.join(host, int(port) if port.isdecimal() else PAGES, self.code, self._done)
        self.look_again()

    def _done(self, outcome: Joined | CompanionError) -> None:
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
            self.app.ask(Question(title=title, note=note, act=self.say("table_hall.leave")), self._leave_hall)

    def _leave_hall(self) -> None:
        self.place = None
        self.app.hall.leave()
        self._seek()

    def press(self, name: str) -> None:
        if name == "confirm" and self.place is None:
            self._join()
        else:
            super().press(name)

    @property
    def toast_at(self) -> tuple[float, float]:
        return 20, self.h - 72

    # -- where everything is

    def arrange(self) -> None:
        self.bar.show(Title(text=self.say("table_hall.title"), note=self.place.hall if self.place is not None else ""))
        self.put(self.bar, 0, 0, self.w, BAR)
        top = self.h - BAND
        if self.place is not None:
            self.out.show(Face(label=self.say("table_hall.leave"), look="quiet", size=BODY))
            self.put(self.out, self.w - 12 - MAIN, top + 8, MAIN, KEYS)
            self.only([self.bar, self.out], of=[*self.children])
            return
        self.put(self.address, ADDRESS, BAR + 10, self.w - ADDRESS - SEEK - 20, 76)
        seek = self.say("table_hall.next" if len(self.halls) > 1 else "table_hall.seek")
        self.seek.show(Face(label=seek, look="barred" if self.seeking else "option"))
        self.put(self.seek, self.w - 12 - SEEK, BAR + 10, SEEK, 76)
        keys = list(self.letters.values())
        high = (top - 8 - TOP - 16) / 3
        self.put_rows(keys, 12, TOP, self.w - 24, high, across=8)
        self.less.show(Face(icon="undo", label=self.say("table_hall.less"), look="option" if self.code else "barred"))
        self.put(self.less, 12, top + 8, 92, KEYS)
        left = LENGTH - len(self.code)
        said = self.say("table_hall.left", count=left) if left else self.say("table_hall.here")
        ready = not left and not self.busy
        face = deed(self.say("table_hall.join"), said)
        self.main.show(face if ready else replace(face, look="barred"))
        self.put(self.main, self.w - 12 - MAIN, top + 8, MAIN, KEYS)
        self.only([self.bar, self.address, self.seek, *keys, self.less, self.main], of=[*self.children])

    def paint(self, pen: Pen) -> None:
        top = pen.h - BAND
        pen.fill(0, 0, pen.w, pen.h, "bg1")
        ground(pen)
        if self.place is not None:
            self._paint_joined(pen, self.place, top)
            return
        for at in range(LENGTH):
            x = 12 + at * (SLOT + 4)
            pen.fill(x, BAR + 22, SLOT, 60, "bg3", 8)
            if at < len(self.code):
                pen.text(self.code[at], x + SLOT / 2, BAR + 52, VALUE, "hi", BOLD, "centre")
            elif at == len(self.code):
                pen.rim(x, BAR + 22, SLOT, 60, "hi", 2, 8)
        hall = self.halls[0].hall if self.halls else ""
        note = self.say("table_hall.seeking") if self.seeking else self.say("table_hall.heard", hall=hall)
        ask(pen, self.say("table_hall.ask"), note, 116, pen.w - 116 - MAIN - 36)

    def _paint_joined(self, pen: Pen, place: Joined, top: float) -> None:
        carrier = self.app.hall.carrier
        middle = (BAR + top) / 2
        pen.icon("whistle", pen.w / 2, middle - 70, 80, "low")
        pen.text(self.say("table_hall.table", table=place.table), pen.w / 2, middle, CLOCK, "hi", BOLD, "centre",
                 room=pen.w - 48)  # fmt: skip
        said = theme.words.say("hall_stand", line=carrier.stand.line, behind=carrier.stand.behind) if carrier else ""
        pen.text(said, pen.w / 2, middle + 44, VALUE, "mid", SEMIBOLD, "centre", room=pen.w - 48)
        why = theme.words.translated(carrier.stand.why) if carrier is not None and carrier.stand.why else ""
        pen.text(why, pen.w / 2, middle + 78, BODY, "warn", SEMIBOLD, "centre", room=pen.w - 48, cut=True)
        room = pen.w - MAIN - 56
        pen.text(self.say("table_hall.in", hall=place.hall), 20, top + 31, QUESTION, "hi", BOLD, room=room, floor=BODY)
        pen.text(self.say("table_hall.in_note"), 20, top + 67, SMALL, "mid", SEMIBOLD, room=room, cut=True)


def _address(place: Place) -> str:
    """Where a hall is, as it is written."""
    return place.host if place.port == PAGES else f"{place.host}:{place.port}"
