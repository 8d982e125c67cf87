"""The forms in which a race leaves the program: to print, as a picture, for a spreadsheet, whole and checkable."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from companion.sheets.entry import Entry
from companion.sheets.export import as_csv, as_json

if TYPE_CHECKING:
    from companion.analysis.findings import Analysis

FORMS: Final = ("pdf", "svg", "csv", "json")


def in_form(form: str, entries: Sequence[Entry], lang: str, found: Analysis | None = None) -> bytes:
    """A race in a form of FORMS; only what is printed has a language, and its analysis if that was found."""
    if form == "pdf":
        from companion.printing.race import as_pdf  # most races are never printed

        return as_pdf(entries, lang, found)
    if form == "svg":
        from companion.printing.picture import as_svg

        return as_svg(entries, lang).encode()
    return (as_csv if form == "csv" else as_json)(entries).encode()
