"""The `companion rules` command: rulebooks at the terminal, by article or by word."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from companion.commands.groups import CommandGroup
from companion.commands.output import write_made
from companion.commands.tracks import complaining
from companion.options import as_rulebook, in_folder, in_language, rulebook_id

if TYPE_CHECKING:
    from rich.console import Console
    from rich.text import Text

    from companion.articles import Entry
    from companion.rules.conversation.asking import Json
    from companion.wording import Words

FULL: Final = 12
"""Most matching articles printed in full; if there are more, titles are listed."""
WIDEST: Final = 88

_changes = click.option("--set", "changes", multiple=True, metavar="FIGURE=VALUE", help="Change a figure or switch.")
_out = click.option(
    "--out",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE",
    help="Write to this file (default: standard output).",
)
_replace = click.option("--replace", is_flag=True, help="Replace house rules of the same name.")


@click.group(
    cls=CommandGroup,
    sections={"Articles": "show compare print", "House rules": "list save export import delete"},
    old={
        "--compare": "compare",
        "--pdf": "print",
        "--saved": "list",
        "--save": "save",
        "--export": "export",
        "--import": "import",
        "--delete": "delete",
    },
    default="show",
)
def rules() -> None:
    """Read, compare and print rulebooks; keep house rules.

    The word show may be left out: companion rules cup tyres. House rules are the figures that your table changes, kept
    under a name.
    """


@rules.command()
@click.argument("said", nargs=-1, metavar="[RULEBOOK] [ID or WORD...]")
@click.option(
    "--rulebook", metavar="NAME", callback=as_rulebook,
    help="Search in this rulebook (default: in all, competition first).",
)  # fmt: skip
@in_language
def show(said: tuple[str, ...], rulebook: str | None, words: Words) -> None:
    """Show articles by id, by words, or all titles.

    An id is such as 13-4, 13 or "ruling 15". A rulebook's name may come first: companion rules cup tyres.
    """
    from rich.console import Console

    from companion.articles import load_with_installed, places_of, rulebooks
    from companion.rules.conversation.errors import CompanionError
    from companion.rules.rulebooks import RULEBOOKS, USUAL

    if rulebook is None and said and (first := rulebook_id(said[0])) in {*rulebooks(), *RULEBOOKS}:
        rulebook, said = first, said[1:]
    asked = " ".join(said)
    named = rulebook or ""
    places = places_of(asked, words.lang) if asked and not named else []
    rulebook = named or (places or [USUAL])[0]
    try:
        book = load_with_installed(rulebook)
    except CompanionError as error:
        click.echo(words.error(error), err=True)
        raise SystemExit(1) from None
    found = book.find(asked, words.lang) if asked else list(book)
    if not found:
        article = next(iter(book)).id
        places = places_of(asked, words.lang)
        click.echo(words.say("rules_none", rulebook=named, said=asked, article=article, places=places), err=True)
        raise SystemExit(1)
    console = Console(highlight=False)
    whole = found if len(found) <= FULL or book.under(asked) else [one for one in found if one.id in asked.split()]
    for entry in whole:
        _show(console, entry, words, rulebook)
    if rest := [entry for entry in found if entry not in whole]:
        _show_titles(console, rest, words)
    if places:
        found_in = words.say("rules_found", rulebook=rulebook, others=places[1:])
        console.print(_wrapped(found_in, min(console.width, WIDEST), indent=""), style="dim", soft_wrap=True)


@rules.command()
@click.argument("known")
@click.argument("new")
@click.argument("said", nargs=-1, metavar="[ID or WORD...]")
@in_folder
@in_language
def compare(known: str, new: str, said: tuple[str, ...], folder: Path, words: Words) -> None:
    """List what changes from one rulebook to another.

    KNOWN and NEW are rulebooks, or house rules by their name. With words or an id, show those articles of both.
    """
    from companion.commands.comparison import show

    show(known, new, " ".join(said), words, folder)


@rules.command("print")
@click.argument("said", nargs=-1, metavar="[RULEBOOK]")
@_out
@click.option("--rulebook", "named", metavar="NAME", callback=as_rulebook, hidden=True)
@click.option("--rules", "house", metavar="NAME", help="Use the figures of these house rules.")
@click.option("--race", help="Use the rulebook, options and figures of this race.")
@_changes
@in_folder
@in_language
@click.pass_context
def print_rules(
    ctx: click.Context,
    said: tuple[str, ...],
    out: Path | None,
    named: str | None,
    house: str | None,
    race: str | None,
    changes: tuple[str, ...],
    folder: Path,
    words: Words,
) -> None:
    """Print a rulebook as a PDF, as your table plays it."""
    from companion import house_rules
    from companion.printing.rules import as_pdf
    from companion.rules.conversation.figures import read_figures
    from companion.rules.rulebooks import USUAL
    from companion.rules.rulebooks import named as rulebook_named

    if out is None and said and said[0].lower().endswith(".pdf"):  # as before 0.3: FILE, then RULEBOOK
        path = ctx.command_path
        now = f"{path} [RULEBOOK] --out {said[0]}"
        click.echo(words.say("old_command", old=f"{path} {said[0]} [RULEBOOK]", now=now), err=True)
        out, said = Path(said[0]), said[1:]
    if said[1:]:
        raise click.UsageError(f"Got unexpected extra argument ({said[1]})", ctx)
    with complaining(words):
        rulebook = rulebook_id(said[0]) if said else named
        setup: dict[str, Json] = {"rulebook": rulebook} if rulebook else {}
        name = house or ""
        if race is not None:
            name, setup = _race(race, folder)
        if house is not None:
            setup = house_rules.find(folder, house).into(setup)
        kind = rulebook_named(setup.get("rulebook", USUAL))
        table = kind.figure_table()
        figures = read_figures({**setup.get("options", {}), **house_rules.typed_options(changes, table)}, table)
        write_made(out, as_pdf(kind.name, figures, words.lang, name), words)


@rules.command("list")
@in_folder
@in_language
def list_house_rules(folder: Path, words: Words) -> None:
    """List your house rules."""
    _list(folder, words)


@rules.command()
@click.argument("name")
@click.argument("rulebook", required=False)
@click.option("--rulebook", "named", metavar="NAME", callback=as_rulebook, hidden=True)
@_changes
@_replace
@in_folder
@in_language
def save(
    name: str,
    rulebook: str | None,
    named: str | None,
    changes: tuple[str, ...],
    replace: bool,
    folder: Path,
    words: Words,
) -> None:
    """Save what --set changes in RULEBOOK as house rules."""
    from companion import house_rules
    from companion.rules.conversation.errors import BadSetup
    from companion.rules.rulebooks import USUAL
    from companion.rules.rulebooks import named as rulebook_named

    with complaining(words):
        book = rulebook_id(rulebook) if rulebook else named or USUAL
        options = house_rules.typed_options(changes, rulebook_named(book).figure_table())
        kept = house_rules.HouseRules(name, book, options)
        kept.check()
        if not options:
            raise BadSetup("house_rules_empty", name=name)
        house_rules.keep(folder, kept, replace=replace)
    _list(folder, words)


@rules.command()
@click.argument("name")
@_out
@in_folder
@in_language
def export(name: str, out: Path | None, folder: Path, words: Words) -> None:
    """Export house rules as a TOML file."""
    from companion import house_rules
    from companion.whole_file import write_out

    with complaining(words):
        text = house_rules.find(folder, name).text()
        if out is None:
            click.echo(text, nl=False)
        else:
            write_out(out, text.encode())


@rules.command("import")
@click.argument("file", type=click.Path(path_type=Path, dir_okay=False))
@_replace
@in_folder
@in_language
def import_house_rules(file: Path, replace: bool, folder: Path, words: Words) -> None:
    """Import the house rules of a TOML file."""
    from companion import house_rules

    with complaining(words):
        house_rules.keep(folder, house_rules.read_file(file), replace=replace)
    _list(folder, words)


@rules.command()
@click.argument("name")
@in_folder
@in_language
def delete(name: str, folder: Path, words: Words) -> None:
    """Delete house rules."""
    from companion import house_rules

    with complaining(words):
        house_rules.forget(folder, name)
    _list(folder, words)


def _list(folder: Path, words: Words) -> None:
    """Print the house rules of a data folder."""
    from companion import house_rules

    kept = house_rules.saved(folder)
    for one in kept:
        click.echo(words.say("house_rules_kept", name=one.name, rulebook=one.rulebook, count=len(one.options)))
    if not kept:
        click.echo(words.say("house_rules_none"))


def _race(race: str, folder: Path) -> tuple[str, dict[str, Json]]:
    """Return the name and the setup of a stored race."""
    from companion.sheets.build_sheet import race_sheet
    from companion.sheets.history import History
    from companion.sheets.stored_race import read_log

    history = History.of(read_log(folder, race))
    assert history.beginning is not None
    return race_sheet(history).name, history.beginning.setup


def _show(console: Console, entry: Entry, words: Words, rulebook: str) -> None:
    from companion.articles import Article
    from companion.rules.dice.variants import VARIANTS
    from companion.view.pages.comparison import restated

    width = min(console.width, WIDEST)
    head = _line(entry.id, "bold cyan", entry.title(words.lang), "bold")
    console.print(head, width=width)
    console.print(_wrapped(entry.text(words.lang), width), soft_wrap=True)
    for line in restated(entry, words):
        console.print(_wrapped(line, width), soft_wrap=True)
    if isinstance(entry, Article):
        foot = f"{words.word('refereed', entry.by)} · {words.word('moment', entry.moment)}"
        if variant := next((one for one in VARIANTS.values() if one.article == entry.id), None):
            foot += "\n" + words.say("rules_variant", rulebook=rulebook, switch=variant.switch)
    elif entry.switch and _live(entry.switch, rulebook):
        foot = words.say("rules_switch", switch=entry.switch, text=entry.switch_text(words.lang))
    else:
        foot = ""
    if foot:
        for line in foot.splitlines():
            console.print(_wrapped(line, width), style="dim", soft_wrap=True)
    console.print()


def _show_titles(console: Console, found: list[Entry], words: Words) -> None:
    import textwrap

    from rich.text import Text

    from companion.options import HELP_COLUMNS

    widest = max(len(entry.id) for entry in found) if console.width >= HELP_COLUMNS else 0
    for entry in found:
        line = f"{entry.id:<{widest}}  {entry.title(words.lang)}{entry.mark(words.lang)}"
        below = " " * (widest + 2 if widest else 4)
        text = Text(textwrap.fill(line, console.width, subsequent_indent=below, break_on_hyphens=False))
        text.stylize("cyan", 0, len(entry.id))
        console.print(text, soft_wrap=True)
    hint = words.say("rules_titles", count=len(found))
    console.print(_wrapped(hint, console.width, indent=""), style="dim", soft_wrap=True)


def _line(left: str, left_style: str, right: str, right_style: str) -> Text:
    from rich.text import Text

    return Text.assemble((left, left_style), "  ", (right, right_style))


def _wrapped(text: str, width: int, indent: str = "  ") -> Text:
    # textwrap keeps the hard spaces of French punctuation together; rich would break lines at them.
    import textwrap

    from rich.text import Text

    return Text(textwrap.fill(text, width, initial_indent=indent, subsequent_indent=indent, break_on_hyphens=False))


def _live(switch: str, rulebook: str) -> bool:
    """Return True if the rulebook's setup knows the switch."""
    from companion.rules.rulebooks import RULEBOOKS

    return rulebook in RULEBOOKS and switch in RULEBOOKS[rulebook].figure_table().figure_names()
