"""The spaces to choose from, grouped by outcome.

A row per outcome has its price, what may follow, and its spaces by letter. Lists, phones and the terminal show the same
rows in the same order.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Final

import msgspec

from companion.rules.conversation.asking import Asked, Json, Option
from companion.rules.conversation.consequence import Consequence
from companion.rules.dice.offers import WALL
from companion.rules.public import PublicDiceCar
from companion.view import price
from companion.view.race import risk
from companion.view.race.keys import label_of
from companion.view.shown import AnswerKey, OutcomeRow, Page, Price, Tone
from companion.view.sight import Sight
from companion.view.worded import near

ROWS_PER_PAGE: Final = 6
"""Number of rows of a page."""
SPACES_PER_ROW: Final = 3
"""Number of spaces of a row; one more if the text beside them is short."""
SHORT_TEXT: Final = 16
"""Maximum length of such a text, in characters."""
PITS: Final = ("pit", "box")
TOLD_OFFERS: Final = ("slipstream",)
"""Offers of a space that are told beside it; one that comes wherever the car stops is not."""


class _Way(msgspec.Struct, frozen=True):
    """An offered answer with its record."""

    option: Option
    record: Consequence | None

    @property
    def space(self) -> str:
        return _space(self.option)

    @property
    def level(self) -> int:
        """Severity: 0 survived, 1 spin, 2 out."""
        facts = self.option.facts
        return 2 if facts.get("out") else int(bool(facts.get("spin")))

    @property
    def loss(self) -> Fraction:
        return risk.expected(self.option, self.record)

    @property
    def clean(self) -> bool:
        return risk.clean(self.option, self.record)

    def outcome(self) -> tuple[Json, ...]:
        """Return what happens to the car there, apart from the cost."""
        facts, pits = self.option.facts, self.space.partition(":")[0] in PITS
        stopped = [facts.get(name) for name in ("finish", "corner", "stops", "slips_at", "overshot", "blocked")]
        return (*stopped, self.record.missing if self.record else 0, pits or (not any(stopped) and facts.get("moved")))


class _Row(msgspec.Struct):
    """Answers with the same outcome, price and tests."""

    title: str
    outcome: str
    tone: Tone
    prices: tuple[Price, ...]
    pits: bool
    """True if the car enters the pits there."""
    ways: list[_Way]

    @property
    def priority(self) -> str:
        """Reason to be on the first page, once: a corner's last stop, the pits, or staying; "" if none."""
        facts, space = self.ways[0].option.facts, self.ways[0].space
        if not space:
            return "none"
        if self.pits:
            return "pits"
        last = bool(facts.get("stops")) and facts["stops"] == facts.get("of") and not facts.get("out")
        return f"stop {facts['corner']}" if last else ""

    def rank(self) -> tuple[Json, ...]:
        """Return the sort key of a row.

        Staying comes first, then a free stop in a corner, then the lowest expected loss; of equals, free ones, then the
        furthest.
        """
        first = self.ways[0]
        facts = first.option.facts
        stop = bool(facts.get("stops") or facts.get("finish")) and first.clean
        return bool(first.space), first.level, self.pits, not stop, first.loss, not first.clean, -facts.get("moved", 0)


def pages(sight: Sight, asked: Asked) -> tuple[Page, ...]:
    """Return the answers in rows, on pages: the best way to each space, then the others."""
    if sight.ahead is None:
        return _pages(sight, asked)
    return sight.ahead.remember(("landings", sight.words.lang, sight.prices), lambda: _pages(sight, asked))


def _pages(sight: Sight, asked: Asked) -> tuple[Page, ...]:
    first, dearer = told_apart(asked.options or [])
    rows, others = (
        _rows(sight, [_Way(option, risk.outlook(sight, option)) for option in some]) for some in (first, dearer)
    )
    room = ROWS_PER_PAGE if dearer or len(rows) > ROWS_PER_PAGE + 1 else ROWS_PER_PAGE + 1
    pinned = {row.priority: at for at, row in reversed(list(enumerate(rows))) if row.priority}.values()
    first_page = sorted([*pinned, *(at for at in range(len(rows)) if at not in pinned)][:room])
    kept = [rows[at] for at in first_page]
    rest = [row for at, row in enumerate(rows) if at not in first_page]
    letters = _letters(kept + rest)
    shown = [_page(sight, kept, letters, label="")]
    for at in range(0, len(rest), ROWS_PER_PAGE):
        shown.append(_page(sight, rest[at : at + ROWS_PER_PAGE], letters, label="more"))
    for at in range(0, len(others), ROWS_PER_PAGE):
        shown.append(_page(sight, others[at : at + ROWS_PER_PAGE], letters, label="dearer"))
    return tuple(shown)


def told_apart(options: Sequence[Option]) -> tuple[list[Option], list[Option]]:
    """Split options into the best way to each space, and the other ways."""
    first: dict[str, Option] = {}
    for option in options:
        first.setdefault(_space(option), option)
    return list(first.values()), [option for option in options if first[_space(option)] is not option]


def _space(option: Option) -> str:
    return str(option.answer["space"]) if isinstance(option.answer, dict) else ""


def _letters(rows: Sequence[_Row]) -> dict[str, str]:
    """Return a letter for each space, in the order of the rows."""
    spaces = [way.space for row in rows for way in row.ways if way.space]
    return {space: letter(place) for place, space in enumerate(spaces)}


def _rows(sight: Sight, ways: Sequence[_Way]) -> list[_Row]:
    """Group answers with the same outcome into rows, as far as they have room, best first."""
    groups: dict[tuple[Json, ...], list[_Way]] = {}
    said: dict[tuple[Json, ...], tuple[str, str, Tone, tuple[Price, ...], bool]] = {}
    for way in ways:
        title, prices = _title(sight, way), _prices(sight, way)
        key = (way.outcome(), *title, prices)
        groups.setdefault(key, []).append(way)
        said[key] = ", ".join(title), title[0], _tone(way), prices, _enters(sight, way)
    rows = []
    for key, several in groups.items():
        several.sort(key=lambda way: (way.loss, -way.option.facts.get("moved", 0)))
        words, _, _, prices, _ = said[key]
        each = SPACES_PER_ROW + (max(len(words), len("  ".join(one.text for one in prices))) <= SHORT_TEXT)
        rows += [_Row(*said[key], several[at : at + each]) for at in range(0, len(several), each)]
    rows.sort(key=lambda row: row.rank())
    return rows


def _page(sight: Sight, rows: Sequence[_Row], letters: dict[str, str], label: str) -> Page:
    """Return a page, labelled for the key that leads to it.

    The label has the lowest price, or that something is free, or that only rolls are due.
    """
    shown = tuple(_outcome_row(sight, row, letters) for row in rows)
    options = [way.option for row in rows for way in row.ways]
    cheapest = min((price.points(option.wear) for option in options), default=0)
    floor = price.free(sight)
    if not any(row.free and not row.risky for row in shown):
        floor = Price(text=sight.say("landing.rolled"), tone="warn")
    if cheapest:
        floor = Price(text=sight.say("landing.from", least=price.signed(-cheapest)), tone="warn")
    return Page(
        rows=shown,
        label=sight.say(f"landing.{label or 'all'}", count=sum(map(bool, map(_space, options)))),
        note=sight.say("landing.same") if label == "dearer" else "",
        price=floor,
    )


def _outcome_row(sight: Sight, row: _Row, letters: dict[str, str]) -> OutcomeRow:
    keys = tuple(_key(sight, row, way, letters) for way in row.ways)
    return OutcomeRow(
        title=row.title, outcome=row.outcome, tone=row.tone, prices=row.prices, brief=_brief(sight, row.ways[0]),
        keys=keys, free=not keys[0].accept, risky=bool(risk.tests(row.ways[0].record)),
        icon="pit" if row.pits else "",
    )  # fmt: skip


def _key(sight: Sight, row: _Row, way: _Way, letters: dict[str, str]) -> AnswerKey:
    asked = sight.asked
    assert asked is not None
    label = letters[way.space] if way.space else label_of(sight, asked.ask, way.option)
    return AnswerKey(
        answer=way.option.answer,
        label=label,
        note=row.title,
        note_tone=row.tone,
        prices=_figures(sight, way) if sight.prices != "never" else (),
        accept=not way.clean,
        space=way.space,
    )


def letter(place: int) -> str:
    """Return the letter for an index: A to Z, then AA, AB."""
    first, last = divmod(place, 26)
    return (chr(64 + first) if first else "") + chr(65 + last)


def keys(found: Sequence[Page]) -> tuple[AnswerKey, ...]:
    """Return every answer as a key, in the order of the rows."""
    return tuple(key for page in found for row in page.rows for key in row.keys)


def row_of(found: Sequence[Page], key: AnswerKey) -> OutcomeRow | None:
    """Return the row of a key, or None."""
    return next((row for page in found for row in page.rows if key in row.keys), None)


def beforehand(found: Sequence[Page]) -> int:
    """Return the index of the key to select first.

    That is the first, unless it needs a test and another of the same outcome does not.
    """
    rows = [(row, key) for page in found for row in page.rows for key in row.keys]
    if not rows or not rows[0][0].risky:
        return 0 if rows else -1
    outcome = rows[0][0].outcome
    return next((at for at, (row, _) in enumerate(rows) if row.outcome == outcome and not row.risky), 0)


def act(sight: Sight, found: Sequence[Page], key: AnswerKey) -> AnswerKey:
    """Return the key that applies an answer: what it does, and what that costs."""
    row, option = row_of(found, key), sight.option(key.answer)
    assert row is not None
    assert option is not None
    grave = "out" if option.facts.get("out") else "spin" if option.facts.get("spin") else "else"
    record = risk.outlook(sight, option)
    worse = () if row.tone == "bad" else risk.befallen(sight, record)
    brought = (sight.cost(option.wear), *(one.text for one in (*risk.kers_spent(sight, record), *worse)))
    paid = ", ".join(filter(None, brought))
    if row.risky:
        then = sight.say("landing.then", count=len(risk.tests(record)))
        said = [paid, then] if key.space else [row.outcome, then]
    else:
        said = [
            uncapital(row.outcome) if key.space else row.outcome,
            paid or ("" if row.tone == "bad" else sight.say("price.free")),
        ]
    legend = sight.say("landing.act", space=key.space, label=key.label, said=", ".join(filter(None, said)))
    tone: Tone = "bad" if row.tone == "bad" else "warn" if key.accept else "ok"
    return AnswerKey(answer=key.answer, label=sight.say(f"accept.{grave}"), prices=(Price(text=legend, tone=tone),))


def uncapital(said: str) -> str:
    """Return words with a small initial, for use within a line."""
    return said[:1].lower() + said[1:]


# -- what happens, and what it costs


def _title(sight: Sight, way: _Way) -> list[str]:
    """Return what happens there in a few words: the space, then cars and dangers touched."""
    facts, found = way.option.facts, risk.tests(way.record)
    if not way.space:
        ask = sight.asked.ask if sight.asked is not None else "landing"
        return [sight.maybe(f"landing.none.{ask}") or label_of(sight, ask, way.option)]
    said = [matter(sight, way.option)]
    if facts.get("slid"):
        said.append(sight.say("landing.slid", slid=facts["slid"]))
    if way.option.answer.get("soft"):
        said.append(sight.say("landing.soft", soft=way.option.answer["soft"]))
    if others := risk.touched(found, way.record.car if way.record is not None else None):
        said.append(sight.say("landing.touches", cars=others))
    crossed = [str(test) for test in facts.get("tests", ())]
    alike = "over" in way.option.answer  # of ways to one space that cross other spaces it is said which
    for name, wall in (("danger", False), ("wall", True)):
        spaces = [test.removeprefix(WALL) for test in crossed if test.startswith(WALL) == wall]
        if spaces:
            said.append(sight.say(f"landing.{name}", at=[_in_lane(sight, one) for one in spaces] if alike else []))
    return said


def _in_lane(sight: Sight, space: str) -> str:
    """Return a space by lane and number; one of the pits by its name."""
    section, *spot = space.split(":")
    return f"{sight.words.word('lane', spot[0])} {spot[1]}" if section.isdecimal() else sight.words.place(space)


def matter(sight: Sight, option: Option) -> str:
    """Return what a space is: finish, out, stop, overshoot, pits, or its distance."""
    facts = option.facts
    where, _, number = str(option.answer["space"]).partition(":")
    if where in PITS:
        return sight.say(f"landing.{where}", number=number)
    name = next((name for name in ("finish", "slips_at", "overshot", "blocked", "stops") if facts.get(name)), "moved")
    if name == "moved" and name not in facts:
        return near(sight.words, sight.track, str(option.answer["space"]))
    return sight.say(f"landing.{name}", **facts)


def _tone(way: _Way) -> Tone:
    facts = way.option.facts
    if way.level:
        return "bad"
    return "ok" if facts.get("finish") or facts.get("stops") else "plain"


def _enters(sight: Sight, way: _Way) -> bool:
    """Return True if the car enters the pits there; False if it is in them already."""
    car = sight.car
    here = (car.at or "").partition(":")[0] if car is not None else ""
    return way.space.partition(":")[0] in PITS and here not in PITS


def _due(sight: Sight, way: _Way) -> tuple[Price, ...]:
    """Return what happens on entering the pits there: a stop or the way to the box, and gains."""
    record, car = way.record, sight.car
    if record is None or not isinstance(car, PublicDiceCar) or not _enters(sight, way):
        return ()
    given = {pool: points for pool, points in record.wear.items() if points > 0}
    asks = {end.ask for end in record.ends}
    where = "stop" if asks & {"tyres", "stop", "repair"} else way.space.partition(":")[0]
    said = sight.maybe(f"landing.due.{where}", box=car.box)
    return (*risk.worn(sight, given), *((Price(text=said, icon="pit", tone="info"),) if said else ()))


def _brief(sight: Sight, way: _Way) -> tuple[Price, ...]:
    """Return the points paid and the number of tests; empty if that is no shorter."""
    found = risk.tests(way.record)
    if len(found) < 2 or way.level or sight.prices == "never":
        return ()
    paid = risk.worn(sight, way.option.wear) + risk.kers_spent(sight, way.record)
    paid += risk.befallen(sight, way.record)
    return (*paid, Price(text=sight.say("landing.then", count=len(found)), icon="die", tone="warn"))


def _prices(sight: Sight, way: _Way) -> tuple[Price, ...]:
    """Return the costs with their words, then what may follow, or that it is free."""
    if sight.prices == "never":
        return ()
    if way.level:
        cause = way.option.facts.get("out")
        said = sight.say("landing.out", cause=sight.words.word("cause", cause)) if cause else sight.say("landing.spin")
        short = sight.say("price.out" if cause else "price.spin")
        grave = Price(text=said, short=short, icon="cross" if cause else "triangle", tone="bad")
        return (*risk.worn(sight, way.option.wear), grave)
    opened = tuple(
        Price(text=sight.say(f"landing.opens.{offer}"), icon="bolt", tone="ok")
        for offer in (way.record.offers if way.record is not None else ())
        if offer in TOLD_OFFERS
    )
    paid = risk.worn(sight, way.option.wear) + risk.kers_spent(sight, way.record)
    then, due = (*risk.befallen(sight, way.record), *risk.tested(sight, way.record)), _due(sight, way)
    if paid or then:
        return (*paid, *_emptied(sight, way), *then, *opened, *due)
    if way.record is None or due:
        return (price.free(sight), *due)
    return (Price(text=sight.say("landing.free"), tone="ok"), *opened)


def _emptied(sight: Sight, way: _Way) -> tuple[Price, ...]:
    """Return a warning if a pool that is paid from becomes empty."""
    car = sight.car
    wear = car.wear if car is not None else {}
    gone = any(points < 0 and wear.get(pool, 0) + points <= 0 for pool, points in way.option.wear.items())
    return (Price(text=sight.say("landing.none_left"), tone="bad"),) if gone else ()


def _figures(sight: Sight, way: _Way) -> tuple[Price, ...]:
    """Return the prices for a space on the board: a figure per pictogram."""
    if way.level:
        return price.of_option(sight, way.option)
    tested = risk.tests(way.record)
    spent = risk.kers_spent(sight, way.record)
    shown = [*price.wear(way.option.wear), *(msgspec.structs.replace(one, text=one.short) for one in spent)]
    shown += (msgspec.structs.replace(one, text="") for one in risk.befallen(sight, way.record))
    for test in tested:
        harm = next(part for part in test.parts if part.harms)
        pool = next((pool for points in harm.wear.values() for pool in points), "die")
        last, most = max(part.last for part in test.parts if part.harms), max(part.last for part in test.parts)
        tone: Tone = "bad" if harm.out or harm.spun else "warn"
        shown.append(Price(text=f"{last}/{most}", icon=pool, tone=tone))
    kinds: dict[str, Price] = {}
    for one in shown:
        kinds.setdefault(one.icon, one)
    return tuple(kinds.values())[: price.MOST] or (price.free(sight),)
