"""The one question: its title, its answers with what they bring, and the steps of the turn it belongs to."""

from __future__ import annotations

from companion.rules.conversation.faces import die_of
from companion.view import hand, seen
from companion.view.card_form import typed_range
from companion.view.form import fields_of, most
from companion.view.keys import chosen, keys_of
from companion.view.layout import ROW, layout_of
from companion.view.sections import in_turn
from companion.view.shown import Prompt, Undo
from companion.view.sight import Sight
from companion.view.steps import redone, trail, undone
from companion.view.titles import title, unit


def prompt(sight: Sight) -> Prompt:
    """The open question; after the end of the race there is none."""
    asked = sight.asked
    undo, redo = Undo(label=undone(sight)), Undo(label=redone(sight))
    if asked is None:
        return Prompt(key="over", n=sight.desk.n, title=sight.say("race.over"), layout="none", undo=undo, redo=redo)
    layout = layout_of(asked)
    keys = keys_of(sight, asked, layout)
    if layout == "keys" and len(keys) > ROW:  # those that are barred want their places, too
        layout = "list"
    return Prompt(
        key=f"{asked.n} {asked.ask} {asked.car} {asked.round} {asked.what}",
        n=asked.n,
        ask=asked.ask,
        article=asked.article,
        cited=sight.cited(asked.article),
        plate=sight.plate(asked.car) if asked.car is not None else None,
        title=title(sight, asked),
        unit=unit(sight, asked),
        layout=layout,
        keys=keys,
        fields=fields_of(sight, asked) if layout in ("form", "seen") else (),
        most=most(asked) if layout == "form" else 0,
        typed=typed_range(asked),
        die=die_of(asked.ask, asked.what) if asked.faces is not None else "",
        chosen=chosen(sight, keys, layout),
        trail=trail(sight, asked),
        turn=in_turn(sight),
        parts=hand.parts(sight, asked.options or []) if layout == "pick" else (),
        seen=seen.seen(sight, asked) if layout == "seen" else None,
        undo=undo,
        redo=redo,
    )
