"""The question: title, answers, layout and the steps of its turn."""

from __future__ import annotations

from typing import Final

from companion.drivers import chooses
from companion.rules.conversation.asking import Asked, Json
from companion.rules.conversation.faces import die_of
from companion.sheets.acts import drawn_by_program
from companion.view.race import hand, landings, seen
from companion.view.race.form import fields_of, is_form, most, typed_range
from companion.view.race.keys import READ, keys_of, selected_index
from companion.view.race.sections import in_turn
from companion.view.race.steps import redone, trail, undone
from companion.view.race.titles import title, unit
from companion.view.shown import AnswerKey, Layout, Prompt
from companion.view.sight import Sight


def prompt(sight: Sight) -> Prompt:
    """Return the open question; after the race, a prompt without one."""
    asked = sight.asked
    undo, redo = undone(sight), redone(sight)
    if asked is None:
        return Prompt(key="over", n=sight.desk.n, title=sight.say("race.over"), layout="none", undo=undo, redo=redo)
    layout = layout_of(asked)
    pages = landings.pages(sight, asked) if layout == "landing" else ()
    keys = landings.keys(pages) or keys_of(sight, asked, layout)
    selected = selected_index(sight, keys, layout)
    if selected < 0 and pages:
        selected = landings.beforehand(pages)
    if layout == "keys" and len(keys) > (WORDED if asked.ask in READ else ROW):  # the barred want their places, too
        layout = "list"
    return Prompt(
        key=f"{asked.n} {asked.ask} {asked.car} {asked.round} {asked.what}",
        n=asked.n,
        ask=asked.ask,
        article=asked.article,
        cited=sight.cited(asked.article),
        plate=sight.plate(asked.car) if asked.car is not None else None,
        title=title(sight, asked),
        unit=unit(sight, asked, keys),
        layout=layout,
        keys=keys,
        pages=pages,
        fields=fields_of(sight, asked) if layout in ("form", "seen") else (),
        most=most(asked) if layout == "form" else 0,
        typed=typed_range(asked),
        by=str((asked.fields or {}).get("by", "")),
        die=die_of(asked.ask, asked.what) if asked.faces is not None else "",
        act=landings.act(sight, pages, keys[selected]) if pages else done(sight, asked),
        chosen=selected,
        trail=trail(sight, asked),
        turn=in_turn(sight),
        parts=hand.parts(sight, asked.options or []) if layout == "pick" else (),
        seen=seen.seen_form(sight, asked) if layout == "seen" else None,
        undo=undo,
        redo=redo,
        hint=_hints(sight, asked),
        starting=is_start(sight, asked),
    )


def is_start(sight: Sight, asked: Asked) -> bool:
    """Return True if this question starts the race.

    That is so until a person answers in the first round.
    """
    if asked.round != 1:
        return False
    answered = (item.event.key for item in sight.desk.history.items if not drawn_by_program(item.by))
    return not any(key is not None and key[2] == 1 for key in answered)


def _hints(sight: Sight, asked: Asked) -> int:
    """Return the hints left for this question."""
    return sight.hints.get(asked.car or 0, 0) if chooses(asked) and len(asked.options or ()) > 1 else 0


def done(sight: Sight, asked: Asked) -> AnswerKey | None:
    """Return the key that submits a form; its note says what becomes of unspent points."""
    note = sight.maybe(f"rest.{asked.ask}")
    return AnswerKey(label=sight.say("keys.done"), note=note) if note else None


# -- how the answers to a question are laid out: as keys, a die, a list, a form, cards

ROW: Final = 7
"""Maximum number of keys in a row."""
WORDED: Final = 3
"""Maximum number of cards in a row that have room for what each of them does."""
DIE: Final = 10
"""Maximum number of faces of a die whose keys are in one row."""

ARMED: Final = frozenset({"weapons", "targets", "attackers"})
"""Fields of a choice among weapons and their targets."""


def layout_of(asked: Asked) -> Layout:
    """Return the layout of the answers, from their kind rather than from the question."""
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


# -- the question of a disk that takes nothing, in place of the race's own

FULL: Final = "disk_full"
"""Question whether to stop or to go on in memory."""


def full_disk(sight: Sight, was: Prompt, why: str, selected: Json) -> Prompt:
    """Return the question to ask if the disk is full, read-only or broken."""
    keys = (
        AnswerKey(answer="stop", label=sight.say("race.save_stop")),
        AnswerKey(answer="memory", label=sight.say("race.save_memory")),
    )
    return Prompt(
        key=f"{was.key} {FULL}", n=was.n, ask=FULL, title=sight.say("race.save", why=why), layout="keys", keys=keys,
        chosen=next((at for at, key in enumerate(keys) if key.answer == selected), -1), undo=was.undo, redo=was.redo,
    )  # fmt: skip
