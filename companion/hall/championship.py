"""A hall in a championship.

Its broker joins the championship's as a leaf node, in an account apart from its tables, and its ledger is carried
through that as a table's races are. What is missing after an interruption is requested again.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Final

from msgspec.structs import replace

from companion.hall.broker import FOLDER as BROKER
from companion.hall.broker import Broker
from companion.hall.keys import public
from companion.hall.members import FILE as MEMBERS
from companion.hall.members import of_table
from companion.hall.membership import Membership
from companion.sheets.place import LEDGER

ABOVE: Final = "CHAMPIONSHIP"
"""Account in which a hall's broker talks to the championship's, and nobody else does."""


def is_hall(folder: Path) -> bool:
    """Return True if a folder is race control's ledger.

    If so a whole hall is in a championship, not a table in a hall.
    """
    return folder.name == LEDGER and (folder.parent / BROKER / MEMBERS).exists()


def settings(host: str, door: int, above: Membership | None) -> dict[str, object]:
    """Return the broker's settings for halls below and a championship above.

    `door` is the port at which halls connect, 0 for none.
    """
    leafs: dict[str, object] = {"listen": f"{host}:{door}"} if door else {}
    accounts: Mapping[str, object] = {}
    if above is not None and above.leaf:
        leafs["remotes"] = [{"url": above.leaf, "account": ABOVE}]
        accounts = {ABOVE: {"users": [of_table(above.id, public(above.seed))]}}
    return {**({"leafnodes": leafs} if leafs else {}), **({"accounts": accounts} if accounts else {})}


def through(above: Membership, broker: Broker, pin: str) -> Membership:
    """Return the championship as reached through the hall's own broker.

    Unchanged if it has no door for halls.
    """
    return replace(above, servers=[broker.address], pin=pin) if above.leaf else above
