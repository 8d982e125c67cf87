"""`companion odds`: each car's chance of each place, as a race stands."""

from __future__ import annotations

import json
from pathlib import Path

import click

from companion.commands.telling import telling, told


@click.command()
@click.argument("race", default="last")
@click.option("--races", type=click.IntRange(1, 9999), help="So often it is driven to its end, whatever is in tables.")
@click.option("--json", "plain", is_flag=True, help="By car the chance of each place, as JSON.")
@click.option("--data", type=click.Path(path_type=Path, file_okay=False), help="Folder of the races.")
@click.option("--lang", type=click.Choice(["en", "fr"]), help="Language (default: the locale's).")
@told
def odds(race: str, races: int | None, plain: bool, data: Path | None, lang: str | None, told: bool) -> None:
    """Tell each car's chance of each place in RACE (a name, an id, or "last"), as it stands.

    By dice, on a circuit known to the space, tables know the turns still to come; any other race is driven to its end a
    hundred times. A person counts as the sensible driver.
    """
    from companion.commands.main import spoken
    from companion.commands.sheets import entries_of
    from companion.drivers.odds import chances
    from companion.sheets.again import resumed, rulebook_of
    from companion.sheets.history import History
    from companion.sheets.place import data_folder
    from companion.sheets.reading import reading, snapshots
    from companion.terminal.screen import Screen
    from companion.wording import Words

    words = Words(lang or spoken())
    history = History.of(entries_of(race, data))
    with reading(data_folder(data)) as db:
        states = snapshots(db, history.log_id)
    book, talk = resumed(history, states, rulebook_of)
    with telling(words.say("odds_works"), told) as tell:
        found = chances(talk, history.programs, races or 0, tell)
    if plain:
        click.echo(json.dumps(found))
        return
    screen, names = Screen(words), {car.number: car.driver for car in book.race.cars}
    words.rulebook = book.name
    numbers = book.running_order()
    wide = max(len(words.number(number, names)) for number in numbers)
    screen.line()
    screen.line((f"  {'':{wide}}" + "".join(f"{place:>6}" for place in range(1, len(numbers) + 1)), "bold"))
    for number in numbers:
        shares = "".join(f"{words.chance(share):>6}" for share in found[str(number)])
        screen.line(f"  {words.number(number, names):{wide}}{shares}")
