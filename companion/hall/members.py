"""Members of the hall: joining codes, and what each table may publish and hear.

Race control makes a code for a table and shows it; the table sends it once, with the public half of a key that it has
made. From then on it publishes its own logs and its own beats, and hears what race control says to it and to all. A
table that joins by a code for a name which is taken replaces the one that had it: a dead Raspberry Pi's log goes on.
"""

from __future__ import annotations

import fcntl
import hashlib
import re
import secrets
import socket
import threading
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Final

import msgspec
from msgspec.structs import replace

from companion import whole_file
from companion.hall import wire
from companion.hall.broker import user
from companion.hall.keys import is_public, is_seed, new_seed, public
from companion.rules.conversation.errors import CompanionError, LogError
from companion.rules.conversation.typed import json_reader

FILE: Final = "members.json"
LETTERS: Final = "ABCDEFGHJKLMNPQRSTUVWXYZ"
"""Letters of codes: no I and no O, which are read as figures."""
LENGTH: Final = 8
MOST: Final = 64
"""Maximum length of a table's name, in letters."""


class Member(msgspec.Struct, frozen=True, omit_defaults=True):
    """A table in the hall.

    `key` is its public key; `leaf` is the password of the broker of a hall in a championship, which cannot use keys.
    """

    name: str
    key: str
    leaf: str = ""


class _StoredMember(msgspec.Struct):
    name: str
    seed: str
    members: dict[str, Member] = {}
    codes: dict[str, str] = {}
    people: dict[str, str] = {}


_read: Final = json_reader(_StoredMember)


class Members:
    """The members of one hall, stored in the broker's folder.

    May be used from any thread or program: every change starts from the current file. `changed` is called with the
    users that the broker now admits.
    """

    def __init__(self, folder: Path, name: str = "") -> None:
        """Read the members.

        Raises LogError for an unreadable file: a new one would shut out all who have joined.
        """
        self._path, self._lock = folder / FILE, threading.RLock()
        self.changed: Callable[[list[Mapping[str, object]]], object] = lambda _: None
        self._stamp: tuple[int, ...] = ()
        name = _called(name) if name else ""
        self._kept = self._read() or _StoredMember(name or socket.gethostname(), new_seed())
        if name:
            self._kept.name = name

    @property
    def hall(self) -> str:
        """The name of the hall."""
        return self._kept.name

    @property
    def seed(self) -> str:
        """The secret half of race control's own key."""
        return self._kept.seed

    def all(self) -> dict[str, Member]:
        """Return the tables by id, in order of joining."""
        return dict(self._kept.members)

    def names(self) -> list[str]:
        """Return the names of the tables, table 2 before table 10."""
        return sorted((one.name for one in self._kept.members.values()), key=natural)

    def codes(self) -> dict[str, str]:
        """Return the unused codes with the table that each is for."""
        return dict(self._kept.codes)

    def has_code(self, code: str) -> bool:
        """Return True for an unused code of this hall, however it was typed."""
        return _plain(code) in self._kept.codes

    def name(self, table: str) -> str | None:
        """Return the name of a table, None if it is not in the hall."""
        member = self._kept.members.get(table)
        return member.name if member is not None else None

    def person(self, code: str) -> str | None:
        """Return the official who has a personal code, None if nobody has it."""
        return self._kept.people.get(_digest(code))

    def users(self) -> list[Mapping[str, object]]:
        """Return the users that the broker admits: race control, and the tables with their own subjects."""
        users = [user(public(self.seed), [">"], [">"])]
        for table, one in self._kept.members.items():
            users.append(own := of_table(table, one.key))
            if one.leaf:
                users.append({"user": table, "password": one.leaf, "permissions": own["permissions"]})
        return users

    # -- what changes it; each raises LogError if the disk does not take it

    def begin(self) -> None:
        """Write the file for the first time."""
        name = self._kept.name
        self._change(lambda kept: replace(kept, name=name))

    def look(self) -> None:
        """Reload the file if another program has changed it."""
        if whole_file.stamp(self._path) != self._stamp:
            self._change(lambda kept: kept)

    def code(self, name: str) -> str:
        """Return a new code for a table; its earlier code becomes void."""
        name, made = table_name(name), _code()

        def change(kept: _StoredMember) -> _StoredMember:
            others = {code: one for code, one in kept.codes.items() if one != name}
            return replace(kept, codes={**others, made: name})

        self._change(change)
        return made

    def speaker(self, name: str) -> str:
        """Return a new code for an official; his earlier code becomes void."""
        name, made = _called(name), _code()

        def change(kept: _StoredMember) -> _StoredMember:
            others = {digest: one for digest, one in kept.people.items() if one != name}
            return replace(kept, people={**others, _digest(made): name})

        self._change(change)
        return made

    def join(self, code: str, key: str, *, hall: bool = False) -> tuple[str, str]:
        """Admit a table, or a whole `hall`, and return its id and name.

        The code becomes void. Raises NoCode.
        """
        code, table, leaf = _plain(code), secrets.token_hex(6), secrets.token_hex(16) if hall else ""

        def change(kept: _StoredMember) -> _StoredMember:
            if code not in kept.codes:
                raise NoCode("code")
            if not is_public(key) or any(one.key == key for one in kept.members.values()):
                raise NoCode("key")
            name = kept.codes[code]
            others = {other: one for other, one in kept.members.items() if one.name != name}
            codes = {one: of for one, of in kept.codes.items() if one != code}
            return replace(kept, members={**others, table: Member(name, key, leaf)}, codes=codes)

        self._change(change)
        return table, self._kept.members[table].name

    def revoke(self, table: str) -> None:
        """Remove a table from the hall; the ledger keeps its logs."""

        def change(kept: _StoredMember) -> _StoredMember:
            return replace(kept, members={other: one for other, one in kept.members.items() if other != table})

        self._change(change)

    def _change(self, do: Callable[[_StoredMember], _StoredMember]) -> None:
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            with self._lock, self._path.with_suffix(".lock").open("w") as held:
                fcntl.flock(held, fcntl.LOCK_EX)
                old = self._read() or self._kept
                new = do(old)
                if new is not old:
                    whole_file.write(self._path, msgspec.json.encode(new), mode=0o600)
                before, self._kept, self._stamp = self._kept, new, whole_file.stamp(self._path)
        except OSError as wrong:
            raise LogError("not_written.output", out=self._path, wrong=wrong.strerror) from wrong
        if self._kept.members != before.members:
            self.changed(self.users())

    def _read(self) -> _StoredMember | None:
        """Read the file, or return None before the first is written."""
        try:
            return whole_file.json(self._path, _sound)
        except ValueError:
            raise LogError("no_members", path=str(self._path)) from None


def _sound(said: bytes) -> _StoredMember:
    """Return the content of the file.

    Raises ValueError, also for malformed keys, with which the broker would admit nobody.
    """
    kept = _read(said)
    if not is_seed(kept.seed) or not all(is_public(one.key) for one in kept.members.values()):
        raise ValueError("a key is none")
    return kept


def natural(name: str) -> tuple[int, str]:
    """Return a sort key that puts table 2 before table 10."""
    digits = "".join(letter for letter in name if letter.isdecimal())
    return (int(digits[:9]) if digits else 10**9, name.casefold())


def of_table(table: str, key: str) -> Mapping[str, object]:
    """Return the broker's user for a table, with the subjects it may use."""
    return user(key, [wire.log_of(table), wire.beat_of(table)], [wire.told_to(table), wire.TO_ALL])


def _called(name: str) -> str:
    """Normalise a name.

    Raises LogError if it is empty, too long or unprintable.
    """
    name = " ".join(name.split())
    if not name or len(name) > MOST or not name.isprintable():
        raise LogError("name", most=MOST)
    return name


def table_name(name: str) -> str:
    """Normalise the name of a table, without a leading "table", which the pages add."""
    return re.sub(r"^table\s+", "", _called(name), flags=re.IGNORECASE)


def _code() -> str:
    return "".join(secrets.choice(LETTERS) for _ in range(LENGTH))


def _plain(code: str) -> str:
    """Normalise a code, however it was typed."""
    return "".join(code.split()).replace("-", "").upper()


def _digest(code: str) -> str:
    return hashlib.sha256(_plain(code).encode()).hexdigest()


class NoCode(CompanionError):
    """Raised if a code or key does not admit a table."""
