"""Looking ahead: what is foreseen comes about, and nothing is written by looking."""

from __future__ import annotations

from companion import circuits
from companion.desk.ahead import Ahead
from companion.drivers.sensible import HeuristicDriver
from companion.rules.conversation.asking import Option
from companion.view.price import best_landing
from companion.view.race.prompt import prompt
from companion.view.race.race import race
from companion.view.sight import Sight
from companion.wording import Words
from tests.table import WEAR
from tests.view.watched import a_desk


def test_what_is_foreseen_comes_about_and_nothing_is_written() -> None:
    desk = a_desk()
    ahead, driver = Ahead(desk), HeuristicDriver(circuits.load("monaco"), 5)
    looked = 0
    while (asked := desk.asked) is not None and desk.n < 500:
        answer = driver.answer(asked, desk.rulebook.race)
        digest, seq = desk.conversation.digest, desk.seq
        seen = ahead.foresee([answer])[0]
        every = asked.faces or [option.answer for option in asked.options or []][:8]
        assert len(ahead.foresee(every)) == len(every)
        end = ahead.to_the_end(answer)
        assert (desk.conversation.digest, desk.seq, desk.asked) == (digest, seq, asked)
        assert end[: len(seen.rulings)] == list(seen.rulings)
        assert list(seen.rulings) == desk.answer(answer)
        assert seen.asked == desk.asked
        looked += 1
    assert looked > 400


def test_a_refused_answer_is_foreseen_as_refused() -> None:
    desk = a_desk()
    ahead = Ahead(desk)
    seen = ahead.foresee(["no such answer", 5])
    assert seen[0].wrong is not None
    assert seen[1].wrong is None
    assert ahead.to_the_end("no such answer") == []
    assert desk.answer(5) == list(seen[1].rulings)


def test_a_face_shows_the_price_of_the_cheapest_space_it_brings() -> None:
    """Roll by roll: the legend of the face that was rolled is what its first landing costs."""
    desk = a_desk()
    ahead, driver = Ahead(desk), HeuristicDriver(circuits.load("monaco"), 3)
    rolls = costly = 0
    while (asked := desk.asked) is not None and rolls < 60:
        answer = driver.answer(asked, desk.rulebook.race)
        seen = ahead.foresee([answer])[0]
        foreseen: Option | None = best_landing(Sight(desk, Words("en"), ahead=ahead), seen)
        desk.answer(answer)
        then = desk.asked
        if asked.ask == "roll" and then is not None and then.ask == "landing":
            rolls += 1
            assert then.options
            assert foreseen == then.options[0]
            costly += bool(then.options[0].wear)
    assert costly


def test_the_tests_to_come_are_those_that_are_asked_when_all_hold() -> None:
    """The list of tests is what is asked next, one after the other, while the dice are kind."""
    desk = a_desk()
    ahead, driver = Ahead(desk), HeuristicDriver(circuits.load("monaco"), 1)
    longest = 0
    while (asked := desk.asked) is not None and longest < 3:
        if asked.ask != "test" or asked.what == "weather":
            assert not ahead.coming() or asked.what == "weather"
            desk.answer(driver.answer(asked, desk.rulebook.race))
            continue
        coming = ahead.coming()
        rows = race(Sight(desk, Words("en"), ahead=ahead)).tests
        assert [row.state for row in rows] == ["now"] + ["to_come"] * (len(coming) - 1)
        for at, one in enumerate(seen.asked for seen in coming):
            assert one is not None
            now = desk.asked
            assert now is not None
            assert (now.car, now.what, now.fields) == (one.car, one.what, one.fields)
            rows = race(Sight(desk, Words("en"), ahead=ahead)).tests
            assert [row.state for row in rows] == ["done"] * at + ["now"] + ["to_come"] * (len(coming) - at - 1)
            assert all(row.outcome.text == "safe" for row in rows[:at])
            labels = [key.label for key in rows[at].keys]
            assert not labels or (labels[0][0], labels[-1][-2:]) == ("1", "20")
            assert one.what != "collision" or rows[at].note.startswith("with ")
            desk.answer(20)
        assert desk.asked is None or desk.asked.ask != "test"
        longest = max(longest, len(coming))
    assert longest >= 3


def test_a_quick_stop_shows_how_far_it_leads_out_or_that_the_car_stays() -> None:
    """The faces that succeed say their spaces, the others that the car waits a turn."""
    pits = {"at": "pit:1", "status": "pit", "gear": 2, "box": 1, "wear": WEAR, "built": WEAR, "tyres": "hard", "lap": 1}
    desk = a_desk(cars=[{"car": 3, **pits}], to_play=[3])
    ahead = Ahead(desk)
    while (asked := desk.asked) is not None and asked.what != "quick_stop":
        if asked.ask == "landing":
            box = (option.answer for option in asked.options or [] if option.answer["space"] == "box:1")
            desk.answer(next(box, (asked.options or [])[0].answer))
        else:
            wanted = {"stop": "quick", "tyres": "hard", "roll": asked.faces[-1] if asked.faces else 0}
            desk.answer(wanted.get(asked.ask, 3))
    shown = race(Sight(desk, Words("en"), ahead=ahead))
    said = [key.prices[0].text for key in shown.prompt.keys]
    assert said == [f"+{(face + 1) // 2}" for face in range(1, 11)] + ["stays"] * 10
    assert [key.label for key in shown.tests[0].keys] == ["1–2", "3–4", "5–6", "7–8", "9–10", "11–20"]


def test_a_face_that_brings_a_test_first_says_so() -> None:
    desk = a_desk("monaco", 2, rulebook="league", laps=2)
    driver, ahead = HeuristicDriver(circuits.load("monaco"), 5), Ahead(desk)
    while desk.asked is not None and (desk.asked.ask, desk.asked.what) != ("roll", "gear_5"):
        desk.answer(driver.answer(desk.asked, desk.rulebook.race))
    assert desk.asked is not None
    seen = ahead.foresee(list(desk.asked.faces or []))
    tested = [one.answer for one in seen if one.asked is not None and one.asked.ask == "test" and not one.rulings]
    keys = {key.answer: key for key in prompt(Sight(desk, Words("en", "league"), ahead=ahead)).keys}
    assert 20 in keys
    assert all(key.prices for key in keys.values())
    assert [(price.icon, price.text) for face in tested for price in keys[face].prices] == [("die", "1")] * len(tested)
