"""The death race: the basic game of one pool, with weapons, armour and gadgets between its rounds.

Its head lists the chapters that it has otherwise than the family, each in the file of the same name, and those that it
has besides:

- wear: one pool of 18 pays a point for every space braked, overshot or not driven, and for every gear skipped; damage,
  and the spin at 0. What it costs where stands in landings, moving, corners and blocking
- no weather, no tyres; pits: a stop gives all points, tokens and slip mines back
- wreckage: what damage leaves, and mines, lie on the road
- cards that work while cars move: tyre_tricks, bodywork, and for a car's own move gadgets
- what weapons reach: reach; how well, and what their hits do: weapons
- the attack phase after each round, the last car first: attack; what a car may do in its place: aiming; how it shoots:
  shots; how mines are dropped and roll on: mines
- preparing: the grid, and how the cards come to the cars
- the 64 cards: cards.toml; figures and state: in the files of these names
"""

from __future__ import annotations

from typing import ClassVar

from companion.rules.conversation.asking import Proc
from companion.rules.conversation.kinds import POOLS
from companion.rules.death.aiming import Aiming
from companion.rules.death.attack import Attack
from companion.rules.death.blocking import DeathBlocking
from companion.rules.death.bodywork import Bodywork
from companion.rules.death.collisions import DeathCollisions
from companion.rules.death.corners import DeathCorners
from companion.rules.death.figures import DeathFigures
from companion.rules.death.gadgets import Gadgets
from companion.rules.death.gears import DeathGears
from companion.rules.death.landings import DeathLandings
from companion.rules.death.mines import Mines
from companion.rules.death.moving import DeathMoving
from companion.rules.death.order import DeathOrder
from companion.rules.death.pits import DeathPits
from companion.rules.death.position import DeathPosition
from companion.rules.death.preparing import DeathPreparing
from companion.rules.death.reach import Reach
from companion.rules.death.referee import DeathReferee
from companion.rules.death.shots import Shots
from companion.rules.death.slipstream import DeathSlipstream
from companion.rules.death.starts import DeathStarts
from companion.rules.death.state import POOL, DeathCar, DeathMove, DeathRace
from companion.rules.death.tests import DeathTests
from companion.rules.death.turn import DeathTurn
from companion.rules.death.tyre_tricks import TyreTricks
from companion.rules.death.tyres import DeathTyres
from companion.rules.death.weapons import Weapons
from companion.rules.death.wear import DeathWear
from companion.rules.death.wreckage import Wreckage
from companion.rules.dice.formula_de import FormulaDe


class Death(FormulaDe[DeathCar, DeathRace, DeathFigures]):
    """The rulebook of arms and armour."""

    order: DeathOrder
    gears: DeathGears
    tyres: DeathTyres
    landings: DeathLandings
    moving: DeathMoving
    slipstream: DeathSlipstream
    corners: DeathCorners
    blocking: DeathBlocking
    wear: DeathWear
    tests: DeathTests
    collisions: DeathCollisions
    pits: DeathPits
    preparing: DeathPreparing
    position: DeathPosition
    referee: DeathReferee
    turn: DeathTurn
    starts: DeathStarts
    wreckage: Wreckage
    reach: Reach
    bodywork: Bodywork
    tyre_tricks: TyreTricks
    gadgets: Gadgets
    weapons: Weapons
    aiming: Aiming
    shots: Shots
    mines: Mines
    attack: Attack

    name = "death"
    VERSION: ClassVar[str] = "death 6"
    laps = 2
    walled = False
    by_spaces: ClassVar[bool] = True
    race_type = DeathRace
    figures_type = DeathFigures
    word = "ruling 39"
    pool_of: ClassVar = dict.fromkeys(POOLS, POOL)
    car_values: ClassVar = (
        "wear", "gear", "at", "lap", "stops", "status", "weapons", "defence", "utility", "stock", "used",
    )  # fmt: skip
    car_details: ClassVar = ("cause", "coast", "turned", "most", "busy")
    race_values: ClassVar = ("order", "dangers")

    @property
    def move(self) -> DeathMove:
        """The turn being played."""
        move = self.race.move
        assert move is not None, "no turn is being played"
        return move

    def counted(self, car: DeathCar, name: str) -> int:
        """The reload tokens on a weapon ("tokens:blobber"), or what is left of a card ("stock:slip-mines")."""
        what, _, key = name.partition(":")
        return (car.weapons if what == "tokens" else car.stock)[key]

    def step(self) -> Proc[None] | None:
        """The attack phase follows the movement phase of each round, with all that its last turn brings, an action or a
        mine a step [phase.attack]."""
        race = self.race
        running = race.phase == "race" and race.move is None and any(car.alive for car in race.cars)
        if running and race.attacking:
            if (mine := self.mines.mine_due()) is not None:
                return self.mines.roll_on(mine)
            return self.attack.act() if race.attackers else self.order.end_of_round()
        if running and self.order.next_to_play() is None:
            return self.attack.begin_attacks()
        return super().step()

    # -- its articles for what the family rules

    cites: ClassVar = {
        "0-0-1": "basic.finish",
        "0-0-2": "phase.movement",
        "2": "basic.grid",
        "4": "pit.refill",
        "5": "basic.pool",
        "6": "basic.gears",
        "6-2-1": "basic.drive",
        "6-2-2": "basic.order",
        "6-2-3": "basic.order",
        "7": "basic.drive",
        "8": "basic.drive",
        "7-1": "basic.corner",
        "7-2": "basic.drive",
        "7-2-2": "basic.corner",
        "9": "basic.start",
        "10": "basic.overshoot",
        "10-2": "basic.overshoot",
        "11": "basic.blocked",
        "12": "basic.blocked",
        "13": "basic.gears",
        "14": "basic.collision",
        "16": "basic.engine",
        "17": "wreckage.roll",
        "18": "slipstream.any-gear",
        "19": "pit.refill",
        "21": "basic.finish",
    }
