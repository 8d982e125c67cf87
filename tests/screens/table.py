"""A table at the touchscreen: the app with a race that is open, and fingers that answer as a driver wants."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kivy.core.window import Window

from companion import circuits
from companion.desk import RaceDesk
from companion.rules.conversation.asking import Asked, Json
from companion.rules.rulebooks import begin
from companion.screens.app.app import CompanionApp
from companion.screens.app.settings import SettingsFile
from companion.screens.kit.theme import theme
from companion.screens.kit.touch import ears
from companion.screens.race.controller import RaceController
from companion.screens.race.race import RaceScreen
from companion.view.race.intents import Intent
from companion.view.shown import AnswerKey, Prompt
from companion.view.shown_race import RaceShown
from tests.screens.audit import audit
from tests.screens.rig import Rig
from tests.screens.test_app import texts

if TYPE_CHECKING:
    from tests.screens.ui import Ui

NAMES = ("Ada Vidal", "Bruno", "Chloé", "Ñandú Żak", "", "Ада Ким", "Élodie de la Fontaine-Dubois X", "Al")


def a_race(folder: Path, key: str = "monaco", many: int = 3, **setup: Any) -> RaceDesk:
    """A race in a folder, from its beginning."""
    track = circuits.board(key)
    setup.setdefault("cars", [{"car": n, "driver": NAMES[(n - 1) % len(NAMES)]} for n in range(1, many + 1)])
    setup = {"track": key, "laps": 1, **setup}
    text = circuits.find(key).read_text(encoding="utf-8")
    return RaceDesk.begin(begin(setup, track), setup=setup, track=text, folder=folder, name="At the table")


def race_open(app: CompanionApp) -> bool:
    """Whether a race is open: its desk, its first picture and its screen, which come from two threads in any order."""
    playing = app.playing
    return playing.seat is not None and playing.shown is not None and isinstance(app.screen, RaceScreen)


class Table:
    """The app over a data folder. `taps` counts every touch."""

    def __init__(self, rig: Rig, folder: Path, **settings: Any) -> None:
        self.rig, self.folder = rig, folder
        kept = SettingsFile(folder)
        kept.change(**{"reduced_motion": True, "shot_clock": 30, **settings})
        self.app = CompanionApp(folder, kept)
        self.app.open()
        self.taps = 0

    @classmethod
    def at_race(cls, rig: Rig, folder: Path, make: Callable[[], RaceDesk], **settings: Any) -> Table:
        """A table with a race that is open."""
        table, refused = cls(rig, folder, **settings), list[Exception]()

        def made() -> RaceDesk:
            try:
                return make()
            except Exception as wrong:
                refused.append(wrong)
                raise

        table.app.playing.open(made)
        table.until(lambda: refused or race_open(table.app))
        if refused:
            raise refused[0]
        table.calm()
        return table

    # -- what is there

    @property
    def ui(self) -> Ui:
        """The person at it, who reads."""
        from tests.screens.ui import Ui

        return Ui.over(self.rig, self.app)

    @property
    def screen(self) -> RaceScreen:
        screen = self.app.screen
        assert isinstance(screen, RaceScreen), type(screen).__name__
        return screen

    @property
    def controller(self) -> RaceController:
        return self.screen.controller

    def emit(self, intent: Intent) -> None:
        """Means something without a touch, where the touch has tests of its own."""
        self.screen.emit(intent)

    @property
    def shown(self) -> RaceShown:
        assert self.app.playing.shown is not None
        return self.app.playing.shown

    @property
    def prompt(self) -> Prompt:
        return self.shown.prompt

    def texts(self) -> list[str]:
        return texts(self.app)

    def see(self, look: Callable[[RaceDesk], Any]) -> Any:
        """Something of the desk."""
        assert self.app.playing.seat is not None
        return self.app.playing.seat.see(lambda desk, _: look(desk)).result(20)

    def wanted(self, driver: Any) -> Json:
        """What a driver would answer."""
        answer: Json = self.see(lambda desk: driver.answer(desk.asked, desk.rulebook.race))
        return answer

    def given(self, answer: Json) -> None:
        """An answer that comes by no touch, as a phone's does: the screen shows what follows."""
        assert self.app.playing.seat is not None
        self.app.playing.seat.act(lambda desk: desk.answer(answer, n=desk.n)).result(20)

    def audited(self) -> None:
        wrong = audit(self.app.stage)
        assert wrong == [], (self.prompt.title, wrong)

    # -- time

    def until(self, there: Callable[[], object]) -> None:
        """Lets time pass until something is there."""
        self.rig.until(there)

    def calm(self) -> None:
        """Lets the desk do all it was told, and the screen draw it."""
        for _ in range(3):
            if self.app.playing.seat is not None:
                self.see(lambda _: None)
            self.rig.settle(2)

    # -- touches

    def tap(self, target: Any, y: float | None = None) -> None:
        """Taps as soon as touches are heard, without waiting for that, and waits for what follows."""
        ears.listen()
        self.taps += 1
        self.rig.tap(target, y)
        self.calm()

    def tap_row(self, rows: Any, place: int) -> None:
        """Taps a row of a list; it is scrolled to first."""
        rows.reveal(place)
        self.rig.settle(6)
        high, scale = rows.high, float(theme.scale)
        beyond = max(0.0, high * len(rows.shown) - rows.height / scale)
        left, top = rows.to_window(rows.x, rows.top)
        x = (left + rows.width / 2) / scale
        self.tap(x, (Window.height - top) / scale + high * (place + 0.5) - (1 - rows.scroll_y) * beyond)
        self.rig.wait(0.3)

    def hold(self, target: Any) -> None:
        ears.listen()
        self.rig.hold(target)
        self.calm()

    def looks_up(self, asked: Any) -> None:
        """The "?" of the open question opens its article, and back the same question is open, as it was."""
        key, article = self.prompt.key, self.prompt.article
        assert article
        self.tap(asked)
        assert self.app.visits[-1].given["article"] == article
        self.app.back()
        self.calm()
        assert self.prompt.key == key

    def force(self, target: Any) -> None:
        """Holds something, and goes on from what it means to the referee's word on it."""
        self.hold(target)
        assert self.controller.explanation is not None
        self.audited()
        self.tap(self.screen.legend.forced)

    def key(self, label: str, where: Any = None) -> Any:
        """The key with a label."""
        root = where or self.screen
        found = [w for w in root.walk(restrict=True) if getattr(getattr(w, "shown", None), "label", None) == label]
        found = [w for w in found if getattr(w, "heard", False)]
        assert found, (label, self.texts())
        return found[0]

    def key_of_more(self) -> Any:
        """The key that opens the menu."""
        return self.screen.bar.menu if self.controller.layout == "landing" else self.screen.band.more

    def answer(self, key: AnswerKey) -> None:
        """Answers by touch, whatever that takes: turning the page, the key, and Accept."""
        if self.controller.layout == "queue":
            self._band(key)
            return
        if self.controller.layout == "attack":
            self._attack(key)
            return
        if self.controller.layout == "seen":
            self._seen(key)
            return
        if self.controller.layout == "landing":
            self.land(key)
            return
        band = self.screen.band
        at = self.prompt.keys.index(key)
        if band.rows.parent is band:
            self.tap_row(band.rows, at)
            return
        for _ in range(40):
            if self.controller.card is not None and self.prompt.chosen == at:
                self.tap(self.screen.card.accept)
                return
            paged = [place for place, _ in band.paged()]
            if at in paged:
                before = self.prompt
                self.tap(band.keys[paged.index(at)])
                if self.prompt.key != before.key or not key.accept:
                    return
            else:
                self.tap(band.keys[-1])
        raise AssertionError(f"{key.label} cannot be reached")

    def reach(self, key: AnswerKey) -> Any:
        """The key of a space in the list of what happens, its page turned to."""
        screen = self.screen
        for _ in self.prompt.pages:
            shown = screen.outcomes.shown[0] if screen.outcomes in screen.here else ()
            keys = [one for row in shown for one in reversed(row.keys)]
            if key in keys:
                return screen.outcomes.keys[keys.index(key)]
            self.tap(screen.outcomes.more if shown else screen.risk.back)
        raise AssertionError(f"{key.label} cannot be reached")

    def land(self, key: AnswerKey) -> None:
        """A space: its key, and Accept where it costs something or dice are rolled."""
        asks = self.prompt.key
        if not (key.accept and self.prompt.keys[self.prompt.chosen] == key):
            self.tap(self.reach(key))
        if self.prompt.key == asks and key.accept:
            self.tap(self.screen.lands)

    def _seen(self, key: AnswerKey) -> None:
        """A quick key of a corner sheet, and Accept where it costs something or dice are rolled."""
        asks = self.prompt.key
        self.tap(self.key(key.label, self.screen.seen))
        if self.prompt.key == asks and self.controller.card is not None:
            self.tap(self.screen.card.accept)

    def _attack(self, key: AnswerKey) -> None:
        """The weapon, the target, and then the key that fires, reloads or passes."""
        screen = self.screen
        if key.answer is None:
            self.tap(screen.attack_band.skip)
            return
        assert isinstance(key.answer, dict)
        cards = [fact["card"] for fact in self.see(lambda desk: desk.asked.fields["weapons"])]
        row = screen.weapons.rows[cards.index(key.answer.get("fire", key.answer.get("reload")))]
        if not row.shown.chosen:
            self.tap(row)
        band = screen.attack_band.band
        for _ in range(40):
            if self.prompt.keys[self.prompt.chosen] == key:
                self.tap(screen.attack_band.act)
                return
            answers = [answer.answer for _, answer in band.paged()]
            self.tap(band.keys[answers.index(key.answer)] if key.answer in answers else band.keys[-1])
        raise AssertionError(f"{key.label} cannot be reached")

    def _band(self, key: AnswerKey) -> None:
        for widget in self.screen.band.keys:
            faces = [int(face) for face in widget.face.label.split("–")]
            if faces[0] <= int(key.label) <= faces[-1]:
                self.tap(widget)
                return
        raise AssertionError(f"{key.label} is on no key")

    def play(self, driver: Any, until: Callable[[Asked], bool] = lambda asked: False, most: int = 2000) -> None:
        """Answers by touch until a question comes, or the race is over."""
        for _ in range(most):
            asked: Asked | None = self.see(lambda desk: desk.asked)
            if asked is None or until(asked):
                return
            self.one(driver)

    def one(self, driver: Any) -> None:
        """One answer by touch, once its question is seen whole; where it is no key of its own the nearest offered."""
        self.until(lambda: self.prompt.n == self.see(lambda desk: desk.n))
        answer = self.wanted(driver)
        keys = [key for key in self.prompt.keys if not key.why]
        key = next((key for key in keys if key.answer == answer and type(key.answer) is type(answer)), None)
        before = self.see(lambda desk: desk.seq)
        if key is not None:
            self.answer(key)
        elif self.controller.layout == "pools":
            self.tap(self.key(theme.say("done"), self.screen.pools))
        elif keys:
            self.answer(keys[0])
        else:
            self.tap(self.screen.form.done)
        assert self.see(lambda desk: desk.seq) > before, (self.prompt.title, answer, self.texts())

    def close(self) -> None:
        self.app.close()


def skip(table: Table, driver: Any, until: Callable[[Asked], bool], most: int = 3000) -> None:
    """Goes on without touches until a question comes."""

    def go(desk: RaceDesk) -> None:
        for _ in range(most):
            asked = desk.asked
            if asked is None or until(asked):
                return
            desk.answer(driver.answer(asked, desk.rulebook.race), n=asked.n, by="table")

    table.see(go)
    assert table.app.playing.seat is not None
    table.app.playing.seat.price("always")
    table.calm()


def quick_folder() -> Path:
    """A folder in memory where there is one."""
    place = Path("/dev/shm")
    return Path(tempfile.mkdtemp(prefix="companion-race-", dir=place if place.exists() else None))


def gone(folder: Path) -> None:
    shutil.rmtree(folder, ignore_errors=True)
