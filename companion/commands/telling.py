"""How far a long sum is: as a bar for people, or in figures for the program that has it done."""

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
    "--told", is_flag=True, help="For programs: how far it is in thousandths, a line each, on standard error."
)


@contextlib.contextmanager
def telling(label: str, told: bool, part: int = 0, parts: int = 1) -> Iterator[Callable[[float], None]]:
    """What is to be called with the share that is done of a part, 0 to 1; programs are told that of all `parts`."""
    if told:
        yield lambda share: print(int(1000 * (part + share) / parts), file=sys.stderr, flush=True)
        return
    with contextlib.ExitStack() as ends:

        @functools.cache
        def bar() -> ProgressBar[int]:
            """The bar, once there is something to tell: a refusal before that stands alone."""
            return ends.enter_context(click.progressbar(length=1000, label=label, file=sys.stderr))

        yield lambda share: bar().update(int(1000 * share) - bar().pos)
