"""`companion season`: a season race by race, each command one act."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import click

from companion.commands.organising import Said, common, group, house_rules_of, points_of, shows, written

if TYPE_CHECKING:
    from companion.tournament.season import Stage

season = group("season", "Run a season: calendar, entries, grids, results, standings.")
common(season)
shows(season, "calendar", "The races, run and to come.")


@season.command()
@click.argument("title", metavar="NAME")
@click.argument("calendar", nargs=-1, required=True, metavar="TRACK[@DATE]...")
@click.option("--rulebook", help="Rulebook.  [default: league]")
@click.option("--rules", "house", metavar="NAME", help="House rules, by the name they are kept under.")
@click.option("--laps", type=int, metavar="N", help="Laps of every race, or turns of cards (else the circuit's).")
@click.option("--points", help="A scale by name, or its figures (else the rulebook's).")
@click.option("--best", type=click.IntRange(min=0), default=0, help="How many results count, 0 for all.")
@click.option(
    "--grid", type=click.Choice(["reverse", "trials", "random", "hand"]), default="reverse", show_default=True,
    help="Where grids come from.",
)  # fmt: skip
@click.option("--drivers", type=click.IntRange(min=0), help="The most drivers, 0 for any number.")
@click.option("--team", type=click.IntRange(min=0), help="The most drivers of a team, 0 for any number.")
@click.option("--races", type=click.IntRange(min=0), help="The most races, 0 for any number.")
@click.option("--carry-wear", "carried", is_flag=True, help="Cars begin a race as worn as they ended the last one.")
@click.option("--repair", type=click.IntRange(min=0), default=0, metavar="N", help="Points back to each pool between.")
@click.pass_obj
def new(
    said: Said,
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
    """Begin a season: NAME, and the circuit of every race, with its date after an @."""
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
@click.option("--trials", help="From a session of trials that was kept: its name, id, or last.")
@click.option("--seed", type=int, help="For the program's black dice; else by chance.")
@click.option("--why", default="", help="The reason, for another grid than the season's rule gives.")
@click.pass_obj
def grid(said: Said, race: int, order: tuple[int, ...], trials: str | None, seed: int | None, why: str) -> None:
    """Settle the grid of a race: drawn or turned round by the rule, from trials, or by hand in this ORDER."""
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
def substitute(said: Said, race: int, number: int, driver: str) -> None:
    """Let DRIVER drive an entrant's car in a race; without a name the entrant drives himself again."""
    from companion.tournament.record import one_line
    from companion.tournament.season import Substituted

    said.act(lambda _: Substituted(race=race, number=number, driver=one_line(driver)))


@season.command()
@click.argument("race", type=int)
@click.argument("number", type=int)
@click.option("--not", "there", is_flag=True, help="He races after all.")
@click.pass_obj
def missing(said: Said, race: int, number: int, there: bool) -> None:
    """An entrant does not race in a race."""
    from companion.tournament.season import Missed

    said.act(lambda _: Missed(race=race, number=number, missed=not there))


@season.command()
@click.argument("race", type=int)
@click.option("--date", default="", help="The new date.")
@click.option("--track", default="", help="Another circuit.")
@click.option("--why", default="", help="The reason.")
@click.pass_obj
def move(said: Said, race: int, date: str, track: str, why: str) -> None:
    """Move a race to another date or circuit."""
    from companion.tournament.season import Postponed

    said.act(lambda _: Postponed(race=race, date=date, track=track, why=why))


@season.command()
@click.argument("race", type=int)
@click.option("--why", default="", help="The reason.")
@click.pass_obj
def abandon(said: Said, race: int, why: str) -> None:
    """A race is not run, or not to its end; it brings nothing."""
    from companion.tournament.season import Abandoned

    said.act(lambda _: Abandoned(race=race, why=why))


@season.command()
@click.argument("race", type=int)
@click.option("--why", default="", help="The reason.")
@click.pass_obj
def revive(said: Said, race: int, why: str) -> None:
    """A race that was abandoned is run after all."""
    from companion.tournament.season import Revived

    said.act(lambda _: Revived(race=race, why=why))


@season.command()
@written
@click.pass_obj
def circuits(said: Said, form: str, out: Path | None, paper: str) -> None:
    """The records of the circuits, from every season and tournament that was kept."""
    said.show("circuits", form=form, out=out, paper=paper)
