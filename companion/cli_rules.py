"""`companion rules`: the rulebook at the terminal, by article or by word."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from rich.console import Console
    from rich.text import Text

    from companion.articles import Entry

# More than this many hits by word are listed by title alone.
FULL = 12
WIDEST = 88

BY = {
    "program": ("refereed by the program", "arbitré par le programme"),
    "table": ("for the people at the table", "à la charge de la table"),
    "later": ("not refereed yet", "pas encore arbitré"),
}
MOMENT = {
    "trials": ("trials", "essais"),
    "setup": ("setup", "mise en place"),
    "start": ("start", "départ"),
    "round": ("round", "tour de jeu"),
    "gear": ("gear", "vitesse"),
    "roll": ("die", "dé"),
    "move": ("move", "déplacement"),
    "tests": ("tests", "tests"),
    "pit": ("pits", "stands"),
    "finish": ("finish", "arrivée"),
}


@click.command()
@click.argument("words", nargs=-1, metavar="[ID or WORD...]")
@click.option("--rulebook", default="competition", show_default=True, help="Which rulebook to look in.")
@click.option("--lang", type=click.Choice(["en", "fr"]), default=None, help="English or French; else the locale's.")
def rules(words: tuple[str, ...], rulebook: str, lang: str | None) -> None:
    """Show articles of the rulebook: by id (13-4, 13, "ruling 15"), by words (soft tyres), or all titles."""
    from rich.console import Console

    from companion.articles import load
    from companion.cli import spoken
    from companion.rules.errors import CompanionError

    lang = lang or spoken()
    try:
        book = load(rulebook)
    except CompanionError as error:
        click.echo(str(error), err=True)
        raise SystemExit(1) from None
    asked = " ".join(words)
    found = book.find(asked, lang) if asked else list(book)
    if not found:
        click.echo(_nothing(asked, rulebook, lang), err=True)
        raise SystemExit(1)
    console = Console(highlight=False)
    if len(found) > FULL and not book.under(asked):
        _show_titles(console, found, lang)
    else:
        for entry in found:
            _show(console, entry, lang)


def _nothing(asked: str, rulebook: str, lang: str) -> str:
    if lang == "fr":
        return f"Le règlement {rulebook} n’a rien pour « {asked} » ; essayez un numéro (13-4) ou moins de mots."
    return f"Nothing in the {rulebook} rulebook for “{asked}”; try a number such as 13-4, or fewer words."


def _show(console: Console, entry: Entry, lang: str) -> None:
    from companion.articles import Article

    width = min(console.width, WIDEST)
    head = _line(entry.id, "bold cyan", entry.title(lang), "bold")
    console.print(head, width=width)
    console.print(_wrapped(entry.text(lang), width), soft_wrap=True)
    if isinstance(entry, Article):
        foot = f"{BY[entry.by][lang == 'fr']} · {MOMENT[entry.moment][lang == 'fr']}"
    elif entry.switch and _live(entry.switch):
        word = f"réglage {entry.switch} :" if lang == "fr" else f"switch {entry.switch}:"
        foot = f"{word} {entry.switch_text(lang)}"
    else:
        foot = ""
    if foot:
        console.print(_wrapped(foot, width), style="dim", soft_wrap=True)
    console.print()


def _show_titles(console: Console, found: list[Entry], lang: str) -> None:
    widest = max(len(entry.id) for entry in found)
    for entry in found:
        console.print(_line(entry.id.ljust(widest), "cyan", entry.title(lang), ""), soft_wrap=True)
    hint = (
        f"{len(found)} articles et décisions ; nommez-en un pour le lire en entier."
        if lang == "fr"
        else f"{len(found)} articles and rulings; name one to read all of it."
    )
    console.print(hint, style="dim", soft_wrap=True)


def _line(left: str, left_style: str, right: str, right_style: str) -> Text:
    from rich.text import Text

    return Text.assemble((left, left_style), "  ", (right, right_style))


def _wrapped(text: str, width: int) -> Text:
    # textwrap keeps the hard spaces of French punctuation together; rich would break lines at them.
    import textwrap

    from rich.text import Text

    return Text(textwrap.fill(text, width, initial_indent="  ", subsequent_indent="  ", break_on_hyphens=False))


def _live(switch: str) -> bool:
    """Whether the setup knows this switch by now."""
    from companion.rules.figures import Figures

    return switch in Figures.__struct_fields__
