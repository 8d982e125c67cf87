"""What else can be done in a race: the keys behind More."""

from __future__ import annotations

from typing import Final, Literal

from companion.screens.widgets import menu
from companion.screens.widgets.theme import theme
from companion.view.shown import Shown

Entry = Literal[
    "redo", "history", "override", "note", "dispute", "overview", "sheet", "phones", "rules", "settings", "leave",
]  # fmt: skip
ENTRIES: Final[tuple[tuple[Entry, str], ...]] = (
    ("redo", "redo"), ("history", "history"), ("override", "star"), ("note", "edit"), ("dispute", "triangle"),
    ("overview", "flag"), ("sheet", "sheet"), ("phones", "phone"), ("rules", "book"),
    ("settings", "settings"), ("leave", "home"),
)  # fmt: skip
"""Every key by its name, with its pictogram; the last one has a row of its own."""


class Offer(Shown, frozen=True, kw_only=True):
    """What is on the menu: second lines by name, and what is not possible now."""

    notes: tuple[tuple[str, str], ...] = ()
    barred: tuple[str, ...] = ()

    def entries(self) -> tuple[menu.Entry, ...]:
        """The keys, in the language spoken now."""
        notes = dict(self.notes)
        return tuple(
            menu.Entry(name=name, label=theme.words.screen(f"more.{name}"), icon=icon, note=notes.get(name, ""),
                       barred=name in self.barred)
            for name, icon in ENTRIES
        )  # fmt: skip
