"""The status: findings of `companion hardware check` and of the app, worst first."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable, Mapping
from functools import partial
from typing import TYPE_CHECKING, Final
from weakref import WeakMethod

import kivy
from kivy.clock import Clock
from kivy.core.window import Window
from kivy.graphics.opengl import GL_RENDERER, glGetString
from msgspec.structs import replace

from companion import whole_file
from companion.doctor import text
from companion.doctor.examination import examine
from companion.doctor.findings import STATES, Found, State, Wired
from companion.doctor.machine import Machine, this_machine
from companion.doctor.report import REPORT, write_report
from companion.rules.conversation.errors import CompanionError
from companion.screens.app.screen import Screen
from companion.screens.app.table_hardware import NOTHING_THERE
from companion.screens.kit.compose import Composed, Ui
from companion.screens.kit.pen import SEMIBOLD, Pen
from companion.screens.kit.rows import Rows, RowView
from companion.screens.kit.theme import SMALL, theme
from companion.sheets.place import EXPORTS, sticks
from companion.view.shown import Toast, ViewModel

if TYPE_CHECKING:
    from companion.screens.app.app import CompanionApp

LINE: Final = 28.0
"""Height of a line of the list, in dp."""
TEXT_AT: Final = 190.0
"""Left edge of the sentences, in dp."""
ICONS: Final[Mapping[State, str]] = {"bad": "cross", "warn": "triangle", "ok": "check", "absent": "minus"}
INKS: Final[Mapping[State, str]] = {"bad": "bad", "warn": "warn", "ok": "ok", "absent": "low"}


class StatusRow(ViewModel, frozen=True, kw_only=True):
    """A finding in words."""

    name: str
    state: State
    sentence: str
    advice: str = ""


class StatusLine(ViewModel, frozen=True, kw_only=True):
    """A line of the list.

    `name` and `state` are set on a finding's first line; a rule is drawn below its last.
    """

    text: str
    ink: str
    name: str = ""
    state: State | None = None
    is_last: bool = False


class StatusLineView(RowView):
    """A row that shows a `StatusLine`."""

    def paint(self, pen: Pen) -> None:
        line = self.shown
        if not isinstance(line, StatusLine):
            return
        middle = pen.h / 2
        if line.state is not None:
            pen.icon(ICONS[line.state], 30, middle, 18, INKS[line.state])
        pen.text(line.name, 50, middle, SMALL, "mid", SEMIBOLD, room=TEXT_AT - 58)
        pen.text(line.text, TEXT_AT, middle, SMALL, line.ink, SEMIBOLD, room=pen.w - TEXT_AT - 24, cut=True)
        if line.is_last:
            pen.fill(24, pen.h - 1, pen.w - 48, 1, "line")


def drawn_slowly(renderer: str, machine: Machine) -> bool:
    """Return True if a Raspberry Pi draws without its graphics chip."""
    return "llvmpipe" in renderer and machine.is_pi


def _renderer() -> str:
    return (glGetString(GL_RENDERER) or b"").decode(errors="replace")


def _examine(app: CompanionApp, take: WeakMethod[Callable[[Machine, Found], None]]) -> None:
    """Check the machine and pass the findings to the screen, if it is still there.

    The app's disk is given the state of the storage.
    """
    pins, chip, port = app.beside.wired
    wired = Wired(pins, chip, port, app.beside.complaint if not pins else None)
    machine = this_machine()
    found = examine(
        machine, app.folder, wired, looked=lambda storage: Clock.schedule_once(lambda _: app.disk.take(storage))
    )

    def hand_over(_: float) -> None:
        if (to := take()) is not None:
            to(machine, found)

    Clock.schedule_once(hand_over)


class StatusScreen(Composed, Screen):
    """A list of findings, with keys to check again, write a report and list versions."""

    def __init__(self, app: CompanionApp, given: Mapping[str, object]) -> None:
        super().__init__(app, given)
        self._machine = this_machine()
        self._found: Found | None = None
        self.check()

    @property
    def is_loaded(self) -> bool:
        return self._found is not None

    def check(self) -> None:
        """Check the machine in a thread, since a disk may take seconds."""
        self._found = None
        self.look_again()
        threading.Thread(target=_examine, args=(self.app, WeakMethod(self._take)), name="doctor", daemon=True).start()

    def _take(self, machine: Machine, found: Found) -> None:
        if self.app.screen is self:
            self._machine, self._found = machine, found
            self.look_again()

    def report(self) -> None:
        """Write the report to a USB stick, else to the exports."""
        found, machine, words = self._found, self._machine, theme.words
        if found is None:
            return

        def write() -> None:
            folder = next(iter(sticks()), self.app.folder / EXPORTS)
            path = folder / REPORT
            said: Toast | CompanionError
            try:
                with contextlib.suppress(OSError):  # then it cannot be written either
                    folder.mkdir(parents=True, exist_ok=True)
                whole_file.write_out(path, write_report(found, machine, words).encode())
                said = Toast(
                    text=words.screen("doctor.written", path=f"{folder.name}/{REPORT}"), tone="ok", icon="check"
                )
            except CompanionError as wrong:
                said = wrong
            Clock.schedule_once(lambda _: self.app.tell(said))

        threading.Thread(target=write, name="report", daemon=True).start()

    # -- what is shown

    def findings(self) -> list[StatusRow]:
        """Return all findings, worst first."""
        words, roller = theme.words, self._roller()
        told = [
            StatusRow(
                name=text.name(one, words), state=one.state, sentence=text.sentence(one, words),
                advice=text.advice(one, words),
            )
            for one in self._found or ()
            if one.check != "roller" or roller is None
        ]  # fmt: skip
        told += [roller] if roller is not None else []
        return sorted([*told, *self._app_findings()], key=lambda one: STATES.index(one.state))

    def _app_findings(self) -> list[StatusRow]:
        """Return the findings of the app: how it draws, and which hardware has answered."""
        renderer, scale = _renderer(), theme.words.decimal(theme.scale, 2)
        is_slow = drawn_slowly(renderer, self._machine)
        beside = self.app.beside
        buttons = self.say("home.buttons", there=beside.buttons)
        if beside.complaint is not None:
            buttons = theme.words.error(beside.complaint)
        return [
            StatusRow(name=self.say("status.buttons"), state="ok" if beside.buttons else "absent", sentence=buttons),
            StatusRow(
                name=self.say("status.display"), state="ok",
                sentence=f"{Window.width} × {Window.height} · {scale} · Kivy {kivy.__version__}",
            ),
            StatusRow(
                name=self.say("status.renderer"), state="warn" if is_slow else "ok", sentence=renderer,
                advice=self.say("status.slow") if is_slow else "",
            ),
        ]  # fmt: skip

    def _roller(self) -> StatusRow | None:
        """Return what the app knows of the die roller.

        None if none is plugged in and the machine has been checked: that check may have found one on another port.
        """
        beside, wrong = self.app.beside, self.app.beside.roller_complaint
        name = self.say("doctor.name.roller")
        if beside.roller:
            return StatusRow(name=name, state="ok", sentence=beside.roller)
        is_missing = wrong is not None and wrong.code == NOTHING_THERE
        is_checked = any(one.check == "roller" and one.case in ("none", "other") for one in self._found or ())
        if wrong is None or (is_missing and is_checked):
            return None
        return StatusRow(name=name, state="absent" if is_missing else "bad", sentence=theme.words.error(wrong))

    def _lines(self) -> list[StatusLine]:
        pen, room = Pen.measuring(), self.w - TEXT_AT - 24
        lines: list[StatusLine] = []
        for one in self.findings():
            ink = INKS[one.state] if one.state in ("bad", "warn") else "low" if one.state == "absent" else "hi"
            said = [StatusLine(text=line, ink=ink) for line in pen.broken(one.sentence, SMALL, SEMIBOLD, room)]
            if one.advice:
                said += [StatusLine(text=line, ink="hi") for line in pen.broken(one.advice, SMALL, SEMIBOLD, room)]
            said[0] = replace(said[0], name=one.name, state=one.state)
            said[-1] = replace(said[-1], is_last=True)
            lines += said
        return lines

    def compose(self, ui: Ui) -> None:
        ui.fill(ui.area, "bg1")
        note = self.say("status.checking") if self._found is None else text.summary(self._found, theme.words)
        ui.title(self.say("status.title"), self.app.back, note)
        version, report, check = ui.area.cut_bottom(72).inset(12, 8).columns(3)
        rows = ui.place(ui.area, ui.named("rows", partial(Rows, StatusLineView, high=LINE)))
        rows.show(self._lines() if self._found is not None else [])
        ui.button(version, "version", self.say("version.title"), lambda: self.app.go("version"))
        ui.button(report, "report", self.say("doctor.report"), self.report)
        ui.button(check, "check", self.say("status.check"), self.check)
