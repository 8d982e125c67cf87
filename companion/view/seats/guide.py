"""A guided lap: what to do, what it costs and why, for whoever referees for the first time. The program drives the
other cars, and would itself take what it advises."""

from __future__ import annotations

from typing import Final, NamedTuple

import msgspec

from companion.desk import RaceDesk
from companion.drivers import Driver
from companion.drivers.sensible import HeuristicDriver
from companion.rules.circuit.track import Track
from companion.rules.conversation.asking import Asked, Json
from companion.rules.conversation.faces import GEAR_DICE
from companion.sheets.entrants import Entrant
from companion.view.setup.draft import first, setup_of
from companion.view.shown import Key, Price, Prompt
from companion.view.shown_race import Guide, Lesson
from companion.view.sight import Sight

STEPS: Final[tuple[Lesson, ...]] = ("start", "gear", "roll", "space", "corner", "flag")
"""The lessons in the order in which they are counted; what else may be asked is explained beside them."""
OF_ASK: Final[dict[str, Lesson]] = {
    "start": "start", "gear": "gear", "roll": "roll", "landing": "space", "test": "test",
}  # fmt: skip
DRIVERS: Final = ("Ada", "Bruno", "Chloé", "Dario")
"""Who drives; the first is the pupil's."""
PUPIL: Final = 1
NEAR: Final = 12
"""A corner within so many spaces is one that the gear has to be chosen for."""


def guided(lang: str) -> dict[str, Json]:
    """The setup of a guided lap by the beginner's rules: four cars on the grid, and nothing to settle before the
    start."""
    draft = first("beginner").but(laps=1)
    for place, name in enumerate(DRIVERS):
        draft = draft.entering(Entrant(number=place + 1, name=name, colour=place))
    return setup_of(draft, lang) | {"grid": [entrant.number for entrant in draft.entrants]}


class Corner(NamedTuple):
    """The next corner that wants stops, from a car: the first and last space of it, how many stops, and whether the car
    is in it."""

    near: int
    far: int
    stops: int
    inside: bool


class Teacher:
    """Gives the lessons of one lap, in the desk's thread; `driver` answers for the other cars, and is asked for
    advice."""

    def __init__(self, desk: RaceDesk) -> None:
        track = desk.rulebook.track
        assert isinstance(track, Track)
        self.track, self.eyes = track, HeuristicDriver(track, 4)
        self.driver: Driver = self.eyes
        self.given: dict[Lesson, int] = {}
        """At which question each lesson was given first."""

    def drive(self, desk: RaceDesk) -> bool:
        """Answers for the others until the pupil is asked, whether anything was; not what has just been taken back."""
        before = desk.seq
        while (asked := desk.asked) is not None and asked.car != PUPIL and not desk.held:
            desk.answer(self.driver.answer(asked, desk.rulebook.race), n=asked.n, by="driver:sensible")
        return desk.seq > before

    def guide(self, sight: Sight, prompt: Prompt) -> Guide | None:
        """What is said of the open question; nothing of another's."""
        asked = sight.asked
        if asked is not None and asked.car != PUPIL:
            return None
        corner = self._corner(sight) if asked is not None and asked.ask == "gear" else None
        lesson = self._lesson(asked, corner)
        fresh = self.given.setdefault(lesson, sight.desk.n) == sight.desk.n
        key = self._advised(sight, asked, prompt)
        facts: dict[str, Json] = {"advised": key.label if key is not None else ""}
        overs: tuple[tuple[str, str], ...] = ()
        if asked is not None and asked.ask == "roll":
            facts |= self._range(int(asked.what[-1]))
        if corner is not None and key is not None:
            facts |= self._range(int(key.answer)) | corner._asdict() | {"fits": fits(corner, int(key.answer))}
            overs = tuple(
                (one.label, sight.say("guide.over", gear=one.answer, over=over))
                for one in prompt.keys
                if not one.why and (over := max(GEAR_DICE[int(one.answer)]) - corner.far) > 0
            )
        if asked is None:
            facts |= {"place": sight.race.order.index(PUPIL) + 1, "cars": len(sight.cars)}
        return Guide(
            lesson=lesson,
            step=STEPS.index(lesson) + 1 if lesson in STEPS else 0,
            name=sight.say(f"guide.step.{lesson}"),
            done=tuple(one in self.given and one != lesson for one in STEPS),
            what=sight.say(f"guide.what.{lesson}", **facts),
            todo=sight.say(f"guide.todo.{lesson}", **facts),
            advised=key.label if key is not None else "",
            again=sight.say("guide.again", advised=key.label) if key is not None else "",
            overs=overs,
            fresh=fresh,
        )

    def legends(self, sight: Sight, prompt: Prompt) -> Prompt:
        """The question with what the die of each gear does at a corner that is near; what a gear costs comes first."""
        asked = sight.asked
        corner = self._corner(sight) if asked is not None and asked.ask == "gear" and asked.car == PUPIL else None
        if corner is None:
            return prompt
        return msgspec.structs.replace(prompt, keys=tuple(_legend(sight, key, corner) for key in prompt.keys))

    def _lesson(self, asked: Asked | None, corner: Corner | None) -> Lesson:
        if asked is None:
            return "flag"
        if corner is not None and "gear" in self.given and self.given["gear"] != asked.n:
            return "corner"
        return OF_ASK.get(asked.ask, "other")

    def _corner(self, sight: Sight) -> Corner | None:
        """The corner that the gear is chosen for, if one is near."""
        car = sight.cars[PUPIL]
        space = self.track.ids.get(car.at or "", -1)
        if space < 0 or car.status != "racing":
            return None
        near, far, stops, goal, _ = self.eyes.view(space, car.stops)
        inside = self.track.corner[space] == goal and near == 1
        return Corner(near, far, stops, inside) if goal >= 0 and near <= NEAR else None

    def _advised(self, sight: Sight, asked: Asked | None, prompt: Prompt) -> Key | None:
        """The key that the driver would take; a die has none."""
        if asked is None or asked.faces is not None or not prompt.keys:
            return None
        answer = self.driver.answer(asked, sight.book.race)
        return next((key for key in prompt.keys if key.answer == answer and not key.why), None)

    @staticmethod
    def _range(gear: int) -> dict[str, Json]:
        faces = GEAR_DICE[gear]
        return {"gear": gear, "low": min(faces), "high": max(faces)}


def fits(corner: Corner, gear: int) -> str:
    """How a gear's die goes with a corner: every roll "in" it, some "over" it, all "short" of it, or some of them
    ("part")."""
    low, high = min(GEAR_DICE[gear]), max(GEAR_DICE[gear])
    if high > corner.far:
        return "over"
    if high < corner.near:
        return "short"
    return "in" if low >= corner.near else "part"


def _legend(sight: Sight, key: Key, corner: Corner) -> Key:
    """A gear with where its die may end; one that is barred, or costs something, as it is."""
    if key.why or any(price.tone != "ok" for price in key.prices):
        return key
    faces = GEAR_DICE[int(key.answer)]
    if max(faces) > corner.far:
        over = sight.say("guide.legend.over", least=max(0, min(faces) - corner.far), most=max(faces) - corner.far)
        return msgspec.structs.replace(key, prices=(Price(text=over, tone="warn"),))
    if min(faces) < corner.near or not key.prices:
        return key
    return msgspec.structs.replace(key, prices=(Price(text=sight.say("guide.legend.inside"), tone="ok"),))
