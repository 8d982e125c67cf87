"""Strict JSON for the referee: unambiguous, valid and of limited size."""

from __future__ import annotations

import json
from typing import Final, NoReturn

from companion.rules.conversation.asking import JsonValue
from companion.rules.conversation.errors import CompanionError
from companion.rules.conversation.text import TURNING, check_text

LONGEST: Final = 64 * 1024
"""Maximum length of a line, in bytes."""
MAX_DEPTH: Final = 20
"""Maximum depth to which lists and objects may be nested."""
LARGEST: Final = 2**53
"""Upper bound of whole numbers, the size to which every JSON reader is exact."""


class NotJson(CompanionError):
    """Raised for a line that is not strict JSON."""


def read(line: bytes) -> JsonValue:
    """Parse one line; raises NotJson for anything that is not strict JSON."""
    if len(line) > LONGEST:
        raise NotJson("line_long", most=LONGEST // 1024)
    try:
        text = line.decode("utf-8")
    except UnicodeDecodeError as wrong:
        raise NotJson("line_utf8", at=wrong.start + 1) from None
    if _depth(text) > MAX_DEPTH:
        raise NotJson("line_deep", most=MAX_DEPTH)
    try:
        said: JsonValue = json.loads(
            text, object_pairs_hook=_once, parse_constant=_constant, parse_int=_whole, parse_float=_fraction
        )
    except NotJson:
        raise
    except ValueError as wrong:
        at = getattr(wrong, "colno", 1)
        raise NotJson("line_json", at=at, example='{"answer": 4}') from None
    _sound(said)
    return said


def _depth(text: str) -> int:
    """Return how deeply brackets are nested.

    Counting stops once the depth exceeds `MAX_DEPTH`.
    """
    deep = most = 0
    quoted = escaped = False
    for sign in text:
        if quoted:
            if escaped:
                escaped = False
            elif sign == "\\":
                escaped = True
            elif sign == '"':
                quoted = False
        elif sign == '"':
            quoted = True
        elif sign in "[{":
            deep += 1
            most = max(most, deep)
            if most > MAX_DEPTH:
                break
        elif sign in "]}":
            deep -= 1
    return most


def _once(pairs: list[tuple[str, JsonValue]]) -> dict[str, JsonValue]:
    said = dict(pairs)
    if len(said) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise NotJson("line_twice", key=twice)
    return said


def _constant(name: str) -> NoReturn:
    raise NotJson("line_number", name=name)


def _whole(digits: str) -> int:
    if len(digits) > 17 or abs(int(digits)) >= LARGEST:
        raise NotJson("line_large", number=digits[:20])
    return int(digits)


def _fraction(digits: str) -> float:
    number = float(digits)
    if number in (float("inf"), float("-inf")):
        raise NotJson("line_large", number=digits[:20])
    return number


def _sound(said: JsonValue) -> None:
    """Refuse lone surrogates, line breaks, control characters and marks that turn text.

    Surrogates cannot be written, and the text is printed: a name must not move the cursor of a terminal.
    """
    check_text(said, NotJson)
    if not TURNING.isdisjoint(json.dumps(said, ensure_ascii=False)):
        raise NotJson("line_control")
