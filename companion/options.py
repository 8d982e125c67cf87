"""The options of nearly every command: the folder of the races and the language; and the width of help."""

from __future__ import annotations

import os
import shlex
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

if TYPE_CHECKING:
    from companion.wording import Words


LANGS: Final = ("en", "fr")
HELP_COLUMNS: Final = 60
"""Columns of a window below which a text of help has no room beside what it explains."""


UNCHOSEN: Final = ("", "C", "C.UTF-8", "POSIX", "en_GB.UTF-8")
"""Locales of systems whose language has not been chosen; the last one is that of every Raspberry Pi OS."""


def spoken() -> str:
    """Return the language of the locale: "fr" for French, else "en"."""
    return "fr" if _locale().lower().startswith("fr") else "en"


def is_locale_chosen() -> bool:
    """Return True if somebody has chosen the locale's language."""
    return _locale() not in UNCHOSEN


def _locale() -> str:
    return next((said for name in ("LC_ALL", "LC_MESSAGES", "LANG") if (said := os.environ.get(name))), "")


in_data = click.option(
    "--data", type=click.Path(path_type=Path, file_okay=False), help="Folder of the races (default: the user's)."
)
in_lang = click.option("--lang", type=click.Choice(LANGS), help="Language (default: the locale's).")
"""The global options, as `companion` itself has them."""


def globals_apart(args: Sequence[str]) -> tuple[dict[str, str], list[str]]:
    """Split a command line into the global options and the rest.

    The options may be anywhere on the line, and the last of a name counts. One without a value, or with an unknown
    language, stays in place, for the command itself to accept or refuse.
    """
    said: dict[str, str] = {}
    rest: list[str] = []
    left = iter(args)
    for word in left:
        name, equals, value = word.partition("=")
        if word == "--":
            return said, [*rest, word, *left]
        typed = [word]
        if name in ("--data", "--lang") and not equals and (following := next(left, None)) is not None:
            value = following
            typed.append(following)
        if (name == "--data" and value) or (name == "--lang" and value in LANGS):
            said[name] = value
        else:
            rest += typed
    return said, rest


def with_globals(command: click.Command) -> None:
    """Show the global options in the help and completion of a command and its subcommands."""
    known = {name for param in command.params for name in param.opts}
    for name, option in (("--data", in_data), ("--lang", in_lang)):
        if name not in known:
            option(command)
            command.params[-1].expose_value = False
    if isinstance(command, click.Group):
        for below in command.commands.values():
            with_globals(below)


def global_data(ctx: click.Context) -> Path | None:
    """Return the folder of the global --data, if given."""
    return ctx.find_root().params.get("data")


def global_lang(ctx: click.Context) -> str | None:
    """Return the language of the global --lang, if given."""
    return ctx.find_root().params.get("lang")


def _settled(ctx: click.Context, _: click.Parameter, said: Path | None) -> Path:
    from companion import circuits
    from companion.sheets.place import data_folder

    return circuits.look_in(data_folder(said or global_data(ctx)))


def _words(ctx: click.Context, _: click.Parameter, lang: str | None) -> Words:
    from companion.wording import Words

    lang = lang or global_lang(ctx)
    words = Words(lang or spoken())
    words.options = needed_again(str(global_data(ctx) or ""), lang)
    return words


def needed_again(data: str | None, lang: str | None) -> str:
    """Return the global options of a command line that the next command needs as well, as they are typed.

    The language is not needed if it is that of the locale.
    """
    said = [f"--data {shlex.quote(data)}"] if data else []
    return " ".join([*said, f"--lang {lang}"] if lang and lang != spoken() else said)


in_folder = click.option(
    "--data", "folder", type=click.Path(path_type=Path, file_okay=False), callback=_settled,
    help="Folder of the races (default: the user's); your own boards are in its folder boards.",
)  # fmt: skip
"""Option that gives a command its `folder`; the boards in it are found by name from then on."""

in_language = click.option(
    "--lang", "words", type=click.Choice(LANGS), callback=_words, help="Language (default: the locale's)."
)
"""Option that gives a command its `words`."""


def rulebook_id(said: str) -> str:
    """Return the id of the rulebook that a text names by id or title, in any case; another text as it is."""
    from companion.rules.conversation.text import folded
    from companion.rules.rulebooks import RULEBOOKS
    from companion.wording import Words

    wanted = folded(said.strip())
    if wanted in RULEBOOKS:
        return wanted
    titles = {folded(Words(lang, name).maybe(f"rulebook.{name}") or name): name for lang in LANGS for name in RULEBOOKS}
    return titles.get(wanted, said)


def as_rulebook(_: click.Context, option: click.Parameter, said: str | None) -> str | None:
    """Read an option --rulebook."""
    return said if not said or said == option.default else rulebook_id(said)


in_memory = click.option(
    "--memory", is_flag=True, help="Go on in memory, without asking, if the disk cannot be written."
)
"""Option that gives a command its `memory`."""
