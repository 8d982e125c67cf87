"""Making a race, step by step: what was chosen at each, the question, and why it cannot be left yet."""

from __future__ import annotations

from typing import Final, Literal

from companion.rules.rulebooks import RULEBOOKS
from companion.view.draft import Draft
from companion.view.draft_setup import refusal
from companion.view.shown import Key, Shown
from companion.wording import Words
from companion.wording.filling import MissingWords

StepName = Literal["rules", "circuit", "drivers", "grid", "season", "start", "cards", "deal"]
STEPS: Final[tuple[StepName, ...]] = ("rules", "circuit", "drivers", "grid", "start")
CARDS: Final[tuple[StepName, ...]] = ("rules", "circuit", "drivers", "cards", "start")
"""The steps of the race of cards: its grid is driven for."""
ARMED: Final[tuple[StepName, ...]] = ("rules", "circuit", "drivers", "grid", "deal", "start")
"""The steps of a race whose cars get cards."""
SEASON: Final[tuple[StepName, ...]] = ("rules", "circuit", "drivers", "season", "start")
"""The steps of a race of a season, whose grid follows from the race before."""


def steps(draft: Draft) -> tuple[StepName, ...]:
    """The steps of making a race by the rulebook chosen."""
    if draft.dealt:
        return CARDS if draft.cards else ARMED
    return SEASON if draft.season else STEPS


class StepRow(Shown, frozen=True, kw_only=True):
    """One step of making a race, with what was chosen there."""

    name: str
    label: str
    value: str
    state: Literal["done", "now", "to_come"]


class NewRaceShown(Shown, frozen=True, kw_only=True):
    """The frame of making a race: its steps, the question and why it cannot be left yet."""

    title: str
    subtitle: str
    steps: tuple[StepRow, ...]
    step: str
    ask: str
    note: str = ""
    next: str = ""
    why: str = ""


def show(draft: Draft, step: StepName, words: Words) -> NewRaceShown:
    """Making a race as it stands."""
    there = steps(draft)
    at = there.index(step)
    last = step == there[-1]
    why = refusal(draft, words) if last else _missing(draft, step, words)
    rows = [
        StepRow(
            name=name,
            label=words.screen(f"new_race.step.{name}"),
            value=_chosen(draft, name, words),
            state="now" if name == step else "done" if _is_done(draft, name, place < at) else "to_come",
        )
        for place, name in enumerate(there)
    ]
    board = draft.board
    said = [board.name if board else "", rulebook_name(draft.rulebook, words)]
    return NewRaceShown(
        title=words.screen("new_race.title"),
        subtitle=" · ".join(part for part in said if part),
        steps=tuple(rows),
        step=step,
        ask=words.screen(f"new_race.ask.{step}"),
        note=_about(draft, step, words),
        next=words.screen("new_race.begin" if last else "new_race.next"),
        why=why,
    )


def _is_done(draft: Draft, name: StepName, before: bool) -> bool:
    if name == "circuit":
        return bool(draft.track)
    return before and (name not in ("drivers", "grid", "season") or bool(draft.entrants))


def _missing(draft: Draft, step: StepName, words: Words) -> str:
    if step == "circuit" and not draft.track:
        return words.screen("new_race.no_circuit")
    if step in ("drivers", "grid", "season") and not draft.entrants:
        return words.screen("new_race.no_drivers")
    return ""


def _chosen(draft: Draft, step: StepName, words: Words) -> str:
    """What has been chosen at a step, in a few words."""
    if step == "rules":
        name = rulebook_name(draft.rulebook, words)
        return f"{name} · {words.screen('new_race.changed', count=len(draft.options))}" if draft.options else name
    if step == "circuit":
        board = draft.board
        how_long = words.screen("new_race.distance", count=draft.laps or draft.usual_laps, turns=draft.cards)
        return f"{board.name} · {how_long}" if board else "–"
    if step == "drivers":
        return words.screen("new_race.cars", count=len(draft.entrants)) if draft.entrants else "–"
    if step == "grid":
        pole = draft.entrants[0] if draft.entrants else None
        return words.screen("new_race.pole", car=words.number(pole.number, {pole.number: pole.name})) if pole else "–"
    if step == "season":
        return words.screen("new_race.season", by=draft.line_up, home=len(draft.home))
    if step == "deal":
        return words.screen("new_race.whose_deck", deck=draft.deck)
    if step == "cards":
        return words.screen("new_race.deck_and_bots", deck=draft.deck, bots=2 * draft.bots)
    return words.screen("new_race.from_grid" if draft.standing is None else "new_race.from_position")


def _about(draft: Draft, step: StepName, words: Words) -> str:
    """What kind of game a rulebook is, for who has never read it; how cars come into line; else what was chosen."""
    if step == "rules":
        return words.screen(f"new_race.about.{draft.rulebook}")
    if step == "start" and draft.cards and draft.standing is not None:
        return words.screen("new_race.from_line")
    return _chosen(draft, step, words)


def rulebook_name(name: str, words: Words) -> str:
    """A rulebook as people call it."""
    try:
        return words.screen(f"rulebook.{name}")
    except MissingWords:
        return name


def rulebooks(draft: Draft, words: Words) -> list[Key]:
    """Every rulebook there is, as keys."""
    return [Key(answer=name, label=rulebook_name(name, words)) for name in RULEBOOKS]
