"""What the key that takes back would take back of a record."""

from __future__ import annotations

from collections.abc import Callable

from companion.rules.conversation.errors import NothingToDo
from companion.tournament.record import Act, Record
from companion.view.shown import Undo
from companion.wording import Words


def undoing(record: Record, words: Words, told: Callable[[Act], str] | None = None) -> Undo:
    """The last act, as `told` says it, or else by its kind and its table or race; nothing where none may be undone."""
    try:
        act = record.undoable().act
    except NothingToDo:
        return Undo()
    return Undo(label=(told and told(act)) or of_kind(act, words))


def of_kind(act: Act, words: Words) -> str:
    """An act by its kind."""
    return words.screen(f"season.undo.{act.__struct_config__.tag}", race=str(getattr(act, "race", "")))
