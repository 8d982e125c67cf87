"""A table that is gone through by touch from the first key of home: drivers typed, a position set up, cars built, a
race refereed; every screen on the way is looked at, on both panels and in both languages."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from kivy.core.window import Window

from companion import circuits
from companion.drivers import Driver
from companion.drivers.cards import HeuristicCardDriver
from companion.drivers.sensible import HeuristicDriver
from companion.rules.conversation.asking import Asked
from companion.rules.ninety.circuit import SectionTrack
from companion.rules.rulebooks import RULEBOOKS
from companion.screens.kit.theme import theme
from companion.screens.race.form import FEW
from companion.view.race.intents import OpenOrder, Override
from companion.wording import capital
from tests.screens.table import Table, race_open, skip
from tests.screens.test_new_race import go_back, go_on

DRIVERS: Final = ("Ada", "Bo", "Élodie de la Fontaine-Dubois", "Александр Кузнецов", "山田太郎", "אלכסנדרה הוהנלוהה")
"""Six drivers: short, long, with accents, and in letters that the keyboard on the screen has not."""
PARTS: Final = (180, 410)
"""Where the list of a circuit's parts begins and ends, in dp."""
STEPS: Final = 90
"""The most answers by touch on the way to the first round."""


def _question(asked: Asked) -> str:
    return f"{asked.ask} {asked.what.rstrip('0123456789_')}"


def say(key: str) -> str:
    """Return a text of the locale, in the language of the moment: looking at a screen changes it."""
    return theme.words.screen(key)


def driver_at(key: str) -> Driver:
    """Return who answers on the way of a race."""
    board = circuits.board(key)
    return HeuristicCardDriver(board, 5) if isinstance(board, SectionTrack) else HeuristicDriver(board, 5)


# -- the way to a race


def new_race(table: Table, book: str, at: str) -> None:
    """From home to the drivers of a race."""
    table.looked("home")
    ui = table.ui
    ui.tap(say("home.a_race"))
    table.tap(*ui.places(below=say("new_race.title"))[list(RULEBOOKS).index(book)])
    ui.tap(say("new_race.other"), beside=say("new_race.other_note"))
    ui.tap(circuits.board(at).name)
    table.looked("new race, circuit")
    go_on(ui)
    for place, name in enumerate(DRIVERS):
        ui.tap(say("new_race.add"))
        if place > 2:  # the keyboard has not these letters: they come from one beside
            Window.dispatch("on_textinput", name)
            table.calm()
        ui.type(name if place < 3 else "")
    ui.tap(DRIVERS[0])
    table.looked("new race, drivers")
    go_on(ui)
    if ui.offers(say("new_race.each")):
        ui.tap(say("new_race.each"))
    table.looked("new race")
    ui.tap(say("new_race.rest"))
    for step in range(STEPS):
        table.looked(f"new race, {step}")
        if ui.offers(say("new_race.position_start")):
            return
        go_on(ui)


def position(table: Table) -> None:
    """Every car is put on the board, and all that can be said of the first and of the race is seen; the race begins
    from the grid for all that."""
    ui = table.ui
    ui.tap(say("new_race.position_start"))
    if ui.offers(say("new_race.of_race")):
        ui.tap(say("new_race.of_race"))
        _values(table, "position, race")
        go_back(ui)
    for place, name in enumerate(DRIVERS):
        ui.tap(name, below=say("new_race.grid_start"))
        if place > 3:
            ui.scroll()
        parts = [(x, y) for x, y in ui.places(below=name) if PARTS[0] < x < PARTS[1]]
        if not place:
            table.looked("position, nowhere")
        table.tap(*parts[place % 4])
        if not place:
            table.looked("position, board")
            ui.tap(say("new_race.of_car"))
            _values(table, "position, car")
        go_back(ui)
    table.looked("position")
    assert ui.offers(say("new_race.begin"))
    ui.tap(say("new_race.grid_start"))


def _values(table: Table, name: str) -> None:
    """A list of values, from its beginning to its end."""
    table.ui.scroll(start=True)
    table.looked(f"{name}, its beginning")
    while table.ui.scroll():
        pass
    table.looked(f"{name}, its end")


def begin(table: Table, by: Driver) -> None:
    """From the start to the first round: every car is built, dealt and shod by touch."""
    go_on(table.ui)
    table.until(lambda: race_open(table.app))
    for _ in range(STEPS):
        table.calm()
        asked: Asked | None = table.see(lambda desk: desk.asked)
        if asked is None or asked.round:
            return
        if table.app.visits[-1].name == "build":
            preset = say("build.preset")
            if table.ui.offers(preset):
                table.looked("build, points")
                table.ui.tap(say("build.preset"))
            table.looked(f"build, {preset}")
            table.ui.go_on()
            continue
        table.looked(_question(asked))
        if table.prompt.typed != (0, 0):
            table.given(table.wanted(by))  # typed cards have tests of their own
        else:
            table.one(by)
    raise AssertionError("the race never began")


# -- the race


def race(table: Table, by: Driver) -> None:
    """Each kind of question once, what else can be said of a move, and the card of an answer that costs something;
    then the end."""
    before: set[str] = set()
    while True:
        skip(table, by, lambda asked: _question(asked) not in before)
        asked: Asked | None = table.see(lambda desk: desk.asked)
        if asked is None:
            break
        question = _question(asked)
        before.add(question)
        table.looked(question)
        if table.prompt.seen is not None:
            parts(table, question)
        costly = next((key for key in table.prompt.keys if key.accept), None)
        if costly is not None and table.app.playing.seat is not None:
            table.app.playing.seat.select(costly.answer)
            table.calm()
            table.looked(f"card, {question}")
    table.app.hush()
    table.looked("over")


def parts(table: Table, question: str) -> None:
    """What the table saw of a move: the cars that it touched, and each part of the rest with something said."""
    seen = table.prompt.seen
    assert seen is not None
    for car in seen.cars[:2]:
        table.touch(car.code, below=table.prompt.title)
    table.looked(f"touched, {question}")
    table.touch(theme.say("nobody", "seen"))
    for at in range(len(seen.groups)):
        group = table.prompt.seen.groups[at]  # type: ignore[union-attr]  # in the language of the moment
        table.touch(group.label)
        field = next(one for one in table.prompt.fields if not group.fields or one.name in group.fields)
        if field.kind == "choice" and len(field.keys) <= FEW:
            table.touch(field.keys[-1].label, beside=field.label)
        else:
            table.touch(icon="plus", beside=field.label)
        table.looked(f"part {at}, {question}")
        table.touch(theme.say("done"))
    table.looked(f"said, {question}")


def around(table: Table, by: Driver) -> None:
    """Everything behind the menu of a race, and what is said beside its answers."""
    skip(table, by, lambda asked: asked.round >= 4 and asked.ask in ("gear", "declare"))
    forced = next(one for one in reversed(table.prompt.keys) if not one.why)
    for name, intent in (("order", OpenOrder()), ("why", Override(forced))):
        table.emit(intent)
        table.calm()
        table.looked(name)
        table.app.back()
    for entry in ("overview", "note", "dispute", "override", "history", "sheet"):
        menu(table, entry)
        table.looked(entry)
        if entry == "override":
            override(table)
        elif entry == "history":
            table.tap(*table.ui.places(below=say("history.title_note"))[1])
            table.looked("history, an answer")
        elif entry == "sheet":
            for page in ("car", "after", "log", "words", "export"):
                table.touch(say(f"sheet.page.{page}"))
                table.looked(f"sheet, {page}")
        if entry in ("note", "dispute"):
            table.app.back()  # the keyboard goes first
        table.app.back()
        table.calm()


def menu(table: Table, entry: str) -> None:
    """Open the menu, look at it, and tap an entry."""
    table.touch(icon="menu")
    table.looked("menu")
    table.touch(say(f"more.{entry}"))


def override(table: Table) -> None:
    """What may be set on the race, its end and the first car, with three places where there may be several."""
    for place in range(3):
        table.tap(*table.ui.places(below=say("override.word"))[place])
        for name in ("dangers", "at"):
            _places(table, name)
        _values(table, f"override, {place}")


def _places(table: Table, name: str) -> None:
    """Add three places, or step to another, where there is such a value."""
    label, ui = f"{capital(theme.words.word('value', name))} ·", table.ui
    for _ in range(3 if name == "dangers" else 1):
        ui.scroll(start=True)
        while not ui.sees(label) or not (
            steps := [one for one in ("plus", "minus") if ui.offers(icon=one, below=label)]
        ):
            if not ui.scroll():
                return
        ui.tap(icon=steps[0], beside=label)
        if name == "dangers":
            ui.tap(icon="check")
    table.looked(f"override, {name}")


def beside(table: Table) -> None:
    """Rules and settings with what lies behind them, from the race, and the question about a stick."""
    article = table.prompt.article
    for entry in ("rules", "phones", "settings"):
        menu(table, entry)
        assert not article or entry != "rules" or table.app.visits[-1].given["article"] == article
        table.looked(entry)
        if entry != "settings":
            table.app.back()
    for way in ("touch", "status", "hall"):
        table.ui.tap(say(f"settings.{way}"))
        table.looked(way)
        if way == "status":
            table.ui.tap(say("version.title"))
            table.looked("version")
            table.app.back()
        table.app.back()
    table.app.back()
    table.calm()
    stick(table)


def stick(table: Table) -> None:
    """Something is mounted where sticks are, which is nobody's yet, and is not the table's."""
    before, table.app.stick.place = table.app.stick.place, Path("/")
    table.app.stick.look()
    table.until(lambda: table.app.over is not None)
    table.looked("stick", table.app.over)
    table.ui.tap(theme.say("cancel"))
    assert table.app.over is None
    table.app.stick.place = before


def home(table: Table) -> None:
    """Back home from the race that is over, and to the races that are kept."""
    table.app.playing.leave()
    table.calm()
    table.ui.wait_for(say("home.sheets"))
    table.looked("home, after")
    table.ui.tap(say("home.sheets"))
    table.looked("sheets")
