"""Going back, correcting and the referee's word, by touch."""

from __future__ import annotations

from collections.abc import Callable
from copy import deepcopy
from pathlib import Path
from unittest.mock import Mock

import pytest

from companion import circuits
from companion.desk import RaceDesk
from companion.drivers.sensible import HeuristicDriver
from companion.rules.conversation.asking import Json
from companion.rules.rulebooks import RULEBOOKS, begin
from companion.screens.kit.theme import theme
from companion.screens.pages.history import LEFT, HistoryScreen
from companion.screens.pages.override import OverrideScreen
from companion.screens.race.ask_band import HIGH, AskBand
from companion.view.pages.history import rows
from companion.view.pages.override import car_values, changed, dispute
from companion.view.sight import Sight
from companion.wording import capital
from tests.rules.competition.test_corrections import STAYS, flat_out, rolled
from tests.screens.audit import audit, in_both_looks
from tests.screens.rig import Rig
from tests.screens.table import Table, driver_on
from tests.screens.ui import Ui

LONG = ("Александр Константинопольск", "W" * 24, "Żółć Çağ Ñandú-Überfluß")
NAMES = ("Ada", "", *LONG, "山田太郎")


def race(many: int, answers: int, track: str = "monaco", **setup: Json) -> Callable[[], RaceDesk]:
    board = circuits.board(track)
    cars = [{"car": n * 4, "driver": NAMES[(n - 1) % 6]} for n in range(1, many + 1)]
    setup = {"track": track, "cars": cars, **setup}

    def make() -> RaceDesk:
        desk, driver = RaceDesk(begin(setup, board), setup=setup), HeuristicDriver(board, 4)
        while desk.asked is not None and desk.n < answers:
            by = "roller" if desk.asked.faces is not None and desk.n % 2 else "table"
            desk.answer(driver.answer(desk.asked, desk.rulebook.race), by=by)
        return desk

    return make


def a_20() -> RaceDesk:
    """A 20 whose engine tests have all cost a point, and one car its engine; the names are as long as names are."""
    desk = flat_out(20, LONG)
    rolled(desk, 2)
    return desk


def made(stand: Table) -> RaceDesk:
    desk: RaceDesk = stand.see(lambda desk: desk)
    return desk


def latest(stand: Table, ask: str) -> int:
    """Return which answer to a kind of question is the latest."""
    return max(done.n for done in made(stand).answers() if done.ask == ask)


def choose(stand: Table, n: int, *keys: str) -> None:
    """Touch an answer by what its row says, then keys of the history."""
    assert stand.app.playing.seat is not None
    row = stand.app.playing.seat.see(lambda desk, words: rows(Sight(desk, words))[-1 - n]).result(20)
    stand.ui.tap_first(also=f"{row.label} {row.round} {row.plate.number if row.plate else ''}")
    tap(stand, *keys)


def tap(stand: Table, *keys: str) -> None:
    """Tap keys of the history."""
    for key in keys:
        stand.ui.tap(theme.words.screen(f"history.{key}"))


def asks(stand: Table, key: str) -> bool:
    """Return whether the history asks that."""
    return stand.ui.sees(theme.words.screen(f"history.{key}"))


def is_left(stand: Table) -> bool:
    """Return whether the race is seen again, its history or the referee's word left."""
    return stand.app.visits[-1].name == "race"


def corrected(stand: Table) -> list[tuple[int, Json]]:
    return [(one.n, one.answer) for one in made(stand).sheet().corrections]


def beside_the_list(stand: Table) -> str:
    """Return what is read beside the list of answers, without spaces: a name may be broken anywhere."""
    return "".join("".join(word.text.split()) for word in stand.ui.words() if word.box.x > LEFT)


def test_an_answer_is_gone_back_to(stand: Table) -> None:
    stand.sit(race(3, 60))
    stand.show(HistoryScreen)
    choose(stand, 44)
    assert stand.ui.sees("Correct an answer")
    tap(stand, "go_back")
    assert (made(stand).n, is_left(stand)) == (44, True)


def test_what_an_answer_brought_is_read_beside_it(stand: Table) -> None:
    """The newest is there at once: in words if it cost nothing, else on a card, which opens the article."""
    stand.sit(race(3, 58))
    stand.show(HistoryScreen)
    assert "(failson1–4),theengineholds.Art.16-0-2" in beside_the_list(stand)
    choose(stand, latest(stand, "landing"))
    assert stand.ui.sees("Overshoot by 1", "Art. 10-0-1", "8 7")
    stand.ui.tap("Ruling")
    assert stand.app.visits[-1].given["article"] == "10-0-1"


def test_rulings_that_do_not_fit_beside_an_answer_are_scrolled_to(stand: Table) -> None:
    stand.sit(race(10, 130, rulebook="league"))
    stand.show(HistoryScreen, n=129)
    assert "Corners" not in beside_the_list(stand)
    stand.ui.scroll()
    assert "makesstop1of1inSainte-Dévote.Corners" in beside_the_list(stand)


def test_a_misread_die_some_turns_ago_is_mended(stand: Table) -> None:
    stand.sit(race(3, 90))
    stand.show(HistoryScreen)
    before, roll = made(stand).conversation.digest, made(stand).answers()[82]
    choose(stand, roll.n, "correct_key")
    assert stand.ui.is_chosen(str(roll.answer))
    stand.ui.tap("14")
    assert asks(stand, "changes")
    assert made(stand).conversation.digest == before
    tap(stand, "replay")
    assert corrected(stand) == [(82, 14)]
    stand.ui.tap(theme.say("undo"))
    assert corrected(stand) == []
    assert made(stand).conversation.digest == before


def test_a_way_back_leads_step_by_step_out(stand: Table) -> None:
    stand.sit(race(3, 60))
    stand.show(HistoryScreen)
    choose(stand, latest(stand, "landing"), "correct_key")
    stand.ui.tap("Space 2 before Casino 2, middle")
    assert asks(stand, "changes")
    for asked in ("instead", "correct"):
        stand.ui.back()
        assert asks(stand, asked)
    assert not is_left(stand)
    stand.ui.back()
    assert is_left(stand)


def test_a_car_that_was_built_wrong_is_built_anew(stand: Table) -> None:
    stand.sit(race(2, 60))
    stand.show(HistoryScreen)
    build = made(stand).answers()[latest(stand, "setup")]
    choose(stand, build.n, "correct_key")
    stand.ui.tap(icon="minus", beside="Engine")
    stand.ui.tap(icon="plus", beside="Tyres")
    stand.ui.tap("Done")
    assert all(stand.ui.offers(theme.words.screen(f"history.{way}")) for way in ("replay", "board"))
    stand.ui.back()
    stand.ui.tap("Done")  # what was filled in is still there
    tap(stand, "board")
    engine, tyres = build.answer["engine"] - 1, build.answer["tyres"] + 1
    assert corrected(stand) == [(build.n, {**build.answer, "engine": engine, "tyres": tyres})]


def test_with_the_board_as_it_stands_it_is_asked_what_is_asked_beside(stand: Table) -> None:
    stand.sit(lambda: flat_out(18))
    stand.show(HistoryScreen)
    choose(stand, 1, "correct_key")
    stand.ui.tap("20")
    tap(stand, "board")
    assert asks(stand, "beside")
    stand.ui.back()
    assert not asks(stand, "beside")
    tap(stand, "board")
    stand.ui.tap("as it stands")
    for face in ("2", "2", "12"):
        tap(stand, "board")
        assert asks(stand, "beside")
        stand.ui.tap(face)
    assert corrected(stand) == []
    tap(stand, "board")
    assert corrected(stand) == [(1, 20)]
    assert made(stand).history.done[-1].then == [STAYS, 2, 2, 12]
    assert [car.at for car in made(stand).rulebook.race.cars] == ["10:left:19", "10:right:9", "6:left:5"]


SAID = {
    "en": (
        ("Gear die of 1 Александр", "20 18", "What changes 1 Александр Константинопольск: engine 2 3",
         f"2 {LONG[1]}: engine 0 1 2 {LONG[1]}: coasting → racing 3 {LONG[2]}: engine 2 3",
         "Marker, space 21 before Chicane", "Marker, space 9 before Chicane", "Marker, space 5 before Mirabeau",
         "Weather die of 1 Александр", "Two ways Replay keeps 0 of 4 later answers",
         "1 Александр Константинопольск: the weather die is no longer due",
         "lost: landing of 1 Александр Константинопольск: space 21 before Chicane, left and 3 more"),
        ("goes", "not due"), "Correct 20 to 18?", "8 things change, none gets worse", "Nothing changes",
    ),
    "fr": (
        ("Dé de vitesse de 1 Александр", "20 18", "Ce qui change 1 Александр Константинопольск: moteur 2 3",
         f"2 {LONG[1]}: moteur 0 1 2 {LONG[1]}: inertie → en course 3 {LONG[2]}: moteur 2 3",
         "Marqueur, case 21 avant Chicane", "Marqueur, case 9 avant Chicane", "Marqueur, case 5 avant Mirabeau",
         "Dé de météo de 1 Александр", "Deux voies Rejouer garde 0 réponse sur 4",
         "1 Александр Константинопольск: le dé de la météo n’est plus dû",
         "perdu: case d’arrivée de 1 Александр Константинопольск: case 21 avant Chicane, gauche et 3 de plus"),
        ("retiré", "plus à lancer"), "Corriger 20 en 18 ?", "8 choses changent, rien n’empire", "Rien ne change",
    ),
}  # fmt: skip
"""What is read of a 20 that was an 18 beside the list, what three markers and the weather die become, and what is read
at the foot of this and of a correction without effect."""


def test_what_a_correction_changes_is_said_by_name_and_whole(panel: Rig, language: str, tmp_path: Path) -> None:
    """Then an engine test that fails with a 1 as it did with a 2: either way comes to the same, so there is one key."""
    panel.window((round(800 * theme.scale), round(1100 * theme.scale)), theme.scale)  # all of it is seen at once
    stand = Table(panel, tmp_path, language=language)
    stand.sit(a_20)
    before, test = deepcopy(made(stand).rulebook.race), latest(stand, "test")
    beside, (goes, not_due), *foot, nothing = SAID[language]
    screen = panel.show(stand.show(HistoryScreen))
    choose(stand, 1, "correct_key")
    stand.ui.tap("18")
    read = beside_the_list(stand)
    for said in beside:
        assert "".join(said.split()) in read, (said, read)
    assert (read.count(goes), read.count("".join(not_due.split()))) == (3, 1)
    assert stand.ui.sees(*foot)
    assert in_both_looks(screen) == []
    choose(stand, 1)
    assert asks(stand, "correct"), "touched again, it is corrected no more"
    for face, *keys in (("20", "replay", "board"), ("1", "correct_key")):
        choose(stand, test, "correct_key")
        stand.ui.tap(face)
        ways = ("replay", "board", "correct_key")
        assert [key for key in ways if stand.ui.offers(theme.words.screen(f"history.{key}"))] == keys
        assert stand.ui.sees(nothing) == (len(keys) == 1) != asks(stand, "two_ways")
        assert in_both_looks(screen) == []
        if len(keys) > 1:
            choose(stand, test)
    tap(stand, "correct_key")
    assert corrected(stand) == [(test, 1)]
    assert made(stand).rulebook.race == before
    stand.close()


def test_what_the_referee_set_cannot_be_corrected_but_gone_back_to(stand: Table) -> None:
    stand.sit(race(2, 40)).override({"car": 4, "gear": 2}, by="Ada", why="a slip")
    stand.calm()
    stand.show(HistoryScreen)
    choose(stand, 40)
    assert not stand.ui.offers(theme.words.screen("history.correct_key"))
    tap(stand, "go_back")
    assert made(stand).sheet().overrides == []


def test_a_reason_is_given_and_who_signs_is_asked_once_a_race_and_offered_in_the_next(stand: Table) -> None:
    stand.sit(race(3, 60))
    stand.show(OverrideScreen, car=8)
    before, ui = made(stand).rulebook.race.cars[1].wear["tyres"], stand.ui
    assert not ui.offers("Set")
    ui.tap(icon="minus", beside="Tyres")
    ui.tap("Set")
    ui.tap("Cancel")
    assert ui.sees("What do you want to change?")
    ui.tap("Set")
    assert ui.sees(f"tyres {before - 1}: why?")
    ui.tap("Table agrees")
    ui.type("  ", done=False)
    ui.go_on()  # nothing but blanks is no name
    assert made(stand).sheet().overrides == []
    ui.type("Noor  Celik")
    stand.show(OverrideScreen, car=8)
    ui.tap(icon="minus", beside="Brakes")
    ui.tap("Set")
    ui.tap("Other")
    ui.type("Wet", done=False)
    ui.tap("Done")
    assert [(word.by, word.why) for word in made(stand).sheet().overrides] == [
        ("Noor Celik", "Table agrees"), ("Noor Celik", "Wet")
    ]  # fmt: skip
    assert made(stand).rulebook.race.cars[1].wear["tyres"] == before - 1
    stand.sit(race(3, 60))
    stand.show(OverrideScreen, car=4)
    ui.tap(icon="minus", beside="Tyres")
    ui.tap("Set")
    ui.tap("Misread")
    assert ui.sees("Noor Celik")
    stand.tap(400, 20)  # puts the keyboard away
    for _ in ("the name", "the reason", "the change"):
        assert not is_left(stand)
        ui.tap("Cancel")
    assert is_left(stand)
    assert made(stand).sheet().overrides == []


@pytest.mark.article("formula-d", "variant.top", "variant.boosters")
def test_used_allowances_are_seen_and_set_as_far_as_the_rules_go(stand: Table) -> None:
    built = {"tyres": 3, "brakes": 3, "gearbox": 3, "body": 3, "engine": 3, "handling": 2}
    place = {"lap": 2, "gear": 3, "wear": built, "built": built}
    cars = [{"car": 4, "at": "2:left:5", "bought": 3, "uses": ["boosters:1"], **place}]
    setup = {"rulebook": "formula-d", "track": "monaco", "cars": cars, "to_play": [4], "laps": 2}
    setup["options"] = {"top": True, "boosters": True}
    stand.sit(lambda: RaceDesk(begin(setup, circuits.load("monaco")), setup=setup))
    stand.show(OverrideScreen, car=4)
    ui = stand.ui
    for label, low, value, high in (
        ("Boosters, lap 1", 0, 1, 2), ("One space more or less, lap 2", 0, 0, 1), ("Boosters bought", 1, 3, 5)
    ):  # fmt: skip
        find(stand, label)
        assert ui.right_of(label) == str(value)
        for icon, end in (("minus", low), ("plus", high)):
            while ui.offers(icon=icon, beside=label):
                ui.tap(icon=icon, beside=label)
            assert ui.right_of(label) == str(end)
    stand.show(OverrideScreen, car=4)
    for label in ("One space more or less, lap 2", "Boosters, lap 2", "Boosters bought"):
        find(stand, label)
        ui.tap(icon="plus", beside=label)
    stand.app.playing.signing.sign("Noor")
    changed_to(stand)
    car = made(stand).rulebook.race.cars[0]
    assert (car.uses, car.bought, car.wear["tyres"], car.built["tyres"]) == (
        ["boosters:1", "top:2", "boosters:2"], 4, 2, 2,
    )  # fmt: skip


def find(stand: Table, label: str) -> None:
    """Scroll to the value with a label."""
    stand.ui.scroll(start=True)
    while not stand.ui.sees(label):
        assert stand.ui.scroll(), stand.ui.screen()


def changed_to(stand: Table) -> Json:
    """Set what was changed, and return what that was."""
    stand.ui.tap("Set")
    stand.ui.tap("Table agrees")
    return made(stand).sheet().overrides[-1].change


@pytest.mark.parametrize("book", list(RULEBOOKS))
@pytest.mark.parametrize("answers", [45, 150])
def test_no_stepper_and_no_key_offers_what_the_rules_refuse(book: str, answers: int) -> None:
    """Each value of a field alone."""
    cards = {"track": "saltmarsh", "deck": 7} if book == "ninety" else {}
    desk = race(3, answers, **{"rulebook": book, **cards})()
    sight = Sight(desk, theme.words)
    for car in (4, 12):
        values = car_values(sight, car)
        kinds = {field.kind for field in values.fields}
        assert {"stepper", "choice"} <= kinds
        for field in values.fields:
            steps = range(field.low, field.high + 1) if field.kind == "stepper" else ()
            for value in [*steps, *(one.answer for one in field.keys if field.kind == "choice")]:
                if change := changed(values, {field.name: value}, car):
                    desk.rulebook.clone().override(change)


def test_values_of_the_race_and_of_a_car_are_set_by_touch(stand: Table) -> None:
    """The order by touching cars, spaces in steps and never written; only states that the rules accept are offered."""
    stand.sit(race(4, 80))
    stand.app.playing.signing.sign("Noor")
    stand.show(OverrideScreen)
    ui = stand.ui
    assert ui.places("8 1.", below="Order")
    for _ in range(2):
        ui.tap("8", beside="Order")
    assert ui.places("8 3.", below="Order")
    find(stand, "Danger spaces")
    for _ in range(2):
        ui.tap(icon="plus", beside="Danger spaces")
        ui.tap(icon="check")
        find(stand, "Danger spaces")
    ui.tap("space 1 before Sainte-Dévote, left")
    assert changed_to(stand) == {"order": [4, 12, 8], "dangers": ["1:left:1"]}
    stand.show(OverrideScreen, car=4)
    find(stand, "Place · space 2 in Casino 1, left")
    ui.tap(icon="plus", beside="Place ·")
    assert ui.sees("Place · space 2 before Casino 2, left")
    assert changed_to(stand) == {"car": 4, "at": "4:left:2"}
    assert made(stand).rulebook.car(4).at == "4:left:2"
    stand.show(OverrideScreen, car=4)
    assert {"Racing", "Stalled", "Spun", "Wreck", "Out", "Coasting"} - ui.lines() == {"Coasting"}


def test_a_race_without_answers_says_so(stand: Table) -> None:
    stand.sit(race(1, 0))
    screen = stand.show(HistoryScreen)
    assert asks(stand, "nothing")
    assert audit(screen) == []


def test_a_dispute_is_upheld_changed_or_left_for_later(bare: Ui, language: str, look: str) -> None:
    theme.language, theme.look = language, look
    told, left = Mock(), Mock()
    band = AskBand(on_reason=told, on_cancel=left, signing=Mock())
    band.show(dispute("13-4", "Overshoots corner 2 by 2 spaces, 2 × 2 = 4: −4 tyres", theme.words))
    bare.rig.show(band, 0, 480 - HIGH, 800, HIGH)
    assert audit(band) == []
    labels = [theme.words.screen(f"dispute.{name}.label") for name in ("uphold", "change", "later")]
    assert [word.text for word in bare.words() if word.text in labels] == labels
    for label in labels:
        bare.tap(label)
    bare.tap(theme.words.screen("keys.cancel"))
    assert [call.args[0] for call in told.call_args_list] == ["uphold", "change", "later"]
    left.assert_called_once()


def test_history_and_override_pass_the_audit(panel: Rig, language: str, tmp_path: Path) -> None:
    stand = Table(panel, tmp_path, language=language)
    say = theme.words.screen
    stand.sit(race(20, 280, "spa"))
    screen = stand.show(HistoryScreen)
    assert in_both_looks(screen) == []
    for ask, other in (("roll", "2"), ("setup", theme.say("done")), ("tyres", theme.words.word("tyres", "rain"))):
        choose(stand, next(one.n for one in made(stand).answers() if one.ask == ask))
        for said in ("", say("history.correct_key"), capital(other)):
            if said:
                stand.ui.tap(said)
            assert in_both_looks(screen) == []
        assert asks(stand, "changes")
    for car in (None, 4):
        screen = stand.show(OverrideScreen, car=car)
        assert in_both_looks(screen) == []
        stand.ui.scroll()
        assert in_both_looks(screen) == []
    stand.ui.scroll(start=True)
    stand.ui.tap(icon="minus", beside=capital(theme.words.word("pool", "tyres")))
    for said in ("", say("override.set_key"), say("override.misread.label")):
        if said:
            stand.ui.tap(said)
        assert in_both_looks(screen) == []
    stand.close()


@pytest.mark.parametrize("then", ["correct_key", "say", "replay", "go_back"])
@pytest.mark.parametrize("other", [False, True], ids=["gone", "another"])
def test_what_a_phone_takes_back_meanwhile_is_neither_corrected_nor_gone_back_to(
    stand: Table, then: str, other: bool
) -> None:
    """Another hand takes back the answer that is chosen, and may give another in its place, before the screen knows."""
    seat = stand.sit(race(3, 60))
    stand.show(HistoryScreen)
    desk = made(stand)
    choose(stand, 59)
    if then in ("say", "replay"):
        tap(stand, "correct_key")
    if then == "replay":
        stand.ui.tap("4th")

    desk.undo()
    if other:
        desk.answer(driver_on("monaco", 9).answer(desk.asked, desk.rulebook.race))
    stand.ui.tap("4th" if then == "say" else theme.words.screen(f"history.{then}"))
    assert desk.n == 59 + other
    assert corrected(stand) == []
    assert not asks(stand, "changes")
    seat.price("always")  # and now the screen knows
    stand.calm()
    assert is_left(stand) == (then in ("replay", "go_back"))
    assert is_left(stand) or asks(stand, "choose")
