"""What a symbol, a chip or a key means: the card that comes where one is held, with the article and the race's own
words for it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from companion.rules.circuit.track import Track
from companion.rules.conversation.asking import Json
from companion.rules.conversation.errors import CompanionError
from companion.rules.conversation.kinds import POOLS
from companion.rules.ninety.cards import TYPES, card
from companion.rules.ninety.circuit import SectionTrack
from companion.rules.public import PublicDiceCar
from companion.view.brought import TAKEN
from companion.view.race import risk
from companion.view.race.counters import charted, counters, notes
from companion.view.race.dashboard import columns
from companion.view.race.extras import extras
from companion.view.race.hand import is_card
from companion.view.race.prompt import prompt
from companion.view.race.sections import bare_tiles
from companion.view.race.titles import title
from companion.view.shown import Card, Extra, Field, Key, Line, Plate, Price, Row, SeenGroup, Shown, TopBar
from companion.view.shown_board import SectionTile
from companion.view.shown_race import Weapon
from companion.view.sight import Sight
from companion.wording import capital

MEANT: Final[Mapping[str, str]] = {
    "corner": "7-1-1", "straight": "7-2-1", "danger": "17-0-2", "car": "5-0-1", "top": "3-2-4", "order": "6-2-2",
}  # fmt: skip
"""The articles that say what is on the board and what a car has, as the family of dice and gears numbers them."""
MEANT_BY_CARDS: Final[Mapping[str, str]] = {
    "late": "end.late-braking", "corner": "overtake.corner", "braking": "overtake.braking",
    "straight": "overtake.straight", "car": "chart.car", "card": "cards.race", "top": "end.turns",
    "order": "turn.order",
}  # fmt: skip
"""The same in the race of cards."""


BRIEF: Final = 5
"""A label of so few signs is told with its question."""


class Legend(Shown, frozen=True, kw_only=True):
    """What something means: its name, with the `plate` of a car or the `sign` that stands on the board; what the rules
    say of it (`text`), what else there is to it in lines, and the article."""

    title: str
    plate: Plate | None = None
    sign: str = ""
    text: str = ""
    lines: tuple[Line, ...] = ()
    article: str = ""
    cited: str = ""


def of_key(sight: Sight, key: Key) -> Legend:
    """An answer: what it is about, what it costs, and what may follow, with how likely it all goes well."""
    asked = sight.asked
    article = key.article or (asked.article if asked is not None else "")
    lines = [Line(text=capital(key.why), icon="cross", tone="bad")] if key.why else []
    if is_card(key.answer):
        return _legend(sight, key.label, MEANT_BY_CARDS["card"], [*_card(sight, str(key.answer)), *lines])
    said = sight.effect(str(kind), str(key.answer)) if (kind := _kind(sight, key.answer)) else ""
    lines += [Line(text=key.note, tone=key.note_tone)] if key.note and not said else []
    lines += [Line(text=_worded(sight, one), icon=one.icon, tone=one.tone) for one in key.prices if not key.why]
    lines += [] if key.why else _chances(sight, key.answer)
    name = key.label
    if asked is not None and len(name) <= BRIEF:
        asks = title(sight, asked)
        name = f"{asks}{' ' if asks.endswith('?') else sight.words.say('colon')}{name}"
    return _legend(sight, name, article, lines, text=said, plate=key.plate)


def _kind(sight: Sight, answer: Json) -> Json:
    """The kind of card that an answer picks; None where it picks none."""
    option = sight.option(answer)
    return option.facts.get("kind") if option is not None else None


def _worded(sight: Sight, one: Price) -> str:
    """A price with the word that its pictogram stands for."""
    if one.icon in sight.words.table["pool_short"] and one.text[:1] in "+−":
        return f"{sight.pool(one.icon)} {one.text}"
    return one.text or sight.maybe(f"legend.icon.{one.icon}")


def _chances(sight: Sight, answer: Json) -> list[Line]:
    """What may be rolled after an answer, and how likely nobody is the worse for it."""
    if sight.ahead is None:
        return []
    try:
        record = sight.ahead.record(answer)
    except CompanionError:
        return []
    tests = risk.tests(record)
    told = [Line(text=one.text, icon=one.icon, tone=one.tone) for one in risk.tested(sight, record)]
    unpaid = any(part.harms and not (part.wear or part.out or part.spun) for test in tests for part in test.parts)
    if len(tests) == 1 or (tests and not unpaid):
        calm = 1 - tests[0].chance * tests[0].loses if len(tests) == 1 else record.calm
        told.append(Line(text=sight.say("legend.calm", percent=round(100 * calm)), icon="check", tone="ok"))
    return told


def _card(sight: Sight, code: str) -> Iterator[Line]:
    """A card: how far it moves, its check factor, and each of its symbols."""
    shown = card(code)
    letter = next(letter for letter, name in TYPES.items() if name == shown.type)
    yield Line(text=sight.say("legend.moves", letter=letter, kind=shown.type, count=shown.value), icon="car")
    yield Line(text=sight.say("legend.factor", factor=shown.factor), icon="target", tone="info")
    for symbol in dict.fromkeys(shown.symbols):
        yield Line(text=sight.say(f"legend.symbol.{symbol}", count=shown.count(symbol)), icon=SYMBOLS[symbol])


SYMBOLS: Final[Mapping[str, str]] = {
    "T": "tyres", "R": "damage", "B": "damage", "C": "target", "+": "target", "-": "target", "N": "cards",
}  # fmt: skip
"""The pictogram of each symbol of a card."""


SIGNS: Final[Mapping[str, str]] = {
    "T": "symbols.pay", "R": "tokens.damage", "B": "tokens.damage", "C": "symbols.check", "+": "symbols.check-mod",
    "-": "symbols.check-mod", "N": "symbols.draw", "value": "move.points", "factor": "symbols.check",
}  # fmt: skip
"""The article of each sign of a card."""
COLOUR: Final = "track.trajectories"
"""That of its colour."""


def of_sign(sight: Sight, sign: str) -> Legend:
    """A sign of a card by itself: a symbol, the letter of its type, its value or its factor."""
    if sign in TYPES:
        return _legend(sight, sight.words.word("colour", TYPES[sign]), COLOUR, [])
    if sign not in SYMBOLS:
        return _legend(sight, sight.say(f"typed.{sign}"), SIGNS[sign], [])
    said = Line(text=sight.say(f"legend.symbol.{sign}", count=1), icon=SYMBOLS[sign])
    return _legend(sight, sight.say(f"typed.symbol.{sign}"), SIGNS[sign], [said])


def explained(sight: Sight, part: str | Field | Key | SeenGroup) -> Legend:
    """A part of the screen: an answer, fields of a form, the question, or by its name what a touch of it does."""
    if isinstance(part, Key):
        return of_key(sight, part)
    if isinstance(part, SeenGroup):
        fields = prompt(sight).fields
        return of_fields(sight, part.label, [one for one in fields if not part.fields or one.name in part.fields])
    if isinstance(part, Field):
        return of_fields(sight, part.label, (part,))
    if part == "question" and sight.asked is not None:
        return of_article(sight, title(sight, sight.asked), sight.asked.article)
    said = Line(text=sight.words.screen(f"control.{part}.does"))
    return _legend(sight, sight.words.screen(f"control.{part}.name"), "", [said])


def of_fields(sight: Sight, named: str, fields: Sequence[Field]) -> Legend:
    """Fields of a form: what each is about, and what a part of a car is there for."""
    lines = []
    for field in fields:
        said = field.note
        if field.name in POOLS and sight.asked is not None and sight.asked.ask != "saw":
            about: dict[str, Json] = {"name": field.label, "left": field.value, "of": field.high}
            said = sight.say(f"legend.pools.{field.name}", **about)
        elif said and len(fields) > 1:
            said = f"{field.label}{sight.words.say('colon')}{said}"
        lines += [Line(text=said, icon=field.icon)] if said else []
    return of_article(sight, named, sight.asked.article if sight.asked is not None else "", lines)


def of_article(sight: Sight, named: str, article: str, lines: Sequence[Line] = ()) -> Legend:
    """What is said by an article: the question, a contest."""
    return _legend(sight, named, article, list(lines))


def of_weapon(sight: Sight, weapon: Weapon) -> Legend:
    """A weapon: what its card says, its tokens and whom it reaches."""
    lines = [Line(text=said, icon=weapon.icon) for said in (weapon.reach, weapon.note) if said]
    return _legend(sight, weapon.name, f"weapon.{weapon.card}", lines)


# -- what is on the board


def of_space(sight: Sight, name: str, key: Key | None = None) -> Legend | None:
    """A place of the board: what it is, who stands there, and what the answer that ends there (`key`) comes to; None
    where nothing is known of it."""
    if isinstance(sight.track, SectionTrack):
        tile = next((one for one in bare_tiles(sight.track) if one.space == name), None)
        return _of_section(sight, tile) if tile is not None else None
    return _of_space(sight, sight.track, name, key)


def _of_space(sight: Sight, track: Track, name: str, key: Key | None) -> Legend:
    at = track.ids.get(name, -1) if track.known == "space" else -1
    corner = track.corner[at] if at >= 0 else -1
    danger = name in sight.race.marked
    lines = [Line(text=sight.say("legend.danger"), icon="triangle", tone="bad")] if danger else []
    if corner >= 0:
        found = track.corners[corner]
        lines.append(Line(text=sight.say("legend.stops", stops=found.stops), icon="flag"))
    lines += [
        Line(text=sight.say("legend.stands", car=car.number), icon="car")
        for car in sight.cars.values()
        if car.at == name and car.standing
    ]
    what = "danger" if danger else "corner" if corner >= 0 else "straight"
    legend = _legend(sight, capital(sight.words.place(name)), _article(sight, what), lines)
    if key is None:
        return legend
    named = f"{key.label} · {legend.title}"
    return _legend(sight, named, legend.article, [*of_key(sight, key).lines, *lines])


def _of_section(sight: Sight, tile: SectionTile) -> Legend:
    """A section with its sign, its bonus and the points of its line; of a sign what passes and what fails."""
    assert isinstance(sight.track, SectionTrack)
    section, lines = sight.track.sections[tile.number - 1], list[Line]()
    if section.late is not None:
        lines.append(
            Line(text=sight.say("legend.late.passes", late=tile.late, own=section.late.own), icon="check", tone="ok")
        )
        lines.append(Line(text=sight.say("legend.late.fails"), icon="cross", tone="bad"))
        lines += [] if section.late.own else [Line(text=sight.say("legend.late.odds", late=tile.late))]
    if tile.bonus:
        lines.append(Line(text=sight.say("legend.bonus", bonus=tile.bonus), icon="flag", tone="warn"))
    for point in section.trajectories:
        facts: dict[str, Json] = {
            "text": point.text,
            "colour": point.colour,
            "bonus": point.bonus,
            "check": point.check,
        }
        lines.append(Line(text=sight.say("legend.point", **facts), icon="finish", tone="info"))
    there = [car.number for car in sight.cars.values() if car.at == tile.space]
    if there:
        lines.append(Line(text=sight.say("legend.there", cars=there), icon="car"))
    named = f"{tile.number} {tile.name or sight.say(f'legend.kind.{tile.kind}')}"
    return _legend(sight, named, _article(sight, "late" if tile.late else tile.kind), lines, sign=tile.late)


# -- what a car has


def of_car(sight: Sight, number: int) -> Legend:
    """A car: each of its pools with what it is there for, and what else it carries."""
    car = sight.cars[number]
    if charted(car):
        lines = [_counted(sight, one.icon, one.value, one.of) for one in counters(sight, car)]
        carried = notes(sight, car)
    else:
        lines = [_counted(sight, one.pool, one.left, one.built) for one in columns(sight, car, {})]
        carried = extras(sight, car)
        if isinstance(car, PublicDiceCar) and car.gear:
            lines.insert(0, Line(text=sight.say("legend.gear", gear=car.gear), icon="gearbox"))
    lines += [_carried(one) for one in carried]
    named = sight.words.number(number, sight.names)
    return _legend(sight, named, _article(sight, "car"), lines, plate=sight.plate(number), bare=True)


def _counted(sight: Sight, pool: str, left: int, of: int) -> Line:
    """A pool: what is left of it, and what it is for."""
    name = capital(sight.pool(pool))
    said = sight.say(f"legend.pools.{pool}", name=name, left=left, of=of)
    low = left == 0 if pool not in TAKEN else left == of
    return Line(text=said, icon=pool, tone="bad" if low and of else "plain")


def _carried(one: Extra) -> Line:
    value = one.value or (f"{one.filled}/{one.of}" if one.of > 1 else "")
    return Line(text=" ".join(filter(None, (one.label, value))), icon=one.icon, tone=one.tone)


# -- what stands around the board


def of_top(sight: Sight, top: TopBar) -> Legend:
    """The bar: the weather and the road, which lap and round it is, and each mark that is on it."""
    lines = [Line(text=one.text, icon=one.icon, tone=one.tone) for one in top.marks if one.text]
    if top.lap:
        lines.append(Line(text=sight.say("legend.top.lap", lap=top.lap, laps=top.laps), icon="finish"))
    if top.round:
        counted = top.counted or sight.words.say("round")
        said = sight.say("legend.top.round", counted=counted, round=top.round, rounds=top.rounds)
        lines.append(Line(text=said, icon="history"))
    named = ", ".join(filter(None, (top.sky, top.surface.lower()))) or sight.say("legend.top.title")
    return _legend(sight, named, _article(sight, "top"), lines)


CHIPS: Final = ("pit", "spin", "stall", "coast", "off", "out", "home")
"""What a chip in the order may say in place of a gap."""


def of_order(sight: Sight, rows: Sequence[Row]) -> Legend:
    """The running order: what each of its signs says, by one that stands there."""
    said = {
        "gear": next((row.gear for row in rows if row.gear), ""),
        "lap": next((row.lap for row in rows if row.lap), ""),
        "gap": next((row.gap for row in rows if row.gap[:1] == "+"), ""),
    }
    chips = {row.chip for row in rows}
    said |= {name: chip for name in CHIPS if (chip := sight.say(f"row.{name}")) in chips}
    lines = [Line(text=sight.say(f"legend.order.{name}", sign=sign)) for name, sign in said.items() if sign]
    if any(row.played for row in rows):
        lines.append(Line(text=sight.say("legend.order.played")))
    return _legend(sight, sight.say("legend.order.title"), _article(sight, "order"), lines)


def of_ruling(sight: Sight, card: Card) -> Legend:
    """The ruling on a card: what the rules say of it, and what it brings."""
    return _legend(sight, card.title, card.article, list(card.lines), plate=card.plate)


# -- what the rules say


def _article(sight: Sight, what: str) -> str:
    """The article for a part of the picture; where no weather is played the bar is about the order."""
    if isinstance(sight.track, SectionTrack):
        return MEANT_BY_CARDS[what]
    return sight.book.article(MEANT["order" if what == "top" and "sky" not in sight.book.race_values else what])


def _legend(
    sight: Sight, named: str, article: str, lines: list[Line], *, text: str = "", plate: Plate | None = None,
    sign: str = "", bare: bool = False,
) -> Legend:  # fmt: skip
    """A legend with what its article says, if nothing else says it; a `bare` one leaves that to the article."""
    try:
        said = text or ("" if bare else sight.article(article.split()[0]))
    except (CompanionError, IndexError):
        said = ""
    return Legend(title=capital(named), plate=plate, sign=sign, text=said, lines=tuple(dict.fromkeys(lines)),
                  article=article, cited=sight.cited(article) if article else "")  # fmt: skip
