"""A trial: the sky of its session, the driver on the clock, the sum, and what is entered."""

from __future__ import annotations

import contextlib
import time
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from companion.desk.organising import fresh_times
from companion.desk.record_desk import RecordDesk
from companion.desk.trial_desk import TrialDesk
from companion.drawing.paints import paint_of
from companion.rules.circuit.track import Track
from companion.rules.conversation.errors import BadAnswer, CompanionError
from companion.screens.app.screen import Screen
from companion.screens.app.visits import OfTrial, Visit
from companion.screens.commissioner.clock import ClockShown, Stopwatch
from companion.screens.commissioner.following import Following
from companion.screens.commissioner.trial_parts import (
    CallKey,
    MissedKey,
    MissedShown,
    NearView,
    StopKey,
    TimeView,
    TyresKey,
    WaitingView,
    Weather,
    WeatherBlock,
    draw_terms,
)
from companion.screens.widgets import plate
from companion.screens.widgets.confirm import Question
from companion.screens.widgets.empty import Empty, Nothing
from companion.screens.widgets.key import Face, Key, Look
from companion.screens.widgets.pen import BOLD, SEMIBOLD, Pen
from companion.screens.widgets.rows import Rows
from companion.screens.widgets.stepper import Stepper
from companion.screens.widgets.theme import BODY, CAPTION, NAME, QUESTION, SMALL, SUM, TITLE, VALUE, theme
from companion.screens.widgets.title_bar import HIGH as BAR
from companion.screens.widgets.title_bar import Title, TitleBar
from companion.screens.widgets.touch import ears
from companion.tournament.record import Signed
from companion.tournament.times import MOST
from companion.tournament.tournament import Tournament
from companion.tournament.trial import CALLS, COMPOUNDS, REPLAYED, Call, Tap
from companion.view.commissioner.trials import TrialShown, study, trials
from companion.view.shown import Field, Price, Toast

if TYPE_CHECKING:
    from companion.screens.app.app import CompanionApp

RIGHT: Final = 292.0
"""The width of the right panel."""
BAND: Final = 160.0
KEYS: Final = 88.0
FOLLOW: Final = 84.0
"""Where the keys of a throw that was seen begin."""
SKY: Final = 234.0
"""How much of the bar at the top the sky and the tyres have."""
NEAR: Final = 30.6
TIMED: Final = 40.0
NOT_GEAR: Final = "20"
"""The die that is thrown for the sky, and never in a lap."""


class TrialScreen(Screen):
    """The trials of one table. `given` names them by id (`trials`), or has the `opened` act of new ones; without
    either the last ones go on. `wanted` is who drives next, `tyres` what he has chosen."""

    given: OfTrial

    def __init__(self, app: CompanionApp, given: OfTrial) -> None:
        super().__init__(app, given)
        self.now: TrialShown | None = None
        self.wrong: CompanionError | None = None
        self.grid: list[int] = []
        self.changing = False
        self.picking = False
        self.bar = TitleBar(app.back, keep=SKY)
        self.clock = Stopwatch(self.again)
        self.empty = Empty(on_act=lambda: app.instead("new_race"))
        self.weather = WeatherBlock()
        self.pick_rows = Rows(WaitingView, self._drive)
        self.near, self.times = Rows(NearView, high=NEAR), Rows(TimeView, high=TIMED)
        self.calls: dict[Call, CallKey] = {call: CallKey(on_tap=partial(self._call, call)) for call in CALLS}
        self.tyres = {one: TyresKey(on_tap=partial(self._choose_tyres, one)) for one in COMPOUNDS}
        self.other = Key(on_tap=self._pick)
        self.paper = Key(on_tap=self._paper)
        self.missed = MissedKey(on_tap=self._ask_missed)
        self.undo, self.main = Key(on_tap=self._undo, on_hold=self._history), Key()
        self.over, self.misplaced = Key(on_tap=partial(self._tap, "over")), Key(on_tap=partial(self._tap, "misplaced"))
        self.stop = StopKey(on_tap=self._stop)
        self.skies = {sky: Key(on_tap=partial(self._sky, sky)) for sky in ("sun", "changeable", "rain")}
        self.dispute, self.change, self.later = (
            Key(on_tap=self._dispute),
            Key(on_tap=self._change),
            Key(on_tap=self._enter),
        )
        self.steppers = {
            name: Stepper(on_change=lambda _: self.look_again()) for name in ("throws", "over", "misplaced")
        }
        self._state = ""
        self.following = Following(lambda work: self._act(work, silent=True), self.look_again)
        self.show_found = Key(on_tap=self.following.show_findings)
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
        """Has the trials looked at anew."""
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

        self.app.recording.do(look, self._seen)

    def _draw_with_hall(self, desk: TrialDesk) -> None:
        """The sky that race control has drawn since for every table of the hall, where the trials wait for one."""
        if desk.record.event and desk.record.session not in desk.record.skies:
            from companion.hall.timing import drawn  # only where there is a hall

            with contextlib.suppress(CompanionError):
                for sky in drawn(self.app.folder, desk.record):
                    desk.act(sky)

    def _seen(self, found: tuple[TrialShown, list[int], Track | None]) -> None:
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
        """Has the best lap worked out while the clock runs; it is told once it is there."""
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

        self.app.recording.do(work, done, self._told)

    def _told(self, wrong: CompanionError) -> None:
        self.app.playing.signals.happen("refused")
        self.app.tell(wrong)
        self.again()

    @property
    def filled(self) -> bool:
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
        """A trial that was driven elsewhere, or one that was entered is put right."""
        if self.now is not None:
            self.app.go("timing", record=self.given.get("trials", "last"), kind="trials", number=self.now.driver)

    def _drive(self, place: int) -> None:
        """Somebody else drives next."""
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
        """Something is counted; a misplaced car without a sound while the clock runs."""
        silent = tap == "misplaced" and self.now is not None and self.now.state == "running"
        self._act(lambda desk: desk.tap(tap), silent=silent)

    def _call(self, call: Call) -> None:
        """A call costs nothing; where a die has been thrown for it, that throw can be taken back."""
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
        question = Question(
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

    def _rule(self) -> None:
        counted = [stepper.value for stepper in self.steppers.values()]
        why = self.say("change_why")
        self.changing = False
        self._act(lambda desk: desk.rule(*counted, why=why))

    def _drive_again(self) -> None:
        why = self.say("found.line" if self.now is not None and self.now.unfinished else "lost_why")
        self._act(lambda desk: desk.again(why))

    def _to_event(self) -> None:
        """The times go to the tournament that they were driven for."""
        event, folder = self.given.get("event", ""), self.app.folder

        def enter(desk: TrialDesk) -> None:
            with RecordDesk.resume(folder, Tournament, event) as tournament:
                if (act := fresh_times(tournament.record, folder, desk.desk.log_id)).times:
                    tournament.act(act, by=desk.by)

        self.app.recording.do(enter, self.if_here(lambda _: self.app.back()), self._told)

    def _to_grid(self) -> None:
        """A race with the grid of these trials."""
        self.app.recording.do(
            lambda desk: (desk.record.track, desk.record.entrants(), *desk.record.race), self.if_here(self._with_grid)
        )

    def _with_grid(self, found: Any) -> None:
        from companion.sheets.entrants import Entrant
        from companion.view.setup.draft import Draft

        track, drivers, rulebook, variants = found
        entrants = tuple(Entrant(number=one.number, name=one.name, team=one.team, colour=one.colour) for one in drivers)
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
        """Return True while a driver is timed."""
        return self.now is not None and self.now.state == "running"

    def press(self, name: str) -> None:
        """The driver's own button starts and stops the clock, Next counts a throw."""
        state = self.now.state if self.now is not None else ""
        if name == "confirm" and state == "running":
            self._stop()
        elif name == "confirm" and self.main.ready and self.main.on_tap is not None:
            self.main.on_tap()
        elif name == "next" and state == "running":
            self._tap("throw")
        elif name == "undo" and self.now is not None and self.now.undo.label:
            self._undo()
        elif name == "undo":
            self.app.back()

    def rolled(self, face: int, die: str) -> bool:
        running = self.now is not None and self.now.state == "running"
        if running and die == NOT_GEAR:
            raise BadAnswer("A lap is driven with the dice of the gears; the black die is no throw.")
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

    # -- where everything is

    def arrange(self) -> None:
        now = self.now
        self.bar.show(Title(text=self.say("title"), note=now.subtitle if now is not None else ""))
        self.put(self.bar, 0, 0, self.w, BAR)
        if now is not None:
            self.weather.show(Weather(icon=now.sky_icon, sky=now.sky, on=now.on))
        self.put(self.weather, self.w - SKY, 0, SKY, BAR - 1)
        seen: list[Any] = [self.bar, self.weather]
        if now is None or now.state == "empty":
            if self.wrong is not None or now is not None:
                seen.append(self._arrange_empty())
        else:
            seen += self._arrange_band(now)
            seen += self._arrange_left(now)
            seen += self._arrange_right(now)
        self.only(seen, of=[*self.children])

    def _arrange_empty(self) -> Empty:
        wrong = self.wrong
        if wrong is not None and wrong.kind != "no_record":
            self.empty.show(
                Nothing(icon="triangle", title=self.say("unreadable"), note=theme.words.error(wrong), tone="bad")
            )
        else:
            self.empty.show(
                Nothing(
                    icon="clock", title=self.say("none_title"), note=self.say("none_note"), act=self.say("none_key")
                )
            )
        self.put(self.empty, 60, BAR + 40, self.w - 120, self.h - BAR - 80)
        return self.empty

    @property
    def left(self) -> float:
        """The width of the left panel."""
        return self.w - RIGHT

    def _boarding(self, now: TrialShown) -> bool:
        """Whether the board is seen in the place of the clock."""
        return self.following.on and now.followed is not None and now.state in ("running", "over")

    def _arrange_left(self, now: TrialShown) -> list[Any]:
        if self._boarding(now):
            return self.following.arrange(now, self, self.left, RIGHT, FOLLOW, self.h - BAND)
        if now.state in ("over", "all"):
            if not self.changing:
                return []
            self.put_rows(self.steppers.values(), 20, BAR + 52, self.left - 40, 80)
            return [*self.steppers.values()]
        self.clock.show(ClockShown(began=now.began, clock=now.clock))
        self.put(self.clock, 8, 96, self.left - 16, 133)
        return [self.clock]

    def _arrange_right(self, now: TrialShown) -> list[Any]:
        x = self.left
        if self.picking and now.state in ("ready", "sky"):
            return self._arrange_picking(now)
        if self._boarding(now):
            return [self.following.arrange_key(self, x + 12, self.h - 60, RIGHT - 24)]
        if now.state in ("over", "all"):
            return self._arrange_times(now)
        seen: list[Any] = []
        keys: list[Any] = []
        if now.state in ("running", "lost"):
            for call in now.calls:
                key = self.calls[call.call]
                key.show(call)
                keys.append(key)
            if now.state == "running":
                self.missed.show(
                    MissedShown(label=self.say("missed" if now.stewards else "missed_box"), note=self._missed_note(now))
                )
                self.put(self.missed, x + 12, 222, RIGHT - 24, 62)
                seen.append(self.missed)
        elif now.state == "ready":
            for tyres in now.tyres:
                tyre = self.tyres[tyres.tyres]
                tyre.show(tyres)
                if tyre.chosen != (tyres.tyres == self.given.get("tyres")):
                    tyre.chosen = not tyre.chosen
                    tyre.look_again()
                keys.append(tyre)
            self.other.show(Face(label=self.say("key_other"), icon="person", look="option", size=BODY))
            keys.append(self.other)
        self.put_rows(keys, x + 12, 88, RIGHT - 24, 58, across=2)
        foot = self.h
        if now.state == "running" and now.followed is not None:
            foot -= 64
            seen.append(self.following.arrange_key(self, x + 12, foot + 6, RIGHT - 24))
        self.near.show(now.rows)
        if now.rows:
            self.put(self.near, x, 326, RIGHT, foot - 326)
            seen.append(self.near)
        return [*seen, *keys]

    def _arrange_times(self, now: TrialShown) -> list[Any]:
        """The times; beneath them the way to what was found on the board, or the findings in their place."""
        found = now.followed.found if now.followed is not None else ()
        seen: list[Any] = []
        foot = self.h
        if found:
            foot -= 64
            label = self.say("key_times" if self.following.listing else "key_show", count=len(found))
            self.show_found.show(Face(label=label, look="quiet", icon="triangle", rim="warn"))
            self.put(self.show_found, self.left + 12, foot + 4, RIGHT - 24, 52)
            seen.append(self.show_found)
        if found and self.following.listing:
            return [*seen, *self.following.arrange_findings(now, self, self.left, RIGHT, foot)]
        self.times.show(now.rows)
        self.put(self.times, self.left, 78, RIGHT, foot - 78)
        place = next((at for at, row in enumerate(now.rows) if row.now), -1)
        if place >= 0:
            self.times.reveal(place)
        return [*seen, self.times]

    def _arrange_picking(self, now: TrialShown) -> list[Any]:
        self.pick_rows.show(now.waiting_rows)
        self.put(self.pick_rows, self.left, 78, RIGHT, self.h - 78)
        return [self.pick_rows]

    # -- the band

    def _arrange_band(self, now: TrialShown) -> list[Any]:
        top = self.h - 12 - KEYS
        label = theme.say("undo")
        undone = now.undo.label if not self.changing else ""
        can = bool(undone) or self.changing
        self.undo.show(Face(look="quiet" if can else "barred", icon="undo", label=label, note=undone))
        self.undo.on_tap = self._undo if can else None
        self.put(self.undo, 20, top, 84, KEYS)
        keys = getattr(self, f"_band_{now.state}")(now)
        free = self.left - 8 - 112
        fixed = sum(wide for _, wide in keys if wide)
        loose = [key for key, wide in keys if not wide]
        each = (free - fixed - 8 * (len(keys) - 1)) / max(1, len(loose))
        x = 112.0
        for key, wide in keys:
            self.put(key, x, top, wide or each, KEYS)
            x += (wide or each) + 8
        return [self.undo, *(key for key, _ in keys)]

    def _band_sky(self, now: TrialShown) -> list[tuple[Any, float]]:
        for sky in now.skies:
            price = (Price(text=sky.faces, icon="die"),) if sky.faces else ()
            self.skies[sky.sky].show(Face(label=sky.label, prices=price, size=NAME))
        return [(self.skies[sky.sky], 0) for sky in now.skies]

    def _band_ready(self, now: TrialShown) -> list[tuple[Any, float]]:
        if self.given.get("tyres") or not now.tyres:
            self.main.show(Face(label=self.say("key_start"), icon="play", size=QUESTION))
            self.main.on_tap = self._start
        else:
            self.main.show(
                Face(label=self.say("key_start"), look="barred", size=TITLE, note=self.say("not_said", tyres=""))
            )
            self.main.on_tap = None
        return [*self._band_paper(), (self.main, 0)]

    def _missed_note(self, now: TrialShown) -> str:
        return self.say("missed_note") + ", 1-1-14" if now.stewards else self.say("missed_note_box")

    def _band_paper(self) -> list[tuple[Any, float]]:
        self.paper.show(Face(label=self.say("key_paper"), icon="edit", look="option", size=BODY))
        return [(self.paper, 118)]

    def _band_running(self, now: TrialShown) -> list[tuple[Any, float]]:
        self.main.show(Face(label=str(now.throws), size=SUM, prices=(Price(text=self.say("key_throw"), icon="plus"),)))
        self.main.on_tap = partial(self._tap, "throw")
        price = self.say("key_over_price", factor=now.over_each)
        self.over.show(Face(label=f"+{now.over_each}", note=self.say("key_over"), look="option", size=TITLE,
                            prices=(Price(text=price, tone="warn"),)))  # fmt: skip
        self._show_misplaced(self.say("key_silent"), "plain")
        self.stop.show(self.say("key_stop"))
        beside = [(self.misplaced, 88)] if now.stewards else []
        return [(self.main, 0), (self.over, 88), *beside, (self.stop, 60)]

    def _show_misplaced(self, price: str, tone: Any) -> None:
        self.misplaced.show(Face(label="+10", note=self.say("key_misplaced"), look="option", size=TITLE,
                                 prices=(Price(text=price, tone=tone),)))  # fmt: skip

    def _band_lost(self, now: TrialShown) -> list[tuple[Any, float]]:
        self.main.show(Face(label=self.say("key_again"), size=TITLE, prices=(Price(text=self.say("key_again_note")),)))
        self.main.on_tap = self._drive_again
        return [(self.main, 0)]

    def _band_over(self, now: TrialShown) -> list[tuple[Any, float]]:
        if self.changing:
            sum_ = self._changed(now)
            self.main.show(Face(label=self.say("key_ruled", sum=sum_), size=TITLE))
            self.main.on_tap = self._rule
            return [(self.main, 0)]
        if now.disputed:
            self.main.show(
                Face(label=self.say("key_uphold"), size=VALUE, prices=(Price(text=self.say("key_uphold_note")),))
            )
            self.main.on_tap = self._uphold
            self.change.show(Face(label=self.say("key_change"), note=self.say("key_change_note"), look="option"))
            self.later.show(Face(label=self.say("key_later"), note=self.say("key_later_note"), look="option"))
            return [(self.later, 118), (self.change, 108), (self.main, 0)]
        self._show_enter(now)
        self.dispute.show(Face(label=self.say("key_dispute"), icon="triangle", look="quiet",
                               note=self.say("key_cited", article="1-1-9") if now.stewards else ""))  # fmt: skip
        if now.missed or not now.stewards:
            return [(self.dispute, 104), (self.main, 0)]
        self._show_misplaced(self.say("key_cited", article="1-1-11"), "warn")
        return [(self.dispute, 104), (self.misplaced, 96), (self.main, 0)]

    def _show_enter(self, now: TrialShown) -> None:
        """Enter the trial; or first answer what was found on the board, or drive again a lap that has no time."""
        found = len(now.followed.found) if now.followed is not None else 0
        if found:
            look: Look = "barred" if self.following.listing else "answer"
            self.main.show(
                Face(label=self.say("key_answer", count=found), note=self.say("key_answer_note"), size=TITLE, look=look)
            )
            self.main.on_tap = None if self.following.listing else self.following.show_findings
        elif now.unfinished:
            price = Price(text=self.say("key_again_note"))
            self.main.show(Face(label=self.say("key_again"), size=QUESTION, prices=(price,)))
            self.main.on_tap = self._drive_again
        else:
            label = self.say("key_enter_last") if now.missed else self.say("key_enter", sum=now.so_far)
            follows = self.say("key_next" if now.next else "key_end", place=now.place, car=now.next)
            self.main.show(Face(label=label, size=QUESTION, prices=(Price(text=follows, tone="ok"),)))
            self.main.on_tap = self._enter

    def _changed(self, now: TrialShown) -> int:
        """What the changed counts come to."""
        throws, over, placed = (stepper.value for stepper in self.steppers.values())
        return throws + over * now.over_each + placed * 10 + now.clock // 6000

    def _band_all(self, now: TrialShown) -> list[tuple[Any, float]]:
        ways = {"event": self._to_event, "hall": self.app.home, "grid": self._to_grid}
        to = "event" if "event" in self.given else "hall" if now.live else "grid"
        said = self.say(f"key_{to}_note", count=len(self.grid))
        price = Price(text=said, tone="ok")
        self.main.show(Face(label=self.say(f"key_{to}"), size=QUESTION, prices=(price,)))
        self.main.on_tap = ways[to]
        return [*self._band_paper(), (self.main, 0)]

    # -- what is drawn beneath

    def paint(self, pen: Pen) -> None:
        pen.fill(0, 0, pen.w, pen.h, "bg1")
        now = self.now
        if now is None or now.state == "empty":
            return
        left = self.left
        self._paint_band(pen, now)
        pen.fill(left, BAR, 1, pen.h - BAR, "line")
        self._paint_head(pen, now)
        if self._boarding(now):
            self.following.paint(pen, left, RIGHT, FOLLOW)
            return
        if now.state in ("over", "all"):
            self._paint_result(pen, now)
        elif now.reminders:
            self._paint_reminders(pen, now)
        elif now.terms:
            draw_terms(pen, now.terms, 256, left)
        self._paint_right(pen, now)

    def _paint_head(self, pen: Pen, now: TrialShown) -> None:
        left = self.left
        if now.plate is None:
            return
        plate.draw(pen, now.plate, 40, 72, 32)
        x = 72 + pen.text(now.name, 72, 72, 24, "hi", BOLD, room=200, cut=True) + 12
        right = left - 14
        if now.state in ("running", "lost"):
            tone = "ok" if now.state == "running" else "bad"
            right -= pen.text(self.say("running") if now.state == "running" else "–", right, 72, SMALL, tone, SEMIBOLD,
                              "right") + 14  # fmt: skip
            pen.fill(right - 12, 66, 12, 12, tone, 6)
            right -= 24
        elif now.state == "over":
            said = self.say("disputed") if now.disputed else self.say("clock_was", clock=now.clock_said)
            size, tone = (SMALL, "warn") if now.disputed else (NAME, "hi")
            right -= pen.text(said, right, 72, size, tone, BOLD, "right") + 14
        pen.text(now.about, x, 73, SMALL, "mid", SEMIBOLD, room=max(1.0, right - x), cut=True)

    def _paint_reminders(self, pen: Pen, now: TrialShown) -> None:
        half = (self.left - 40) / 2
        for at, said in enumerate(now.reminders):
            x, y = 20 + at % 2 * half, 246 + at // 2 * 26
            pen.fill(x + 1, y - 3, 6, 6, "low", 3)
            pen.text(said, x + 16, y, SMALL, "mid", SEMIBOLD, room=half - 24, cut=True)

    def _paint_result(self, pen: Pen, now: TrialShown) -> None:
        left = self.left
        if now.state == "all":
            pen.icon("check", left / 2, 150, 56, "ok")
            pen.text(now.note, left / 2, 220, VALUE, "hi", SEMIBOLD, "centre", room=left - 40)
            return
        pen.fill(0, 96, left, 1, "line")
        if now.missed:
            pen.icon("triangle", 46, 140, 36, "bad")
            pen.text(self.say("missed"), 84, 130, TITLE, "bad", BOLD, room=left - 100)
            pen.text(self._missed_note(now), 84, 160, SMALL, "mid", SEMIBOLD, room=left - 100)
        elif not self.changing:
            draw_terms(pen, now.terms, 126, left)
        pen.fill(0, 186, left, 1, "line")
        x = 20.0
        if now.place and not now.missed:
            x += pen.text(now.place, x, 208, 28, "hi", BOLD) + 8
        cited = "1-3-2" if now.stewards else ""
        of, beside, ink = (f"{now.of}, {cited}", now.limit, "hi") if now.limit else (now.of, cited, "low")
        right = pen.text(beside, left - 14, 211, SMALL, ink, SEMIBOLD, "right")
        pen.text(of, x, 211, SMALL, "mid", SEMIBOLD, room=left - 30 - right - x, cut=True)
        if now.shares and len(now.neighbours) < 2:
            pen.text(now.shares, left - 14, 302, SMALL, "mid", SEMIBOLD, "right", room=left - 34)
        for at, one in enumerate(now.neighbours):
            y = 246.0 + at * 48
            pen.icon("down" if one.ahead else "up", 32, y, 20, "mid")
            plate.draw(pen, one.plate, 66, y, 28)
            pen.text(one.title, 92, y - 9, SMALL, "hi", BOLD, room=left - 106)
            pen.text(one.why, 92, y + 11, SMALL, "mid", SEMIBOLD, room=left - 106)

    def _paint_right(self, pen: Pen, now: TrialShown) -> None:
        x, right = self.left, pen.w - 12
        if self.picking and now.state in ("ready", "sky"):
            pen.text(self.say("key_other"), x + 12, 63, BODY, "hi", BOLD)
            pen.fill(x, 78, RIGHT, 1, "line")
        elif now.state == "over" and self.following.listing:
            pen.text(self.say("found_head"), x + 12, 63, BODY, "hi", BOLD, room=RIGHT - 80)
            pen.text("1-2-2", right, 63, SMALL, "low", SEMIBOLD, "right")
            pen.fill(x, 78, RIGHT, 1, "line")
        elif now.state in ("over", "all"):
            pen.text(self.say("ahead_head"), right, 63, SMALL, "low", SEMIBOLD, "right", room=66)
            pen.text(self.say("clock_head"), right - 58 - 12, 63, SMALL, "low", SEMIBOLD, "right", room=60)
            pen.text(self.say("time_head"), right - 132, 63, SMALL, "low", SEMIBOLD, "right", room=52)
            pen.text(self.say("after", count=len(now.rows)), x + 12, 63, CAPTION, "low", SEMIBOLD, room=92, cut=True)
            pen.fill(x, 78, RIGHT, 1, "line")
        else:
            if now.state in ("running", "lost") and now.stewards:
                article = pen.text("1-2-1", right, 68, SMALL, "low", SEMIBOLD, "right")
                pen.text(self.say("calls"), x + 12, 68, BODY, "hi", BOLD, room=RIGHT - 40 - article)
            elif now.state == "ready" and now.tyres:
                article = pen.text("1-1-4", right, 68, SMALL, "low", SEMIBOLD, "right")
                pen.text(self.say("ask_tyres"), x + 12, 68, BODY, "hi", BOLD, room=RIGHT - 40 - article)
            if now.rows:
                pen.fill(x, 296, RIGHT, 1, "line")
                pen.text(self.say("time_head"), right, 311, SMALL, "low", SEMIBOLD, "right")
                pen.text(self.say("clock_head"), right - 52, 311, SMALL, "low", SEMIBOLD, "right")
                pen.text(now.rows_title, x + 12, 311, SMALL, "low", SEMIBOLD, room=RIGHT - 140, cut=True)

    def _paint_band(self, pen: Pen, now: TrialShown) -> None:
        top, left = pen.h - BAND, self.left
        pen.fill(0, top, left, BAND, "bg2")
        pen.fill(0, top, left, 1, "line")
        if now.plate is not None:
            pen.fill(0, top, 8, BAND, paint_of(now.plate.place).colour)
        question = self.say("change_title") if self.changing else now.question
        asked = pen.text(question, 24, top + 31, QUESTION, "hi", BOLD, room=left - 40)
        room = left - 14 - 24 - asked - 16
        tone = "warn" if now.state == "ready" and now.sky_icon == "rain" else "bad" if now.state == "lost" else "mid"
        said = now.followed.said if now.followed is not None and not now.disputed else ""
        if now.state == "over" and (now.counts or said):
            both = bool(now.counts and said)
            pen.text(now.counts, left - 14, top + (21 if both else 31), SMALL, "mid", SEMIBOLD, "right", room=room)
            if now.followed is not None and said:
                y = top + (42 if both else 31)
                pen.text(said, left - 14, y, SMALL, now.followed.tone, SEMIBOLD, "right", room=room)
        elif now.note and now.state != "all":
            if pen.width(now.note, SMALL) <= room:
                pen.text(now.note, left - 14, top + 31, SMALL, tone, SEMIBOLD, "right")
            else:
                pen.paragraph(now.note, left - 14, top + 22, SMALL, room, tone, SEMIBOLD, 2, "right", floor=CAPTION)
