"""The steps of a turn: past ones, undo and redo, and those to come."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from companion.desk.events import Done
from companion.rules.conversation.asking import Asked, Json, Ruling
from companion.rules.conversation.kinds import Ask
from companion.sheets.acts import Item, person
from companion.view import consequences, price
from companion.view.race.titles import cut
from companion.view.shown import Step, Undo
from companion.view.sight import Sight
from companion.wording import capital
from companion.wording.filling import MissingWords

LABEL: Final = 12
"""Maximum length of a key's label or of what an undo takes back, in characters."""

TO_COME: Final[Mapping[str, tuple[Ask, ...]]] = {
    "start": ("roll", "landing"),
    "gear": ("roll", "landing"),
    "roll": ("landing",),
    "stop": ("repair",),
}
"""Steps of a turn that always follow a question, as far as they are known in advance."""


def undone(sight: Sight) -> Undo:
    """Return what an undo undoes in two words, and its consequences."""
    done = sight.desk.undo_label()
    if done is None:
        return Undo()
    return Undo(label=_done(sight, done), seq=done.seq, prices=price.of_rulings(sight, _with_it(sight, done), done.car))


def taken_back(sight: Sight) -> str:
    """Return what an undo undoes, and what that brought, as the history tells it."""
    done = sight.desk.undo_label()
    if done is None:
        return ""
    rulings = _with_it(sight, done)
    chief = consequences.chief(rulings, done.car)
    told = chief is not None and chief.kind not in consequences.AS_ANSWERED
    said = consequences.summary_line(rulings, done.car, sight.words, sight.codes)[0] if told else ""
    return " · ".join(filter(None, (_done(sight, done), said)))


def _with_it(sight: Sight, done: Done) -> list[Ruling]:
    """Return all rulings that an undo of an answer undoes.

    A correction undoes nothing else.
    """
    items = sight.desk.history.items[done.n :] if done.kind != "correct" else []
    return [ruling for item in items for ruling in item.rulings]


def redone(sight: Sight) -> Undo:
    """Return what a redo restores, in two words."""
    done = sight.desk.redo_label()
    return Undo(label=_done(sight, done) if done is not None else "")


def _done(sight: Sight, done: Done) -> str:
    if done.kind != "answer" or not done.ask:
        return sight.say(f"race.undo_{done.kind}")
    said = step_done(sight, done.ask, done.answer, done.what)
    other = sight.asked is None or done.car != sight.asked.car
    if not other or done.car is None:
        return said
    word = said if said[1:2].isupper() else said[:1].lower() + said[1:]  # an abbreviation keeps its capitals
    whose = f"{done.car} {word}"
    return whose if len(whose) < LABEL else said  # digits are wide: of twelve signs some are cut


def step_done(sight: Sight, ask: Ask, answer: Json, what: str = "") -> str:
    """Return a given answer in two words: "Gear 4", "Roll 11"."""
    said = sight.maybe(f"done.{ask}", answer=answer, what=what)
    if not said:
        try:
            said = sight.words.word("about", ask).capitalize()
        except MissingWords:
            said = ask.replace("_", " ").capitalize()
    return cut(capital(said), LABEL)


def trail(sight: Sight, asked: Asked) -> tuple[Step, ...]:
    """Return the steps of this turn: past ones with the way back, the present one, and the next."""
    if not asked.round or sight.race.playing is None:
        return ()
    begun = sight.desk.conversation.last_checkpoint[0]
    items = sight.desk.history.items[begun:]
    steps: list[Step] = []
    for at, item in enumerate(items):
        if item.event.key is None or (item.event.key[0] == "test" and steps and _same(items, at)):
            continue
        ask, _, _, what = item.event.key
        back = sum(person(one.by) for one in items[at:])
        steps.append(Step(label=step_done(sight, ask, item.event.answer, what), state="done", back=back))
    steps.append(Step(label=step_name(sight, asked.ask), state="now"))
    for ask in TO_COME.get(asked.ask, ()):
        seen = ask == "landing" and sight.track.known == "corner"
        steps.append(Step(label=step_name(sight, "saw" if seen else ask), state="to_come"))
    return tuple(steps)


def _same(items: list[Item], at: int) -> bool:
    """Return True if an answer is to the same kind of question as the one before."""
    before, now = items[at - 1].event.key if at else None, items[at].event.key
    return before is not None and now is not None and before[0] == now[0]


def step_name(sight: Sight, ask: Ask) -> str:
    """Return a step of a turn in one word."""
    if said := sight.maybe(f"step.{ask}"):
        return said
    try:
        return cut(sight.words.word("about", ask).capitalize(), LABEL)
    except MissingWords:
        return cut(ask.replace("_", " ").capitalize(), LABEL)
