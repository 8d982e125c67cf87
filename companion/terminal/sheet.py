"""Race sheets and car sheets as text: at the table, after a demo, and for stored races."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from companion.rules.conversation.asking import Ruling
from companion.rules.conversation.errors import CompanionError
from companion.rules.conversation.kinds import Pool
from companion.rules.rulebooks import pools_of
from companion.sheets.car_extras import of_car, of_race
from companion.sheets.sheet import CarSheet, Crossing, RaceSheet
from companion.sheets.wall_clock import moment
from companion.terminal.screen import RacePrinter
from companion.view.citing import figure_name, figure_set
from companion.view.consequences import sentence
from companion.view.pages.sheet import classification, corrected, disputed_ruling, overridden
from companion.view.seats.programs import handed_over
from companion.wording.filling import Names

ROUND_WIDE: Final = 4
"""Width of a round in the running order, in characters."""


def show_sheet(screen: RacePrinter, sheet: RaceSheet, number: int | None = None) -> None:
    """Print the sheet of a race, or of one car. Raises CompanionError for an unknown car."""
    names = {car.car: car.driver for car in sheet.cars}
    words = screen.words
    words.rulebook = sheet.rulebook
    car = sheet.car(number) if number is not None else None
    if number is not None and car is None:
        there = [one.car for one in sheet.cars]
        raise CompanionError("typed.no_car", number=number, cars=there)
    screen.line()
    screen.rule(words.say("sheet_of", race=sheet.name or sheet.track), f"{sheet.track} · {sheet.version}")
    if sheet.begun:
        screen.line((f"  {words.say('sheet_begun', at=moment(sheet.begun), entries=sheet.entries)}", "dim"))
    if sheet.variants:
        screen.wrapped(" · ".join(figure_name(switch, words) for switch in sheet.variants), "dim", first="  ")
    if car is not None:
        _car(screen, car, names, pools_of(sheet.rulebook))
        return
    if sheet.result is not None:
        _title(screen, words.say("classification"))
        show_result(screen, sheet)
    _cars(screen, sheet, names)
    _order(screen, sheet)
    _retirements(screen, sheet, names)
    _people(screen, sheet, names)
    _figures(screen, sheet)


def _title(screen: RacePrinter, title: str) -> None:
    screen.line()
    screen.line((f"  {title}", "bold cyan"))


def show_result(screen: RacePrinter, sheet: RaceSheet) -> None:
    """Print the classification, and that of the teams; it is provisional while rulings are disputed."""
    words = screen.words
    if count := len({one.about for one in sheet.disputes if not one.outcome}):
        screen.line((f"  {words.say('provisional', count=count)}", "yellow"))
    for listing in reversed(tuple(classification(sheet, {}, words))):
        if listing.kind == "teams":
            _title(screen, listing.title)
        for place, cars, name, _, *driven, points in listing.rows:
            drivers, told = ", ".join(caption for _, caption in cars.cars), words.say("points", count=points.value)
            cells = name.text[:24], told, drivers
            if driven:
                laps, cause = driven
                cells = drivers[:24], laps.text, told if points.value else cause.brief
            screen.line("  {:>2}  {:<24} {:<10} {}".format(place.text, *cells))


def _cars(screen: RacePrinter, sheet: RaceSheet, names: Names) -> None:
    """Print each car: points left and built, tyres, status."""
    words = screen.words
    _title(screen, words.say("sheet_wear"))
    pools = pools_of(sheet.rulebook)
    heads = " ".join(f"{words.word('pool_two', pool):>5}" for pool in pools)
    screen.line((f"  {'':19}{heads}", "dim"))
    for car in sheet.cars:
        points = " ".join(
            f"{car.wear.get(pool, 0):>2}/{car.built.get(pool, 0):<2}" if car.built else f"{'–':>3}  " for pool in pools
        )
        note = words.word("tyres", car.tyres) if car.tyres else ""
        if car.status not in ("racing", ""):
            note = f"{note}, {words.word('status', car.status)}" if note else words.word("status", car.status)
        screen.line(f"  {words.number(car.car, names)[:18]:<19}{points}  {note}")


def _order(screen: RacePrinter, sheet: RaceSheet) -> None:
    """Print the running order of each round, side by side, and the changes of the weather."""
    if not sheet.rounds:
        return
    words = screen.words
    _title(screen, words.say("sheet_order"))
    side = max(len(words.say("round_head")), 4) + 2
    most = (screen.width - side) // ROUND_WIDE
    for start in range(0, len(sheet.rounds), most):
        if start:
            screen.line()
        lines = sheet.rounds[start : start + most]
        heads = "".join(f"{line.round:>{ROUND_WIDE}}" for line in lines)
        screen.line((f"  {words.say('round_head'):<{side - 2}}{heads}", "dim"))
        for place in range(max(len(line.order) for line in lines)):
            cells = (line.order[place] if place < len(line.order) else "" for line in lines)
            row = "".join(f"{cell:>{ROUND_WIDE}}" for cell in cells)
            screen.line((f"  {place + 1:>{side - 4}}  ", "dim"), row)
    before, told = None, []
    for line in sheet.rounds:
        now = (line.sky, line.surface, *of_race(words, line.more))
        if now != before and (line.sky or line.surface):
            before = now
            said = [words.word("sky", line.sky), words.say("track_is", surface=line.surface), *now[2:]]
            told.append(f"{words.say('round', round=line.round)}{words.say('colon')}{', '.join(said)}")
    if told:
        screen.wrapped(" · ".join(told), "dim", first="  ")


def _retirements(screen: RacePrinter, sheet: RaceSheet, names: Names) -> None:
    words = screen.words
    if sheet.retirements:
        _title(screen, words.say("sheet_retired"))
    wide = max([9, *(len(gone.article) for gone in sheet.retirements)])
    for gone in sheet.retirements:
        cause, where = words.word("cause", gone.cause), words.say("round", round=gone.round)
        who = f"{words.number(gone.car, names)}{words.say('colon')}"
        screen.line(f"  {gone.article:<{wide}} {who}{cause}, {where}")


def _figures(screen: RacePrinter, sheet: RaceSheet) -> None:
    """Print the race's values of figures that no source gives; switches only if they are on."""
    if not sheet.figures:
        return
    words, said = screen.words, []
    _title(screen, words.say("sheet_figures"))
    for name, value in sheet.figures.items():
        if value is not False:
            said.append(figure_set(name, value, words))
    screen.wrapped(" · ".join(said), "dim", first="  ")


def _people(screen: RacePrinter, sheet: RaceSheet, names: Names) -> None:
    """Print overrides, corrections, notes, disputes and handovers.

    Each has the number of its answer, the person and the reason.
    """
    words = screen.words
    if sheet.overrides:
        _title(screen, words.say("sheet_words"))
    for word in sheet.overrides:
        said = overridden(word, names, words)
        screen.wrapped(f"{said} ({word.by}{words.say('colon')}{word.why})", first=_at(word.n))
    if sheet.corrections:
        _title(screen, words.say("sheet_corrections"))
    for one in sheet.corrections:
        said, then = corrected(one, names, words)
        why = f"{words.say('colon')}{one.why}" if one.why else ""
        screen.wrapped(f"{said} ({one.by}{why}); {then}", first=_at(one.n))
    if sheet.notes or sheet.disputes:
        _title(screen, words.say("sheet_notes"))
    for remark in sorted([*sheet.notes, *sheet.disputes], key=lambda remark: remark.seq):
        about = ""
        if remark.about is not None:
            about = words.say("sheet_dispute", what=disputed_ruling(remark, sheet, words))
        screen.wrapped(f"{remark.by}{words.say('colon')}{about}{remark.text}", first=_at(remark.n))
    if sheet.handovers:
        _title(screen, words.say("sheet_handovers"))
    for seat in sheet.handovers:
        said = handed_over(words, seat.car, seat.program, seat.rolls, names)
        screen.wrapped(said + (f" ({seat.why})" if seat.why else ""), first=_at(seat.n))


def _at(n: int) -> str:
    return f"  {n:>5}  "


def _car(screen: RacePrinter, car: CarSheet, names: Names, pools: Sequence[Pool]) -> None:
    """Print the sheet of one car.

    Its boxes, each point crossed off or given back with its article, and its place round by round.
    """
    words = screen.words
    team = f" ({car.team})" if car.team else ""
    parts = [words.word("status", car.status)] if car.status else []
    parts += [words.say("tyres_are", tyres=car.tyres)] if car.tyres else []
    parts += of_car(words, car.more, {}, car.car)
    screen.line()
    screen.line((f"  {words.number(car.car, names)}{team}", "bold cyan"))
    if parts:
        screen.wrapped(", ".join(parts), first="  ")
    if not car.built:
        screen.line(("  " + words.say("sheet_not_built"), "dim"))
        pools = ()
    wide = max((len(words.word("pool", pool)) for pool in pools), default=0)
    most = max((max(car.wear.get(pool, 0), car.built.get(pool, 0)) for pool in pools), default=0)
    for pool in pools:
        left, built = car.wear.get(pool, 0), car.built.get(pool, 0)
        boxes = "□" * left + "■" * max(0, built - left)
        screen.line(f"  {words.word('pool', pool):<{wide}}  {boxes:<{most}}  {left}/{built}")
    wide = max([10, *(len(crossing.article) for crossing in car.crossings)])
    if car.crossings:
        _title(screen, words.say("sheet_crossed"))
        round_, article, reserve, why = words.say("sheet_crossed_head").split(" · ")
        screen.line((f"  {round_:<4}  {article:<{wide}} {reserve:<15} {why}", "dim"))
    for crossing in car.crossings:
        left_now = f"{words.word('pool_short', crossing.pool)} {crossing.left}"
        first = f"  {crossing.round:>4}  {crossing.article:<{wide}} {left_now:<15} "
        screen.wrapped(_why(screen, car, crossing, names), first=first)
    if car.places:
        _title(screen, words.say("sheet_order"))
        screen.line((f"  {words.say('sheet_places_head')}", "dim"))
    for place in car.places:
        lap = max(place.lap, 0)
        gear = words.option("gear", place.gear) if place.gear else "–"
        numbers = f"{place.round:>4}  {place.place or '–':>5}  {lap:>4}  {gear:>7}"
        screen.line(f"  {numbers}  {words.place(place.at):<20} {words.word('status', place.status)}")
        if place.status in ("out", "finished"):
            break  # the rounds after it say the same


def _why(screen: RacePrinter, car: CarSheet, crossing: Crossing, names: Names) -> str:
    """Return the ruling that crossed off the points, or the reason of the person who set them."""
    words = screen.words
    wear = {crossing.pool: crossing.points}
    if crossing.kind == "override":
        return words.say("sheet_by_override", cost=wear, why=crossing.facts["why"])
    if crossing.kind == "correction":
        return words.say("sheet_by_correction", cost=wear, why=crossing.facts["why"])
    return sentence(Ruling(crossing.kind, crossing.article, car.car, wear, crossing.facts), words, names)
