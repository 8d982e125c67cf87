"""What an answer brought is told afterwards, in one sentence, the log's own: every kind of ruling, in every book."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path
from typing import Any, get_args

import pytest

from companion import rules
from companion.circuits import board
from companion.desk import RaceDesk
from companion.drivers.cards import RandomCardDriver
from companion.drivers.chance import RandomDriver
from companion.rules.conversation.asking import Ruling
from companion.rules.conversation.kinds import DiceKind, Kind, SectionKind
from companion.rules.rulebooks import RULEBOOKS, begin
from companion.view.consequences import (
    AS_ANSWERED,
    COSTS,
    GRAVE,
    TOLD,
    becomes,
    chief,
    costs_something,
    pool_changes,
    summary_line,
)
from companion.view.pages.history import rows
from companion.view.price import of_rulings
from companion.view.race import weather
from companion.view.race.card import after
from companion.view.race.toast import toast
from companion.view.sight import Sight
from companion.wording import LANGUAGES, Words
from tests.rules.random_races import Watched
from tests.view.watched import a_desk

ANSWERS = 260
NO_LOSS = {"box", "check", "draws", "grid", "heal", "plays", "refill", "repair", "tyres"}
"""Kinds of rulings with points that take none: they give some, or play cards."""
AT = {
    "beginner": "monaco",
    "formula-d": "monaco",
    "competition": "monaco",
    "cup": "porto-sereno",
    "league": "copper-basin",
    "death": "monaco",
    "ninety": "saltmarsh",
}


def test_every_kind_of_ruling_is_told_or_said_why_not() -> None:
    kinds: set[Kind] = {*get_args(DiceKind), *get_args(SectionKind), "house"}
    assert set(TOLD) | AS_ANSWERED | COSTS == kinds
    assert not set(TOLD) & AS_ANSWERED


def race(rulebook: str, seed: int) -> Iterator[RaceDesk]:
    """A race that chance drives, after each answer."""
    track, cards = board(AT[rulebook]), rulebook == "ninety"
    setup = {"cars": [{"car": car} for car in range(1, 5)], "laps": 6, "deck": seed} if cards else {}
    setup = (
        {"rulebook": rulebook, "track": AT[rulebook], **setup} if cards else Watched(track, seed, set(), rulebook).setup
    )
    desk = RaceDesk(begin(setup, track), setup=setup)
    driver = RandomCardDriver(track, seed) if cards else RandomDriver(track, seed)
    for _ in range(ANSWERS):
        if desk.asked is None:
            return
        desk.answer(driver.answer(desk.asked, desk.rulebook.race))
        yield desk


@pytest.mark.parametrize("rulebook", RULEBOOKS)
def test_whatever_was_ruled_is_told_in_the_words_of_the_log(rulebook: str) -> None:
    """Afterwards there is a card or a line for every ruling that is more than the answer itself; and what a row of the
    history says of points is what the rulings hold."""
    words, seen = [Words(lang, rulebook) for lang in LANGUAGES], set()
    for seed in (3, 8):
        for desk in race(rulebook, seed):
            item = desk.history.items[-1]
            kinds = {ruling.kind for ruling in item.rulings}
            seen |= kinds
            for one in words:
                sight = Sight(desk, one, told=item.rulings, entry=item.seq, alone=False)
                said = {one.ruling(ruling, names) for ruling in item.rulings for names in (sight.names, sight.codes)}
                assert all("{" not in text and "_" not in text and text[-1] in ".!" for text in said), said
                card, line = after(sight) or weather.card(sight), toast(sight)
                if kinds & (set(TOLD) - ({"move"} if rulebook != "ninety" else set())) or any(
                    map(costs_something, item.rulings)
                ):
                    assert card is not None or line is not None, kinds
                assert line is None or line.text in said
                assert card is None or card.sky is not None or card.lines[0].text in said
            (row, *_) = rows(sight)
            assert bool(row.said) == bool(item.rulings)
            for pool, (before, now) in pool_changes(item.rulings, desk.answers()[-1].car).items():
                assert now == sight.cars[desk.answers()[-1].car or 0].wear[pool], pool
                assert before != now
    assert len(seen) > 12, seen


def test_the_gravest_is_told_then_what_costs_then_what_comes_first() -> None:
    move, hit, mine = Ruling("move", "6", 1), Ruling("hit", "14", 2, {"body": -1}), Ruling("hit", "14", 1, {"body": -1})
    out, spin = Ruling("out", "5", 2), Ruling("spin", "5", 1)
    assert chief([], 1) is None
    assert chief([move], 1) is move
    assert chief([move, hit], 1) is hit
    assert chief([move, hit, mine], 1) is mine
    assert chief([hit, spin, out], 1) is out
    assert set(GRAVE) < set(TOLD)


def test_what_pools_were_and_are_is_told_from_the_first_ruling_to_the_last() -> None:
    rulings = [
        Ruling("gear_down", "13", 1, {"gearbox": -1}, {}, {"gearbox": 2}),
        Ruling("hit", "14", 1, {"body": -1}, {}, {"body": 2}),
        Ruling("hit", "14", 2, {"body": -1}, {}, {"body": 0}),
        Ruling("hit", "14", 1, {"body": -1}, {}, {"body": 1}),
    ]
    assert pool_changes(rulings, 1) == {"gearbox": (3, 2), "body": (3, 1)}
    assert becomes(rulings, 1, Words("en")) == "gearbox 3 → 2, body 3 → 1"
    assert becomes(rulings, 2, Words("fr")) == "carrosserie 1 → 0"
    hit = Ruling("hit", "14-1", 1, {"body": -1}, {"why": "collision", "other": 2, "face": 1, "to": 1}, {"body": 2})
    said = summary_line([Ruling("move", "6"), hit], 1, Words("en"), {1: "Ada", 2: "Bo"})
    assert said == ("Touches 2 Bo: rolls 1 (fails on 1) · body 3 → 2", "14-1")
    assert summary_line([], 1, Words("en"), {}) == ("", "")


def test_a_roll_that_gives_nothing_is_no_safety() -> None:
    sight = Sight(a_desk(many=2), Words("en", "death"))
    for face, wear, said in ((18, {}, "fails"), (4, {"points": 1}, "+1")):
        heal = Ruling("heal", "defence.nanobot-repair-systems", 1, wear, {"face": face, "to": 8})  # type: ignore[arg-type]
        assert [price.text for price in of_rulings(sight, [heal], 1)] == [said]


@pytest.mark.parametrize("lang", LANGUAGES)
def test_whatever_takes_points_has_a_title_of_its_own(lang: str) -> None:
    """That points were lost says of no ruling why."""
    calls = [
        node
        for path in Path(rules.__file__).parent.rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)
    ]
    kinds = {
        next(one.value for one in call.args if isinstance(one, ast.Constant))
        for call in calls
        if call.func.attr in ("rule", "lose") and len(call.args) > 3
        if isinstance(call.args[call.func.attr == "lose"], ast.Constant)
    }
    assert {"maximum", "hit", "brake"} <= kinds
    facts: dict[str, Any] = {"spaces": 1, "gear": 2, "why": "shot", "other": 2, "most": 9}
    sights = [Sight(a_desk(many=2), Words(lang, book)) for book in ("death", "ninety")]
    titled = {kind for kind in kinds for sight in sights if sight.maybe(f"card.{kind}", **facts)}
    assert kinds - titled == NO_LOSS
    for call in calls:
        known: dict[str, Any] = {one.arg: getattr(one.value, "value", 2) for one in call.keywords if one.arg}
        if isinstance(known.get("why"), str):
            assert sights[0].maybe("card.hit", **known), known
