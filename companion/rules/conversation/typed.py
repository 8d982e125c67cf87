"""What is read becomes typed here and nowhere else: JSON and the states of races, setups and files of TOML.

msgspec makes what it knows of a type when the type is first read. If two threads do that at one moment, one of them
reads with half of it, and the program dies of a segmentation fault. So each type is made by one thread at a time, and
whole, before anything is read with it. Tests hold that nobody goes past this file.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Final, TypeVar

import msgspec

T = TypeVar("T")

_ONE: Final = threading.RLock()
_made: Final[set[object]] = set()


def converted(value: object, kind: type[T]) -> T:
    """Plain data as a typed whole; raises msgspec.ValidationError."""
    _make(kind)
    return msgspec.convert(value, kind)


def json_reader(kind: type[T]) -> Callable[[str | bytes], T]:
    """Reads JSON of that type; what it gives raises msgspec.MsgspecError."""
    with _ONE:
        return msgspec.json.Decoder(kind).decode


def state_reader(kind: type[T]) -> Callable[[bytes], T]:
    """Reads a state as a rulebook saved it; what it gives raises msgspec.MsgspecError."""
    with _ONE:
        return msgspec.msgpack.Decoder(kind).decode


def _make(kind: type[object]) -> None:
    if kind not in _made:
        with _ONE:
            msgspec.json.Decoder(kind)
            _made.add(kind)
