"""What nearly every command is told: where the races lie, and in which language it speaks."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from companion.wording import Words


def spoken() -> str:
    """The language of the locale: "fr" where it is French, else "en"."""
    for name in ("LC_ALL", "LC_MESSAGES", "LANG"):
        if said := os.environ.get(name):
            return "fr" if said.lower().startswith("fr") else "en"
    return "en"


def _settled(ctx: click.Context, _: click.Parameter, said: Path | None) -> Path:
    from companion import circuits
    from companion.sheets.place import data_folder

    return circuits.look_in(data_folder(said))


def _words(ctx: click.Context, _: click.Parameter, lang: str | None) -> Words:
    from companion.wording import Words

    return Words(lang or spoken())


in_folder = click.option(
    "--data", "folder", type=click.Path(path_type=Path, file_okay=False), callback=_settled,
    help="Folder of the races, with your own boards in its folder boards (default: the user's).",
)  # fmt: skip
"""Gives a command its `folder`; the boards in it are found by name from then on."""

in_language = click.option(
    "--lang", "words", type=click.Choice(["en", "fr"]), callback=_words, help="Language (default: the locale's)."
)
"""Gives a command its `words`."""
