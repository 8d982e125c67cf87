"""Drivers of the race of cards: one that answers anything legal, and one that means to arrive."""

from __future__ import annotations

from random import Random
from typing import Final

from companion.rules.conversation.asking import Asked, Json, Option
from companion.rules.ninety.cards import FACTORS, card
from companion.rules.ninety.state import SectionCar, SectionRace

SURE: Final = frozenset({
    "declare", "play", "pay", "check", "show", "late", "extreme", "line", "qualify", "keep", "discard",
})  # fmt: skip
"""Questions that a sensible driver has reasons for; he answers the rest as it comes."""
_SYMBOLS: Final = ("", "", "T", "TT", "C", "+", "-", "R", "B", "N", "RC", "TTT")


class RandomCardDriver:
    """Answers at random among the legal answers; at a table without a deck of the program it makes cards up."""

    def __init__(self, track: object, seed: int = 0) -> None:
        self.random = Random(seed)

    def answer(self, asked: Asked, race: SectionRace) -> Json:
        """Return a legal answer at random, each that is offered as likely as any other."""
        options = asked.options or []
        if asked.ask == "declare" and len(options) > 1 and self.random.random() < 0.2:
            return "go"  # whatever his turn begins with is asked then
        if options and ("card" not in (asked.fields or {}) or self.random.random() < 0.6):
            return self.random.choice(options).answer
        assert asked.fields is not None, asked
        if asked.fields.get("by") == "factor":
            return self.random.randint(*FACTORS)
        if asked.ask in ("declare", "play", "show"):
            return [self.card()]
        return self.card()

    def card(self) -> str:
        """Return a card as it might have been printed."""
        chance = self.random
        head = f"{chance.choice('SDGE')}{chance.randint(1, 4)} {chance.randint(1, 100)}"
        return f"{head} {chance.choice(_SYMBOLS)}".rstrip()


class HeuristicCardDriver(RandomCardDriver):
    """Plays what it can pay for, checks with what passes, stops when the chart is nearly empty."""

    def answer(self, asked: Asked, race: SectionRace) -> Json:
        """Return the answer of a driver who means to arrive."""
        options = asked.options or []
        car = next(car for car in race.cars if car.number == asked.car)
        if not options or ("card" in (asked.fields or {}) and len(options) < 2):
            return super().answer(asked, race)
        if asked.ask == "declare":
            return self.declare(asked, car, race)
        if asked.ask == "play":
            return max(options, key=lambda option: self.worth(option, car)).answer
        if asked.ask == "pay":
            return options[0].answer
        if asked.ask == "check":
            return self.check(options, car)
        if asked.ask == "contest":
            return self.random.random() < 0.6
        if asked.ask == "show":
            return max(options, key=lambda option: option.facts["total"]).answer
        if asked.ask == "late":
            return (asked.fields or {})["late"] >= 45
        if asked.ask == "extreme":
            return (asked.fields or {})["target"] >= 45
        if asked.ask == "line":
            return max(options, key=lambda option: option.facts.get("bonus", 0)).answer
        if asked.ask in ("qualify", "keep"):
            return max((option.answer for option in options), key=lambda code: (card(code).value, -card(code).factor))
        if asked.ask == "discard":
            return min((option.answer for option in options), key=lambda code: card(code).value)
        return self.random.choice(options).answer

    def declare(self, asked: Asked, car: SectionCar, race: SectionRace) -> Json:
        """Stop when it is due, or when tyres or room for damage are nearly gone with a race left to run.

        Otherwise return the first answer of the turn.
        """
        options, fields = asked.options or [], asked.fields or {}
        if len(options) == 1:
            return options[0].answer
        worn = car.wear["tyres"] < 2 or not car.wear["damage"]
        soon = car.fuel <= race.round + 1 and not car.stops
        if (worn or soon) and race.round < race.laps - 2 and car.number not in race.stopped:
            return "stop"
        if "target" in fields:
            return bool(fields["target"] >= 45)
        if "card" not in fields:
            return "go"
        seen = [option for option in options if isinstance(option.answer, list)]
        return max(seen, key=lambda option: self.worth(option, car)).answer if len(seen) > 1 else [self.card()]

    def worth(self, option: Option, car: SectionCar) -> float:
        """Return the worth of cards that are played: sections, less what they cost."""
        if "out" in option.facts:
            return -100.0
        shown = [card(code) for code in option.answer]
        hurt = sum(one.count("RB") + 0.5 * one.count("C+-") for one in shown)
        tyres = sum(one.count("T") for one in shown)
        pain, price = 0.7 if car.wear["damage"] > 1 else 4.0, 0.3 if car.wear["tyres"] > 5 else 0.8
        value = float(option.facts["value"])
        return value - price * tyres - pain * hurt - 0.4 * len(shown)

    def check(self, options: list[Option], car: SectionCar) -> Json:
        """Return the highest card that passes, so that the next target is an easy one; else blind."""
        passing = [option.answer for option in options if option.facts.get("passes")]
        return max(passing, key=lambda code: (code in car.hand, card(code).factor)) if passing else "blind"
