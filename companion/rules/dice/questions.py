"""The kinds of question that dice-and-gears rulebooks ask, and how their answers are read."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar, Final

from companion.rules.conversation.asking import Json, JsonValue, Odds, Option, Question
from companion.rules.conversation.errors import BadAnswer
from companion.rules.conversation.faces import BLACK_DIE, FACES, GEAR_DICE, Band, Face
from companion.rules.conversation.forms import Choice, answer_text, black, whole
from companion.rules.conversation.kinds import Ask, DiceAsk, Sky

SKIES: Final[tuple[Sky, ...]] = ("sun", "changeable", "rain")

ORDINALS: Final = {1: "1st", 2: "2nd", 3: "3rd", 4: "4th", 5: "5th", 6: "6th"}


class GearDie(Question[int]):
    """The die of a gear, in spaces [6-2-1, 6-2-6]."""

    ask = "roll"

    def __init__(self, car: int, gear: int, article: str = "6-2-6") -> None:
        super().__init__(car, article, f"gear_{gear}")
        self.gear, self.faces = gear, FACES[gear]

    def odds(self) -> list[Odds]:
        """Each face as often as it is printed [6-2-6]."""
        return [Odds(face, GEAR_DICE[self.gear].count(face), face, face) for face in FACES[self.gear]]

    def read(self, answer: JsonValue) -> int:
        face = whole(answer)
        faces = FACES[self.gear]
        if face not in faces:
            low, high = faces[0], faces[-1]
            raise BadAnswer(
                "face",
                gear=self.gear,
                low=low,
                high=high,
                face=face,
            )
        return face

    def force(self, answer: JsonValue) -> int:
        face = whole(answer)
        if not 1 <= face <= 40:
            raise BadAnswer("move_range", face=face)
        return face


class BlackDie(Question[int]):
    """The black die, 1 to 20, where every face counts for itself; `what` says for what [0-0-5]."""

    ask = "test"
    faces: Sequence[int] = BLACK_DIE

    def __init__(self, car: int | None, article: str, what: str, facts: Mapping[str, Json] | None = None) -> None:
        super().__init__(car, article, what)
        if facts:
            self.fields = facts

    def odds(self) -> list[Odds]:
        """Each face alike [0-0-5]."""
        return [Odds(face, 1, face, face) for face in self.faces]

    def read(self, answer: JsonValue) -> int:
        return black(answer)


class TestDie(Question[Face]):
    """The black die of a test, 1 to 20; `what` says of which [0-0-5].

    The rules ask only in which of its `bands` the die lies: a band, or a part of one, written [5, 20], is an answer as
    well as a face, and is kept as what it is.
    """

    __test__ = False
    ask: ClassVar[Ask] = "test"
    faces: Sequence[int] = BLACK_DIE
    bands: Sequence[Band]

    def __init__(
        self, car: int | None, article: str, what: str, bands: Sequence[Band], facts: Mapping[str, Json] | None = None
    ) -> None:
        super().__init__(car, article, what)
        self.bands = bands
        if facts:
            self.fields = facts

    def odds(self) -> list[Odds]:
        """Each face alike, by the bands in which they bring the same [0-0-5]."""
        return [Odds(list(band), band.last - band.first + 1, band.first, band.last) for band in self.bands]

    def read(self, answer: JsonValue) -> Face:
        if not isinstance(answer, list):
            return black(answer)
        wanted = Band(*map(whole, answer)) if len(answer) == 2 else None
        if wanted is None or not any(band.first <= wanted.first <= wanted.last <= band.last for band in self.bands):
            listed = ", ".join(f"[{first}, {last}]" for first, last in self.bands)
            raise BadAnswer("band", listed=listed, answer=answer_text(answer))
        return wanted


class StartDie(TestDie):
    """The black die before the first gear [9-0-1]."""

    ask = "start"


class PracticeDie(TestDie):
    """The black die of the last practice, read on the circuit's weather chart [3-1-1, 3-1-5].

    The sky is that of every table: one that only heard it answers with its name.
    """

    ask = "practice"

    def read(self, answer: JsonValue) -> Face | Sky:  # type: ignore[override]
        if not isinstance(answer, str):
            return super().read(answer)
        for sky in SKIES:
            if answer == sky:
                return sky
        raise BadAnswer("last_practice", sky=answer[:20])


class Gear(Choice[int]):
    """One of the gears that are allowed now; by the referee's word any of the six [6-1-1]."""

    def __init__(
        self,
        car: int | None,
        article: str,
        choices: Sequence[tuple[Option, int]] | Callable[[], Sequence[tuple[Option, int]]],
        **how: Any,
    ) -> None:
        super().__init__("gear", car, article, choices, **how)

    def force(self, answer: JsonValue) -> int:
        gear = whole(answer)
        if not 1 <= gear <= 6:
            raise BadAnswer("gear_range", gear=gear)
        return gear


ALL_ASKS: Final[Mapping[DiceAsk, tuple[str, str]]] = {
    "practice": (
        "the black die of the last practice, read on the circuit's weather chart",
        '1..20, or the sky where only that is known: "sun", "changeable" or "rain"',
    ),
    "box": ("the box that a driver chooses", "a box number"),
    "zone": ("which stretch between corners is a DRS zone", "the section on which it begins, such as 10"),
    "setup": ("the wear points of a car", '{"tyres": 6, "brakes": 3, ..., "stand": 2}'),
    "tyres": ("the tyres that a car takes", '"hard", "soft", "rain" or, as a variant, "super_soft"'),
    "wings": (
        "the wings of a car before the start, or with `what` ease whether they take a space off this roll",
        '"normal", "high" or "low"; true or false',
    ),
    "start": (
        "the black die before the first gear; `what` says which: start, or restart after a spin",
        "1..20, or a band such as [2, 19]",
    ),
    "gear": ("the gear for this turn", "1..6"),
    "roll": ("the gear die", "a face of that die"),
    "landing": (
        "where the car stops",
        '{"space": "5:left:3", "brakes": 0, "soft": 0}, with "over": [...] where ways differ in the tests they take',
    ),
    "slipstream": (
        "whether a slipstream is taken, and where it ends",
        "null or a landing; on a corner sheet null or true",
    ),
    "saw": (
        "what the table saw, on a corner sheet",
        '{"in": "corner 3" | "after corner 3" | "pit" | "box", "line": false, "overshot": 0, "blocked": 0, '
        '"brakes": 0, "soft": 0, "dangers": 0, "walls": 0, "to_box": 0, "beside": [2, 5], "ahead": 4, '
        '"order": [3, 4, 1, 2, 5]}',
    ),
    "front": ("which car stands just in front of a blocked one", "a car number"),
    "test": (
        "the black die; `what` says for what: weather, handling, wall, collision, engine, quick_stop, "
        "wreckage, mine, attack, bravado, jammer, heal, strip, grid",
        "1..20, or where there are bands one of them, such as [5, 20]",
    ),
    "allowance": (
        "whether a driver uses what a variant allows him; `what` says what: top, super_top or boosters, or buy before "
        "the race",
        "null to leave it; of top 1 or -1, of super_top a face of the die, of boosters 5; to buy 1..6",
    ),
    "kers": ("whether a KERS point is spent, and on which space", "null or a landing; on a corner sheet null or true"),
    "stop": ("the kind of pit stop", '"quick" or "long"; in the cup "quick" or "full"'),
    "repair": ("points taken back at a long stop", '{"brakes": 1, ...}, or {} for none'),
    "attack": (
        "one action of the attack phase",
        '{"fire": "flamer", "at": 3}, {"fire": "frag-missiles", "space": "5:left:3"}, {"fire": "slip-mines"}, '
        '{"reload": "flamer"} or null',
    ),
    "sight": ("whether a target is in sight", "true or false"),
    "use": ("whether a card is used; `what` says which", "true or false"),
    "clutch": ("whether the clutch is dropped, and onto which space", "null or a landing"),
    "card": ("the card that a car gets", 'a card, such as "flamer"'),
    "slot": ("the other slot of a Powerful card", '"weapon", "defence" or "utility"'),
    "strip": ("the card that a car loses", "a card of its own"),
    "extra": ("the weapon that gets the token over", "a weapon of the target"),
    "place": ("where a car comes down that has ended on another", "a landing"),
}
"""Every kind of question, with what it asks and how it is answered."""
