"""The `companion tracks` command: list, check, show and import circuits."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from textwrap import fill
from typing import TYPE_CHECKING, Final

import click

from companion.commands.groups import CommandGroup
from companion.options import in_folder, in_language

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table

    from companion.rules.circuit.track import Corner, Section, Track
    from companion.rules.ninety.circuit import SectionTrack, Trajectory
    from companion.wording import Words

WIDEST = 100

TABLE_COLUMNS: Final = 72
"""Columns below which a list has the facts of each row below its name."""
NAME_WIDTH: Final = 13
"""Fewest columns for the names of circuits, in letters."""
_END_BLANKS: Final = re.compile(r" +(?=(?:\x1b\[[\d;]*m)*$)")


@contextmanager
def complaining(words: Words) -> Iterator[None]:
    """Print a CompanionError of the block to standard error, and exit with status 1."""
    from companion.rules.conversation.errors import CompanionError

    try:
        yield
    except CompanionError as wrong:
        click.echo(words.error(wrong), err=True)
        raise SystemExit(1) from None


@click.group(cls=CommandGroup)
@in_folder
@in_language
@click.pass_context
def tracks(ctx: click.Context, folder: Path, words: Words) -> None:
    """List, show, check and import circuits.

    Three ways lead from your board to a race, the best one first:

    \b
    known to the space  template FILE --kind spaces: the program moves the cars
    a corner sheet      list, or --kind corners: you say where each car stopped
    imported            import FILE: a hobby program's drawing, to be compared
    """  # noqa: D301 - click reads the backspace
    ctx.obj = words


@tracks.command("list")
@click.pass_obj
def list_tracks(words: Words) -> None:
    """List the circuits; your own boards come last."""
    from companion import circuits
    from companion.rules.conversation.errors import BadTrack
    from companion.rules.ninety.circuit import SectionTrack
    from companion.view.setup.new_race import trust

    with complaining(words):
        keys = [*circuits.keys(), *circuits.section_keys()]
    wrong = []
    figures = ("laps", "corners", "stops", "lap")
    rows: list[tuple[str, ...]] = []
    for key, where in [(key, key) for key in keys] + [(path.stem, str(path)) for path in circuits.own()]:
        try:
            track = circuits.board(where)
        except BadTrack as why:
            wrong.append(words.error(why))
            continue
        if isinstance(track, SectionTrack):
            count, known = len(track.corners), words.word("circuit", track.known)
            rows.append((key, track.name, known, "", str(count), "", "", trust(track, words)))
            continue
        stops = sum(corner.stops for corner in track.corners)
        numbers = (track.laps.get("competition", ""), len(track.corners), stops, track.shortest_lap or "")
        rows.append((key, track.name, words.word("circuit", track.known), *map(str, numbers), trust(track, words)))
    console = _console()
    heads = ("circuit", "name", "known", *figures, "trust")
    titles = [words.word("circuit", head) for head in heads]
    columns = list(zip(titles, *rows, strict=True))
    least = [max(len(word) for text in texts for word in text.split() or [""]) for texts in columns]
    least[1] = NAME_WIDTH
    if console.width < max(TABLE_COLUMNS, sum(least) + len(least)):
        for key, name, known, *counts, trusted in rows:
            sizes = [f"{words.word('circuit', head)} {n}" for head, n in zip(figures, counts, strict=True) if n]
            console.print(key, style="bold")
            about = ", ".join((name, known, *sizes, trusted))
            console.print(fill(about, console.width, initial_indent="  ", subsequent_indent="  "), soft_wrap=True)
    else:
        table = _table(titles, {heads.index(head) for head in figures})
        taken = sum(max(map(len, texts)) + 1 for at, texts in enumerate(columns) if at != 1)
        for column, width in zip(table.columns, least, strict=True):
            column.min_width = width
        for key, name, *rest in rows:
            table.add_row(key, fill(name, max(console.width - taken - 1, NAME_WIDTH)), *rest)
        _print_table(console, table)
    click.echo(fill(words.say("tracks_laps"), console.width))
    for complaint in wrong:
        click.echo(complaint, err=True)
    if wrong:
        raise SystemExit(1)


@tracks.command()
@click.argument("file")
@click.pass_obj
def check(words: Words, file: str) -> None:
    """Check the circuit in FILE, one line for each fault.

    FILE may be the name of a circuit. First come faults that keep it from being raced, with exit status 1; then what
    you should compare with your board, which may be printed so.
    """
    from companion import circuits

    name = f"./{file}" if Path(file).is_file() and not Path(file).is_absolute() else file
    with complaining(words):
        barred, compare = circuits.judged(name)
        if not barred:
            track = circuits.board(name)
    for head, complaints in ((words.say("check_barred"), barred), (words.say("check_compare"), compare)):
        if complaints:
            click.echo(head, err=True)
        for complaint in complaints:
            click.echo(words.error(complaint), err=True)
    if barred:
        raise SystemExit(1)
    click.echo(f"{file}{words.say('colon')}{track.name}, {_detail_text(track, words)}.")


@tracks.command()
@click.argument("name")
@click.pass_obj
def show(words: Words, name: str) -> None:
    """Show a circuit: board, sections, stops and paths."""
    from companion import circuits
    from companion.rules.ninety.circuit import SectionTrack
    from companion.terminal import board_text

    console = _console()
    with complaining(words):
        track = circuits.board(name)
        if isinstance(track, SectionTrack):
            _show_sections(console, track, words)
            return
        drawing = board_text.draw(track, {}, width=max(40, min(console.width, WIDEST)), lang=words.lang)
    _heading(console, track, words)
    _print_table(console, _facts(track, words))
    if track.known == "space":
        for line in drawing:
            console.print(line, no_wrap=True, crop=False)
        console.print()
        _print_table(console, _sections(track, words))
    else:
        _print_table(console, _corners(track, words))


@tracks.command()
@click.argument("out", metavar="FILE", type=click.Path(path_type=Path))
@click.option(
    "--kind",
    type=click.Choice(["sections", "spaces", "corners"]),
    default="sections",
    show_default=True,
    help="For the race of cards; known to the space; known to the corner.",
)
@click.pass_obj
def template(words: Words, out: Path, kind: str) -> None:
    """Write a template for your own board into FILE."""
    from companion import circuits

    with complaining(words):
        _write(out, circuits.template(kind, words.lang))
    click.echo(words.say("template_written", out=str(out)))


@tracks.command("import")
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--out", type=click.Path(path_type=Path), help="Write to this file (default: standard output).")
@click.pass_obj
def import_track(words: Words, file: Path, out: Path | None) -> None:
    """Import a .dat or .tdf board from FILE.

    Standard error says what could not be converted, what keeps the circuit from being raced, and what you should
    compare with your board. The exit status is 1 if you have to edit the circuit before it can be raced.
    """
    from companion.importing import import_board

    with complaining(words):
        board = import_board(file)
    if out is None:
        click.echo(board.text.encode(), nl=False)
    else:
        with complaining(words):
            _write(out, board.text)
        click.echo(words.say("circuit_written", out=str(out)))
    for note in board.notes:
        click.echo(words.error(note), err=True)
    if not board.playable:
        raise SystemExit(1)


def _write(out: Path, text: str) -> None:
    """Write a new file. Raises BadTrack if it exists or cannot be written."""
    from companion.rules.conversation.errors import BadTrack

    try:
        with out.open("x", encoding="utf-8") as new:
            new.write(text)
    except FileExistsError:
        raise BadTrack("file_there", out=out) from None
    except OSError as why:
        raise BadTrack("not_written.output", out=out, wrong=why.strerror) from None


def _console() -> Console:
    from rich.console import Console

    return Console(highlight=False, markup=False, emoji=False)


def _table(heads: list[str], right: set[int]) -> Table:
    """Return an empty table."""
    from rich.table import Table

    table = Table(box=None, pad_edge=False, padding=(0, 1, 0, 0), header_style="bold")
    for column, head in enumerate(heads):
        whole = column in right or column == 0  # figures are never cut
        table.add_column(head, justify="right" if column in right else "left", no_wrap=whole, overflow="fold")
    return table


def _print_table(console: Console, table: Table) -> None:
    """Print a table without blanks at the ends of its lines."""
    with console.capture() as printed:
        console.print(table)
    for line in printed.get().splitlines():
        console.file.write(_END_BLANKS.sub("", line) + "\n")


def _show_sections(console: Console, track: SectionTrack, words: Words) -> None:
    """Print a circuit of sections, one row per section."""
    _heading(console, track, words)
    console.print(words.say("circuit_turns", turns=track.turns, pit=track.pit))
    heads = [words.word("circuit", head) for head in ("section", "kind", "name", "bonus", "late", "trajectories")]
    table = _table(heads, right={0, 3, 4})
    for number, section in enumerate(track.sections, 1):
        points = ", ".join(_point(point, words) for point in section.trajectories)
        corner = section.kind == "corner"
        table.add_row(
            str(number), words.word("circuit", section.kind), section.name, str(section.bonus) if corner else "",
            section.late.text if section.late else "", points,
        )  # fmt: skip
    _print_table(console, table)


def _point(point: Trajectory, words: Words) -> str:
    """Return an ideal line in words: colour, bonus and check."""
    return f"{words.word('colour', point.colour)} {point.bonus} {point.check}".rstrip()


def _heading(console: Console, track: Track | SectionTrack, words: Words) -> None:
    from rich.text import Text

    rest = f", {track.country}{words.say('colon')}{_detail_text(track, words)}"
    console.print(Text.assemble((track.name, "bold"), rest))


def _detail_text(track: Track | SectionTrack, words: Words) -> str:
    """Return in words how well a circuit is known, and its size."""
    from companion.rules.ninety.circuit import SectionTrack

    if isinstance(track, SectionTrack):
        return words.say("circuit_sections", sections=len(track.sections), corners=len(track.corners))
    on_track = sum(space.section >= 0 for space in track.spaces)
    stops = sum(corner.stops for corner in track.corners)
    corners = len(track.corners)
    return words.say("circuit_known", known=track.known, spaces=on_track, corners=corners, stops=stops)


def _driven_here(track: Track) -> Iterator[str]:
    """Yield the names of the rulebooks that can be played on a circuit."""
    from companion.rules.conversation.errors import BadSetup
    from companion.rules.rulebooks import RULEBOOKS, check_circuit

    for name, kind in RULEBOOKS.items():
        with suppress(BadSetup):
            check_circuit(kind, track)
            yield name


def _facts(track: Track, words: Words) -> Table:
    """Return the facts of a circuit as a table, to print before its board."""
    from rich.table import Table

    from companion.rules.rulebooks import laps_on

    table = Table.grid(padding=(0, 2, 0, 0))
    table.add_column(style="dim")
    table.add_column(overflow="fold")

    def add(head: str, said: str) -> None:
        table.add_row(words.word("circuit", head), said)

    def spaces(count: float) -> str:
        return words.say("circuit_spaces", count=int(count) if count == int(count) else count)

    add("laps", ", ".join(f"{book} {laps_on(book, track)}" for book in _driven_here(track)))
    bands = (("rain", track.weather.rain), ("changeable", track.weather.changeable), ("sun", track.weather.sun))
    add("weather", ", ".join(f"{words.word('sky', sky)} {low}-{high}" for sky, (low, high) in bands))
    add("shortest_lap", spaces(track.shortest_lap) if track.shortest_lap else words.word("circuit", "unknown"))
    if track.known == "space":
        halves = words.say("circuit_halves", count=track.length)
        add("lap_length", f"{spaces(track.length / 2)} ({halves})")
        add("grid", str(len(track.grid)))
    if track.box_count:
        boxes = words.say("circuit_boxes", count=track.box_count)
        add("pits", f"{spaces(len(track.pit.spaces))}, {boxes}" if track.pit else boxes)
    for zone in track.zones:
        proposed = f", {words.word('circuit', 'proposed')}" if zone.proposed else ""
        table.add_row("DRS", f"{words.corner(zone.name)}, {spaces(len(zone.spaces))}{proposed}")
    if track.wall >= 0:
        add("wall", words.word("lane", track.lanes[track.wall]) if track.lanes else "✓")
    add("source", track.source)
    add("trust", track.trust)
    return table


def _sections(track: Track, words: Words) -> Table:
    heads = [words.word("circuit", head) for head in ("section", "name", "stops", "shortest", "longest")]
    lanes = [words.word("lane", lane) for lane in track.lanes]
    table = _table([*heads, *lanes], right={0, 2, 3, 4, *range(5, 5 + len(track.lanes))})
    for section in track.sections:
        table.add_row(*_section_row(section, words))
    total = [sum(len(section.lanes[lane]) for section in track.sections) for lane in range(len(track.lanes))]
    stops = sum(corner.stops for corner in track.corners)
    table.add_row("", "", str(stops), "", "", *map(str, total), style="bold")
    return table


def _section_row(section: Section, words: Words) -> list[str]:
    spaces = [str(len(lane)) for lane in section.lanes]
    if section.corner is None:
        return [str(section.index), words.word("circuit", "straight"), "", "", "", *spaces]
    return [str(section.index), *_paths(section.corner, words), *spaces]


def _paths(corner: Corner, words: Words) -> list[str]:
    from companion.wording import capital

    return [capital(words.corner(corner.name)), str(corner.stops), str(corner.shortest), str(corner.longest)]


def _corners(track: Track, words: Words) -> Table:
    heads = [words.word("circuit", head) for head in ("name", "stops", "shortest", "longest")]
    table = _table(["", *heads], right={0, 2, 3, 4})
    for corner in track.corners:
        table.add_row(str(corner.number), *_paths(corner, words))
    return table
