"""Forms in which a race or a table of an event is exported: paper, picture, spreadsheet, log.

What prints takes long to import, so that is done only when something is printed.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from companion.analysis.findings import Analysis
    from companion.sheets.entry import Entry
    from companion.view.listing import Listing

FORMS: Final = ("pdf", "svg", "csv", "json")


def in_form(form: str, entries: Sequence[Entry], lang: str, found: Analysis | None = None) -> bytes:
    """Return a race in a form of FORMS; only what is printed has a language and an analysis."""
    if form == "pdf":
        from companion.printing.race import as_pdf

        return as_pdf(entries, lang, found)
    if form == "svg":
        from companion.printing.picture import as_svg

        return as_svg(entries, lang).encode()
    from companion.sheets.export import as_csv, as_json

    return (as_csv if form == "csv" else as_json)(entries).encode()


def listing_in_form(form: str, listing: Listing, lang: str, *, letter: bool = False, at: str = "") -> bytes:
    """Return a table of an event in a form: text, csv, json, html or pdf."""
    from companion.view.formats import as_csv, as_html, as_json, as_text

    if form == "pdf":
        from companion.printing.listing import as_pdf

        return as_pdf([listing], lang, letter=letter, at=at)
    if form == "text":
        return ("\n".join(as_text(listing)) + "\n").encode()
    return (as_html(listing, lang) if form == "html" else {"json": as_json, "csv": as_csv}[form](listing)).encode()
