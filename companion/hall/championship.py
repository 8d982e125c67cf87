"""A hall in a championship: its broker joins the championship's as a leaf node, in an account apart from its tables,
and through that its ledger is carried as a table's races are. What is missing after the line was down is asked for."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Final

from msgspec.structs import replace

from companion.hall.broker import FOLDER as BROKER
from companion.hall.broker import Broker
from companion.hall.joined import Joined
from companion.hall.keys import public
from companion.hall.ledger import FOLDER as LEDGER
from companion.hall.members import FILE as MEMBERS
from companion.hall.members import of_table

ABOVE: Final = "CHAMPIONSHIP"
"""The account in which a hall's broker talks to the championship's, and nobody else does."""


def is_hall(folder: Path) -> bool:
    """Whether a folder is race control's ledger: a whole hall is in a championship then, and no table in a hall."""
    return folder.name == LEDGER and (folder.parent / BROKER / MEMBERS).exists()


def settings(host: str, door: int, above: Joined | None) -> dict[str, object]:
    """What the broker's file says: at which port halls come in (0: none), and which championship it is in itself."""
    leafs: dict[str, object] = {"listen": f"{host}:{door}"} if door else {}
    accounts: Mapping[str, object] = {}
    if above is not None and above.leaf:
        leafs["remotes"] = [{"url": above.leaf, "account": ABOVE}]
        accounts = {ABOVE: {"users": [of_table(above.id, public(above.seed))]}}
    return {**({"leafnodes": leafs} if leafs else {}), **({"accounts": accounts} if accounts else {})}


def through(above: Joined, broker: Broker, pin: str) -> Joined:
    """The same championship by the hall's own broker; as it is if that has no way there."""
    return replace(above, servers=[broker.address], pin=pin) if above.leaf else above
