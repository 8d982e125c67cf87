"""Grip tyres and swerve tyres: ways that the driving code bars, for a token each space."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from companion.rules.circuit.leg import Landing, Leg, Over
from companion.rules.circuit.search import FIELD, Search
from companion.rules.death.figures import DeathFigures
from companion.rules.death.state import DeathCar, DeathRace
from companion.rules.dice.chapter import DiceChapter

if TYPE_CHECKING:
    from companion.rules.death.death import Death


GRIP, SWERVE = "grip-tyres", "swerve-tyres"
CHOICES: Final = 8
"""So many ways to weave onto a space are told apart by what they drive over."""


class Weave(Landing, frozen=True, gc=False):
    """A landing that is only reached with tokens: of which card, and how many."""

    card: str = ""
    tokens: int = 0


class TyreTricks(DiceChapter[DeathCar, DeathRace, DeathFigures]):
    """What the tokens of tyres open up beside the ways that everybody has."""

    book: Death

    def woven(self, leg: Leg, card: str, tokens: int) -> list[Weave]:
        """What a leg reaches by so many tokens of a card at most [utility.grip-tyres, utility.swerve-tyres]."""
        return self.weaving(leg, tokens) if card == GRIP else self.swerving(leg, tokens, {})

    def weaving(self, leg: Leg, tokens: int) -> list[Weave]:
        """Grip tyres: so many spaces of the move are driven from lane to lane and back, where printed moves allow it;
        the rest of it is legal. Arrows hold, and so does the lane beyond a corner left too early
        [utility.grip-tyres, basic.overshoot, ruling 51]."""
        walked: dict[tuple[tuple[int, ...], tuple[int, ...]], list[set[tuple[int, int]]]] = {}
        found = []
        for spent in range(1, min(tokens + 1, leg.spaces)):
            for way in self.board.landings(leg._replace(spaces=leg.spaces - spent)):
                if way.blocked:
                    continue
                crossed = way.tests, self.book.wreckage.beyond(way)
                if crossed not in walked:
                    walked[crossed] = self.book.wreckage.walks(leg, way)
                if (way.space, len(way.tests)) in walked[crossed][way.moved + spent]:
                    found.append(_woven(way, GRIP, spent, spent))
        return found + self.weaving_over(leg, tokens) if leg.dangers else found

    def weaving_over(self, leg: Leg, tokens: int) -> list[Weave]:
        """Grip tyres also lead over what lies aside of every legal way, as little of it as can be: they take as many
        spaces more as the longest of the legal ways there that drive over as much of it as any does
        [utility.grip-tyres, wreckage.roll, ruling 51]."""
        found, walked = [], {}
        legal: dict[tuple[int, tuple[Over, ...]], list[Landing]] = {}
        for way in self.board.landings(leg._replace(brakes=leg.spaces)):
            if not way.finished:
                legal.setdefault((way.space, way.overs), []).append(way)
        for (space, overs), ways in legal.items():
            end = Landing(space, leg.spaces, overs=overs)
            beyond = self.book.wreckage.beyond(end)
            if beyond not in walked:
                walked[beyond] = self.clear_walks(leg, end)
            for brakes in range(min(leg.brakes + 1, leg.spaces)):
                moved = leg.spaces - brakes
                for tests in walked[beyond][moved].get(space, []):
                    under = [way for way in ways if way.moved < moved and set(way.tests) <= set(tests)]
                    most = [way for way in under if not any(set(way.tests) < set(other.tests) for other in under)]
                    if most and (spent := moved - max(way.moved for way in most)) <= tokens:
                        found.append(Weave(space, moved, brakes, tests=tests, overs=overs, card=GRIP, tokens=spent))
        return found

    def clear_walks(self, leg: Leg, landing: Landing) -> list[dict[int, list[tuple[int, ...]]]]:
        """What is reached after 0, 1, 2, ... spaces around the cars, in the way that a landing is driven to, and over
        what: sets of which none holds another [utility.grip-tyres, wreckage.roll]."""
        beyond = self.book.wreckage.beyond(landing)
        layers: list[dict[int, list[tuple[int, ...]]]] = [{leg.start: [()]}]
        for _ in range(leg.spaces):
            after: dict[int, list[tuple[int, ...]]] = {}
            for x, walks in layers[-1].items():
                for y in self.book.wreckage.led_to(landing, x, beyond):
                    if y not in leg.taken:
                        after.setdefault(y, []).extend((*over, y) if y in leg.dangers else over for over in walks)
            layers.append({y: _fewest(walks) for y, walks in after.items()})
        return layers

    def swerving(self, leg: Leg, tokens: int, known: dict[tuple[int, int, int], list[Weave]]) -> list[Weave]:
        """Swerve tyres: in a corner one space onto a lane that no arrow leads to, then on by the driving code. Lane
        changes on a straight are as legal as ever, and no corner is left by it
        [utility.swerve-tyres, ruling 51]."""
        key = leg.start, leg.spaces, tokens
        if key in known:
            return known[key]
        found = known[key] = []
        search = Search(self.board, leg)
        search.landings()
        corner = self.track.corner
        for x, labels, _, overs in search.spots:
            if corner[x] < 0 or overs:
                continue
            made = leg.made if corner[x] == corner[leg.start] else 0
            for field, driven in _distances(labels, leg.spaces):
                for y in self.unprinted(x):
                    if y not in leg.taken and corner[y] == corner[x]:
                        tests = search.tests[field] + ((y,) if y in leg.dangers else ())
                        rest = leg._replace(start=y, spaces=leg.spaces - driven - 1, made=made)
                        found += self._after_swerve(rest, driven + 1, tests, tokens, known)
        return found

    def _after_swerve(
        self,
        leg: Leg,
        driven: int,
        tests: tuple[int, ...],
        tokens: int,
        known: dict[tuple[int, int, int], list[Weave]],
    ) -> list[Weave]:
        """Where a move can still end that has just ignored an arrow [utility.swerve-tyres]."""
        ways = [_woven(way, SWERVE, driven, 1, tests) for way in self.board.landings(leg) if not way.blocked]
        if tokens > 1:
            again = self.swerving(leg, tokens - 1, known)
            ways += [_woven(way, SWERVE, driven, way.tokens + 1, tests) for way in again]
        return ways

    def unprinted(self, x: int) -> list[int]:
        """The spaces next ahead of one in a corner to which no arrow leads: its own lane's, and in the lanes beside it
        those that lie further on."""
        track = self.track
        front = track.stretch[x][1]
        near = [track.ahead[x], *(y for y in track.beside[x] if track.stretch[y][1] > front)]
        return [y for y in near if y >= 0 and y not in track.moves[x] and y not in track.blocked]


def _fewest(walks: list[tuple[int, ...]]) -> list[tuple[int, ...]]:
    """Of what walks drive over the sets that hold no other, the smallest first, and no more than anybody chooses from
    on a board full of wreckage."""
    kept: list[tuple[int, ...]] = []
    for over in sorted(set(walks), key=lambda over: (len(over), over)):
        if len(kept) < CHOICES and not any(set(other) < set(over) for other in kept):
            kept.append(over)
    return kept


def _distances(labels: int, spaces: int) -> list[tuple[int, int]]:
    """The distances less than a whole move that the labels of a space hold, each with its field of tests."""
    found, field = [], 0
    while labels:
        found += [(field, driven) for driven in range(spaces) if labels >> driven & 1]
        labels >>= FIELD
        field += 1
    return found


def _woven(way: Landing, card: str, spaces: int, tokens: int, before: tuple[int, ...] = ()) -> Weave:
    """A landing with what was driven before its leg began, and the tokens that it costs."""
    return Weave(
        way.space,
        way.moved + spaces,
        way.brakes,
        tests=before + way.tests,
        overs=way.overs,
        finished=way.finished,
        card=card,
        tokens=tokens,
    )
