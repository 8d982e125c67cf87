"""The `companion demo` command: drivers play a whole race, with the referee's rulings."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Final

import click

from companion.desk import RaceDesk
from companion.drivers import DRIVERS as KNOWN
from companion.drivers.registry import driver_named
from companion.options import as_rulebook, in_folder, in_language
from companion.rules.conversation.asking import Asked, Json, Ruling
from companion.rules.ninety.ninety import Ninety
from companion.rules.public import PublicDice, come
from companion.rules.rulebooks import begin, named
from companion.terminal.screen import RacePrinter
from companion.terminal.sheet import show_sheet
from companion.view.worded import named_corners
from companion.wording import Words
from companion.wording.filling import Names

DRIVERS: Final = (
    "Ada", "Bruno", "Chloé", "Dario", "Elsa", "Farid", "Greta", "Hugo", "Inès", "Jonas",
    "Kira", "Luca", "Mina", "Noé", "Olga", "Paul", "Quinn", "Rosa", "Sven", "Tess",
)  # fmt: skip
SILENT: Final = frozenset(
    {
        "gear", "stop", "reminder", "box", "build", "tyres", "grid", "round", "soft",
        "slide", "brake", "attack_phase", "passes", "reload",
    }
)  # fmt: skip
"""Rulings that the commentary leaves out if they cost nothing."""
BAR: Final = 20


class Commentary:
    """Commentary on a race: the rulings of each turn, and the progress after each round."""

    def __init__(self, screen: RacePrinter, desk: RaceDesk) -> None:
        self.screen, self.desk = screen, desk
        self.words = screen.words
        self.names: Names = desk.names
        self._roll = ""
        self._lap = 0

    def tell(self, asked: Asked, answer: Json, rulings: Sequence[Ruling]) -> None:
        """Print the rulings on an answer, without minor ones."""
        if asked.ask == "roll":
            self._roll = f"{self.words.option('gear', int(asked.what[-1]))}{self.words.say('colon')}{answer}"
        for place, ruling in enumerate(rulings):
            if ruling.kind == "round":
                self.progress(ruling)
            elif ruling.kind == "move":
                self.move(ruling, rulings[place + 1 : place + 3])
            elif ruling.wear or ruling.kind not in SILENT:
                self.screen.ruling(ruling, self.names)

    def move(self, ruling: Ruling, after: Sequence[Ruling]) -> None:
        """Print a car's move with its gear and roll, slide and soft space."""
        parts = [self._roll] if self._roll else []
        for one in after:
            if one.kind in ("slide", "soft"):
                parts.append(self.words.say("demo_more", kind=one.kind, spaces=one.facts.get("spaces", 1)))
        self._roll = ""
        said = self.words.ruling(ruling, self.names)
        self.screen.wrapped(f"{said[:-1]} ({', '.join(parts)})." if parts else said, first=f"  {ruling.article:<9} ")

    def progress(self, ruling: Ruling) -> None:
        """Print the progress after a round: share of the race done, leader, cars still racing.

        On a new lap also the running order.
        """
        race = self.desk.public()
        leader = next(car for car in race.cars if car.number == ruling.car)
        lap = leader.lap if isinstance(race, PublicDice) else race.round
        so_far, whole = come(self.desk.rulebook, leader.number)
        done = so_far * BAR // whole
        said = self.words.say(
            "demo_progress",
            filled="█" * min(done, BAR),
            empty="░" * (BAR - done),
            lap=min(max(lap, 1), race.laps),
            laps=race.laps,
            running=sum(car.alive for car in race.cars),
            cars=len(race.cars),
        )
        self.screen.line()
        self.screen.line((said, "cyan"))
        self.screen.ruling(ruling, self.names)
        if leader.lap > self._lap or race.round == 1:
            self._lap = leader.lap
            self.screen.order(self.desk, self.names)


def play(
    screen: RacePrinter,
    track: str,
    cars: int,
    laps: int | None,
    seed: int,
    rulebook: str = "formula-d",
    by: str = "sensible",
) -> RaceDesk:
    """Play a whole race by drivers, with commentary; the same for the same seed.

    Without a circuit it is monaco, or saltmarsh for rulebooks on sections.
    """
    from companion import circuits

    sections = issubclass(named(rulebook), Ninety)
    circuit = circuits.board(track or ("saltmarsh" if sections else "monaco"))
    setup = {
        **({"rulebook": rulebook} if rulebook != "competition" else {}),
        "track": circuit.key,
        "cars": [{"car": number, "driver": DRIVERS[number - 1]} for number in range(1, cars + 1)],
        **({"laps": laps} if laps is not None else {}),
        **({"deck": abs(seed) + 1} if sections else {}),
    }
    desk = RaceDesk(begin(setup, circuit), setup=setup, name=f"demo {seed}")
    screen.words.rulebook, screen.words.corner_names = rulebook, named_corners(circuit)
    race = desk.rulebook.race
    screen.line()
    screen.rule(screen.words.say("demo_title", track=circuit.name, laps=race.laps, cars=cars, seed=seed))
    commentary = Commentary(screen, desk)
    driver = driver_named(by, desk.rulebook, seed)
    while (asked := desk.asked) is not None:
        answer = driver.answer(asked, desk.rulebook.race)
        commentary.tell(asked, answer, desk.answer(answer, n=asked.n, by=f"driver:{by}"))
    show_sheet(screen, desk.sheet())
    return desk


@click.command()
@click.option(
    "--track", default="", metavar="NAME", help="Circuit: a name, or a .toml file (else monaco; of sections saltmarsh)."
)
@click.option(
    "--rulebook", default="formula-d", callback=as_rulebook, show_default=True, metavar="NAME", help="Rulebook."
)
@click.option("--cars", type=click.IntRange(1, 20), default=8, show_default=True, help="Number of cars.")
@click.option("--laps", type=int, metavar="N", help="Laps, or turns of cards (else the circuit's).")
@click.option(
    "--driver", type=click.Choice(KNOWN), default="sensible", show_default=True, help="How well the drivers drive."
)
@click.option("--seed", type=int, default=1, show_default=True, help="Repeat the race of this seed.")
@in_folder
@in_language
def demo(
    track: str, rulebook: str, cars: int, laps: int | None, driver: str, seed: int, folder: Path, words: Words
) -> None:
    """Watch drivers of the program play a whole race.

    The referee comments, and shows the sheet at the end.
    """
    play(RacePrinter(words), track, cars, laps, seed, rulebook, driver)
