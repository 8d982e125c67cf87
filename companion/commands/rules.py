"""`companion rules`: the rulebook at the terminal, by article or by word."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from companion.options import in_language

if TYPE_CHECKING:
    from rich.console import Console
    from rich.text import Text

    from companion.articles import Entry
    from companion.wording import Words

# More than this many hits by word are listed by title alone.
FULL = 12
WIDEST = 88


@click.command()
@click.argument("said", nargs=-1, metavar="[ID or WORD...]")
@click.option("--rulebook", default="competition", show_default=True, help="Which rulebook to look in.")
@in_language
def rules(said: tuple[str, ...], rulebook: str, words: Words) -> None:
    """Show articles of the rulebook: by id (13-4, 13, "ruling 15"), by words (soft tyres), or all titles."""
    from rich.console import Console

    from companion.articles import load
    from companion.rules.conversation.errors import CompanionError

    try:
        book = load(rulebook)
    except CompanionError as error:
        click.echo(words.error(error), err=True)
        raise SystemExit(1) from None
    asked = " ".join(said)
    found = book.find(asked, words.lang) if asked else list(book)
    if not found:
        click.echo(words.say("rules_none", rulebook=rulebook, said=asked, article=next(iter(book)).id), err=True)
        raise SystemExit(1)
    console = Console(highlight=False)
    if len(found) > FULL and not book.under(asked):
        _show_titles(console, found, words)
    else:
        for entry in found:
            _show(console, entry, words, rulebook)


def _show(console: Console, entry: Entry, words: Words, rulebook: str) -> None:
    from companion.articles import Article

    width = min(console.width, WIDEST)
    head = _line(entry.id, "bold cyan", entry.title(words.lang), "bold")
    console.print(head, width=width)
    console.print(_wrapped(entry.text(words.lang), width), soft_wrap=True)
    if isinstance(entry, Article):
        foot = f"{words.word('refereed', entry.by)} · {words.word('moment', entry.moment)}"
    elif entry.switch and _live(entry.switch, rulebook):
        foot = words.say("rules_switch", switch=entry.switch, text=entry.switch_text(words.lang))
    else:
        foot = ""
    if foot:
        console.print(_wrapped(foot, width), style="dim", soft_wrap=True)
    console.print()


def _show_titles(console: Console, found: list[Entry], words: Words) -> None:
    widest = max(len(entry.id) for entry in found)
    for entry in found:
        console.print(_line(entry.id.ljust(widest), "cyan", entry.title(words.lang), ""), soft_wrap=True)
    hint = words.say("rules_titles", count=len(found))
    console.print(hint, style="dim", soft_wrap=True)


def _line(left: str, left_style: str, right: str, right_style: str) -> Text:
    from rich.text import Text

    return Text.assemble((left, left_style), "  ", (right, right_style))


def _wrapped(text: str, width: int) -> Text:
    # textwrap keeps the hard spaces of French punctuation together; rich would break lines at them.
    import textwrap

    from rich.text import Text

    return Text(textwrap.fill(text, width, initial_indent="  ", subsequent_indent="  ", break_on_hyphens=False))


def _live(switch: str, rulebook: str) -> bool:
    """Whether the rulebook's setup knows this switch by now."""
    from companion.rules.rulebooks import RULEBOOKS

    return rulebook in RULEBOOKS and switch in RULEBOOKS[rulebook].figures_type.known()
