"""Check the throws of a trial against the rules, by where the car was put (article 1-2-2).

Stewards follow the car with their eyes and speak of a misplaced one only afterwards. A person who tells the program
gear, face and space of each throw has it look over their shoulder: a `FollowedLap` holds a car of its own that plays by
the rules of the competition, alone on the circuit and without wear, and says where each throw could have ended.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple, cast

import msgspec

from companion.rules.circuit.leg import Landing
from companion.rules.circuit.track import Track
from companion.rules.conversation.errors import BadEntry
from companion.rules.conversation.faces import FACES
from companion.rules.conversation.figures import read_figures
from companion.rules.conversation.kinds import POOLS
from companion.rules.dice.competition import Competition
from companion.rules.dice.figures import Figures
from companion.rules.dice.state import Car, RaceState
from companion.rules.formula_d import FormulaD, FormulaDFigures, FormulaDRace
from companion.tournament.trial import BoxTrial, Finding, Throw, Trial

if TYPE_CHECKING:
    from companion.rules.rulebooks import Dice

PLENTY: Final = 99
"""Points of every pool but the brakes: wear does not count in a trial, and nobody brakes [1-0-1]."""
MISCOUNTED: Final = 3
"""Maximum error in spaces, either way, for which a misplaced car is looked for."""


class Stop(NamedTuple):
    """The end of a throw, checked against the rules.

    `gear`: it may follow the one before; `die`: the gear's die has the face; `placed`: the car could reach the space.
    `moved` is the number of spaces (0: no way leads there), `overshot` those beyond a corner, `missing` the stops
    missed there; `home` says that the car is over the line, `ended` that missed stops ended the lap.
    """

    gear: bool
    die: bool
    placed: bool
    moved: int
    overshot: int
    missing: int
    home: bool
    ended: bool = False


class FollowedLap:
    """One lap on a circuit known space by space, followed throw by throw."""

    def __init__(self, track: Track, trial: Trial) -> None:
        """Put the car on the starting space, in no gear yet [1-1-3]."""
        self.track = track
        car = Car(
            number=1, at=track.spaces[start_of(track)].name, status="racing", fresh=True, tyres=trial.tyres,
            wear={pool: 0 if pool == "brakes" else PLENTY for pool in POOLS},
        )  # fmt: skip
        self.car, self.trial, self.home = car, trial, False
        self.book: Dice
        if isinstance(trial, BoxTrial):
            options = {"weather": True, "tyres": bool(trial.tyres)}
            figures = cast("FormulaDFigures", read_figures(options, FormulaD.figure_table()))
            alone = FormulaDRace(cars=[car], laps=1, phase="race", sky=trial.sky, surface=trial.surface)
            self.book = FormulaD(alone, track, figures)
        else:
            race = RaceState(cars=[car], laps=1, phase="race", sky=trial.sky, surface=trial.surface)
            self.book = Competition(race, track, Figures())

    def throw(self, throw: Throw) -> Stop:
        """Move the car by a throw seen on the board and check it against the rules.

        The car goes on from where it was put, legal or not; after throws that nobody saw it is only put there. Raises
        BadEntry for a space that is not on the track, and once the car is home [1-1-8, 1-2-2].
        """
        track, book, car = self.track, self.book, self.car
        check(track, throw.at)
        if self.home:
            raise BadEntry("lap_over")
        space, die = track.ids[throw.at], throw.face in (0, *FACES[throw.gear])
        gear = book.gears.may_shift(car, throw.gear)
        car.gear = throw.gear
        book.race.move = book.turn.new_move(car)
        if throw.unseen:
            self.home = self._appear(space)
            return Stop(gear=True, die=die, placed=True, moved=0, overshot=0, missing=0, home=self.home)
        faces = (throw.face,) if throw.face else FACES[throw.gear]
        found, placed = self._legal(space, faces), True
        if found is None:
            found, placed = self._near(space, faces), False
        self.home = self._move(space, found)
        return Stop(
            gear, die, placed, found.moved if found.space == space else 0,
            found.overshot, found.missing, self.home, self._ended(found),
        )  # fmt: skip

    def _ended(self, found: Landing) -> bool:
        """Return True if missed stops at a corner ended the lap [1-1-14, option.trial-out]."""
        corners = self.track.corners
        return any(
            self.trial.ends_it(corners[over.corner].stops, corners[over.corner].stops - over.missing)
            for over in found.overs
        )

    def _reached(self, spaces: int) -> list[Landing]:
        """Return every landing of a move by `spaces`, soft spaces and slides included."""
        return self.book.landings.landings(self.car, self.book.landings.leg(self.car, spaces))

    def _legal(self, space: int, faces: tuple[int, ...]) -> Landing | None:
        """Return the cheapest legal landing on a space with one of these faces, or None."""
        there = [one for face in faces for one in self._reached(face) if one.space == space]
        return min(there, key=_cost, default=None)

    def _near(self, space: int, faces: tuple[int, ...]) -> Landing:
        """Return the landing by which a misplaced car is counted.

        That is a way to its space with a slightly different number of spaces, else the legal landing nearest to it.
        """
        wide = range(max(1, min(faces) - MISCOUNTED), max(faces) + MISCOUNTED + 1)
        for spaces in sorted(wide, key=lambda one: min(abs(one - face) for face in faces)):
            if (found := self._legal(space, (spaces,))) is not None:
                return found
        everywhere = [one for face in faces for one in self._reached(face)]
        return min(everywhere, key=lambda one: (self._apart(one.space, space), *_cost(one)))

    def _apart(self, one: int, other: int) -> int:
        """Return the half spaces between two spaces, the shorter way round."""
        along = abs(self.track.place[one] - self.track.place[other])
        return min(along, self.track.length - along)

    def _appear(self, space: int) -> bool:
        """Put the car on a space ahead, with every stop made of a corner that it is in.

        Return True if it is over the line.
        """
        track, book, car = self.track, self.book, self.car
        before, lap = track.place[track.ids[car.at or ""]], car.lap
        put = book.landings.forced_landing({"space": track.spaces[space].name})
        ahead = (track.place[space] - before) % track.length
        book.moving.take(car, msgspec.structs.replace(put, moved=(ahead + 1) // 2))
        if track.place[space] < before and car.lap == lap:  # the first half of the lap went unseen, too
            car.lap += 1
        corner = track.corner[space]
        car.stops = track.corners[corner].stops if corner >= 0 else 0
        book.tyres.age_tyres(car)
        return bool(car.lap > book.race.laps)

    def _move(self, space: int, found: Landing) -> bool:
        """Put the car on its space with the stops it made there.

        Return True if it is over the line.
        """
        book, car = self.book, self.car
        put = book.landings.forced_landing({"space": self.track.spaces[space].name})
        put = msgspec.structs.replace(put, overs=found.overs, slid=found.slid, soft=found.soft)
        book.moving.take(car, put)
        book.corners.count_stops(car)
        book.tyres.age_tyres(car)
        return book.landings.move.finished


def _cost(landing: Landing) -> tuple[int, int, int]:
    return landing.missing, landing.overshot, landing.moved


def start_of(track: Track) -> int:
    """Return the first whole space of the middle lane before the line [1-1-3]."""
    middle = len(track.lanes) // 2
    return next(track.behind[space] for space in track.line if track.spaces[space].lane == middle)


def check(track: Track, at: str) -> None:
    """Check that a car of a trial may stand on a space.

    Raises BadEntry for a space that does not exist or lies in the pits.
    """
    if at not in track.ids or (track.corner[track.ids[at]] < 0 and track.straight[track.ids[at]] < 0):
        raise BadEntry("no_space_on_track", name=track.name, at=at)


def stands(track: Track, trial: Trial) -> tuple[str, int, bool]:
    """Return the space of the followed car, its gear and whether it is home.

    The gear is 0 before the first throw.
    """
    board = FollowedLap(track, trial)
    for throw in trial.followed:
        board.throw(throw)
    return board.car.at or "", board.car.gear, board.home


def findings(track: Track, trial: Trial) -> tuple[Finding, ...]:
    """Return everything wrong with a followed lap that was not counted already.

    Findings that the commissioner has answered are still included. After a ruling of the head steward there are none
    [1-1-8, 1-1-9, 1-1-10, 1-1-11, 1-1-12, 1-1-14, 1-2-1-1, 1-2-1-4, 1-2-2].
    """
    if trial.settled or not trial.followed:
        return ()
    accepted = [finding for finding, yes in trial.judged if yes]
    told_over = trial.overshot - sum(one.more for one in accepted if one.what == "over")
    told_misplaced = trial.misplaced - sum(one.what == "misplaced" for one in accepted)
    told_throws = trial.throws - sum(one.more for one in accepted if one.what == "throws")
    board, found, cited = FollowedLap(track, trial), [], trial.article
    for n, throw in trial.seen.items():
        stop = board.throw(throw)
        if not stop.gear:
            found.append(Finding("gear", n, cited("1-2-1-4")))
        if not stop.die:
            found.append(Finding("die", n, cited("1-2-1-1")))
        if not stop.placed and trial.MISPLACED:
            if told_misplaced:
                told_misplaced -= 1
            else:
                found.append(Finding("misplaced", n, "1-1-11", moved=stop.moved))
        if stop.ended:
            found.append(Finding("stops", n, cited("1-1-14"), more=stop.missing))
            break
        counted = min(told_over, stop.overshot)
        told_over -= counted
        if stop.overshot > counted:
            found.append(Finding("over", n, cited("1-1-12"), more=stop.overshot - counted))
    ended = any(one.what == "stops" for one in found)
    if board.home and told_over and not any(throw.unseen for throw in trial.followed):
        found.append(Finding("over", 0, cited("1-1-12"), more=-told_over))
    if told_throws and not ended and (told_throws < trial.seen_to or (board.home and told_throws > trial.seen_to)):
        found.append(Finding("throws", 0, cited("1-1-10"), more=trial.seen_to - told_throws))
    if trial.over and not ended and not board.home:
        found.append(Finding("line", 0, cited("1-1-8")))
    return tuple(found)


def open_findings(track: Track, trial: Trial) -> tuple[Finding, ...]:
    """Return the findings that await the commissioner.

    Empty before the lap is over, or once it ended by missed stops [1-2-2].
    """
    if not trial.over or trial.missed:
        return ()
    answered = {(one.what, one.throw) for one, _ in trial.judged}
    return tuple(one for one in findings(track, trial) if (one.what, one.throw) not in answered)
