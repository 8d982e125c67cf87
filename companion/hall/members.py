"""Who is in the hall: the codes by which tables join, and what each may say and hear at the broker.

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
"""What codes are made of: no I and no O, which are read as figures."""
LENGTH: Final = 8
MOST: Final = 64
"""The longest name of a table, in letters."""


class Member(msgspec.Struct, frozen=True, omit_defaults=True):
    """A table in the hall: what it is called, and the public half of its key; of a hall in a championship the password
    of its broker, which knows no keys."""

    name: str
    key: str
    leaf: str = ""


class _Kept(msgspec.Struct):
    name: str
    seed: str
    members: dict[str, Member] = {}
    codes: dict[str, str] = {}
    people: dict[str, str] = {}


_read: Final = json_reader(_Kept)


class Members:
    """The members of one hall, kept beside its broker. From any thread and any program: each change is made to what the
    file says then. `changed` is called with whom the broker lets in now."""

    def __init__(self, folder: Path, name: str = "") -> None:
        """Raises LogError for a file that makes no sense: whoever has joined would be shut out by a new one."""
        self._path, self._lock = folder / FILE, threading.RLock()
        self.changed: Callable[[list[Mapping[str, object]]], object] = lambda _: None
        self._stamp: tuple[int, ...] = ()
        name = _called(name) if name else ""
        self._kept = self._read() or _Kept(name or socket.gethostname(), new_seed())
        if name:
            self._kept.name = name

    @property
    def hall(self) -> str:
        """What the hall is called."""
        return self._kept.name

    @property
    def seed(self) -> str:
        """Race control's own key."""
        return self._kept.seed

    def all(self) -> dict[str, Member]:
        """The tables by their ids, in the order in which they joined."""
        return dict(self._kept.members)

    def names(self) -> list[str]:
        """What the tables are called, table 2 before table 10."""
        return sorted((one.name for one in self._kept.members.values()), key=natural)

    def codes(self) -> dict[str, str]:
        """The codes that nobody has used yet, with the table that each is for."""
        return dict(self._kept.codes)

    def name(self, table: str) -> str | None:
        """What a table is called, None if it is not in the hall."""
        member = self._kept.members.get(table)
        return member.name if member is not None else None

    def person(self, code: str) -> str | None:
        """Whose code of his own that is: who speaks for race control. None for nobody's."""
        return self._kept.people.get(_digest(code))

    def users(self) -> list[Mapping[str, object]]:
        """Whom the broker lets in: race control, and every table to what is its own."""
        users = [user(public(self.seed), [">"], [">"])]
        for table, one in self._kept.members.items():
            users.append(own := of_table(table, one.key))
            if one.leaf:
                users.append({"user": table, "password": one.leaf, "permissions": own["permissions"]})
        return users

    # -- what changes it; each raises LogError if the disk does not take it

    def begin(self) -> None:
        """Keeps what there is, as the very first time."""
        name = self._kept.name
        self._change(lambda kept: replace(kept, name=name))

    def look(self) -> None:
        """Whether another program has changed anything."""
        if whole_file.stamp(self._path) != self._stamp:
            self._change(lambda kept: kept)

    def code(self, name: str) -> str:
        """A new code for a table of that name; one that was made for it before is void."""
        name, made = table_name(name), _code()

        def change(kept: _Kept) -> _Kept:
            others = {code: one for code, one in kept.codes.items() if one != name}
            return replace(kept, codes={**others, made: name})

        self._change(change)
        return made

    def speaker(self, name: str) -> str:
        """A new code for somebody who speaks for race control; the one that he had is void."""
        name, made = _called(name), _code()

        def change(kept: _Kept) -> _Kept:
            others = {digest: one for digest, one in kept.people.items() if one != name}
            return replace(kept, people={**others, _digest(made): name})

        self._change(change)
        return made

    def join(self, code: str, key: str, *, hall: bool = False) -> tuple[str, str]:
        """Takes a table, or a whole `hall`, in by its code, which is void then; its id and its name. Raises NoCode."""
        code, table, leaf = _plain(code), secrets.token_hex(6), secrets.token_hex(16) if hall else ""

        def change(kept: _Kept) -> _Kept:
            if code not in kept.codes:
                raise NoCode("That is no code of this hall, or it was used; race control makes another one.", "code")
            if not is_public(key) or any(one.key == key for one in kept.members.values()):
                raise NoCode("The table sent no key of its own.", "key")
            name = kept.codes[code]
            others = {other: one for other, one in kept.members.items() if one.name != name}
            codes = {one: of for one, of in kept.codes.items() if one != code}
            return replace(kept, members={**others, table: Member(name, key, leaf)}, codes=codes)

        self._change(change)
        return table, self._kept.members[table].name

    def revoke(self, table: str) -> None:
        """A table is in the hall no more; what the ledger has of it stays."""

        def change(kept: _Kept) -> _Kept:
            return replace(kept, members={other: one for other, one in kept.members.items() if other != table})

        self._change(change)

    def _change(self, do: Callable[[_Kept], _Kept]) -> None:
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
            raise LogError(f"{self._path} cannot be written: {wrong.strerror}.") from wrong
        if self._kept.members != before.members:
            self.changed(self.users())

    def _read(self) -> _Kept | None:
        """What the file says; None if there is none yet."""
        try:
            return whole_file.json(self._path, _sound)
        except ValueError:
            raise LogError(
                f"{self._path} does not say who is in the hall; put back a copy, or move it away and let every table "
                "join again.",
                "no_members",
                path=str(self._path),
            ) from None


def _sound(said: bytes) -> _Kept:
    """Return what the file says; raises ValueError, also for keys that are none: the broker would let nobody in."""
    kept = _read(said)
    if not is_seed(kept.seed) or not all(is_public(one.key) for one in kept.members.values()):
        raise ValueError("a key is none")
    return kept


def natural(name: str) -> tuple[int, str]:
    """Table 2 comes before table 10."""
    digits = "".join(letter for letter in name if letter.isdecimal())
    return (int(digits[:9]) if digits else 10**9, name.casefold())


def of_table(table: str, key: str) -> Mapping[str, object]:
    """What whoever has a table's key may say and hear."""
    return user(key, [wire.log_of(table), wire.beat_of(table)], [wire.told_to(table), wire.TO_ALL])


def _called(name: str) -> str:
    """A name as it is kept; raises LogError for none."""
    name = " ".join(name.split())
    if not name or len(name) > MOST or not name.isprintable():
        raise LogError(f"A name of at most {MOST} letters is wanted.", "name", most=MOST)
    return name


def table_name(name: str) -> str:
    """What a table is called in the hall: the word table, which stands wherever it is shown, is none of its name."""
    return re.sub(r"^table\s+", "", _called(name), flags=re.IGNORECASE)


def _code() -> str:
    return "".join(secrets.choice(LETTERS) for _ in range(LENGTH))


def _plain(code: str) -> str:
    """A code as it was made, however it was typed."""
    return "".join(code.split()).replace("-", "").upper()


def _digest(code: str) -> str:
    return hashlib.sha256(_plain(code).encode()).hexdigest()


class NoCode(CompanionError):
    """A table cannot join so."""
