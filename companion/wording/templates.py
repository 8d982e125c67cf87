"""Sentences with fields in braces: how they are cut, and how they are found in an entry of a locale."""

from __future__ import annotations

import functools
import string
from collections.abc import Iterator

from companion.wording.locales import Entry


@functools.cache
def pieces(template: str) -> tuple[tuple[str, str | None, str], ...]:
    """A sentence cut at its fields: (text before, fact or None, form)."""
    return tuple((text, field, form or "") for text, field, form, _ in string.Formatter().parse(template))


def split(form: str) -> list[str]:
    """The parts of a form, cut at each | outside braces."""
    parts, depth = [""], 0
    for sign in form:
        depth += (sign == "{") - (sign == "}")
        if sign == "|" and not depth:
            parts.append("")
        else:
            parts[-1] += sign
    return parts


def leaves(entry: Entry) -> Iterator[str]:
    """Every sentence of an entry of the locale, whichever fact chooses it."""
    if isinstance(entry, str):
        yield entry
    else:
        for key, inner in entry.items():
            if key != "by":
                yield from leaves(inner)
