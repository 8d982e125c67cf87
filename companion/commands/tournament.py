"""The `companion tournament` command: a tournament from the entries to the final.

Each command is one act.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, cast

import click

from companion.commands.organising import (
    OLD,
    RecordOptions,
    common,
    group,
    house_rules_of,
    numbers_of,
    points_of,
    shows,
)
from companion.options import as_rulebook

if TYPE_CHECKING:
    from companion.tournament.record import Act
    from companion.tournament.seeding import Deal
    from companion.tournament.tournament import From

tournament = group(
    "tournament", "Run a tournament: entrants, trials, tables, results, standings.", {**OLD, "here": "checkin"}
)
common(tournament)
shows(tournament, "trials", "Show the general classification of the trials.")
shows(tournament, "trialsheet", "Print the sheet of a session of trials.", "SESSION")


@tournament.command()
@click.argument("title", metavar="NAME")
@click.option("--track", default="monaco", show_default=True, help="Circuit.")
@click.option("--rulebook", callback=as_rulebook, help="Rulebook.  [default: competition]")
@click.option("--rules", "house", metavar="NAME", help="Name of house rules.")
@click.option("--laps", type=click.IntRange(1), metavar="N", help="Laps, or turns of cards (default: the circuit's).")
@click.option("--sessions", type=int, default=1, show_default=True, help="Number of sessions of trials.")
@click.option("--counts", type=click.Choice(["best", "last", "sum"]), default="best", help="Session that counts.")
@click.option("--points", help="A scale by name, or its figures (default: the rulebook's).")
@click.option(
    "--final", type=click.Choice(["decides", "adds"]), default="decides", show_default=True,
    help="Let the final decide alone, or add its points.",
)  # fmt: skip
@click.option("--date", default="", help="Date, as printed.")
@click.pass_obj
def new(
    said: RecordOptions,
    title: str,
    track: str,
    rulebook: str | None,
    house: str | None,
    laps: int | None,
    sessions: int,
    counts: str,
    points: str | None,
    final: str,
    date: str,
) -> None:
    """Begin a new tournament."""
    import msgspec

    from companion.desk.organising import begin_tournament, by_house, usual_points
    from companion.tournament.times import Counts
    from companion.tournament.tournament import TournamentBegun

    rules = house_rules_of(said.folder, house, rulebook)
    book = rules.rulebook if rules is not None else rulebook or "competition"
    begun = TournamentBegun(
        name=title, rulebook=book, track=track, laps=laps or 0, sessions=sessions, counts=cast(Counts, counts),
        points=usual_points(book), final=cast(Literal["decides", "adds"], final), date=date,
    )  # fmt: skip
    begun = by_house(begun, rules) if rules is not None else begun
    begun = msgspec.structs.replace(begun, points=points_of(points)) if points else begun
    said.must_last()
    with begin_tournament(said.folder, begun, by=said.by) as desk:
        click.echo(said.words.say("org_begun", name=title, id=desk.log_id[:8]))


@tournament.command()
@click.argument("numbers", nargs=-1, required=True, metavar="NUMBER...|all")
@click.option("--not", "away", is_flag=True, help="Check them out again.")
@click.pass_obj
def checkin(said: RecordOptions, numbers: tuple[str, ...], away: bool) -> None:
    """Check drivers in."""
    from companion.tournament.entrants import Here

    def act(record: Any) -> Act:
        every = tuple(record.field.standing)
        return Here(numbers=every if numbers == ("all",) else numbers_of(" ".join(numbers)), here=not away)

    said.act(act)


@tournament.command()
@click.argument("number", type=int)
@click.argument("throws", type=int)
@click.argument("clock")
@click.option("--session", type=int, default=1, show_default=True)
@click.option("--overshot", type=int, default=0, help="Spaces overshot in corners.")
@click.option("--factor", type=int, default=1, help="Throws that each of them costs with these tyres.")
@click.option("--misplaced", type=int, default=0, help="How often the car was misplaced.")
@click.option("--last", is_flag=True, help="Place last: two stops of a corner were missed.")
@click.option("--why", default="", help="The reason, to replace a time.")
@click.pass_obj
def time(
    said: RecordOptions,
    number: int,
    throws: int,
    clock: str,
    session: int,
    overshot: int,
    factor: int,
    misplaced: int,
    last: bool,
    why: str,
) -> None:
    """Enter the time of a trial.

    It is a driver's NUMBER, THROWS and CLOCK: 12 17 1:15.56.
    """
    from companion.tournament.times import AbsoluteTime, clock_of
    from companion.tournament.tournament import Timed

    with said.open() as desk:
        trial = AbsoluteTime(throws, clock_of(clock), overshot, factor, misplaced, last)
        desk.act(Timed(driver=number, session=session, time=trial, why=why), by=said.by)
        seed = next(seed for seed in cast(Any, desk.record).seeds() if seed.driver == number)
        total = 0 if last else trial.total
        click.echo(said.words.say("org_timed", driver=number, total=total, place=seed.rank))


@tournament.command()
@click.argument("trials", default="last")
@click.option(
    "--stick", type=click.Path(path_type=Path, file_okay=False), help="The folder of the stick that holds them."
)
@click.option("--why", default="", help="The reason, to replace times.")
@click.pass_obj
def times(said: RecordOptions, trials: str, stick: Path | None, why: str) -> None:
    """Take the times of a stored session of trials.

    TRIALS is its name, id, or last.
    """
    from companion.desk.organising import times_of

    with said.open() as desk:
        act = times_of(cast(Any, desk.record), stick or said.folder, trials, why)
        desk.act(act, by=said.by)
        click.echo(said.words.say("org_times", count=len(act.times)))


@tournament.command()
@click.argument("face", type=int)
@click.option("--session", type=int, default=0, help="For this session of trials.")
@click.option("--round", "round_", type=int, default=0, help="For all tables of this round.")
@click.option("--why", default="", help="The reason, to draw again.")
@click.pass_obj
def weather(said: RecordOptions, face: int, session: int, round_: int, why: str) -> None:
    """Draw the weather of a session or round.

    FACE of the black die is read on the circuit's chart.
    """
    from companion.desk.organising import weather_from_die

    with said.open() as desk:
        act = weather_from_die(desk, face, session=session, round_=round_, why=why)
        said.tell(desk, desk.act(act, by=said.by))


@tournament.command()
@click.option("--tables", type=int, default=0, help="Number of tables, as even as possible.")
@click.option("--sizes", help="Sizes of the tables instead: 8,8,8.")
@click.option("--deal", type=click.Choice(["turn", "snake", "level"]), help="Way of dealing (default: in turn).")
@click.option(
    "--from", "source", type=click.Choice(["trials", "standings", "number"]), help="Order to deal in (default: trials)."
)
@click.option("--first", type=click.IntRange(min=0), default=0, help="Deal only this many.")
@click.option("--final", is_flag=True, help="Deal the final.")
@click.option("--track", default="", help="Another circuit.")
@click.option("--laps", type=click.IntRange(1), metavar="N", help="Another number of laps, or turns of cards.")
@click.option("--again", is_flag=True, help="Deal the last round again; alone or with --deal, by the same order.")
@click.option("--why", default="", help="The reason, if the tables are published.")
@click.pass_obj
def seed(
    said: RecordOptions,
    tables: int,
    sizes: str | None,
    deal: Deal | None,
    source: From | None,
    first: int,
    final: bool,
    track: str,
    laps: int | None,
    again: bool,
    why: str,
) -> None:
    """Deal the tables of a round, team-mates apart."""
    from companion.tournament.tournament import Tournament

    with said.open() as desk:
        record = desk.record
        assert isinstance(record, Tournament)
        if again and not (tables or sizes or source or first or final or track or laps):
            act = record.seeding_again(deal, why)
        else:
            act = record.seeding(
                tables=tables, sizes=numbers_of(sizes) if sizes else (), way=deal or "turn",
                source=source or "trials", first=first, final=final, track=track, laps=laps or 0, again=again, why=why,
            )  # fmt: skip
        said.tell(desk, desk.act(act, by=said.by))
    said.show("tables")


shows(tournament, "tables", "Show the tables of the last round.")


@tournament.command()
@click.argument("one", type=int)
@click.argument("other", type=int)
@click.option("--round", "round_", type=int, default=0, help="Round (default: the last).")
@click.option("--why", default="", help="The reason.")
@click.pass_obj
def swap(said: RecordOptions, one: int, other: int, round_: int, why: str) -> None:
    """Swap the seats of two drivers.

    After publication that is a correction, with a reason.
    """
    from companion.tournament.tournament import Reseated, Swapped

    def act(record: Any) -> Act:
        number = round_ or max(record.rounds, default=1)
        kind = Swapped if record.round(number).published is None else Reseated
        return kind(round=number, one=one, other=other, why=why)

    said.act(act)


@tournament.command()
@click.argument("number", type=int)
@click.argument("table")
@click.option("--why", default="", help="The reason.")
@click.pass_obj
def seat(said: RecordOptions, number: int, table: str, why: str) -> None:
    """Seat a late entrant at TABLE, behind its grid.

    A table is named by round and number: 1.3.
    """
    from companion.tournament.tournament import Seated

    said.act(lambda _: Seated(table=table, driver=number, why=why))


@tournament.command()
@click.argument("number", type=int)
@click.option("--round", "round_", type=int, default=0, help="Round (default: the last).")
@click.pass_obj
def prices(said: RecordOptions, number: int, round_: int) -> None:
    """Show what each swap of a driver would cost."""
    with said.open() as desk:
        record = cast(Any, desk.record)
        record.field[number]
        for price in record.prices(round_ or max(record.rounds, default=1), number):
            other = f"{price.other} {record.names[price.other]}"
            click.echo(
                said.words.say("org_price", other=other, ranks=price.ranks, parted=price.parted, made=price.made)
            )


@tournament.command()
@click.option("--round", "round_", type=int, default=0, help="Round (default: the last).")
@click.option(
    "--why",
    default="",
    help="The reason, if team-mates sit together, or the order that the tables were dealt in has changed.",
)
@click.pass_obj
def publish(said: RecordOptions, round_: int, why: str) -> None:
    """Publish the tables of a round.

    With a reason, keep published tables although results or drivers have changed since.
    """
    from companion.tournament.tournament import Published, Upheld

    def act(record: Any) -> Act:
        number = round_ or max(record.rounds, default=1)
        upholds = why and record.round(number).published is not None and record.seed_changes(number).any
        return Upheld(round=number, why=why) if upholds else Published(round=number, why=why)

    said.act(act)


@tournament.command()
@click.argument("table")
@click.argument("person", metavar="NAME")
@click.pass_obj
def steward(said: RecordOptions, table: str, person: str) -> None:
    """Name the steward of a table."""
    from companion.tournament.tournament import Steward

    said.act(lambda _: Steward(table=table, name=person))
