"""Explanations of symbols, chips and keys, shown on a long press.

Each has the article and the race's own figures.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from companion.rules.circuit.track import Track
from companion.rules.conversation.asking import Json
from companion.rules.conversation.errors import CompanionError
from companion.rules.conversation.kinds import POOLS, is_payable
from companion.rules.ninety.cards import TYPES, card
from companion.rules.ninety.circuit import SectionTrack
from companion.rules.public import PublicDiceCar
from companion.view.consequences import TAKEN
from companion.view.race import risk
from companion.view.race.counters import charted, counters, notes
from companion.view.race.dashboard import columns
from companion.view.race.extras import extras
from companion.view.race.hand import is_card
from companion.view.race.keys import surfaces
from companion.view.race.prompt import prompt
from companion.view.race.sections import bare_tiles
from companion.view.race.titles import title
from companion.view.shown import (
    AnswerKey,
    Card,
    CardLine,
    Extra,
    Field,
    Plate,
    Price,
    Row,
    SeenGroup,
    TopBar,
    ViewModel,
)
from companion.view.shown_board import SectionTile
from companion.view.shown_race import Weapon
from companion.view.sight import Sight
from companion.wording import capital

MEANT: Final[Mapping[str, str]] = {
    "corner": "7-1-1", "straight": "7-2-1", "danger": "17-0-2", "car": "5-0-1", "top": "3-2-4", "order": "6-2-2",
}  # fmt: skip
"""Articles about the board and about what a car has, as numbered in the family of dice and gears."""
MEANT_BY_CARDS: Final[Mapping[str, str]] = {
    "late": "end.late-braking", "corner": "overtake.corner", "braking": "overtake.braking",
    "straight": "overtake.straight", "car": "chart.car", "card": "cards.race", "top": "end.turns",
    "order": "turn.order",
}  # fmt: skip
"""Articles about the board and about what a car has in the race of cards."""


BRIEF: Final = 5
"""Length of a label, in characters, up to which it is told with its question."""


class Legend(ViewModel, frozen=True, kw_only=True):
    """An explanation: its name, text, further lines and article.

    `plate` is the car's, `sign` the sign on the board.
    """

    title: str
    plate: Plate | None = None
    sign: str = ""
    text: str = ""
    lines: tuple[CardLine, ...] = ()
    article: str = ""
    cited: str = ""


def of_key(sight: Sight, key: AnswerKey) -> Legend:
    """Explain an answer: its subject, cost, and the odds of what may follow."""
    asked = sight.asked
    article = key.article or (asked.article if asked is not None else "")
    lines = [CardLine(text=capital(key.why), icon="cross", tone="bad")] if key.why else []
    if is_card(key.answer):
        return _legend(sight, key.label, MEANT_BY_CARDS["card"], [*_card(sight, str(key.answer)), *lines])
    said = sight.effect(str(kind), str(key.answer)) if (kind := _kind(sight, key.answer)) else ""
    if asked is not None and asked.ask == "tyres":
        lines += _compound(sight, key.answer)
    elif key.note and not said:
        lines.append(CardLine(text=key.note, tone=key.note_tone))
    lines += [CardLine(text=_price_text(sight, one), icon=one.icon, tone=one.tone) for one in key.prices if not key.why]
    lines += [] if key.why else _chances(sight, key.answer)
    name = key.label
    if asked is not None and len(name) <= BRIEF:
        asks = title(sight, asked)
        name = f"{asks}{' ' if asks.endswith('?') else sight.words.say('colon')}{name}"
    return _legend(sight, name, article, lines, text=said, plate=key.plate)


def _compound(sight: Sight, answer: Json) -> Iterator[CardLine]:
    """Return what a set of tyres costs and brings: by surface and age, its slide, its spaces."""
    tyres = getattr(sight.book, "tyres", None)
    if tyres is None:
        return
    here = surfaces(sight)
    for surface in here:
        new, lap, old = tyres.factors_of(answer, wet=surface == "wet")
        aged = {} if new == lap == old else {"lap": lap, "old": old, "unpayable": not is_payable(old)}
        yield CardLine(text=sight.say("legend.tyres_over", surface=surface, new=new, **aged), icon="tyres")
    if "wet" in here and (spaces := tyres.slide_of(answer, wet=True)):
        yield CardLine(text=sight.say("legend.tyres_slide", spaces=spaces), icon="rain")
    if spaces := tyres.bonus_of(answer):
        yield CardLine(text=sight.say("legend.tyres_bonus", spaces=spaces, laps=tyres.soft_laps()), icon="plus")


def _kind(sight: Sight, answer: Json) -> Json:
    """Return the kind of card that an answer picks, or None."""
    option = sight.option(answer)
    return option.facts.get("kind") if option is not None else None


def _price_text(sight: Sight, one: Price) -> str:
    """Return a price with its pictogram in words."""
    if one.icon in sight.words.table["pool_short"] and one.text[:1] in "+−":
        return f"{sight.pool(one.icon)} {one.text}"
    return one.text or sight.maybe(f"legend.icon.{one.icon}")


def _chances(sight: Sight, answer: Json) -> list[CardLine]:
    """Return the rolls that may follow an answer, and the odds that nobody is harmed."""
    if sight.ahead is None:
        return []
    try:
        record = sight.ahead.record(answer)
    except CompanionError:
        return []
    tests = risk.tests(record)
    told = [CardLine(text=one.text, icon=one.icon, tone=one.tone) for one in risk.tested(sight, record)]
    unpaid = any(part.harms and not (part.wear or part.out or part.spun) for test in tests for part in test.parts)
    if len(tests) == 1 or (tests and not unpaid):
        calm = 1 - tests[0].chance * tests[0].loses if len(tests) == 1 else record.calm
        told.append(CardLine(text=sight.say("legend.calm", percent=round(100 * calm)), icon="check", tone="ok"))
    return told


def _card(sight: Sight, code: str) -> Iterator[CardLine]:
    """Yield a card's movement, check factor and symbols."""
    shown = card(code)
    letter = next(letter for letter, name in TYPES.items() if name == shown.type)
    yield CardLine(text=sight.say("legend.moves", letter=letter, kind=shown.type, count=shown.value), icon="car")
    yield CardLine(text=sight.say("legend.factor", factor=shown.factor), icon="target", tone="info")
    for symbol in dict.fromkeys(shown.symbols):
        yield CardLine(text=sight.say(f"legend.symbol.{symbol}", count=shown.count(symbol)), icon=SYMBOLS[symbol])


SYMBOLS: Final[Mapping[str, str]] = {
    "T": "tyres", "R": "damage", "B": "damage", "C": "target", "+": "target", "-": "target", "N": "cards",
}  # fmt: skip
"""Pictogram of each symbol of a card."""


SIGNS: Final[Mapping[str, str]] = {
    "T": "symbols.pay", "R": "tokens.damage", "B": "tokens.damage", "C": "symbols.check", "+": "symbols.check-mod",
    "-": "symbols.check-mod", "N": "symbols.draw", "value": "move.points", "factor": "symbols.check",
}  # fmt: skip
"""Article of each sign of a card."""
COLOUR_ARTICLE: Final = "track.trajectories"
"""Article of the colour of a card's type."""


def of_sign(sight: Sight, sign: str) -> Legend:
    """Explain a sign of a card: a symbol, the letter of its type, its value or its factor."""
    if sign in TYPES:
        return _legend(sight, sight.words.word("colour", TYPES[sign]), COLOUR_ARTICLE, [])
    if sign not in SYMBOLS:
        return _legend(sight, sight.say(f"typed.{sign}"), SIGNS[sign], [])
    said = CardLine(text=sight.say(f"legend.symbol.{sign}", count=1), icon=SYMBOLS[sign])
    return _legend(sight, sight.say(f"typed.symbol.{sign}"), SIGNS[sign], [said])


def explained(sight: Sight, part: str | Field | AnswerKey | SeenGroup) -> Legend:
    """Explain a part of the screen: an answer, a field, the question, or a control by name."""
    if isinstance(part, AnswerKey):
        return of_key(sight, part)
    if isinstance(part, SeenGroup):
        fields = prompt(sight).fields
        return of_fields(sight, part.label, [one for one in fields if not part.fields or one.name in part.fields])
    if isinstance(part, Field):
        return of_fields(sight, part.label, (part,))
    if part == "question" and sight.asked is not None:
        return of_article(sight, title(sight, sight.asked), sight.asked.article)
    said = CardLine(text=sight.words.screen(f"control.{part}.does"))
    return _legend(sight, sight.words.screen(f"control.{part}.name"), "", [said])


def of_fields(sight: Sight, named: str, fields: Sequence[Field]) -> Legend:
    """Explain fields of a form; a pool by what it is for."""
    lines = []
    for field in fields:
        said = field.note
        if field.name in POOLS and sight.asked is not None and sight.asked.ask != "saw":
            about: dict[str, Json] = {"name": field.label, "left": field.value, "of": field.high}
            said = sight.say(f"legend.pools.{field.name}", **about)
        elif said and len(fields) > 1:
            said = f"{field.label}{sight.words.say('colon')}{said}"
        lines += [CardLine(text=said, icon=field.icon)] if said else []
    return of_article(sight, named, sight.asked.article if sight.asked is not None else "", lines)


def of_article(sight: Sight, named: str, article: str, lines: Sequence[CardLine] = ()) -> Legend:
    """Explain something by its article, such as the question or a contest."""
    return _legend(sight, named, article, list(lines))


def of_weapon(sight: Sight, weapon: Weapon) -> Legend:
    """Explain a weapon: its card, tokens and reach."""
    lines = [CardLine(text=said, icon=weapon.icon) for said in (weapon.reach, weapon.note) if said]
    return _legend(sight, weapon.name, f"weapon.{weapon.card}", lines)


# -- what is on the board


def of_space(sight: Sight, name: str, key: AnswerKey | None = None) -> Legend | None:
    """Explain a place on the board, its cars, and the answer `key` that ends there.

    None for an unknown section.
    """
    if isinstance(sight.track, SectionTrack):
        tile = next((one for one in bare_tiles(sight.track) if one.space == name), None)
        return _of_section(sight, tile) if tile is not None else None
    return _of_space(sight, sight.track, name, key)


def _of_space(sight: Sight, track: Track, name: str, key: AnswerKey | None) -> Legend:
    at = track.ids.get(name, -1) if track.known == "space" else -1
    corner = track.corner[at] if at >= 0 else -1
    danger = name in sight.race.marked
    lines = [CardLine(text=sight.say("legend.danger"), icon="triangle", tone="bad")] if danger else []
    if corner >= 0:
        found = track.corners[corner]
        lines.append(CardLine(text=sight.say("legend.stops", stops=found.stops), icon="flag"))
    lines += [
        CardLine(text=sight.say("legend.stands", car=car.number), icon="car")
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
    """Explain a section: its sign with what passes and fails, its bonus and line points."""
    assert isinstance(sight.track, SectionTrack)
    section, lines = sight.track.sections[tile.number - 1], list[CardLine]()
    if section.late is not None:
        lines.append(
            CardLine(
                text=sight.say("legend.late.passes", late=tile.late, own=section.late.own), icon="check", tone="ok"
            )
        )
        lines.append(CardLine(text=sight.say("legend.late.fails"), icon="cross", tone="bad"))
        lines += [] if section.late.own else [CardLine(text=sight.say("legend.late.odds", late=tile.late))]
    if tile.bonus:
        lines.append(CardLine(text=sight.say("legend.bonus", bonus=tile.bonus), icon="flag", tone="warn"))
    for point in section.trajectories:
        facts: dict[str, Json] = {
            "text": point.text,
            "colour": point.colour,
            "bonus": point.bonus,
            "check": point.check,
        }
        lines.append(CardLine(text=sight.say("legend.point", **facts), icon="finish", tone="info"))
    there = [car.number for car in sight.cars.values() if car.at == tile.space]
    if there:
        lines.append(CardLine(text=sight.say("legend.there", cars=there), icon="car"))
    named = f"{tile.number} {tile.name or sight.say(f'legend.kind.{tile.kind}')}"
    return _legend(sight, named, _article(sight, "late" if tile.late else tile.kind), lines, sign=tile.late)


# -- what a car has


def of_car(sight: Sight, number: int) -> Legend:
    """Explain a car: each pool with its purpose, and what else it carries."""
    car = sight.cars[number]
    if charted(car):
        lines = [_pool_line(sight, one.icon, one.value, one.of) for one in counters(sight, car)]
        carried = notes(sight, car)
    else:
        lines = [_pool_line(sight, one.pool, one.left, one.built) for one in columns(sight, car, {})]
        carried = extras(sight, car)
        if isinstance(car, PublicDiceCar) and car.gear:
            lines.insert(0, CardLine(text=sight.say("legend.gear", gear=car.gear), icon="gearbox"))
    lines += [_carried(one) for one in carried]
    named = sight.words.number(number, sight.names)
    return _legend(sight, named, _article(sight, "car"), lines, plate=sight.plate(number), bare=True)


def _pool_line(sight: Sight, pool: str, left: int, of: int) -> CardLine:
    """Return a line on a pool: what is left, and what it is for."""
    name = capital(sight.pool(pool))
    said = sight.say(f"legend.pools.{pool}", name=name, left=left, of=of)
    low = left == 0 if pool not in TAKEN else left == of
    return CardLine(text=said, icon=pool, tone="bad" if low and of else "plain")


def _carried(one: Extra) -> CardLine:
    value = one.value or (f"{one.filled}/{one.of}" if one.of > 1 else "")
    return CardLine(text=" ".join(filter(None, (one.label, value))), icon=one.icon, tone=one.tone)


# -- what stands around the board


def of_top(sight: Sight, top: TopBar) -> Legend:
    """Explain the top bar: weather, surface, lap, round and its marks."""
    lines = [CardLine(text=one.text, icon=one.icon, tone=one.tone) for one in top.marks if one.text]
    if top.lap:
        lines.append(CardLine(text=sight.say("legend.top.lap", lap=top.lap, laps=top.laps), icon="finish"))
    if top.round:
        counted = top.counted or sight.words.say("round")
        said = sight.say("legend.top.round", counted=counted, round=top.round, rounds=top.rounds)
        lines.append(CardLine(text=said, icon="history"))
    named = ", ".join(filter(None, (top.sky, top.surface.lower()))) or sight.say("legend.top.title")
    return _legend(sight, named, _article(sight, "top"), lines)


CHIPS: Final = ("pit", "spin", "stall", "coast", "off", "out", "home")
"""Chips that may replace the gap in the order."""


def of_order(sight: Sight, rows: Sequence[Row]) -> Legend:
    """Explain the signs in the running order, with an example of each present."""
    said = {
        "gear": next((row.gear for row in rows if row.gear), ""),
        "lap": next((row.lap for row in rows if row.lap), ""),
        "gap": next((row.gap for row in rows if row.gap[:1] == "+"), ""),
    }
    chips = {row.chip for row in rows}
    said |= {name: chip for name in CHIPS if (chip := sight.say(f"row.{name}")) in chips}
    lines = [CardLine(text=sight.say(f"legend.order.{name}", sign=sign)) for name, sign in said.items() if sign]
    if any(row.played for row in rows):
        lines.append(CardLine(text=sight.say("legend.order.played")))
    return _legend(sight, sight.say("legend.order.title"), _article(sight, "order"), lines)


def of_ruling(sight: Sight, card: Card) -> Legend:
    """Explain the ruling on a card."""
    return _legend(sight, card.title, card.article, list(card.lines), plate=card.plate)


# -- what the rules say


def _article(sight: Sight, what: str) -> str:
    """Return the article for a part of the picture.

    Without weather in the rulebook, the top bar cites the running order.
    """
    if isinstance(sight.track, SectionTrack):
        return MEANT_BY_CARDS[what]
    return sight.book.article(MEANT["order" if what == "top" and "sky" not in sight.book.race_values else what])


def _legend(
    sight: Sight, named: str, article: str, lines: list[CardLine], *, text: str = "", plate: Plate | None = None,
    sign: str = "", bare: bool = False,
) -> Legend:  # fmt: skip
    """Return a legend with its article's text, unless `text` is given or it is `bare`."""
    try:
        said = text or ("" if bare else sight.article(article.split()[0]))
    except (CompanionError, IndexError):
        said = ""
    return Legend(title=capital(named), plate=plate, sign=sign, text=said, lines=tuple(dict.fromkeys(lines)),
                  article=article, cited=sight.cited(article) if article else "")  # fmt: skip
