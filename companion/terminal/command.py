"""`companion race`: the referee at the terminal."""

from __future__ import annotations

import contextlib
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from companion.options import in_folder, in_language
from companion.rules.conversation.errors import NotSaved

if TYPE_CHECKING:
    from companion.desk import RaceDesk
    from companion.terminal.screen import Screen
    from companion.wording import Words


@click.command()
@click.option("--track", metavar="NAME", help="Circuit of a new race: a name, or the path of a .toml file.")
@click.option("--rulebook", metavar="NAME", help="Rulebook of a new race (else it is asked, or competition).")
@click.option("--rules", "house", metavar="NAME", help="House rules of a new race, by the name they are kept under.")
@click.option("--set", "changes", multiple=True, metavar="FIGURE=VALUE", help="A figure or switch of a new race.")
@click.option("--laps", type=int, metavar="N", help="Laps of a new race, or turns of cards (else the circuit's).")
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
@click.option("--resume", metavar="RACE", help='Go on with a race: its name or id, or "last".')
@click.option("--by", "person", metavar="NAME", default="table", help="Who answers, as the sheet will say.")
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
    """Referee a race at the terminal, or go on with the one that is open.

    One question at a time; answer by number, by value or by name. Every question takes help, undo, rules and quit.
    Every answer is kept before it is accepted: end at any moment, and the race goes on where it was.
    """
    from companion.terminal.begin import Left, goes_on, new_race, open_race
    from companion.terminal.begin import resume as go_on
    from companion.terminal.screen import Screen
    from companion.terminal.session import Session

    if sys.stdin.isatty():
        import readline  # noqa: F401 - gives the line its arrows and its memory

    if resume is not None and changes:
        raise click.UsageError(words.say("set_of_new_race"))
    screen = Screen(words)
    try:
        again = resume
        if again is None and not (track or setup or house or changes) and (found := open_race(folder)):
            log_id, name, round_ = found
            again = log_id if goes_on(screen, name, round_) else None
        desk = (
            go_on(screen, folder, again)
            if again
            else new_race(screen, folder, track, laps, cars, setup, rulebook, deck, bots, house, street, changes)
        )
    except Left as left:
        sys.exit(left.status)
    except KeyboardInterrupt:
        return
    with desk:
        words.rulebook = desk.rulebook.name
        if again:
            screen.wrapped(words.say("begun_again", race=desk.history.name), "bold")
        else:
            about, circuit = desk.public(), desk.rulebook.track.name
            screen.wrapped(words.say("begun", track=circuit, laps=about.laps, cars=len(about.cars)), "bold")
        Session(desk, screen, person).run()
        farewell(screen, desk)


def farewell(screen: Screen, desk: RaceDesk) -> None:
    """What has become of the race: kept, and how to go on; or what the disk would not take."""
    with contextlib.suppress(NotSaved):
        desk.save()
    if desk.unsaved:
        screen.complaint(screen.words.say("left_unsaved", count=desk.unsaved))
    elif desk.log is not None:
        screen.wrapped(screen.words.say("kept_race", race=desk.log.log_id[:8]), "dim")
