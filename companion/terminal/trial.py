"""The timed practice at the terminal, for `companion trial`.

Enter counts a throw; everything else is a letter or a word.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from itertools import takewhile
from typing import TYPE_CHECKING, Any, Final

import click

from companion.rules.conversation.errors import BadEntry, CompanionError
from companion.terminal.answers import car_at_head, is_number, which_car
from companion.terminal.lines import Lines
from companion.terminal.prompts import command_in
from companion.wording import capital

if TYPE_CHECKING:
    from companion.desk.trial_desk import TrialDesk
    from companion.drivers.background_job import BackgroundJob
    from companion.rules.circuit.track import Sky
    from companion.rules.conversation.kinds import Surface
    from companion.tournament.record import Signed
    from companion.tournament.trial import Tap, Tyres
    from companion.tournament.trials import SkyDrawn, Trials
    from companion.view.events.trials import TrialShown
    from companion.wording import Words

TAPS: Final[dict[str, Tap]] = {
    "": "throw", "o": "over", "m": "misplaced", "r": "replayed", "s": "stick", "c": "car", "h": "hand", "g": "gear",
}  # fmt: skip
"""Letters that count while the clock runs; an empty line is a throw."""
SKIES: Final[tuple[Sky, ...]] = ("sun", "changeable", "rain")
HINTED: Final = frozenset({"needs_reason", "findings_open", "ruled_last", "trial_box"})
"""Refusals after which it is said what may be typed."""


class Timing:
    """The dialogue of timed trials at the terminal."""

    def __init__(
        self, desk: TrialDesk, words: Words, drawn: Callable[[Trials], Sequence[SkyDrawn]] = lambda _: ()
    ) -> None:
        """Open the dialogue; `drawn` returns the skies that race control has drawn and these trials lack."""
        self.desk, self.words, self.drawn, self.screen = desk, words, drawn, Lines(words)
        self.wanted, self.chart, self.circuit = 0, None, desk.record.track
        self.studied: dict[tuple[Tyres, Surface], BackgroundJob] = {}
        """Background computations of the best laps, by tyres and surface."""
        try:
            board: Any = desk.board
            self.circuit, self.chart = board.name, getattr(board, "weather", None)
        except CompanionError as wrong:  # the circuit is gone: its name still stands in the record
            click.echo(words.error(wrong), err=True)

    def run(self) -> None:
        """Ask until the end of the input, or until quit."""
        anew = True
        while True:
            self._take_skies()
            shown = self.snapshot()
            if anew:
                self._show(shown)
            try:
                click.echo(self.screen.begin_prompt(f"{self._state(shown)} > "), nl=False)
                line = sys.stdin.readline()
                if line and not sys.stdin.isatty():
                    click.echo(line.rstrip("\n"))  # nobody has typed it: without this it would not be seen
            except KeyboardInterrupt:
                line = ""
            said = line.strip().casefold()
            command = command_in(said, self.words, free=True) if len(said) > 1 else None
            if command is not None and command.name in ("undo", "help"):
                said = command.name
            if not line or said == "q" or (command is not None and command.name == "quit"):
                for work in self.studied.values():
                    work.end()
                self.screen.line()
                self._farewell()
                return
            try:
                anew = self._obey(said, shown, line.strip())
            except CompanionError as wrong:
                self._say(self.words.error(wrong))
                if wrong.code in HINTED:
                    timed = said.partition(" ")[0] == "time"
                    self._say(_how_typed(self.desk, self.words) if timed else self.hint_now(shown))
                anew = False

    def snapshot(self) -> TrialShown:
        """Return the current state of the trials; starts the study of a best lap if one is wanted."""
        from companion.view.events.trials import trials

        shown = trials(self.desk, self.words, self.circuit, self.chart, self.wanted)
        if shown.studies is not None and shown.studies not in self.studied and sys.stdin.isatty():
            self.studied[shown.studies] = studied(self.desk, *shown.studies)
        return shown

    def hint(self, state: str) -> str:
        """Return the help for a state of the trials."""
        record = self.desk.record
        plain = not record.compounds if state == "ready" else not record.kind.MISPLACED
        if state == "ready" and not plain:
            *kinds, last = [self.words.word("tyres", one) for one in record.compounds]
            return self.words.say("trial_ready", kinds=", ".join(kinds), last=last)
        boxed = plain and state in ("ready", "running", "over", "disputed")
        return self.words.word("trial_hint", f"{state}_box" if boxed else state)

    def hint_now(self, shown: TrialShown) -> str:
        """Return the help for what may be typed now."""
        if shown.state != "over":
            return self.hint(shown.state)
        if shown.disputed:
            return self.hint("disputed_last" if shown.missed else "disputed")
        if shown.unfinished:
            return self.hint("line")
        if shown.followed is not None and shown.followed.found:
            return self.hint("found")
        return self.hint("over_box" if shown.missed else "over")

    def _take_skies(self) -> bool:
        """Take over the sky of the session if race control has drawn it; return False if there is none to take."""
        record = self.desk.record
        if not record.event or record.session in record.skies:
            return False
        try:
            skies = self.drawn(record)
        except CompanionError as wrong:
            self._say(self.words.error(wrong))
            return False
        for act in skies:
            self.desk.act(act)
            self._say_sky(act)
        return bool(skies)

    # -- what is told

    def _say_sky(self, act: SkyDrawn) -> None:
        """Print the sky of a session."""
        self._say(self.words.say("org_sky", session=act.session, sky=act.sky, face=act.face))

    def _farewell(self) -> None:
        """Print how to resume the trials."""
        trials = self.desk.desk.log_id[:8]
        self.screen.wrapped(self.words.say("kept_trials"), "dim")
        self.screen.line((self.words.say("go_on_trials", trials=trials), "dim"))  # unwrapped, to be copied

    def _say(self, text: str) -> None:
        """Print a paragraph below the line that it belongs to."""
        self.screen.wrapped(text, first="  ")

    def _state(self, shown: TrialShown) -> str:
        if shown.state != "running":
            return shown.question
        clock = f"{shown.clock // 6000}:{shown.clock // 100 % 60:02}"
        return f"{clock}  {' + '.join(term.value for term in shown.terms[:-1])} = {shown.so_far}"

    def _show(self, shown: TrialShown) -> None:
        driver = f"{shown.driver} {shown.name}" if shown.driver else ""
        weather = (shown.sky, shown.on) if shown.sky else ()
        self.screen.wrapped(" · ".join(filter(None, (shown.subtitle, driver, *weather))))
        if shown.state in ("sky", "ready"):
            if shown.reminders:
                self._say(self.words.say("trial_reminders", listed=", ".join(shown.reminders)))
            if shown.note:
                self._say(capital(shown.note))
        if shown.state in ("all", "over"):
            self._list(shown)
        for said in filter(None, (shown.limit, shown.shares)):
            self._say(said)
        if shown.followed is not None and shown.followed.said:
            self._say(shown.followed.said)
            for at, found in enumerate(shown.followed.found, 1):
                said = f"{found.title}{self.words.say('colon')}{found.note}  {found.price}"
                self.screen.wrapped(said, first=f"  {at:>3} ")
        self._say(self.hint_now(shown))

    def _list(self, shown: TrialShown) -> None:
        room = self.screen.width - 36
        wide = min(max(room, 12), 20)
        sum_, clock, ahead = (self.words.screen(f"trial.{head}_head") for head in ("time", "clock", "ahead"))
        head = f"{'':{wide + 9}}{sum_:>5} {clock:>9}"
        self.screen.line((f"{head}  {ahead}" if room >= wide else head, "bold"))
        for row in shown.rows:
            mark = ">" if row.now else " "
            line = f"{mark}{row.place:>3} {row.plate.number:>3} {row.name:<{wide}.{wide}} {row.sum:>5} {row.clock:>9}"
            self.screen.line(f"{line}  {row.ahead}" if room >= wide else line)
        for said in shown.weather:
            self._say(said)
        if shown.disputes:
            self._say(self.words.say("trial_disputed", said=shown.disputes))

    # -- what is said

    def _undo(self) -> None:
        """Take back the last act, and name it if it was a typed time: that may be another driver's."""
        from companion.tournament.trials import TrialTyped

        taken = self.desk.undo().act
        if isinstance(taken, TrialTyped):
            self._say(self.words.say("trial_taken", _names(self.desk), driver=taken.driver, session=taken.session))

    def _obey(self, said: str, shown: TrialShown, line: str) -> bool:
        """Run a typed command; return True to print the trials again.

        `line` is the input in its original case.
        """
        if said in ("u", "undo"):
            self._undo()
            return True
        if said in ("l", "list"):
            self._list(shown)
            return False
        if said in ("?", "help"):
            self._say(self.hint_now(shown))
            self._say(_how_typed(self.desk, self.words))
            return False
        first = said.partition(" ")[0]
        if shown.state == "over" and first in ("rule", self.words.word("trial_hint", "rule")):
            self._rule(line.split()[1:], shown)
            return True
        if shown.state == "over" and first == "a" and (shown.unfinished or (shown.disputed and shown.missed)):
            why = line.partition(" ")[2].strip()
            self.desk.again(why or (self.words.screen("trial.found.line") if shown.unfinished else ""))
            return True
        if first == "time":
            done = type_time(self.desk, line.split()[1:], self.words)
            self._say(told_time(self.desk, done, self.words))
            return True
        do = getattr(self, f"_{shown.state}", None)
        if do is None:
            raise BadEntry(self.hint("done"))
        return bool(do(said))

    def _sky(self, said: str) -> bool:
        from companion.tournament.trials import SkyDrawn
        from companion.tournament.weather import sky_of

        if self._take_skies():  # drawn while the line was typed: it is the same for every table
            return True
        face = int(said) if said.isdecimal() and 1 <= int(said) <= 20 else 0
        named = {self.words.word("sky", sky): sky for sky in SKIES} | {sky: sky for sky in SKIES}
        if face and self.chart is not None:
            sky = sky_of(self.desk.board, face)
        elif said in named:
            sky, face = named[said], 0
        else:
            raise BadEntry(self.hint("sky"))
        drawn = self.desk.sky(sky, face).act
        assert isinstance(drawn, SkyDrawn)
        self._say_sky(drawn)
        return True

    def _ready(self, said: str) -> bool:
        compounds = self.desk.record.compounds
        named: dict[str, Tyres] = {self.words.word("tyres", one): one for one in compounds}
        named |= {one: one for one in compounds}
        driver = car_at_head(said, _names(self.desk)) if said not in named else None
        if driver is not None and driver[0] in self.desk.record.drivers and not driver[1]:
            self.wanted = driver[0]
            return True
        if not said and not compounds:
            self.desk.start(self.snapshot().driver, "")
            self.wanted = 0
            return True
        if said not in named:
            raise BadEntry(self.hint("ready"))
        self.desk.start(self.snapshot().driver, named[said])
        self.wanted = 0
        return True

    def _running(self, said: str) -> bool:
        if said in (".", "stop"):
            self.desk.stop()
            return True
        if said == "x":
            self.desk.missed()
            return True
        if self._followed(said):
            return False
        if said not in TAPS:
            raise BadEntry(self.hint("running"))
        self.desk.tap(TAPS[said])
        return False

    def _followed(self, said: str) -> bool:
        """Record a throw on the board, typed as gear, face and space; return False if it is not one."""
        gear, _, rest = said.partition(" ")
        face, _, space = rest.partition(" ")
        if not (gear.isdecimal() and face.isdecimal() and space):
            return False
        self.desk.follow(int(gear), int(face), space.strip(), new=True)
        return True

    def _lost(self, said: str) -> bool:
        from companion.tournament.times import clock_of

        if said == "a":
            self.desk.again(self.words.screen("trial.lost_why"))
        elif not said:
            raise BadEntry(self.hint("lost"))
        else:
            self.desk.stop(clock=clock_of(said))
        return True

    def _over(self, said: str) -> bool:
        trial = self.desk.record.trial
        if said == "e" or (not said and trial is not None and not trial.disputed):
            self.desk.enter()
        elif said == "m":
            self.desk.tap("misplaced")
        elif said == "d":
            self.desk.dispute()
        elif said[:1] in ("+", "-") and said[1:].isdecimal():
            self.desk.judge(int(said[1:]), said[0] == "+")
        elif self._followed(said):
            pass
        else:
            raise BadEntry(self.hint_now(self.snapshot()))
        return True

    def _rule(self, said: list[str], shown: TrialShown) -> None:
        """Decide a disputed time: throws, spaces over, misplacements where they count, and why.

        `last` lets a trial stand that is last.
        """
        if shown.missed and said[:1] and said[0].casefold() in ("last", self.words.word("trial_hint", "last")):
            self.desk.rule(shown.throws, shown.overshot, shown.misplaced, " ".join(said[1:]))
            return
        counts = _leading_counts(said, 3)
        if len(counts) < (3 if self.desk.record.kind.MISPLACED else 2):
            raise BadEntry(self.hint_now(shown))
        throws, over, placed = (*counts, 0)[:3]
        self.desk.rule(throws, over, placed, " ".join(said[len(counts) :]))


def _leading_counts(said: Sequence[str], most: int) -> list[int]:
    """Return the numbers that words begin with, at most so many."""
    return [int(count) for count in takewhile(is_number, said[:most])]


def studied(desk: TrialDesk, tyres: Tyres, surface: Surface) -> BackgroundJob:
    """Start computing the best lap on the trials' circuit in the background."""
    from companion.drivers.background_job import BackgroundJob
    from companion.view.events.trials import study

    return BackgroundJob(study(desk, tyres, surface), lambda: None)


# -- one trial, typed


def type_time(desk: TrialDesk, said: Sequence[str], words: Words) -> Signed:
    """Record a trial driven elsewhere, or correct one that was entered.

    Typed as driver, session, throws and clock, then optionally the spaces overshot, the cost of each and the misplaced
    cars, then the reason; or driver, session, `last` and reason. The driver has a number or a name. Raises BadEntry
    with the right form, BadAnswer for a driver of another name.
    """
    from companion.tournament.times import AbsoluteTime, clock_of

    wrong = BadEntry(_how_typed(desk, words))
    driver = car_at_head(" ".join(said), _names(desk))
    if driver is None and said:
        raise which_car(said[0], _names(desk), words, "which_car.driver")
    if driver is None:
        raise wrong
    session, *rest = driver[1].split() or [""]
    if not is_number(session) or not rest:
        raise wrong
    if rest[0].casefold() in ("last", words.word("trial_hint", "last")):
        time, why = AbsoluteTime(0, 0, last=True), rest[1:]
    elif len(rest) > 1 and is_number(rest[0]):
        counts = _leading_counts(rest[2:], 3)
        over, each, placed = (*counts, *(0, 1, 0)[len(counts) :])
        time, why = AbsoluteTime(int(rest[0]), clock_of(rest[1]), over, each, placed), rest[2 + len(counts) :]
    else:
        raise wrong
    return desk.typed(driver[0], int(session), time, " ".join(why))


def _names(desk: TrialDesk) -> dict[int, str]:
    """Return the drivers' names by number."""
    return {number: driver.name for number, driver in desk.record.drivers.items()}


def _how_typed(desk: TrialDesk, words: Words) -> str:
    """Return how a time is typed, with a driver of these trials."""
    driver, placed = next(iter(desk.record.drivers), 1), desk.record.kind.MISPLACED
    return words.say("trial_typed", driver=driver, placed=placed)


def told_time(desk: TrialDesk, done: Signed, words: Words) -> str:
    """Return a typed trial's absolute time and the driver's place in words."""
    driver, time = done.act.driver, done.act.time  # type: ignore[attr-defined]
    place = desk.record.ranking().index(driver) + 1
    return words.say("org_timed", driver=driver, total=0 if time.last else time.total, place=place)
