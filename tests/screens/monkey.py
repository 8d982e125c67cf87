"""A monkey at the touchscreen: it touches what it likes, when it likes, and turns and stretches the display.

The same seed does the same, as far as the machine's speed lets it. What failed meanwhile is collected.
"""

from __future__ import annotations

import logging
import random
from collections.abc import Callable
from typing import Any, Final

import kivy.core.clipboard  # noqa: F401 - it tells as an error, once, that this machine has no X
from kivy.core.window import Window

from companion.desk import RaceDesk
from companion.rules.conversation.asking import Json
from companion.rules.conversation.errors import CompanionError
from companion.screens.kit.touch import ears
from tests.screens.rig import Finger
from tests.screens.table import Table

SIZES: Final = ((800, 480), (1280, 720), (400, 240), (1920, 440), (480, 800), (320, 200), (1024, 600))
BUTTONS: Final = ("up", "down", "first", "last", "confirm", "override", "undo", "history", "next", "pause")
WRITTEN: Final = ("Ada", "14", "é«»", "\u202eŻ", "<b>", "x" * 40, " ", "-1", "999999999999", "0.5", "[", "{n}")
LATELY: Final = 12
"""How many of the things that it did last are told with a failure."""


class Failures(logging.Handler):
    """Everything that was logged as an error."""

    def __init__(self) -> None:
        super().__init__(logging.ERROR)
        self.found: list[str] = []
        self.setFormatter(logging.Formatter("%(name)s %(message)s"))

    def emit(self, record: logging.LogRecord) -> None:
        self.found.append(self.format(record))


class Monkey:
    """Touches a table. `ways` are the ways to do so and how often it goes each, `did` is what it did, `failures` what
    failed, `wrong` which answers were taken that were not offered."""

    def __init__(self, table: Table, seed: int) -> None:
        self.table, self.chance = table, random.Random(seed)
        self.failures = Failures()
        self.did: list[str] = []
        self.wrong: list[str] = []
        self.ways: dict[Callable[[], None], int] = {
            self.tap: 50, self.tap_anywhere: 8, self.tap_twice: 5, self.drag: 8, self.hold: 3, self.many_fingers: 6,
            self.held_across: 3, self.press: 6, self.roll: 2, self.write: 3, self.escape: 2, self.resize: 2,
            self.turn: 1, self.dress: 2, self.leave: 1,
        }  # fmt: skip

    # -- what it does

    def play(self, many: int) -> None:
        """Does so many things; the first failure ends it."""
        logging.getLogger().addHandler(self.failures)
        given = RaceDesk.answer
        RaceDesk.answer = self._watched(given)  # type: ignore[method-assign]
        try:
            for _ in range(many):
                act = self.chance.choices(list(self.ways), list(self.ways.values()))[0]
                self.did.append(act.__name__)
                try:
                    act()
                except CompanionError as wrong:  # as the app's own loop would
                    self.table.app.tell(wrong)
                self.rest()
                assert not self.failures.found, (self.failures.found, self.did[-LATELY:])
                assert not self.wrong, (self.wrong, self.did[-LATELY:])
                name = self.table.app.visits[-1].name
                assert name != "trouble", self.did[-LATELY:]
        finally:
            RaceDesk.answer = given  # type: ignore[method-assign]
            logging.getLogger().removeHandler(self.failures)

    def _watched(self, given: Callable[..., Any]) -> Callable[..., Any]:
        """The desk's way to take an answer, with a look at whether it was offered."""

        def answer(desk: RaceDesk, value: Json, **how: Any) -> Any:
            asked = desk.asked
            taken = given(desk, value, **how)
            if asked is None:
                self.wrong.append(f"{value!r} after the end")
            elif not how.get("force") and not offered(asked, value):
                self.wrong.append(f"{value!r} to {asked.ask} {asked.what}")
            return taken

        return answer

    def rest(self) -> None:
        """Lets the app do what it was told, for as long as it likes."""
        if self.chance.random() < 0.5:
            ears.listen()  # as if a moment had gone by
        if self.chance.random() < 0.6:
            self.table.calm()
        else:
            self.table.rig.settle(self.chance.randint(1, 3))

    def target(self) -> tuple[float, float] | None:
        """A place on something that hears fingers, in pixels of the window."""
        heard = self.table.ui.targets()
        if not heard:
            return None
        text, box = self.chance.choice(heard)
        self.did[-1] += f" {text!r}"
        return self.table.rig.at(box.x + box.w * self.chance.random(), box.y + box.h * self.chance.random())

    def anywhere(self) -> tuple[float, float]:
        return self.chance.uniform(0, Window.width), self.chance.uniform(0, Window.height)

    def place(self) -> tuple[float, float]:
        return (self.target() if self.chance.random() < 0.8 else None) or self.anywhere()

    def finger(self, where: tuple[float, float]) -> Finger:
        finger = Finger(*where)
        finger.down()
        return finger

    def frames(self, most: int = 3) -> None:
        for _ in range(self.chance.randint(0, most)):
            self.table.rig.settle(1)

    def tap(self) -> None:
        finger = self.finger(self.place())
        self.frames()
        finger.up()

    def tap_anywhere(self) -> None:
        finger = self.finger(self.anywhere())
        self.frames(1)
        finger.up()

    def tap_twice(self) -> None:
        where = self.place()
        for _ in range(2):
            finger = self.finger(where)
            self.frames(1)
            finger.up()
            self.frames(1)

    def drag(self) -> None:
        finger = self.finger(self.place())
        for _ in range(self.chance.randint(1, 6)):
            finger.slide(*self.anywhere())
            self.frames(1)
        finger.up()

    def hold(self) -> None:
        finger = self.finger(self.place())
        self.table.rig.wait(0.65)
        finger.up()

    def many_fingers(self) -> None:
        fingers = []
        for _ in range(self.chance.randint(2, 4)):
            fingers.append(self.finger(self.place()))
            self.frames(1)
        self.chance.shuffle(fingers)
        for finger in fingers:
            if self.chance.random() < 0.4:
                finger.slide(*self.anywhere())
            self.frames(1)
            finger.up()

    def held_across(self) -> None:
        """A finger stays while others go on."""
        finger = self.finger(self.place())
        for _ in range(self.chance.randint(1, 3)):
            self.did[-1] += ","
            self.tap()
            self.table.calm()
            if self.chance.random() < 0.7:
                ears.listen()
        finger.up()

    def press(self) -> None:
        name = self.chance.choice(BUTTONS)
        self.did[-1] += f" {name}"
        self.table.app.press(name)

    def roll(self) -> None:
        seat = self.table.app.playing.seat
        if seat is not None:
            seat.rolled(self.chance.randint(0, 31))

    def write(self) -> None:
        Window.dispatch("on_textinput", self.chance.choice(WRITTEN))

    def escape(self) -> None:
        Window.dispatch("on_keyboard", 27, 0, "", [])

    def resize(self) -> None:
        Window.size = self.chance.choice(SIZES)
        self.did[-1] += f" {Window.size}"
        self.table.rig.settle(2)

    def turn(self) -> None:
        self.table.app.choose(rotation=self.chance.choice((0, 90, 180, 270)))

    def dress(self) -> None:
        self.table.app.choose(
            language=self.chance.choice(("en", "fr")), theme=self.chance.choice(("dark", "daylight", "auto")),
            reduced_motion=self.chance.random() < 0.5, prices=self.chance.choice(("always", "after", "never")),
        )  # fmt: skip

    def leave(self) -> None:
        name = self.chance.choice(("home", "sheet", "history", "rules", "settings", "race", "status"))
        self.did[-1] += f" {name}"
        if name == "home":
            self.table.app.home()
        elif name not in ("race", "sheet", "history") or self.table.app.playing.shown is not None:
            self.table.app.go(name)


def offered(asked: Any, value: Json) -> bool:
    """Return whether a question offered an answer; only its rulebook knows what a form takes."""
    if asked.faces is not None:
        banded = isinstance(value, list) and value in (asked.bands or [])
        return banded or (type(value) is int and value in asked.faces)
    if asked.fields is not None:
        return True
    return any(option.answer == value and type(option.answer) is type(value) for option in asked.options or ())


def same_again(table: Table) -> None:
    """What is on the disk comes to the same race that is open, entry by entry."""
    from companion.sheets.reading import races, reading
    from companion.sheets.replay import rulebook_of
    from companion.sheets.verify import verify

    playing = table.app.playing
    table.calm()
    if playing.seat is not None:
        state, n, log_id = table.see(lambda desk: (desk.conversation.digest, desk.n, playing.log_id))
        playing.close()
        table.rig.wait(0.05)
        with RaceDesk.resume(table.folder, log_id) as desk:
            assert (desk.conversation.digest, desk.n) == (state, n)
    with reading(table.folder) as db:
        kept = races(db)
    assert kept
    for race in kept:
        found = verify(table.folder, race.log_id, rulebook_of)
        assert found.sound, found.problems
        assert found.replayed == found.entries
