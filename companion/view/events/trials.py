"""Trials in progress: the running total, close rivals, and the question."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final, Literal, NamedTuple

from msgspec.structs import replace

from companion import circuits
from companion.articles import load
from companion.desk.trial_desk import TrialDesk
from companion.rules.circuit.track import WeatherChart
from companion.rules.conversation.asking import Json
from companion.rules.conversation.errors import CompanionError, NothingToDo
from companion.rules.conversation.kinds import Surface
from companion.sheets.wall_clock import hour
from companion.tournament.times import MISPLACED, AbsoluteTime, clock_text, told_apart
from companion.tournament.tournament import Tournament
from companion.tournament.trial import Call, Trial, Tyres, factor
from companion.tournament.trials import TrialDriver, Trials, TrialsOpened
from companion.view.events.followed import FollowedShown, followed
from companion.view.events.standings import plates
from companion.view.pages.analysis import signed_turns
from companion.view.shown import Plate, Term, Undo, ViewModel
from companion.view.sight import codes
from companion.wording import Words, capital
from companion.wording.filling import face

State = Literal["empty", "sky", "ready", "running", "lost", "over", "all"]
"""State of the trials by what they wait for: drivers, the sky of a session, the start of a clock, its end, a decision
about a lost one, the entry of a trial, nothing."""

ROWS_BESIDE_CLOCK: Final = 5
"""Number of rows of the list shown beside a running clock."""


def opening(record: Tournament, log_id: str, numbers: Iterable[int]) -> TrialsOpened:
    """Return the opening act of trials for some drivers of a tournament.

    Sessions and club colours are the tournament's.
    """
    coloured, begun = plates(record), record.begun
    drivers = tuple(
        TrialDriver(number=n, name=record.field[n].name, team=record.field[n].team, colour=coloured[n].place)
        for n in sorted(numbers)
    )
    return TrialsOpened(
        name=record.name, track=begun.track, drivers=drivers, sessions=max(1, begun.sessions), counts=begun.counts,
        event=log_id, rulebook=begun.rulebook, variants=on(begun.options),
    )  # fmt: skip


def on(options: Mapping[str, Json]) -> tuple[str, ...]:
    """Return the switches that are on in a race's options."""
    return tuple(name for name, value in options.items() if value is True)


class CallShown(ViewModel, frozen=True, kw_only=True):
    """A call of the stewards: its name, article and count."""

    call: Call
    label: str
    article: str
    count: str
    made: bool


class TyresShown(ViewModel, frozen=True, kw_only=True):
    """A compound, and its cost per overshot space."""

    tyres: Tyres
    label: str
    price: str


class SkyShown(ViewModel, frozen=True, kw_only=True):
    """A sky and the die faces that bring it ("" if the circuit has no chart)."""

    sky: Literal["sun", "changeable", "rain"]
    label: str
    faces: str


class TrialRow(ViewModel, frozen=True, kw_only=True):
    """A line of the classification.

    `sum` is the absolute time or a dash, `ahead` the lead over the next driver.
    """

    place: str
    plate: Plate
    name: str
    code: str
    sum: str
    clock: str
    ahead: str = ""
    decides: bool = False
    """True if `ahead` is by who did it first, the last criterion of all."""
    now: bool = False
    disputed: bool = False


class Neighbour(ViewModel, frozen=True, kw_only=True):
    """A driver with the same time: ahead or behind, and why."""

    plate: Plate
    ahead: bool
    title: str
    why: str


class TrialShown(ViewModel, frozen=True, kw_only=True):
    """The trials screens at one moment.

    `began` is when the running clock was started, in nanoseconds; None if it stands at `clock` hundredths. `live` says
    that the times go to a tournament.
    """

    state: State
    subtitle: str
    question: str
    note: str = ""
    button: str = ""
    """What the driver's button does in place of a key."""
    sky: str = ""
    sky_icon: str = ""
    on: str = ""
    weather: tuple[str, ...] = ()
    """The sky of each session that was drawn."""
    disputes: str = ""
    """Whose trials were entered and are still disputed."""
    driver: int = 0
    plate: Plate | None = None
    name: str = ""
    about: str = ""
    began: int | None = None
    clock: int = 0
    clock_said: str = ""
    terms: tuple[Term, ...] = ()
    throws: int = 0
    overshot: int = 0
    misplaced: int = 0
    over_each: int = 1
    so_far: int = 0
    place: str = ""
    of: str = ""
    calls: tuple[CallShown, ...] = ()
    tyres: tuple[TyresShown, ...] = ()
    skies: tuple[SkyShown, ...] = ()
    reminders: tuple[str, ...] = ()
    waiting: tuple[int, ...] = ()
    waiting_rows: tuple[TrialRow, ...] = ()
    """Drivers who may go next, in order, and the one on the clock."""
    rows_title: str = ""
    rows: tuple[TrialRow, ...] = ()
    neighbours: tuple[Neighbour, ...] = ()
    counts: str = ""
    limit: str = ""
    """Minimum throws that the dice allow, and how far the lap is from it; for a lap that was followed, `shares` gives
    the reasons."""
    shares: str = ""
    studies: tuple[Tyres, Surface] | None = None
    """Tyres and surface of a best lap whose number of throws is not known yet."""
    next: str = ""
    disputed: bool = False
    missed: bool = False
    unfinished: bool = False
    """True if the lap has no time, because the car was not over the line."""
    live: bool = False
    stewards: bool = True
    """True if stewards call and judge; under the box rules of Formula D a driver is alone with the clock."""
    followed: FollowedShown | None = None
    undo: Undo = Undo()


def trials(
    desk: TrialDesk, words: Words, circuit: str, chart: WeatherChart | None, wanted: int = 0, tyres: str = ""
) -> TrialShown:
    """Return the state of the trials.

    `wanted` is the driver to go next, if not the first in line; `tyres` the compound selected.
    """
    return _Look(desk, words, circuit, chart, wanted, tyres).build()


class Compared(NamedTuple):
    """The mean throws of the best possible lap, and how far a lap is behind it.

    `behind` has the extra throws as `more`; for a lap followed by the rules also the parts due to `dice`, `driving` and
    the `rest`.
    """

    throws: float
    behind: dict[str, float]


def compare(desk: TrialDesk, trial: Trial, time: AbsoluteTime) -> Compared | bool:
    """Compare a lap with the best possible one.

    True if that is still to be computed; False if it has none: the circuit's spaces are unknown, or no tyres are
    chosen.
    """
    from companion.drivers.lap import lap_at_hand

    try:
        track = desk.followed_on
    except CompanionError:
        return False
    if not trial.tyres or trial.RULEBOOK != "competition":
        return False
    lap = lap_at_hand(track, trial.tyres, trial.surface)
    if lap is None:
        return True
    behind = {"more": time.total - lap.throws}
    if trial.over and trial.followed and (shares := lap.shares(trial.followed)) is not None:
        behind |= {"dice": shares.dice, "driving": shares.driving}
        behind["rest"] = behind["more"] - shares.dice - shares.driving
    return Compared(lap.throws, behind)


def study(desk: TrialDesk, tyres: Tyres, surface: Surface) -> list[str]:
    """Return the command that computes the best lap."""
    track = circuits.find(desk.record.track)
    wet = ["--wet"] if surface == "wet" else []
    return ["drivers", "lap", "--track", str(track), "--tyres", tyres, *wet, "--told"]


class _Look:
    """Builder of the trials view."""

    def __init__(
        self, desk: TrialDesk, words: Words, circuit: str, chart: WeatherChart | None, wanted: int, tyres: str
    ) -> None:
        self.desk, self.words, self.circuit, self.chart, self.tyres = desk, words, circuit, chart, tyres
        self.record: Trials = desk.record
        self.names = {number: driver.name for number, driver in self.record.drivers.items()}
        self.trial = self.record.trial
        waiting = self.record.waiting()
        self.free = tuple(n for n in self.names if self.record.session_of(n) <= self.record.sessions)
        first = wanted if wanted in self.free else (waiting or [0])[0]
        self.driver = self.trial.driver if self.trial is not None else first
        self.next = next((number for number in waiting if number != self.driver), 0)

    def say(self, key: str, **facts: Json) -> str:
        return self.words.screen(f"trial.{key}", self.names, **facts)

    @property
    def state(self) -> State:
        record, trial = self.record, self.trial
        if not record.drivers:
            return "empty"
        if trial is not None:
            return "over" if trial.over else "lost" if self.desk.lost else "running"
        if record.over:
            return "all"
        return "ready" if record.session_of(self.driver) in record.skies else "sky"

    def build(self) -> TrialShown:
        state, record = self.state, self.record
        session = record.session_of(self.driver) if self.driver else record.sessions
        if self.trial is not None:
            session = self.trial.session
        shown = TrialShown(
            state=state,
            subtitle=self.say(
                "subtitle", circuit=self.circuit, session=min(session, record.sessions), several=record.sessions > 1
            ),
            question=self.say(f"ask_{state}", session=session, sum=0),
            undo=self._undo(),
            stewards=bool(record.kind.CALLED),
            rows_title=self.say("rows", count=record.sessions, counts=record.counts),
            weather=self.weather(),
            disputes=self.disputes(),
        )
        if state == "empty":
            return shown
        if state == "all":
            rows = self.rows({})
            live = bool(self.record.event)
            return replace(shown, note=self.say("all", count=len(rows)), rows=rows, live=live)
        shown = self._waiting(self._who(shown, session))
        if state == "sky":
            told = self.reminders(self.record.kind.REMINDED["session"])
            return replace(shown, skies=self.skies(), note=self.say("same_sky"), reminders=told, rows=self.rows({}))
        if state == "ready":
            return self._ready(shown, session)
        assert self.trial is not None
        return self._lap(shown, self.trial)

    def _who(self, shown: TrialShown, session: int) -> TrialShown:
        record, driver = self.record, self.record.drivers[self.driver]
        run = 1 + sum(session in runs for runs in record.runs.values())
        about = self.say("run", run=run, of=len(record.drivers))
        sky = record.skies.get(session, "") if record.draws_sky else ""
        return replace(
            shown,
            driver=driver.number,
            plate=self._plate(driver.number),
            name=driver.name or str(driver.number),
            about=f"{driver.team}, {about}" if driver.team else capital(about),
            sky=capital(self.words.word("sky", sky)) if sky else "",
            sky_icon=sky,
        )

    # -- before the start

    def _waiting(self, shown: TrialShown) -> TrialShown:
        rows = tuple(
            TrialRow(
                place="", plate=self._plate(number), name=self.names[number] or str(number), code="", clock="",
                sum="" if self.record.sessions == 1 else str(self.record.session_of(number)), now=number == self.driver,
            )
            for number in self.free
        )  # fmt: skip
        return replace(shown, waiting=self.free, waiting_rows=rows)

    def _plate(self, number: int) -> Plate:
        return Plate(number=number, place=self.record.drivers[number].colour)

    def weather(self) -> tuple[str, ...]:
        """Return the sky of each session that was drawn [1-0-3, option.weather]."""
        drawn = self.record.skies if self.record.draws_sky else {}
        return tuple(
            self.words.say("org_sky", session=session, sky=drawn[session], face=0) for session in sorted(drawn)
        )

    def disputes(self) -> str:
        """Return whose trials were entered disputed and wait for their decision, "" for nobody's [1-1-9]."""
        drivers = sorted({driver for driver, _ in self.record.disputes})
        listed = ", ".join(self.words.number(driver, self.names) for driver in drivers)
        return self.say("still_disputed", listed=listed) if listed else ""

    def skies(self) -> tuple[SkyShown, ...]:
        found = []
        for sky in ("sun", "changeable", "rain"):
            low, high = getattr(self.chart, sky) if self.chart is not None else (0, 0)
            faces = face([low, high]) if high else ""
            found.append(SkyShown(sky=sky, label=capital(self.words.word("sky", sky)), faces=faces))
        return tuple(found)

    def _ready(self, shown: TrialShown, session: int) -> TrialShown:
        trial = self.record.kind(driver=self.driver, session=session, sky=self.record.skies[session])
        chosen = next((one for one in self.record.compounds if one == self.tyres), None)
        offered = tuple(
            TyresShown(
                tyres=one, label=capital(self.words.word("tyres", one)),
                price=self.say("each", factor=factor(one, trial.surface)),
            )
            for one in self.record.compounds
        )  # fmt: skip
        ready = bool(chosen) or not self.record.compounds
        slides = "1-1-5" in trial.reminders and bool(self.record.compounds)
        return replace(
            shown,
            question=self.say("ask_ready" if ready else "ask_tyres"),
            note=self.say("slide") if slides else "",
            button=self.say("or_button") if ready and not slides else "",
            on=self._on(chosen or "", trial),
            tyres=offered,
            terms=self.terms(trial, AbsoluteTime(0, 0)),
            reminders=self.reminders(self.record.kind.REMINDED["trial"]),
            rows=self.rows({}),
        )

    def reminders(self, articles: tuple[str, ...]) -> tuple[str, ...]:
        """Return the title of each reminder, with its article."""
        book = load(self.record.kind.RULEBOOK)
        titled = ((book.get(article).title(self.words.lang), article) for article in articles)
        return tuple(title if article[:1].isalpha() else f"{title} {article}" for title, article in titled)

    def _on(self, tyres: str, trial: Trial) -> str:
        """Return the tyres and the surface."""
        surface = self.words.word("surface", trial.surface)
        return self.say("on", tyres=tyres, surface=surface) if tyres else capital(surface)

    # -- on the clock, and after it

    def _lap(self, shown: TrialShown, trial: Trial) -> TrialShown:
        clock, over = self.desk.elapsed(), trial.over
        time = trial.time(clock, self.record.done)
        if over or not trial.throw_count:
            shown = self._limit(shown, trial, time)
        timed = (trial.throw_count or over) and not trial.unfinished
        rows = self.rows({trial.driver: time} if timed else {})
        at = next((at for at, row in enumerate(rows) if row.now), -1)
        board = followed(self.desk, self.words)
        return replace(
            shown,
            question=self._question(trial, time, found=board is not None and bool(board.found)),
            note=self._note(trial),
            on=self._on(trial.tyres, trial),
            began=self.desk.began,
            clock=clock,
            clock_said=clock_text(clock),
            terms=self.terms(trial, time, at + 1),
            throws=trial.throw_count,
            overshot=trial.overshot,
            misplaced=trial.misplaced,
            over_each=trial.factor,
            so_far=time.total,
            place=self.say("ordinal", place=at + 1) if at >= 0 else "",
            of=self.say("of", count=len(self.record.drivers), sessions=self.record.sessions, counts=self.record.counts),
            calls=self.calls(trial),
            disputed=trial.disputed,
            missed=trial.missed,
            followed=board,
            next=self.words.number(self.next, self.names) if self.next else "",
            unfinished=trial.unfinished,
            neighbours=self.neighbours(trial, rows) if over and timed and not trial.missed else (),
            counts=self.compared(trial, time) if over and timed else "",
            rows=rows if over else _near(rows, at),
        )

    def _question(self, trial: Trial, time: AbsoluteTime, *, found: bool) -> str:
        if not trial.over:
            return self.say(f"ask_{self.state}")
        if trial.disputed:
            return self.say("ask_dispute")
        if found:
            return self.say("ask_found")
        if trial.unfinished:
            return self.say("ask_again")
        return self.say("ask_last") if trial.missed else self.say("ask_over", sum=time.total)

    def _note(self, trial: Trial) -> str:
        if self.desk.lost:
            return self.say("lost")
        if not trial.over:
            return self.say("or_roller")
        return self.say("spectators") if trial.disputed else ""

    def terms(self, trial: Trial, time: AbsoluteTime, place: int = 0) -> tuple[Term, ...]:
        """Return the sum as terms: throws, overshot, misplaced, minutes and total."""
        over, placed, minutes = time.overshot * time.factor, time.misplaced * MISPLACED, time.minutes
        each = self.say("over", spaces=time.overshot, factor=time.factor) if over else self.say("no_over")
        put = Term(value=str(placed), word=self.say("misplaced"), tone="warn" if placed else "plain")
        return (
            Term(value=str(time.throws), word=self.say("throws", count=time.throws)),
            Term(value=str(over), word=each, tone="warn" if over else "plain"),
            *((put,) if trial.MISPLACED else ()),
            Term(value=str(minutes), word=self.say("minutes", count=minutes), tone="warn" if minutes else "plain"),
            Term(
                value=str(time.total),
                word=self.say("absolute") if trial.over else self.say("so_far", place=place),
            ),
        )

    def calls(self, trial: Trial) -> tuple[CallShown, ...]:
        return tuple(
            CallShown(
                call=call, label=self.say(f"call.{call}"), article=article, made=bool(trial.called(call)),
                count=self.say("called", count=trial.called(call)) if trial.called(call) else "–",
            )
            for call, article in trial.CALLED.items()
        )  # fmt: skip

    def _limit(self, shown: TrialShown, trial: Trial, time: AbsoluteTime) -> TrialShown:
        """Add the best possible lap, and the gap to it for a finished lap."""
        compared = compare(self.desk, trial, time)
        if isinstance(compared, Compared):
            signed = {name: signed_turns(self.words, value) for name, value in compared.behind.items()}
            throws = self.words.decimal(compared.throws)
            told = self.say("limit", throws=throws, **signed) if trial.over and not trial.missed else ""
            return replace(shown, limit=told, shares=self.say("limit_shares", **signed) if "dice" in signed else "")
        return replace(shown, studies=(trial.tyres, trial.surface) if compared and trial.tyres else None)

    # -- the list

    def rows(self, now: dict[int, AbsoluteTime]) -> tuple[TrialRow, ...]:
        """Return the classification, counting the running trial."""
        record, short = self.record, codes(self.names)
        times = record.times(now)
        order = record.ranking(now)
        found = []
        for at, number in enumerate(order):
            time, driver = times[number], record.drivers[number]
            after = times[order[at + 1]] if at + 1 < len(order) else None
            by = told_apart(time, after) if after is not None else ""
            ahead = str(after.total - time.total) if after is not None and by == "throws" else ""
            found.append(
                TrialRow(
                    place=str(at + 1),
                    plate=self._plate(number),
                    name=driver.name or str(number),
                    code=short.get(number, "") or str(number),
                    sum=self.sum(time),
                    clock="" if time.last else clock_text(time.clock),
                    ahead=ahead or (self.say(f"told.{by}") if by in ("sessions", "clock", "first") else ""),
                    decides=by == "first",
                    now=number == self.driver and (self.trial is not None),
                    disputed=any(one == number for one, _ in record.disputes),
                )
            )
        return tuple(found)

    def neighbours(self, trial: Trial, rows: tuple[TrialRow, ...]) -> tuple[Neighbour, ...]:
        """Return the nearest drivers with the same absolute time, and the tie-break."""
        mine = self.record.times({trial.driver: trial.time(at=self.record.done)})
        order = [row.plate.number for row in rows]
        here = order.index(trial.driver)
        found = []
        for at, ahead in ((here - 1, True), (here + 1, False)):
            if not 0 <= at < len(order) or mine[order[at]].total != mine[trial.driver].total or mine[order[at]].last:
                continue
            other = order[at]
            better, worse = (other, trial.driver) if ahead else (trial.driver, other)
            by = told_apart(mine[better], mine[worse])
            if by == "sessions":
                continue
            one, two = mine[better], mine[worse]
            if by == "clock":
                why = self.say("by_clock", one=clock_text(one.clock), two=clock_text(two.clock))
            else:
                why = self.say(
                    "by_first", first=self.names[better], at=hour(one.at), second=self.names[worse], later=hour(two.at)
                )
            same = {"sum": mine[other].total, "clock": clock_text(mine[other].clock), "level": by != "clock"}
            title = self.say("behind" if ahead else "ahead", car=other, **same)
            found.append(Neighbour(plate=rows[at].plate, ahead=ahead, title=title, why=why))
        return tuple(found)

    def compared(self, trial: Trial, time: AbsoluteTime) -> str:
        """Return the previous session's time, and the one that counts."""
        others = {at: run for at, run in self.record.runs[trial.driver].items() if at != trial.session}
        if not others:
            return ""
        at, run = next(reversed(others.items()))
        counted = self.record.ranking_time(trial.driver, time)
        if counted is None:
            return ""
        return self.say("compared", session=at, was=self.sum(run), now=self.sum(counted))

    def sum(self, time: AbsoluteTime) -> str:
        return self.say("last") if time.last else str(time.total)

    # -- what undo takes back

    def _undo(self) -> Undo:
        try:
            last = self.record.undoable()
        except NothingToDo:
            return Undo()
        act = last.act
        tag = str(act.__struct_config__.tag)
        tap = getattr(act, "tap", "")
        throws = self.trial.throws if self.trial is not None else 0
        clock = clock_text(getattr(act, "clock", 0) or 0).split(".")[0]
        said = self.say(f"undo.{tap or tag}", throws=throws, clock=clock, sky=getattr(act, "sky", ""))
        return Undo(label=said, seq=last.seq)


def _near(rows: tuple[TrialRow, ...], place: int) -> tuple[TrialRow, ...]:
    """Return the rows around a place."""
    first = max(0, min(place - ROWS_BESIDE_CLOCK // 2, len(rows) - ROWS_BESIDE_CLOCK)) if place >= 0 else 0
    return rows[first : first + ROWS_BESIDE_CLOCK]
