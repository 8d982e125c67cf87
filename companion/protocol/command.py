"""`companion referee`: the line protocol on standard input and output."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import IO, Protocol

import click

from companion.options import in_language
from companion.protocol.by_lines import Referee
from companion.protocol.documentation import documentation
from companion.protocol.fields import Line
from companion.strict_json import LONGEST
from companion.wording import Words


def lines(source: IO[bytes]) -> Iterator[bytes]:
    """The lines of a stream, none longer than is needed to see that it is too long."""
    while line := source.readline(LONGEST + 2):
        rest = line
        while rest and not rest.endswith(b"\n") and len(rest) > LONGEST:
            rest = source.readline(LONGEST + 2)
        yield line.removesuffix(b"\n").removesuffix(b"\r")


def write(out: IO[bytes], said: Line) -> None:
    """One line out, in UTF-8."""
    out.write(json.dumps(said, ensure_ascii=False, separators=(", ", ": ")).encode("utf-8") + b"\n")


class ByLines(Protocol):
    """What answers lines; `open` is False once it was told to quit."""

    open: bool

    def say(self, line: bytes) -> Iterable[Line]:
        """The lines that answer a line."""


def converse(table: ByLines) -> None:
    """Answers the lines of standard input on standard output until it is told to quit."""
    out = sys.stdout.buffer
    for line in lines(sys.stdin.buffer):
        for said in table.say(line):
            write(out, said)
        out.flush()
        if not table.open:
            break


class Documented(click.Command):
    """A command whose help ends with the whole protocol."""

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        formatter.write_paragraph()
        formatter.write(documentation() + "\n")


@click.command(cls=Documented)
@click.option(
    "--data",
    "folder",
    type=click.Path(path_type=Path, file_okay=False),
    help="Keep the race in this folder; without it the race is in memory only.",
)
@click.option("--resume", metavar="RACE", help='Go on with a race that was kept: its name, or "last".')
@click.option("--memory", is_flag=True, help="Go on in memory when the disk takes nothing, without being asked.")
@click.option("--rulebook", metavar="NAME", default="", help="Rulebook of a setup that names none.")
@in_language
def referee(folder: Path | None, resume: str | None, memory: bool, rulebook: str, words: Words) -> None:
    """Referee a race over standard input and output, one JSON object a line."""
    from companion import circuits
    from companion.sheets.place import data_folder

    circuits.look_in(data_folder(folder))
    race = Referee(words.lang, folder, rulebook, memory=memory)
    if resume is not None:
        race.resume(resume)
    try:
        converse(race)
    finally:
        if left := race.waiting():
            click.echo(race.words.say("left_unsaved", count=left), err=True)
        if race.desk is not None:
            race.desk.close()
