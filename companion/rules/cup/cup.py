"""The cup: three laps with pools whose penalties fall late, KERS and DRS, a pit grid, and turn one after the flag.

Its head lists the chapters that it has otherwise than the family, each in the file of the same name:

- wear: a pool at 0 is harmless until it must pay and cannot; what that brings stands in gears, tyres, landings, moving,
  corners and blocking too, each beside the rule that it changes
- slipstream: DRS in two zones instead of the slipstream; kers: the energy of a lap
- pits: a grid of two columns, and full and quick stops; order: the phase of the pits after the track
- weather: a check at every critical event, by the sky at the start, and the wet marker
- preparing: qualifying by the die, four points a team, compounds
- collisions: all who are involved roll, and nobody loses a point without a roll
- finish: nobody is home at the line, but when turn one is left, with two compounds raced on
- its figures and its state: in the files of these names
"""

from __future__ import annotations

from typing import ClassVar

from companion.rules.conversation.asking import Json
from companion.rules.cup.blocking import CupBlocking
from companion.rules.cup.collisions import CupCollisions
from companion.rules.cup.corners import CupCorners
from companion.rules.cup.figures import CupFigures
from companion.rules.cup.finish import CupFinish
from companion.rules.cup.gears import CupGears
from companion.rules.cup.kers import Kers
from companion.rules.cup.landings import CupLandings
from companion.rules.cup.moving import CupMoving
from companion.rules.cup.order import CupOrder
from companion.rules.cup.pits import CupPits
from companion.rules.cup.position import CupPosition
from companion.rules.cup.preparing import CupPreparing
from companion.rules.cup.referee import CupReferee
from companion.rules.cup.sheet import CupSheet
from companion.rules.cup.slipstream import CupSlipstream
from companion.rules.cup.state import CupCar, CupMove, CupRace
from companion.rules.cup.turn import CupTurn
from companion.rules.cup.tyres import CupTyres
from companion.rules.cup.wear import CupWear
from companion.rules.cup.weather import CupWeather
from companion.rules.dice.formula_de import FormulaDe


class Cup(FormulaDe[CupCar, CupRace, CupFigures]):
    """The rulebook of the three-lap cup."""

    order: CupOrder
    gears: CupGears
    tyres: CupTyres
    landings: CupLandings
    moving: CupMoving
    slipstream: CupSlipstream
    corners: CupCorners
    blocking: CupBlocking
    wear: CupWear
    collisions: CupCollisions
    pits: CupPits
    weather: CupWeather
    sheet: CupSheet
    preparing: CupPreparing
    position: CupPosition
    referee: CupReferee
    turn: CupTurn
    finish: CupFinish
    kers: Kers

    name = "cup"
    VERSION: ClassVar[str] = "cup 6"
    laps = 3
    walled = False
    race_type = CupRace
    figures_type = CupFigures
    reminders: ClassVar = {"setup": ("prep.sheet",)}
    word = "ruling 39"
    car_values: ClassVar = (
        "wear", "gear", "at", "lap", "stops", "tyres", "tyre_laps", "status", "kers", "raced", "waived",
    )  # fmt: skip
    car_details: ClassVar = (*FormulaDe.car_details, "bonus")
    race_details: ClassVar = (*FormulaDe.race_details, "started")
    car_ranges: ClassVar = {**FormulaDe.car_ranges, "kers": (0, 9), "leaves": (0, 100_000), "bonus": (0, 99)}
    race_values: ClassVar = ("sky", "surface", "order", "dangers", "wet_conditions")

    @property
    def move(self) -> CupMove:
        """The turn being played."""
        move = self.race.move
        assert move is not None, "no turn is being played"
        return move

    def _set_values(self, change: dict[str, Json]) -> None:
        """Whatever the referee sets, the columns of the grid have no gap afterwards [pit.close-up, ruling 38]."""
        super()._set_values(change)
        self.pits.tidy()

    # -- its articles for what the family rules

    cites: ClassVar = {
        "0-0-1": "race.laps",
        "0-0-2": "order.position",
        "2": "start.first-gear",
        "3": "weather.check",
        "5": "wear.pools",
        "6": "gears.announce",
        "6-1": "gears.up-one",
        "6-1-2": "gears.skip-down",
        "6-2": "order.position",
        "6-2-1": "drive.lanes",
        "6-2-3": "order.level-gear",
        "6-2-6": "gears.announce",
        "7": "drive.lanes",
        "7-1": "corner.stops",
        "7-1-2": "corner.paths",
        "7-1-4": "corner.exit",
        "7-2": "straight.two-lanes",
        "7-2-2": "corner.stops",
        "7-2-5": "straight.zigzag-pass",
        "8-0-1": "tyres.two-compounds",
        "8-1": "tyres.dry",
        "8-1-2": "tyres.wet",
        "8-2": "tyres.dry",
        "8-2-2": "tyres.wet",
        "8-3": "tyres.dry",
        "8-3-2": "tyres.wet",
        "9": "start.roll",
        "9-3": "start.first-gear",
        "10": "overshoot.loss",
        "10-2": "overshoot.lane",
        "10-4": "overshoot.spin",
        "11": "brake.any-time",
        "12": "blocked.table",
        "13": "geardown.table",
        "13-2": "geardown.no-four",
        "14": "collision.risk",
        "14-4": "collision.order",
        "16": "engine.trigger",
        "16-0-2": "engine.range",
        "16-0-3-1": "ruling 10",
        "17": "handling.test",
        "17-0-1": "handling.marker",
        "18": "drs.move",
        "18-0-1": "drs.conditions",
        "18-1-4": "ruling 24",
        "19": "pit.suspended",
        "19-2-3": "pit.entry",
        "19-2-6": "pit.declare",
        "21": "finish.order",
    }
