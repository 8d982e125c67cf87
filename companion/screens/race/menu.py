"""What else can be done in a race: the keys behind More."""

from __future__ import annotations

from typing import Final, Literal

from companion.screens.widgets import menu
from companion.screens.widgets.theme import theme
from companion.view.shown import Shown

Entry = Literal[
    "redo", "history", "override", "note", "dispute", "overview", "sheet", "phones", "rules", "settings", "leave",
    "hint", "odds", "seat", "order", "ending",
]  # fmt: skip
ENTRIES: Final[tuple[tuple[Entry, str], ...]] = (
    ("redo", "redo"), ("history", "history"), ("override", "star"), ("note", "edit"), ("dispute", "triangle"),
    ("overview", "flag"), ("sheet", "sheet"), ("phones", "phone"), ("rules", "book"),
    ("settings", "settings"), ("leave", "home"),
)  # fmt: skip
"""Every key by its name, with its pictogram; the last one has a row of its own."""
MORE: Final[tuple[tuple[Entry, str], ...]] = (
    ("hint", "bulb"), ("odds", "curve"), ("order", "car"), ("seat", "person"), ("ending", "whistle"),
)  # fmt: skip
"""What stands before the last one where the table allows it."""


class Offer(Shown, frozen=True, kw_only=True):
    """What is on the menu: second lines by name, what is not possible now, and what there is `more` than usual."""

    notes: tuple[tuple[str, str], ...] = ()
    barred: tuple[str, ...] = ()
    more: tuple[Entry, ...] = ()

    def entries(self) -> tuple[menu.Entry, ...]:
        """The keys, in the language spoken now."""
        notes = dict(self.notes)
        return tuple(
            menu.Entry(name=name, label=theme.words.screen(f"more.{name}"), icon=icon, note=notes.get(name, ""),
                       barred=name in self.barred)
            for name, icon in (*ENTRIES[:-1], *(one for one in MORE if one[0] in self.more), ENTRIES[-1])
        )  # fmt: skip
