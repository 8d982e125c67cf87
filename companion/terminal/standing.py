"""How the race stands, at the terminal: whose turn it is, the board around the car, the running order."""

from __future__ import annotations

from companion.desk import RaceDesk
from companion.rules.conversation.asking import Json
from companion.rules.conversation.errors import CompanionError
from companion.rules.ninety.circuit import SectionTrack
from companion.rules.public import Public, PublicCar, PublicDiceCar
from companion.sheets.besides import of_car, of_race
from companion.terminal.board_text import draw, draw_sections
from companion.terminal.lines import Lines
from companion.wording.filling import Names


class Standing(Lines):
    """Shows how the race stands."""

    def scene(self, desk: RaceDesk, number: int | None, names: Names) -> None:
        """Whose turn it is, where, with what; the board around the car."""
        words, race = self.words, desk.public()
        car = next((car for car in race.cars if car.number == number), None)
        sky = f"{words.word('sky', race.sky)}, {words.say('track_is', surface=race.surface)}" if race.sky else ""
        sky = ", ".join(filter(None, (sky, *of_race(words, race.more))))
        right = f"{words.say('round', round=race.round)} · {sky}" if race.round else sky
        self.line()
        if car is None:
            self.rule(desk.rulebook.track.name, right)
            return
        self.rule(words.number(car.number, names), right)
        if race.phase != "setup":
            self.car(race, car)
            self.board(desk, car.at, self.height - 14)

    def car(self, race: Public, car: PublicCar) -> None:
        """A car in two lines: place, lap, gear, tyres; and what is left of its wear."""
        words = self.words
        place = race.order.index(car.number) + 1 if car.number in race.order else 0
        parts = [words.say("place_of", place=place, cars=len(race.cars))] if place else []
        parts.append(words.say("lap_of", lap=max(car.lap, 1), laps=race.laps))
        if car.gear:
            parts.append(words.option("gear", car.gear))
        if car.at:
            parts.append(words.place(car.at))
        if car.tyres:
            parts.append(words.say("tyres_are", tyres=car.tyres))
        if car.status not in ("racing", "grid", "pit", "box"):
            parts.append(words.word("status", car.status))
        parts += of_car(words, _besides(car), race.more, car.number)
        self.wrapped(" · ".join(parts), first="  ")
        shown: list[str | tuple[str, str]] = ["  "]
        for pool in race.pools:
            left = car.wear.get(pool, 0)
            style = "bold red" if left == 0 else "yellow" if left == 1 else ""
            shown += [(f"{words.word('pool_short', pool)} {left}", style), "  "]
        if isinstance(car, PublicDiceCar) and car.stand:
            shown.append(f"{words.word('pool_short', 'stand')} {car.stand}")
        self.line(*shown)

    def board(self, desk: RaceDesk, around: str | None, rows: int | None = None) -> None:
        """The board around a space, or all of it; as much of it as fits so many rows."""
        race, track = desk.public(), desk.rulebook.track
        cars: dict[str, str] = {}
        for car in sorted(race.cars, key=lambda car: car.arrived):  # in a section from the head of its line
            if car.at is not None and car.standing:
                cars[car.at] = f"{cars[car.at]} {car.number}" if car.at in cars else str(car.number)
        if isinstance(track, SectionTrack):
            self.line()
            for row in draw_sections(track, cars, self.width - 2, self.words.lang):
                self.line("  " + row)
            return
        try:
            drawn = draw(track, cars, race.marked, around, self.width - 2, self.words.lang)
        except CompanionError:
            return
        if rows is not None:
            drawn = _fitting(drawn, rows)
        self.line()
        for row in drawn:
            self.line("  " + row)

    def order(self, desk: RaceDesk, names: Names) -> None:
        """The running order with every car's wear."""
        words, race = self.words, desk.public()
        cars = {car.number: car for car in race.cars}
        order = race.order or tuple(cars)
        called = {number: words.number(number, names)[:18] for number in order}
        place = {n: words.place(cars[n].at) if cars[n].standing and cars[n].at else "" for n in order}
        name_wide, at_wide = max(map(len, called.values())), max(map(len, place.values()))
        heads = " ".join(f"{words.word('pool_two', pool):>2}" for pool in race.pools)
        lap_gear = f"{words.say('lap_head'):>3} {words.say('gear_head'):>3}"
        self.line((f"  {'':2} {'':{name_wide}} {lap_gear} {'':{at_wide}} {heads}", "dim"))
        for number_in_order, number in enumerate(order, 1):
            car = cars[number]
            gear = words.option("gear", car.gear) if car.gear else "–"
            wear: list[str | tuple[str, str]] = []
            for pool in race.pools:
                left = car.wear.get(pool, 0)
                wear.append((f"{left:>2} ", "bold red" if left == 0 else "yellow" if left == 1 else ""))
            notes = [] if car.status in ("racing", "pit", "box", "grid") else [words.word("status", car.status)]
            if car.cause:
                notes = [words.word("cause", car.cause)]
            if car.alive and car.tyres:
                notes.append(words.word("tyres", car.tyres))
            notes += of_car(words, _besides(car), race.more, number) if car.alive else []
            head = f"  {number_in_order:>2} {called[number]:<{name_wide}} {max(car.lap, 0):>3} {gear:>3} "
            head += f"{place[number]:<{at_wide}} "
            room, note = self.width - len(head) - 3 * len(race.pools) - 1, ", ".join(notes)
            note = note if len(note) <= room else note[: room - 1] + "…"
            self.line((head, "" if car.alive else "dim"), *wear, (f" {note}", "dim"))


def _besides(car: PublicCar) -> dict[str, Json]:
    """What is said of a car beside its wear."""
    stop = {"stop": car.stop} if isinstance(car, PublicDiceCar) else {}
    return {**stop, "stops": car.stops, **car.more}


def _fitting(drawn: list[str], rows: int) -> list[str]:
    """The blocks of a drawn board that fit, at least the first; without its legend."""
    fitting: list[str] = []
    block: list[str] = []
    for line in drawn:
        block.append(line)
        if not line:
            if fitting and len(fitting) + len(block) > rows:
                break
            fitting += block
            block = []
    return fitting or drawn
