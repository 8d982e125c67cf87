"""The comparison of two rulebooks, for `companion rules compare`."""

from __future__ import annotations

import textwrap
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from companion.options import rulebook_id

if TYPE_CHECKING:
    from rich.console import Console

    from companion.house_rules import HouseRules
    from companion.wording import Words

WIDEST: Final = 88


def show(left: str, right: str, said: str, words: Words, folder: Path) -> None:
    """Print the differences by chapter, or in full the articles that match an id or words.

    Each side is a rulebook or house rules by name, whose changes are printed too.
    """
    from rich.console import Console

    from companion import house_rules

    house = {one.name: one for one in house_rules.saved(folder)}
    changed = [house[name] for name in (left, right) if name in house]
    ours, theirs = (house[name].rulebook if name in house else rulebook_id(name) for name in (left, right))
    paper = _Lines(Console(highlight=False))
    if not (changed and ours == theirs and left != right):
        _show(paper, ours, theirs, said, words)
    if not said:
        for rules in changed:
            _show_changes(paper, rules, words)


def _show_changes(paper: _Lines, rules: HouseRules, words: Words) -> None:
    """Print the changes that house rules make to their rulebook."""
    from companion.rules.conversation.figures import read_figures
    from companion.rules.rulebooks import RULEBOOKS
    from companion.view.pages.comparison import changed_here
    from companion.view.setup.new_race import rulebook_name
    from companion.wording import Words

    paper.write("")
    name = rulebook_name(rules.rulebook, words)
    paper.write(words.say("compare_house", name=rules.name, rulebook=name), "bold cyan", hanging="")
    own = Words(words.lang, rules.rulebook)
    figures = read_figures(rules.options, RULEBOOKS[rules.rulebook].figure_table())
    for line in [*changed_here(rules.rulebook, figures, own)] or [words.screen("printed_rules.usual")]:
        paper.write(line, indent="  ")


def _show(paper: _Lines, left: str, right: str, said: str, words: Words) -> None:
    """Print the differences of two rulebooks."""
    from companion.comparison import compare
    from companion.rules.conversation.errors import CompanionError
    from companion.view.pages import comparison

    try:
        found = compare(left, right)
    except CompanionError as error:
        click.echo(words.error(error), err=True)
        raise SystemExit(1) from None
    chapters = comparison.chapters(found, words, said)
    if not chapters:
        click.echo(words.say("compare_none", said=said), err=True)
        raise SystemExit(1)
    paper.write(comparison.summary(found, words), "bold", hanging="")
    for chapter in chapters:
        paper.write("")
        paper.write(" · ".join(filter(None, (chapter.title, chapter.note))), "bold cyan")
        if not said:
            for kind, line in comparison.chapter_lines(chapter, found, words, cites=True):
                paper.write(line, "dim" if kind == "left" else "", "  ")
            continue
        for head, text in (part for one in chapter.differences for part in one.said):
            paper.write(head, "bold", "  ")
            paper.write(text, indent="    ")
        if chapter.alike:
            paper.write(f"{words.screen('compare.same')}{words.say('colon')}{', '.join(chapter.alike)}", indent="  ")
    if not said:
        paper.write("")
        paper.write(words.say("compare_hint"), "dim", hanging="")


class _Lines:
    """Printer of paragraphs in a readable width."""

    def __init__(self, console: Console) -> None:
        self._console = console
        self._width = min(console.width, WIDEST)

    def write(self, text: str, style: str = "", indent: str = "", hanging: str = "    ") -> None:
        """Print a paragraph; textwrap keeps the hard spaces of French punctuation together."""
        filled = textwrap.fill(
            text, self._width, initial_indent=indent, subsequent_indent=hanging, break_on_hyphens=False
        )
        self._console.print(filled, style=style, soft_wrap=True, markup=False)
