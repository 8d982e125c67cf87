"""The cup's weather: what it started as decides what a check brings, and the marker of wet weather conditions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.rules.conversation.asking import Proc, ask
from companion.rules.conversation.faces import Face
from companion.rules.conversation.kinds import Sky
from companion.rules.conversation.overriding import override
from companion.rules.cup.figures import OUTCOMES, CupFigures, Outcome
from companion.rules.cup.state import CupCar, CupRace
from companion.rules.dice.questions import TestDie
from companion.rules.dice.weather import Weather

if TYPE_CHECKING:
    from companion.rules.cup.cup import Cup


class CupWeather(Weather[CupCar, CupRace, CupFigures]):
    """Weather at the start, checks, the marker."""

    book: Cup

    @override
    def weather_die(self, car: CupCar) -> TestDie | None:
        """The black die read on the circuit's chart [weather.initial, weather.check]."""
        if (die := super().weather_die(car)) is not None:
            die.article = "weather.check" if self.race.phase == "race" else "weather.initial"
        return die

    @override
    def draw_weather(self, pole: CupCar) -> Proc[None]:
        """Before the tyres are chosen the black die says what the race starts as: dry, wet, or changeable over a dry
        track [weather.initial]."""
        face = yield from ask(self.weather_die, pole)
        self.race.sky = self.track.weather.sky(face)
        self.given_sky()
        self.rule(
            "weather", "weather.initial", pole, face=face, sky=self.race.sky, surface=self.race.surface, fixed=False
        )
        if self.race.wet_conditions:
            self.rule("wet_conditions", "weather.wet-conditions", None, way="start")

    @override
    def given_sky(self) -> None:
        """The sky at the start makes the track wet only if it rains, and then the marker is active
        [weather.initial, weather.wet-conditions]."""
        race = self.race
        race.started = race.started or race.sky
        race.surface = race.surface or ("wet" if race.sky == "rain" else "dry")
        race.wet_conditions = race.wet_conditions or race.started == "rain"

    @override
    def sky_by_word(self) -> None:
        """What the race director says before the start is what it starts as
        [weather.initial, weather.wet-conditions, weather.by-start]."""
        race = self.race
        race.wet_conditions, race.started = race.wet_conditions and race.started != "rain", ""
        before = race.wet_conditions
        super().sky_by_word()
        if race.wet_conditions and not before:
            self.rule("wet_conditions", "weather.wet-conditions", None, way="start")

    @override
    def weather_is_due(self, car: CupCar) -> Proc[None]:
        """A 20 in 5th, a 30 in 6th, an elimination: a check for each [weather.check, ruling 15]."""
        self.falls_due(car)
        return
        yield

    @override
    def may_change(self) -> bool:
        """Whatever the sky, a check may bring another [weather.check]."""
        return bool(self.race.sky)

    def checks(self) -> tuple[Outcome, Outcome, Outcome]:
        """What the checks of this race bring, by what it started as [weather.by-start]."""
        figures = self.figures
        checks = {"sun": figures.checks_dry, "changeable": figures.checks_changeable, "rain": figures.checks_wet}
        return checks[self.race.started or "sun"]

    @override
    def may_turn_wet(self) -> bool:
        """Only where a check can bring rain: what has started dry stays dry [weather.by-start]."""
        return super().may_turn_wet() and "wet" in self.checks()

    @override
    def draw_again(self) -> Proc[None]:
        """One check for each event, as long as anybody races [weather.check, rulings 15, 16]."""
        if not any(car.alive for car in self.race.cars):
            self.race.due.clear()
        yield from super().draw_again()

    @override
    def evolve(self, car: CupCar, face: Face, sky: Sky) -> None:
        """What a check brings depends on what the weather started as; where one brings clouds over a wet track, they
        dry it at the next result that is not rain [weather.by-start]."""
        race, checks = self.race, self.checks()
        outcome = checks[OUTCOMES[sky]]
        before, clouded = race.surface, race.sky == "changeable" and "clouds" in checks
        if clouded and before == "wet" and outcome != "wet" and sky != "rain":
            race.sky, race.surface = sky, "dry"
        elif outcome == "wet":
            race.sky, race.surface = "rain", "wet"
        elif outcome == "dry":
            race.sky, race.surface = "sun", "dry"
        elif outcome == "clouds":
            race.sky = "changeable"
        self.rule("weather", "weather.by-start", car, face=face, sky=race.sky, surface=race.surface, fixed=False)
        if race.surface != before:
            self.rule("surface", "weather.by-start", None, surface=race.surface)
        if race.surface == "wet" and before == "dry":
            self.activate("check")

    def activate(self, way: str) -> None:
        """The marker is turned to its active side when the race starts wet, when a check makes the track wet, or when
        the race director says so; it stays there [weather.wet-conditions, ruling 17]."""
        if not self.race.wet_conditions:
            self.race.wet_conditions = True
            self.rule("wet_conditions", "weather.wet-conditions", None, way=way)
