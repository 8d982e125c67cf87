"""The `companion races odds` command: each car's chance of each place."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import click

from companion.commands.telling import telling, told
from companion.options import in_folder, in_language

if TYPE_CHECKING:
    from companion.wording import Words


@click.command()
@click.argument("race", default="last")
@click.option("--races", type=click.IntRange(1, 9999), help="Drive it to its end this many times, without tables.")
@click.option("--json", "plain", is_flag=True, help="Print JSON, for programs: by car the chance of each place.")
@in_folder
@in_language
@told
def odds(race: str, races: int | None, plain: bool, folder: Path, words: Words, told: bool) -> None:
    """Show each car's chance of each place in RACE.

    With dice, on a circuit known to the space, the chances come from tables, once companion drivers prepare --race RACE
    has made them; any other race is driven to its end a hundred times. People count as sensible drivers. With --json
    and --told the odds after every ten races are written to standard error too.
    """
    from companion.drivers.odds import Odds, as_plain, chances
    from companion.sheets.history import History
    from companion.sheets.reading import reading, snapshots
    from companion.sheets.replay import resume_conversation, rulebook_of
    from companion.sheets.stored_race import read_log
    from companion.terminal.screen import RacePrinter

    history = History.of(read_log(folder, race))
    with reading(folder) as db:
        states = snapshots(db, history.log_id)
    book, talk = resume_conversation(history, states, rulebook_of)

    def so_far(odds: Odds) -> None:
        if plain and told:
            click.echo(json.dumps(as_plain(odds)), err=True)

    with telling(words.say("odds_works"), told) as tell:
        found = chances(talk, history.programs, races or 0, tell, so_far)
    if plain:
        click.echo(json.dumps(found))
        return
    screen, names = RacePrinter(words), {car.number: car.driver for car in book.race.cars}
    words.rulebook = book.name
    numbers = book.running_order()
    wide = max(len(words.number(number, names)) for number in numbers)
    screen.line()
    screen.line((f"  {'':{wide}}" + "".join(f"{place:>6}" for place in range(1, len(numbers) + 1)), "bold"))
    for number in numbers:
        shares = "".join(f"{share:>6}" for share in words.chances(dict(enumerate(found[str(number)]))).values())
        screen.line(f"  {words.number(number, names):{wide}}{shares}")
