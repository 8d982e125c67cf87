"""A focus that is seen: a whole evening without a finger, by the pins of the buttons and by the keys of a keyboard."""

from __future__ import annotations

import time
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Final

import pytest
from kivy.core.window import Window

from companion import circuits
from companion.desk import RaceDesk
from companion.drivers import Driver
from companion.drivers.cards import HeuristicCardDriver
from companion.drivers.sensible import HeuristicDriver
from companion.rules.conversation.asking import Json
from companion.rules.ninety.cards import TYPES
from companion.rules.ninety.circuit import SectionTrack
from companion.rules.rulebooks import RULEBOOKS
from companion.screens.app.table_hardware import AppAccess
from companion.screens.kit.theme import theme
from hardware import debounce
from tests.screens.rig import Rig
from tests.screens.table import Table, a_race, race_open
from tests.screens.ui import Ui

HELD, LET_GO = 20, 600_000
"""Milliseconds from which a press is a hold: one that is meant, and another, however late a busy machine ends it."""
BY_PINS: Final = 40
"""So many answers are given by pins in each rulebook before the race is hurried on."""
STOPS: Final = 120
"""So many presses reach anything on a screen."""


class ByButtons(Ui):
    """A person with a box of buttons and a keyboard, who touches nothing."""

    def __init__(self, rig: Rig, folder: Path, patch: pytest.MonkeyPatch, **settings: object) -> None:
        self.rig, self.folder, self.patch = rig, folder, patch
        self.table = Table(rig, folder, hardware=True, **{"language": "en", "shot_clock": 0, **settings})
        self.app = self.table.app
        self.rig.wait_for_none_of("buttons")
        self.calm()

    def close(self) -> None:
        self.table.close()

    def press(self, *names: str, held: bool = False) -> None:
        """Press buttons, one after the other."""
        for name in names:
            pin = self.table.pins.pin(getattr(self.table.wired.buttons, name))
            self.patch.setattr(debounce, "HELD", HELD if held else LET_GO)
            pin.drive_low()
            time.sleep(HELD / 1000 + 0.02 if held else 0.003)
            pin.drive_high()
            time.sleep(0.003)
            self.rig.until(lambda: self.table.box.is_settled, 0.001)
            if held and name == "confirm":
                self.rig.wait(1.0)  # as long as the finger would be down
            self.calm()

    def key(self, code: int, text: str = "", held: tuple[str, ...] = ()) -> None:
        """Press a key of the keyboard and let it go."""
        used = Window.dispatch("on_key_down", code, 0, text, list(held))
        if not used:
            Window.dispatch("on_keyboard", code, 0, text, list(held))
            if text:
                Window.dispatch("on_textinput", text)
        self.rig.settle(2)
        Window.dispatch("on_key_up", code, 0)
        self.rig.wait(0.1)
        self.calm()

    def to(self, words: str = "", icon: str = "", beside: str = "") -> None:
        """Bring the focus to what these words or a pictogram stand on."""
        for _ in range(STOPS):
            if self.is_at(words, icon, beside):
                return
            self.press("down")
        raise AssertionError(f"The focus never came to {words or icon!r}.\n{self.screen()}")

    def choose(self, *chosen: str) -> None:
        """Bring the focus to something and confirm it; then to the next."""
        for words in chosen:
            self.to(words)
            self.press("confirm")

    def spell(self, text: str) -> None:
        """Write by the letter wheel, and finish."""
        for letter in text:
            self.choose(letter)
        self.press("next")


@pytest.fixture
def buttons(rig: Rig, folder: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[ByButtons]:
    monkeypatch.setattr(debounce, "GUARD", 0)  # nobody taps twice here
    monkeypatch.setattr(debounce, "SETTLES", 1)  # no contact bounces
    made = ByButtons(rig, folder, monkeypatch)
    yield made
    made.close()


DIGITS: Final = "1234567890"
OVAL: Final = "indianapolis-oval"
AT: Final = {"death": "porto-sereno", "ninety": "quarry-hill"}
"""The circuit of a rulebook; of others the oval."""
TITLES: Final = {"beginner": "Beginner", "formula-d": "Formula D", "competition": "Competition", "cup": "Cup",
                 "death": "Death race", "league": "League", "ninety": "Cards"}  # fmt: skip


def driver_of(key: str) -> Driver:
    board = circuits.board(key)
    return HeuristicCardDriver(board, 2) if isinstance(board, SectionTrack) else HeuristicDriver(board, 2)


def given(buttons: ByButtons) -> int:
    return int(buttons.table.see(lambda desk: len(desk.history.items)))


def typed(buttons: ByButtons, wanted: Json) -> None:
    """Type the cards of an answer, each over its keys: "D3 33 N" is a green three of 33; of some only the factor."""
    for code in wanted if isinstance(wanted, list) else [str(wanted)]:
        card, factor, *signs = code.split() if " " in code else ("", code)
        if card:
            buttons.choose(theme.words.word("colour", TYPES[card[0]]).capitalize(), card[1:])
        buttons.press("down")
        buttons.choose(factor[0])
        for before, digit in pairwise(factor):
            while not buttons.is_at(digit):
                buttons.press("down" if DIGITS.index(digit) > DIGITS.index(before) else "up")
            buttons.press("confirm")
        buttons.choose(*(theme.words.screen(f"typed.symbol.{sign}") for sign in "".join(signs)))
    buttons.to("Done")


def answered(buttons: ByButtons, driver: Driver) -> None:
    """Answer the open question, as the driver would where that is near."""
    before = given(buttons)
    wanted: Json = buttons.table.see(lambda desk: driver.answer(desk.asked, desk.rulebook.race))
    keys, _ = buttons.table.offered()
    places = [place for place, key in enumerate(keys) if not key.why]
    if places and not buttons.sees("Build cars"):
        near = next((place for place in places if keys[place].answer == wanted), places[0])
        buttons.press("up", held=2 * places.index(near) > len(places))
        while (at := buttons.table.offered()[1]) != near and at >= 0:
            buttons.press("up" if at < near else "down")
    elif not places:
        typed(buttons, wanted)
    for names in (["confirm"], ["next", "confirm"], ["confirm"]):
        buttons.press(*names)
        if given(buttons) > before:
            return
    raise AssertionError(f"{wanted} was not given.\n{buttons.screen()}")


def begun(buttons: ByButtons, book: str, key: str) -> None:
    """Set a race of one lap up, from Home on, with two drivers by name."""
    buttons.choose("New race")
    buttons.choose(TITLES[book], "Other circuit", circuits.board(key).name)
    many, short = ("Turns", "· 6 turns") if book == "ninety" else ("Laps", "· 1 lap")
    while not buttons.sees(short):
        buttons.to(icon="minus", beside=many)
        buttons.press("confirm")
    if book == "ninety":
        buttons.choose("Cards, bots", "The program’s deck")
        buttons.to(icon="minus", beside="Bots of each speed")
        buttons.press("confirm", "confirm", "confirm")
    buttons.choose("Done")
    buttons.choose("Add")
    buttons.spell("Bo")
    buttons.choose("Done", "Add")
    buttons.press("undo")  # this one has no name
    buttons.choose("Done", "Start race")
    buttons.rig.until(lambda: buttons.app.playing.shown is not None)
    buttons.calm()


def hurried(buttons: ByButtons, driver: Driver) -> None:
    """Let the middle of a race pass, until one car has finished or is out."""

    def on(desk: RaceDesk) -> None:
        while (asked := desk.asked) is not None and not any(
            getattr(car, "status", "") in ("finished", "out") for car in desk.rulebook.race.cars
        ):
            desk.answer(driver.answer(asked, desk.rulebook.race))

    seat = buttons.app.playing.seat
    assert seat is not None
    seat.act(on).result(20)
    buttons.calm()


@pytest.mark.parametrize("book", RULEBOOKS)
def test_an_evening_is_played_by_pins(buttons: ByButtons, book: str) -> None:
    """From Home, where a name is written by the letter wheel, over the first forty answers, to the flag and Home."""
    key = AT.get(book, OVAL)
    begun(buttons, book, key)
    assert buttons.table.see(lambda desk: desk.rulebook.race.cars[0].driver) == "Bo"
    driver = driver_of(key)
    for answer in range(900):
        if buttons.table.see(lambda desk: desk.asked) is None:
            break
        if answer == BY_PINS:
            hurried(buttons, driver)
        else:
            answered(buttons, driver)
    assert buttons.sees("The race is over")
    buttons.press("down")
    buttons.choose("Home")
    assert buttons.sees("Begin a race?")


TAB: Final = 9
ENTER: Final = 13
ESCAPE: Final = 27
RIGHT, DOWN = 275, 274


def tabbed(buttons: ByButtons, *chosen: str) -> None:
    """Choose by the keyboard: Tab until the focus is there, then Enter."""
    for words in chosen:
        for _ in range(STOPS):
            if buttons.is_at(words):
                break
            buttons.key(TAB)
        assert buttons.is_at(words), buttons.screen()
        buttons.key(ENTER)


def test_an_evening_is_played_by_the_keyboard(buttons: ByButtons) -> None:
    """Names are typed as they are; answers are gone to by their numbers or by Tab."""
    tabbed(buttons, "New race")
    tabbed(buttons, "Beginner", "Other circuit", "Indianapolis, oval", "Done")
    for name in ("Ada", "Bo"):
        tabbed(buttons, "Add")
        for letter in name:
            buttons.key(ord(letter.lower()), letter)
        buttons.key(TAB)
        tabbed(buttons, "Done")
    tabbed(buttons, "Start race")
    buttons.rig.until(lambda: buttons.app.playing.shown is not None)
    buttons.calm()
    assert [car.driver for car in buttons.table.see(lambda desk: desk.rulebook.race.cars)] == ["Ada", "Bo"]
    driver = driver_of(OVAL)
    for answer in range(900):
        if buttons.table.see(lambda desk: desk.asked) is None:
            break
        if answer == BY_PINS // 2:
            hurried(buttons, driver)
            continue
        before, (keys, _) = given(buttons), buttons.table.offered()
        wanted: Json = buttons.table.see(lambda desk: driver.answer(desk.asked, desk.rulebook.race))
        label = next((key.label for key in keys if key.answer == wanted), keys[0].label)
        if label.isdecimal():
            for digit in label:
                buttons.key(ord(digit), digit)
            buttons.key(ENTER)
        else:
            tabbed(buttons, label)
        for _ in range(2):  # what costs something is seen first
            if given(buttons) == before:
                buttons.key(ENTER)
        if given(buttons) <= before:
            raise AssertionError(f"{label} {buttons.focused()!r} {buttons.screen()}")
    assert buttons.sees("The race is over")
    tabbed(buttons, "Home")
    assert buttons.sees("Begin a race?")


@pytest.fixture
def race(buttons: ByButtons) -> ByButtons:
    """A race on a corner sheet, at the question how the first move ended."""
    driver = driver_of(OVAL)
    buttons.app.playing.open(lambda: a_race(buttons.folder, OVAL, 2, rulebook="competition"))
    buttons.rig.until(lambda: race_open(buttons.app))
    buttons.calm()

    def on(desk: RaceDesk) -> None:
        while (asked := desk.asked) is not None and (asked.ask != "saw" or asked.round < 1):
            desk.answer(driver.answer(asked, desk.rulebook.race))

    seat = buttons.app.playing.seat
    assert seat is not None
    seat.act(on).result(20)
    buttons.calm()
    return buttons


def test_forms_of_a_corner_sheet_are_filled_by_pins(race: ByButtons) -> None:
    """Beyond the answers that are selected by up and down lie the others, which are forms."""
    race.press("up", held=True)
    assert not race.focused()
    race.press("up")
    assert race.focused(), "up after the last answer goes on"
    race.press("undo")
    assert not race.focused(), "undo returns to the answers"
    race.press("next")
    race.choose("Braked or blocked")
    race.to(icon="plus", beside="Braked")
    race.press("confirm")
    race.choose("Done")
    race.press("next")
    race.choose("2 BRU")
    assert race.sees("braked 1", "−1")
    before = given(race)
    race.choose("Short of the line", "Short of the line")
    assert given(race) > before


def test_menu_note_override_and_history_are_used_by_pins(race: ByButtons) -> None:
    """What lies over the race confines the focus; a name is corrected, and back is the same question."""
    for chosen in ("Note", "Override"):
        race.press("next")
        race.to(icon="menu")
        race.press("confirm")
        race.choose(chosen)
        if chosen == "Note":
            race.spell("Ok")
            race.choose("Keep")
    assert race.focused() == "Weather and order"
    race.choose("Bruno")
    race.to(icon="minus", beside="Brakes")
    race.press("confirm")
    race.choose("Set")
    race.choose("Table agrees")
    race.spell("Jo")  # who is the referee
    race.choose("Done")
    assert race.table.see(lambda desk: {car.number: car.wear["brakes"] for car in desk.rulebook.race.cars})[2] == 2
    race.press("undo", held=True)
    assert race.sees("History", "newest first")
    race.press("undo")
    assert race.sees("Where did 1 stop?")


def test_cards_of_the_table_are_typed_by_pins(buttons: ByButtons) -> None:
    driver = driver_of("quarry-hill")
    buttons.app.playing.open(lambda: a_race(buttons.folder, "quarry-hill", 2, rulebook="ninety", laps=6))
    buttons.rig.until(lambda: race_open(buttons.app))
    buttons.calm()
    while buttons.table.see(lambda desk: desk.asked.ask) != "qualify":
        answered(buttons, driver)
    answered(buttons, driver)
    assert buttons.table.see(lambda desk: desk.history.items[-1].event.answer) == "D3 33 N"


def test_a_touch_takes_the_ring_away(buttons: ByButtons) -> None:
    buttons.press("down")
    assert buttons.focused() == "New race"
    buttons.rig.tap(400, 60)
    assert not buttons.focused()
    buttons.press("down", "down")
    assert buttons.focused() == "Try it a guided lap"


def test_a_button_acts_on_nothing_but_the_focus_that_was_seen(buttons: ByButtons) -> None:
    """The confirmation was pressed before the focus or the screen was another, and comes after."""
    buttons.press("down")
    hands = AppAccess(buttons.app)
    hands.press("down")
    hands.press("confirm")  # of what had the focus before
    buttons.calm()
    assert buttons.focused() == "Try it a guided lap"
    assert buttons.sees("Begin a race?")
    hands.press("confirm")
    buttons.app.go("settings")
    buttons.calm()
    assert buttons.sees("Settings")


def test_a_list_scrolls_with_the_focus(buttons: ByButtons) -> None:
    buttons.choose("Rules")
    buttons.to("Overshoot")
    for _ in range(12):
        buttons.press("down")
        assert buttons.focused(), "it can be read"
    assert not buttons.sees("Overshoot")
    buttons.press("up", held=True)
    assert "One pool of 18" in buttons.focused()
