"""The race on the screen where it is out of the ordinary: corner sheets, twenty cars, one car, questions nobody has
thought of, a full disk, the clock, sounds."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest

from companion.drawing.paints import paint_of
from companion.screens.app.seat import RaceSession
from companion.screens.app.signals import Signals, light_events
from companion.screens.app.sound import Speaker
from companion.screens.kit.shot_clock import Countdown, ShotTime
from companion.screens.race.pits import BoxStrip
from companion.view.race.intents import Fill
from companion.view.shown import AnswerKey, Column, Field, Plate, Prompt, Step, Toast, Undo
from companion.view.shown_race import PitBox, PitCar, PitLane, RaceShown
from tests.screens.audit import audit, marks, texts
from tests.screens.rig import Rig
from tests.screens.table import Table, a_race, driver_on, race_open, skip

LONG = "Wilhelmina-Anastasia van Oranje"


def asks(table: Table, **prompt: Any) -> RaceShown:
    """Puts another question on the screen, as a rulebook might that nobody knows yet."""
    plain = Prompt(
        key="new 1", n=table.prompt.n, ask="new", title="Something new", plate=Plate(number=1, place=0),
        undo=Undo(label="Gear 3"), trail=(Step(label="Gear 3", state="done", back=1), Step(label="New", state="now")),
    )  # fmt: skip
    shown = msgspec.structs.replace(table.shown, prompt=msgspec.structs.replace(plain, **prompt), card=None, toast=None)
    table.draw(shown)
    return shown


# -- circuits and cars of every kind


def test_a_race_on_a_corner_sheet_is_refereed_by_touch(at_race: Any) -> None:
    made = at_race("spa", 2)
    by = driver_on("spa", 3)
    skip(made, by, lambda asked: asked.ask == "gear")
    made.play(by, lambda asked: asked.ask == "saw")
    made.audited()
    made.looks_up()
    made.touch("Further")
    assert made.ui.sees("the corner it stopped in, or the one it has left")
    made.audited()
    made.app.choose(language="fr", theme="daylight")
    made.calm()
    made.audited()
    made.touch("Retour")
    assert made.ui.offers("Personne")
    made.audited()
    made.play(by, lambda asked: asked.round > 4)
    assert made.shown.top.round == "5"
    made.menu("overview")
    made.audited()


def test_the_whole_form_answers_what_is_filled_in(at_race: Any) -> None:
    made = at_race("spa", 2, lambda asked: asked.ask == "saw", seed=3)
    n, ui = made.prompt.n, made.ui
    made.touch("Further")
    made.touch(icon="plus", beside="Braked")
    made.looks_up()
    assert ui.sees("1", "Braked"), "what was filled in is there again"
    made.touch(icon="minus", beside="Braked")
    made.touch("Done")
    assert made.see(lambda desk: desk.n) == n, "what it comes to is shown before it applies"
    made.touch(made.prompt.keys[made.prompt.chosen].label)
    assert made.see(lambda desk: desk.n) > n
    answer = made.see(lambda desk: desk.history.items[n].event.answer)
    assert set(answer) <= {"in", "line", "brakes", "overshot", "blocked", "dangers", "walls", "soft"}


@pytest.mark.parametrize(("circuit", "many"), [("monaco", 1), ("copper-basin", 12), ("spa", 20)])
def test_one_car_and_twenty_with_odd_names(panel: Rig, circuit: str, many: int, at_race: Any) -> None:
    names = ["", LONG, "Ñandú Żak", "Ада Ким", "ひかり", "x"]
    cars = [{"car": 99 - n, "driver": names[n % len(names)], "team": "Scuderia"} for n in range(many)]
    made = at_race(circuit, cars=cars)
    by = driver_on(circuit)
    for ask in ("start", "saw" if circuit == "spa" else "landing", "gear", "roll"):
        skip(made, by, lambda asked, ask=ask: asked.ask == ask)  # type: ignore[misc]
        assert made.prompt.ask == ask
        made.audited()
    made.touch("Whole order" if made.ui.offers("Whole order") else "Leader")
    made.audited()
    assert made.ui.sees(*(str(place) for place in range(1, min(many, 6))))


# -- questions that nobody has thought of


def test_a_question_never_seen_before_has_keys(table: Table) -> None:
    keys = tuple(AnswerKey(answer=at, label=f"Answer {at}") for at in range(9))
    for layout, some in (("keys", keys[:3]), ("list", keys)):
        asks(table, key=f"new {layout}", layout=layout, keys=some)
        table.audited()
        assert table.ui.sees("Something new", "Answer 1")


def test_a_form_never_seen_before_is_filled_in(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    cars = tuple(AnswerKey(answer=at, label=f"CA{at}") for at in range(7))
    fields = (
        Field(name="points", label="Points", value=1, low=0, high=4),
        Field(name="sure", label="Sure", kind="choice", value=False,
              keys=(AnswerKey(answer=False, label="No"), AnswerKey(answer=True, label="Yes"))),
        Field(name="whom", label="Whom", kind="choice", value=None, keys=cars),
        Field(name="order", label="Order", kind="many", value=[], keys=cars),
    )  # fmt: skip
    asks(table, layout="form", fields=fields)
    table.audited()
    sent: list[Any] = []
    monkeypatch.setattr(table.app.playing.seat, "answer", lambda _, answer, **__: sent.append(answer))
    ui = table.ui
    ui.tap(icon="plus", beside="Points")
    ui.tap("Yes")
    ui.tap(icon="plus", beside="Whom")
    ui.tap("–", beside="Order")
    table.audited()
    ui.tap("CA4")
    ui.tap("CA2")
    ui.tap("Done")
    assert ui.sees("CA4, CA2")
    ui.tap("Done")
    ui.tap(icon="minus", beside="Whom")
    ui.tap("Done")
    assert sent == [{"points": 2, "sure": True, "whom": 0, "order": [4, 2]},
                    {"points": 2, "sure": True, "order": [4, 2]}]  # fmt: skip


def test_repairs_are_given_point_by_point_and_taken_back(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    board = table.shown.dashboard
    assert board is not None
    columns = tuple(
        Column(pool=column.pool, name=column.name, built=column.built, left=max(0, column.left - 2))
        for column in board.columns
    )
    fields = tuple(Field(name=c.pool, label=c.name, icon=c.pool, value=0, low=0, high=2) for c in columns[1:])
    shown = asks(table, layout="form", fields=fields, most=3, ask="repair")
    table.draw(msgspec.structs.replace(shown, dashboard=msgspec.structs.replace(board, columns=columns), card=None))
    ui = table.ui
    sent: list[Any] = []
    monkeypatch.setattr(table.app.playing.seat, "answer", lambda _, answer, **__: sent.append(answer))
    assert not ui.sees("Full")
    given, other = columns[1].pool, columns[3].pool
    for pool in (given, given, other):
        ui.tap(icon="plus", beside=pool)
    ui.audit()
    assert ui.sees("3 of 3 repairs")
    with pytest.raises(AssertionError, match="0 controls have the pictogram 'plus'"):
        ui.tap(icon="plus")
    n = table.see(lambda desk: desk.n)
    ui.tap("Undo")
    assert table.see(lambda desk: desk.n) == n, "a point was taken back, and no answer"
    assert ui.sees("2 of 3 repairs")
    ui.tap(icon="minus")
    assert ui.sees("1 of 3 repairs"), "and by its column"
    ui.tap(icon="plus", beside=given)
    ui.tap("Done")
    assert sent == [{given: 2}]


# -- tests


def test_a_test_is_rolled_in_one_tap_or_on_the_whole_die(at_race: Any) -> None:
    made = at_race(many=6)
    by = driver_on("monaco", 3)
    skip(made, by, lambda asked: asked.ask == "test" and asked.round > 0)
    made.audited()
    n, taps = made.prompt.n, made.taps
    made.answer(made.prompt.keys[-1])
    assert made.taps == taps + 1
    low, high = made.see(lambda desk: desk.history.items[n].event.answer)
    assert 1 < low < high == 20
    made.touch("Undo")
    made.ui.hold("Collision")
    assert made.ui.offers("7", below="Collision")
    made.audited()
    made.touch("7", below="Collision")
    assert made.see(lambda desk: desk.history.items[n].event.answer) == 7


def test_without_prices_the_whole_die_is_asked(at_race: Any) -> None:
    made = at_race(app={"prices": "never"})
    assert made.prompt.ask == "test"
    assert all(made.ui.offers(str(face), below=made.prompt.title) for face in range(1, 21))
    made.audited()


# -- what goes wrong


def test_a_refusal_is_one_sentence_and_told_again(table: Table) -> None:
    seat = table.app.playing.seat
    assert seat is not None
    for _ in range(2):
        table.emit(Fill({"die": 77}))
        table.calm()
        assert table.ui.sees("77")
        table.app.hush()
    assert not table.ui.sees("77")


def test_what_the_roller_sends_too_early_waits_as_the_selected_answer(table: Table) -> None:
    seat = table.app.playing.seat
    assert seat is not None
    seat.rolled(2)
    table.calm()
    assert table.prompt.ask == "gear"
    two = next(key for key in table.prompt.keys if key.answer == 2)
    table.answer(two)
    assert table.prompt.ask == "roll"
    assert table.prompt.keys[table.prompt.chosen].answer == 2
    assert table.ui.is_chosen("2", below=table.prompt.title)
    table.app.press("confirm")
    table.calm()
    assert table.prompt.ask != "roll"


# -- time, sounds and lights


def test_the_clock_runs_down_pauses_and_runs_over(rig: Rig) -> None:
    def second() -> None:
        rig.stall(1)
        rig.settle(1)

    shown: list[ShotTime | None] = []
    ticks: list[int] = []
    shot = Countdown(0, shown.append, ticks.append)
    shot.allow(2, ("1", 14))
    second()
    shot.allow(2, ("1", 14))
    shot.stop("disputed")
    second()
    assert (shot.left, ticks) == (1, [1])
    shot.stop("disputed", False)
    second()
    second()
    assert shown[-1] is not None
    assert shown[-1].text == "+0:01"
    shot.allow(2, ("1", 22))
    assert shot.left == 2
    shot.allow(0, ("1", 22))
    assert shown[-1] is None
    shot.close()


def test_a_tap_on_the_clock_pauses_it(table: Table) -> None:
    ui = table.ui
    table.touch("0:30" if ui.sees("0:30") else "0:29")
    before = ui.text()
    table.rig.wait(2.1)
    assert ui.text() == before
    table.app.go("settings")
    table.app.back()
    table.calm()
    assert ui.sees("0:29") or ui.sees("0:30")


def test_what_a_picture_brings_is_told_to_ears_and_lights(table: Table, caplog: pytest.LogCaptureFixture) -> None:
    now = table.shown
    other = msgspec.structs.replace(now, prompt=msgspec.structs.replace(now.prompt, key="other"))
    refused = msgspec.structs.replace(now, toast=Toast(text="No.", tone="bad", icon="cross"))
    rain = msgspec.structs.replace(other, top=msgspec.structs.replace(now.top, sky="Hail", lap="9"))
    assert light_events(None, now) == ["waiting"]
    assert light_events(now, now) == []
    assert light_events(now, other) == ["accepted", "waiting"]
    assert light_events(now, refused) == ["refused"]
    assert light_events(now, rain) == ["accepted", "weather", "leader", "waiting"]
    over = msgspec.structs.replace(other, prompt=msgspec.structs.replace(other.prompt, n=99, layout="none"))
    assert light_events(None, over) == ["idle"]
    assert light_events(now, over) == ["accepted", "leader", "idle"]
    heard: list[str] = []
    signals = Signals(Speaker("off"))
    signals.listen(lambda light: 1 / 0)
    signals.listen(heard.append)
    signals.happen("weather")
    assert heard == ["weather"]
    assert "a light failed on weather" in caplog.text


def test_a_race_that_is_closed_leads_home(table: Table) -> None:
    table.menu("leave")
    table.rig.wait(0.1)
    assert [visit.name for visit in table.app.visits] == ["home"]
    assert table.app.playing.seat is None
    table.app.go("race")
    table.rig.wait(0.1)
    assert table.app.visits[-1].name != "race"


def test_a_picture_of_a_race_that_was_left_is_not_shown_over_the_next_one(
    rig: Rig, folder: Path, monkeypatch: pytest.MonkeyPatch, at_race: Any
) -> None:
    """The desk of the race that was left makes its last picture in its own time; its circuit has other corners."""
    shows: list[Callable[[RaceShown], object]] = []

    def sit(make: Any, show: Callable[[RaceShown], object], **given: Any) -> RaceSession:
        shows.append(show)
        return RaceSession(make, show, **given)

    monkeypatch.setattr("companion.screens.app.seat.RaceSession", sit)
    made = at_race("monaco", 3)
    late = made.shown
    made.app.playing.open(lambda: a_race(folder, "kestrel-moor", 2))
    made.until(lambda: race_open(made.app))
    made.calm()
    shows[0](late)
    made.rig.settle(3)
    assert made.app.playing.shown is not None
    assert made.app.playing.shown.order != late.order
    assert len(made.app.playing.shown.board.corners) == 7


def test_only_who_stands_in_a_box_is_drawn_there(rig: Rig) -> None:
    """The boxes of cars that are on the track bear their numbers, and not their colours; wide boxes and narrow ones,
    for one car each and for two."""
    plates = [Plate(number=number, place=place) for place, number in enumerate((7, 14, 31, 40, 22, 18))]
    there = PitCar(plate=plates[0], code="ADA", service="Long", now=True)
    lane = PitLane(
        boxes=(PitBox(number=1, car=there), PitBox(number=2, owners=tuple(plates[1:2])),
               PitBox(number=3, owners=tuple(plates[2:4]))), spaces=9,
    )  # fmt: skip
    for wide in (98, 386):
        rig.clear()
        strip = rig.show(BoxStrip(), 0, 0, wide, 92)
        strip.show(lane)
        rig.settle()
        assert audit(strip) == []
        filled = {one.mark.colour for one in marks(strip) if one.mark.kind == "fill"}
        assert [paint_of(plate.place).colour in filled for plate in plates[:4]] == [True, False, False, False]
        said = " ".join(texts(strip)).split()
        assert {"7", "14", "31", "40"} <= set(said)
