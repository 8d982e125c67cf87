"""The race sheet in pages, and its page of the result."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, Literal

import msgspec

from companion.rules.conversation.asking import Json
from companion.rules.conversation.errors import CompanionError
from companion.sheets import entrants
from companion.sheets.again import circuit
from companion.sheets.history import History
from companion.sheets.sheet import RaceSheet
from companion.sheets.wall import moment
from companion.view.sheet_car import CarPage, car_page
from companion.view.sheet_charts import Chart, lap_chart, order_chart
from companion.view.sheet_log import Filter, LogRow, log_rows
from companion.view.sheet_names import by_turns, plate_of
from companion.view.sheet_words import WordRow, word_rows
from companion.view.shown import Plate, Shown
from companion.wording import Words

PageName = Literal["result", "car", "log", "words"]
PAGES: Final[tuple[PageName, ...]] = ("result", "car", "log", "words")


class ResultRow(Shown, frozen=True, kw_only=True):
    """A row of the classification."""

    place: str
    plate: Plate
    name: str
    team: str
    laps: str
    points: str
    note: str = ""
    out: bool = False


class SheetHead(Shown, frozen=True, kw_only=True):
    """What stands above every page."""

    title: str
    subtitle: str
    over: bool
    cars: tuple[Plate, ...]
    pages: tuple[tuple[str, str], ...]


class SheetShown(Shown, frozen=True, kw_only=True):
    """One page of a race's sheet; what belongs to another page is empty."""

    head: SheetHead
    page: PageName
    rulebook: str
    car: CarPage | None = None
    chart: Chart | None = None
    log: tuple[LogRow, ...] = ()
    words: tuple[WordRow, ...] = ()
    result: tuple[ResultRow, ...] = ()


def page(
    sheet: RaceSheet,
    history: History,
    words: Words,
    *,
    name: PageName | None = None,
    car: int | None = None,
    show: Filter = "all",
    laps: bool = False,
) -> SheetShown:
    """A page of a race's sheet: of PAGES, the result or else a car if none is named. `car` is the car that is looked
    at, `show` one of FILTERS for the log, `laps` asks for the chart by laps instead of rounds."""
    name = name or ("result" if sheet.result is not None else "car")
    setup = history.beginning.setup if history.beginning is not None else {}
    grid = [one["car"] for one in setup.get("cars", []) if sheet.car(one["car"]) is not None]
    grid += [one.car for one in sheet.cars if one.car not in grid]  # whoever joined of itself
    plates = {number: place for place, number in enumerate(grid)} | entrants.plates(setup)
    if car is None or sheet.car(car) is None:
        car = grid[0]
    shown = SheetShown(head=head(sheet, history, plates, words, name), page=name, rulebook=sheet.rulebook)
    replace = msgspec.structs.replace
    if name == "car":
        chart = lap_chart(sheet, history, plates, words) if laps else order_chart(sheet, plates, words)
        distance = setup.get("laps")
        whole = distance if isinstance(distance, int) and not by_turns(sheet.rulebook) else 0
        return replace(shown, car=car_page(sheet, car, plates, words, whole), chart=chart)
    if name == "log":
        return replace(shown, log=tuple(log_rows(sheet, history, plates, words, show=show, car=car)))
    if name == "words":
        return replace(shown, words=tuple(word_rows(sheet, words)))
    return replace(shown, result=tuple(result_rows(sheet, plates, words)))


def head(sheet: RaceSheet, history: History, plates: Mapping[int, int], words: Words, page: str = "") -> SheetHead:
    """The title of a race's sheet, its cars, and its pages by name and word."""
    shown = [name for name in PAGES if name != "result" or sheet.result is not None]
    facts = [_circuit(sheet.track, history)]
    if sheet.begun:
        facts.append(words.screen("sheet.begun", at=moment(sheet.begun)))
    return SheetHead(
        title=words.screen("sheet.title") if page == "car" else sheet.name or sheet.track,
        subtitle=" · ".join(facts),
        over=sheet.result is not None,
        cars=tuple(plate_of(number, plates) for number in plates),
        pages=tuple((name, words.screen(f"sheet.page.{name}")) for name in shown),
    )


def _circuit(key: str, history: History) -> str:
    """The circuit by the name that it had when the race began; by its key where the log has no circuit."""
    try:
        return circuit(history.beginning.track if history.beginning is not None else "", key).name
    except CompanionError:
        return key.rpartition("/")[2].removesuffix(".toml")


def result_rows(sheet: RaceSheet, plates: Mapping[int, int], words: Words) -> list[ResultRow]:
    """The classification; none while the race goes on."""
    rows = []
    for row in sheet.result or []:
        number: Json = row["car"]
        car = sheet.car(number)
        cause = words.word("cause", row["cause"]) if row.get("cause") else ""
        gone = car.retired if car is not None else None
        note = f"{cause}, {words.say('round', round=gone.round)}" if cause and gone is not None else cause
        rows.append(
            ResultRow(
                place="–" if row["place"] is None else str(row["place"]),
                plate=plate_of(number, plates),
                name=car.driver if car is not None else "",
                team=car.team if car is not None else "",
                laps=words.say("laps", count=row["laps"]),
                points=str(row["points"]) if row["points"] else "",
                note=note,
                out=row["place"] is None,
            )
        )
    return rows
