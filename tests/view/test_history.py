"""Going back in a race, the referee's word, a disputed ruling."""

from __future__ import annotations

import pytest

from companion import circuits
from companion.desk import Correction, RaceDesk
from companion.desk.session import Session
from companion.drivers.sensible import HeuristicDriver
from companion.rules.conversation.errors import BadAnswer
from companion.rules.rulebooks import begin
from companion.view.pages import history, override
from companion.view.phones.phone import watched
from companion.view.sight import Sight
from companion.wording import LANGUAGES, Words


def desk(answers: int, *, auto: bool = False, cars: int = 3) -> RaceDesk:
    board = circuits.load("monaco")
    setup = {"track": "monaco", "cars": [{"car": n, "driver": "Ada" if n == 1 else ""} for n in range(1, cars + 1)]}
    race, driver = RaceDesk(begin(setup, board), setup=setup), HeuristicDriver(board, 2)
    for n in range(answers):
        assert race.asked is not None
        race.answer(driver.answer(race.asked, race.rulebook.race), by="roller" if auto and n % 3 else "table")
    return race


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_answer_is_a_row_the_latest_first(lang: str) -> None:
    race = desk(60)
    rows = history.rows(Sight(race, Words(lang)))
    assert [row.n for row in rows] == list(range(59, -1, -1))
    assert all(row.label and row.can_correct for row in rows)
    assert [row.back for row in rows] == list(range(1, 61))
    by_ask = {done.ask: row for done, row in zip(race.answers()[::-1], rows, strict=True) if not row.prices}
    assert "test" not in by_ask
    calm = [row for done, row in zip(race.answers()[::-1], rows, strict=True) if done.ask == "gear" and row.prices]
    assert {"en": "free", "fr": "gratuit"}[lang] in {price.text for row in calm for price in row.prices}


def test_an_overshoot_is_told_with_the_tyres_of_its_time() -> None:
    """In the history, and on a phone."""
    race, driver = desk(12), HeuristicDriver(circuits.load("monaco"), 2)
    session = Session(race)
    while "overshoot" not in [ruling.kind for ruling in race.history.items[-1].rulings]:
        assert race.asked is not None
        race.answer(driver.answer(race.asked, race.rulebook.race))
    item = race.history.items[-1]

    def told() -> list[str]:
        phone = watched(session, "en")
        cards = history.brought(Sight(race, Words()), item.seq).card, phone.card
        lines = next(line.sum for line in phone.rulings if line.seq == item.seq and line.sum)
        return [str(sums) for sums in (*(card and card.sums for card in cards), lines)]

    before = told()
    assert all("rain" in sums for sums in before)
    for car in (1, 2, 3):
        race.override({"car": car, "tyres": "soft"}, by="Noor", why="a test")
    assert told() == before


def test_the_tyres_before_an_answer_are_those_of_the_race_then() -> None:
    race = desk(240)
    assert sum(ruling.kind == "tyres" for item in race.history.items for ruling in item.rulings) > 3, "one has stopped"
    race.override({"car": 1, "tyres": "soft"}, by="Noor", why="a test")
    race.override({"sky": "rain"}, by="Noor", why="a test")
    for n in (*range(12, race.n, 6), race.n):
        then = race.conversation.fork(race.rulebook.clone(), n).rulebook.race
        assert [race.history.tyres_before(n, car.number) for car in then.cars] == [car.tyres for car in then.cars]


def test_a_roll_for_the_grid_is_not_called_safe() -> None:
    setup = {"rulebook": "formula-d", "track": "monaco", "cars": [{"car": 1}, {"car": 2}]}
    race = RaceDesk(begin(setup, circuits.load("monaco")), setup=setup)
    race.answer(15)
    assert [row.prices for row in history.rows(Sight(race, Words()))] == [()]


def test_going_back_takes_as_many_answers_as_its_row_says() -> None:
    for n in (0, 7, 20, 38, 44):
        race = desk(45, auto=True)
        race.override({"car": 2, "stand": 0}, by="table", why="a test")
        roll = next(done.n for done in race.answers() if done.ask == "roll")
        race.correct(roll, race.history.items[roll].event.answer)
        race.note("a note")
        back = history.undos(race.history)
        keys = [done.n for done in race.answers()]
        assert len(back) == len(keys)
        acts = len(race.history.done)
        race.undo(back[n].answers)
        assert race.n <= n
        assert acts - len(race.history.done) == back[n].acts
        if back[n].answers > 1:
            race.redo(1)
            assert race.n > n or race.asked is None


def test_rows_tell_who_answered() -> None:
    race = desk(45, auto=True)
    race.override({"car": 2, "stand": 0}, by="table", why="a test")
    rows = history.rows(Sight(race, Words()))
    assert (rows[0].by, rows[0].can_correct) == ("word", False)
    assert {row.by for row in rows} == {"word", "person", "program"}


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_correction_is_tried_both_ways_before_anything_is_done(lang: str) -> None:
    race, words = desk(80), Words(lang)
    done = next(done for done in race.answers() if done.ask == "roll")
    asked = history.asked_at(race, done.n)
    assert asked is not None
    assert (asked.ask, asked.car, asked.n) == (done.ask, done.car, done.n)
    assert asked.faces is not None
    before = race.n, race.conversation.digest
    answer = next(face for face in asked.faces if face != done.answer)
    ways: list[Correction | str] = []
    for keep in ("replay", "board"):
        try:
            ways.append(race.try_correction(done.n, answer, keep=keep))
        except BadAnswer as wrong:
            ways.append(words.error(wrong))
    shown = history.trial(done, ways, str(answer), Sight(race, words).names, words)
    assert (race.n, race.conversation.digest) == before
    assert [key.answer for key in shown.ways] == ["replay", "board"]
    assert all(lines for lines in shown.lines)
    assert shown.ways[0].note == words.screen("history.keeps", kept=0, all=80 - done.n - 1)
    tests = [done for done in race.answers() if done.ask == "test" and done.what == "collision"]
    other = next(done for done in tests if done.answer != 1)
    tried = history.tried(Sight(race, words), other.seq, 1)
    assert "→" in tried.ruled, "what is ruled then, as the rows beside say what was"
    refused = history.trial(done, [ways[0], "Not so."], "x", {}, words)
    assert refused.ways[1].why == "Not so."


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_referees_word_asks_for_a_reason(lang: str) -> None:
    race, words = desk(60), Words(lang)
    sight = Sight(race, words)
    done = next(done for done in race.answers() if done.ask == "roll")
    asked = history.asked_at(race, done.n)
    assert asked is not None
    shown = override.why(sight, asked, 9, instead=7)
    assert "9" in shown.ask
    assert "7" in shown.keep
    assert [key.answer for key in shown.keys] == list(override.REASONS)
    assert all(key.label and key.note for key in shown.keys)
    assert override.why(sight, asked, 9).keep == ""


@pytest.mark.parametrize("lang", LANGUAGES)
def test_what_may_be_set_is_what_the_rulebook_says(lang: str) -> None:
    race, words = desk(60), Words(lang)
    sight = Sight(race, words)
    values = override.car_values(sight, 1)
    named = {field.name.partition(".")[0] for field in values.fields}
    assert named == {"driver", *race.rulebook.car_values}  # type: ignore[attr-defined]
    assert all(field.label for field in values.fields)
    for field in values.fields:
        if field.kind == "stepper" and field.name not in ("stops", "tyre_laps", "stand"):  # these go by more
            value = field.low if field.value != field.low else field.low + 1
            change = override.changed(values, {field.name: value}, 1)
            race.override(change, by="table", why="a test")
            after = {one.name: one.value for one in override.car_values(Sight(race, words), 1).fields}
            assert after[field.name] == value
            race.undo()
        if field.kind == "choice":
            assert field.keys
    assert override.changed(values, {field.name: field.value for field in values.fields}, 1) == {}
    both = override.changed(values, {"wear.tyres": 0, "wear.body": 1, "gear": 5}, 1)
    assert both == {"car": 1, "wear": {"tyres": 0, "body": 1}, "gear": 5}
    assert override.why_change(sight, both).plate is not None


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_race_itself_can_be_set(lang: str) -> None:
    race, words = desk(60), Words(lang)
    race.override({"sky": "changeable"}, by="table", why="under it the track may be dry or wet")
    values = override.race_values(Sight(race, words))
    fields = {field.name: field for field in values.fields}
    assert set(fields) == set(race.rulebook.race_values)  # type: ignore[attr-defined]
    assert [key.answer for key in fields["surface"].keys] == ["dry", "wet"]
    assert fields["order"].value == race.rulebook.to_play()  # type: ignore[attr-defined]
    surface = "wet" if fields["surface"].value == "dry" else "dry"
    change = override.changed(values, {"surface": surface, "order": fields["order"].value}, None)
    assert change == {"surface": surface}
    race.override(change, by="table", why="a test")
    assert race.rulebook.race.surface == surface
    assert override.why_change(Sight(race, words), {"sky": "sun"}).plate is None


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_dispute_offers_to_uphold_change_or_wait(lang: str) -> None:
    shown = override.dispute("13-4", "Overshoots by 2", Words(lang))
    assert [key.answer for key in shown.keys] == list(override.DISPUTES)
    assert shown.instead.startswith("13-4")
