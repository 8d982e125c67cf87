"""The `companion race` command: the referee at the terminal."""

from __future__ import annotations

import contextlib
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from companion.options import as_rulebook, in_folder, in_language
from companion.rules.conversation.errors import NotSaved

if TYPE_CHECKING:
    from companion.desk import RaceDesk
    from companion.terminal.screen import RacePrinter
    from companion.wording import Words


@click.command()
@click.option("--track", metavar="NAME", help="Circuit of a new race: a name, or the path of a .toml file.")
@click.option("--rulebook", metavar="NAME", callback=as_rulebook, help="Rulebook of a new race (default: it asks).")
@click.option("--rules", "house", metavar="NAME", help="House rules of a new race, by their name.")
@click.option(
    "--set", "changes", multiple=True, metavar="FIGURE=VALUE", help="Change a figure or switch of a new race."
)
@click.option("--laps", type=int, metavar="N", help="Laps of a new race, or turns of cards (default: the circuit's).")
@click.option("--cars", metavar="NAMES", help='Cars of a new race in grid order: "Ada, Bob, Cleo", or how many.')
@click.option(
    "--deck",
    type=click.IntRange(1),
    metavar="N",
    help="For the race of cards and the death race: the program's deck of that number.",
)
@click.option(
    "--street",
    metavar="NAMES",
    help='Street drivers of Formula D, in the order of the cars: "Jack Owens, Derek Manson".',
)
@click.option("--bots", type=click.IntRange(0, 6), metavar="N", help="For the race of cards: bots of each speed.")
@click.option(
    "--setup",
    type=click.Path(path_type=Path, dir_okay=False, exists=True),
    help="Begin from a setup or a position in a JSON file.",
)
@click.option("--resume", metavar="RACE", help='Resume a race: its name, id, or "last".')
@click.option("--by", "person", metavar="NAME", default="table", help="Who answers, for the sheet.")
@in_folder
@in_language
def race(
    track: str | None,
    rulebook: str | None,
    house: str | None,
    changes: tuple[str, ...],
    laps: int | None,
    cars: str | None,
    deck: int | None,
    street: str | None,
    bots: int | None,
    setup: Path | None,
    resume: str | None,
    person: str,
    folder: Path,
    words: Words,
) -> None:
    """Referee a race at the terminal, or resume one.

    It asks one question at a time; answer by number, value or name. Every question takes help, undo, rules and quit.
    Every answer is stored before it counts: stop at any moment, and resume the race where it was.
    """
    from companion.sheets.place import WriteLock
    from companion.terminal.begin import SetupAborted, goes_on, new_race, open_race
    from companion.terminal.begin import resume as go_on
    from companion.terminal.screen import RacePrinter
    from companion.terminal.session import TerminalSession
    from companion.view.setup.new_race import rulebook_name
    from companion.view.worded import named_corners

    if sys.stdin.isatty():
        import readline  # noqa: F401 - gives the line its arrows and its memory

    options = {
        "track": track, "rulebook": rulebook, "rules": house, "set": changes, "laps": laps, "cars": cars,
        "deck": deck, "street": street, "bots": bots, "setup": setup,
    }  # fmt: skip
    of_new_race = [f"--{name}" for name, said in options.items() if said not in (None, ())]
    if resume is not None and of_new_race:
        raise click.UsageError(words.say("set_of_new_race", option=of_new_race[0]))
    screen = RacePrinter(words)
    try:
        again = resume
        if again is None and not of_new_race and (found := open_race(folder)):
            log_id, name, round_ = found
            if (holder := WriteLock.holder(folder, log_id)) is not None:
                screen.wrapped(words.say("held_elsewhere", None, race=name, **holder))
            elif goes_on(screen, name, round_):
                again = log_id
        desk = (
            go_on(screen, folder, again)
            if again is not None
            else new_race(screen, folder, track, laps, cars, setup, rulebook, deck, bots, house, street, changes)
        )
    except SetupAborted as left:
        sys.exit(left.status)
    except KeyboardInterrupt:
        return
    with desk:
        words.rulebook, words.corner_names = desk.rulebook.name, named_corners(desk.rulebook.track)
        if again is not None:
            screen.wrapped(words.say("begun_again", race=desk.history.name), "bold")
        else:
            about, circuit = desk.public(), desk.rulebook.track.name
            book = rulebook_name(desk.rulebook.name, words)
            screen.wrapped(
                words.say("begun", rulebook=book, track=circuit, laps=about.laps, cars=len(about.cars)), "bold"
            )
        TerminalSession(desk, screen, person).run()
        farewell(screen, desk)


def farewell(screen: RacePrinter, desk: RaceDesk) -> None:
    """Print how to resume the race, or how many entries the disk did not take."""
    with contextlib.suppress(NotSaved):
        desk.save()
    if desk.unsaved:
        screen.complaint(screen.words.say("left_unsaved", count=desk.unsaved))
    elif desk.log is not None:
        screen.wrapped(screen.words.say("kept_race"), "dim")
        screen.line((screen.words.say("go_on_race", race=desk.log.log_id[:8]), "dim"))  # unwrapped, to be copied
