"""The race screen of a table: the picture of its race, and what the session at the table adds to it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import msgspec

from companion.rules.conversation.asking import Json
from companion.view.race.prompt import full_disk
from companion.view.race.race import race
from companion.view.seats.programs import Programs, may_have_odds
from companion.view.shown import Calls, Card, Price, Toast
from companion.view.shown_race import RaceShown
from companion.view.sight import NOTHING, Sight

if TYPE_CHECKING:
    from companion.drivers.hint import Hint
    from companion.view.seats.guide import Teacher


@dataclass(frozen=True, kw_only=True, slots=True)
class Additions:
    """The additions of a session: its programs' drivers, the last act `done`, and whatever else it has.

    `called` says that the driver asked has called the table. `refusal` is why the disk took nothing, and `selected` the
    answer that is selected meanwhile. `marks` and `call` are race control's. `lost` is the card of a lost test, while
    safe ones follow. `wins` is each car's chance to win, if the table wants odds.
    """

    programs: Programs
    done: int
    called: bool = False
    refusal: str | None = None
    selected: Json = NOTHING
    marks: tuple[Price, ...] = ()
    call: Calls = ""
    teacher: Teacher | None = None
    wins: Mapping[int, float] = field(default_factory=dict)
    hint: Hint | None = None
    lost: Card | None = None
    toast: Toast | None = None


def race_at_table(sight: Sight, more: Additions) -> RaceShown:
    """Return the race screen with what the session adds."""
    desk, shown = sight.desk, race(sight)
    prompt, order, dashboard, card = shown.prompt, shown.order, shown.dashboard, shown.card or more.lost
    marks, guide, hint = [*shown.top.marks, *more.marks], None, None
    if more.refusal is not None:
        prompt, card = full_disk(sight, prompt, more.refusal, more.selected), None
    if more.teacher is not None:
        marks.append(Price(text=sight.say("guide.chip"), tone="info"))
        prompt = more.teacher.legends(sight, prompt)
        guide = more.teacher.guide(sight, prompt)
    if more.wins:
        from companion.view.seats.odds import of_car, with_odds  # the drivers' tables, for those who want odds

        marks.append(Price(text=sight.words.screen("race.odds_on"), icon="curve"))
        order = with_odds(order, more.wins, sight.words)
        if dashboard is not None and shown.board.sections:
            dashboard = of_car(dashboard, more.wins, sight.words)
    if more.hint is not None:
        from companion.view.seats.hint import hint_shown

        hint = hint_shown(sight, more.hint, prompt)
    seats = [] if desk.counts or desk.over else desk.seats
    return msgspec.structs.replace(
        shown,
        top=msgspec.structs.replace(shown.top, marks=tuple(marks), call=more.call),
        prompt=prompt,
        order=order,
        dashboard=dashboard,
        card=card,
        guide=guide,
        hint=hint,
        toast=more.toast or shown.toast,
        push=more.programs.push(sight),
        called=more.called,
        may_odds=may_have_odds(desk),
        may_hand_over=sight.playing if sight.playing in seats else seats[0] if seats else 0,
        may_end=bool(sight.book.race_endings) and sight.race.phase == "race",
        done=more.done,
        seq=desk.seq,
    )
