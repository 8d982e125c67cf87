"""The race on the screen, by real touches: whole races, ways back, the referee's word, and every moment audited."""

from __future__ import annotations

from pathlib import Path
from statistics import mean
from typing import Any

import pytest
from kivy.core.window import Window

from companion import circuits
from companion.drivers.chance import RandomDriver
from companion.drivers.sensible import HeuristicDriver
from companion.screens.kit.theme import theme
from companion.screens.kit.touch import ears
from companion.screens.race.race import RaceScreen
from companion.screens.setup.build import BuildScreen
from companion.screens.setup.new_race import NewRaceScreen
from companion.sheets.entrants import RaceEntrant, remember
from companion.view.race.intents import Choose
from tests.screens.rig import Rig, place_of
from tests.screens.table import Table, a_race, race_open, skip
from tests.screens.test_new_race import go_on

OVAL = "indianapolis-oval"


def driver(key: str = "monaco", seed: int = 2) -> HeuristicDriver:
    return HeuristicDriver(circuits.load(key), seed)


# -- whole races


def test_a_whole_race_is_refereed_by_touch_from_home_to_the_classification(rig: Rig, folder: Path) -> None:
    """A new race of two on an oval: rules, circuit, drivers, grid, start, cars, and every question to the end."""
    remember(folder, [RaceEntrant(number=7, name="Ada Vidal"), RaceEntrant(number=22, name="Żółć", colour=4)])
    made = Table(rig, folder)
    by = driver(OVAL)
    try:
        made.until(lambda: "Begin a race?" in made.texts())
        made.ui.tap("A race")
        new: Any = made.app.screen
        assert isinstance(new, NewRaceScreen)
        made.ui.tap("All the rest")
        made.tap_row(new.body.books, [row.name for row in new.body.books.shown].index("competition"))
        go_on(made.ui)
        made.tap_row(new.body.circuits, [row.key for row in new.body.rows].index(OVAL))
        for _ in range(2):
            made.tap(new.body.laps.less)
        go_on(made.ui)
        for place in (0, 1):
            made.tap_row(new.body.others, place)
        for _ in range(3):
            go_on(made.ui)
        made.until(lambda: race_open(made.app))
        made.calm()
        assert made.shown.top.laps == "1"
        screens = set()
        for _ in range(1000):
            asked = made.see(lambda desk: desk.asked)
            if asked is None:
                break
            screens.add(type(made.app.screen).__name__)
            if isinstance(made.app.screen, BuildScreen):
                built = made.app.screen.built
                if built is not None:
                    made.ui.tap("Preset" if built.why else built.next)
            else:
                made.one(by)
        assert screens == {"BuildScreen", "RaceScreen"}
        assert "The race is over" in made.texts()
        assert {"Ada Vidal", "Żółć"} <= set(made.texts())
        made.audited()
        made.tap(made.key("Home"))
        assert [visit.name for visit in made.app.visits] == ["home"]
    finally:
        made.close()


def test_a_plain_turn_takes_three_taps_and_two_with_the_die_roller(rig: Rig, folder: Path) -> None:
    """Every turn of a gear, a roll and a space that was offered first, by touch, counted over a demo race."""
    made = Table.at_race(rig, folder, lambda: a_race(folder, "monaco", 3))
    by = driver()
    skip(made, by, lambda asked: asked.ask == "gear")
    try:
        plain: list[int] = []
        rolled: list[int] = []
        for turn in range(16):
            made.play(by, lambda asked: asked.ask == "gear")
            if made.prompt.layout == "none":
                break
            before, roller = made.taps, bool(turn % 2)
            gear = made.wanted(by)
            key = next(key for key in made.prompt.keys if key.answer == gear and not key.why)
            if key.accept:
                made.answer(key)
                continue
            made.answer(key)
            face = made.prompt.keys[len(made.prompt.keys) // 2]
            if roller:
                made.app.playing.seat.rolled(face.answer)  # type: ignore[union-attr]
                made.calm()
            else:
                made.answer(face)
            if made.prompt.ask == "landing":
                made.answer(made.prompt.keys[made.prompt.chosen])
            (rolled if roller else plain).append(made.taps - before)
        assert len(plain) > 3
        assert len(rolled) > 3
        print(f"a plain turn: {mean(plain):.2f} taps, with the die-roller {mean(rolled):.2f}")
        assert max(plain) <= 3
        assert max(rolled) <= 2
    finally:
        made.close()


LOOKS = [("dark", "en"), ("dark", "fr"), ("daylight", "fr"), ("daylight", "en")]


def test_many_moments_of_a_wild_race_pass_the_audit(panel: Rig, folder: Path) -> None:
    """Blockings, tests, pit stops, retirements: each kind of moment is audited, in two looks and languages each."""
    made = Table.at_race(panel, folder, lambda: a_race(folder, many=6))
    by = RandomDriver(circuits.load("monaco"), 1)
    seen: set[object] = set()
    try:
        for _ in range(300):
            asked = made.see(lambda desk: desk.asked)
            if asked is None or len(seen) > 7:
                break
            kind = (asked.ask, len(made.prompt.keys) > 4, bool(made.shown.card))
            if isinstance(made.app.screen, RaceScreen) and kind not in seen:
                seen.add(kind)
                for look, lang in LOOKS[len(seen) % 2 :: 2]:
                    made.app.choose(theme=look, language=lang)
                    made.calm()
                    made.audited()
            made.given(made.wanted(by))
            made.app.playing.seat.speak("en")  # type: ignore[union-attr]
            made.calm()
        assert len(seen) > 6
    finally:
        made.close()


# -- ways back


def test_undo_says_what_it_takes_back_and_redo_gives_it_again(table: Table) -> None:
    gear = next(key for key in table.prompt.keys if not key.why)
    table.answer(gear)
    assert table.prompt.ask == "roll"
    assert table.prompt.undo.label in table.texts()
    table.tap(table.screen.band.undo)
    assert table.prompt.ask == "gear"
    table.tap(table.screen.band.more)
    table.audited()
    table.tap(table.screen.menu.keys["redo"])
    assert table.prompt.ask == "roll"


def test_a_done_step_of_the_trail_is_gone_back_to(table: Table) -> None:
    table.play(driver(), lambda asked: asked.ask == "roll")
    assert [step.state for step in table.prompt.trail][:2] == ["done", "now"]
    table.ui.tap(table.prompt.trail[0].label)
    assert table.prompt.ask == "gear"


def test_undo_held_leads_to_the_history_and_its_correction_comes_back(table: Table) -> None:
    table.play(driver(), lambda asked: asked.ask == "roll")
    table.hold(table.screen.band.undo)
    assert [visit.name for visit in table.app.visits] == ["home", "race", "history"]
    table.app.back()
    table.calm()
    assert table.prompt.ask == "roll"
    assert isinstance(table.app.screen, RaceScreen)


def test_what_costs_is_selected_and_its_card_accepted(table: Table) -> None:
    table.play(driver(), lambda asked: asked.ask == "landing")
    costly = next(key for key in table.prompt.keys if key.accept)
    n = table.prompt.n
    table.tap(table.reach(costly))
    assert table.prompt.n == n
    assert table.prompt.keys[table.prompt.chosen] == costly
    table.audited()
    table.tap(table.screen.lands)
    assert table.see(lambda desk: desk.history.items[n].event.answer) == costly.answer


def test_a_double_tap_answers_once(table: Table) -> None:
    n = table.prompt.n
    key = table.screen.band.keys[0]
    table.rig.wait(0.3)
    table.rig.tap(key)
    table.rig.tap(key)
    table.calm()
    assert table.see(lambda desk: desk.n) == n + 1
    assert table.app.toast.shown is None or table.app.toast.shown.tone != "bad"


# -- the referee's word


def test_a_held_answer_is_set_by_the_referees_word_with_a_reason(table: Table) -> None:
    table.play(driver(), lambda asked: asked.ask == "roll")
    n = table.prompt.n
    table.force(table.screen.band.keys[-1])
    assert table.controller.reason is not None
    table.audited()
    table.tap(table.screen.ask.cancel)
    assert table.prompt.n == n
    assert table.controller.reason is None
    table.force(table.screen.band.keys[-1])
    table.tap(table.screen.ask.keys[1])
    table.audited()
    table.screen.ask.writing.line.text = "Noor"
    table.screen.ask.writing.line.focus = False
    table.tap(table.screen.ask.done)
    item = table.see(lambda desk: desk.history.items[n])
    assert item.event.forced
    assert (item.by, item.why) == ("Noor", "Cocked die")
    assert table.app.kept.now.referee == "Noor"


def given_word(table: Table, reason: int) -> Any:
    """Gives a reason on the override sheet and signs it; the answer as it is in the history comes back."""
    n = table.prompt.n
    table.audited()
    table.tap(table.screen.ask.keys[reason])
    table.screen.ask.writing.line.text = "Noor"
    table.screen.ask.writing.line.focus = False
    table.tap(table.screen.ask.done)
    return table.see(lambda desk: desk.history.items[n])


def test_a_barred_gear_that_is_held_goes_in_by_the_referees_word(table: Table) -> None:
    table.play(driver(), lambda asked: asked.ask == "gear" and asked.round > 1)
    car, barred = table.prompt.plate, table.key("6", table.screen.band)
    assert car is not None
    n = table.prompt.n
    table.tap(barred)
    assert (table.prompt.n, table.controller.reason) == (n, None), "a tap only says why it is barred"
    assert table.app.toast.shown.text == "6: 1 gear up at most (Art. 6-1-1)"
    table.tap(table.app.toast.key)
    assert table.app.visits[-1].name == "rules"
    assert table.app.visits[-1].given["article"] == "6-1-1"
    table.app.back()
    table.calm()
    barred = table.key("6", table.screen.band)
    table.force(barred)
    assert table.controller.reason is not None
    assert "6th" in table.controller.reason.why.ask
    item = given_word(table, 2)
    assert (item.event.forced, item.event.answer) == (True, 6)
    assert (item.by, item.why) == ("Noor", "Table agrees")
    assert table.see(lambda desk: desk.rulebook.car(car.number).gear) == 6
    table.app.go("sheet", page="log", show="people")
    table.calm()
    assert "1 Ada Vidal takes 6th gear. (Table agrees)" in table.texts()


def test_a_space_out_of_reach_that_is_held_is_landed_on_by_the_referees_word(table: Table) -> None:
    table.play(driver(), lambda asked: asked.ask == "landing" and asked.round > 1)
    number = table.prompt.plate.number  # type: ignore[union-attr]
    taken = {car.space for car in table.shown.board.cars} | {key.space for key in table.prompt.keys}
    board: Any = table.screen.board.picture
    names = {board.space_at(x, board.center_y) for x in range(int(board.x) + 20, int(board.right) - 20, 12)}
    far = next(name for name in sorted(names - taken) if name and board.collide_point(*place_of(board, name)))
    x, y = place_of(board, far)
    ears.listen()
    table.rig.hold(x / theme.scale, (Window.height - y) / theme.scale)
    table.calm()
    table.tap(table.screen.legend.forced)
    assert table.controller.reason is not None
    assert [mark.space for mark in board.scene.spaces if mark.text == "?"] == [far]
    item = given_word(table, 0)
    assert (item.event.forced, item.event.answer) == (True, {"space": far})
    assert table.see(lambda desk: desk.rulebook.car(number).at) == far


def test_the_dashboard_held_leads_to_the_values_of_its_car(table: Table) -> None:
    number = table.shown.dashboard.plate.number  # type: ignore[union-attr]
    table.force(table.screen.dashboard)
    assert table.app.visits[-1].name == "override"
    assert table.app.visits[-1].given["car"] == number


def test_a_dispute_put_off_is_noted_of_its_own_answer_and_of_no_other(table: Table) -> None:
    table.play(driver(), lambda asked: asked.ask == "landing" and sum(bool(one.wear) for one in asked.options) > 1)
    doubted, other = [key for row in table.prompt.pages[0].rows for key in row.keys if key.accept and not row.risky][:2]
    for key, disputes in ((other, 0), (doubted, 1)):
        table.app.playing.seat.select(doubted.answer)  # type: ignore[union-attr]
        table.calm()
        disputed(table)
        table.tap(table.screen.ask.keys[2])  # later
        table.app.playing.seat.select(key.answer)  # type: ignore[union-attr]
        table.calm()
        assert (table.controller.marked(table.controller.card).tone == "info") == (key == doubted)  # type: ignore[arg-type]
        table.tap(table.screen.lands)
        assert table.see(lambda desk: len(desk.open_disputes())) == disputes
        table.tap(table.screen.band.undo)


def disputed(table: Table) -> None:
    """The ruling that the selected landing would bring is disputed, by the menu."""
    table.tap(table.key_of_more())
    table.tap(table.screen.menu.keys["dispute"])


def test_a_dispute_stops_the_clock_and_is_ended_by_a_word(table: Table) -> None:
    table.play(driver(), lambda asked: asked.ask == "landing")
    costly = next(key for row in table.prompt.pages[0].rows for key in row.keys if key.accept and not row.risky)
    table.app.playing.seat.select(costly.answer)  # type: ignore[union-attr]
    table.calm()
    disputed(table)
    assert table.screen.shot.time is not None
    assert table.screen.shot.time.paused
    table.audited()
    table.tap(table.screen.ask.keys[2])  # later
    assert not table.screen.shot.time.paused
    assert "1 disputed" in table.texts()
    table.audited()
    cited = table.controller.card.cited  # type: ignore[union-attr]
    table.tap(table.screen.lands)
    assert table.see(lambda desk: len(desk.open_disputes())) == 1
    assert "1 disputed" in table.texts()
    table.tap(table.key_of_more())
    table.tap(table.screen.menu.keys["dispute"])
    assert table.controller.reason is not None
    assert table.controller.reason.why.instead.startswith(f"{cited} · ")
    table.audited()
    table.tap(table.screen.ask.keys[0])  # uphold
    assert table.see(lambda desk: desk.open_disputes()) == []
    assert "1 disputed" not in table.texts()
    assert [one.outcome for one in table.see(lambda desk: desk.sheet().disputes)] == ["upheld"]


def test_an_open_dispute_is_decided_by_its_chip_and_asked_about_before_the_race_is_left(rig: Rig, folder: Path) -> None:
    made, by = Table.at_race(rig, folder, lambda: a_race(folder, OVAL, 2, laps=1), language="en"), driver(OVAL)
    try:
        skip(made, by, lambda asked: asked.ask == "gear" and asked.round > 1)
        made.ui.tap("More")
        made.ui.tap("Dispute")
        made.ui.type("Too far")
        made.ui.tap("Decide later")
        made.ui.tap("1 disputed")
        assert made.ui.sees("Disputed: what now?")
        made.ui.tap("Decide later")
        skip(made, by, lambda asked: False)
        made.calm()
        made.ui.tap("Uphold")
        made.calm()
        assert not made.ui.sees("1 disputed")
        assert made.ui.offers("Home")
    finally:
        made.close()


def test_a_note_is_written_from_the_menu(table: Table) -> None:
    table.tap(table.key_of_more())
    table.tap(table.screen.menu.keys["note"])
    table.audited()
    table.screen.words.line.line.text = "Rain in the room"
    table.tap(table.screen.words.keep)
    assert [note.text for note in table.see(lambda desk: desk.sheet().notes)] == ["Rain in the room"]
    assert table.controller.cover is None


# -- what else there is


def test_the_whole_order_and_the_circuit_are_opened_and_closed(table: Table) -> None:
    table.tap(table.screen.order)
    assert "Running order" in table.texts()
    table.audited()
    table.tap(table.screen.full_order.close)
    assert "Running order" not in table.texts()
    table.tap(table.key_of_more())
    table.tap(table.screen.menu.keys["overview"])
    assert table.screen.board.picture.scene.close == "overview"  # type: ignore[union-attr]
    table.audited()
    table.tap(table.screen.shut)
    assert table.screen.board.picture.scene.close == "roll"  # type: ignore[union-attr]


def test_the_circuit_is_seen_whole_whatever_is_asked_until_something_else_is(table: Table) -> None:
    by = driver()
    table.play(by, lambda asked: asked.ask == "test" and asked.what == "collision")
    assert table.controller.layout == "queue"
    table.emit(Choose("overview"))
    table.calm()
    table.audited()
    assert table.screen.board.height > 0.85 * table.screen.height
    table.tap(table.screen.shut)
    assert table.controller.layout == "queue"
    table.emit(Choose("overview"))
    asked = table.prompt
    table.app.playing.seat.answer(asked.n, asked.keys[-1].answer)  # type: ignore[union-attr]
    table.calm()
    assert table.controller.cover is None
    assert table.prompt.title in table.texts()


def test_the_article_of_a_card_is_read_and_come_back_from(table: Table) -> None:
    table.play(driver(), lambda asked: asked.ask == "gear" and any(option.wear for option in asked.options))
    costly = next(key for key in table.prompt.keys if key.accept)
    table.app.playing.seat.select(costly.answer)  # type: ignore[union-attr]
    table.calm()
    table.tap(table.screen.card.header)
    assert table.app.visits[-1].name == "rules"
    table.app.back()
    table.calm()
    assert table.controller.card is not None


def test_the_settings_are_a_key_of_the_race_and_it_goes_on_as_they_say(table: Table) -> None:
    n = table.prompt.n
    table.tap(table.key_of_more())
    table.audited()
    table.tap(table.screen.menu.keys["settings"])
    assert table.app.visits[-1].name == "settings"
    table.app.choose(language="fr")
    table.app.back()
    table.calm()
    assert "Annuler" in table.texts()
    assert table.prompt.n == n


def test_language_and_light_change_in_the_middle_of_a_race(table: Table) -> None:
    table.app.choose(language="fr", theme="daylight")
    table.calm()
    assert "Annuler" in table.texts()
    assert theme.look == "daylight"
    table.audited()
    key = next(key for key in table.prompt.keys if not key.why)
    table.answer(key)
    assert table.prompt.title.startswith("Lancez")


def test_a_race_goes_on_where_the_app_was_closed(rig: Rig, folder: Path) -> None:
    made = Table.at_race(rig, folder, lambda: a_race(folder))
    skip(made, driver(), lambda asked: asked.ask == "landing")
    before = made.prompt
    made.close()
    again = Table(rig, folder)
    try:
        again.until(lambda: "Resume" in again.texts())
        again.ui.tap("Resume")
        again.until(lambda: race_open(again.app))
        again.calm()
        assert (again.prompt.key, again.prompt.keys) == (before.key, before.keys)
    finally:
        again.close()


def test_a_screen_that_fails_comes_back_to_the_same_question(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    before, question = table.screen, table.prompt
    with monkeypatch.context() as broken:
        broken.setattr(RaceScreen, "arrange", lambda *_: 1 / 0)
        with pytest.raises(ZeroDivisionError) as failed:
            before.draw_now()
        assert table.app.failures.caught(failed.value)
    table.rig.wait(0.1)
    assert table.screen is not before
    assert table.screen.now is not None
    assert table.screen.now.prompt == question


# -- buttons and lights


def test_a_turn_is_played_with_the_buttons(table: Table) -> None:
    lights: list[str] = []
    table.app.playing.signals.listen(lights.append)
    screen = table.screen
    n = table.prompt.n
    screen.press("confirm")
    table.calm()
    assert table.prompt.n == n, "nothing is selected yet"
    screen.press("up")
    table.calm()
    assert table.prompt.chosen == 0
    assert screen.band.keys[0].face.chosen
    screen.press("last")
    screen.press("down")
    screen.press("first")
    screen.press("confirm")
    table.calm()
    assert table.prompt.ask == "roll"
    screen.press("undo")
    table.calm()
    assert table.prompt.n == n
    screen.press("pause")
    assert screen.shot.time is not None
    assert screen.shot.time.paused
    assert {"accepted", "waiting"} <= set(lights)
