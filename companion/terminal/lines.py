"""Lines of text at the terminal, and typed input."""

from __future__ import annotations

import shutil
import sys
import textwrap
from typing import Final

from companion.options import HELP_COLUMNS
from companion.rules.conversation.text import CONTROL, printable, unturned
from companion.wording import Words

WIDEST: Final = 100
ROOM: Final = 8
"""Minimum columns after a prompt for the input."""


def window() -> tuple[int, int]:
    """Return the usable columns (40 to 100) and the lines of the window."""
    size = shutil.get_terminal_size((80, 24))
    return max(min(size.columns, WIDEST), 40), size.lines


class Lines:
    """Lines of text of at most `width` columns, coloured where the terminal can.

    The width also holds on a pipe.
    """

    def __init__(self, words: Words) -> None:
        from rich.console import Console

        self.words = words
        self.width, self.height = window()
        self.console = Console(highlight=False, markup=False, emoji=False, soft_wrap=True)

    def line(self, *parts: str | tuple[str, str]) -> None:
        """Print one line of parts, each a text or (text, style), with control characters written out."""
        from rich.text import Text

        shown = [printable(part) if isinstance(part, str) else (printable(part[0]), part[1]) for part in parts]
        text = Text.assemble(*shown)
        text.rstrip()
        self.console.print(text)

    def wrapped(self, text: str, style: str = "", first: str = "", rest: str | None = None) -> None:
        """Print a paragraph.

        `first` begins its first line, `rest` (by default as many blanks) the others.
        """
        indent = " " * len(first) if rest is None else rest
        shown = textwrap.wrap(text, self.width, initial_indent=first, subsequent_indent=indent, break_on_hyphens=False)
        for one in shown or [first]:
            self.line((one, style))

    def explained(self, name: str, about: str, column: int) -> None:
        """Print a name and what it means: at `column` beside it, or below it for lack of room."""
        if self.width < HELP_COLUMNS:
            self.wrapped(name, first="  ", rest="    ")
            self.wrapped(about, first="    ")
        elif len(name) > column:
            self.line(f"  {name}")
            self.wrapped(about, first=" " * (column + 3))
        else:
            self.wrapped(about, first=f"  {name:<{column}} ")

    def rule(self, left: str, right: str = "", style: str = "bold") -> None:
        """Print a horizontal rule with text at its left and right."""
        room = self.width - len(left) - len(right) - 6
        if room < 2 and right:
            self.rule(left, "", style)
            return
        end = f" {right} ──" if right else "──"
        left = left[: self.width - 6 - (0 if not right else len(right) + 2)]
        fill = max(self.width - len(left) - len(end) - 4, 0)
        self.line(("── ", "dim"), (left, style), (" " + "─" * fill, "dim"), (end, "dim"))

    def complaint(self, sentence: str) -> None:
        """Print an error, in one sentence."""
        self.wrapped(sentence, "yellow", first="  ")

    def begin_prompt(self, prompt: str) -> str:
        """Print the lines of a prompt but the last, and return that."""
        if len(prompt) <= self.width - ROOM:
            return prompt
        *before, last = textwrap.wrap(prompt, self.width - ROOM, break_on_hyphens=False)
        for one in before:
            self.line(one)
        return f"{last} "

    def ask(self, prompt: str) -> str | None:
        """Prompt for a line and return it; None at the end of the input.

        A long prompt is wrapped. Control characters are removed.
        """
        prompt = self.begin_prompt(prompt)
        sys.stdout.flush()
        try:
            said = CONTROL.sub("", unturned(input(prompt))).strip()
        except EOFError:
            self.line()
            return None
        if not sys.stdin.isatty():
            self.line(said)  # nobody has typed it: without this the answer would not be seen
        return said
