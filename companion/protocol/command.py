"""The `companion referee` command: the line protocol on standard input and output."""

from __future__ import annotations

import json
import sys
import time
from codecs import BOM_UTF8
from collections.abc import Callable, Iterable, Iterator
from io import FileIO
from pathlib import Path
from queue import Queue
from threading import Thread
from typing import IO, Final, Protocol

import click

from companion.options import as_rulebook, global_data, in_language, in_memory
from companion.protocol.by_lines import LineReferee
from companion.protocol.documentation import documentation, summary
from companion.protocol.fields import Line
from companion.protocol.messages import schema
from companion.strict_json import LONGEST
from companion.wording import Words

AHEAD: Final = 1000
"""Maximum number of lines read ahead."""


def lines(source: IO[bytes]) -> Iterator[bytes]:
    """Yield the lines of a stream, each cut at the length that shows it is too long.

    A byte order mark at the beginning of the stream is not part of its first line.
    """
    mark = BOM_UTF8
    while line := source.readline(LONGEST + 2):
        line, rest, mark = line.removeprefix(mark), line, b""
        while rest and not rest.endswith(b"\n") and len(rest) > LONGEST:
            rest = source.readline(LONGEST + 2)
        yield line.removesuffix(b"\n").removesuffix(b"\r")


def arriving() -> Iterator[tuple[int, bytes]]:
    """Yield the lines of standard input with their arrival times, in ns of the monotonic clock.

    A thread reads ahead, so that a slow reply delays no timestamp.
    """
    came: Queue[tuple[int, bytes] | None] = Queue(AHEAD)
    try:  # a thread that waits in a buffered stream could not be left behind
        source: IO[bytes] = FileIO(sys.stdin.fileno(), closefd=False)
    except OSError:  # no file, as in a test
        source = sys.stdin.buffer

    def read() -> None:
        for line in lines(source):
            came.put((time.monotonic_ns(), line))
        came.put(None)

    Thread(target=read, name="lines", daemon=True).start()
    while (found := came.get()) is not None:
        yield found


def write(out: IO[bytes], said: Line) -> None:
    """Write one line of JSON, in UTF-8."""
    out.write(json.dumps(said, ensure_ascii=False, separators=(", ", ": ")).encode("utf-8") + b"\n")


class ByLines(Protocol):
    """A conversation in lines; `open` becomes False on quit."""

    open: bool

    def say(self, line: bytes) -> Iterable[Line]:
        """Return the lines that reply to a line."""


def converse(table: ByLines, source: Iterable[bytes] | None = None) -> None:
    """Answer lines on standard output until quit.

    The lines come from `source`, by default standard input.
    """
    out = sys.stdout.buffer
    for line in source if source is not None else lines(sys.stdin.buffer):
        for said in table.say(line):
            write(out, said)
        out.flush()
        if not table.open:
            break


class Exemplified(click.Command):
    """A command whose help ends with an example."""

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        formatter.write_paragraph()
        formatter.write(summary() + "\n")


def _printed(make: Callable[[], str]) -> Callable[[click.Context, click.Parameter, bool], None]:
    """Return an option's callback that prints a text and exits."""

    def printed(ctx: click.Context, _: click.Parameter, wanted: bool) -> None:
        if wanted and not ctx.resilient_parsing:
            click.echo(make())
            ctx.exit()

    return printed


def _schema() -> str:
    return json.dumps(schema(), indent=1)


@click.command(cls=Exemplified)
@click.option(
    "--data",
    "folder",
    type=click.Path(path_type=Path, file_okay=False),
    callback=lambda ctx, _, said: said or global_data(ctx),
    help="Store the race in this folder (default: in memory only).",
)
@click.option("--resume", metavar="RACE", help='Resume a stored race: its name, or "last".')
@in_memory
@click.option(
    "--reference",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_printed(documentation),
    help="Print all commands, questions, answers, figures and codes.",
)
@click.option(
    "--schema",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_printed(_schema),
    help="Print the types of the lines and of the live feed as JSON Schema.",
)
@click.option(
    "--rulebook", metavar="NAME", default="", callback=as_rulebook, help="Rulebook for setups that name none."
)
@in_language
def referee(folder: Path | None, resume: str | None, memory: bool, rulebook: str, words: Words) -> None:
    """Referee a race in JSON lines, for other programs."""
    from companion import circuits
    from companion.sheets.place import data_folder

    circuits.look_in(data_folder(folder))
    race = LineReferee(words.lang, folder, rulebook, memory=memory)
    if resume is not None:
        race.resume(resume)
    try:
        converse(race)
    finally:
        if left := race.waiting():
            click.echo(race.words.say("left_unsaved", count=left), err=True)
        if race.desk is not None:
            race.desk.close()
