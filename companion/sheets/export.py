"""A race as JSON, whole and checkable by anybody, and as CSV, one row a ruling."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Sequence
from typing import Final

import msgspec

from companion.rules.conversation.asking import Json
from companion.rules.conversation.kinds import by_name
from companion.rules.rulebooks import pools_of
from companion.sheets.build_sheet import race_sheet
from companion.sheets.chain import canonical, line
from companion.sheets.entry import Entry
from companion.sheets.history import History

BEFORE: Final = (
    "n", "seq", "at", "by", "round", "car", "ask", "what", "answer", "forced", "why", "ruling", "article", "ruled_car",
)  # fmt: skip
"""Columns before those of the pools."""
_FORMULA: Final = ("=", "+", "-", "@", "\t", "\r")
"""First characters that make a spreadsheet read a cell as a formula."""


def file_name(race: str, form: str) -> str:
    """Return the name of the file for a race or a table: letters, figures, - and _ of its name."""
    plain = re.sub(r"[^\w-]+", "-", race, flags=re.UNICODE).strip("-") or "race"
    return f"{plain[:60]}.{form}"


def as_json(entries: Sequence[Entry]) -> str:
    """Return the sheet, and every entry as it was hashed with its hash beside it.

    The hash is SHA-256 over the entry's canonical JSON (keys in order, no spaces, UTF-8) without "hash".
    """
    sheet = msgspec.to_builtins(race_sheet(History.of(entries)))
    whole = {"sheet": sheet, "log": [_hashed(entry) for entry in entries]}
    return json.dumps(whole, ensure_ascii=False, indent=1) + "\n"


def _hashed(entry: Entry) -> dict[str, Json]:
    return {**json.loads(line(entry)), "hash": entry.hash.hex()}


def plain(cell: Json) -> Json:
    """Return a cell that no spreadsheet takes for a formula: an apostrophe goes before one; numbers stay."""
    if not isinstance(cell, str) or not cell.startswith(_FORMULA):
        return cell
    try:
        float(cell)
    except ValueError:
        return f"'{cell}"
    return cell


def as_csv(entries: Sequence[Entry]) -> str:
    """Return the answers in force, one row a ruling; an answer on which nothing was ruled has a row too."""
    out = io.StringIO()
    history = History.of(entries)
    pools = pools_of(history.beginning.rulebook if history.beginning is not None else "")
    rows = csv.DictWriter(out, (*BEFORE, *pools, "facts"), lineterminator="\n")
    rows.writeheader()
    for n, item in enumerate(history.items):
        event = item.event
        row: dict[str, Json] = {"n": n, "seq": item.seq, "at": item.at, "by": item.by, "why": item.why}
        if event.key is not None:
            row["ask"], row["car"], row["round"], row["what"] = event.key
            row["answer"] = canonical(event.answer).decode()
            row["forced"] = int(event.forced)
        else:
            row["ask"], row["answer"] = "override", canonical(event.change).decode()
        for ruling in item.rulings or (None,):
            if ruling is None:
                rows.writerow({column: plain(cell) for column, cell in row.items()})
                continue
            whole = {**row, "ruling": ruling.kind, "article": ruling.article, "ruled_car": ruling.car}
            whole |= by_name(ruling.wear)
            whole["facts"] = canonical(ruling.facts).decode() if ruling.facts else ""
            rows.writerow({column: plain(cell) for column, cell in whole.items()})
    return out.getvalue()
