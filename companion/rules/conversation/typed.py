"""The one place where input becomes typed: JSON and the states of races, setups and files of TOML.

msgspec builds its knowledge of a type when the type is first read. If two threads do that at one moment, one of them
reads with half of it, and the program dies of a segmentation fault. So each type is built by one thread at a time, and
whole, before anything is read with it. Tests hold that every module reads through this file.

`misfits` tells which field of a setup is of the wrong kind, what would be right and what was found.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Collection, Iterator
from typing import Final, TypeVar

import msgspec
from msgspec import inspect

from companion.rules.conversation.asking import Json
from companion.rules.conversation.errors import BadSetup

S = TypeVar("S")
T = TypeVar("T")

_ONE: Final = threading.RLock()
_made: Final[set[object]] = set()


def converted(value: object, kind: type[T]) -> T:
    """Plain data as a typed whole; raises msgspec.ValidationError."""
    _make(kind)
    return msgspec.convert(value, kind)


def json_reader(kind: type[T]) -> Callable[[str | bytes], T]:
    """Return a reader of JSON of that type, which raises msgspec.MsgspecError for whatever it cannot read."""
    with _ONE:
        return _reader(msgspec.json.Decoder(kind).decode)


def state_reader(kind: type[T]) -> Callable[[bytes], T]:
    """Return a reader of states as a rulebook saved them, which raises msgspec.MsgspecError for any other bytes."""
    with _ONE:
        return _reader(msgspec.msgpack.Decoder(kind).decode)


def _reader(decode: Callable[[S], T]) -> Callable[[S], T]:
    """Wrap a decoder so that it raises one kind of error: msgspec has others for a broken letter and for depth."""

    def read(said: S) -> T:
        try:
            return decode(said)
        except (UnicodeError, RecursionError) as wrong:
            raise msgspec.DecodeError(str(wrong)) from None

    return read


def _make(kind: type[object]) -> None:
    if kind not in _made:
        with _ONE:
            msgspec.json.Decoder(kind)
            _made.add(kind)


LONGEST = 40
"""Maximum length of a value repeated in an error, in letters."""


def misfits(kind: type, value: dict[str, Json], whose: str) -> Iterator[BadSetup]:
    """Yield every misfit between an object and the struct that it should become; `whose` fields they are."""
    struct = inspect.type_info(kind)
    assert isinstance(struct, inspect.StructType)
    yield from _wrong_fields(struct, value, whose)


def _wrong(kind: inspect.Type, value: Json, whose: str, name: str) -> Iterator[BadSetup]:
    """Yield the misfits of one field; a list or an object is looked into if it is one at all."""
    if isinstance(kind, inspect.Metadata):
        kind = kind.type
    if isinstance(kind, inspect.UnionType):
        if not any(_fits(one, value) for one in kind.types):
            yield _misfit(kind, value, whose, name)
    elif not _fits(kind, value):
        yield _misfit(kind, value, whose, name)
    elif isinstance(kind, inspect.StructType):
        yield from _wrong_fields(kind, value, whose)
    elif isinstance(kind, inspect.DictType):
        for key, inner in value.items():
            yield from _wrong(kind.value_type, inner, whose, f"{name} {key}")
    elif isinstance(kind, (inspect.ListType, inspect.VarTupleType, inspect.TupleType)):
        for at, inner in enumerate(value):
            item = kind.item_types[at] if isinstance(kind, inspect.TupleType) else kind.item_type
            entry = f"entry {at + 1} of {name}"
            owned = isinstance(item, inspect.StructType) and isinstance(inner, dict)
            yield from _wrong(item, inner, owner(inner, f"{name}, entry {at + 1}") if owned else whose, entry)


def _wrong_fields(kind: inspect.StructType, value: dict[str, Json], whose: str) -> Iterator[BadSetup]:
    known = {field.encode_name: field for field in kind.fields}
    for name in value:
        if name not in known:
            yield unknown_field(whose, name, known)
    for name, field in known.items():
        if name in value:
            yield from _wrong(field.type, value[name], whose, name)
        elif field.required:
            yield BadSetup("field_wants", where=whose, name=name, wanted=_kind_text(field.type), found="nothing")


def unknown_field(whose: str, name: str, known: Collection[str]) -> BadSetup:
    """Return the refusal of a field that there is not, with those that there may be."""
    return BadSetup("field_unknown", where=whose, name=value_text(name), known=", ".join(sorted(known)))


def owner(value: dict[str, Json], entry: str) -> str:
    """Return the owner of the fields of a list's entry: a car, by its number if it has one."""
    number = value.get("car")
    return f"Car {number}" if isinstance(number, int) and not isinstance(number, bool) else entry


def _fits(kind: inspect.Type, value: Json) -> bool:
    """Return True if a value is of a kind, without looking into it."""
    if isinstance(kind, inspect.IntType):
        if isinstance(value, bool) or not isinstance(value, int):
            return False
        return (kind.ge is None or value >= kind.ge) and (kind.le is None or value <= kind.le)
    if isinstance(kind, inspect.LiteralType):
        return value in kind.values if isinstance(value, str) else False
    if isinstance(kind, inspect.TupleType):
        return isinstance(value, list) and len(value) == len(kind.item_types)
    if isinstance(kind, (inspect.ListType, inspect.VarTupleType)):
        return isinstance(value, list)
    if isinstance(kind, (inspect.StructType, inspect.DictType)):
        return isinstance(value, dict)
    if isinstance(kind, inspect.BoolType):
        return isinstance(value, bool)
    return value is None if isinstance(kind, inspect.NoneType) else isinstance(value, str)


def _misfit(kind: inspect.Type, value: Json, whose: str, name: str) -> BadSetup:
    return BadSetup("field_wants", where=whose, name=name, wanted=_kind_text(kind), found=value_text(value))


def _kind_text(kind: inspect.Type) -> str:
    """Return what a kind is, in words."""
    if isinstance(kind, inspect.UnionType):
        return " or ".join(_kind_text(one) for one in kind.types)
    if isinstance(kind, inspect.IntType):
        whole = "a whole number"
        return whole if kind.ge is None or kind.le is None else f"{whole} from {kind.ge} to {kind.le}"
    if isinstance(kind, inspect.LiteralType):
        return "one of " + ", ".join(value_text(value) for value in kind.values if value)
    if isinstance(kind, inspect.TupleType):
        return f"a list of {len(kind.item_types)}"
    if isinstance(kind, (inspect.ListType, inspect.VarTupleType)):
        return "a list"
    if isinstance(kind, (inspect.StructType, inspect.DictType)):
        return "an object"
    if isinstance(kind, inspect.BoolType):
        return "true or false"
    return "null" if isinstance(kind, inspect.NoneType) else "a text"


def value_text(value: Json) -> str:
    """Return a value as an error repeats it: as JSON, and cut."""
    said = json.dumps(value, ensure_ascii=False, default=str)
    return said if len(said) <= LONGEST else f"{said[:LONGEST]}…"
