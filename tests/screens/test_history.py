"""Going back, correcting and the referee's word, by touch."""

from __future__ import annotations

import os
from collections.abc import Callable
from copy import deepcopy
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import pytest

from companion import circuits
from companion.desk import RaceDesk
from companion.drivers.sensible import HeuristicDriver
from companion.rules.conversation.asking import Json
from companion.rules.conversation.errors import CompanionError
from companion.rules.rulebooks import RULEBOOKS, begin
from companion.screens.app.settings import SettingsFile
from companion.screens.app.signing import Signing
from companion.screens.kit.rows import Rows
from companion.screens.kit.theme import theme
from companion.screens.pages.history import HistoryScreen
from companion.screens.pages.override import OverrideScreen
from companion.screens.race.ask_band import HIGH, AskBand
from companion.view.pages import history
from companion.view.pages.override import Why, changed, dispute
from companion.view.setup.places import parts
from companion.wording import LANGUAGES
from tests.rules.competition.test_corrections import flat_out, rolled
from tests.screens.audit import audit, in_both_looks
from tests.screens.rig import Rig, field_of
from tests.screens.stand import Stand
from tests.screens.test_new_race import touch_row

NAMES = ("Ada", "", "Александр Константинопольск", "Żółć Çağ Ñandú-Überfluß", "山田太郎", "W" * 30)


def race(cars: int, answers: int, track: str = "monaco") -> Callable[[], RaceDesk]:
    board = circuits.load(track)
    setup = {"track": track, "cars": [{"car": n * 4, "driver": NAMES[(n - 1) % 6]} for n in range(1, cars + 1)]}

    def make() -> RaceDesk:
        desk, driver = RaceDesk(begin(setup, board), setup=setup), HeuristicDriver(board, 4)
        while desk.asked is not None and desk.n < answers:
            by = "roller" if desk.asked.faces is not None and desk.n % 2 else "table"
            desk.answer(driver.answer(desk.asked, desk.rulebook.race), by=by)
        return desk

    return make


def made(stand: Stand) -> RaceDesk:
    assert stand.made is not None
    return stand.made


def tap(stand: Stand, key: str) -> None:
    """Tap a key of the history."""
    stand.ui.tap(theme.words.screen(f"history.{key}"))


def reason(stand: Stand, name: str) -> None:
    """Tap a reason of the band."""
    stand.ui.tap(theme.words.screen(f"override.{name}.label"))


def asks(stand: Stand, key: str) -> bool:
    """Return whether the history asks that."""
    return stand.ui.sees(theme.words.screen(f"history.{key}"))


def consequences(screen: Any) -> Rows:
    """Return the list of what a correction changes."""
    return next(one for one in screen.walk() if isinstance(one, Rows) and one is not screen.answers)


def place_of(screen: Any, n: int) -> int:
    return next(place for place, row in enumerate(screen.rows) if row.n == n)


def test_an_answer_is_gone_back_to(stand: Stand) -> None:
    stand.sit(race(3, 60))
    screen = stand.show(HistoryScreen)
    n = next(done.n for done in made(stand).answers() if done.n > 40 and done.by == "table")
    touch_row(stand, screen.answers, place_of(screen, n))
    assert screen.row.n == n
    tap(stand, "go_back")
    assert made(stand).n == n
    assert stand.asked[-1][0] == "back"
    assert screen.row is None


def test_a_misread_die_two_turns_ago_is_mended(stand: Stand) -> None:
    stand.sit(race(3, 90))
    screen = stand.show(HistoryScreen)
    rolls = [done for done in made(stand).answers() if done.ask == "roll"]
    touch_row(stand, screen.answers, place_of(screen, rolls[-3].n))
    tap(stand, "correct_key")
    before = made(stand).conversation.digest
    pick_other(stand, screen)
    assert asks(stand, "changes")
    assert made(stand).conversation.digest == before
    tap(stand, "replay")
    (correction,) = made(stand).sheet().corrections
    assert correction.n == rolls[-3].n
    assert correction.answer == screen.app.made.history.items[rolls[-3].n].event.answer
    stand.ui.tap(theme.say("undo"))
    assert made(stand).sheet().corrections == []


def test_a_way_back_leads_step_by_step_out(stand: Stand) -> None:
    stand.sit(race(3, 60))
    screen = stand.show(HistoryScreen)
    n = next(done.n for done in made(stand).answers() if done.ask == "landing")
    touch_row(stand, screen.answers, place_of(screen, n))
    tap(stand, "correct_key")
    assert len(screen.alternatives.shown) > 1
    touch_row(stand, screen.alternatives, 1)
    assert asks(stand, "changes")
    for asked in ("instead", "correct"):
        assert screen.back()
        stand.calm()
        assert asks(stand, asked)
    assert not screen.back()


def test_a_car_that_was_built_wrong_is_built_anew(stand: Stand) -> None:
    stand.sit(race(2, 60))
    screen = stand.show(HistoryScreen)
    build = next(done for done in made(stand).answers() if done.ask == "setup")
    touch_row(stand, screen.answers, place_of(screen, build.n))
    tap(stand, "correct_key")
    assert screen.form.values() == build.answer
    stand.ui.tap(icon="minus", beside="Engine")
    stand.ui.tap(icon="plus", beside="Tyres")
    stand.ui.tap(theme.say("done"))
    assert [stand.ui.offers(theme.words.screen(f"history.{way}")) for way in ("replay", "board")] == [True, True]
    assert screen.back()
    stand.calm()
    assert screen.form.values()["tyres"] == build.answer["tyres"] + 1
    stand.ui.tap(theme.say("done"))
    tap(stand, "board")
    (correction,) = made(stand).sheet().corrections
    assert correction.answer == {
        **build.answer,
        "engine": build.answer["engine"] - 1,
        "tyres": build.answer["tyres"] + 1,
    }


def test_with_the_board_as_it_stands_it_is_asked_what_is_asked_beside(stand: Stand) -> None:
    stand.sit(race(3, 90))
    screen = stand.show(HistoryScreen)
    n, answer = next(
        (done.n, face)
        for done in made(stand).answers()
        if done.ask == "roll"
        for face in faces_at(made(stand), done.n)
        if face != done.answer and stands_but_asks(made(stand), done.n, face)
    )
    touch_row(stand, screen.answers, place_of(screen, n))
    tap(stand, "correct_key")
    stand.ui.tap(str(answer))
    tap(stand, "board")
    assert asks(stand, "beside")
    assert made(stand).sheet().corrections == []
    offered = [pick.answer for pick in screen.picks.listed]
    assert screen.back()
    stand.calm()
    assert not asks(stand, "beside")
    tap(stand, "board")
    touch_row(stand, screen.alternatives, len(offered) - 1)
    assert screen.trial.beside is None
    before = [car.at for car in made(stand).rulebook.race.cars]
    tap(stand, "board")
    (correction,) = made(stand).sheet().corrections
    assert correction.answer == answer
    assert screen.app.made.history.done[-1].then == [offered[-1]]
    assert [car.at for car in made(stand).rulebook.race.cars] == before


def a_20() -> RaceDesk:
    """A 20 whose engine tests have all cost a point, and one car its engine; the names are as long as names are."""
    desk = flat_out(20, ("Александр Константинопольск", "W" * 24, "Żółć Çağ Ñandú-Überfluß"))
    rolled(desk, 2)
    return desk


def test_what_a_correction_changes_is_said_by_name_and_whole(panel: Rig, language: str, tmp_path: Path) -> None:
    theme.language = language
    stand = Stand(panel, tmp_path)
    stand.sit(a_20)
    screen = stand.show(HistoryScreen)
    touch_row(stand, screen.answers, place_of(screen, 1))
    tap(stand, "correct_key")
    stand.ui.tap("18")
    rows = consequences(screen).shown
    trial = screen.trial
    whole = [*(change.text for change in trial.changes), *(line.text for lines in trial.lines for line in lines)]
    said = [row.text for row in rows if row.kind != "head"]
    assert "".join("".join(said).split()) == "".join("".join(whole).split())  # nothing is cut
    names = [way.label for way in trial.ways]
    assert " ".join(row.name for row in rows).split() == " ".join(names).split()
    engine = theme.words.word("pool", "engine")
    colon = theme.words.say("colon")
    worn = {change.text: change.points for change in trial.changes if change.points is not None}
    assert worn[f"1 Александр Константинопольск{colon}{engine}"][1:] == (2, 3)
    assert worn[f"2 {'W' * 24}{colon}{engine}"][1:] == (0, 1)
    assert [row.points for row in rows if row.points] == list(worn.values())
    racing, coasting = (theme.words.word("status", status) for status in ("racing", "coasting"))
    assert f"2 {'W' * 24}{colon}{coasting} → {racing}" in whole
    assert trial.faces == ("20", "18")
    asked = {"en": "Correct 20 to 18?", "fr": "Corriger 20 en 18 ?"}[language]
    drawn = [mark.text for mark in screen.marks if mark.kind == "text"]
    assert trial.title == asked
    assert {"20", "18"} <= set(drawn)
    assert " ".join(asked.split()) in " ".join(" ".join(drawn).split())
    assert in_both_looks(screen) == []
    consequences(screen).scroll_y = 0
    stand.calm()
    assert in_both_looks(screen) == []
    if "PICTURES" in os.environ:
        for look, place in (("dark", 1), ("daylight", 0)):
            theme.look, consequences(screen).scroll_y = look, place
            stand.calm()
            panel.screenshot(Path(os.environ["PICTURES"]) / f"correction-{theme.scale}-{language}-{place}.png")
    stand.close()


def test_where_nothing_changes_there_is_one_key(panel: Rig, language: str, tmp_path: Path) -> None:
    """An engine test that fails with a 1 as it did with a 2: either way comes to the same."""
    theme.language = language
    stand = Stand(panel, tmp_path)
    stand.sit(a_20)
    before = deepcopy(made(stand).rulebook.race)
    n = next(done.n for done in made(stand).answers() if done.ask == "test")
    screen = stand.show(HistoryScreen)
    for face, keys in ((20, 2), (1, 1)):  # with a 20 it had passed
        touch_row(stand, screen.answers, place_of(screen, n))
        tap(stand, "correct_key")
        stand.ui.tap(str(face))
        assert len(screen.trial.ways) == keys
        assert all(stand.ui.offers(way.label) for way in screen.trial.ways)
        assert in_both_looks(screen) == []
        said = [row.text for row in consequences(screen).shown]
        nothing = {"en": "Nothing changes", "fr": "Rien ne change"}[language]
        assert (nothing in said) == (screen.trial.note == nothing) == (keys == 1)
        assert (theme.words.screen("history.two_ways") in said) == (keys == 2)
        if keys == 2:
            touch_row(stand, screen.answers, place_of(screen, n))
    if "PICTURES" in os.environ:
        panel.screenshot(Path(os.environ["PICTURES"]) / f"no-change-{theme.scale}-{language}.png")
    tap(stand, "correct_key")
    (correction,) = made(stand).sheet().corrections
    assert (correction.n, correction.answer) == (n, 1)
    assert made(stand).rulebook.race == before
    stand.close()


def faces_at(desk: RaceDesk, n: int) -> list[int]:
    """The faces of the die that answer `n` was read from."""
    asked = history.asked_at(desk, n)
    assert asked is not None
    return asked.faces or []


def stands_but_asks(desk: RaceDesk, n: int, answer: Json) -> bool:
    """Whether the board can stand if answer `n` was another, and then something is asked."""
    try:
        return desk.try_correction(n, answer, keep="board").asks is not None
    except CompanionError:
        return False


def test_what_the_referee_set_cannot_be_corrected_but_gone_back_to(stand: Stand) -> None:
    seat = stand.sit(race(2, 40))
    seat.override({"car": 4, "gear": 2}, by="Ada", why="a slip")
    stand.calm()
    screen = stand.show(HistoryScreen)
    touch_row(stand, screen.answers, 0)
    assert not stand.ui.offers(theme.words.screen("history.correct_key"))
    tap(stand, "go_back")
    assert made(stand).sheet().overrides == []


def test_points_and_gear_are_set_with_a_reason(stand: Stand) -> None:
    stand.sit(race(3, 60))
    screen = stand.show(OverrideScreen, car=8)
    assert not stand.ui.offers(theme.words.screen("override.set_key"))
    before = made(stand).rulebook.race.cars[1].wear["tyres"]
    stand.tap(screen.list.steps.made["wear.tyres", "minus"])
    stand.ui.tap(theme.words.screen("override.set_key"))
    assert screen.why is not None
    assert made(stand).sheet().overrides == []
    reason(stand, "agreed")
    signed(stand, screen, "Noor")
    (word,) = made(stand).sheet().overrides
    assert (word.by, word.why) == ("Noor", theme.words.screen("override.agreed.label"))
    assert made(stand).rulebook.race.cars[1].wear["tyres"] == before - 1


@pytest.mark.article("formula-d", "variant.top", "variant.boosters")
def test_used_allowances_are_seen_and_set_as_far_as_the_rules_go(stand: Stand) -> None:
    built = {"tyres": 3, "brakes": 3, "gearbox": 3, "body": 3, "engine": 3, "handling": 2}
    place = {"lap": 2, "gear": 3, "wear": built, "built": built}
    cars = [{"car": 4, "at": "2:left:5", "bought": 3, "uses": ["boosters:1"], **place}]
    setup = {"rulebook": "formula-d", "track": "monaco", "cars": cars, "to_play": [4], "laps": 2}
    setup["options"] = {"top": True, "boosters": True}
    stand.sit(lambda: RaceDesk(begin(setup, circuits.load("monaco")), setup=setup))
    screen = stand.show(OverrideScreen, car=4)
    shown = {field.name: (field.label, field.value, field.low, field.high) for field in screen.values.fields}
    say, boosters = theme.words.say, theme.words.word("allowance", "boosters")
    assert shown["uses.boosters:1"] == (say("used_in_lap", what=boosters, lap=1), 1, 0, 2)
    assert shown["uses.top:2"][1:] == (0, 0, 1)
    assert shown["bought"][1:] == (3, 1, 5)
    for name in ("uses.top:2", "uses.boosters:2", "bought"):
        screen.scroll.scroll_to(screen.list.steps.made[name, "plus"], animate=False)
        stand.calm()
        stand.tap(screen.list.steps.made[name, "plus"])
    stand.ui.tap(theme.words.screen("override.set_key"))
    reason(stand, "agreed")
    signed(stand, screen, "Noor")
    car = made(stand).rulebook.race.cars[0]
    assert (car.uses, car.bought, car.wear["tyres"], car.built["tyres"]) == (
        ["boosters:1", "top:2", "boosters:2"], 4, 2, 2,
    )  # fmt: skip


@pytest.mark.parametrize("book", list(RULEBOOKS))
@pytest.mark.parametrize("answers", [45, 150])
def test_no_stepper_and_no_key_offers_what_the_rules_refuse(stand: Stand, book: str, answers: int) -> None:
    """Each value of a field alone, as far as a finger on + or - goes."""
    key = "saltmarsh" if book == "ninety" else "monaco"
    track = circuits.board(key)

    def driven() -> RaceDesk:
        setup = {"rulebook": book, "track": key, "cars": [{"car": 4}, {"car": 8}, {"car": 9}]}
        setup |= {"deck": 7} if book == "ninety" else {}
        desk, driver = RaceDesk(begin(setup, track), setup=setup), HeuristicDriver(track, 4)
        for _ in range(answers):
            if desk.asked is not None:
                desk.answer(driver.answer(desk.asked, desk.rulebook.race), n=desk.asked.n)
        return desk

    stand.sit(driven)
    for car in (4, 9):
        screen = stand.show(OverrideScreen, car=car)
        steps = [field for field in screen.values.fields if field.kind == "stepper"]
        assert steps
        for field in screen.values.fields:
            offered = range(field.low, field.high + 1) if field in steps else [one.answer for one in field.keys]
            for value in offered if field.kind in ("stepper", "choice") else ():
                if change := changed(screen.values, {field.name: value}, car):
                    made(stand).rulebook.clone().override(change)
        field = max((one for one in steps if not one.icon), key=lambda one: one.high - one.value)
        screen.scroll.scroll_to(screen.list.steps.made[field.name, "plus"], animate=False)
        for _ in range(min(field.high - field.value + 1, 6)):
            stand.tap(screen.list.steps.made[field.name, "plus"])
        if stand.ui.offers(theme.words.screen("override.set_key")):
            stand.ui.tap(theme.words.screen("override.set_key"))
            reason(stand, "agreed")
            if not stand.signing.name:
                signed(stand, screen, "Noor")
            assert made(stand).sheet().overrides[-1].change["car"] == car
    assert stand.told == []


def test_another_reason_is_written(stand: Stand) -> None:
    stand.sit(race(2, 60))
    screen = stand.show(OverrideScreen)
    fields = {field.name: field for field in screen.values.fields}
    other = next(place for place, key in enumerate(fields["surface"].keys) if key.answer != fields["surface"].value)
    stand.ui.tap(fields["surface"].keys[other].label, beside=fields["surface"].label)
    stand.ui.tap(theme.words.screen("override.set_key"))
    reason(stand, "other")
    signed(stand, screen, "the sprinkler")
    signed(stand, screen, "Noor")
    (word,) = made(stand).sheet().overrides
    assert word.why == "the sprinkler"
    assert word.change == {"surface": fields["surface"].keys[other].answer}


def signed(stand: Stand, screen: Any, text: str) -> None:
    """Writes what the band asks for."""
    screen.band.writing.line.text = text
    screen.band.writing.line.focus = False
    stand.rig.settle()
    stand.ui.tap(theme.words.screen("keys.done"))


def test_who_signs_is_asked_once_a_race_and_offered_in_the_next(stand: Stand) -> None:
    stand.sit(race(2, 60))
    for first, step in ((True, "minus"), (False, "plus")):
        screen = stand.show(OverrideScreen, car=4)
        stand.tap(screen.list.steps.made["wear.tyres", step])
        stand.ui.tap(theme.words.screen("override.set_key"))
        reason(stand, "misread")
        if first:
            assert made(stand).sheet().overrides == []
            signed(stand, screen, "  ")
            assert made(stand).sheet().overrides == []
            signed(stand, screen, "Noor  Çelik")
    assert [word.by for word in made(stand).sheet().overrides] == ["Noor Çelik", "Noor Çelik"]
    stand.signing = Signing(SettingsFile(stand.folder))
    screen = stand.show(OverrideScreen, car=4)
    stand.tap(screen.list.steps.made["wear.tyres", "minus"])
    stand.ui.tap(theme.words.screen("override.set_key"))
    reason(stand, "misread")
    assert screen.band.writing.value == "Noor Çelik"
    screen.band.writing.line.focus = False
    stand.ui.tap(theme.words.screen("keys.cancel"))
    stand.ui.tap(theme.words.screen("keys.cancel"))
    assert len(made(stand).sheet().overrides) == 2


def test_a_place_is_stepped_to_and_never_written(stand: Stand) -> None:
    stand.sit(race(2, 60))
    screen = stand.show(OverrideScreen, car=4)
    place = field_of(screen, "at")
    was = made(stand).rulebook.car(4).at
    screen.scroll.scroll_to(place, padding=8, animate=False)
    stand.calm()
    stand.tap(place.made[0, "plus"])
    assert screen.change == {"car": 4, "at": place.value}
    assert parts(place.value)[0] != parts(was)[0]
    stand.ui.tap(theme.words.screen("override.set_key"))
    reason(stand, "agreed")
    signed(stand, screen, "Noor")
    assert made(stand).rulebook.car(4).at == place.value


def test_danger_spaces_are_added_and_taken_out(stand: Stand) -> None:
    stand.sit(race(2, 60))
    screen = stand.show(OverrideScreen)
    dangers = field_of(screen, "dangers")
    screen.scroll.scroll_y = 0
    stand.calm()
    stand.tap(dangers.place.made[0, "plus"])
    stand.tap(dangers.add)
    screen.scroll.scroll_y = 0
    stand.calm()
    stand.tap(dangers.place.made[2, "plus"])
    stand.tap(dangers.add)
    assert screen.change == {"dangers": dangers.value}
    assert len(dangers.value) == 2
    screen.scroll.scroll_y = 0
    stand.calm()
    stand.tap(dangers.keys[dangers.value[0]])
    assert len(screen.change["dangers"]) == 1


def test_only_what_the_rules_accept_is_offered(stand: Stand) -> None:
    seat = stand.sit(race(2, 60))
    screen = stand.show(OverrideScreen, car=4)
    status = next(field for field in screen.values.fields if field.name == "status")
    assert {key.answer for key in status.keys} == {"racing", "stalled", "spun", "wreck", "out"}
    for key in status.keys:
        seat.override({"car": 4, "status": key.answer}, by="Noor", why="a try")
    stand.calm()
    assert [word.change["status"] for word in made(stand).sheet().overrides] == [key.answer for key in status.keys]


def test_an_override_is_dropped_by_cancel(stand: Stand) -> None:
    stand.sit(race(2, 60))
    screen = stand.show(OverrideScreen, car=4)
    stand.ui.tap(icon="minus", beside="Tyres")
    stand.ui.tap(theme.words.screen("override.set_key"))
    stand.ui.tap(theme.words.screen("keys.cancel"))
    assert screen.why is None
    stand.ui.tap(theme.words.screen("keys.cancel"))
    assert stand.asked[-1][0] == "back"
    assert made(stand).sheet().overrides == []


def test_the_order_is_set_by_touching_cars(stand: Stand) -> None:
    stand.sit(race(4, 80))
    screen = stand.show(OverrideScreen)
    screen.scroll.scroll_y = 0
    stand.calm()
    order = next(field for field in screen.values.fields if field.name == "order")
    first, *others = order.value
    for _ in range(2):
        stand.ui.tap(str(first), beside=order.label)
    assert screen.change == {"order": [*others, first]}


@pytest.mark.parametrize("cars", [1, 20])
def test_history_and_override_pass_the_audit(panel: Rig, tmp_path: Path, cars: int) -> None:
    stand = Stand(panel, tmp_path)
    seat = stand.sit(race(cars, 14 * cars, "spa"))
    for language in LANGUAGES:
        theme.language = language
        seat.speak(language)
        stand.calm()
        everything_is_well(stand, panel)
    stand.close()


def everything_is_well(stand: Stand, panel: Rig) -> None:
    """Going back, correcting and the referee's word, in both looks."""
    screen: Any = stand.show(HistoryScreen)
    assert in_both_looks(screen) == []
    for ask in ("roll", "setup", "saw", "tyres"):
        done = [done for done in made(stand).answers() if done.ask == ask][:1]
        for one in done:
            touch_row(stand, screen.answers, place_of(screen, one.n))
            assert in_both_looks(screen) == []
            tap(stand, "correct_key")
            assert in_both_looks(screen) == []
            if screen.picks.form is not None:
                stand.ui.tap(theme.say("done"))
            elif screen.picks.faces:
                stand.ui.tap(screen.picks.faces[1].label)
            else:
                touch_row(stand, screen.alternatives, 1)
            assert asks(stand, "changes")
            assert in_both_looks(screen) == []
    for car in (4, None):
        screen = stand.show(OverrideScreen, car=car)
        assert in_both_looks(screen) == []
        screen.scroll.scroll_y = 0
        panel.settle(6)
        assert in_both_looks(screen) == []
    screen = stand.show(OverrideScreen, car=4)
    stand.ui.tap(icon="minus", beside=screen.values.fields[0].label)
    assert in_both_looks(screen) == []
    stand.ui.tap(theme.words.screen("override.set_key"))
    assert in_both_looks(screen) == []
    reason(stand, "misread")
    assert in_both_looks(screen) == []


def test_a_race_without_answers_says_so(stand: Stand) -> None:
    stand.sit(race(1, 0))
    screen = stand.show(HistoryScreen)
    assert screen.rows == []
    assert audit(screen) == []


def test_a_dispute_is_upheld_changed_or_left_for_later(rig: Rig, language: str, look: str) -> None:
    theme.language, theme.look = language, look
    told: list[tuple[str, str]] = []
    band = AskBand(
        on_reason=lambda name, text: told.append((name, text)),
        on_cancel=lambda: told.append(("cancel", "")),
        signing=Mock(),
    )
    shown: Why = dispute("13-4", "Overshoots corner 2 by 2 spaces, 2 × 2 = 4: −4 tyres", theme.words)
    band.show(shown)
    rig.show(band, 0, 480 - HIGH, 800, HIGH)
    assert audit(band) == []
    for key in band.children[::-1]:  # Cancel is the first
        rig.tap(key)
    assert [name for name, _ in told] == ["cancel", "uphold", "change", "later"]


def pick_other(stand: Stand, screen: Any) -> None:
    """Tap another answer than the one that was given."""
    picks = screen.picks.faces or screen.picks.listed
    other = next(place for place, pick in enumerate(picks) if not pick.chosen)
    if screen.picks.faces:
        stand.ui.tap(picks[other].label)
    else:
        touch_row(stand, screen.alternatives, other)


@pytest.mark.parametrize("then", ["correct", "say", "take", "go_back"])
@pytest.mark.parametrize("other", [False, True], ids=["gone", "another"])
def test_what_a_phone_takes_back_meanwhile_is_neither_corrected_nor_gone_back_to(
    stand: Stand, then: str, other: bool
) -> None:
    """Another hand takes back the answer that is chosen, and may give another in its place, before the screen knows."""
    stand.sit(race(3, 60))
    screen = stand.show(HistoryScreen)
    desk, seat = made(stand), screen.app.playing.seat
    last = desk.answers()[-1]
    touch_row(stand, screen.answers, place_of(screen, last.n))
    if then in ("say", "take"):
        tap(stand, "correct_key")
    if then == "take":
        pick_other(stand, screen)

    def meanwhile(desk: RaceDesk) -> None:
        desk.undo()
        if other:
            desk.answer(HeuristicDriver(circuits.load("monaco"), 9).answer(desk.asked, desk.rulebook.race))

    seat.see(lambda desk, _: meanwhile(desk))
    if then == "say":
        pick_other(stand, screen)
    else:
        tap(stand, {"correct": "correct_key", "take": "replay", "go_back": "go_back"}[then])
    assert desk.n == last.n + other
    assert desk.sheet().corrections == []
    assert (screen.picks, screen.trial) == (None, None)
