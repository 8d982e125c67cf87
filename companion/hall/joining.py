"""Join a table to a hall.

The table finds race control, sends its code and public key, and stores the name it gets.
"""

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

from companion.hall.broker import FOLDER as BROKER
from companion.hall.championship import is_hall
from companion.hall.keys import new_seed, public
from companion.hall.members import FILE as MEMBERS
from companion.hall.members import Members
from companion.hall.membership import Membership, keep
from companion.rules.conversation.errors import CompanionError, LogError
from companion.rules.conversation.typed import json_reader
from companion.sheets.reading import reading

PAGES: Final = 8019
"""Port of race control's pages, always the same."""
PATIENCE: Final = 5.0
OTHERWISE: Final = "it speaks otherwise"


class _JoinReply(msgspec.Struct):
    id: str
    table: str
    hall: str
    port: int
    pin: str = ""
    halls: int = 0
    leaf: str = ""


_read: Final = json_reader(_JoinReply)


class NotJoined(CompanionError):
    """Raised if a table could not join: nobody answered, or race control refused."""


def join(folder: Path, host: str, port: int, code: str, lang: str = "en") -> Membership:
    """Join the hall whose pages are at an address.

    Raises NotJoined, also for race control's own folder, which would be a table of itself; LogError.
    """
    control = (folder.parent if is_hall(folder) else folder) / BROKER
    if (control / MEMBERS).exists() and Members(control).has_code(code):
        raise NotJoined("no_hall_self")
    seed = new_seed()
    own = {"hall": "yes"} if is_hall(folder) else {}
    status, said = _request(host, port, {"code": code, "key": public(seed), **own}, lang)
    if status != 200:
        try:
            why = str(json.loads(said)["error"])
        except (ValueError, KeyError, TypeError):
            why = str(status)
        raise NotJoined("refused", why=why)
    try:
        given = _read(said)
    except msgspec.MsgspecError:
        raise _nobody(host, port, OTHERWISE) from None
    at = f"[{host}]" if ":" in host else host
    server, leaf = f"nats://{at}:{given.port}", f"nats-leaf://{given.id}:{given.leaf}@{at}:{given.halls}"
    place = Membership(
        hall=given.hall, table=given.table, id=given.id, servers=[server], seed=seed, pin=given.pin, page=f"http://{host}:{port}/",
        since=_last(folder), leaf=leaf if given.leaf and given.halls else "",
    )  # fmt: skip
    try:
        keep(folder, place)
    except OSError as wrong:
        raise LogError("not_written.output", out=folder, wrong=wrong.strerror) from wrong
    return place


def _request(host: str, port: int, said: dict[str, str], lang: str) -> tuple[int, bytes]:
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
    return NotJoined("nobody", host=host, port=port, why=why)


def _last(folder: Path) -> int:
    """Return the last row of the table's database, 0 if it has none."""
    try:
        with reading(folder) as db:
            return int(db.execute("SELECT coalesce(max(rowid), 0) FROM entry").fetchone()[0])
    except (LogError, sqlite3.Error):
        return 0
