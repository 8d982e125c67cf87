"""JSON as a referee reads it: nothing that means two things, nothing that is not JSON, nothing too big."""

from __future__ import annotations

import json
import re
from typing import Final, NoReturn

from companion.rules.conversation.asking import JsonValue
from companion.rules.conversation.errors import CompanionError
from companion.rules.conversation.text import TURNING

LONGEST: Final = 64 * 1024
"""The longest line, in bytes."""
DEEPEST: Final = 20
"""How deep lists and objects may lie in one another."""
LARGEST: Final = 2**53
"""Whole numbers stay below this, the size to which every JSON reader is exact."""
_CONTROL: Final = re.compile(r"\\u00[01]|\\[bfnrt]|[\x7f-\x9f\u2028\u2029" + "".join(sorted(TURNING)) + "]")
"""A control character or a line break, as `json.dumps` writes it, or a mark that turns letters round."""


class NotJson(CompanionError):
    """A line that is not JSON as it is wanted here."""


def read(line: bytes) -> JsonValue:
    """What one line says. Raises NotJson with one sentence for anything that is not strict JSON."""
    if len(line) > LONGEST:
        raise NotJson(f"A line holds at most {LONGEST // 1024} kB.", "line_long", most=LONGEST // 1024)
    try:
        text = line.decode("utf-8")
    except UnicodeDecodeError as wrong:
        raise NotJson(
            f"The line is not UTF-8 text (byte {wrong.start + 1}).", "line_utf8", at=wrong.start + 1
        ) from None
    if _depth(text) > DEEPEST:
        raise NotJson(f"Lists and objects lie at most {DEEPEST} deep.", "line_deep", most=DEEPEST)
    try:
        said: JsonValue = json.loads(
            text, object_pairs_hook=_once, parse_constant=_constant, parse_int=_whole, parse_float=_fraction
        )
    except NotJson:
        raise
    except ValueError as wrong:
        at = getattr(wrong, "colno", 1)
        raise NotJson(
            f'The line is not JSON (from character {at}); a line is one object such as {{"answer": 4}}.',
            "line_json",
            at=at,
        ) from None
    _sound(said)
    return said


def _depth(text: str) -> int:
    """How deep brackets lie in one another, counted without reading further than is needed."""
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
            if most > DEEPEST:
                break
        elif sign in "]}":
            deep -= 1
    return most


def _once(pairs: list[tuple[str, JsonValue]]) -> dict[str, JsonValue]:
    said = dict(pairs)
    if len(said) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise NotJson(f'The key "{twice}" stands twice in one object.', "line_twice", key=twice)
    return said


def _constant(name: str) -> NoReturn:
    raise NotJson(f"{name} is not JSON; a number is written in digits.", "line_number", number=name)


def _whole(digits: str) -> int:
    if len(digits) > 17 or abs(int(digits)) >= LARGEST:
        raise NotJson(f"The number {digits[:20]} is too large.", "line_large", number=digits[:20])
    return int(digits)


def _fraction(digits: str) -> float:
    number = float(digits)
    if number in (float("inf"), float("-inf")):
        raise NotJson(f"The number {digits[:20]} is too large.", "line_large", number=digits[:20])
    return number


def _sound(said: JsonValue) -> None:
    """Refuses halves of characters (lone surrogates), which cannot be written down again, and line breaks and control
    characters: what is said is printed, and a name must not move the cursor of a terminal."""
    written = json.dumps(said, ensure_ascii=False)
    try:
        written.encode("utf-8")
    except UnicodeEncodeError:
        raise NotJson("The line holds half a character (a lone surrogate).", "line_half") from None
    if _CONTROL.search(written.replace("\\\\", "")):
        raise NotJson("A text holds no line break and no other control character.", "line_control")
