"""From what a referee types to the values it sets: car 3 tyres 4, sky rain, order 2 1 3."""

from __future__ import annotations

from companion.rules.conversation.asking import Json
from companion.rules.conversation.errors import BadOverride
from companion.terminal.answers import is_number, plain, pools_named, space_named
from companion.wording import Words


def change_typed(parts: list[str], words: Words) -> dict[str, Json] | None:
    """A value to set, as it was typed; None if it is an answer that is meant."""
    names = {plain(name): key for key, name in words.words_of("value").items()}
    names |= {plain(key): key for key in words.words_of("value")}
    first = plain(parts[0])
    if first in ("car", "voiture") and len(parts) > 1 and is_number(parts[1]):
        return {"car": int(parts[1]), **_values(parts[2:], names, words)}
    if names.get(first) in ("sky", "surface", "order", "dangers", "cut_short", "wet_conditions") and len(parts) > 1:
        return _values(parts, names, words)
    return None


def _values(parts: list[str], names: dict[str, str], words: Words) -> dict[str, Json]:
    pools = pools_named(words)
    change: dict[str, Json] = {}
    at = 0
    while at < len(parts):
        name = plain(parts[at])
        key = names.get(name, "")
        said = parts[at + 1] if at + 1 < len(parts) else ""
        if key in ("order", "dangers"):
            rest = parts[at + 1 :]
            change[key] = [int(part) if is_number(part) else space_named(part, words) or part for part in rest]
            return change
        if (pool := pools.get(name)) is not None and is_number(said):
            change.setdefault("wear", {})[pool] = int(said)
        elif key and said:
            change[key] = _value(key, said, words)
        else:
            raise BadOverride(words.say("override_how"))
        at += 2
    if not change:
        raise BadOverride(words.say("override_how"))
    return change


def _value(key: str, said: str, words: Words) -> Json:
    if key == "at":
        return space_named(said, words) or said
    if key in words.table:
        known = {plain(word): name for name, word in words.words_of(key).items()}
        return known.get(plain(said), said)
    switch = {"true": True, "false": False}
    switch |= {words.word("plain", one): one for one in (True, False)}
    return int(said) if is_number(said) else switch.get(said, said)
