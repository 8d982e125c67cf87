"""Lines of the protocol, and typed access to their fields."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from companion.rules.conversation.asking import Json, JsonValue
from companion.rules.conversation.errors import BadAnswer

Line = dict[str, JsonValue]
"""One line of the protocol, in or out."""


def whole(asked: Line, key: str) -> int:
    """Return a whole number. Raises BadAnswer."""
    value = asked[key]
    if isinstance(value, bool) or not isinstance(value, int):
        raise BadAnswer("line_whole", key=key)
    return value


def switch(asked: Line, key: str) -> bool:
    """Return a boolean, False if missing. Raises BadAnswer."""
    value = asked.get(key, False)
    if not isinstance(value, bool):
        raise BadAnswer("line_switch", key=key)
    return value


def text(asked: Mapping[str, Json], key: str) -> str:
    """Return a text, "" if missing. Raises BadAnswer."""
    value = asked.get(key, "")
    if not isinstance(value, str):
        raise BadAnswer("line_text", key=key)
    return value


def who(asked: Line, force: bool) -> str:
    """Return the author of a line.

    Without `by` it is the table; with `force` it is "", since an override needs a name.
    """
    return text(asked, "by") or ("" if force else "table")


def plain(thing: object) -> Json:
    """Return typed data as plain JSON; likelihoods become pairs such as [1, 20]."""
    return msgspec.to_builtins(thing, str_keys=True, enc_hook=lambda chance: list(chance.as_integer_ratio()))
