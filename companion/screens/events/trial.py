"""A trial: the session's sky, the driver on the clock, the sum, and what is entered."""

from __future__ import annotations

import contextlib
import time
from functools import partial
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from companion.desk.organising import fresh_times
from companion.desk.record_desk import RecordDesk
from companion.desk.trial_desk import TrialDesk
from companion.drawing.paints import paint_of
from companion.rules.circuit.track import Track
from companion.rules.conversation.errors import BadAnswer, CompanionError
from companion.screens.app.screen import Screen
from companion.screens.app.visits import OfTrial, Visit
from companion.screens.events.following import Following
from companion.screens.events.trial_parts import (
    ClockShown,
    MissedKey,
    MissedShown,
    NearView,
    SessionWeather,
    StewardsCallKey,
    StopKey,
    Stopwatch,
    TimeView,
    TyresKey,
    WaitingView,
    WeatherBlock,
    draw_terms,
)
from companion.screens.kit import plate
from companion.screens.kit.compose import Act, Area, Composed, Ui
from companion.screens.kit.confirm import Confirmation
from companion.screens.kit.empty import Empty, EmptyState
from companion.screens.kit.key import Face, Look
from companion.screens.kit.pen import BOLD, SEMIBOLD
from companion.screens.kit.rows import Rows
from companion.screens.kit.stepper import Stepper
from companion.screens.kit.theme import BODY, CAPTION, NAME, QUESTION, SMALL, SUM, TITLE, VALUE, theme
from companion.screens.kit.touch import ears
from companion.tournament.record import Signed
from companion.tournament.times import MOST
from companion.tournament.tournament import Tournament
from companion.tournament.trial import REPLAYED, Call, Tap
from companion.view.events.trials import SkyShown, TrialShown, study, trials
from companion.view.shown import Field, Price, Toast, Tone

if TYPE_CHECKING:
    from companion.screens.app.app import CompanionApp

RIGHT: Final = 292.0
"""Width of the right panel, in dp."""
BAND: Final = 160.0
KEYS: Final = 88.0
SKY_WIDTH: Final = 234.0
"""Width of the sky and the tyres in the bar at the top, in dp."""
NEAR: Final = 30.6
TIMED: Final = 40.0
NOT_GEAR: Final = "20"
"""Die that is thrown for the sky, and never in a lap."""


class FootKey(NamedTuple):
    """A key at the foot: name, face, action, and width, 0 for a share of the rest."""

    name: str
    face: Face
    on_tap: Act | None
    wide: float = 0


class TrialScreen(Composed, Screen):
    """The trials of one table.

    `given` has their id (`trials`), or the `opened` act of new ones; without either the last ones go on. `wanted` is
    the next driver, `tyres` his choice.
    """

    given: OfTrial

    def __init__(self, app: CompanionApp, given: OfTrial) -> None:
        super().__init__(app, given)
        self.now: TrialShown | None = None
        self.wrong: CompanionError | None = None
        self.grid: list[int] = []
        self.changing = False
        """True while the counts of a disputed trial are corrected."""
        self.picking = False
        """True while the next driver is chosen."""
        self.clock = Stopwatch(on_minute=self.again)
        self.steppers = {
            name: Stepper(on_change=lambda _: self.look_again()) for name in ("throws", "over", "misplaced")
        }
        self._state = ""
        self.following = Following(act=lambda work: self._act(work, silent=True), again=self.look_again)
        if "opened" in given:  # the last ones may still be open, and would be shown in place of the new ones
            app.recording.close()
        app.recording.open(self._key, self._make, self.again, self._refused)

    # -- the desk

    @property
    def _key(self) -> str:
        return f"trials {self.given.get('trials', 'last')}"

    def _make(self) -> TrialDesk:
        opened = self.given.get("opened")
        if opened is None:
            return TrialDesk.resume(self.app.folder, self.given.get("trials", "last"), by=self.app.recording.by)
        desk = TrialDesk.begin(self.app.folder, opened, by=self.app.recording.by)
        del self.given["opened"]  # not before: where it is refused it may be begun again
        for act in self.given.get("acts", ()):
            desk.act(act)
        self.given["trials"] = desk.desk.log_id
        return desk

    def _refused(self, wrong: CompanionError) -> None:
        if self.app.screen is self:
            self.wrong = wrong
            self.look_again()

    def again(self, *_: object) -> None:
        """Read the trials again."""
        words, wanted, tyres = theme.words, self.given.get("wanted", 0), self.given.get("tyres", "")

        def look(desk: TrialDesk) -> tuple[TrialShown, list[int], Track | None]:
            board: Any = None
            self._draw_with_hall(desk)
            try:
                board = desk.board
                name, chart = board.name, getattr(board, "weather", None)
            except CompanionError:  # the circuit is gone: its name still stands in the record
                name, chart = desk.record.track, None
            return (
                trials(desk, words, name, chart, wanted, tyres),
                desk.record.grid(),
                board if isinstance(board, Track) and board.known == "space" else None,
            )

        self.app.recording.do(look, self._on_read)

    def _draw_with_hall(self, desk: TrialDesk) -> None:
        """Take over the sky drawn by race control for the hall, if the trials await one."""
        if desk.record.event and desk.record.session not in desk.record.skies:
            from companion.hall.timing import missing_skies  # only where there is a hall

            with contextlib.suppress(CompanionError):
                for sky in missing_skies(self.app.folder, desk.record):
                    desk.act(sky)

    def _on_read(self, found: tuple[TrialShown, list[int], Track | None]) -> None:
        if self.app.screen is not self:
            return
        self.wrong = None
        self.now, self.grid, self.following.track = found
        if (studies := self.now.studies) is not None:
            self.app.recording.do(lambda desk: study(desk, *studies), lambda words: self._study(studies, words))
        key = f"{self.now.state}{self.now.disputed}"
        if key != self._state:
            if self._state:
                ears.close()  # the second tap of a double tap must not answer the next question
            self._state, self.changing = key, False
            self.following.listing = False
            if self.now.state not in ("ready", "sky"):
                self.given.pop("tyres", None)
                self.given.pop("wanted", None)
        if self.now.followed is None or not self.now.followed.found:
            self.following.listing = False
        self.look_again()

    def _study(self, studies: tuple[str, str], words: list[str]) -> None:
        """Compute the best lap while the clock runs; the result arrives as news."""
        self.app.analysing.on_news = self._news
        self.app.analysing.work((*words, *studies), words)

    def _news(self) -> None:
        if self.app.screen is self:
            self.again()

    def _act(self, work: Any, then: Any = None, silent: bool = False) -> None:
        def done(signed: Signed) -> None:
            if not silent:
                self.app.playing.signals.happen("accepted")
            self.again()
            if then is not None:
                then(signed)

        self.app.recording.do(work, done, self._show_refusal)

    def _show_refusal(self, wrong: CompanionError) -> None:
        self.app.playing.signals.happen("refused")
        self.app.tell(wrong)
        self.again()

    @property
    def is_loaded(self) -> bool:
        return self.now is not None or self.wrong is not None

    def leave(self) -> None:
        self.clock.stop()

    # -- what fingers, buttons and the roller do

    def _sky(self, sky: Any) -> None:
        self._act(lambda desk: desk.sky(sky))

    def _choose_tyres(self, tyres: str) -> None:
        self.given["tyres"] = tyres
        self.again()

    def _pick(self) -> None:
        self.picking = not self.picking
        self.look_again()

    def _paper(self) -> None:
        """Open the entry of a trial driven elsewhere, or the correction of one."""
        if self.now is not None:
            self.app.go("timing", record=self.given.get("trials", "last"), kind="trials", number=self.now.driver)

    def _drive(self, place: int) -> None:
        """Choose the next driver."""
        if self.now is not None:
            self.given["wanted"] = self.now.waiting[place]
        self.picking = False
        self.again()

    def _start(self) -> None:
        at, now, tyres = time.monotonic_ns(), self.now, self.given.get("tyres", "")
        if now is not None and (tyres or not now.tyres):
            self._act(lambda desk: desk.start(now.driver, tyres, at))

    def _stop(self) -> None:
        at = time.monotonic_ns()
        self._act(lambda desk: desk.stop(at))

    def _tap(self, tap: Tap) -> None:
        """Count something; a misplaced car is silent while the clock runs."""
        silent = tap == "misplaced" and self.clock_runs
        self._act(lambda desk: desk.tap(tap), silent=silent)

    def _call(self, call: Call) -> None:
        """Record a call, which costs nothing; offer to take back a throw made for it."""
        thrown = call in REPLAYED and self.now is not None and self.now.throws > 0
        back = self.say("throw_back", throws=self.now.throws) if thrown and self.now is not None else ""
        told = Toast(
            text=self.say(f"toast.{call}"),
            tone="info",
            icon="info",
            action="replayed" if back else "",
            action_label=back,
        )
        self._act(lambda desk: desk.tap(call), lambda _: self.app.tell(told))

    def act(self, action: str) -> None:
        if action == "replayed":
            self._tap("replayed")

    def _ask_missed(self) -> None:
        if self.now is None:
            return
        question = Confirmation(
            title=self.say("missed_ask", car=f"{self.now.driver} {self.now.name}"),
            note=self.say("missed_ask_note"),
            act=self.say("missed_act"),
        )
        self.app.ask(question, lambda: self._act(lambda desk: desk.missed()))

    def _undo(self) -> None:
        if self.changing:
            self.changing = False
            self.look_again()
        elif self.now is not None:
            last = self.now.undo.seq
            self._act(lambda desk: desk.take_back(1, last))

    def _history(self) -> None:
        self.app.go("acts", record=self.given.get("trials", "last"), kind="trials")

    def _enter(self) -> None:
        self._act(lambda desk: desk.enter())

    def _dispute(self) -> None:
        self._act(lambda desk: desk.dispute())

    def _change(self) -> None:
        self.changing = True
        if self.now is not None:
            over, placed = self.now.overshot, self.now.misplaced
            for (name, stepper), value in zip(self.steppers.items(), (self.now.throws, over, placed), strict=True):
                said = "throws" if name == "throws" else "no_over" if name == "over" else "misplaced"
                label = self.say(said, count=2)
                stepper.show(Field(name=name, label=label, value=value, low=int(name == "throws"), high=MOST))
        self.look_again()

    def _uphold(self) -> None:
        if self.now is not None:
            counted = self.now.throws, self.now.overshot, self.now.misplaced
            self._act(lambda desk: desk.rule(*counted))

    @property
    def _stepped(self) -> tuple[int, int, int]:
        """The throws, overshot spaces and misplaced cars of a change; without stewards nobody counts the last."""
        throws, over, placed = (stepper.value for stepper in self.steppers.values())
        return throws, over, placed if self.now is not None and self.now.stewards else 0

    def _rule(self) -> None:
        counted = self._stepped
        why = self.say("change_why")
        self.changing = False
        self._act(lambda desk: desk.rule(*counted, why=why))

    def _drive_again(self) -> None:
        now = self.now
        disputed = now is not None and now.disputed
        why = self.say("change_why" if disputed else "found.line" if now is not None and now.unfinished else "lost_why")
        self._act(lambda desk: desk.again(why))

    def _to_event(self) -> None:
        """Enter the times into their tournament."""
        event, folder = self.given.get("event", ""), self.app.folder

        def enter(desk: TrialDesk) -> None:
            with RecordDesk.resume(folder, Tournament, event) as tournament:
                if (act := fresh_times(tournament.record, folder, desk.desk.log_id)).times:
                    tournament.act(act, by=desk.by)

        self.app.recording.do(enter, self.if_here(lambda _: self.app.back()), self._show_refusal)

    def _to_grid(self) -> None:
        """Open a race with the grid of these trials."""
        self.app.recording.do(
            lambda desk: (desk.record.track, desk.record.entrants(), *desk.record.race), self.if_here(self._with_grid)
        )

    def _with_grid(self, found: Any) -> None:
        from companion.sheets.entrants import RaceEntrant
        from companion.view.setup.draft import Draft

        track, drivers, rulebook, variants = found
        entrants = tuple(
            RaceEntrant(number=one.number, name=one.name, team=one.team, colour=one.colour) for one in drivers
        )
        visits = self.app.visits[:-1]
        beneath = visits[-1].name == "new_race"
        before = visits[-1].given.get("draft") if beneath else None
        timed = dict.fromkeys((*variants, "trial"), True) if rulebook == "formula-d" else {}
        draft = before if isinstance(before, Draft) else Draft(rulebook=rulebook, options=timed) if timed else Draft()
        draft = draft.but(entrants=entrants, track=draft.track or track, line_up="hand")
        if beneath:
            self.app.show([*visits[:-1], Visit("new_race", {"draft": draft, "step": "grid"})])
        else:
            self.app.instead("new_race", draft=draft, step="grid")

    @property
    def clock_runs(self) -> bool:
        """True while a driver is timed."""
        return self.now is not None and self.now.state == "running"

    def press(self, name: str) -> bool:
        """Handle a hardware button: Confirm starts and stops the clock, Next counts a throw."""
        if name == "confirm" and self.clock_runs:
            self._stop()
        elif name == "confirm":
            self.tap_key("main")
        elif name == "next" and self.clock_runs:
            self._tap("throw")
        elif name == "undo" and self.now is not None and self.now.undo.label:
            self._undo()
        elif name == "undo":
            self.app.back()
        return name in ("confirm", "undo") or self.keeps(name)

    @property
    def asks(self) -> str:
        return self.now.state if self.now is not None else ""

    def keeps(self, name: str) -> bool:
        return self.clock_runs and name in ("confirm", "next")

    def rolled(self, face: int, die: str) -> bool:
        running = self.clock_runs
        if running and die == NOT_GEAR:
            raise BadAnswer("black_in_trial")
        if running:
            self._tap("throw")
            self.following.rolled(face, die)
        return running

    def back(self) -> bool:
        following = self.following
        was = self.picking or self.changing or following.on or following.listing
        self.picking = self.changing = following.on = following.listing = False
        self.look_again()
        return was

    def say(self, where: str, **facts: Any) -> str:
        return theme.words.screen(f"trial.{where}", **facts)

    @property
    def toast_at(self) -> tuple[float, float]:
        return 20, self.h - BAND - 68

    # -- what is shown

    def compose(self, ui: Ui) -> None:
        now = self.now
        ui.fill(ui.area, "bg1")
        sky = ui.title(self.say("title"), self.app.back, now.subtitle if now is not None else "", keep=SKY_WIDTH)
        if now is not None:
            weather = ui.place(Area(sky.x, sky.y, sky.w, sky.h - 1), ui.named("weather", WeatherBlock))
            weather.show(SessionWeather(icon=now.sky_icon, sky=now.sky, on=now.on))
        if now is None or now.state == "empty":
            if now is not None or self.wrong is not None:
                self._compose_empty(ui)
            return
        right = ui.area.cut_right(RIGHT)
        self._compose_band(ui, ui.area.cut_bottom(BAND), now)
        ui.fill(Area(right.x, right.y, 1, right.h), "line")
        self._compose_driver(ui, ui.area.cut_top(48), now)
        if self.following.on and now.followed is not None and now.state in ("running", "over"):
            self.following.compose_board(ui, ui.area, now)
            self.following.compose_throw(ui, right)
        elif now.state in ("over", "all"):
            self._compose_result(ui, ui.area, now)
            self._compose_times(ui, right, now)
        elif self.picking and now.state in ("ready", "sky"):
            self._compose_clock(ui, ui.area, now)
            self._compose_heading(ui, right.cut_top(30), self.say("key_other"))
            ui.place(right, ui.named("who", partial(Rows, WaitingView, on_row=self._drive))).show(now.waiting_rows)
        else:
            self._compose_clock(ui, ui.area, now)
            self._compose_choices(ui, right, now)

    def _compose_empty(self, ui: Ui) -> None:
        wrong = self.wrong
        if wrong is not None and wrong.code != "no_record":
            said = EmptyState(icon="triangle", title=self.say("unreadable"), note=theme.words.error(wrong), tone="bad")
        else:
            title, note = self.say("none_title"), self.say("none_note")
            said = EmptyState(icon="clock", title=title, note=note, act=self.say("none_key"))
        make = partial(Empty, on_act=lambda: self.app.instead("new_race"))
        ui.place(ui.area.inset(60, 40), ui.named("empty", make)).show(said)

    # -- the left: who drives, and the clock or the result

    def _compose_driver(self, ui: Ui, area: Area, now: TrialShown) -> None:
        if now.plate is None:
            return
        pen, y, right = ui.pen, area.middle[1], area.right - 14
        plate.draw(pen, now.plate, 40, y, 32)
        x = 72 + pen.text(now.name, 72, y, 24, "hi", BOLD, room=200, cut=True) + 12
        if now.state in ("running", "lost"):
            tone = "ok" if now.state == "running" else "bad"
            said = self.say("running") if now.state == "running" else "–"
            right -= pen.text(said, right, y, SMALL, tone, SEMIBOLD, "right") + 14
            pen.fill(right - 12, y - 6, 12, 12, tone, 6)
            right -= 24
        elif now.state == "over":
            said = self.say("disputed") if now.disputed else self.say("clock_was", clock=now.clock_said)
            size, tone = (SMALL, "warn") if now.disputed else (NAME, "hi")
            right -= pen.text(said, right, y, size, tone, BOLD, "right") + 14
        pen.text(now.about, x, y + 1, SMALL, "mid", SEMIBOLD, room=max(1.0, right - x), cut=True)

    def _compose_clock(self, ui: Ui, area: Area, now: TrialShown) -> None:
        """Compose the clock, and below it the reminders, else the sum."""
        ui.place(area.cut_top(133).inset(8), self.clock).show(ClockShown(began=now.began, clock=now.clock))
        if not now.reminders:
            if now.terms:
                draw_terms(ui.pen, now.terms, area.y + 27, area.w)
            return
        for cell, said in zip(area.inset(20, 4).cells(len(now.reminders), 2, 26, 0), now.reminders, strict=True):
            y = cell.middle[1]
            ui.pen.fill(cell.x + 1, y - 3, 6, 6, "low", 3)
            ui.pen.text(said, cell.x + 16, y, SMALL, "mid", SEMIBOLD, room=cell.w - 24, cut=True)

    def _compose_result(self, ui: Ui, area: Area, now: TrialShown) -> None:
        """Compose the sum or the changed counts, the place, and ties."""
        pen, top, left = ui.pen, area.y, area.right
        if now.state == "all":
            pen.icon("check", left / 2, top + 54, 56, "ok")
            pen.text(now.note, left / 2, top + 124, VALUE, "hi", SEMIBOLD, "centre", room=left - 40)
            for at, (said, tone) in enumerate(((" · ".join(now.weather), "mid"), (now.disputes, "warn"))):
                y = top + 156 + at * 26
                pen.text(said, left / 2, y, SMALL, tone, SEMIBOLD, "centre", room=left - 40, cut=True)
            return
        pen.fill(0, top, left, 1, "line")
        if now.missed:
            pen.icon("triangle", 46, top + 44, 36, "bad")
            pen.text(self.say("missed"), 84, top + 34, TITLE, "bad", BOLD, room=left - 100)
            pen.text(self._missed_note(now), 84, top + 64, SMALL, "mid", SEMIBOLD, room=left - 100)
        elif not self.changing:
            draw_terms(pen, now.terms, top + 30, left)
        pen.fill(0, top + 90, left, 1, "line")
        x = 20.0
        if now.place and not now.missed:
            x += pen.text(now.place, x, top + 112, 28, "hi", BOLD) + 8
        cited = "1-3-2" if now.stewards else ""
        of, beside, ink = (f"{now.of}, {cited}", now.limit, "hi") if now.limit else (now.of, cited, "low")
        right = pen.text(beside, left - 14, top + 115, SMALL, ink, SEMIBOLD, "right")
        pen.text(of, x, top + 115, SMALL, "mid", SEMIBOLD, room=left - 30 - right - x, cut=True)
        if now.shares and len(now.neighbours) < 2:
            pen.text(now.shares, left - 14, top + 206, SMALL, "mid", SEMIBOLD, "right", room=left - 34)
        for at, one in enumerate(now.neighbours):
            y = top + 150 + at * 48
            pen.icon("down" if one.ahead else "up", 32, y, 20, "mid")
            plate.draw(pen, one.plate, 66, y, 28)
            pen.text(one.title, 92, y - 9, SMALL, "hi", BOLD, room=left - 106)
            pen.text(one.why, 92, y + 11, SMALL, "mid", SEMIBOLD, room=left - 106)
        if self.changing:
            steppers = list(self.steppers.values())[: 3 if now.stewards else 2]
            for cell, stepper in zip(area.inset(20, 4).columns(len(steppers)), steppers, strict=True):
                ui.place(cell.cut_top(80), stepper)

    # -- the right: what is called or chosen, and the times

    def _compose_heading(self, ui: Ui, area: Area, title: str, article: str = "") -> None:
        """Write the heading of a list."""
        ui.pen.text(title, area.x + 12, area.y + 15, BODY, "hi", BOLD, room=area.w - 80)
        ui.pen.text(article, area.right - 12, area.y + 15, SMALL, "low", SEMIBOLD, "right")
        ui.fill(Area(area.x, area.bottom, area.w, 1), "line")

    def _compose_choices(self, ui: Ui, area: Area, now: TrialShown) -> None:
        """Compose the choices beside the clock.

        The calls, or tyres and next driver; the key that ends the trial; below them the nearest times, or who is still
        to drive while there are none.
        """
        head = area.cut_top(40 if now.tyres or now.calls else 10)
        if now.state in ("running", "lost"):
            if now.stewards:
                self._ask(ui, head, self.say("calls"), "1-2-1")
            for cell, call in zip(_cut_keys(area, len(now.calls)), now.calls, strict=True):
                ui.target(cell, call.call, StewardsCallKey, call, partial(self._call, call.call))
        elif now.state == "ready":
            if now.tyres:
                self._ask(ui, head, self.say("ask_tyres"), "1-1-4")
            *cells, last = _cut_keys(area, len(now.tyres) + 1)
            for cell, tyres in zip(cells, now.tyres, strict=True):
                shown = tyres, tyres.tyres == self.given.get("tyres")
                ui.target(cell, tyres.tyres, TyresKey, shown, partial(self._choose_tyres, tyres.tyres))
            ui.button(last, "other", Face(label=self.say("key_other"), icon="person", look="option"), self._pick)
        if now.state == "running":
            label = self.say("missed" if now.stewards else "missed_box")
            missed = MissedShown(label=label, note=self._missed_note(now))
            (cell,) = _cut_keys(area, 1, high=62)
            ui.target(cell, "missed", MissedKey, missed, self._ask_missed)
            if now.followed is not None:
                self.following.compose_key(ui, area.cut_bottom(64).inset(12, 6))
        area.cut_top(2)
        if now.rows:
            self._compose_near(ui, area, now)
        elif now.waiting_rows:
            self._compose_heading(ui, area.cut_top(30), self.say("waiting"))
            waiting = ui.place(area, ui.named("waiting", partial(Rows, WaitingView, high=TIMED)))
            waiting.show(now.waiting_rows)
            waiting.reveal(next((at for at, row in enumerate(now.waiting_rows) if row.now), 0))

    def _compose_near(self, ui: Ui, area: Area, now: TrialShown) -> None:
        """Compose the nearest times, with their heading."""
        ui.fill(area.cut_top(1), "line")
        pen, row, right = ui.pen, area.cut_top(29), area.right - 12
        y = row.y + 14
        pen.text(self.say("time_head"), right, y, SMALL, "low", SEMIBOLD, "right")
        pen.text(self.say("clock_head"), right - 52, y, SMALL, "low", SEMIBOLD, "right")
        pen.text(now.rows_title, area.x + 12, y, SMALL, "low", SEMIBOLD, room=RIGHT - 140, cut=True)
        ui.place(area, ui.named("near", partial(Rows, NearView, high=NEAR))).show(now.rows)

    def _ask(self, ui: Ui, area: Area, title: str, article: str) -> None:
        """Write the heading of keys, with its article."""
        wide = ui.pen.text(article, area.right - 12, area.middle[1], SMALL, "low", SEMIBOLD, "right")
        ui.pen.text(title, area.x + 12, area.middle[1], BODY, "hi", BOLD, room=area.w - 40 - wide)

    def _compose_times(self, ui: Ui, area: Area, now: TrialShown) -> None:
        """Compose the times with the key to the findings, or the findings in their place."""
        found = now.followed.found if now.followed is not None else ()
        listing, head = self.following.listing and now.state == "over", area.cut_top(30)
        if found:
            label = self.say("key_times" if self.following.listing else "key_show", count=len(found))
            face = Face(label=label, look="quiet", icon="triangle", rim="warn")
            key = area.cut_bottom(64).inset(12, 4).cut_top(52)
            ui.button(key, "found", face, self.following.show_findings)
        if listing:
            self._compose_heading(ui, head, self.say("found_head"), "1-2-2")
            self.following.compose_findings(ui, area, found)
            return
        pen, right, y = ui.pen, head.right - 12, head.y + 15
        pen.text(self.say("ahead_head"), right, y, SMALL, "low", SEMIBOLD, "right", room=66)
        pen.text(self.say("clock_head"), right - 70, y, SMALL, "low", SEMIBOLD, "right", room=60)
        pen.text(self.say("time_head"), right - 132, y, SMALL, "low", SEMIBOLD, "right", room=52)
        after = self.say("after", count=len(now.rows))
        pen.text(after, head.x + 12, y, CAPTION, "low", SEMIBOLD, room=92, cut=True)
        ui.fill(Area(head.x, head.bottom, head.w, 1), "line")
        times = ui.place(area, ui.named("times", partial(Rows, TimeView, high=TIMED)))
        times.show(now.rows)
        place = next((at for at, row in enumerate(now.rows) if row.now), -1)
        if place >= 0:
            times.reveal(place)

    # -- the foot: what is asked, and the keys that answer

    def _compose_band(self, ui: Ui, band: Area, now: TrialShown) -> None:
        ui.fill(band, "bg2")
        ui.fill(Area(band.x, band.y, band.w, 1), "line")
        if now.plate is not None:
            ui.pen.fill(band.x, band.y, 8, band.h, paint_of(now.plate.place).colour)
        self._compose_question(ui, band, now)
        row = Area(band.x + 20, band.bottom - 12 - KEYS, band.w - 28, KEYS)
        label = now.undo.label if not self.changing else ""
        can = bool(label) or self.changing
        face = Face(look="quiet" if can else "barred", icon="undo", label=theme.say("undo"), note=label)
        ui.button(row.cut_left(84), "undo", face, self._undo if can else None, self._history)
        row.cut_left(8)
        keys = self._keys(now)
        loose = sum(not key.wide for key in keys)
        each = (row.w - sum(key.wide for key in keys) - 8 * (len(keys) - 1)) / max(1, loose)
        for key in keys:
            area = row.cut_left(key.wide or each)
            if key.name == "stop":
                ui.target(area, key.name, StopKey, key.face.label, key.on_tap)
            else:
                ui.button(area, key.name, key.face, key.on_tap)
            row.cut_left(8)

    def _compose_question(self, ui: Ui, band: Area, now: TrialShown) -> None:
        pen, top, right = ui.pen, band.y, band.right - 14
        question = self.say("change_title") if self.changing else now.question
        asked = pen.text(question, 24, top + 31, QUESTION, "hi", BOLD, room=band.w - 40)
        room = right - 24 - asked - 16
        tone = "warn" if now.state == "ready" and now.sky_icon == "rain" else "bad" if now.state == "lost" else "mid"
        said = now.followed.said if now.followed is not None and not now.disputed else ""
        if now.state == "over" and (now.counts or said):
            both = bool(now.counts and said)
            pen.text(now.counts, right, top + (21 if both else 31), SMALL, "mid", SEMIBOLD, "right", room=room)
            if now.followed is not None and said:
                y = top + (42 if both else 31)
                pen.text(said, right, y, SMALL, now.followed.tone, SEMIBOLD, "right", room=room)
        elif (note := now.note or now.button) and now.state != "all":
            if pen.width(note, SMALL) <= room:
                pen.text(note, right, top + 31, SMALL, tone, SEMIBOLD, "right")
            else:
                pen.paragraph(note, right, top + 22, SMALL, room, tone, SEMIBOLD, 2, "right", floor=CAPTION)

    def _keys(self, now: TrialShown) -> list[FootKey]:
        """Return the keys beside Undo; "main" is the one that the hardware button confirms."""
        match now.state:
            case "sky":
                return [self._sky_key(sky) for sky in now.skies]
            case "ready":
                start = Face(label=self.say("key_start"), icon="play", size=QUESTION)
                barred = Face(label=start.label, look="barred", size=TITLE, note=self.say("not_said", tyres=""))
                can = bool(self.given.get("tyres")) or not now.tyres
                return [self._paper_key, FootKey("main", start if can else barred, self._start if can else None)]
            case "running":
                return self._running_keys(now)
            case "lost":
                return [self._again_key(TITLE)]
            case "over" if self.changing:
                throws, over, placed = self._stepped
                total = throws + over * now.over_each + placed * 10 + now.clock // 6000
                return [FootKey("main", Face(label=self.say("key_ruled", sum=total), size=TITLE), self._rule)]
            case "over" if now.disputed:
                change = "again" if now.missed else "change"  # no count changes that he is last
                later, other = (
                    Face(label=self.say(f"key_{name}"), note=self.say(f"key_{name}_note"), look="option")
                    for name in ("later", change)
                )
                price = Price(text=self.say("key_uphold_note"))
                uphold = Face(label=self.say("key_uphold"), size=VALUE, prices=(price,))
                decide = self._drive_again if now.missed else self._change
                return [FootKey("later", later, self._enter, 118), FootKey(change, other, decide, 108),
                        FootKey("main", uphold, self._uphold)]  # fmt: skip
            case "over":
                note = self.say("key_cited", article="1-1-9") if now.stewards else ""
                dispute = Face(label=self.say("key_dispute"), icon="triangle", look="quiet", note=note)
                misplaced = self._misplaced_key(96, self.say("key_cited", article="1-1-11"), "warn")
                beside = [misplaced] if now.stewards and not now.missed else []
                return [FootKey("dispute", dispute, self._dispute, 104), *beside, self._enter_key(now)]
        to = "event" if "event" in self.given else "hall" if now.live else "grid"
        price = Price(text=self.say(f"key_{to}_note", count=len(self.grid)), tone="ok")
        go = {"event": self._to_event, "hall": self.app.home, "grid": self._to_grid}[to]
        return [self._paper_key, FootKey("main", Face(label=self.say(f"key_{to}"), size=QUESTION, prices=(price,)), go)]

    def _sky_key(self, sky: SkyShown) -> FootKey:
        prices = (Price(text=sky.faces, icon="die"),) if sky.faces else ()
        return FootKey(sky.sky, Face(label=sky.label, prices=prices, size=NAME), partial(self._sky, sky.sky))

    def _running_keys(self, now: TrialShown) -> list[FootKey]:
        price = Price(text=self.say("key_throw"), icon="plus")
        throw = Face(label=str(now.throws), size=SUM, prices=(price,))
        price = Price(text=self.say("key_over_price", factor=now.over_each), tone="warn")
        label, note = f"+{now.over_each}", self.say("key_over")
        over = Face(label=label, note=note, look="option", size=TITLE, prices=(price,))
        return [
            FootKey("main", throw, partial(self._tap, "throw")),
            FootKey("over", over, partial(self._tap, "over"), 88),
            *([self._misplaced_key(88, self.say("key_silent"), "plain")] if now.stewards else []),
            FootKey("stop", Face(label=self.say("key_stop")), self._stop, 60),
        ]

    def _misplaced_key(self, wide: float, price: str, tone: Tone) -> FootKey:
        prices = (Price(text=price, tone=tone),)
        face = Face(label="+10", note=self.say("key_misplaced"), look="option", size=TITLE, prices=prices)
        return FootKey("misplaced", face, partial(self._tap, "misplaced"), wide)

    @property
    def _paper_key(self) -> FootKey:
        return FootKey("paper", Face(label=self.say("key_paper"), icon="edit", look="option"), self._paper, 118)

    def _again_key(self, size: float) -> FootKey:
        price = Price(text=self.say("key_again_note"))
        return FootKey("main", Face(label=self.say("key_again"), size=size, prices=(price,)), self._drive_again)

    def _enter_key(self, now: TrialShown) -> FootKey:
        """Return the key that enters the trial.

        Findings from the board must be answered first; a lap without a time must be driven again.
        """
        if found := len(now.followed.found) if now.followed is not None else 0:
            look: Look = "barred" if self.following.listing else "answer"
            label, note = self.say("key_answer", count=found), self.say("key_answer_note")
            act = None if self.following.listing else self.following.show_findings
            return FootKey("main", Face(label=label, note=note, size=TITLE, look=look), act)
        if now.unfinished:
            return self._again_key(QUESTION)
        label = self.say("key_enter_last") if now.missed else self.say("key_enter", sum=now.so_far)
        follows = self.say("key_next" if now.next else "key_end", place=now.place, car=now.next)
        face = Face(label=label, size=QUESTION, prices=(Price(text=follows, tone="ok"),))
        return FootKey("main", face, self._enter)

    def _missed_note(self, now: TrialShown) -> str:
        return self.say("missed_note") + ", 1-1-14" if now.stewards else self.say("missed_note_box")


def _cut_keys(area: Area, count: int, high: float = 58) -> list[Area]:
    """Cut keys, two in a row, and the gap below them from the top of an area; return their cells."""
    across = min(2, count) or 1
    lines = -(-count // across)
    return area.cut_top(lines * (high + 8) + (2 if lines else 0)).inset(12).cells(count, across, high)
