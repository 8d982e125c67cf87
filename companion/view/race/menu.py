"""The menu of the race screen."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Final, Literal

from companion.view.shown import MenuEntry
from companion.wording import Words

Entry = Literal[
    "redo", "history", "override", "note", "dispute", "overview", "sheet", "phones", "rules", "settings", "leave",
    "hint", "odds", "seat", "order", "ending",
]  # fmt: skip
ENTRIES: Final[tuple[tuple[Entry, str], ...]] = (
    ("redo", "redo"), ("history", "history"), ("override", "star"), ("note", "edit"), ("dispute", "triangle"),
    ("overview", "flag"), ("sheet", "sheet"), ("phones", "phone"), ("rules", "book"), ("settings", "settings"),
)  # fmt: skip
"""Entries that every race has, with their pictograms."""
OPTIONAL: Final[tuple[tuple[Entry, str], ...]] = (
    ("hint", "bulb"), ("odds", "curve"), ("order", "car"), ("seat", "person"), ("ending", "whistle"),
)  # fmt: skip
"""Entries that a race may have."""
LAST: Final[tuple[Entry, str]] = ("leave", "home")
"""The last entry, in a row of its own."""


def menu(
    words: Words, *, notes: Mapping[Entry, str], barred: Collection[Entry], more: Collection[Entry]
) -> tuple[MenuEntry, ...]:
    """Return the entries of the menu: those of every race, and of the optional ones those in `more`.

    `notes` holds second lines; `barred` are the entries that can do nothing now.
    """
    listed = (*ENTRIES, *(one for one in OPTIONAL if one[0] in more), LAST)
    return tuple(
        MenuEntry(name=name, label=words.screen(f"more.{name}"), icon=icon, note=notes.get(name, ""),
                  barred=name in barred)
        for name, icon in listed
    )  # fmt: skip
