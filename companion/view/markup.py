"""Safe HTML and SVG: everything that is not `Html` is escaped on insertion."""

from __future__ import annotations

import html
from collections.abc import Iterable
from typing import TypeAlias

Inside: TypeAlias = "str | Html | int | float | Iterable[Inside] | None"
"""Content of an element: text, which is escaped, elements, or several of both."""

VOID = frozenset({"meta", "link", "input", "br"})


class Html(str):
    """Markup made by this module, which is not escaped again."""

    __slots__ = ()


def el(tag: str, /, *inside: Inside, **given: str | int | float | bool | None) -> Html:
    """Make an element.

    `cls` is its class, `data_n` becomes data-n; None and False are left out, True is written without a value.

    >>> el("b", "<script>", cls="x", data_n=3)
    '<b class="x" data-n="3">&lt;script&gt;</b>'
    """
    attributes = "".join(
        f" {_name(key)}" if value is True else f' {_name(key)}="{html.escape(_figure(value))}"'
        for key, value in given.items()
        if value is not None and value is not False
    )
    closing = "" if tag in VOID else f"{join(inside)}</{tag}>"
    return Html(f"<{tag}{attributes}>{closing}")


def join(inside: Inside) -> Html:
    """Join several parts, escaping text."""
    if inside is None:
        return Html("")
    if isinstance(inside, Html):
        return inside
    if isinstance(inside, str):
        return Html(html.escape(inside))
    if isinstance(inside, int | float):
        return Html(_figure(inside))
    return Html("".join(map(join, inside)))


def _name(key: str) -> str:
    return "class" if key == "cls" else key.rstrip("_").replace("_", "-")


def _figure(value: str | int | float) -> str:
    return f"{value:.1f}".removesuffix(".0") if isinstance(value, float) else str(value)
