"""A table for tests: begins a race or a position and answers its questions. It knows no rule."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any

import pytest

from companion.circuits import load
from companion.rules.circuit.file import load_track
from companion.rules.circuit.track import Track
from companion.rules.conversation.asking import Option, Ruling
from companion.rules.conversation.conversation import Conversation
from companion.rules.conversation.errors import BadAnswer
from companion.rules.dice.state import Car
from companion.rules.rulebooks import begin
from companion.wording import Words

WEAR = {"tyres": 6, "brakes": 3, "gearbox": 3, "body": 3, "engine": 3, "handling": 2}


@lru_cache(maxsize=64)
def _board(text: str) -> Track:
    """A circuit that stands in a test as text, read once."""
    return load_track(text, "a board in a test", "board")


class Talking:
    """A race under test, of any rulebook, and what is said in it."""

    def __init__(self, rulebook: Any) -> None:
        self.rulebook = rulebook
        self.talk = Conversation(rulebook)
        self.rulings: list[Ruling] = list(self.talk.opening)
        """Every ruling so far."""

    @property
    def race(self) -> Any:
        return self.rulebook.race

    def say(self, *answers: Any) -> list[Ruling]:
        """Gives answers in turn; returns the rulings of the last one."""
        noted: list[Ruling] = []
        for answer in answers:
            noted = self.talk.answer(answer)
            self.rulings += noted
        return noted

    def asks(self, lang: str) -> str:
        """The open question as the table reads it."""
        asked = self.talk.asked
        assert asked is not None
        return Words(lang, self.rulebook.name).question(asked)

    def told(self, kind: str, lang: str) -> str:
        """The last ruling of a kind as the table reads it."""
        ruling = next(ruling for ruling in reversed(self.rulings) if ruling.kind == kind)
        return Words(lang, self.rulebook.name).ruling(ruling)

    def refuses(self, answer: Any, match: str | None = None) -> None:
        """The open question refuses that answer, and nothing has changed."""
        before = self.talk.digest
        with pytest.raises(BadAnswer, match=match):
            self.talk.answer(answer)
        assert self.talk.digest == before


class Table(Talking):
    """One race under test.

    `cars` are setup cars; with `to_play` the race begins in the middle. Whatever a car leaves out gets a full set of
    wear, hard tyres and, in the middle of a race, lap 1, or the first that goes with its tyres or a place in the pits;
    a car with more points than the book gives it is of a table that gives more. `track` is a circuit's name, or a whole
    circuit as text.
    """

    def __init__(self, cars: Sequence[dict[str, Any]], track: str = "monaco", **setup: Any) -> None:
        board = _board(track) if "\n" in track else load(track)
        if "to_play" in setup:
            cars = [{"wear": _broken(car), "tyres": "hard", **_lap(car), "status": "racing", **car} for car in cars]
            cars = [_with_stops(car, board) for car in cars]
            _give_points(cars, setup)
        setup.setdefault("laps", max(3, *(car.get("tyre_laps", 0) + 2 for car in cars)))
        super().__init__(begin({"track": board.key, **setup, "cars": list(cars)}, board))

    def car(self, number: int) -> Car:
        return self.rulebook.car(number)

    @property
    def open(self) -> tuple[str, int | None, str] | None:
        """What is asked, of which car, about what."""
        question = self.talk.question
        return None if question is None else (question.ask, question.car, question.what)

    @property
    def ask(self) -> str | None:
        return None if self.talk.question is None else self.talk.question.ask

    @property
    def options(self) -> list[Option]:
        question = self.talk.question
        assert question is not None
        return list(question.options())

    @property
    def fields(self) -> dict[str, Any]:
        """What the open question says besides its options."""
        question = self.talk.question
        assert question is not None
        assert question.fields is not None
        return question.fields

    def option(self, answer: Any = None, **parts: Any) -> Option:
        """The one option with that answer, or the one whose answer has these parts (space, brakes, soft)."""
        found = [
            option
            for option in self.options
            if (option.answer == answer if answer is not None else _has(option.answer, parts))
        ]
        assert len(found) == 1, f"{len(found)} options of {[option.answer for option in self.options]}"
        return found[0]

    def spaces(self, brakes: int = 0, soft: int = 0) -> set[str]:
        """The spaces offered by the open landing question for that many brakes."""
        return {
            option.answer["space"]
            for option in self.options
            if option.answer and option.answer["brakes"] == brakes and option.answer["soft"] == soft
        }

    def land(self, space: str, brakes: int = 0, soft: int = 0) -> list[Ruling]:
        """Answers a landing or slipstream by space; where ways differ in what they cross, the first offered."""
        for option in self.options:
            if _has(option.answer, {"space": space, "brakes": brakes, "soft": soft}):
                return self.say(option.answer)
        raise AssertionError(f"{space} with {brakes} brakes is not among {[o.answer for o in self.options]}")

    def until(self, wanted: Callable[[], bool] | str, face: int = 20) -> None:
        """Answers black dice by `face` until a question of that kind (or what `wanted` says) is open."""
        done = wanted if callable(wanted) else lambda: self.ask == wanted
        while not done():
            assert self.ask in ("test", "start"), f"{self.open} is not a black die"
            self.say(face)

    def tested(self, what: str, faces: dict[int, int] | None = None) -> list[tuple[int, int]]:
        """Answers the tests of that matter, with 20 or what `faces` says of a car; returns each car in order with the
        face up to which it loses."""
        found = []
        while (question := self.talk.question) is not None and question.what == what:
            assert question.car is not None
            found.append((question.car, self.fields["loses_to"]))
            self.say((faces or {}).get(question.car, 20))
        return found

    def kinds(self, car: int | None = None) -> list[str]:
        """The kinds of all rulings so far, of one car if named."""
        return [ruling.kind for ruling in self.rulings if car is None or ruling.car == car]

    def ruling(self, kind: str, car: int | None = None) -> Ruling:
        """The last ruling of a kind."""
        return next(r for r in reversed(self.rulings) if r.kind == kind and (car is None or r.car == car))


def _broken(car: dict[str, Any]) -> dict[str, int]:
    """A full set of wear; a coasting car has no engine left of it."""
    return {**WEAR, "engine": 0} if car.get("status") == "coasting" else dict(WEAR)


def _has(answer: Any, parts: dict[str, Any]) -> bool:
    return isinstance(answer, dict) and all(answer.get(name) == value for name, value in parts.items())


def _lap(car: dict[str, Any]) -> dict[str, Any]:
    """Lap 1, unless the rest of what is said of a car says which it is at least."""
    told = car.get("tyre_laps") or car.get("status") == "finished" or str(car.get("at")).startswith(("pit:", "box:"))
    return {} if told else {"lap": 1}


def _with_stops(car: dict[str, Any], track: Track) -> dict[str, Any]:
    """A car with the stops that a test says, unless it stands on a straight, where none counts."""
    at = str(car.get("at"))
    corner = track.corner[track.ids[at]] >= 0 if at in track.ids else at.startswith("corner:")
    return car if corner else {name: value for name, value in car.items() if name != "stops"}


def _give_points(cars: list[dict[str, Any]], setup: dict[str, Any]) -> None:
    """Lets the table give the cars of a position as many points as they have."""
    points = [{**car["wear"], **car.get("built", {})} for car in cars]
    options = setup.get("options", {})
    book = setup.get("rulebook", "competition")
    if book == "competition":
        most = max(sum(one.values()) + car.get("stand", 0) for one, car in zip(points, cars, strict=True))
        if most > 22:
            setup["options"] = {"car_points": most - 2, **options}
    elif book == "cup" and any(sum(one.values()) > sum(WEAR.values()) + 2 for one in points):
        setup["options"] = {"team_points": 40, **options}
