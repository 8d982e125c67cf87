"""The `companion season` command: a season race by race.

Each command is one act.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import click

from companion.commands.organising import RecordOptions, common, group, house_rules_of, points_of, shows, table_options
from companion.options import as_rulebook

if TYPE_CHECKING:
    from companion.tournament.season import Stage

season = group("season", "Run a season: calendar, entries, grids, results, standings.")
common(season)
shows(season, "calendar", "Show the races, past and to come.")


@season.command()
@click.argument("title", metavar="NAME")
@click.argument("calendar", nargs=-1, required=True, metavar="TRACK[@DATE]...")
@click.option("--rulebook", callback=as_rulebook, help="Rulebook.  [default: league]")
@click.option("--rules", "house", metavar="NAME", help="Name of house rules.")
@click.option("--laps", type=int, metavar="N", help="Laps of every race, or turns of cards (default: the circuit's).")
@click.option("--points", help="A scale by name, or its figures (default: the rulebook's).")
@click.option("--best", type=click.IntRange(min=0), default=0, help="Number of results that count; 0: all.")
@click.option(
    "--grid", type=click.Choice(["reverse", "trials", "random", "hand"]), default="reverse", show_default=True,
    help="How grids are made.",
)  # fmt: skip
@click.option("--drivers", type=click.IntRange(min=0), help="Most drivers; 0: any number.")
@click.option("--team", type=click.IntRange(min=0), help="Most drivers of a team; 0: any number.")
@click.option("--races", type=click.IntRange(min=0), help="Most races; 0: any number.")
@click.option("--carry-wear", "carried", is_flag=True, help="Begin each race with the wear that the last one left.")
@click.option(
    "--repair",
    type=click.IntRange(min=0),
    default=0,
    metavar="N",
    help="Give each pool this many points back between races.",
)
@click.pass_obj
def new(
    said: RecordOptions,
    title: str,
    calendar: tuple[str, ...],
    rulebook: str | None,
    house: str | None,
    laps: int | None,
    points: str | None,
    best: int,
    grid: str,
    drivers: int | None,
    team: int | None,
    races: int | None,
    carried: bool,
    repair: int,
) -> None:
    """Begin a new season.

    It takes NAME, and the circuit of every race, with its date after an @.
    """
    import msgspec

    from companion.desk.organising import begin_season, by_house, usual_season

    rules = house_rules_of(said.folder, house, rulebook)
    book = rules.rulebook if rules is not None else rulebook or "league"
    begun = usual_season(book, title, tuple(_stage(text, laps or 0) for text in calendar))
    begun = by_house(begun, rules) if rules is not None else begun
    changes: dict[str, object] = {"best": best, "grid": grid, "carried": carried, "repair": repair}
    changes |= {"points": points_of(points)} if points else {}
    sizes = {"drivers": drivers, "team": team, "races": races}
    changes |= {name: size for name, size in sizes.items() if size is not None}
    begun = msgspec.structs.replace(begun, **changes)
    said.must_last()
    with begin_season(said.folder, begun, by=said.by) as desk:
        click.echo(said.words.say("org_begun", name=title, id=desk.log_id[:8]))


def _stage(text: str, laps: int) -> Stage:
    from companion.tournament.season import Stage

    track, _, date = text.partition("@")
    return Stage(track, date, laps=laps)


@season.command()
@click.argument("race", type=int)
@click.argument("order", nargs=-1, type=int)
@click.option("--trials", help="From a stored session of trials: its name, id, or last.")
@click.option("--seed", type=int, help="Seed of the program's black dice (default: by chance).")
@click.option("--why", default="", help="The reason, for a grid that the season's rule does not give.")
@click.pass_obj
def grid(
    said: RecordOptions, race: int, order: tuple[int, ...], trials: str | None, seed: int | None, why: str
) -> None:
    """Set the grid of a race.

    The season's rule draws or reverses it; --trials or an ORDER of numbers replaces that.
    """
    from random import Random

    from companion.desk.organising import draw_grid, trials_grid
    from companion.tournament.season import Gridded

    with said.open() as desk:
        its = cast(Any, desk)
        if order:
            act = Gridded(race=race, order=order, rule="hand", why=why)
        elif trials is not None:
            act = trials_grid(its, race, trials, why)
        else:
            act = draw_grid(its, race, Random(seed), why=why)
        desk.act(act, by=said.by)
        drivers = ", ".join(f"{number} {desk.record.names[number]}" for number in act.order)
        click.echo(said.words.say("org_grid", race=race, drivers=drivers))


@season.command()
@click.argument("race", type=int)
@click.argument("number", type=int)
@click.argument("driver", default="")
@click.pass_obj
def substitute(said: RecordOptions, race: int, number: int, driver: str) -> None:
    """Let DRIVER drive an entrant's car in a race.

    Without a name the entrant drives again.
    """
    from companion.tournament.record import one_line
    from companion.tournament.season import Substituted

    said.act(lambda _: Substituted(race=race, number=number, driver=one_line(driver)))


@season.command()
@click.argument("race", type=int)
@click.argument("number", type=int)
@click.option("--not", "there", is_flag=True, help="Let the entrant race after all.")
@click.pass_obj
def missing(said: RecordOptions, race: int, number: int, there: bool) -> None:
    """Mark an entrant as missing from a race."""
    from companion.tournament.season import Missed

    said.act(lambda _: Missed(race=race, number=number, missed=not there))


@season.command()
@click.argument("race", type=int)
@click.option("--date", default="", help="The new date.")
@click.option("--track", default="", help="Another circuit.")
@click.option("--why", default="", help="The reason.")
@click.pass_obj
def move(said: RecordOptions, race: int, date: str, track: str, why: str) -> None:
    """Move a race to another date or circuit."""
    from companion.tournament.season import Postponed

    said.act(lambda _: Postponed(race=race, date=date, track=track, why=why))


@season.command()
@click.argument("race", type=int)
@click.option("--why", default="", help="The reason.")
@click.pass_obj
def abandon(said: RecordOptions, race: int, why: str) -> None:
    """Abandon a race, which then counts for nothing."""
    from companion.tournament.season import Abandoned

    said.act(lambda _: Abandoned(race=race, why=why))


@season.command()
@click.argument("race", type=int)
@click.option("--why", default="", help="The reason.")
@click.pass_obj
def revive(said: RecordOptions, race: int, why: str) -> None:
    """Run an abandoned race after all."""
    from companion.tournament.season import Revived

    said.act(lambda _: Revived(race=race, why=why))


@season.command()
@table_options
@click.pass_obj
def circuits(said: RecordOptions, form: str, out: Path | None, paper: str) -> None:
    """Show the records of the circuits.

    They come from all stored seasons and tournaments.
    """
    said.show("circuits", form=form, out=out, paper=paper)
