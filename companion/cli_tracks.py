"""`companion tracks`: circuits listed, checked, shown and imported at the terminal."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table

    from companion.rules.track import Corner, Section, Track

WIDEST = 100

WORDS = {
    "circuit": ("circuit", "circuit"),
    "name": ("name", "nom"),
    "known": ("known", "connu"),
    "laps": ("laps", "tours"),
    "lap": ("lap", "tour"),
    "corners": ("corners", "virages"),
    "stops": ("stops", "arrêts"),
    "trust": ("trust", "fiabilité"),
    "space": ("space", "case"),
    "corner": ("corner", "virage"),
    "to the space": ("known to the space", "connu à la case"),
    "to the corner": ("known to the corner", "connu au virage"),
    "section": ("section", "section"),
    "straight": ("straight", "ligne droite"),
    "shortest": ("shortest", "plus court"),
    "longest": ("longest", "plus long"),
    "spaces": ("spaces", "cases"),
    "unknown": ("not known", "inconnu"),
    "weather": ("weather", "météo"),
    "rain": ("rain", "pluie"),
    "changeable": ("changeable", "variable"),
    "sun": ("sun", "soleil"),
    "pits": ("pits", "stands"),
    "boxes": ("boxes", "stands"),
    "lane": ("lane", "couloir"),
    "wall": ("wall", "mur"),
    "source": ("source", "source"),
    "shortest lap": ("shortest lap", "tour le plus court"),
    "lap length": ("lap length", "longueur du tour"),
    "half": ("half spaces", "demi-cases"),
    "grid": ("grid slots", "places de grille"),
}
"""What the tables say, in English and French."""


@contextmanager
def complaining() -> Iterator[None]:
    """What is wrong is told on standard error, and the exit status is 1."""
    from companion.rules.errors import CompanionError

    try:
        yield
    except CompanionError as wrong:
        click.echo(str(wrong), err=True)
        raise SystemExit(1) from None


@click.group()
@click.option("--lang", type=click.Choice(["en", "fr"]), default=None, help="English or French; else the locale's.")
@click.pass_context
def tracks(ctx: click.Context, lang: str | None) -> None:
    """List, check, show and import circuits."""
    from companion.cli import spoken

    ctx.obj = lang or spoken()


@tracks.command("list")
@click.pass_obj
def list_tracks(lang: str) -> None:
    """List the circuits, and how well each is known."""
    from companion import circuits
    from companion.rules.errors import BadTrack

    with complaining():
        keys = circuits.keys()
    wrong = []
    heads = ("circuit", "name", "known", "laps", "corners", "stops", "lap", "trust")
    table = _table([_word(head, lang) for head in heads], right={3, 4, 5, 6})
    for key in keys:
        try:
            track = circuits.load(key)
        except BadTrack as why:
            wrong.append(str(why))
            continue
        table.add_row(
            key,
            track.name,
            _word(track.known, lang),
            str(track.laps.get("competition", "")),
            str(len(track.corners)),
            str(sum(corner.stops for corner in track.corners)),
            str(track.shortest_lap or ""),
            _in_short(track.trust),
        )
    _console().print(table)
    for complaint in wrong:
        click.echo(complaint, err=True)
    if wrong:
        raise SystemExit(1)


@tracks.command()
@click.argument("file")
@click.pass_obj
def check(lang: str, file: str) -> None:
    """Check the circuit in FILE (or a circuit by name): every complaint is one line."""
    from companion import circuits

    name = f"./{file}" if Path(file).is_file() and not Path(file).is_absolute() else file
    with complaining():
        complaints = circuits.complaints(name)
        if not complaints:
            track = circuits.load(name)
    if complaints:
        for complaint in complaints:
            click.echo(complaint, err=True)
        raise SystemExit(1)
    click.echo(f"{file}: {track.name}, {_how_known(track, lang)}, {_tally(track, lang)}.")


@tracks.command()
@click.argument("name")
@click.pass_obj
def show(lang: str, name: str) -> None:
    """Show a circuit: the board drawn as text, its sections, stops and paths."""
    from companion import board_text, circuits

    console = _console()
    with complaining():
        track = circuits.load(name)
        drawing = board_text.draw(track, {}, width=max(40, min(console.width, WIDEST)))
    console.print(f"[bold]{track.name}[/], {track.country}: {_how_known(track, lang)}, {_tally(track, lang)}")
    console.print(_facts(track, lang))
    if track.known == "space":
        for line in drawing:
            console.print(line, markup=False, no_wrap=True, crop=False)
        console.print()
        console.print(_sections(track, lang))
    else:
        console.print(_corners(track, lang))


@tracks.command("import")
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--out", type=click.Path(path_type=Path), help="Where to write the circuit; else it is printed.")
def import_track(file: Path, out: Path | None) -> None:
    """Read a .dat or .tdf board in FILE and write it as a circuit of ours.

    What could not be carried over is told on standard error. The exit status is 1 if the circuit needs a hand
    before it can be played.
    """
    from companion.importing import import_board

    with complaining():
        board = import_board(file)
    if out is None:
        click.echo(board.text, nl=False)
    else:
        _write(out, board.text)
    for note in board.notes:
        click.echo(note, err=True)
    if not board.playable:
        raise SystemExit(1)


def _write(out: Path, text: str) -> None:
    """Writes a file that is not there yet."""
    try:
        with out.open("x", encoding="utf-8") as new:
            new.write(text)
    except FileExistsError:
        click.echo(f"{out} is there already; name a file that is not.", err=True)
        raise SystemExit(1) from None
    except OSError as why:
        click.echo(f"{out} cannot be written: {why.strerror}.", err=True)
        raise SystemExit(1) from None
    click.echo(f"{out}: written; compare it with your board, then: companion tracks check {out}")


def _word(key: str, lang: str) -> str:
    return WORDS[key][lang == "fr"]


def _console() -> Console:
    from rich.console import Console

    return Console(highlight=False)


def _table(heads: list[str], right: set[int]) -> Table:
    from rich.table import Table

    table = Table(box=None, pad_edge=False, padding=(0, 1, 0, 0), header_style="bold")
    for column, head in enumerate(heads):
        table.add_column(head, justify="right" if column in right else "left", no_wrap=column == 0)
    return table


def _in_short(trust: str) -> str:
    """The first words of what a circuit says of its figures, up to a colon or semicolon."""
    return trust.partition(":")[0].partition(";")[0].strip()


def _how_known(track: Track, lang: str) -> str:
    return _word(f"to the {track.known}", lang)


def _tally(track: Track, lang: str) -> str:
    stops = sum(corner.stops for corner in track.corners)
    said = [f"{len(track.corners)} {_word('corners', lang)}", f"{stops} {_word('stops', lang)}"]
    if track.known == "space":
        on_track = sum(space.section >= 0 for space in track.spaces)
        said.insert(0, f"{on_track} {_word('spaces', lang)}")
    return ", ".join(said)


def _facts(track: Track, lang: str) -> Table:
    """What is to be said of a circuit before its board."""
    from rich.table import Table

    table = Table.grid(padding=(0, 2, 0, 0))
    table.add_column(style="dim")
    table.add_column(overflow="fold")
    table.add_row(_word("laps", lang), ", ".join(f"{book} {laps}" for book, laps in track.laps.items()))
    sky = ", ".join(
        f"{_word(name, lang)} {low}-{high}"
        for name, (low, high) in (
            ("rain", track.weather.rain),
            ("changeable", track.weather.changeable),
            ("sun", track.weather.sun),
        )
    )
    table.add_row(_word("weather", lang), sky)
    lap = f"{track.shortest_lap} {_word('spaces', lang)}" if track.shortest_lap else _word("unknown", lang)
    table.add_row(_word("shortest lap", lang), lap)
    if track.known == "space":
        half = f"{track.length} {_word('half', lang)}"
        table.add_row(_word("lap length", lang), f"{track.length / 2:g} {_word('spaces', lang)} ({half})")
        table.add_row(_word("grid", lang), str(len(track.grid)))
    if track.pit:
        pits = f"{len(track.pit.spaces)} {_word('spaces', lang)}, {track.box_count} {_word('boxes', lang)}"
        table.add_row(_word("pits", lang), pits)
    elif track.box_count:
        table.add_row(_word("pits", lang), f"{track.box_count} {_word('boxes', lang)}")
    for zone in track.zones:
        table.add_row("DRS", f"{zone.name}, {len(zone.spaces)} {_word('spaces', lang)}")
    if track.wall >= 0:
        table.add_row(_word("wall", lang), track.lanes[track.wall] if track.lanes else "✓")
    table.add_row(_word("source", lang), track.source)
    table.add_row(_word("trust", lang), track.trust)
    return table


def _sections(track: Track, lang: str) -> Table:
    heads = [_word(head, lang) for head in ("section", "name", "stops", "shortest", "longest")]
    table = _table([*heads, *track.lanes], right={0, 2, 3, 4, *range(5, 5 + len(track.lanes))})
    for section in track.sections:
        table.add_row(*_section_row(section, lang))
    total = [sum(len(section.lanes[lane]) for section in track.sections) for lane in range(len(track.lanes))]
    stops = sum(corner.stops for corner in track.corners)
    table.add_row("", "", str(stops), "", "", *map(str, total), style="bold")
    return table


def _section_row(section: Section, lang: str) -> list[str]:
    spaces = [str(len(lane)) for lane in section.lanes]
    if section.corner is None:
        return [str(section.index), _word("straight", lang), "", "", "", *spaces]
    return [str(section.index), *_paths(section.corner), *spaces]


def _paths(corner: Corner) -> list[str]:
    return [corner.name, str(corner.stops), str(corner.shortest), str(corner.longest)]


def _corners(track: Track, lang: str) -> Table:
    heads = [_word(head, lang) for head in ("name", "stops", "shortest", "longest")]
    table = _table(["", *heads], right={0, 2, 3, 4})
    for corner in track.corners:
        table.add_row(str(corner.number), *_paths(corner))
    return table
