"""Output of a command, to a file or to standard output."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from companion.wording import Words


def write_made(out: Path | None, made: bytes, words: Words) -> None:
    """Write to the file that the user named, and say so; without one, to standard output.

    A terminal gets the control characters of old logs written out.

    Raises CompanionError for a PDF on a terminal, and for a file that cannot be written.
    """
    from companion.rules.conversation.errors import CompanionError
    from companion.rules.conversation.text import printable
    from companion.whole_file import write_out

    if out is not None:
        write_out(out, made)
        click.echo(words.say("export_written", path=str(out)), err=True)
    elif made.startswith(b"%PDF") and sys.stdout.isatty():
        raise CompanionError("pdf_on_terminal")
    elif sys.stdout.isatty():
        click.echo("\n".join(map(printable, made.decode().split("\n"))), nl=False)
    else:
        click.echo(made, nl=False)
