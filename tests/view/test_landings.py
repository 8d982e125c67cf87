"""The spaces to choose from by what happens there: in rows, with all that is paid and all that may follow."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from companion import circuits
from companion.desk import RaceDesk
from companion.desk.ahead import Ahead
from companion.drivers.chance import RandomDriver
from companion.drivers.sensible import HeuristicDriver
from companion.rules.conversation.asking import Option
from companion.rules.conversation.consequence import Consequence, Outcome, Part, Test
from companion.screens.app import seat
from companion.view.price import costs
from companion.view.race import risk, rolls
from companion.view.race.prompt import prompt
from companion.view.shown import AnswerKey, OutcomeRow, Prompt
from companion.view.sight import Sight
from companion.view.worded import BoardWords
from companion.wording import Words
from tests.table import WEAR
from tests.view.watched import Watched, a_desk


def seen(desk: RaceDesk, lang: str = "en") -> Prompt:
    track: Any = desk.rulebook.track
    return prompt(Sight(desk, BoardWords(lang, desk.rulebook.name, track), ahead=Ahead(desk)))


def behind(body: int = 3, **setup: Any) -> RaceDesk:
    """Car 1 rolls 5 on a straight: one of the spaces five on lies straight behind car 2."""
    track: Any = circuits.load("monaco")
    lane = [space.name for space in track.spaces if space.name.startswith("2:left:")]
    cars = [
        {"car": 1, "at": lane[0], "gear": 2, "lap": 1, "status": "racing", "wear": WEAR, "tyres": "hard"},
        {"car": 2, "at": lane[5], "gear": 2, "lap": 1, "status": "racing", "wear": {**WEAR, "body": body},
         "tyres": "hard"},
    ]  # fmt: skip
    desk = a_desk(cars=cars, to_play=[1, 2], **setup)
    desk.answer(2)
    desk.answer(4)
    return desk


def rows(shown: Prompt) -> list[OutcomeRow]:
    return [row for page in shown.pages for row in page.rows]


@pytest.mark.parametrize(
    ("lang", "touches", "each", "free"),
    [("en", "touches 2", "each body −1 (1 in 20)", "free, nothing to roll"),
     ("fr", "touche 2", "chacun\u00a0: carrosserie −1 (1 sur 20)", "gratuit, rien à lancer")],
)  # fmt: skip
def test_a_space_behind_a_car_is_not_free_and_is_not_chosen_beforehand(
    lang: str, touches: str, each: str, free: str
) -> None:
    shown = seen(behind(), lang)
    risky = [row for row in rows(shown) if row.risky and "−" not in row.prices[0].text[:-20]]
    first = rows(shown)[0]
    assert (first.free, first.prices[0].text) == (True, free)
    assert shown.chosen == 0
    assert shown.keys[0] == first.keys[0]
    assert risky
    assert all(row.outcome != row.title and row.title.endswith(touches) for row in risky)
    assert {(row.free, row.keys[0].accept) for row in risky} == {(False, True)}
    said = [price.text for row in risky for price in row.prices]
    assert any(text.startswith(each.partition(" ")[0].rstrip(":\u00a0")) for text in said), said


def test_whoever_may_go_out_is_told_before() -> None:
    """The other has its last body point: on a 1 it is out."""
    texts = [price for row in rows(seen(behind(body=1))) for price in row.prices]
    assert any(price.tone == "bad" and price.text.startswith("2: out (1 in 20)") for price in texts), texts


@pytest.mark.parametrize(
    ("lang", "lost", "legend"),
    [("en", "gears lost", "Land on D · slip mine, gears lost"),
     ("fr", "vitesses perdues", "Case D · mine glissante, vitesses perdues")],
)  # fmt: skip
def test_gears_that_a_slip_mine_takes_for_sure_are_told_and_accepted(lang: str, lost: str, legend: str) -> None:
    """Nothing is rolled for it: what befalls the car all the same is not called free."""
    track: Any = circuits.load("monaco")
    lane = [space.name for space in track.spaces if space.name.startswith("2:left:")]
    own = {"car": 1, "at": lane[0], "gear": 3, "lap": 1, "status": "racing", "wear": {"points": 18}}
    mines = [{"car": 2, "card": "slip-mines", "at": lane[3]}]
    desk = a_desk(cars=[own, {**own, "car": 2, "at": "4:left:1"}], to_play=[1, 2], rulebook="death", mines=mines)
    desk.answer(3)
    desk.answer(5)
    clean, over = rows(seen(desk, lang))[:2]
    assert clean.free
    assert ([price.text for price in over.prices], over.free, over.risky) == ([lost], False, False)
    assert all(key.accept for key in over.keys)
    sight = Sight(desk, BoardWords(lang, "death", track), ahead=Ahead(desk), selected=over.keys[0].answer)
    act = prompt(sight).act
    assert act is not None
    assert act.prices[0].text == legend


def test_where_every_space_has_a_test_a_clean_one_of_the_same_outcome_comes_first() -> None:
    """With a test first, the answer that is selected is one without that comes to the same, where there is one."""
    desk, driver = a_desk(many=8), RandomDriver(circuits.load("monaco"), 4)
    met = 0
    while (asked := desk.asked) is not None and desk.n < 900:
        if asked.ask == "landing" and len(asked.options or []) > 1:
            shown = seen(desk)
            key = shown.keys[shown.chosen]
            row = next(row for row in rows(shown) if key in row.keys)
            clean = [one for one in rows(shown) if one.outcome == row.outcome and not one.risky]
            assert not (row.risky and clean)
            met += row.risky or rows(shown)[0].risky
        desk.answer(driver.answer(asked, desk.rulebook.race))
    assert met


@pytest.mark.parametrize("rulebook", ["competition", "cup", "league", "death"])
def test_a_landing_that_is_called_free_brings_no_loss_and_no_roll(rulebook: str) -> None:
    """Whatever is called free, the record of the rules knows nothing against it; the other way round as well. The
    corner's last stop and the pits are on the first page; each answer is there once."""
    desk = a_desk("monaco", many=6, rulebook=rulebook)
    driver, looked = HeuristicDriver(circuits.load("monaco"), 7), 0
    while (asked := desk.asked) is not None and looked < 14:
        if any(isinstance(one.answer, dict) and "space" in one.answer for one in asked.options or []) and desk.n % 3:
            looked += 1
            held_to_its_word(desk, asked.options or [])
        desk.answer(driver.answer(asked, desk.rulebook.race))
    assert looked == 14


def held_to_its_word(desk: RaceDesk, options: list[Option]) -> None:
    shown, ahead = seen(desk), Ahead(desk)
    answers = [key.answer for key in shown.keys]
    assert len(answers) == len(options)
    assert all(option.answer in answers for option in options)
    assert all(any(row.free for row in page.rows) for page in shown.pages if page.price.text == "free")
    first = {"any"} | {named(option) for option in options for row in shown.pages[0].rows for key in row.keys
             if key.answer == option.answer}  # fmt: skip
    for option in options:
        record = ahead.record(option.answer)
        row = next(row for row in rows(shown) if any(key.answer == option.answer for key in row.keys))
        lost = any(points < 0 for one in record.outcomes for pools in one.wear.values() for points in pools.values())
        out = any(one.out or one.spun for one in record.outcomes)
        assert row.free == (not lost and not out and not costs(option) and not risk.kers(record)), (option, row)
        assert row.risky == bool(risk.tests(record))
        assert named(option) in first


def named(option: Option) -> str:
    """What has to be on the first page of it: the last stop of which corner, the pits."""
    facts, space = option.facts, option.answer["space"] if isinstance(option.answer, dict) else "none"
    if space == "none" or space.startswith(("pit:", "box:")):
        return space[:3]
    last = facts.get("stops") and facts["stops"] == facts["of"] and not facts.get("out")
    return f"stop {facts['corner']}" if last else "any"


def test_who_rolls_is_named_where_others_roll_otherwise() -> None:
    """Of one kind of test "each" would leave open for whom which faces lose."""
    sight = Sight(a_desk(many=3), BoardWords("en", "competition", circuits.board("monaco")))

    def collision(car: int, other: int, last: int) -> Test:
        parts = [Part(1, last, Fraction(last, 20), {car: {"body": -1}}), Part(last + 1, 20, Fraction(20 - last, 20))]
        return Test("collision", "test", "14-1", Fraction(1), parts, car, other)

    alike = [collision(1, 2, 1), collision(2, 1, 1)]
    said = risk.tested(sight, Consequence(None, 1, tests=alike))
    assert [price.text for price in said] == ["each body −1 (1 in 20)"]
    said = risk.tested(sight, Consequence(None, 1, tests=[*alike, collision(1, 3, 4), collision(3, 1, 4)]))
    assert [price.short for price in said] == ["1 and 2: −1 (1 in 20)", "1 and 3: −1 (1–4)"]


def test_that_a_landing_ends_the_race_has_a_short_word_beside_what_is_paid() -> None:
    """The car rolls 30 on a straight with a tyre left: beside the points there is no room for the cause."""
    desk = a_desk(cars=[{"car": 1, "at": "2:left:1", "gear": 6, "lap": 1, "status": "racing", "tyres": "hard",
                         "wear": {**WEAR, "tyres": 1}}], to_play=[1])  # fmt: skip
    desk.answer(6)
    desk.answer(30)
    gone = [price for row in rows(seen(desk)) if row.tone == "bad" for price in row.prices if price.tone == "bad"]
    assert {price.short for price in gone} == {"out", "spin"}


def test_what_the_dice_may_come_to_is_counted_after_the_picture(monkeypatch: pytest.MonkeyPatch) -> None:
    """The first picture says who rolls on which faces, and that the rest is being weighed; what is selected meanwhile
    is counted instead."""
    monkeypatch.setattr(rolls, "QUICK_OUTCOMES", 1)
    monkeypatch.setattr(seat, "OUTCOMES_PER_STEP", 1)
    table = Watched(behind)
    risky = [row.keys[0].answer for row in rows(table.prompt) if row.risky]
    table.seat.select(risky[0])
    table.wait()
    first, *_, last = [shown.risk for shown in table.shown if shown.risk is not None]
    assert (first.weighing, first.shares, first.average) == ("Working out what they may cost…", (), "")
    assert (first.rows, first.article, first.title) == (last.rows, last.article, last.title)
    assert (last.weighing, sum(share.percent for share in last.shares)) == ("", 100)
    many = len(table.shown)
    table.seat.select(table.prompt.keys[0].answer)
    table.seat.select(risky[0])
    table.wait()
    assert table.last.risk == last
    assert all(shown.risk is None or shown.risk.weighing or shown.risk == last for shown in table.shown[many:])
    table.seat.close()


def test_whom_a_shot_puts_out_is_named_once() -> None:
    """And where no points are lost nothing is said in short that leaves the loss out."""
    sight = Sight(a_desk(many=3), BoardWords("en", "competition", circuits.board("monaco")))
    parts = [Part(1, 16, Fraction(16, 20), out={2: "destroyed"}), Part(17, 20, Fraction(4, 20))]
    (said,) = risk.tested(sight, Consequence(None, 1, tests=[Test("shot", "test", "14-1", Fraction(1), parts, 1, 2)]))
    assert (said.text, said.short) == ("2: out (1–16)", "")


def test_outcomes_that_are_told_alike_have_one_share() -> None:
    """That a point is won back in one of them is no loss in the other."""
    sight = Sight(a_desk(many=3), BoardWords("en", "competition", circuits.board("monaco")))
    outcomes = [
        Outcome(Fraction(12, 25), {1: {"tyres": 1}}),
        Outcome(Fraction(8, 25)),
        Outcome(Fraction(1, 5), out={1: ""}),
    ]
    shares = rolls.shares(sight, Consequence(None, 1, outcomes=outcomes))
    assert [(share.percent, share.text) for share in shares] == [(80, "nobody loses"), (20, "Ada out")]


def test_an_offer_to_stay_is_no_name_of_a_space() -> None:
    """ "No is by 2" would be read as a sentence."""
    sight = Sight(a_desk(many=3), BoardWords("en", "competition", circuits.board("monaco")))
    parts = [Part(1, 4, Fraction(1, 5), {1: {"body": -1}}), Part(5, 20, Fraction(4, 5))]
    tests = [Test("collision", "test", "14-1", Fraction(1), parts, 1, 2)]
    assert rolls.why(sight, tests, 1, AnswerKey(label="A", space="2:left:1")).startswith("A is by ")
    assert rolls.why(sight, tests, 1, AnswerKey(label="No")).startswith("By ")


@pytest.mark.parametrize(("lang", "walls"), [
    ("en", {f"4 spaces, along the wall: right {number}" for number in (3, 4, 5, 6)}),
    ("fr", {f"4 cases, le long du mur\u00a0: droite {number}" for number in (3, 4, 5, 6)}),
])  # fmt: skip
def test_ways_to_one_space_that_cross_other_spaces_are_told_apart(lang: str, walls: set[str]) -> None:
    car = {"car": 1, "at": "6:inner-right:3", "gear": 1, "lap": 1, "status": "racing", "wear": WEAR, "tyres": "hard"}
    desk = a_desk("copper-basin", cars=[car, {**car, "car": 2, "at": "0:left:1"}], to_play=[1])
    desk.answer(2)
    desk.answer(4)
    shown = rows(seen(desk, lang))
    assert {row.title for row in shown for key in row.keys if key.space == "6:right:6"} == walls
    for row in shown:
        assert len({key.space for key in row.keys}) == len(row.keys)


def test_two_spaces_are_both() -> None:
    assert [Words("en").screen("landing.all", count=count) for count in (2, 3)] == ["Both spaces", "All 3 spaces"]
