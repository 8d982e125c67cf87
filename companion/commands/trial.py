"""The `companion trial` command: timed practice.

At the terminal, by single commands, or in JSON lines.
"""

from __future__ import annotations

import re
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import click

from companion.commands.groups import RecordCommands
from companion.options import in_folder, in_language, in_memory

if TYPE_CHECKING:
    from companion.desk.trial_desk import TrialDesk
    from companion.tournament.trials import SkyDrawn, Trials
    from companion.wording import Words


BETWEEN: Final = re.compile(r',(?=(?:[^"]*"[^"]*")*[^"]*$)')
"""Comma between two drivers, outside quotes."""


class TrialOptions(NamedTuple):
    """Options typed before the command: settings of new trials, or the ones to resume."""

    track: str
    drivers: str | None
    sessions: int
    counts: Any
    resume: str | None
    person: str
    memory: bool
    folder: Path
    words: Words
    rulebook: str | None = None
    house: str | None = None
    changes: tuple[str, ...] = ()

    def by_rules(self) -> tuple[str, tuple[str, ...]]:
        """Return the rulebook of new trials, and their race's switches that are on.

        Raises BadSetup.
        """
        from companion import house_rules
        from companion.rules.conversation.figures import read_figures
        from companion.rules.rulebooks import RULEBOOKS
        from companion.view.events.trials import on

        setup: dict[str, Any] = {"rulebook": self.rulebook} if self.rulebook else {}
        if self.house is not None:
            setup = house_rules.find(self.folder, self.house).into(setup)
        rulebook = setup.get("rulebook", "competition")
        table = RULEBOOKS[rulebook].figure_table()
        options = {**setup.get("options", {}), **house_rules.typed_options(self.changes, table)}
        read_figures(options, table)
        return rulebook, on(options)

    def open(self) -> TrialDesk:
        """Open the trials for writing. Raises CompanionError."""
        from companion import circuits
        from companion.desk.trial_desk import TrialDesk
        from companion.terminal.prompts import must_last
        from companion.tournament.entrants import read_entrants
        from companion.tournament.trials import TrialDriver, TrialsOpened

        must_last(self.folder, self.words, memory=self.memory)
        if self.drivers is None:
            return TrialDesk.resume(self.folder, self.resume or "last", by=self.person)
        board = circuits.load(self.track)
        rulebook, variants = self.by_rules()
        listed = tuple(
            TrialDriver(number=one.number, name=one.name, team=one.team, colour=at % 20)
            for at, one in enumerate(read_entrants(BETWEEN.sub("\n", self.drivers)))
        )
        opened = TrialsOpened(
            name=board.name, track=self.track, drivers=listed, sessions=self.sessions, counts=self.counts,
            rulebook=rulebook, variants=variants,
        )  # fmt: skip
        return TrialDesk.begin(self.folder, opened, by=self.person)


@click.group(cls=RecordCommands, invoke_without_command=True)
@click.option("--track", metavar="NAME", default="monaco", help="Circuit of new trials.")
@click.option("--drivers", metavar="NAMES", help='Drivers of new trials: "14 Vidal, 7 Brun, Keller".')
@click.option("--sessions", type=click.IntRange(1, 9), default=1, help="Sessions of new trials.")
@click.option(
    "--counts", type=click.Choice(["best", "last", "sum"]), default="best", help="Which session of a driver counts."
)
@click.option(
    "--rulebook",
    type=click.Choice(["competition", "formula-d"]),
    help="Whose trials: the championship's, or those of the box.  [default: competition]",
)
@click.option("--rules", "house", metavar="NAME", help="House rules of new trials, by their name.")
@click.option(
    "--set",
    "changes",
    multiple=True,
    metavar="SWITCH=VALUE",
    help="A switch of the race that the grid is for, such as weather=on or tyres=on.",
)
@click.option("--resume", metavar="TRIALS", help='Go on with trials: their name or id, or "last".')
@click.option("--by", "person", metavar="NAME", default="table", help="Who keeps the time, for the log.")
@in_memory
@in_folder
@in_language
@click.pass_context
def trial(
    ctx: click.Context, track: str, drivers: str | None, sessions: int, counts: Any, resume: str | None, person: str,
    memory: bool, folder: Path, words: Words,
    rulebook: str | None, house: str | None, changes: tuple[str, ...],
) -> None:  # fmt: skip
    """Time a practice at the terminal, or resume one.

    Every line is stored before it is answered: stop at any moment, and a running clock goes on.
    """
    ctx.obj = TrialOptions(
        track, drivers, sessions, counts, resume, person, memory, folder, words, rulebook, house, changes
    )
    if ctx.invoked_subcommand is None:
        from companion.terminal.trial import Timing

        def drawn(record: Trials) -> list[SkyDrawn]:
            from companion.hall import timing  # only where there is a hall

            return timing.missing_skies(folder, record)

        with ctx.obj.open() as desk:
            Timing(desk, ctx.obj.words, drawn).run()


@trial.command()
@click.argument("said", nargs=-1, required=True, metavar="DRIVER SESSION THROWS CLOCK [OVERSHOT [EACH [MISPLACED]]]")
@click.option("--why", default="", help="The reason, to replace a time.")
@click.pass_obj
def time(obj: TrialOptions, said: tuple[str, ...], why: str) -> None:
    """Enter or correct one trial from paper.

    For example 14 1 17 1:15.56, or 14 1 17 1:15.56 2 3 0: two spaces overshot at three throws each, no car misplaced.
    A driver who missed two stops of a corner is last: 14 1 last.
    """
    from companion.terminal.trial import told_time, type_time

    with obj.open() as desk:
        click.echo(told_time(desk, type_time(desk, (*said, *why.split()), obj.words), obj.words))


@trial.command()
@click.pass_obj
def lines(obj: TrialOptions) -> None:
    """Read and write JSON lines, for other programs.

    A line is an act as the log keeps it, with who does it: {"act": "sky", "sky": "rain"}, {"act": "start", "driver":
    14, "tyres": "soft"}, {"act": "tap", "tap": "throw"} (or over, misplaced, replayed, stick, car, hand, gear),
    {"act": "stop"} (with "clock": 7556, in hundredths, if another watch timed it), {"act": "missed_stops"}, {"act":
    "dispute"}, {"act": "rule", "throws": 17, "overshot": 0, "misplaced": 0, "why": "..."}, {"act": "again", "why":
    "..."}, {"act": "enter", "by": "Ada"}; {"act": "typed", "driver": 14, "session": 1, "time": {"throws": 17, "clock":
    7556}, "why": "..."} from paper or as a correction. The clock is this machine's: a start or a stop counts from when
    its line arrives, whatever is done meanwhile.

    By the box of Formula D (--rulebook formula-d) only throws and spaces beyond a corner count. A start has "tyres":
    "", unless they are of several kinds (--set tyres=on), and the sky is drawn with --set weather=on.

    Where the circuit is known to the space, {"act": "followed", "gear": 2, "face": 4, "at": "0:left:3"} is a throw as
    it was seen on the board (without "face" if nobody saw it): the throw that was tapped and has no space yet, or else
    a throw of its own, as it always is with "counts": true. Nothing is printed before the lap is over; then {"list":
    "findings"} tells what was wrong, and {"accept": 1} or {"reject": 1} decides about the first. The lap is entered
    once every finding has its answer; one that ends before the line has no time if that is accepted.

    {"limit": true}, where the circuit is known to the space, tells the throws of the best lap that dice allow, on
    average, and after the lap how many "more" the driver needed; of one that was followed what came of the "dice",
    the "driving" and the "rest". A best lap that nobody knows yet is worked out aside: while the clock runs the
    "share" of it that is done is told, 0 to 1; after the lap the answer waits for it.

    Or {"weather": 15}, the black die for the sky of the session; {"state": true}, how the trials stand; {"list":
    "times"}; {"undo": true}; {"quit": true}. One line answers each; an error changes nothing.
    """
    from companion.protocol.command import arriving, converse
    from companion.protocol.trials import TrialLines

    with obj.open() as desk, closing(TrialLines(desk, obj.words)) as table:
        converse(table, table.stamped(arriving()))
