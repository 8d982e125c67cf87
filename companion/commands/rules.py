"""`companion rules`: the rulebook at the terminal, by article or by word."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from companion.options import in_folder, in_language

if TYPE_CHECKING:
    from rich.console import Console
    from rich.text import Text

    from companion.articles import Entry
    from companion.rules.conversation.asking import Json
    from companion.wording import Words

# More than this many hits by word are listed by title alone.
FULL = 12
WIDEST = 88


@click.command()
@click.argument("said", nargs=-1, metavar="[ID or WORD...]")
@click.option("--rulebook", help="Which rulebook to look in.  [default: all of them, competition first]")
@click.option(
    "--compare",
    nargs=2,
    metavar="KNOWN NEW",
    help="List what the second rulebook, or your house rules, have otherwise.",
)
@click.option("--pdf", type=click.Path(path_type=Path, dir_okay=False), help="Print the rulebook into this file.")
@click.option("--rules", "house", metavar="NAME", help="House rules for --pdf.")
@click.option("--race", help="For --pdf: the rulebook, options and figures of this race.")
@click.option("--saved", is_flag=True, help="List the house rules that are kept.")
@click.option("--save", metavar="NAME", help="Keep house rules: what --set changes in --rulebook.")
@click.option("--set", "changes", multiple=True, metavar="FIGURE=VALUE", help="A figure or switch of --save or --pdf.")
@click.option("--export", metavar="NAME", help="Write house rules as a TOML file.")
@click.option("--out", type=click.Path(path_type=Path, dir_okay=False), help="A file for --export.")
@click.option(
    "--import", "source", type=click.Path(path_type=Path, dir_okay=False), help="Keep the house rules of a TOML file."
)
@click.option("--delete", metavar="NAME", help="Delete house rules.")
@in_folder
@in_language
def rules(
    said: tuple[str, ...],
    rulebook: str | None,
    compare: tuple[str, str] | None,
    pdf: Path | None,
    house: str | None,
    race: str | None,
    saved: bool,
    save: str | None,
    changes: tuple[str, ...],
    export: str | None,
    out: Path | None,
    source: Path | None,
    delete: str | None,
    folder: Path,
    words: Words,
) -> None:
    """Show articles of the rulebook: by id (13-4, 13, "ruling 15"), by words (soft tyres), or all titles.

    A rulebook's name may come first: companion rules cup tyres. With --compare beginner formula-d it lists what whoever
    knows the first has to learn for the second; words or an id after it show those articles of both. With --pdf FILE
    it prints the rulebook, with what --set, --rules or --race have on. With --saved, --save, --export, --import or
    --delete it is about house rules: the figures that your table has changed, kept under a name."""
    from rich.console import Console

    from companion.articles import load, places_of, rulebooks
    from companion.rules.conversation.errors import CompanionError
    from companion.rules.rulebooks import USUAL

    if rulebook is None and not compare and said and said[0].lower() in rulebooks():
        rulebook, said = said[0].lower(), said[1:]
    if saved or source or any(name is not None for name in (save, export, delete)):
        if said:
            raise click.UsageError(words.say("house_rules_alone", said=" ".join(said)))
        _house_rules(folder, words, rulebook, save, changes, export, out, source, delete)
        return
    if compare:
        from companion.commands.comparison import show

        show(*compare, " ".join(said), words, folder)
        return
    if pdf is not None:
        _print(pdf, rulebook, changes, house, race, folder, words)
        return
    if changes or house or race:
        raise click.UsageError(words.say("rules_set_alone"))
    asked = " ".join(said)
    named = rulebook or ""
    places = places_of(asked, words.lang) if asked and not named else []
    rulebook = named or (places or [USUAL])[0]
    try:
        book = load(rulebook)
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


def _house_rules(
    folder: Path,
    words: Words,
    rulebook: str | None,
    save: str | None,
    changes: tuple[str, ...],
    export: str | None,
    out: Path | None,
    source: Path | None,
    delete: str | None,
) -> None:
    """Do what is asked with the house rules of a data folder, and say what is kept there then."""
    from companion import house_rules
    from companion.rules.conversation.errors import CompanionError
    from companion.whole_file import write_out

    try:
        if export is not None:
            text = house_rules.find(folder, export).text()
            if out is None:
                click.echo(text, nl=False)
            else:
                write_out(out, text.encode())
            return
        if delete is not None:
            house_rules.forget(folder, delete)
        if source:
            house_rules.keep(folder, house_rules.read_file(source))
        if save is not None:
            options = dict(house_rules.option(change) for change in changes)
            house_rules.keep(folder, house_rules.HouseRules(save, rulebook or "competition", options))
    except CompanionError as error:
        click.echo(words.error(error), err=True)
        raise SystemExit(1) from None
    kept = house_rules.saved(folder)
    for one in kept:
        click.echo(words.say("house_rules_kept", name=one.name, rulebook=one.rulebook, count=len(one.options)))
    if not kept:
        click.echo(words.say("house_rules_none"))


def _print(
    pdf: Path,
    rulebook: str | None,
    changes: tuple[str, ...],
    house: str | None,
    race: str | None,
    folder: Path,
    words: Words,
) -> None:
    """Print a rulebook with the figures of a race, of house rules, or as they are set here."""
    from companion import house_rules
    from companion.printing.rules import as_pdf
    from companion.rules.conversation.errors import CompanionError
    from companion.rules.conversation.figures import read_figures
    from companion.rules.rulebooks import USUAL, named
    from companion.whole_file import write_out

    try:
        setup: dict[str, Json] = {"rulebook": rulebook} if rulebook else {}
        name = house or ""
        if race is not None:
            name, setup = _race(race, folder)
        if house is not None:
            setup = house_rules.find(folder, house).into(setup)
        kind = named(setup.get("rulebook", USUAL))
        options = {**setup.get("options", {}), **dict(house_rules.option(change) for change in changes)}
        figures = read_figures(options, kind.figure_table())
        write_out(pdf, as_pdf(kind.name, figures, words.lang, name))
    except CompanionError as error:
        click.echo(words.error(error), err=True)
        raise SystemExit(1) from None
    click.echo(words.say("export_written", path=str(pdf)), err=True)


def _race(race: str, folder: Path) -> tuple[str, dict[str, Json]]:
    """Return the name of a race that was kept, and what it was set up with."""
    from companion.commands.sheets import entries_of
    from companion.sheets.build_sheet import race_sheet
    from companion.sheets.history import History

    history = History.of(entries_of(race, folder))
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
    widest = max(len(entry.id) for entry in found)
    for entry in found:
        title = entry.title(words.lang) + entry.mark(words.lang)
        console.print(_line(entry.id.ljust(widest), "cyan", title, ""), soft_wrap=True)
    hint = words.say("rules_titles", count=len(found))
    console.print(hint, style="dim", soft_wrap=True)


def _line(left: str, left_style: str, right: str, right_style: str) -> Text:
    from rich.text import Text

    return Text.assemble((left, left_style), "  ", (right, right_style))


def _wrapped(text: str, width: int, indent: str = "  ") -> Text:
    # textwrap keeps the hard spaces of French punctuation together; rich would break lines at them.
    import textwrap

    from rich.text import Text

    return Text(textwrap.fill(text, width, initial_indent=indent, subsequent_indent=indent, break_on_hyphens=False))


def _live(switch: str, rulebook: str) -> bool:
    """Whether the rulebook's setup knows this switch by now."""
    from companion.rules.rulebooks import RULEBOOKS

    return rulebook in RULEBOOKS and switch in RULEBOOKS[rulebook].figure_table().known()
