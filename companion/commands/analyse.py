"""The `companion races analyse` command: luck and mistakes in a race, from its log."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from companion.commands.telling import telling, told
from companion.options import in_folder, in_language

if TYPE_CHECKING:
    from companion.analysis.findings import Analysis, Moment
    from companion.rules.conversation.asking import Json
    from companion.rules.conversation.kinds import Ask
    from companion.terminal.screen import RacePrinter
    from companion.wording import Words


COLUMNS: Final = 8
"""Maximum number of rounds that fit beside a name in 80 columns."""


@click.command()
@click.argument("race", default="last")
@click.option("--json", "plain", is_flag=True, help="Print JSON, for programs.")
@in_folder
@in_language
@told
def analyse(race: str, plain: bool, folder: Path, words: Words, told: bool) -> None:
    """Show luck and mistakes of each driver in RACE.

    With --json and --told the results so far are written to standard error too, round by round.
    """
    from companion.analysis import analysed
    from companion.sheets.history import History
    from companion.sheets.stored_race import read_log
    from companion.terminal.screen import RacePrinter

    history = History.of(read_log(folder, race))
    with telling(words.say("analysis_works"), told) as tell_share:
        found = analysed(history, tell_share, so_far if plain and told else None)
    if plain:
        click.echo(json_line(found))
    else:
        tell(RacePrinter(words), found)


def json_line(found: Analysis) -> bytes:
    """Return an analysis as a line of JSON."""
    import msgspec

    return json.dumps(msgspec.to_builtins(found, str_keys=True), ensure_ascii=False).encode()


def so_far(found: Analysis) -> None:
    """Print a partial analysis to standard error, for programs."""
    click.echo(json_line(found), err=True)


def tell(screen: RacePrinter, found: Analysis) -> None:
    """Print the drivers' luck and mistakes or their chances, and the turning points."""
    words = screen.words
    words.rulebook = found.rulebook
    names = {one.car: one.driver for one in found.drivers if one.driver}
    wide = max([12, *(len(words.number(one.car, names)) for one in found.drivers)]) + 1
    screen.line()
    screen.rule(words.say("analysis_title", name=found.name, track=found.track, rounds=found.rounds))
    if found.weighed:
        _weighed(screen, found, names, wide)
    else:
        _chances(screen, found, names, wide)
    screen.line()
    if found.turning:
        screen.line((words.say("analysis_turning"), "bold"))
    for moment in found.turning:
        _moment(screen, moment, names)


def _weighed(screen: RacePrinter, found: Analysis, names: dict[int, str], wide: int) -> None:
    """Print each driver's luck and mistakes, and their costliest moments."""
    words = screen.words
    heads = [words.say("analysis_luck"), words.say("analysis_mistakes"), words.say("analysis_a_turn")]
    screen.line((f"  {'':3} {'':{wide}}" + "".join(f"{head:>10}" for head in heads), "bold"))
    for one in found.drivers:
        figures = (one.luck, -one.mistakes, -one.mistakes / max(one.turns, 1))
        said = "".join(f"{signed(words.decimal(abs(figure), 2), figure):>10}" for figure in figures)
        screen.line(f"  {one.place or '–':>3} {words.number(one.car, names):{wide}}{said}")
    screen.line()
    screen.line((words.say("analysis_dearest"), "bold"))
    for one in found.drivers:
        for moment in one.dearest:
            _moment(screen, moment, names)


def _chances(screen: RacePrinter, found: Analysis, names: dict[int, str], wide: int) -> None:
    """Print each car's chance to win, at the rounds that were analysed."""
    words = screen.words
    looked = [(number, of) for number, of in enumerate(found.chances, 1) if of]
    shown = [(number, words.chances(of)) for number, of in looked[:: max(1, -(-len(looked) // COLUMNS))]]
    heads = "".join(f"{words.screen('sheet.round_short', round=number):>6}" for number, _ in shown)
    screen.line((f"  {'':3} {'':{wide}}{heads}", "bold"))
    for one in found.drivers:
        said = "".join(f"{of.get(one.car, words.chance(0)):>6}" for _, of in shown)
        screen.line(f"  {one.place or '–':>3} {words.number(one.car, names):{wide}}{said}")


def _moment(screen: RacePrinter, moment: Moment, names: dict[int, str]) -> None:
    from companion.view.pages.analysis import span

    words = screen.words
    if moment.until:
        rounds = span(words, moment)
        share = {"before": round(100 * moment.before), "after": round(100 * moment.after)}
        screen.wrapped(words.say("analysis_rounds", names, car=moment.car, rounds=rounds, **share), first="  ")
        return
    rolled = moment.ask == "roll"
    stood = words.screen("analysis.stood") if moment.luck else named(words, moment.ask, moment.answer, names)
    said = words.say(
        "analysis_moment", names, car=moment.car, round=moment.round,
        answer=str(moment.answer) if rolled else stood, gear=int(moment.what[-1]) if rolled else 0, rolled=rolled,
        better=named(words, moment.ask, moment.better, names) if moment.mistake else "",
        turns=signed(words.decimal(abs(moment.luck or moment.mistake), 1), moment.luck or -moment.mistake),
        before=round(100 * moment.before), after=round(100 * moment.after),
    )  # fmt: skip
    screen.wrapped(said, first="  ")


def named(words: Words, ask: Ask, answer: Json, names: dict[int, str]) -> str:
    """Return an answer in words, with the way to its space if there are several."""
    from companion.rules.conversation.asking import Option

    said, how = words.option(ask, answer, names), words.note(ask, Option(answer))
    return f"{said} ({how})" if how else said


def signed(said: str, value: float) -> str:
    """Return a figure with its sign."""
    return f"{'−' if value < 0 else '+'}{said}"
