"""A seat under test: every picture it hands over is kept, and what was meant is waited for."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from companion import circuits
from companion.desk import RaceDesk
from companion.drivers.sensible import HeuristicDriver
from companion.rules.conversation.asking import Json
from companion.rules.rulebooks import begin
from companion.screens.app.seat import RaceSession
from companion.view.race.race import race
from companion.view.race.rolls import waits
from companion.view.shown import AnswerKey, Prompt
from companion.view.shown_race import RaceShown
from companion.view.sight import Sight
from companion.wording import Words

DRIVERS = ("Ada", "Bruno Vidal", "Chloé Vidal", "Ñandú Żak", "", "Ада Ким", "Élodie de la Fontaine-Dubois", "Al")


def a_desk(key: str = "monaco", many: int = 8, **setup: Any) -> RaceDesk:
    """A race in memory."""
    track = circuits.board(key)
    setup.setdefault("cars", [{"car": n, "driver": DRIVERS[(n - 1) % len(DRIVERS)]} for n in range(1, many + 1)])
    setup = {"track": track.key, **setup}
    return RaceDesk(begin(setup, track), setup=setup)


def every_question_shown(desk: RaceDesk, lang: str) -> set[str]:
    """Plays a race to its end and looks at whatever it asks; which questions there were."""
    driver, words = HeuristicDriver(circuits.load(desk.rulebook.track.key), 6), Words(lang, desk.rulebook.name)
    seen = set()
    while (asked := desk.asked) is not None:
        if desk.rulebook.round % 6 == 0 or asked.what not in seen:
            seen.add(asked.what)
            assert race(Sight(desk, words)).prompt is not None
        desk.answer(driver.answer(asked, desk.rulebook.race), by="table")
    return seen


class Watched:
    """A seat and what it has shown."""

    def __init__(self, make: Callable[[], RaceDesk], **how: Any) -> None:
        self.shown: list[RaceShown] = []
        self.left = 0
        self.desk: RaceDesk
        self.seat = RaceSession(lambda: self._keep(make()), self.shown.append, stopped=self._leave, **how)
        self.wait()

    def _keep(self, desk: RaceDesk) -> RaceDesk:
        self.desk = desk
        return desk

    def _leave(self) -> None:
        self.left += 1

    def wait(self) -> RaceShown:
        """The picture when everything meant so far, and what followed from it, is done and counted."""
        behind = 2
        while behind > 0 or waits(self.last.risk):
            self.seat.see(lambda desk, words: None).result(timeout=60)
            behind -= 1
        return self.shown[-1]

    @property
    def last(self) -> RaceShown:
        return self.shown[-1]

    @property
    def prompt(self) -> Prompt:
        return self.last.prompt

    def answer(self, answer: Json, **how: Any) -> RaceShown:
        """Answers the question that is shown."""
        self.seat.answer(self.prompt.n, answer, **how)
        return self.wait()

    def key(self, answer: Json) -> AnswerKey | None:
        """The key of an answer."""
        keys = (key for key in self.prompt.keys if not key.why)
        return next((key for key in keys if key.answer == answer and type(key.answer) is type(answer)), None)
