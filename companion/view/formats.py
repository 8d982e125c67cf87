"""The formats of a listing in text: terminal, CSV, JSON and HTML."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Sequence

from companion.rules.conversation.asking import Json
from companion.rules.conversation.text import printable
from companion.view.listing import Cell, Column, Listing
from companion.view.markup import Html, el, join
from companion.view.shown import Plate


def as_text(listing: Listing) -> list[str]:
    """Return a listing as lines of fixed-width columns, with control characters written out."""
    titles = tuple(column.title for column in listing.columns)
    rows = [tuple(map(printable, texts)) for texts in listing.texts]
    wide = [max(map(len, texts)) for texts in zip(titles, *rows, strict=True)]

    def line(texts: Sequence[str]) -> str:
        said = [
            text.rjust(wide[at]) if listing.columns[at].is_figures else text.ljust(wide[at])
            for at, text in enumerate(texts)
        ]
        return "  ".join(said).rstrip()

    return [printable(listing.heading), line(titles), *map(line, rows), *map(printable, listing.notes)]


def as_csv(listing: Listing) -> str:
    """Return a listing as CSV, with the column keys as the header; nothing for a race without points for a driver."""
    from companion.sheets.export import plain  # with the rulebooks: not for a listing as text

    out = io.StringIO()
    rows = csv.writer(out, lineterminator="\n")
    rows.writerow(column.key for column in listing.columns)
    rows.writerows([plain("" if cell.is_empty else cell.text) for cell in row] for row in listing.rows)
    return out.getvalue()


def as_data(listing: Listing) -> dict[str, Json]:
    """Return a listing as plain data, with the record's id and digest; None for a race without points for a driver."""
    rows = [
        {key: None if cell.is_empty else cell.text if cell.value is None else cell.value for key, cell in row.items()}
        for row in listing.by_key()
    ]
    return {
        "kind": listing.kind, "name": listing.name, "of": listing.under, "log": listing.log_id,
        "entries": listing.entries, "digest": listing.digest, "rows": rows, "notes": list(listing.notes),
    }  # fmt: skip


def as_json(listing: Listing) -> str:
    """Return a listing as JSON."""
    return json.dumps(as_data(listing), ensure_ascii=False, indent=1) + "\n"


_STYLE = """body{font-family:sans-serif;margin:2em}table{border-collapse:collapse}td.n{text-align:right}
th,td{padding:.2em .8em;text-align:left;border-bottom:1px solid #ccc}footer{color:#666;margin-top:2em}"""


def as_html(listing: Listing, lang: str) -> str:
    """Return a listing as a self-contained HTML page."""
    title = listing.heading
    digest = el("footer", f"{listing.log_id[:8]} {listing.digest}") if listing.digest else ""
    return f"""<!DOCTYPE html>
<html lang="{lang}"><meta charset="utf-8">{el("title", title)}
<style>{_STYLE}</style>
{el("h1", title)}
{html_table(listing)}
{join([el("p", note) for note in listing.notes])}
{digest}
</html>
"""


def html_table(
    listing: Listing,
    *,
    head: bool = True,
    narrow: bool = False,
    named: str = "",
    drawn: Callable[[Plate], Html] | None = None,
    **given: str | None,
) -> Html:
    """Return a listing's table.

    With `narrow`, cells repeat their titles for rows that are broken. `named` is the key of the column that names a
    row; with `drawn`, the numbers of cars are written as their plates.
    """
    titles = el("thead", el("tr", [el("th", column.title, scope="col") for column in listing.columns]))
    rows = [
        el("tr", [
            _cell(column, cell, narrow=narrow, named=column.key == named, drawn=drawn)
            for column, cell in zip(listing.columns, row, strict=True)
        ])
        for row in listing.rows
    ]  # fmt: skip
    return el("table", titles if head else None, el("tbody", rows), **given)


def _cell(column: Column, cell: Cell, *, narrow: bool, named: bool, drawn: Callable[[Plate], Html] | None) -> Html:
    kind = "none" if "to_come" in cell.marks or "absent" in cell.marks else "n" if column.is_figures else None
    title = f"{column.title}:" if column.title.isdecimal() else column.title
    if drawn is not None and column.kind == "car" and cell.cars:
        return el("td", [drawn(plate) for plate, _ in cell.cars])
    if named:
        return el("th", cell.text, scope="row")
    return el("td", cell.text, cls=kind, data_head=title if narrow else None)
