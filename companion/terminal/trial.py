"""`companion trial`: the timed practice at the terminal. Enter counts a throw, all else is a letter or a word."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from companion.rules.conversation.errors import BadEntry, CompanionError

if TYPE_CHECKING:
    from companion.desk.trial_desk import TrialDesk
    from companion.rules.circuit.track import Sky
    from companion.tournament.trial import Tap, Tyres
    from companion.view.trials import TrialShown
    from companion.wording import Words

TAPS: Final[dict[str, Tap]] = {
    "": "throw", "o": "over", "m": "misplaced", "r": "replayed", "s": "stick", "c": "car", "h": "hand", "g": "gear",
}  # fmt: skip
"""What a letter counts while the clock runs; an empty line is a throw."""
SKIES: Final[tuple[Sky, ...]] = ("sun", "changeable", "rain")


@click.command()
@click.option("--track", metavar="NAME", default="monaco", help="Circuit of new trials.")
@click.option("--drivers", metavar="NAMES", help='Drivers of new trials: "14 Vidal, 7 Brun, Keller".')
@click.option("--sessions", type=click.IntRange(1, 9), default=1, help="Sessions of new trials.")
@click.option(
    "--counts", type=click.Choice(["best", "last", "sum"]), default="best", help="Which session of a driver counts."
)
@click.option("--resume", metavar="TRIALS", help='Go on with trials: their name or id, or "last".')
@click.option("--by", "person", metavar="NAME", default="table", help="Who times, as the log will say.")
@click.option("--data", type=click.Path(path_type=Path, file_okay=False), help="Folder of the races.")
@click.option("--lang", type=click.Choice(["en", "fr"]), help="Language.")
def trial(
    track: str, drivers: str | None, sessions: int, counts: Any, resume: str | None, person: str, data: Path | None,
    lang: str | None,
) -> None:  # fmt: skip
    """Time trials at the terminal, or go on with those that are open.

    Every line is kept before it is answered: end at any moment, and a clock that runs goes on meanwhile.
    """
    from companion import circuits
    from companion.desk.trial_desk import TrialDesk
    from companion.sheets.place import data_folder
    from companion.tournament.entrants import read_entrants
    from companion.tournament.trials import Opened, TrialDriver
    from companion.wording import Words

    words, folder = Words(lang or "en"), data_folder(data)
    if drivers is None:
        desk = TrialDesk.resume(folder, resume or "last", by=person)
    else:
        board = circuits.load(track)
        entered = read_entrants("\n".join(drivers.split(",")))
        listed = tuple(
            TrialDriver(number=one.number, name=one.name, team=one.team, colour=at % 20)
            for at, one in enumerate(entered)
        )
        opened = Opened(name=board.name, track=board.key, drivers=listed, sessions=sessions, counts=counts)
        desk = TrialDesk.begin(folder, opened, by=person)
    with desk:
        Timing(desk, words).run()


class Timing:
    """The dialogue of trials: what is asked, lines, and what follows."""

    def __init__(self, desk: TrialDesk, words: Words) -> None:
        from companion import circuits

        self.desk, self.words = desk, words
        self.wanted, self.chart, self.circuit = 0, None, desk.record.track
        try:
            board: Any = circuits.board(desk.record.track)
            self.circuit, self.chart = board.name, getattr(board, "weather", None)
        except CompanionError as wrong:  # the circuit is gone: its name still stands in the record
            click.echo(words.error(wrong), err=True)

    def run(self) -> None:
        """Asks until the end of the input, or until somebody leaves."""
        anew = True
        while True:
            shown = self.shown()
            if anew:
                self._show(shown)
            try:
                click.echo(f"{self._state(shown)} > ", nl=False)
                line = sys.stdin.readline()
            except KeyboardInterrupt:
                line = ""
            said = line.strip().casefold()
            if not line or said in ("q", "quit"):
                click.echo()
                return
            try:
                anew = self._obey(said, shown)
            except CompanionError as wrong:
                click.echo(f"  {self.words.error(wrong)}")
                anew = False

    def shown(self) -> TrialShown:
        """How the trials stand now."""
        from companion.view.trials import trials

        return trials(self.desk, self.words, self.circuit, self.chart, self.wanted)

    def hint(self, state: str) -> str:
        """What can be said in a state of the trials."""
        return self.words.word("trial_hint", state)

    # -- what is told

    def _state(self, shown: TrialShown) -> str:
        if shown.state != "running":
            return shown.question
        clock = f"{shown.clock // 6000}:{shown.clock // 100 % 60:02}"
        return f"{clock}  {' + '.join(term.value for term in shown.terms[:4])} = {shown.so_far}"

    def _show(self, shown: TrialShown) -> None:
        click.echo(f"{shown.subtitle} · {shown.driver} {shown.name}" if shown.driver else shown.subtitle)
        if shown.state in ("sky", "ready"):
            for said in (*shown.reminders, *([shown.note] if shown.note else [])):
                click.echo(f"  {said}")
        if shown.state in ("all", "over"):
            self._list(shown)
        click.echo(f"  {self.hint(shown.state)}")

    def _list(self, shown: TrialShown) -> None:
        for row in shown.rows:
            mark = ">" if row.now else " "
            click.echo(
                f"{mark}{row.place:>3} {row.plate.number:>3} {row.name:<20.20} {row.sum:>5} {row.clock:>9}  {row.ahead}"
            )

    # -- what is said

    def _obey(self, said: str, shown: TrialShown) -> bool:
        """Does what was said; whether to ask anew."""
        if said in ("u", "undo"):
            self.desk.undo()
            return True
        if said in ("l", "list"):
            self._list(shown)
            return False
        if said in ("?", "help"):
            click.echo(f"  {self.hint(shown.state)}")
            return False
        do = getattr(self, f"_{shown.state}", None)
        if do is None:
            raise BadEntry(self.hint("done"))
        return bool(do(said))

    def _sky(self, said: str) -> bool:
        face = int(said) if said.isdecimal() and 1 <= int(said) <= 20 else 0
        named = {self.words.word("sky", sky): sky for sky in SKIES} | {sky: sky for sky in SKIES}
        if face and self.chart is not None:
            self.desk.sky(self.chart.sky(face), face)
        elif said in named:
            self.desk.sky(named[said])
        else:
            raise BadEntry(self.hint("sky"))
        return True

    def _ready(self, said: str) -> bool:
        if said.isdecimal() and int(said) in self.desk.record.drivers:
            self.wanted = int(said)
            return True
        from companion.tournament.trial import COMPOUNDS

        named: dict[str, Tyres] = {self.words.word("tyres", one): one for one in COMPOUNDS}
        named |= {one: one for one in COMPOUNDS}
        if said not in named:
            raise BadEntry(self.hint("ready"))
        self.desk.start(self.shown().driver, named[said])
        self.wanted = 0
        return True

    def _running(self, said: str) -> bool:
        if said in (".", "stop"):
            self.desk.stop()
            return True
        if said == "x":
            self.desk.missed()
            return True
        if said not in TAPS:
            raise BadEntry(self.hint("running"))
        self.desk.tap(TAPS[said])
        return False

    def _lost(self, said: str) -> bool:
        from companion.tournament.times import clock_of

        if said == "a":
            self.desk.again(self.words.screen("trial.lost_why"))
        else:
            self.desk.stop(clock=clock_of(said))
        return True

    def _over(self, said: str) -> bool:
        if said in ("", "e"):
            self.desk.enter()
        elif said == "m":
            self.desk.tap("misplaced")
        elif said == "d":
            self.desk.dispute()
        elif said.startswith("rule "):
            counted = said.split(None, 4)[1:]
            if len(counted) < 3 or not all(count.isdecimal() for count in counted[:3]):
                raise BadEntry(self.hint("over"))
            throws, over, placed = map(int, counted[:3])
            self.desk.rule(throws, over, placed, " ".join(counted[3:]))
        else:
            raise BadEntry(self.hint("over"))
        return True
