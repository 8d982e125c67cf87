"""The guided lap for a new referee: what to do, its cost and the reason.

The program drives the other cars, and would itself take the answers it advises.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import msgspec

from companion.desk import RaceDesk
from companion.drivers import Driver
from companion.drivers.sensible import HeuristicDriver
from companion.rules.circuit.track import Track
from companion.rules.conversation.asking import Asked, Json
from companion.rules.conversation.faces import GEAR_DICE
from companion.sheets.entrants import RaceEntrant
from companion.view.setup.draft import first, setup_of
from companion.view.shown import AnswerKey, Price, Prompt
from companion.view.shown_race import Guide, Lesson
from companion.view.sight import NOTHING, Sight

STEPS: Final[tuple[Lesson, ...]] = ("start", "roll", "space", "gear", "corner", "flag")
"""Lessons in the order in which they come, and are counted; any other question is explained separately."""
OF_ASK: Final[dict[str, Lesson]] = {
    "start": "start", "gear": "gear", "roll": "roll", "landing": "space", "test": "test",
}  # fmt: skip
DRIVERS: Final = ("Ada", "Bruno", "Chloé", "Dario")
"""Drivers of the lesson; the pupil is the first."""
PUPIL: Final = 1
NEAR: Final = 12
"""Distance to a corner from which the gear has to be chosen for it, in spaces."""


def guided(lang: str) -> dict[str, Json]:
    """Return the setup of a guided lap by the beginner's rules.

    Four cars are on the grid, with nothing to settle before the start.
    """
    draft = first("beginner").but(laps=1)
    for place, name in enumerate(DRIVERS):
        draft = draft.entering(RaceEntrant(number=place + 1, name=name, colour=place))
    return setup_of(draft, lang) | {"grid": [entrant.number for entrant in draft.entrants]}


class CornerAhead(NamedTuple):
    """The next corner that wants stops, seen from a car.

    `near` and `far` are the distances to its first and last space, `stops` those still wanted, `inside` True if the car
    is in it.
    """

    near: int
    far: int
    stops: int
    inside: bool


class Teacher:
    """The teacher of one lap.

    `driver` answers for the other cars and advises the pupil. Use only in the desk's thread.
    """

    def __init__(self, desk: RaceDesk) -> None:
        track = desk.rulebook.track
        assert isinstance(track, Track)
        self.track, self.eyes = track, HeuristicDriver(track, 4)
        self.driver: Driver = self.eyes
        self._advice: tuple[int, Json] | None = None
        """Last entry, and the answer advised after it."""
        self.given: dict[Lesson, int] = {}
        """Question at which each lesson was first given."""

    def drive(self, desk: RaceDesk) -> bool:
        """Answer for the other cars until the pupil is asked; return True if any answered.

        After an undo it waits while the desk is held.
        """
        before = desk.seq
        while (asked := desk.asked) is not None and asked.car != PUPIL and not desk.auto_answers_paused:
            desk.answer(self.driver.answer(asked, desk.rulebook.race), n=asked.n, by="driver:sensible")
        return desk.seq > before

    def guide(self, sight: Sight, prompt: Prompt) -> Guide | None:
        """Return the guide's text for the open question; None if another car is asked."""
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

    def space(self, desk: RaceDesk) -> Json:
        """Return the space that the pupil is advised to take; NOTHING if another question is open."""
        asked = desk.asked
        if asked is None or asked.ask != "landing" or asked.car != PUPIL:
            return NOTHING
        return self._answer(asked, desk)

    def _answer(self, asked: Asked, desk: RaceDesk) -> Json:
        """Return the driver's answer; it is asked once a question, so that the advice stays the same."""
        if self._advice is None or self._advice[0] != desk.seq:
            self._advice = desk.seq, self.driver.answer(asked, desk.rulebook.race)
        return self._advice[1]

    def legends(self, sight: Sight, prompt: Prompt) -> Prompt:
        """Return the question with each gear's prospects at a near corner; a gear's cost comes first."""
        asked = sight.asked
        corner = self._corner(sight) if asked is not None and asked.ask == "gear" and asked.car == PUPIL else None
        if corner is None:
            return prompt
        return msgspec.structs.replace(prompt, keys=tuple(_legend(sight, key, corner) for key in prompt.keys))

    def _lesson(self, asked: Asked | None, corner: CornerAhead | None) -> Lesson:
        if asked is None:
            return "flag"
        if corner is not None and "gear" in self.given and self.given["gear"] != asked.n:
            return "corner"
        return OF_ASK.get(asked.ask, "other")

    def _corner(self, sight: Sight) -> CornerAhead | None:
        """Return the corner to choose the gear for, if one is near."""
        car = sight.cars[PUPIL]
        space = self.track.ids.get(car.at or "", -1)
        if space < 0 or car.status != "racing":
            return None
        near, far, stops, goal, _ = self.eyes.view(space, car.stops)
        inside = self.track.corner[space] == goal and near == 1
        return CornerAhead(near, far, stops, inside) if goal >= 0 and near <= NEAR else None

    def _advised(self, sight: Sight, asked: Asked | None, prompt: Prompt) -> AnswerKey | None:
        """Return the key that the driver would choose; None for a die."""
        if asked is None or asked.faces is not None or not prompt.keys:
            return None
        answer = self._answer(asked, sight.desk)
        return next((key for key in prompt.keys if key.answer == answer and not key.why), None)

    @staticmethod
    def _range(gear: int) -> dict[str, Json]:
        faces = GEAR_DICE[gear]
        return {"gear": gear, "low": min(faces), "high": max(faces)}


def fits(corner: CornerAhead, gear: int) -> str:
    """Return how a gear's die fits a corner.

    "in" if every roll ends in it, "over" if some pass it, "short" if none reach it, "part" if some do.
    """
    low, high = min(GEAR_DICE[gear]), max(GEAR_DICE[gear])
    if high > corner.far:
        return "over"
    if high < corner.near:
        return "short"
    return "in" if low >= corner.near else "part"


def _legend(sight: Sight, key: AnswerKey, corner: CornerAhead) -> AnswerKey:
    """Return a gear's key with where its die may end; unchanged if barred or costly."""
    if key.why or any(price.tone != "ok" for price in key.prices):
        return key
    faces = GEAR_DICE[int(key.answer)]
    if max(faces) > corner.far:
        over = sight.say("guide.legend.over", least=max(0, min(faces) - corner.far), most=max(faces) - corner.far)
        return msgspec.structs.replace(key, prices=(Price(text=over, tone="warn"),))
    if min(faces) < corner.near or not key.prices:
        return key
    return msgspec.structs.replace(key, prices=(Price(text=sight.say("guide.legend.inside"), tone="ok"),))
