"""The race on the screen, by real touches: whole races, ways back, the referee's word, and every moment audited."""

from __future__ import annotations

from pathlib import Path
from statistics import mean
from typing import Any

import pytest

from companion import circuits
from companion.desk import RaceDesk
from companion.drivers.chance import RandomDriver
from companion.screens.kit.theme import theme
from companion.screens.race.race import RaceScreen
from companion.sheets.entrants import RaceEntrant, remember
from tests.screens.rig import Rig
from tests.screens.table import Table, a_race, driver_on, race_open, skip
from tests.screens.test_new_race import go_on

OVAL = "indianapolis-oval"


# -- whole races


def test_a_whole_race_is_refereed_by_touch_from_home_to_the_classification(rig: Rig, folder: Path) -> None:
    """A new race of two on an oval: rules, circuit, drivers, grid, start, cars, and every question to the end."""
    remember(folder, [RaceEntrant(number=7, name="Ada Vidal"), RaceEntrant(number=22, name="Żółć", colour=4)])
    made = Table(rig, folder)
    by = driver_on(OVAL)
    try:
        ui = made.ui
        ui.wait_for("Begin a race?")
        ui.tap("A race")
        ui.tap("All the rest")
        ui.tap("Competition")
        go_on(ui)
        ui.tap(circuits.load(OVAL).name)
        for _ in range(2):
            ui.tap(icon="minus")
        go_on(ui)
        for name in ("Ada Vidal", "Żółć"):
            ui.tap(name)
        for _ in range(3):
            go_on(ui)
        made.until(lambda: race_open(made.app))
        made.calm()
        assert made.shown.top.laps == "1"
        screens = set()
        for _ in range(1000):
            asked = made.see(lambda desk: desk.asked)
            if asked is None:
                break
            screens.add(made.app.visits[-1].name)
            if made.app.visits[-1].name == "build":
                ui.tap(next(key for key in ("Preset", "Next", "Done") if ui.offers(key)))
            else:
                made.one(by)
        assert screens == {"build", "race"}
        assert ui.sees("The race is over", "Ada Vidal", "Żółć")
        made.audited()
        ui.tap("Home")
        assert [visit.name for visit in made.app.visits] == ["home"]
    finally:
        made.close()


def test_a_plain_turn_takes_three_taps_and_two_with_the_die_roller(at_race: Any) -> None:
    """Every turn of a gear, a roll and a space that was offered first, by touch, counted over a demo race."""
    made = at_race("monaco", 3)
    by = driver_on()
    skip(made, by, lambda asked: asked.ask == "gear")
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


LOOKS = [("dark", "en"), ("dark", "fr"), ("daylight", "fr"), ("daylight", "en")]


def test_many_moments_of_a_wild_race_pass_the_audit(panel: Rig, at_race: Any) -> None:
    """Blockings, tests, pit stops, retirements: each kind of moment is audited, in two looks and languages each."""
    made = at_race(many=6)
    by = RandomDriver(circuits.load("monaco"), 1)
    seen: set[object] = set()
    for _ in range(300):
        asked = made.see(lambda desk: desk.asked)
        if asked is None or len(seen) > 7:
            break
        kind = (asked.ask, len(made.prompt.keys) > 4, bool(made.shown.card))
        if made.app.visits[-1].name == "race" and kind not in seen:
            seen.add(kind)
            for look, lang in LOOKS[len(seen) % 2 :: 2]:
                made.app.choose(theme=look, language=lang)
                made.calm()
                made.audited()
        made.given(made.wanted(by))
        made.app.playing.seat.speak("en")  # type: ignore[union-attr]
        made.calm()
    assert len(seen) > 6


# -- ways back


def test_undo_says_what_it_takes_back_and_redo_gives_it_again(table: Table) -> None:
    gear = next(key for key in table.prompt.keys if not key.why)
    table.answer(gear)
    assert table.prompt.ask == "roll"
    table.touch(table.prompt.undo.label)
    assert table.prompt.ask == "gear"
    table.touch("More")
    table.audited()
    table.touch("Redo")
    assert table.prompt.ask == "roll"


def test_redo_says_the_last_of_several_answers(at_race: Any) -> None:
    """Those of the roller, too, which come back with a person's."""
    table = at_race("monaco", until=lambda asked: asked.ask == "gear" and asked.round > 1)
    table.answer(next(key for key in table.prompt.keys if not key.why))
    face = table.see(lambda desk: desk.asked.faces[0])
    table.see(lambda desk: desk.answer(face, by="roller"))
    table.calm()
    for key in ("Undo", "More", "Redo"):
        table.touch(key)
    assert table.ui.sees(f"Given again: 2 answers, as far as “gear die of {table.see(_last_car)}: {face}”")


def _last_car(desk: RaceDesk) -> str:
    done = desk.answers()[-1]
    return f"{done.car} {desk.rulebook.car(done.car).driver}"


def test_a_done_step_of_the_trail_is_gone_back_to(at_race: Any) -> None:
    table = at_race("spa", until=lambda asked: asked.ask == "saw" and asked.round > 1)
    assert [step.state for step in table.prompt.trail][:3] == ["done", "done", "now"]
    table.ui.tap(table.prompt.trail[0].label)
    assert table.prompt.ask == "gear"


def test_undo_held_leads_to_the_history_and_its_correction_comes_back(table: Table) -> None:
    table.play(driver_on(), lambda asked: asked.ask == "roll")
    table.ui.hold("Undo")
    assert [visit.name for visit in table.app.visits] == ["home", "race", "history"]
    table.app.back()
    table.calm()
    assert (table.prompt.ask, table.app.visits[-1].name) == ("roll", "race")


def test_what_costs_is_selected_and_its_card_accepted(table: Table) -> None:
    table.play(driver_on(), lambda asked: asked.ask == "landing")
    costly = next(key for key in table.prompt.keys if key.accept)
    n = table.prompt.n
    table.choose(costly)
    assert table.prompt.n == n
    assert table.prompt.keys[table.prompt.chosen] == costly
    table.audited()
    table.touch("Accept")
    assert table.see(lambda desk: desk.history.items[n].event.answer) == costly.answer


def test_a_double_tap_answers_once(table: Table) -> None:
    n = table.prompt.n
    place = table.ui.where("1")
    table.rig.wait(0.3)
    table.rig.tap(*place)
    table.rig.tap(*place)
    table.calm()
    assert table.see(lambda desk: desk.n) == n + 1
    assert not table.ui.sees("already")


# -- the referee's word


def test_a_held_answer_is_set_by_the_referees_word_with_a_reason(table: Table) -> None:
    table.play(driver_on(), lambda asked: asked.ask == "roll")
    n, ui = table.prompt.n, table.ui
    table.force("4")
    assert ui.sees("Roll 4: why?")
    table.audited()
    table.touch("Cancel")
    assert table.prompt.n == n
    assert not ui.sees("why?")
    table.force("4")
    item = given_word(table, "Cocked die")
    assert (item.by, item.why) == ("Noor", "Cocked die")
    assert table.app.kept.now.referee == "Noor"


def given_word(table: Table, reason: str) -> Any:
    """Give a reason on the override sheet and sign it; return the answer as it is in the history, which is forced."""
    n = table.prompt.n
    table.audited()
    table.sign(reason, "Noor")
    item = table.see(lambda desk: desk.history.items[n])
    assert item.event.forced
    return item


def test_a_barred_gear_that_is_held_goes_in_by_the_referees_word(table: Table) -> None:
    table.play(driver_on(), lambda asked: asked.ask == "gear" and asked.round > 1)
    car, n, ui = table.prompt.plate, table.prompt.n, table.ui
    assert car is not None
    table.touch("6", below="Choose a gear")
    assert ui.sees("6: 1 gear up at most (Art. 6-1-1)"), "a tap only says why it is barred"
    assert (table.prompt.n, ui.sees("why?")) == (n, False)
    table.touch("Rule")
    assert table.app.visits[-1].name == "rules"
    assert table.app.visits[-1].given["article"] == "6-1-1"
    table.app.back()
    table.calm()
    table.force("6", below="Choose a gear")
    assert ui.sees("6th gear: why?")
    item = given_word(table, "Table agrees")
    assert (item.event.answer, item.by, item.why) == (6, "Noor", "Table agrees")
    assert table.see(lambda desk: desk.rulebook.car(car.number).gear) == 6
    table.app.go("sheet", page="log", show="people")
    table.calm()
    assert ui.sees("1 Ada Vidal takes 6th gear. (Table agrees)")


def test_a_space_out_of_reach_that_is_held_is_landed_on_by_the_referees_word(table: Table) -> None:
    table.play(driver_on(), lambda asked: asked.ask == "landing" and asked.round > 1)
    number = table.prompt.plate.number  # type: ignore[union-attr]
    taken = {car.space for car in table.shown.board.cars} | {key.space for key in table.prompt.keys}
    far = next(name for name in table.ui.spaces() if name not in taken)
    table.force(space=far)
    assert table.ui.sees("why?")
    assert table.ui.is_marked(far, "?")
    item = given_word(table, "Misread")
    assert item.event.answer == {"space": far}
    assert table.see(lambda desk: desk.rulebook.car(number).at) == far


def test_the_dashboard_held_leads_to_the_values_of_its_car(table: Table) -> None:
    number = table.shown.dashboard.plate.number  # type: ignore[union-attr]
    table.force("P1")
    assert table.app.visits[-1].name == "override"
    assert table.app.visits[-1].given["car"] == number


def test_a_dispute_put_off_is_noted_of_its_own_answer_and_of_no_other(table: Table) -> None:
    table.play(driver_on(), lambda asked: asked.ask == "landing" and sum(bool(one.wear) for one in asked.options) > 1)
    doubted, other = [key for row in table.prompt.pages[0].rows for key in row.keys if key.accept and not row.risky][:2]
    for key, disputes in ((other, 0), (doubted, 1)):
        table.app.playing.seat.select(doubted.answer)  # type: ignore[union-attr]
        table.calm()
        table.menu("dispute")
        table.touch("Decide later")
        table.app.playing.seat.select(key.answer)  # type: ignore[union-attr]
        table.calm()
        table.touch("Accept")
        assert table.see(lambda desk: len(desk.open_disputes())) == disputes
        table.touch("Undo")


def test_a_dispute_of_a_race_that_is_over_is_decided_beneath_the_classification(at_race: Any, language: str) -> None:
    table = at_race(many=2, until=lambda asked: False, app={"language": language})
    ui = table.ui
    assert ui.sees(theme.words.screen("race.result"))
    assert table.app.playing.seat is not None
    table.app.playing.seat.dispute("the finish")
    table.calm()
    mark = theme.words.screen("top.disputed", count=1)
    assert ui.sees(theme.words.screen("race.provisional", disputed=mark))
    ui.audit_both()
    ui.tap(mark)
    assert ui.sees(theme.words.screen("dispute.ask"), "10 pt")
    ui.audit_both()
    ui.tap(theme.words.screen("dispute.uphold.label"))
    assert ui.sees(theme.words.screen("race.result"))


def test_a_dispute_stops_the_clock_and_is_ended_by_a_word(table: Table) -> None:
    ui = table.ui
    table.play(driver_on(), lambda asked: asked.ask == "landing")
    costly = next(key for row in table.prompt.pages[0].rows for key in row.keys if key.accept and not row.risky)
    table.app.playing.seat.select(costly.answer)  # type: ignore[union-attr]
    table.calm()
    table.menu("dispute")
    before = ui.text()
    table.rig.wait(2.1)
    assert ui.text() == before, "the clock stands still"
    table.audited()
    table.touch("Decide later")
    before = ui.text()
    table.rig.wait(2.1)
    assert ui.text() != before
    assert ui.sees("1 disputed")
    table.audited()
    cited = table.shown.card.cited  # type: ignore[union-attr]
    table.touch("Accept")
    assert table.see(lambda desk: len(desk.open_disputes())) == 1
    assert ui.sees("1 disputed")
    table.menu("dispute")
    assert ui.sees(f"{cited} · ")
    table.audited()
    table.touch("Uphold")
    assert table.see(lambda desk: desk.open_disputes()) == []
    assert not ui.sees("1 disputed")
    assert [one.outcome for one in table.see(lambda desk: desk.sheet().disputes)] == ["upheld"]


def test_an_open_dispute_is_decided_by_its_chip_and_asked_about_before_the_race_is_left(at_race: Any) -> None:
    made, by = at_race(OVAL, 2, laps=1, app={"language": "en"}), driver_on(OVAL)
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


def test_a_note_is_written_from_the_menu(table: Table) -> None:
    table.menu("note")
    table.audited()
    table.ui.type("Rain in the room")
    assert [note.text for note in table.see(lambda desk: desk.sheet().notes)] == ["Rain in the room"]
    assert table.ui.sees(table.prompt.title)


# -- what else there is


def test_the_whole_order_and_the_circuit_are_opened_and_closed(table: Table) -> None:
    ui = table.ui
    table.touch("Whole order")
    assert ui.sees("Running order")
    table.audited()
    table.touch("Close")
    assert not ui.sees("Running order")
    table.menu("overview")
    assert not ui.sees(table.prompt.title)
    table.audited()
    table.touch("Close")
    assert ui.sees(table.prompt.title)


def test_the_circuit_is_seen_whole_whatever_is_asked_until_something_else_is(table: Table) -> None:
    ui = table.ui
    table.play(driver_on(), lambda asked: asked.ask == "test" and asked.what == "collision")
    question = table.prompt.title
    table.menu("overview")
    table.audited()
    assert len(ui.spaces()) > 0.8 * len(circuits.load("monaco").ids), "nearly all of it"
    table.touch("Close")
    assert ui.sees(question)
    table.menu("overview")
    asked = table.prompt
    table.app.playing.seat.answer(asked.n, asked.keys[-1].answer)  # type: ignore[union-attr]
    table.calm()
    assert ui.sees(table.prompt.title)


def test_the_article_of_a_card_is_read_and_come_back_from(table: Table) -> None:
    table.play(driver_on(), lambda asked: asked.ask == "gear" and any(option.wear for option in asked.options))
    costly = next(key for key in table.prompt.keys if key.accept)
    table.app.playing.seat.select(costly.answer)  # type: ignore[union-attr]
    table.calm()
    table.touch(table.shown.card.cited)  # type: ignore[union-attr]
    assert table.app.visits[-1].name == "rules"
    table.app.back()
    table.calm()
    assert table.ui.offers("Accept")


def test_the_settings_are_a_key_of_the_race_and_it_goes_on_as_they_say(table: Table) -> None:
    n = table.prompt.n
    table.menu("settings")
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
    skip(made, driver_on(), lambda asked: asked.ask == "landing")
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
    question = table.prompt.title
    with monkeypatch.context() as broken:
        broken.setattr(RaceScreen, "arrange", lambda *_: 1 / 0)
        with pytest.raises(ZeroDivisionError) as failed:
            table.touch("Whole order")
        assert table.app.failures.caught(failed.value)
    table.rig.wait(0.1)
    assert table.ui.sees(question)
    assert not table.ui.sees("Running order"), "it was made anew"


# -- buttons and lights


def test_a_turn_is_played_with_the_buttons(table: Table) -> None:
    lights: list[str] = []
    table.app.playing.signals.listen(lights.append)
    n, ui = table.prompt.n, table.ui

    def press(*names: str) -> None:
        for name in names:
            table.app.press(name)
        table.calm()

    press("confirm")
    assert table.prompt.n == n, "nothing is selected yet"
    press("up")
    assert table.prompt.chosen == 0
    assert ui.is_chosen(table.prompt.keys[0].label)
    press("last", "down", "first", "confirm")
    assert table.prompt.ask == "roll"
    press("undo")
    assert table.prompt.n == n
    press("pause")
    before = ui.text()
    table.rig.wait(2.1)
    assert ui.text() == before, "the clock stands still"
    assert {"accepted", "waiting"} <= set(lights)
