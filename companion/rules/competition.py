"""The French championship rules: a race of three laps with cars built of wear points."""

from __future__ import annotations

from typing import ClassVar

from companion.rules.formula_de import FormulaDe


class Competition(FormulaDe):
    """The reference rulebook."""

    name = "competition"
    VERSION: ClassVar[str] = "competition 1"
    reminders: ClassVar = {"setup": ("3-1-5", "22-0-1", "22-0-2"), "roll": ("6-1-3", "6-3-1", "6-3-2")}
