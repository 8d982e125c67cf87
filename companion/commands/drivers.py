"""The `companion drivers` command: precomputed tables, and the best pace that dice allow."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import click

from companion.commands.groups import CommandGroup
from companion.commands.telling import telling, told
from companion.commands.tracks import complaining
from companion.options import as_rulebook, in_folder, in_language

if TYPE_CHECKING:
    from companion.rules.circuit.track import Track
    from companion.rules.conversation.asking import Json
    from companion.rules.conversation.kinds import Surface
    from companion.tournament.trial import Tyres
    from companion.wording import Words

_rulebook = click.option(
    "--rulebook", default="competition", callback=as_rulebook, show_default=True, help="Rulebook, one with dice."
)


@click.group(cls=CommandGroup)
@in_folder
@in_language
@click.pass_context
def drivers(ctx: click.Context, folder: Path, words: Words) -> None:
    """Prepare the strong drivers, and measure the best pace."""
    ctx.obj = words


def _circuits(track: str) -> list[Track]:
    """Return the circuit of that name, or all known to the space.

    Raises LogError for a corner sheet.
    """
    from companion import circuits
    from companion.rules.conversation.errors import LogError

    named = [circuits.load(name) for name in ([track] if track else circuits.keys())]
    if found := [one for one in named if one.known == "space"]:
        return found
    raise LogError("no_sheet_tables")


@drivers.command()
@click.option("--track", default="", metavar="NAME", help="Circuit: a name, or a .toml file (else all).")
@_rulebook
@click.option("--laps", type=click.IntRange(1, 99), help="Laps of the race (else those of the circuit).")
@click.option("--race", default="", metavar="RACE", help="Prepare what this stored race needs.")
@in_folder
@told
@click.pass_obj
def prepare(words: Words, track: str, rulebook: str, laps: int | None, race: str, folder: Path, told: bool) -> None:
    """Prepare the tables of the strong drivers.

    Each takes seconds, on your own boards a minute, and is kept.
    """
    from companion.drivers.prepared import LONGEST, from_cache, scenes
    from companion.drivers.prepared import prepare as work_out
    from companion.drivers.turn_graph import Course

    with complaining(words):
        options: Mapping[str, Json] = {}
        if race:
            circuit, rulebook, laps, options = _of_race(race, folder)
        found = [circuit] if race else _circuits(track)
        for circuit in found:
            wanted = scenes(circuit, rulebook, options)
            for number, scene in enumerate(wanted):
                course = Course(circuit, scene, options)
                ahead = min(laps or course.laps, LONGEST)
                said = words.say("drivers_table", track=circuit.name, surface=scene.surface, tyres=scene.tyres)
                if from_cache(course, ahead):
                    click.echo(words.say("drivers_kept", table=said))
                    continue
                with telling(said, told, number, len(wanted)) as tell:
                    work_out(course, ahead, tell)


def _of_race(race: str, folder: Path) -> tuple[Track, str, int, Mapping[str, Json]]:
    """Return the circuit, rulebook, laps and changed figures of a stored race.

    Raises LogError if its drivers use no tables.
    """
    from companion.drivers.registry import changed
    from companion.rules.conversation.errors import LogError
    from companion.rules.dice.formula_de import FormulaDe
    from companion.sheets.history import History
    from companion.sheets.replay import rulebook_of
    from companion.sheets.stored_race import read_log

    beginning = History.of(read_log(folder, race)).beginning
    assert beginning is not None
    book = rulebook_of(beginning.setup, beginning.track)
    if not isinstance(book, FormulaDe) or book.track.known != "space":
        raise LogError("no_tables")
    return book.track, book.name, book.race.laps, changed(book)


@drivers.command()
@click.option("--track", default="monaco", show_default=True, metavar="NAME", help="Circuit known to the space.")
@_rulebook
@click.option("--laps", type=click.IntRange(1, 99), help="Laps of the race (else those of the circuit).")
@click.option(
    "--price", type=click.FloatRange(0, 10), multiple=True, default=(0.35,), show_default=True,
    help="Cost of a point of wear in turns; repeat it for several.",
)  # fmt: skip
@click.pass_obj
def limit(words: Words, track: str, rulebook: str, laps: int | None, price: tuple[float, ...]) -> None:
    """Measure the average turns of a race alone, dry and on hard tyres.

    Points have no end here: one is spent wherever it saves more turns than --price, and what is spent so is shown. With
    --price 0 points cost nothing, and it is the fewest turns that the dice allow.
    """
    from companion.drivers.shipped import work_out
    from companion.drivers.turn_graph import Course, Scene
    from companion.drivers.values import limit as pace_of
    from companion.view.setup.new_race import rulebook_name

    with complaining(words):
        for circuit in _circuits(track):
            course = Course(circuit, Scene(rulebook, "dry", "hard"))
            work_out(course)
            many, book = laps or course.laps, rulebook_name(rulebook, words)
            click.echo(words.say("drivers_limit_of", track=circuit.name, rulebook=book, laps=many))
            for one in price:
                pace = pace_of(course, one, many)
                shown = {pool: points for pool, points in pace.spent.items() if points >= 0.05}
                spent = ", ".join(
                    f"{words.word('pool', pool)} {words.decimal(points)}" for pool, points in shown.items()
                )
                said = words.say(
                    "drivers_limit", price=words.decimal(one, 2), turns=words.decimal(pace.turns), spent=spent,
                    free=not one,
                )  # fmt: skip
                click.echo(said)


@drivers.command()
@click.option("--track", default="monaco", show_default=True, metavar="NAME", help="Circuit known to the space.")
@click.option("--tyres", type=click.Choice(["hard", "soft", "rain"]), multiple=True, help="Compound (else all).")
@click.option("--wet", is_flag=True, help="Drive on a wet track.")
@told
@click.pass_obj
def lap(words: Words, track: str, tyres: tuple[Tyres, ...], wet: bool, told: bool) -> None:
    """Measure the fewest throws of a trial, on average.

    Each compound is calculated once and kept.
    """
    from companion.drivers.lap import best_lap
    from companion.tournament.trial import COMPOUNDS

    with complaining(words):
        for circuit in _circuits(track):
            for number, one in enumerate(wanted := tyres or COMPOUNDS):
                surface: Surface = "wet" if wet else "dry"
                said = words.say("drivers_table", track=circuit.name, surface=surface, tyres=one)
                with telling(said, told, number, len(wanted)) as tell:
                    best = best_lap(circuit, one, surface, tell)
                click.echo(words.say("drivers_lap", table=said, throws=words.decimal(best.throws)))
