"""A line of the protocol, and what is read of its fields."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from companion.rules.conversation.asking import Json, JsonValue
from companion.rules.conversation.errors import BadAnswer

Line = dict[str, JsonValue]
"""One line of the protocol, in or out."""


def whole(asked: Line, key: str) -> int:
    """A whole number; raises BadAnswer."""
    value = asked[key]
    if isinstance(value, bool) or not isinstance(value, int):
        raise BadAnswer(f'"{key}" is a whole number, such as 1.', "line_whole", key=key)
    return value


def switch(asked: Line, key: str) -> bool:
    """True or false, false if it is left out; raises BadAnswer."""
    value = asked.get(key, False)
    if not isinstance(value, bool):
        raise BadAnswer(f'"{key}" is true or false.', "line_switch", key=key)
    return value


def text(asked: Mapping[str, Json], key: str) -> str:
    """Text, "" if it is left out; raises BadAnswer."""
    value = asked.get(key, "")
    if not isinstance(value, str):
        raise BadAnswer(f'"{key}" is text.', "line_text", key=key)
    return value


def who(asked: Line, force: bool) -> str:
    """Who says it: the table, if nobody is named; the referee's word is nobody's but who is named."""
    return text(asked, "by") or ("" if force else "table")


def plain(thing: object) -> Json:
    """Typed data as a line has it; likelihoods as [1, 20]."""
    return msgspec.to_builtins(thing, str_keys=True, enc_hook=lambda chance: list(chance.as_integer_ratio()))
