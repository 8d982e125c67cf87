"""Progress of a long calculation: a bar for people, figures for programs."""

from __future__ import annotations

import contextlib
import functools
import sys
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Final

import click

if TYPE_CHECKING:
    from click._termui_impl import ProgressBar

told: Final = click.option(
    "--told", is_flag=True, help="Report progress to standard error, in thousandths, for programs."
)


@contextlib.contextmanager
def telling(label: str, told: bool, part: int = 0, parts: int = 1) -> Iterator[Callable[[float], None]]:
    """Provide a function that reports progress on one part, 0 to 1.

    With `told` it prints the share of all `parts` in thousandths, for programs; otherwise it draws a bar.
    """
    if told:
        yield lambda share: print(int(1000 * (part + share) / parts), file=sys.stderr, flush=True)
        return
    with contextlib.ExitStack() as ends:

        @functools.cache
        def bar() -> ProgressBar[int]:
            """Create the bar at the first report, so that an earlier error stands alone."""
            return ends.enter_context(click.progressbar(length=1000, label=label, file=sys.stderr))

        yield lambda share: bar().update(int(1000 * share) - bar().pos)
