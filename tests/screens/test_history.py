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
from companion.view.pages import history
from companion.view.pages.history import rows
from companion.view.pages.override import car_values, changed, dispute
from companion.view.sight import Sight
from companion.wording import capital
from tests.rules.competition.test_corrections import STAYS, flat_out, rolled
from tests.screens.audit import audit, in_both_looks
from tests.screens.rig import Rig
from tests.screens.table import Table, driver_on
from tests.screens.ui import Ui

LANDING = {"en": ("Landing of ", "Landing: "), "fr": ("Case d’arrivée de ", "Case d’arrivée\N{NO-BREAK SPACE}: ")}
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


def made(home_table: Table) -> RaceDesk:
    desk: RaceDesk = home_table.see(lambda desk: desk)
    return desk


def latest(home_table: Table, ask: str) -> int:
    """Return which answer to a kind of question is the latest."""
    return max(done.n for done in made(home_table).answers() if done.ask == ask)


def choose(home_table: Table, n: int, *keys: str) -> None:
    """Touch an answer by what its row says, then keys of the history."""
    assert home_table.app.playing.seat is not None
    row = home_table.app.playing.seat.see(lambda desk, words: rows(Sight(desk, words))[-1 - n]).result(20)
    home_table.ui.tap_first(also=f"{row.label} {row.round} {row.plate.number if row.plate else ''}")
    tap(home_table, *keys)


def tap(home_table: Table, *keys: str) -> None:
    """Tap keys of the history."""
    for key in keys:
        home_table.ui.tap(theme.words.screen(f"history.{key}"))


def asks(home_table: Table, key: str) -> bool:
    """Return whether the history asks that."""
    return home_table.ui.sees(theme.words.screen(f"history.{key}"))


def is_left(home_table: Table) -> bool:
    """Return whether the race is seen again, its history or the referee's word left."""
    return home_table.app.visits[-1].name == "race"


def corrected(home_table: Table) -> list[tuple[int, Json]]:
    return [(one.n, one.answer) for one in made(home_table).sheet().corrections]


def beside_the_list(home_table: Table) -> str:
    """Return what is read beside the list of answers, without spaces: a name may be broken anywhere."""
    return "".join("".join(word.text.split()) for word in home_table.ui.words() if word.box.x > LEFT)


def test_an_answer_is_gone_back_to(home_table: Table) -> None:
    home_table.sit(race(3, 60))
    home_table.show(HistoryScreen)
    choose(home_table, 44)
    assert home_table.ui.sees("Correct an answer")
    tap(home_table, "go_back")
    assert (made(home_table).n, is_left(home_table)) == (44, True)


def test_going_back_beyond_a_correction_says_how_much_it_takes_back(home_table: Table, language: str) -> None:
    """With the answers of the roller, the correction itself, and what it dropped."""
    home_table.app.choose(language=language)
    home_table.sit(race(3, 60))
    desk, at = made(home_table), latest(home_table, "roll")
    asked = history.asked_at(desk, at)
    assert asked is not None
    other = next(face for face in asked.faces or () if face != desk.answers()[at].answer)
    home_table.see(lambda desk: desk.correct(at, other))
    home_table.calm()
    acts = len(desk.history.done)
    home_table.show(HistoryScreen)
    choose(home_table, 44)
    shown = home_table.ui.text()
    tap(home_table, "go_back")
    took = acts - len(desk.history.done)
    assert took > 60 - 44
    assert theme.words.screen("history.back_note", count=took) in shown
    assert home_table.ui.sees(theme.words.say("undone", count=took, what="*").partition("*")[0])


def test_what_an_answer_brought_is_read_beside_it(home_table: Table) -> None:
    """The newest is there at once: in words if it cost nothing, else on a card, which opens the article."""
    home_table.sit(race(3, 58))
    home_table.show(HistoryScreen)
    assert "(failson1–4),theengineholds.Art.16-0-2" in beside_the_list(home_table)
    choose(home_table, latest(home_table, "landing"))
    assert home_table.ui.sees("Overshoot by 1", "Art. 10-0-1", "8 7")
    home_table.ui.tap("Ruling")
    assert home_table.app.visits[-1].given["article"] == "10-0-1"


def test_rulings_that_do_not_fit_beside_an_answer_are_scrolled_to(home_table: Table) -> None:
    home_table.sit(race(10, 130, rulebook="league"))
    home_table.show(HistoryScreen, n=129)
    assert "Corners" not in beside_the_list(home_table)
    home_table.ui.scroll()
    assert "makesstop1of1inSainte-Dévote.Corners" in beside_the_list(home_table)


def test_a_misread_die_some_turns_ago_is_mended(home_table: Table) -> None:
    home_table.sit(race(3, 90))
    home_table.show(HistoryScreen)
    before, roll = made(home_table).conversation.digest, made(home_table).answers()[82]
    choose(home_table, roll.n, "correct_key")
    assert home_table.ui.is_chosen(str(roll.answer))
    home_table.ui.tap("14")
    assert asks(home_table, "changes")
    assert made(home_table).conversation.digest == before
    tap(home_table, "replay")
    assert corrected(home_table) == [(82, 14)]
    home_table.ui.tap(theme.say("undo"))
    assert corrected(home_table) == []
    assert made(home_table).conversation.digest == before


def test_a_die_on_which_nothing_has_moved_yet_is_mended_by_replay_alone(home_table: Table) -> None:
    home_table.sit(race(3, 83))
    home_table.show(HistoryScreen)
    choose(home_table, latest(home_table, "roll"), "correct_key")
    home_table.ui.tap("14")
    assert home_table.ui.sees("Nothing has moved on that answer", "yet; correct it by replay.")
    assert not home_table.ui.offers("Board stands")
    tap(home_table, "replay")
    assert corrected(home_table) == [(82, 14)]


def test_a_way_back_leads_step_by_step_out(home_table: Table) -> None:
    home_table.sit(race(3, 60))
    home_table.show(HistoryScreen)
    choose(home_table, latest(home_table, "landing"), "correct_key")
    home_table.ui.tap("Space 2 before Casino 2, middle")
    assert asks(home_table, "changes")
    for asked in ("instead", "correct"):
        home_table.ui.back()
        assert asks(home_table, asked)
    assert not is_left(home_table)
    home_table.ui.back()
    assert is_left(home_table)


def test_a_car_that_was_built_wrong_is_built_anew(home_table: Table) -> None:
    home_table.sit(race(2, 60))
    home_table.show(HistoryScreen)
    build = made(home_table).answers()[latest(home_table, "setup")]
    choose(home_table, build.n, "correct_key")
    home_table.ui.tap(icon="minus", beside="Engine")
    home_table.ui.tap(icon="plus", beside="Tyres")
    home_table.ui.tap("Done")
    assert all(home_table.ui.offers(theme.words.screen(f"history.{way}")) for way in ("replay", "board"))
    home_table.ui.back()
    home_table.ui.tap("Done")  # what was filled in is still there
    tap(home_table, "board")
    engine, tyres = build.answer["engine"] - 1, build.answer["tyres"] + 1
    assert corrected(home_table) == [(build.n, {**build.answer, "engine": engine, "tyres": tyres})]


def test_both_answers_of_a_correction_begin_with_a_capital(home_table: Table, language: str) -> None:
    home_table.app.choose(language=language)
    home_table.sit(race(3, 60))
    home_table.show(HistoryScreen)
    choose(home_table, latest(home_table, "landing"), "correct_key")
    places = home_table.ui.places(below=theme.words.screen("history.title"))
    home_table.tap(*[place for place in places if place[0] > LEFT][1])
    assert asks(home_table, "changes")
    for said in LANDING[language]:
        assert any(word.text.startswith(said) for word in home_table.ui.words() if word.box.x > LEFT), (
            home_table.ui.screen()
        )


def test_with_the_board_as_it_stands_it_is_asked_what_is_asked_beside(home_table: Table) -> None:
    home_table.sit(lambda: flat_out(18))
    home_table.show(HistoryScreen)
    choose(home_table, 1, "correct_key")
    home_table.ui.tap("20")
    tap(home_table, "board")
    assert asks(home_table, "beside")
    home_table.ui.back()
    assert not asks(home_table, "beside")
    tap(home_table, "board")
    home_table.ui.tap("as it stands")
    for face in ("2", "2", "12"):
        tap(home_table, "board")
        assert asks(home_table, "beside")
        home_table.ui.tap(face)
    assert corrected(home_table) == []
    tap(home_table, "board")
    assert corrected(home_table) == [(1, 20)]
    assert made(home_table).history.done[-1].then == [STAYS, 2, 2, 12]
    assert [car.at for car in made(home_table).rulebook.race.cars] == ["10:left:19", "10:right:9", "6:left:5"]


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
    home_table = Table(panel, tmp_path, language=language)
    home_table.sit(a_20)
    before, test = deepcopy(made(home_table).rulebook.race), latest(home_table, "test")
    beside, (goes, not_due), *foot, nothing = SAID[language]
    screen = panel.show(home_table.show(HistoryScreen))
    choose(home_table, 1, "correct_key")
    home_table.ui.tap("18")
    read = beside_the_list(home_table)
    for said in beside:
        assert "".join(said.split()) in read, (said, read)
    assert (read.count(goes), read.count("".join(not_due.split()))) == (3, 1)
    assert home_table.ui.sees(*foot)
    assert in_both_looks(screen) == []
    choose(home_table, 1)
    assert asks(home_table, "correct"), "touched again, it is corrected no more"
    for face, *keys in (("20", "replay", "board"), ("1", "correct_key")):
        choose(home_table, test, "correct_key")
        home_table.ui.tap(face)
        ways = ("replay", "board", "correct_key")
        assert [key for key in ways if home_table.ui.offers(theme.words.screen(f"history.{key}"))] == keys
        assert home_table.ui.sees(nothing) == (len(keys) == 1) != asks(home_table, "two_ways")
        assert in_both_looks(screen) == []
        if len(keys) > 1:
            choose(home_table, test)
    tap(home_table, "correct_key")
    assert corrected(home_table) == [(test, 1)]
    assert made(home_table).rulebook.race == before
    home_table.close()


def test_what_the_referee_set_cannot_be_corrected_but_gone_back_to(home_table: Table) -> None:
    home_table.sit(race(2, 40)).override({"car": 4, "gear": 2}, by="Ada", why="a slip")
    home_table.calm()
    home_table.show(HistoryScreen)
    choose(home_table, 40)
    assert not home_table.ui.offers(theme.words.screen("history.correct_key"))
    tap(home_table, "go_back")
    assert made(home_table).sheet().overrides == []


def test_a_reason_is_given_and_who_signs_is_asked_once_a_race_and_offered_in_the_next(home_table: Table) -> None:
    home_table.sit(race(3, 60))
    home_table.show(OverrideScreen, car=8)
    before, ui = made(home_table).rulebook.race.cars[1].wear["tyres"], home_table.ui
    assert not ui.offers("Set")
    ui.tap(icon="minus", beside="Tyres")
    ui.tap("Set")
    ui.tap("Cancel")
    assert ui.sees("What do you want to change?")
    ui.tap("Set")
    assert ui.sees(f"Tyres {before - 1}: why?")
    ui.tap("Table agrees")
    ui.type("  ", done=False)
    ui.go_on()  # nothing but blanks is no name
    assert made(home_table).sheet().overrides == []
    ui.type("Noor  Celik")
    home_table.show(OverrideScreen, car=8)
    ui.tap(icon="minus", beside="Brakes")
    ui.tap("Set")
    ui.tap("Other")
    ui.type("Wet", done=False)
    ui.tap("Done")
    assert [(word.by, word.why) for word in made(home_table).sheet().overrides] == [
        ("Noor Celik", "Table agrees"), ("Noor Celik", "Wet")
    ]  # fmt: skip
    assert made(home_table).rulebook.race.cars[1].wear["tyres"] == before - 1
    home_table.sit(race(3, 60))
    home_table.show(OverrideScreen, car=4)
    ui.tap(icon="minus", beside="Tyres")
    ui.tap("Set")
    ui.tap("Misread")
    assert ui.sees("Noor Celik")
    home_table.tap(400, 20)  # puts the keyboard away
    for _ in ("the name", "the reason", "the change"):
        assert not is_left(home_table)
        ui.tap("Cancel")
    assert is_left(home_table)
    assert made(home_table).sheet().overrides == []


@pytest.mark.article("formula-d", "variant.top", "variant.boosters")
def test_used_allowances_are_seen_and_set_as_far_as_the_rules_go(home_table: Table) -> None:
    built = {"tyres": 3, "brakes": 3, "gearbox": 3, "body": 3, "engine": 3, "handling": 2}
    place = {"lap": 2, "gear": 3, "wear": built, "built": built}
    cars = [{"car": 4, "at": "2:left:5", "bought": 3, "uses": ["boosters:1"], **place}]
    setup = {"rulebook": "formula-d", "track": "monaco", "cars": cars, "to_play": [4], "laps": 2}
    setup["options"] = {"top": True, "boosters": True}
    home_table.sit(lambda: RaceDesk(begin(setup, circuits.load("monaco")), setup=setup))
    home_table.show(OverrideScreen, car=4)
    ui = home_table.ui
    for label, low, value, high in (
        ("Boosters, lap 1", 0, 1, 2), ("One space more or less, lap 2", 0, 0, 1), ("Boosters bought", 1, 3, 5)
    ):  # fmt: skip
        find(home_table, label)
        assert ui.right_of(label) == str(value)
        for icon, end in (("minus", low), ("plus", high)):
            while ui.offers(icon=icon, beside=label):
                ui.tap(icon=icon, beside=label)
            assert ui.right_of(label) == str(end)
    home_table.show(OverrideScreen, car=4)
    for label in ("One space more or less, lap 2", "Boosters, lap 2", "Boosters bought"):
        find(home_table, label)
        ui.tap(icon="plus", beside=label)
    home_table.app.playing.signing.sign("Noor")
    changed_to(home_table)
    car = made(home_table).rulebook.race.cars[0]
    assert (car.uses, car.bought, car.wear["tyres"], car.built["tyres"]) == (
        ["boosters:1", "top:2", "boosters:2"], 4, 2, 2,
    )  # fmt: skip


def find(home_table: Table, label: str) -> None:
    """Scroll to the value with a label."""
    home_table.ui.scroll(start=True)
    while not home_table.ui.sees(label):
        assert home_table.ui.scroll(), home_table.ui.screen()


def changed_to(home_table: Table) -> Json:
    """Set what was changed, and return what that was."""
    home_table.ui.tap("Set")
    home_table.ui.tap("Table agrees")
    return made(home_table).sheet().overrides[-1].change


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


def test_the_question_for_a_reason_begins_with_the_capital_of_its_language(home_table: Table, language: str) -> None:
    home_table.app.choose(language=language)
    home_table.sit(race(4, 80))
    home_table.show(OverrideScreen)
    home_table.ui.tap("8", beside={"en": "Order", "fr": "Ordre"}[language])
    home_table.ui.tap(theme.words.screen("override.set_key"))
    begun = {"en": "Order 4", "fr": "Fixer ordre 4"}[language]
    assert any(word.text.startswith(begun) for word in home_table.ui.words()), home_table.ui.screen()


def test_values_of_the_race_and_of_a_car_are_set_by_touch(home_table: Table) -> None:
    """The order by touching cars, spaces in steps and never written; only states that the rules accept are offered."""
    home_table.sit(race(4, 80))
    home_table.app.playing.signing.sign("Noor")
    home_table.show(OverrideScreen)
    ui = home_table.ui
    assert ui.places("8 1st", below="Order")
    for _ in range(2):
        ui.tap("8", beside="Order")
    assert ui.places("8 3rd", below="Order")
    find(home_table, "Danger spaces")
    for _ in range(2):
        ui.tap(icon="plus", beside="Danger spaces")
        ui.tap(icon="check")
        find(home_table, "Danger spaces")
    ui.tap("space 1 before Sainte-Dévote, left")
    assert changed_to(home_table) == {"order": [4, 12, 8], "dangers": ["1:left:1"]}
    home_table.show(OverrideScreen, car=4)
    find(home_table, "Place · space 2 in Casino 1, left")
    ui.tap(icon="plus", beside="Place ·")
    assert ui.sees("Place · space 2 before Casino 2, left")
    assert changed_to(home_table) == {"car": 4, "at": "4:left:2"}
    assert made(home_table).rulebook.car(4).at == "4:left:2"
    home_table.show(OverrideScreen, car=4)
    assert {"Racing", "Stalled", "Spun", "Wreck", "Out", "Coasting"} - ui.lines() == {"Coasting"}


def test_a_race_without_answers_says_so(home_table: Table) -> None:
    home_table.sit(race(1, 0))
    screen = home_table.show(HistoryScreen)
    assert asks(home_table, "nothing")
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
    home_table = Table(panel, tmp_path, language=language)
    say = theme.words.screen
    home_table.sit(race(20, 280, "spa"))
    screen = home_table.show(HistoryScreen)
    assert in_both_looks(screen) == []
    for ask, other in (("roll", "2"), ("setup", theme.say("done")), ("tyres", theme.words.word("tyres", "rain"))):
        choose(home_table, next(one.n for one in made(home_table).answers() if one.ask == ask))
        for said in ("", say("history.correct_key"), capital(other)):
            if said:
                home_table.ui.tap(said)
            assert in_both_looks(screen) == []
        assert asks(home_table, "changes")
    for car in (None, 4):
        screen = home_table.show(OverrideScreen, car=car)
        assert in_both_looks(screen) == []
        home_table.ui.scroll()
        assert in_both_looks(screen) == []
    home_table.ui.scroll(start=True)
    home_table.ui.tap(icon="minus", beside=capital(theme.words.word("pool", "tyres")))
    for said in ("", say("override.set_key"), say("override.misread.label")):
        if said:
            home_table.ui.tap(said)
        assert in_both_looks(screen) == []
    home_table.close()


@pytest.mark.parametrize("then", ["correct_key", "say", "replay", "go_back"])
@pytest.mark.parametrize("other", [False, True], ids=["gone", "another"])
def test_what_a_phone_takes_back_meanwhile_is_neither_corrected_nor_gone_back_to(
    home_table: Table, then: str, other: bool
) -> None:
    """Another hand takes back the answer that is chosen, and may give another in its place, before the screen knows."""
    seat = home_table.sit(race(3, 60))
    home_table.show(HistoryScreen)
    desk = made(home_table)
    choose(home_table, 59)
    if then in ("say", "replay"):
        tap(home_table, "correct_key")
    if then == "replay":
        home_table.ui.tap("4th")

    desk.undo()
    if other:
        desk.answer(driver_on("monaco", 9).answer(desk.asked, desk.rulebook.race))
    home_table.ui.tap("4th" if then == "say" else theme.words.screen(f"history.{then}"))
    assert desk.n == 59 + other
    assert corrected(home_table) == []
    assert not asks(home_table, "changes")
    seat.price("always")  # and now the screen knows
    home_table.calm()
    assert is_left(home_table) == (then in ("replay", "go_back"))
    assert is_left(home_table) or asks(home_table, "choose")
