"""How a table comes into a hall: it finds race control, sends its code and the public half of a key, and keeps what it
is called there."""

from __future__ import annotations

import errno
import http.client
import json
import os
import sqlite3
import urllib.parse
from pathlib import Path
from typing import Final

import msgspec

from companion.hall.championship import is_hall
from companion.hall.joined import Joined, keep
from companion.hall.keys import new_seed, public
from companion.rules.conversation.errors import CompanionError, LogError
from companion.rules.conversation.typed import json_reader
from companion.sheets.reading import reading

PAGES: Final = 8019
"""The port of race control's pages, the same every time."""
PATIENCE: Final = 5.0
OTHERWISE: Final = "it speaks otherwise"


class _Given(msgspec.Struct):
    id: str
    table: str
    hall: str
    port: int
    pin: str = ""
    halls: int = 0
    leaf: str = ""


_read: Final = json_reader(_Given)


class NotJoined(CompanionError):
    """A table is not in the hall: nobody answered, or race control refused."""


def join(folder: Path, host: str, port: int, code: str, lang: str = "en") -> Joined:
    """Joins the hall whose pages are at that address. Raises NotJoined, LogError."""
    seed = new_seed()
    own = {"hall": "yes"} if is_hall(folder) else {}
    status, said = _asked(host, port, {"code": code, "key": public(seed), **own}, lang)
    if status != 200:
        try:
            why = str(json.loads(said)["error"])
        except (ValueError, KeyError, TypeError):
            why = str(status)
        raise NotJoined(why, "refused")
    try:
        given = _read(said)
    except msgspec.MsgspecError:
        raise _nobody(host, port, OTHERWISE) from None
    at = f"[{host}]" if ":" in host else host
    server, leaf = f"nats://{at}:{given.port}", f"nats-leaf://{given.id}:{given.leaf}@{at}:{given.halls}"
    place = Joined(
        hall=given.hall, table=given.table, id=given.id, servers=[server], seed=seed, pin=given.pin, page=f"http://{host}:{port}/",
        since=_last(folder), leaf=leaf if given.leaf and given.halls else "",
    )  # fmt: skip
    try:
        keep(folder, place)
    except OSError as wrong:
        raise LogError(f"{folder} cannot be written: {wrong.strerror}.") from wrong
    return place


def _asked(host: str, port: int, said: dict[str, str], lang: str) -> tuple[int, bytes]:
    line = http.client.HTTPConnection(host, port, timeout=PATIENCE)
    origin = f"http://{urllib.parse.quote(host, safe=':[].-')}:{port}"
    headers = {"Content-Type": "application/json", "Origin": origin, "Accept-Language": lang}
    try:
        line.request("POST", "/join", json.dumps(said), headers)
        reply = line.getresponse()
        return reply.status, reply.read(65536)
    except (OSError, http.client.HTTPException, UnicodeError) as wrong:
        late = os.strerror(errno.ETIMEDOUT) if isinstance(wrong, TimeoutError) else OTHERWISE
        raise _nobody(host, port, getattr(wrong, "strerror", None) or late) from wrong
    finally:
        line.close()


def _nobody(host: str, port: int, why: str) -> NotJoined:
    sentence = f"No race control answers at {host}, port {port} ({why}); its address may be another."
    return NotJoined(sentence, "nobody", host=host, port=port, why=why)


def _last(folder: Path) -> int:
    """The last row of the table's database: races from before it joined stay at home, unless they go on."""
    try:
        with reading(folder) as db:
            return int(db.execute("SELECT coalesce(max(rowid), 0) FROM entry").fetchone()[0])
    except (LogError, sqlite3.Error):
        return 0
