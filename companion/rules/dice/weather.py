"""The weather of the race: drawn before it, and where it is changeable drawn again. Article 3."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from companion.rules.circuit.leg import Landing
from companion.rules.conversation.asking import Json, Procedure, QuestionWithdrawn, ask
from companion.rules.conversation.faces import Band, Face, divided
from companion.rules.conversation.kinds import Sky, Surface
from companion.rules.dice.chapter import DiceChapter, F, R
from companion.rules.dice.questions import PracticeDie, TestDie
from companion.rules.dice.state import C
from companion.rules.dice.wear import Cost, ForetoldTest

LADDER: Final[tuple[tuple[Sky, Surface], ...]] = (
    ("sun", "dry"),
    ("changeable", "dry"),
    ("changeable", "wet"),
    ("rain", "wet"),
)
"""The four rungs of the weather of Formula D, from the top."""


def climbed(sky: Sky, *, wet: bool, drawn: Sky) -> tuple[Sky, Surface]:
    """Return the sky and the track a rung up the ladder for sun, a rung down for rain, the same for changeable.

    >>> climbed("changeable", wet=True, drawn="sun"), climbed("changeable", wet=True, drawn="rain")
    (('changeable', 'dry'), ('rain', 'wet'))
    """
    last = len(LADDER) - 1
    rung = {"sun": 0, "rain": last}.get(sky, 1 + wet) + {"sun": -1, "rain": 1}.get(drawn, 0)
    return LADDER[min(max(rung, 0), last)]


class Weather(DiceChapter[C, R, F]):
    """The weather, and its effect on the track."""

    def weather_die(self, car: C) -> TestDie | None:
        """Return the black die of the circuit's weather chart; None once the sky is known before the start.

        [3-0-2, 3-0-3, 3-0-4]
        """
        if self.race.phase == "setup" and self.race.sky:
            return None
        return self.chart_die(car)

    def chart_die(self, car: C) -> TestDie:
        """Return the black die read on the circuit's weather chart, before the race and in it [3-0-4]."""
        return TestDie(car.number, self.article("3-0-4"), "weather", *self._chart())

    def _chart(self) -> tuple[Sequence[Band], dict[str, Json]]:
        """Return the bands of the circuit's weather chart, and the first and last face that bring each sky."""
        chart = self.track.weather
        facts = {"rain": list(chart.rain), "changeable": list(chart.changeable), "sun": list(chart.sun)}
        return divided(chart.rain[1], chart.changeable[1], chart.sun[1]), facts

    def draw_weather(self, pole: C) -> Procedure[None]:
        """Draw the weather of the race for pole: sun or rain stay for all of it, changeable may change.

        A changeable one begins as the practice left the track [2-0-1, 3-0-2, 3-2-1, 3-2-2, 3-2-3, 3-2-4].
        """
        face = yield from ask(self.weather_die, pole)
        sky = self.track.weather.sky(face)
        self.race.sky = sky
        self.race.fixed = sky != "changeable"
        if sky != "changeable":
            self.race.surface = "wet" if sky == "rain" else "dry"
        self.rule(
            "weather",
            _OPENING[sky],
            pole,
            face=face,
            sky=sky,
            surface=self.race.surface,
            fixed=self.race.fixed,
        )
        if sky == "changeable":
            yield from self.surface_from_practice(pole)

    def given_sky(self) -> None:
        """Take a sky that the setup brings: sun or rain stay for all of the race as if drawn.

        [3-2-2, 3-2-3]
        """
        race = self.race
        if race.sky != "changeable":
            race.fixed = True
            race.surface = race.surface or ("wet" if race.sky == "rain" else "dry")

    def sky_by_word(self) -> None:
        """Take a sky that the referee sets before the start as the one drawn, whatever was drawn before.

        [2-0-1, 3-2-2, 3-2-3, 3-2-4]
        """
        self.race.surface, self.race.fixed = "", False
        self.given_sky()

    def practice_die(self, pole: C) -> PracticeDie | None:
        """Return the black die of the last practice, until the track is known to be dry or wet [3-1-1].

        It is read on the circuit's weather chart as that of the race is.
        """
        if self.race.surface:
            return None
        return PracticeDie(pole.number, self.article("3-1-1"), "", *self._chart())

    def practice_drawn(self, pole: C) -> Procedure[Sky]:
        """Return the sky of the last practice: by its die on the chart, or as the table heard it.

        [3-1-1 to 3-1-4]
        """
        shown = yield from ask(self.practice_die, pole)
        if isinstance(shown, str):
            return shown
        sky = self.track.weather.sky(shown)
        self.rule("practice", _PRACTICE[sky], pole, face=shown, sky=sky)
        return sky

    def surface_from_practice(self, pole: C) -> Procedure[None]:
        """Under a changeable sky the race starts wet only if it rained in the last practice [3-1-2 to 3-1-4, 3-2-4]."""
        practice = self.race.practice or (yield from self.practice_drawn(pole))
        self.race.practice = practice
        self.race.surface = self.practice_surface(practice)
        self.rule("surface", "3-2-4", None, surface=self.race.surface, practice=practice)

    def practice_surface(self, sky: Sky) -> Surface:
        """Return the surface after a practice: wet only in rain, on every table.

        Under sun or clouds it is dry [3-1-1, 3-1-2, 3-1-3, 3-1-4].
        """
        return "wet" if sky == "rain" else "dry"

    def weather_is_due(self, car: C) -> Procedure[None]:
        """Make a draw due at the end of the round for a 20 in 5th or a 30 in 6th under a changeable sky.

        [3-2-4, 3-2-5, ruling 95]
        """
        if not self.race.fixed:
            self.falls_due(car)
        yield from ()

    def falls_due(self, car: C) -> None:
        """Note that the weather will be drawn again for a car [3-2-5, ruling 95]."""
        self.race.due.append(car.number)
        self.rule("weather_due", "3-2-5", car)

    def may_change(self) -> bool:
        """Only under a changeable sky is the weather drawn again, until it is fixed [3-2-4, 3-2-6.4]."""
        return bool(self.race.sky) and not self.race.fixed

    def may_turn_wet(self) -> bool:
        """Return True if a draw may yet make a dry track wet [3-2-4, 3-2-6.2]."""
        return self.may_change() and not self.wet

    def foretell(self, there: C, landing: Landing, cost: Cost) -> list[ForetoldTest]:
        """Return the draws that are due before a turn is over that ends with a car as it stands there.

        In most rulebooks the weather waits for the end of the round.
        """
        return []

    def draw_again(self) -> Procedure[None]:
        """Draw at the end of the round, once for each 20 or 30 in that order, until the weather is fixed.

        [3-2-4, 3-2-5, rulings 95, 97]
        """
        while self.race.due:
            if self.race.fixed:
                self.race.due.clear()
                return
            car = self.car(self.race.due[0])
            try:
                face = yield from ask(self.due_die, car)
            except QuestionWithdrawn:
                continue
            self.race.due.pop(0)
            self.evolve(car, face, self.track.weather.sky(face))

    def due_die(self, car: C) -> TestDie | None:
        """Return the die of the draw that is due next, or None once it is not due to this car any more.

        [3-2-5]
        """
        return self.weather_die(car) if self.race.due[:1] == [car.number] else None

    def evolve(self, car: C, face: Face, sky: Sky) -> None:
        """Change the weather: sun dries the track and rain wets it for the time being; changeable leaves it.

        Sun or rain drawn twice running stays for the rest of the race [3-2-6, 3-2-6.5, ruling 96].
        """
        race = self.race
        before, old = race.surface, race.sky
        if sky == race.drawn and sky != "changeable":
            race.fixed = True
        if sky == "sun":
            race.surface = "dry"
        elif sky == "rain":
            race.surface = "wet"
        race.sky = race.drawn = sky
        article = self.transition(old, sky)
        self.rule("weather", article, car, face=face, sky=sky, surface=race.surface, fixed=race.fixed)
        if race.surface != before:
            self.rule("surface", "3-2-6.5", None, surface=race.surface)

    def transition(self, old: Sky, sky: Sky) -> str:
        """Return the article of a change of weather [3-2-6.1, 3-2-6.2, 3-2-6.3, 3-2-6.4, 3-2-6.5]."""
        if self.race.fixed:
            return "3-2-6.4"
        if sky == "changeable":
            return "3-2-6.3"
        if old != "changeable":
            return "3-2-6.5"
        return "3-2-6.1" if sky == "sun" else "3-2-6.2"


_PRACTICE = {"sun": "3-1-2", "rain": "3-1-3", "changeable": "3-1-4"}


_OPENING = {"sun": "3-2-2", "rain": "3-2-3", "changeable": "3-2-4"}
