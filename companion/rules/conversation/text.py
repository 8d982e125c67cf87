"""Text that people give: what it may not hold, and the marks in it that turn letters round."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Final

from companion.rules.conversation.errors import CompanionError

if TYPE_CHECKING:
    from companion.rules.conversation.asking import Json

TURNING: Final = frozenset("\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
"""Marks of Unicode that set the direction of what follows. Nobody sees them, and a name with one turns the rest of its
line round wherever it is shown; Arabic and Hebrew need none."""


CONTROL: Final = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029]")
"""A control character or a line break. Printed as it is, it moves the cursor of a terminal."""


def check_text(said: Json, error: type[CompanionError] = CompanionError) -> None:
    r"""Raise `error` for a text, or one anywhere in JSON, that cannot be stored or must not be printed.

    That is half a character (a lone surrogate), a line break or another control character.

    >>> check_text({"name": "Ada", "why": ["it\x1b[31m"]})
    Traceback (most recent call last):
    companion.rules.conversation.errors.CompanionError: A text holds no line break and no other control character.
    """
    for text in _texts(said):
        if CONTROL.search(text):
            raise error("line_control")
        try:
            text.encode()
        except UnicodeEncodeError:
            raise error("half_character") from None


def _texts(said: Json) -> Iterator[str]:
    if isinstance(said, str):
        yield said
    elif isinstance(said, Mapping):
        for name, value in said.items():
            yield name
            yield from _texts(value)
    elif isinstance(said, list | tuple):
        for value in said:
            yield from _texts(value)


def printable(text: str) -> str:
    r"""Return a text of an old log as a terminal may print it, its control characters written out.

    >>> printable("a\nb\x1b[31m é")
    'a\\nb\\x1b[31m é'
    """
    return CONTROL.sub(lambda sign: sign[0].encode("unicode_escape").decode(), text)


def folded(text: str) -> str:
    """Return a text to compare by: without case and accents.

    >>> folded("Sainte-Dévote")
    'sainte-devote'
    """
    apart = unicodedata.normalize("NFKD", text.casefold())
    return "".join(letter for letter in apart if not unicodedata.combining(letter))


def unturned(text: str) -> str:
    r"""Return a text without the marks that turn letters round.

    >>> unturned("Ada\u202e 7"), unturned("نادية")
    ('Ada 7', 'نادية')
    """
    return "".join(letter for letter in text if letter not in TURNING)
