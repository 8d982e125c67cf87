"""`companion sheets`, `sheet show`, `export` and `verify`: races that were kept, read from their logs."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table

    from companion.sheets.history import Entry
    from companion.sheets.sheet import Amended, CarSheet, Crossing, RaceSheet
    from companion.wording import Words

WORDS = {
    "race": ("race", "course"), "id": ("id", "id"), "begun": ("begun", "début"), "last": ("last", "dernier"),
    "track": ("circuit", "circuit"), "cars": ("cars", "voitures"), "round": ("round", "tour"),
    "over": ("over", "finie"),
    "car": ("car", "voiture"), "driver": ("driver", "pilote"), "team": ("team", "écurie"), "place": ("place", "place"),
    "laps": ("laps", "tours"), "status": ("status", "état"), "points": ("points", "points"),
    "result": ("Result", "Classement"),
    "wear": ("Wear points left, of those built", "Points restants, sur ceux du départ"),
    "order": ("Running order when each round began", "Ordre de course au début de chaque tour de jeu"),
    "crossed": ("Crossed off", "Points rayés"), "article": ("article", "article"), "why": ("why", "pourquoi"),
    "left": ("left", "reste"), "retirements": ("Retirements", "Abandons"),
    "overrides": ("The referee’s word", "Décisions du commissaire"), "corrections": ("Corrections", "Corrections"),
    "notes": ("Notes", "Notes"), "disputes": ("Disputed rulings", "Décisions contestées"), "lap": ("lap", "boucle"),
    "gear": ("gear", "vitesse"), "space": ("space", "case"), "weather": ("weather", "météo"),
    "answer": ("answer", "réponse"), "entry": ("entry", "écriture"), "was": ("was", "était"),
    "replayed": ("later answers that stood: {}, that fell away: {}", "réponses maintenues : {}, tombées : {}"),
    "stood": ("the board stood as it was", "le plateau est resté tel quel"),
    "unfollowed": ("answers that no longer follow: {}", "réponses qui ne suivent plus : {}"),
    "referee": ("set by the referee: {}", "fixé par le commissaire : {}"),
    "corrected": ("by a correction: {}", "par une correction : {}"),
    "entries": ("entries", "écritures"), "chain": ("chained without a break", "chaînées sans rupture"),
    "again": ("refereed again with the same rulings", "arbitrées de nouveau à l’identique"),
    "sound": ("The log is sound.", "Le journal est intact."),
    "empty": ("There are no races yet.", "Il n’y a encore aucune course."),
    "no_car": ("There is no car {} in this race; there are {}.", "Pas de voiture {} dans cette course ; il y a {}."),
    "written": ("written to {}", "écrit dans {}"),
}  # fmt: skip
"""What the sheets are labelled with, English and French."""

WIDE = 80
"""Columns of the sheets, whatever the terminal."""
ROUNDS = 12
"""How many rounds stand side by side."""


def _data(command: Any) -> Any:
    where = click.option("--data", type=click.Path(path_type=Path, file_okay=False), help="Folder of the races.")
    return where(
        click.option("--lang", type=click.Choice(["en", "fr"]), help="Language (default: the locale's).")(command)
    )


class _Say:
    """The labels of one language, and the sentences of the rules."""

    def __init__(self, lang: str | None) -> None:
        from companion.cli import spoken

        self.lang = lang or spoken()

    def __call__(self, key: str, *values: object) -> str:
        return WORDS[key][self.lang == "fr"].format(*values)

    @property
    def words(self) -> Words:
        from companion.wording import Words

        return Words(self.lang)


@click.command()
@_data
def sheets(data: Path | None, lang: str | None) -> None:
    """List the races that were kept, the last one first."""
    from companion.sheets.log import races, reading
    from companion.sheets.place import DATABASE, data_folder

    say, folder = _Say(lang), data_folder(data)
    if not (folder / DATABASE).exists():
        click.echo(say("empty"))
        return
    with reading(folder) as db:
        listed = races(db)
    console = _console()
    table = _table(say("id"), say("race"), say("begun"), say("last"), say("cars"), say("round"), numbers=(4, 5))
    for race in listed:
        round_ = say("over") if race.over else str(race.round)
        table.add_row(race.short, race.name, _time(race.begun), _time(race.last), str(race.cars), round_)
    console.print(table)


@click.group()
@_data
@click.pass_context
def sheet(ctx: click.Context, data: Path | None, lang: str | None) -> None:
    """The sheet of a race: show, export, verify. RACE is a name, an id, or "last"."""
    ctx.default_map = {name: {"data": data, "lang": lang} for name in ("show", "export", "verify")}


@sheet.command()
@click.argument("race", default="last")
@click.option("--car", type=int, help="One car's sheet.")
@_data
def show(race: str, car: int | None, data: Path | None, lang: str | None) -> None:
    """Show the sheet of RACE, or of one of its cars."""
    from companion.rules.errors import CompanionError
    from companion.sheets.history import History
    from companion.sheets.sheet import race_sheet

    say, console = _Say(lang), _console()
    whole = race_sheet(History.of(_entries(race, data)))
    if car is None:
        _race(console, whole, say)
        return
    one = whole.car(car)
    if one is None:
        raise CompanionError(say("no_car", car, ", ".join(str(other.car) for other in whole.cars)))
    _heading(console, whole, say)
    _car(console, one, say, _names(whole))


@click.command()
@click.argument("race", default="last")
@click.option("--json", "form", flag_value="json", help="The sheet and the whole log, with its hashes.")
@click.option("--csv", "form", flag_value="csv", help="What is in force, one row a ruling.")
@click.option("--out", type=click.Path(path_type=Path, dir_okay=False), help="A file (default: standard output).")
@_data
def export(race: str, form: str | None, out: Path | None, data: Path | None, lang: str | None) -> None:
    """Write RACE as JSON or CSV."""
    from companion.sheets.export import as_csv, as_json

    if form is None:
        raise click.UsageError("Say --json or --csv.")
    text = (as_json if form == "json" else as_csv)(_entries(race, data))
    if out is None:
        click.echo(text, nl=not text.endswith("\n"))
        return
    out.write_text(text, encoding="utf-8")
    click.echo(_Say(lang)("written", out), err=True)


@click.command()
@click.argument("race", default="last")
@_data
def verify(race: str, data: Path | None, lang: str | None) -> None:
    """Check RACE: its chain, and every ruling by refereeing it again. Exit status 1 if anything is wrong."""
    from companion.sheets.again import rulebook_of
    from companion.sheets.place import data_folder
    from companion.sheets.verify import verify as check

    say = _Say(lang)
    found = check(data_folder(data), race, rulebook_of)
    click.echo(f"{found.name} ({found.log_id[:8]}): {found.entries} {say('entries')}")
    click.echo(f"  {found.chained} {say('chain')}")
    click.echo(f"  {found.replayed} {say('again')} ({found.was})")
    if found.otherwise is not None:
        click.echo(f"  {found.otherwise.what}")
    for problem in found.problems:
        click.echo(f"  {problem.what}", err=True)
    if not found.sound:
        raise SystemExit(1)
    click.echo(say("sound"))


sheet.add_command(export)
sheet.add_command(verify)


def _entries(race: str, data: Path | None) -> list[Entry]:
    """The log of a race, its chain checked."""
    from companion.sheets.log import chained, entries, find, reading
    from companion.sheets.place import data_folder

    with reading(data_folder(data)) as db:
        found = find(db, race)
        return list(chained(entries(db, found.log_id), found.head))


# -- how it looks


def _console() -> Console:
    from rich.console import Console

    return Console(width=WIDE, highlight=False)


def _table(*heads: str, numbers: Sequence[int] = ()) -> Table:
    from rich import box
    from rich.table import Table

    table = Table(box=box.SIMPLE_HEAD, padding=(0, 1, 0, 0), header_style="bold", show_edge=False)
    for place, head in enumerate(heads):
        right = place in numbers
        table.add_column(head, justify="right" if right else "left", overflow="fold", no_wrap=right)
    return table


def _time(at: str) -> str:
    return at[:16].replace("T", " ")


def _names(sheet: RaceSheet) -> dict[int, str]:
    return {car.car: car.driver for car in sheet.cars if car.driver}


def _title(console: Console, text: str) -> None:
    console.print()
    console.print(text, style="bold cyan", markup=False)


def _heading(console: Console, sheet: RaceSheet, say: _Say) -> None:
    console.print(sheet.name, style="bold", markup=False)
    told = (
        f"{say('track')} {sheet.track} · {sheet.version} · {_time(sheet.begun)} UTC · {sheet.entries} {say('entries')}"
    )
    console.print(told, style="dim", markup=False)


def _race(console: Console, sheet: RaceSheet, say: _Say) -> None:
    words, names = say.words, _names(sheet)
    _heading(console, sheet, say)
    if sheet.result is not None:
        _title(console, say("result"))
        table = _table(
            say("place"), say("car"), say("driver"), say("laps"), say("points"), say("status"), numbers=(0, 1, 3, 4)
        )
        for row in sheet.result:
            number = row["car"]
            table.add_row(
                str(row.get("place") or "–"), str(number), names.get(number, ""), str(row.get("laps", "")),
                str(row.get("points", "")), _worded(words, "status", row.get("status", "")),
            )  # fmt: skip
        console.print(table)
    _title(console, say("wear"))
    console.print(_wear(sheet, say, words))
    _title(console, say("order"))
    for start in range(0, len(sheet.rounds), ROUNDS):
        console.print(_rounds(sheet, start, say, words))
    _lines(console, say("retirements"), _retirements(sheet, say, words))
    _lines(console, say("overrides"), _overrides(sheet, say))
    _lines(console, say("corrections"), (_correction(one, say) for one in sheet.corrections))
    _lines(console, say("notes"), (f"{_time(note.at)} {note.by}: {note.text}" for note in sheet.notes))
    _lines(
        console,
        say("disputes"),
        (f"{_time(one.at)} {one.by}, {say('entry')} {one.about}: {one.text}" for one in sheet.disputes),
    )


def _wear(sheet: RaceSheet, say: _Say, words: Words) -> Table:
    from companion.rules.race import POOLS

    table = _table(
        say("car"), say("driver"), *(words.word("pool_short", pool) for pool in POOLS), "", numbers=range(2, 8)
    )
    for car in sheet.cars:
        pools = (f"{car.wear.get(pool, 0)}/{car.built.get(pool, 0)}" for pool in POOLS)
        state = f"{_worded(words, 'tyres', car.tyres)}, {_worded(words, 'status', car.status)}"
        table.add_row(str(car.car), car.driver, *pools, state)
    return table


def _rounds(sheet: RaceSheet, start: int, say: _Say, words: Words) -> Table:
    lines = sheet.rounds[start : start + ROUNDS]
    table = _table(say("round"), *(str(line.round) for line in lines), numbers=range(1, len(lines) + 1))
    for place in range(max(len(line.order) for line in lines)):
        cells = (str(line.order[place]) if place < len(line.order) else "" for line in lines)
        table.add_row(str(place + 1), *cells)
    surfaces = [_worded(words, "surface", line.surface)[:3] for line in lines]
    table.add_row(say("weather"), *surfaces, style="dim")
    return table


def _worded(words: Words, table: str, key: str) -> str:
    """A word of the locale, or the key itself where a rulebook has one that the locale lacks."""
    try:
        return words.word(table, key)
    except LookupError:
        return key


def _lines(console: Console, title: str, lines: Iterator[str]) -> None:
    told = list(lines)
    if told:
        _title(console, title)
        for line in told:
            wrapped = textwrap.fill(line, WIDE, initial_indent="  ", subsequent_indent="    ", break_on_hyphens=False)
            console.print(wrapped, markup=False)


def _retirements(sheet: RaceSheet, say: _Say, words: Words) -> Iterator[str]:
    for one in sheet.retirements:
        cause = _worded(words, "cause", one.cause)
        yield f"{say('round')} {one.round}: {words.number(one.car, _names(sheet))}, {cause} [{one.article}]"


def _overrides(sheet: RaceSheet, say: _Say) -> Iterator[str]:
    for one in sheet.overrides:
        what = _plain(one.change) if one.change is not None else f"{one.ask} {_plain(one.answer)}"
        car = f"{say('car')} {one.car}, " if one.car is not None else ""
        yield f"{_time(one.at)} {one.by}, {say('answer')} {one.n}: {car}{what} ({one.why})"


def _correction(one: Amended, say: _Say) -> str:
    car = f"{say('car')} {one.car}, " if one.car is not None else ""
    if one.keep == "replay":
        then = say("replayed", one.kept, len(one.fell))
    else:
        then = say("stood") + (f", {say('unfollowed', len(one.fell))}" if one.fell else "")
    why = f" ({one.why})" if one.why else ""
    return (
        f"{_time(one.at)} {one.by}, {say('answer')} {one.n}: {car}{one.ask} {_plain(one.answer)}, "
        f"{say('was')} {_plain(one.was)}; {then}{why}"
    )


def _plain(answer: Any) -> str:
    import json

    return json.dumps(answer, ensure_ascii=False)


def _car(console: Console, car: CarSheet, say: _Say, names: dict[int, str]) -> None:
    from companion.rules.race import POOLS

    words = say.words
    team = f" ({car.team})" if car.team else ""
    _title(console, f"{say('car')} {words.number(car.car, names)}{team}: {_worded(words, 'status', car.status)}")
    for pool in POOLS:
        left, built = car.wear.get(pool, 0), car.built.get(pool, 0)
        boxes = "□" * left + "■" * max(0, built - left)
        console.print(f"  {words.word('pool', pool):<12} {boxes}  {left}/{built}", markup=False)
    if car.crossings:
        _title(console, say("crossed"))
        table = _table(say("round"), "", say("left"), say("article"), say("why"), numbers=(0, 2))
        for one in car.crossings:
            cost = words.cost({one.pool: one.points})
            table.add_row(str(one.round), cost, str(one.left), one.article, _reason(one, car, say, words, names))
        console.print(table)
    if car.places:
        _title(console, say("order"))
        table = _table(
            say("round"), say("place"), say("lap"), say("gear"), say("space"), say("status"), numbers=(0, 1, 2, 3)
        )
        for place in car.places:
            table.add_row(
                str(place.round), str(place.place or "–"), str(place.lap), str(place.gear), place.at or "–",
                _worded(words, "status", place.status),
            )  # fmt: skip
        console.print(table)


def _reason(one: Crossing, car: CarSheet, say: _Say, words: Words, names: dict[int, str]) -> str:
    from companion.rules.conversation import Ruling

    if one.kind in ("override", "correction") and "why" in one.facts:
        return say("referee" if one.kind == "override" else "corrected", one.facts["why"])
    try:
        return words.ruling(Ruling(one.kind, one.article, car.car, {one.pool: one.points}, one.facts), names)
    except LookupError:
        return one.kind
