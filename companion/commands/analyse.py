"""`companion analyse`: who was lucky in a race and what each mistake cost, from its log."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from companion.commands.telling import telling, told
from companion.options import in_folder, in_language
from companion.rules.conversation.asking import Json, Option
from companion.rules.conversation.kinds import Ask

if TYPE_CHECKING:
    from companion.analysis.findings import Analysis, Moment
    from companion.terminal.screen import Screen
    from companion.wording import Words


COLUMNS: Final = 8
"""Rounds that fit beside a name in 80 columns."""


@click.command()
@click.argument("race", default="last")
@click.option("--json", "plain", is_flag=True, help="All that was found, as JSON.")
@in_folder
@in_language
@told
def analyse(race: str, plain: bool, folder: Path, words: Words, told: bool) -> None:
    """Tell of RACE (a name, an id, or "last") who was lucky, and what each decision cost in turns.

    With --json and --told what was found so far comes on standard error too, round by round.
    """
    from companion.analysis import analysed
    from companion.commands.sheets import entries_of
    from companion.sheets.history import History
    from companion.terminal.screen import Screen

    history = History.of(entries_of(race, folder))
    with telling(words.say("analysis_works"), told) as tell_share:
        found = analysed(history, tell_share, so_far if plain and told else None)
    if plain:
        click.echo(written(found))
    else:
        tell(Screen(words), found)


def written(found: Analysis) -> bytes:
    """An analysis as a line of JSON."""
    import msgspec

    return json.dumps(msgspec.to_builtins(found, str_keys=True), ensure_ascii=False).encode()


def so_far(found: Analysis) -> None:
    """Tells a program what was found of a race by now."""
    click.echo(written(found), err=True)


def tell(screen: Screen, found: Analysis) -> None:
    """The drivers with their luck and mistakes, their dearest decisions, and where the race turned."""
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


def _weighed(screen: Screen, found: Analysis, names: dict[int, str], wide: int) -> None:
    """Luck and mistakes of each driver, and the dearest of these."""
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


def _chances(screen: Screen, found: Analysis, names: dict[int, str], wide: int) -> None:
    """Each car's chance to win, at the rounds that were looked at."""
    words = screen.words
    looked = [(number, of) for number, of in enumerate(found.chances, 1) if of]
    shown = [(number, words.chances(of)) for number, of in looked[:: max(1, -(-len(looked) // COLUMNS))]]
    heads = "".join(f"{words.screen('sheet.round_short', round=number):>6}" for number, _ in shown)
    screen.line((f"  {'':3} {'':{wide}}{heads}", "bold"))
    for one in found.drivers:
        said = "".join(f"{of.get(one.car, words.chance(0)):>6}" for _, of in shown)
        screen.line(f"  {one.place or '–':>3} {words.number(one.car, names):{wide}}{said}")


def _moment(screen: Screen, moment: Moment, names: dict[int, str]) -> None:
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
    """An answer, and how a space is reached that may be reached otherwise too."""
    said, how = words.option(ask, answer, names), words.note(ask, Option(answer))
    return f"{said} ({how})" if how else said


def signed(said: str, value: float) -> str:
    """A figure with its sign."""
    return f"{'−' if value < 0 else '+'}{said}"
