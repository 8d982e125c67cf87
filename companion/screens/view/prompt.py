"""The one question: its title, its answers with what they bring, and the steps of the turn it belongs to."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, Literal, cast

from companion.rules.conversation import Asked, Json, Option
from companion.rules.dice import die_of
from companion.screens.view import hand, price
from companion.screens.view.card_form import typed_range
from companion.screens.view.form import fields_of, is_form, most
from companion.screens.view.sections import in_turn
from companion.screens.view.shown import Key, Prompt, Step, Undo
from companion.screens.view.sight import NOTHING, Sight
from companion.sheets.history import Item, person
from companion.wording import MissingWords

ROOM: Final[Mapping[str, int]] = {"en": 22, "fr": 24}
"""The most signs of a title, by language."""
LABEL: Final = 12
"""The most signs of a key's label or of what an undo takes back."""
ROW: Final = 7
"""The most keys in a row."""
DIE: Final = 10
"""The most faces of a die that has keys in a row."""
GEARS: Final = 6

TO_COME: Final[Mapping[str, tuple[str, ...]]] = {
    "start": ("roll", "landing"),
    "gear": ("roll", "landing"),
    "roll": ("landing",),
    "stop": ("repair",),
}
"""The steps of a turn that always follow a question, as far as it is known before."""

ARMED: Final = frozenset({"weapons", "targets", "attackers"})
"""The fields of a choice among weapons and their targets."""

Layout = Literal["keys", "die", "black", "landing", "list", "form", "attack", "cards", "pick", "none"]


def prompt(sight: Sight) -> Prompt:
    """The open question; after the end of the race there is none."""
    asked = sight.asked
    undo, redo = Undo(label=undone(sight)), Undo(label=redone(sight))
    if asked is None:
        return Prompt(key="over", n=sight.desk.n, title=sight.say("race.over"), layout="none", undo=undo, redo=redo)
    layout = layout_of(asked)
    keys = keys_of(sight, asked, layout)
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
        fields=fields_of(sight, asked) if layout == "form" else (),
        most=most(asked) if layout == "form" else 0,
        typed=typed_range(asked),
        die=die_of(asked.ask, asked.what) if asked.faces is not None else "",
        chosen=chosen(sight, keys, layout),
        trail=trail(sight, asked),
        turn=in_turn(sight),
        parts=hand.parts(sight, asked.options or []) if layout == "pick" else (),
        undo=undo,
        redo=redo,
    )


def layout_of(asked: Asked) -> Layout:
    """How the answers are laid out, by what they are and not by what is asked."""
    if asked.faces is not None:
        return "die" if len(asked.faces) <= DIE else "black"
    if ARMED.issubset(asked.fields or {}):
        return "attack"
    options = asked.options or []
    if any(isinstance(option.answer, dict) and "space" in option.answer for option in options):
        return "landing"
    if is_form(asked):
        return "form"
    if cards := hand.layout_of(options):
        return cards
    return "keys" if len(options) <= ROW else "list"


# -- words


def facts_of(sight: Sight, asked: Asked) -> dict[str, Json]:
    """What a title or unit may be filled with."""
    facts: dict[str, Json] = {**(asked.fields or {}), "what": asked.what, "round": asked.round, "car": asked.car}
    matter, _, number = asked.what.rpartition("_")
    if matter and number.isdigit():
        facts["number"] = int(number)
    if asked.faces:
        facts["low"], facts["high"] = min(asked.faces), max(asked.faces)
    car = sight.cars.get(asked.car or 0)
    if car is not None:
        facts["now"] = car.gear
    return facts


def title(sight: Sight, asked: Asked) -> str:
    """What is to be done, in the imperative; a question that the screens have no words for is put as the rules put it,
    shortened."""
    said = sight.maybe(f"ask.{asked.ask}", **facts_of(sight, asked))
    if said:
        return said
    try:
        said = sight.words.question(asked, sight.names)
        said = said.removeprefix(sight.words.number(asked.car, sight.names)).lstrip(" ,:\u00a0")
        said = said[:1].upper() + said[1:]
    except MissingWords:
        said = asked.ask.replace("_", " ").capitalize()
    return cut(said, ROOM[sight.words.lang])


def cut(text: str, room: int) -> str:
    """A text that fits, with what is left off marked."""
    return text if len(text) <= room else text[: room - 1].rstrip(" ,:;\u00a0") + "…"


def unit(sight: Sight, asked: Asked) -> str:
    """What stands after the title: the range of a die, the spaces to drive, the gear that is in."""
    facts = facts_of(sight, asked)
    if said := sight.maybe(f"unit.{asked.ask}", **facts):
        return said
    return f"{facts['low']}–{facts['high']}" if asked.faces else ""


def undone(sight: Sight) -> str:
    """What an undo takes back, in two words."""
    done = sight.desk.undo_label()
    return _done(sight, done) if done is not None else ""


def redone(sight: Sight) -> str:
    """What a redo gives again, in two words."""
    done = sight.desk.redo_label()
    return _done(sight, done) if done is not None else ""


def _done(sight: Sight, done: Any) -> str:
    if done.kind != "answer":
        return sight.say(f"race.undo_{done.kind}")
    said = step_done(sight, done.ask, done.answer, done.what)
    other = sight.asked is None or done.car != sight.asked.car
    return cut(f"{done.car} {said}", LABEL) if other and done.car is not None else said


def step_done(sight: Sight, ask: str, answer: Json, what: str = "") -> str:
    """An answer that was given, in two words: "Gear 4", "Roll 11"."""
    said = sight.maybe(f"done.{ask}", answer=answer, what=what)
    if not said:
        try:
            said = sight.words.word("about", ask).capitalize()
        except MissingWords:
            said = ask.replace("_", " ").capitalize()
    return cut(said[:1].upper() + said[1:], LABEL)


# -- answers


def keys_of(sight: Sight, asked: Asked, layout: Layout) -> tuple[Key, ...]:
    """Every answer as a key."""
    if asked.faces is not None:
        return _faces(sight, asked)
    options = asked.options or []
    if asked.ask == "gear":
        return _gears(sight, asked, options)
    if layout == "pick":
        return tuple(hand.picked(sight, asked, option) for option in options)
    keys = []
    letters = 0
    for option in options:
        if hand.is_card(option.answer):
            keys.append(hand.face(sight, option.answer, option, many=len(options) > hand.WORDED))
            continue
        landing = isinstance(option.answer, dict) and "space" in option.answer
        label = letter(letters) if landing else label_of(sight, asked.ask, option)
        letters += landing
        keys.append(_key(sight, asked.ask, option, label, landing))
    return tuple(keys)


def _key(sight: Sight, ask: str, option: Option, label: str, landing: bool) -> Key:
    shows = landing or price.costs(option)
    return Key(
        answer=option.answer,
        label=label,
        note=landing_note(sight, option) if landing else key_note(sight, ask, option),
        note_tone="ok" if landing and landing_matter(option) in ("finish", "stops") else "plain",
        prices=price.of_option(sight, option) if shows and sight.prices != "never" else (),
        accept=price.costs(option),
        space=str(option.answer["space"]) if landing else "",
    )


def key_note(sight: Sight, ask: str, option: Option) -> str:
    """The second line of an answer: a word of the screens, or of a card what it does."""
    if "kind" in option.facts:
        return sight.effect(str(option.facts["kind"]), str(option.answer))
    return sight.maybe(f"key_note.{ask}", answer=option.answer)


def _faces(sight: Sight, asked: Asked) -> tuple[Key, ...]:
    faces = asked.faces or []
    if sight.ahead is None or sight.prices != "always":
        return tuple(Key(answer=face, label=str(face)) for face in faces)
    seen = sight.ahead.foresee(faces)
    return tuple(
        Key(answer=face, label=str(face), prices=price.of_foreseen(sight, one))
        for face, one in zip(faces, seen, strict=True)
    )


def _gears(sight: Sight, asked: Asked, options: list[Option]) -> tuple[Key, ...]:
    """The gears in their places, those barred now too, each with the range of its die."""
    offered = {option.answer: option for option in options}
    notes: dict[Json, str] = {}
    if sight.ahead is not None:
        for seen in sight.ahead.foresee(list(offered)):
            if seen.asked is not None and seen.asked.faces and seen.asked.car == asked.car:
                notes[seen.answer] = f"{min(seen.asked.faces)}–{max(seen.asked.faces)}"
    keys = []
    for gear in sorted({*offered, *range(1, GEARS + 1)}):
        option = offered.get(gear)
        if option is None:
            keys.append(Key(answer=gear, label=str(gear), why=sight.say("race.barred")))
            continue
        keys.append(
            Key(
                answer=gear,
                label=str(gear),
                note=notes.get(gear, ""),
                prices=price.of_gear(sight, option) if sight.prices != "never" else (),
                accept=price.costs(option),
            )
        )
    return tuple(keys)


def letter(place: int) -> str:
    """A, B, C … Z, then AA, AB."""
    first, last = divmod(place, 26)
    return (chr(64 + first) if first else "") + chr(65 + last)


def label_of(sight: Sight, ask: str, option: Option) -> str:
    """An answer in one or two words."""
    answer = option.answer
    said = sight.maybe(f"key.{ask}", **{**option.facts, "answer": answer, "what": ask})
    if not said:
        try:
            said = sight.words.offered(ask, option, sight.names)
        except (MissingWords, TypeError, AttributeError, ValueError):
            said = str(answer)
    return said[:1].upper() + said[1:]


def landing_note(sight: Sight, option: Option) -> str:
    """What a space is: a stop, so far beyond the corner, so many spaces on."""
    facts = option.facts
    place = str(option.answer["space"]).partition(":")[0]
    if matter := landing_matter(option):
        return sight.say(f"note.{matter}", **facts)
    if place in ("pit", "box"):
        return sight.say(f"note.{place}")
    return sight.say("note.moved", moved=facts.get("moved", 0))


def landing_matter(option: Option) -> str:
    """What is most to be said of a space: "finish", "overshot", "blocked" or "stops"; nothing of any other."""
    return next((name for name in ("finish", "overshot", "blocked", "stops") if option.facts.get(name)), "")


def chosen(sight: Sight, keys: tuple[Key, ...], layout: Layout) -> int:
    """The key that is selected beforehand: somebody's, else one that a correction took away, else the cheapest
    landing."""
    wanted: Any = sight.selected if sight.selected is not NOTHING else sight.desk.suggested
    if sight.selected is not NOTHING or wanted is not None:
        for at, key in enumerate(keys):
            if not key.why and key.answer == wanted and type(key.answer) is type(wanted):
                return at
    return 0 if layout in ("landing", "attack") else -1


# -- the turn


def trail(sight: Sight, asked: Asked) -> tuple[Step, ...]:
    """The steps of this turn: those done with the way back to each, the present one, those that will follow."""
    if not asked.round or sight.race.move is None:
        return ()
    begun = sight.desk.conversation.last_mark[0]
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
        ask = "saw" if ask == "landing" and sight.rulebook.track.known == "corner" else ask
        steps.append(Step(label=step_name(sight, ask), state="to_come"))
    return tuple(steps)


def _same(items: list[Item], at: int) -> bool:
    """Whether an answer is to the same kind of question as the one before: tests are one step."""
    before = items[at - 1].event.key if at else None
    return before is not None and before[0] == cast(Any, items[at].event.key)[0]


def step_name(sight: Sight, ask: str) -> str:
    """A step of a turn in one word."""
    if said := sight.maybe(f"step.{ask}"):
        return said
    try:
        return cut(sight.words.word("about", ask).capitalize(), LABEL)
    except MissingWords:
        return cut(ask.replace("_", " ").capitalize(), LABEL)
