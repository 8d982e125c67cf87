"""The car on its way: where it goes, what it crosses, what it spends while it moves. Articles 6, 8, 11, 18 and 21."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from companion.rules.circuit.leg import Landing
from companion.rules.conversation.asking import Json, Proc, ask
from companion.rules.dice.chapter import DiceChapter, F, R
from companion.rules.dice.state import C

SLIDES: Final = {"hard": "8-1-2", "soft": "8-2-2", "rain": "8-3-2"}
"""The article by which a car slides, by its tyres."""


class Moving(DiceChapter[C, R, F]):
    """From where a car stood to where it stops."""

    def place_at(self, car: C, space: str) -> None:
        """Leaves a car on a space of its way instead of at the end of it; before the line it has not crossed it."""
        track = self.track
        if space not in track.ids:
            return
        if track.past_line(track.ids[car.at or ""]) and not track.past_line(track.ids[space]):
            car.lap -= 1
            self.move.finished = False
        car.at = space

    @property
    def rolled(self) -> int:
        """What the die of the gear has shown, for the move that it brings; 0 for what follows that move [6-3.4]."""
        return 0 if self.move.moved else self.move.face

    def terms(self, car: C, slid: int, soft: int, braked: int, blocked: int) -> dict[str, Json]:
        """What the spaces of a move come from: the die, the slide, the soft space, less what was braked and blocked
        [6-2-1, 8-1-2, 8-2-1, 11-0-1, 12-0-1]."""
        spaces = {
            "rolled": self.rolled, "bonus": self.book.pits.bonus(car), "slid": slid, "soft": int(soft),
            "braked": braked, "blocked": blocked,
        }  # fmt: skip
        return {name: count for name, count in spaces.items() if count}

    def lost(self, terms: Mapping[str, Json], moved: int) -> dict[str, Json]:
        """The spaces of a roll that a car does not drive in the pits, behind another one or at its box, at no cost
        [19-1-5, 19-2-2, rulings 82, 86]."""
        spaces = sum(-count if name in ("braked", "blocked") else count for name, count in terms.items()) - moved
        return {"lost": spaces} if spaces > 0 else {}

    def take(self, car: C, landing: Landing, entry: int = 0) -> None:
        """Puts the car where it stops and notes what its way has brought: when it came there, what slid, what was
        braked; the line may have been crossed [6-2-1, 6-2-3, 8-1-2, 8-2-2, 8-3-2, 18-1-6, 21-1-5, ruling 8]. By the
        referee's word a car may also go back, over the line too."""
        track, move = self.track, self.move
        start = track.ids[car.at or ""]
        name = track.spaces[landing.space].name
        moved, back = max(landing.moved, 0), landing.moved < 0
        terms = self.terms(car, landing.slid, landing.soft, landing.brakes, landing.blocked)
        if back:
            terms = {"back": -landing.moved}
        elif name.startswith(("pit:", "box:")):
            terms |= self.lost(terms, moved)
        move.moved += moved
        move.tests += [self.book.landings.test_name(test) for test in landing.tests]
        move.overs = [list(over) for over in landing.overs]
        move.blocked = landing.blocked
        move.braked += landing.brakes
        if landing.space != start:
            self.race.turn += 1
            car.arrived = self.race.turn
        self.rule("move", "6-2-1", car, begin=car.at, at=name, moved=moved, **terms)
        if landing.slid and landing.moved:
            move.slid = True
            self.rule("slide", SLIDES[car.tyres or "hard"], car, spaces=landing.slid)
        if landing.soft:
            move.soft = True
            self.rule("soft", "8-2-1", car)
        self.brake(car, landing.brakes)
        if entry:
            self.lose(car, "slipstream", "18-1-4", {"brakes": entry}, brakes=entry)
        past, past_now = track.past_line(start), track.past_line(landing.space)
        crosses = past_now and not past and not back
        if back and past and not past_now:
            car.lap = max(0, car.lap - 1)
        car.at = name
        if name.startswith(("pit:", "box:")):
            self.book.pits.into_pits(car, name)
        elif car.in_pits:
            self.book.pits.leave_lane(car)
        if crosses:
            move.crossed, move.finished = True, self.book.finish.last_lap(car)
            car.lap += 1

    def brake(self, car: C, brakes: int) -> None:
        """Each brake point shortens the move by one space, at any moment of it [11-0-1, 11-0-3, 6-3.9]."""
        if brakes:
            self.lose(car, "brake", "11-0-3", {"brakes": brakes}, spaces=brakes)

    def displace(self, car: C, spaces: int, *, soft: bool = True, least: int = 0) -> Proc[None]:
        """The move of a turn: where it stops, then as many slipstreams as offer themselves [6-3.5 to 6-3.9, 18-1-3]."""
        if self.track.known == "corner":
            yield from self.book.sheet.displace_unseen(car, spaces, soft=soft, least=least)
            return
        landing = yield from ask(self.book.landings.landing_question, car, spaces, soft=soft, least=least)
        self.take(car, landing)
        yield from self.book.slipstream.further(car, soft)
