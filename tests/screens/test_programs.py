"""Seats that the program drives beside people: entered by touch, driven on after a restart, told to the table."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from companion.desk import RaceDesk
from companion.drivers import Driver, hint, registry
from companion.drivers.background_job import BackgroundJob
from companion.drivers.registry import driver_named
from companion.drivers.sensible import HeuristicDriver
from companion.screens.app.seat import RaceSession
from companion.screens.kit.theme import theme
from companion.screens.kit.top_bar import HIGH as BAR
from companion.screens.setup.new_race import NewRaceScreen
from companion.sheets import entrants
from companion.sheets.acts import person
from companion.sheets.entrants import RaceEntrant
from companion.view.seats import odds, programs
from companion.view.seats.odds import RaceOdds
from companion.view.seats.programs import Programs
from companion.view.setup.draft import fitting, setup_of
from companion.view.shown_race import RaceShown
from tests.screens.audit import in_both_looks
from tests.screens.table import Table, a_race
from tests.screens.test_first_page import first, with_drivers
from tests.screens.test_new_race import tap


def test_a_program_is_entered_by_touch_and_stands_on_both_pages(home_table: Table) -> None:
    screen, ui = home_table.show(NewRaceScreen, draft=with_drivers(first(), 1)), home_table.ui
    tap(home_table, "new_program")
    assert ui.offers("2 Clara")
    assert in_both_looks(screen) == []
    ui.tap("Clara")
    tap(home_table, "new_program")
    assert ui.places("Clara 2 2 program, club")
    assert ui.places("Dario 3 3 program, club")
    tap(home_table, "remove")
    assert not ui.sees("Dario")
    ui.tap_first("Clara")
    assert ui.sees("Driven by club driver", "Its dice the table")
    assert in_both_looks(screen) == []
    tap(home_table, "driven_by")
    tap(home_table, "dice")
    assert ui.sees("2 program, champion", "Driven by champion", "Its dice the program")
    for _ in range(2):
        tap(home_table, "driven_by")
    assert ui.sees("Driven by a person", "Hints none")
    for program, entered in (("champion", {"2": "champion"}), ("", None)):
        draft = with_drivers(first(), 1).entering(RaceEntrant(number=2, name="Clara", program=program))
        assert setup_of(draft).get("programs") == entered
    assert fitting(first("ninety"), "champion") == "sensible"


def seats(folder: Path, book: str, rolls: bool) -> RaceDesk:
    """A race of three of which the program drives two."""
    where: dict[str, Any] = {"key": "saltmarsh", "deck": 3, "laps": 4} if book == "ninety" else {"key": "monaco"}
    made = {"programs": {"2": "sensible", "3": "sensible"}, "program_rolls": rolls}
    return a_race(folder, rulebook=book, **where, **made)


class Sat:
    """A seat without a screen, and the last picture that it handed over."""

    def __init__(self, make: Callable[[], RaceDesk]) -> None:
        self.pictures: list[RaceShown] = []
        self.seat = RaceSession(make, self.pictures.append)

    def see(self, look: Callable[[RaceDesk], Any]) -> Any:
        return self.seat.see(lambda desk, _: look(desk)).result(20)

    @property
    def shown(self) -> RaceShown:
        self.see(lambda _: None)
        return self.pictures[-1]

    def answer(self, driver: Driver) -> None:
        n, answer = self.see(lambda desk: (desk.n, driver.answer(desk.asked, desk.rulebook.race)))
        self.seat.answer(n, answer)


@pytest.mark.parametrize("book", ["competition", "death", "ninety"])
def test_the_program_drives_its_seats_and_people_roll(folder: Path, book: str) -> None:
    """Of the program's cars people are asked for dice alone, and told what to do with them; after a restart it drives
    on."""
    sat = Sat(lambda: seats(folder, book, False))
    driver = sat.see(lambda desk: driver_named("sensible", desk.rulebook, 4))
    told: set[str] = set()
    for step in range(60):
        asked = sat.see(lambda desk: desk.asked)
        if asked is None:
            break
        assert asked.car not in (2, 3) or asked.faces is not None or asked.fields, asked
        told.add(push.title if (push := sat.shown.push) is not None else "")
        sat.answer(driver)
        if step == 30:
            sat.seat.close()
            sat = Sat(lambda: RaceDesk.resume(folder))
    by = sat.see(lambda desk: [item.by for item in desk.history.items])
    assert "driver:sensible" in by[30:]
    assert len(told) > 2
    sat.seat.close()


def test_a_program_that_rolls_waits_until_its_car_is_pushed(folder: Path, at_race: Any) -> None:
    table = at_race(make=lambda: seats(folder, "competition", True))
    driver = HeuristicDriver(table.see(lambda desk: desk.rulebook.track), 1)
    waited = 0
    while waited < 3:
        asked, push = table.see(lambda desk: desk.asked), table.shown.push
        if asked.car not in (2, 3):
            n, answer = table.see(lambda desk: (desk.n, driver.answer(desk.asked, desk.rulebook.race)))
            table.app.playing.seat.answer(n, answer)  # type: ignore[union-attr]
            table.calm()
            continue
        assert push is not None
        assert asked.ask in programs.BEGINS
        table.ui.audit_both()
        waited += 1
        table.touch(push.key)
        assert table.shown.push != push
    items = table.see(lambda desk: [(item.event.key, item.by) for item in desk.history.items])
    rolled = [by for key, by in items if key is not None and key[0] == "roll" and key[1] != 1]
    assert rolled
    assert not any(person(by) for by in rolled)


@pytest.mark.parametrize("book", ["competition", "ninety"])
def test_the_program_takes_a_seat_by_touch_and_gives_it_back(at_race: Any, folder: Path, book: str) -> None:
    """From More and from a car; it drives at once, tells the table, and a restart knows of it."""
    where: dict[str, Any] = {"key": "saltmarsh", "deck": 3, "laps": 4} if book == "ninety" else {"key": "monaco"}
    language = "fr" if book == "ninety" else "en"
    app = {"language": language}
    table = at_race(until=lambda asked: asked.round >= 2, seed=4, app=app, rulebook=book, **where)
    car = table.shown.may_hand_over
    ui, said = table.ui, theme.words.screen
    ui.tap(icon="menu")
    ui.audit_both()
    ui.tap(said("more.seat"))
    assert (table.app.visits[-1].name, table.app.visits[-1].given["car"]) == ("override", car)
    ui.audit_both()
    drivers = ("Le programme",) if book == "ninety" else ("Club driver", "Champion", "Learner")
    assert ui.offers(drivers[-1])
    ui.tap("Ses dés" if book == "ninety" else "Its dice")
    ui.audit_both()
    before = table.see(lambda desk: (desk.n, desk.history.programs))
    assert before[1] == {}
    ui.tap(drivers[0])
    assert table.see(lambda desk: (list(desk.history.programs), desk.history.program_rolls)) == ([car], True)
    table.app.playing.seat.hand_over(car, "sensible")  # type: ignore[union-attr]  # who waits for no table
    table.app.back()
    table.calm()
    seen = table.see(lambda desk: (desk.history.programs, desk.history.program_rolls, desk.history.items[before[0]].by))
    assert seen == ({car: "sensible"}, True, "driver:sensible")
    assert table.shown.toast is not None
    assert table.shown.push is not None
    table = at_race(make=lambda: RaceDesk.resume(folder), app=app)
    assert table.see(lambda desk: (desk.history.programs, desk.history.program_rolls)) == ({car: "sensible"}, True)
    table.app.go("override", car=car)
    table.calm()
    table.ui.audit_both()
    table.ui.tap(said("seats.key"))
    table.ui.tap("Quelqu’un" if book == "ninety" else "A person")
    assert table.see(lambda desk: desk.history.programs) == {}


class Sums:
    """A table that is worked out, some per cent of it."""

    share, over = 0.4, False

    def end(self) -> None: ...


def test_a_strong_driver_waits_for_its_table_and_then_drives_on(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing stands still meanwhile: its questions are open to people."""
    sums, news = Sums(), list[Any]()

    def worked_out(desk: RaceDesk, on_news: Any) -> Sums:
        news.append(on_news)
        return sums

    monkeypatch.setattr(programs, "worked_out", worked_out)
    at_hand = [False]
    monkeypatch.setattr(hint, "at_hand", lambda *_: at_hand[0])
    desk = a_race(folder, many=2, programs={"1": "club", "2": "club"}, program_rolls=True)
    club = Programs(desk, lambda: None)
    monkeypatch.setattr(registry, "driver_named", lambda _, book, n: HeuristicDriver(book.track, n))
    while club.drive(desk):
        club.pushed = []
    assert desk.asked is not None
    assert (club.waits, club.share) == (True, 0.4)
    assert not club.drive(desk)
    at_hand[0] = True
    assert club.drive(desk)
    assert not club.waits
    desk.close()


def test_a_hint_is_asked_by_touch_where_the_table_allows_it(monkeypatch: pytest.MonkeyPatch, at_race: Any) -> None:
    """The card says what and why; its key takes it, and the log has that it was asked."""
    weighed = (hint.WeighedAnswer(2, 20.1, 0.3), hint.WeighedAnswer(1, 20.6, 0.25), hint.WeighedAnswer(3, 22.0, 0.1))
    said = hint.Hint(2, 20.1, 1, 0.5, weighed, hint.GearRolls(2, 4, 83, 50, 1, 0.4))
    monkeypatch.setattr(hint, "hint", lambda *_: said)
    monkeypatch.setattr(Programs, "studied", lambda *_: True)
    position = [{"car": n, "at": f"1:{lane}:1", "gear": 3} for n, lane in ((1, "left"), (2, "right"))]
    table = at_race(cars=position, to_play=[1, 2], hints=[1])
    assert table.prompt.ask == "gear"
    table.touch("Hint 3")
    assert table.shown.hint is not None
    assert (table.shown.hint.title, table.shown.hint.left) == ("Hint for 1", "2 left")
    assert [(row.lost, row.wins) for row in table.shown.hint.rows] == [
        ("best", "30%"),
        ("−0.5", "25%"),
        ("−1.9", "10%"),
    ]
    assert table.prompt.keys[table.prompt.chosen].answer == 2
    assert table.ui.sees("Hint for 1", "2 left", "−0.5", "25%")
    table.ui.audit_both()
    assert table.see(lambda desk: [one.text for one in desk.history.said])[0].startswith("Hint for 1: A champion: 2nd")
    table.touch("Hide")
    assert (table.shown.hint, table.prompt.chosen) == (None, -1)
    table.app.playing.seat.hint()  # type: ignore[union-attr]
    table.calm()
    assert (table.shown.hint.left, table.prompt.hint) == ("2 left", 2)  # the same question again
    monkeypatch.setattr(entrants, "HINTS", 1)
    table.app.playing.seat.save()  # type: ignore[union-attr]
    table.calm()
    assert table.prompt.hint == 0
    table.touch("Take 2nd")
    assert table.see(lambda desk: desk.history.items[-1].event.answer) == 2
    while table.see(lambda desk: desk.asked.car) == 1:
        table.given(table.see(lambda desk: (desk.asked.faces or [desk.asked.options[0].answer])[0]))
    table.app.playing.seat.save()  # type: ignore[union-attr]
    table.calm()
    assert not table.prompt.hint
    seat = table.app.playing.seat
    assert seat is not None
    seat.hint()
    table.calm()
    assert table.shown.hint.title == "Hint for 2"
    n = table.prompt.n
    seat.undo(table.see(lambda desk: sum(person(one.by) for one in desk.history.done)))
    for left in range(n):  # another question has its number now
        seat.override({"car": 2, "wear": {"tyres": 1 + left % 2}}, by="Eve", why="slip")
    table.calm()
    assert (table.prompt.n, table.prompt.ask, table.shown.hint) == (n, "gear", None)


def test_the_odds_stand_in_the_order_where_the_table_wants_them(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Not by themselves, never in a tournament; turned off again, gears and gaps are back."""
    monkeypatch.setattr(Programs, "has_table", lambda *_: True)
    monkeypatch.setattr(RaceOdds, "wins", lambda *_: {1: 0.5, 2: 0.5, 3: 0.0})
    sat = Sat(lambda: a_race(folder))
    assert sat.shown.may_odds
    assert not any(row.odds for row in sat.shown.order)
    sat.seat.odds()
    assert [(row.odds, row.share) for row in sat.shown.order] == [("50%", 1.0), ("50%", 1.0), ("0%", 0.0)]
    sat.seat.odds()
    assert not any(row.odds for row in sat.shown.order)
    sat.seat.close()
    sat = Sat(lambda: a_race(folder, event="Club night"))
    assert not sat.shown.may_odds
    sat.seat.close()


def test_the_odds_of_a_race_of_cards_stand_on_the_dashboard_and_in_the_order(
    monkeypatch: pytest.MonkeyPatch, at_race: Any
) -> None:
    """No strip of the order stands beside its board: More has the order, with the odds in it."""
    monkeypatch.setattr(RaceOdds, "wins", lambda *_: {1: 0.5, 2: 0.45, 3: 0.05})
    more = {"rulebook": "ninety", "key": "saltmarsh", "deck": 3, "laps": 3}
    table = at_race(until=lambda asked: asked.ask == "declare", seed=4, **more)
    number = table.shown.dashboard.plate.number  # type: ignore[union-attr]
    assert all(extra.icon != "curve" for extra in table.shown.dashboard.extras)  # type: ignore[union-attr]
    table.app.playing.seat.odds()  # type: ignore[union-attr]
    table.calm()
    first = table.shown.dashboard.extras[0]  # type: ignore[union-attr]
    assert (first.icon, first.value) == ("curve", {1: "50%", 2: "45%", 3: "5%"}[number])
    ui = table.ui
    ui.tap(icon="menu")
    ui.tap("Running order")
    (odds_of_3,) = (word for word in ui.words() if word.text == "5%" and word.box.y > BAR)
    (three,) = (row for row in table.shown.order if row.plate.number == 3)
    (name,) = (word for word in ui.words() if word.text == three.name)
    assert abs(odds_of_3.box.y - name.box.y) < 20, "in the same row"
    ui.audit_both()


@pytest.mark.parametrize("more", [{"rulebook": "ninety", "key": "saltmarsh", "deck": 3, "laps": 3}, {"key": "monza"}])
def test_a_race_that_no_table_knows_is_driven_out_apart(
    folder: Path, more: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its odds come when they are there, are those of the round, and are asked for again in the next; what asks for
    them ends with the seat."""
    monkeypatch.setattr(
        "companion.drivers.background_job.shutil.which", lambda _: None
    )  # as quiet as that it might never come
    asked, driven_out = list[BackgroundJob](), odds.driven_out
    monkeypatch.setattr(odds, "driven_out", lambda *given: asked.append(driven_out(*given)) or asked[-1])
    sat = Sat(lambda: a_race(folder, **more))
    driver = sat.see(lambda desk: driver_named("sensible", desk.rulebook, 4))
    sat.seat.odds()

    def until(round_: int) -> None:
        while sat.see(lambda desk: desk.public().round) < round_:
            sat.answer(driver)

    def told() -> list[str]:
        end = time.monotonic() + 120
        while not any(found := [row.odds for row in sat.shown.order if not row.out]):
            assert time.monotonic() < end
            time.sleep(0.1)
        return found

    assert not any(row.odds for row in sat.shown.order)  # before the start there is nothing to drive out
    until(2)
    first = told()
    assert all(first)
    until(3)
    assert sat.shown.order[0].odds  # those of the round before, until the next are there
    ended, end = list[BackgroundJob](), BackgroundJob.end
    monkeypatch.setattr(BackgroundJob, "end", lambda one: (ended.append(one), end(one)))
    sat.seat.close()
    assert asked[-1].over or asked[-1] in ended  # on a slow machine it may be over before it is ended


def test_nobody_studies_the_circuit_once_a_person_has_the_seat_again(
    monkeypatch: pytest.MonkeyPatch, at_race: Any
) -> None:
    """By touch, while a champion waits for its table; the same on every page of the race."""
    monkeypatch.setattr(hint, "at_hand", lambda *_: False)
    table = at_race(until=lambda asked: asked.ask == "gear")

    def sits(label: str) -> None:
        table.menu("seat")
        table.ui.tap(label)
        table.until(lambda: table.app.visits[-1].name == "race")

    sits("Champion")
    assert any("studies the circuit" in said for said in table.texts())
    sits("A person")
    assert table.shown.push is None
    assert not any("studies the circuit" in said for said in table.texts())


@pytest.mark.parametrize("language", ["en", "fr"])
def test_a_driver_is_renamed_by_touch_and_nobody_is_asked_why(language: str, at_race: Any) -> None:
    table = at_race(until=lambda asked: asked.ask == "gear", app={"language": language})
    table.app.go("override", car=2)
    table.calm()
    table.app.hush()
    ui, label = table.ui, {"en": "Name", "fr": "Nom"}[language]
    while not ui.sees(label) and ui.scroll():
        pass
    ui.audit_both()
    ui.write(label, "Bérénice", anew=True)
    ui.tap(theme.words.screen("override.set_key"))
    assert table.app.visits[-1].name == "race"
    assert table.see(lambda desk: desk.names[2]) == "Bérénice"
    assert "BRU" not in table.texts()
    table.touch(theme.say("undo"))
    assert table.see(lambda desk: desk.names[2]) == "Bruno"
