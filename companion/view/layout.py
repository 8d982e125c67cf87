"""How the answers to a question are laid out: as keys, a die, a list, a form, cards."""

from __future__ import annotations

from typing import Final

from companion.rules.conversation.asking import Asked
from companion.view import hand
from companion.view.form import is_form
from companion.view.shown import Layout

ROW: Final = 7
"""The most keys in a row."""
DIE: Final = 10
"""The most faces of a die that has keys in a row."""

ARMED: Final = frozenset({"weapons", "targets", "attackers"})
"""The fields of a choice among weapons and their targets."""


def layout_of(asked: Asked) -> Layout:
    """How the answers are laid out, by what they are and not by what is asked."""
    if asked.faces is not None:
        return "die" if len(asked.faces) <= DIE else "black"
    if ARMED.issubset(asked.fields or {}):
        return "attack"
    options = asked.options or []
    if any(isinstance(option.answer, dict) and "space" in option.answer for option in options):
        return "landing"
    if "past" in (asked.fields or {}):
        return "seen"
    if is_form(asked):
        return "form"
    if cards := hand.layout_of(options):
        return cards
    return "keys" if len(options) <= ROW else "list"
