"""A round's tables: the seats, the cost of a swap, and the moves with reasons."""

from __future__ import annotations

from itertools import groupby
from typing import Literal

from companion.rules.conversation.asking import Json
from companion.tournament.seeding import Deal, SeatSwap, SwapPrice
from companion.tournament.tournament import Round, Tournament, table_key
from companion.view.events.acts import TakeBack, take_back
from companion.view.events.calendar import weather_at
from companion.view.events.standings import at_table, plates
from companion.view.shown import Plate, Tone, ViewModel
from companion.view.sight import codes
from companion.wording import Words

Due = Literal["", "weather", "start", "confirm", "standings"]
"""Next step once the tables are published: the weather, a table's race, its second person, the standings."""
SeatState = Literal["plain", "cheap", "cheapest", "dear", "partner", "chosen", "here", "gone"]


class DriverSeat(ViewModel, frozen=True, kw_only=True):
    """A driver's seat; while another driver is selected, `note` is the cost of a swap."""

    number: int
    plate: Plate
    name: str
    code: str
    note: str
    rank: int = 0
    state: SeatState = "plain"
    moved: bool = False


class TableRow(ViewModel, frozen=True, kw_only=True):
    """A table: its number, mean time, clash of team-mates, and whether it has a result."""

    number: str
    key: str
    mean: str
    broken: bool
    done: bool
    seats: tuple[DriverSeat, ...]


class MoveRow(ViewModel, frozen=True, kw_only=True):
    """A move of two drivers, with its reason."""

    place: str
    one: tuple[Plate, str, str]
    """Plate, name, and destination table of the driver."""
    other: tuple[Plate, str, str]
    why: str
    by: str
    ranks: str
    numbers: tuple[int, int]


class Constraint(ViewModel, frozen=True, kw_only=True):
    """A constraint on the tables, and how well it is met."""

    text: str
    value: str
    kept: bool


class SeedingShown(ViewModel, frozen=True, kw_only=True):
    """The tables of a round."""

    subtitle: str
    round: int
    deal: Deal = "turn"
    tables: tuple[TableRow, ...]
    moves: tuple[MoveRow, ...]
    stay: str
    constraints: tuple[Constraint, ...]
    question: str
    note: str
    tone: Tone = "plain"
    chosen: Plate | None = None
    published: bool = False
    broken: int = 0
    objection: str = ""
    """Objection to publishing the tables, apart from team-mates who sit together."""
    can_deal: bool = False
    drivers: int = 0
    """Number of drivers present, whom a further round would seat."""
    due: Due = ""
    due_table: str = ""
    undo: TakeBack


def seeding(record: Tournament, words: Words, chosen: int = 0) -> SeedingShown:
    """Return the tables of the last round, with a driver selected for a swap (0: none)."""
    return _Look(record, words, chosen).build()


def due_at(record: Tournament) -> tuple[Due, str]:
    """Return what is due in the last round, and at which table.

    ("", "") until the round is published.
    """
    number = max(record.rounds, default=0)
    round_ = record.rounds.get(number)
    if round_ is None or round_.published is None:
        return "", ""
    waiting = record.open_tables(number)
    there = [key for key in round_.keys if key in record.results]
    drawn = (
        record.sky_of_round(number) is not None
        or weather_at(record.begun.rulebook, record.begun.options, round_.track) is None
    )
    if waiting and not there and not drawn:
        return "weather", ""
    if waiting:
        return "start", waiting[0]
    if unofficial := [key for key in record.results if not record.results[key].official]:
        return "confirm", unofficial[0]
    return ("standings", "") if round_.final else ("", "")


class _Look:
    def __init__(self, record: Tournament, words: Words, chosen: int) -> None:
        self.record, self.words = record, words
        self.number = max(record.rounds, default=0)
        self.round: Round | None = record.rounds.get(self.number)
        self.plates, self.names = plates(record), record.names
        for table in self.round.tables if self.round is not None else ():
            self.plates |= at_table(record, table)
        self.codes = codes(self.names)
        seats = {driver for table in self.round.tables for driver in table} if self.round is not None else set()
        self.chosen = chosen if chosen in seats else 0
        self.broken = record.broken(self.number) if self.round is not None else []
        self.prices: dict[int, SwapPrice] = {}
        """Price of a swap with each driver of another table, for the driver who is chosen."""
        if self.chosen:
            self.prices = {price.other: price for price in record.prices(self.number, self.chosen)}

    def say(self, key: str, **facts: Json) -> str:
        return self.words.screen(f"seeding.{key}", self.names, **facts)

    def build(self) -> SeedingShown:
        record, round_ = self.record, self.round
        here = len(record.field.racing)
        if round_ is None:
            return SeedingShown(
                subtitle=record.name, round=0, tables=(), moves=(), stay="", constraints=(),
                question=self.say("ask_deal"), note=self.say("deal_note", count=here), can_deal=True, drivers=here,
                undo=take_back(self.record, self.words),
            )  # fmt: skip
        broken = self.broken
        waiting = record.open_tables(self.number)
        published = round_.published is not None
        tables = tuple(
            self.table(at, seats, {pair.table for pair in broken}) for at, seats in enumerate(round_.tables, 1)
        )
        unofficial = [key for key in record.results if not record.results[key].official]
        due, due_table = due_at(record)
        wrong = record.outdated(self.number) if published else record.objection(self.number)
        objection = self.words.error(wrong) if wrong is not None and not published else ""
        question, note, tone = self.ask(round_, waiting)
        if wrong is not None and not self.chosen:
            note, tone = self.words.error(wrong), "warn"
        drivers = sum(map(len, round_.tables))
        moved = {number for move in round_.moves for number in (move.one, move.other)}
        return SeedingShown(
            subtitle=self.say("subtitle", round=self.number, count=drivers, way=round_.deal, final=round_.final),
            round=self.number,
            deal=round_.deal,
            tables=tables,
            moves=tuple(self.move(at, move, round_) for at, move in enumerate(round_.moves, 1)),
            stay=self.say("stay", count=drivers - len(moved)),
            constraints=self.constraints(round_, len(broken)),
            question=question,
            note=note,
            tone=tone,
            chosen=self.plates[self.chosen] if self.chosen else None,
            published=published,
            broken=len(broken),
            objection=objection,
            can_deal=published and not waiting and not round_.final and not unofficial,
            drivers=here,
            due=due,
            due_table=due_table,
            undo=take_back(self.record, self.words),
        )

    def ask(self, round_: Round, waiting: list[str]) -> tuple[str, str, Tone]:
        record = self.record
        pairs = self.broken
        if self.chosen:
            question = self.say("ask_swap", car=self.chosen)
        elif round_.published is None:
            question = self.say("ask_publish")
        else:
            question = self.say("ask_over" if not waiting else "ask_racing", round=self.number, count=len(waiting))
        if pairs and round_.published is None:
            one = pairs[0]
            note = self.say("pair", table=one.table, of=one.of, one=one.one, other=one.other)
            return question, note, "warn"
        if round_.published is None and not self.chosen and (level := record.left_out(self.number)):
            return question, self.say("left_out", last=round_.ranking[-1], other=level[0], more=len(level) - 1), "warn"
        if round_.published is None or self.chosen:
            return question, self.say("tap" if self.chosen else "publish_note"), "plain"
        return question, self.say("published", by=self.words.signer(round_.published.by)), "plain"

    def table(self, at: int, seats: tuple[int, ...], broken: set[int]) -> TableRow:
        mean = self.mean(seats)
        key = table_key(self.number, at)
        good = [price for price in self.prices.values() if price.made <= price.parted and not price.made]
        best = min(good, key=lambda price: price.ranks).other if good else 0
        return TableRow(
            number=str(at),
            key=key,
            mean=self.words.decimal(mean) if mean is not None else "",
            broken=at in broken,
            done=key in self.record.results,
            seats=tuple(self.seat(driver, seats, best) for driver in seats),
        )

    def seat(self, driver: int, seats: tuple[int, ...], best: int) -> DriverSeat:
        assert self.round is not None
        rank = self.round.rank(driver)
        moved = any(driver in (move.one, move.other) for move in self.round.moves)
        state: SeatState = "plain"
        note = self.say("rank", rank=rank)
        mates = {pair.one for pair in self.broken if pair.other == self.chosen}
        mates |= {pair.other for pair in self.broken if pair.one == self.chosen}
        price = self.prices.get(driver)
        if driver not in self.record.field.racing:
            state = "gone"
            note = self.say("gone" if driver in self.record.field.gone else "not_here")
        elif driver == self.chosen:
            state = "chosen"
        elif self.chosen and driver in seats and self.chosen in seats:
            state = "partner" if driver in mates else "here"
            note = self.say("pair_with", car=self.chosen) if driver in mates else self.say("same_table")
        elif price is not None:
            made = price.made
            note = self.say("new_pair") if made else self.say("ranks", count=price.ranks)
            state = "dear" if made else "cheapest" if driver == best else "cheap"
        return DriverSeat(
            number=driver, plate=self.plates[driver], name=self.names[driver], code=self.codes[driver], note=note,
            rank=rank, state=state, moved=moved,
        )  # fmt: skip

    def move(self, at: int, move: SeatSwap, round_: Round) -> MoveRow:
        where = {driver: table for table, seats in enumerate(round_.tables, 1) for driver in seats}

        def goes(driver: int) -> tuple[Plate, str, str]:
            return self.plates[driver], self.names[driver], self.say("to", table=where.get(driver, 0))

        return MoveRow(
            place=str(at),
            one=goes(move.one),
            other=goes(move.other),
            why=move.why if move.organiser else self.say("why_team", team=move.why),
            by=self.say("by_organiser" if move.organiser else "by_rule"),
            ranks=self.say("ranks", count=move.ranks),
            numbers=(move.one, move.other),
        )

    def constraints(self, round_: Round, broken: int) -> tuple[Constraint, ...]:
        sizes = [len(seats) for seats in round_.tables]
        means = [round(mean, 1) for mean in map(self.mean, round_.tables) if mean is not None]
        most = max((move.ranks for move in round_.moves), default=0)
        without = [driver for driver in round_.ranking if self.record.best(driver) is None]
        alike = [(len(list(tables)), size) for size, tables in groupby(sizes)]
        size = " + ".join(f"{many} × {size}" if many > 1 else str(size) for many, size in alike)
        found = [
            Constraint(text=self.say("apart"), value=self.say("pairs", count=broken), kept=not broken),
            Constraint(text=self.say("sizes"), value=size, kept=max(sizes, default=0) - min(sizes, default=0) <= 1),
            Constraint(text=self.say("moved"), value=self.say("ranks", count=most), kept=True),
        ]
        if means:
            found.append(
                Constraint(text=self.say("means"), value=self.words.decimal(max(means) - min(means)), kept=True)
            )
        if without:
            found.append(Constraint(text=self.say("without"), value=str(len(without)), kept=False))
        return tuple(found)

    def mean(self, seats: tuple[int, ...]) -> float | None:
        """Return the mean throws in the best trials at a table; None without a time."""
        times = [time.total for driver in seats if (time := self.record.best(driver)) is not None and not time.last]
        return sum(times) / len(times) if times else None
