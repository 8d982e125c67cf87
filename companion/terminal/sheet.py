"""The race sheet as text: the cars, their wear, and everything that people decided."""

from __future__ import annotations

from companion.rules.conversation import Ruling
from companion.rules.race import POOLS
from companion.sheets.sheet import CarSheet, Crossing, RaceSheet
from companion.terminal.screen import Screen
from companion.wording import MissingWords, Names


def show_sheet(screen: Screen, sheet: RaceSheet, number: int | None = None) -> None:
    """The sheet of a race, or of one car of it."""
    names = {car.car: car.driver for car in sheet.cars}
    words = screen.words
    screen.line()
    screen.rule(words.say("sheet_of", race=sheet.name or sheet.track), f"{sheet.rulebook} · {sheet.track}")
    if number is not None:
        if (car := sheet.car(number)) is not None:
            _car(screen, car, names)
        return
    _cars(screen, sheet, names)
    _result(screen, sheet, names)
    _people(screen, sheet, names)


def _cars(screen: Screen, sheet: RaceSheet, names: Names) -> None:
    """Every car in two halves: what it was built with, and what is left."""
    words = screen.words
    heads = " ".join(f"{words.word('pool_two', pool):>5}" for pool in POOLS)
    screen.line((f"  {'':20}{heads}", "dim"))
    for car in sheet.cars:
        points = " ".join(f"{car.wear.get(pool, 0):>2}/{car.built.get(pool, 0):<2}" for pool in POOLS)
        note = words.word("status", car.status) if car.status not in ("racing", "") else ""
        screen.line(f"  {words.number(car.car, names)[:19]:<20}{points}  {note}")
    if sheet.retirements:
        screen.line((f"  {words.say('sheet_retired')}", "bold"))
        for gone in sheet.retirements:
            cause = words.word("cause", gone.cause)
            where = words.say("sheet_round", round=gone.round)
            screen.line(f"  {gone.article:<9} {words.number(gone.car, names)}{words.say('colon')}{cause}, {where}")


def _result(screen: Screen, sheet: RaceSheet, names: Names) -> None:
    words = screen.words
    if sheet.result is None:
        return
    screen.line((f"  {words.say('classification')}", "bold"))
    for row in sheet.result:
        place = "–" if row["place"] is None else str(row["place"])
        points = words.say("points", count=row["points"]) if row["points"] else ""
        cause = words.word("cause", row["cause"]) if row.get("cause") else ""
        name, laps = words.number(row["car"], names)[:24], words.say("laps", count=row["laps"])
        screen.line(f"  {place:>2}  {name:<24} {laps:<9} {points or cause}")


def _people(screen: Screen, sheet: RaceSheet, names: Names) -> None:
    """Overrides, corrections, notes and disputes, each with who and why."""
    words = screen.words
    if sheet.overrides:
        screen.line((f"  {words.say('sheet_words')}", "bold"))
    for word in sheet.overrides:
        if word.change is not None:
            said = words.change(word.change, names)
        else:
            said = words.undo_label(word.ask, word.car, word.answer, names)
        screen.wrapped(f"{said} ({word.by}{words.say('colon')}{word.why})", first=f"  {word.n:>5}  ")
    if sheet.corrections:
        screen.line((f"  {words.say('sheet_corrections')}", "bold"))
    for one in sheet.corrections:
        was = words.undo_label(one.ask, one.car, one.was, names)
        now = words.undo_label(one.ask, one.car, one.answer, names).partition(words.say("colon"))[2]
        why = f"{words.say('colon')}{one.why}" if one.why else ""
        screen.wrapped(f"{was} → {now} ({one.by}{why})", first=f"  {one.n:>5}  ")
    if sheet.notes or sheet.disputes:
        screen.line((f"  {words.say('sheet_notes')}", "bold"))
    for remark in sorted([*sheet.notes, *sheet.disputes], key=lambda remark: remark.seq):
        screen.wrapped(f"{remark.text} ({remark.by})", first=f"  {remark.n:>5}  ")


def _car(screen: Screen, car: CarSheet, names: Names) -> None:
    """One car: every point crossed off or given back, with its article."""
    words = screen.words
    screen.line((f"  {words.number(car.car, names)}", "bold"))
    built = ", ".join(f"{words.word('pool_short', pool)} {car.built.get(pool, 0)}" for pool in POOLS)
    screen.wrapped(built, first=f"  {words.say('built_head'):<9} ")
    for crossing in car.crossings:
        cost = words.cost({crossing.pool: crossing.points})
        left = f"{words.word('pool_short', crossing.pool)} {crossing.left}"
        where = words.say("sheet_round", round=crossing.round)
        screen.wrapped(
            f"{where}{words.say('colon')}{cost} → {left}. {_why(screen, car, crossing, names)}",
            first=f"  {crossing.article:<9} ",
        )


def _why(screen: Screen, car: CarSheet, crossing: Crossing, names: Names) -> str:
    """The sentence of the ruling by which a point was crossed off; empty where it is a value set by the referee."""
    wear = {crossing.pool: crossing.points}
    try:
        return screen.words.ruling(Ruling(crossing.kind, crossing.article, car.car, wear, crossing.facts), names)
    except MissingWords:
        return str(crossing.facts.get("why", ""))
