"""The race as printed at the terminal: scenes, questions with prices, rulings, order and log."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any, Final

from companion.desk import Done, RaceDesk
from companion.options import HELP_COLUMNS
from companion.rules.circuit.track import Track
from companion.rules.circuit.zones import sections
from companion.rules.conversation.asking import Asked, Json, Option, Ruling
from companion.rules.conversation.errors import CompanionError
from companion.rules.conversation.kinds import is_payable
from companion.rules.conversation.rulebook import Rulebook
from companion.rules.ninety.circuit import SectionTrack
from companion.rules.public import Public, PublicCar, PublicDice, PublicDiceCar, has_pits
from companion.sheets.car_extras import of_car, of_race
from companion.terminal.answers import BY_SPACE, can_happen, chart_example, is_by_value
from companion.terminal.board_text import draw, draw_sections
from companion.terminal.lines import Lines
from companion.view.citing import said_here
from companion.view.consequences import becomes, sentence, tone_of
from companion.view.price import costs
from companion.view.race import risk
from companion.view.shown_race import Push
from companion.view.sight import Sight
from companion.wording.filling import MissingWords, Names, face

STYLES: Final = {"out": "bold red", "spin": "red", "weather": "blue", "surface": "blue", "finish": "bold green",
          "reminder": "dim"}  # fmt: skip
"""Styles of rulings that are more than a cost."""
ROWS: Final = 8
"""Answers printed before "more"."""
NAME: Final = 15
LONGEST_NAME: Final = 26
"""Width of the column of answers, at least and at most, in characters."""
HINTED: Final = ("overshot", "brakes", "beside", "ahead", "line")
"""Details of a stop on a corner sheet that its question names; help has them all."""
DETAIL_COLUMN: Final = 18
"""Width of the column of details in help, in characters."""


class RacePrinter(Lines):
    """Printer of a race: its state, the question with its prices, rulings and log.

    Given the `sight` of a question, it also prints the tests that an answer leads to.
    """

    sight: Sight | None = None

    # -- how the race stands

    def push(self, push: Push) -> None:
        """Print how the table moves a car that the program drives."""
        self.line()
        self.wrapped(push.sentence, "bold", first="  → ")

    def scene(self, desk: RaceDesk, number: int | None, names: Names) -> None:
        """Print whose turn it is, with the car and the board around it."""
        words, race = self.words, desk.public()
        car = next((car for car in race.cars if car.number == number), None)
        sky = f"{words.word('sky', race.sky)}, {words.say('track_is', surface=race.surface)}" if race.sky else ""
        sky = ", ".join(filter(None, (sky, *of_race(words, race.more))))
        right = " · ".join(filter(None, (words.say("round", round=race.round) if race.round else "", sky)))
        self.line()
        if car is None:
            self.rule(desk.rulebook.track.name, right)
            return
        self.rule(words.number(car.number, names), right)
        if race.phase != "setup":
            self.car(race, car)
            self.board(desk, car.at, self.height - 14)

    def car(self, race: Public, car: PublicCar) -> None:
        """Print a car in two lines: place, lap, gear and tyres; then its wear."""
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
        """Print the board around a space, or all of it; only as much as fits in `rows`."""
        race, track = desk.public(), desk.rulebook.track
        cars: dict[str, str] = {}
        for car in sorted(race.cars, key=lambda car: car.arrived):  # in a section from the head of its line
            if car.at is not None and car.standing:
                cars[car.at] = f"{cars[car.at]} {car.number}" if car.at in cars else str(car.number)
        if isinstance(race, PublicDice) and isinstance(track, Track):
            track = _raced(track, race)
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
        """Print the running order with each car's wear."""
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
            if len(note) > room:
                note = f"{note[: room - 1]}…" if room > 0 else ""
            self.line((head, "" if car.alive else "dim"), *wear, (f" {note}", "dim"))

    # -- what is asked

    def question(self, asked: Asked, names: Names, *, suggested: str = "") -> int:
        """Print a question with its answers and prices, cheapest first.

        Returns how many answers were printed.
        """
        shown = 0
        text, article = self.words.question(asked, names), f"[{asked.article}]"
        gap = self.width - len(text) - len(article)
        if gap > 1:
            self.line((text, "bold"), " " * gap, (article, "dim"))
        else:
            self.wrapped(f"{text}  {article}", "bold")
        if asked.faces is not None:
            if len(asked.faces) <= 10:
                self.line("  " + "  ".join(str(face) for face in asked.faces))
            else:
                low, high, bands = asked.faces[0], asked.faces[-1], [face(band) for band in asked.bands or ()]
                self.wrapped(self.words.say("faces", low=low, high=high, bands=bands[1:] and bands), first="  ")
        elif asked.ask == "box" and asked.options:
            self.wrapped("  ".join(str(option.answer) for option in asked.options), first="  ")
        elif asked.options:
            shown = self.options(asked, names)
        if asked.ask == "setup":
            said = self.words.say("setup_hint", stand="stand" in (asked.fields or {}))
            self.wrapped(said, "dim", first="  ")
        elif asked.ask == "chart":
            self.wrapped(self.words.say("chart_hint", example=chart_example(asked)), "dim", first="  ")
        elif "card" in (asked.fields or {}):
            by = (asked.fields or {}).get("by", "")
            self.wrapped(self.words.say("card_hint", by=by), "dim", first="  ")
        elif asked.ask == "saw":
            known = [self.detail(name) for name in can_happen(asked) if name in HINTED]
            self.wrapped(self.words.say("saw_hint", known=", ".join(known)), "dim", first="  ")
        if suggested:
            self.wrapped(self.words.say("suggested", answer=suggested), "cyan", first="  ")
        return shown

    def detail(self, name: str) -> str:
        """Return a detail of a stop on a corner sheet as it is typed: "overshot N"."""
        return f"{self.words.word('seen', name)} {self.words.words_of('seen_with')[name]}".rstrip()

    def details(self, asked: Asked) -> None:
        """Explain the details that may follow a place on a corner sheet, one per line."""
        for name in can_happen(asked):
            about = self.words.screen(f"field_note.saw.{name}")
            self.explained(self.detail(name), about, DETAIL_COLUMN)

    def options(self, asked: Asked, names: Names, start: int = 0, rows: int = ROWS) -> int:
        """Print up to `rows` answers from `start` on, grouped by price.

        Returns how many are printed by now.
        """
        options = asked.options or []
        end = start + rows if len(options) > start + rows + 2 else len(options)
        before = None
        wide = max([NAME, *(len(self.words.offered(asked.ask, one, names)) for one in options[start:end])])
        wide = min(wide, LONGEST_NAME)
        for place, option in enumerate(options[start:end], start + 1):
            price = self.price(option)
            if before is not None and price != before and asked.ask in ("landing", "slipstream", "kers"):
                self.line((f"      {'·' * 3}", "dim"))
            before = price
            self.option(place, asked, option, names, wide)
        if rest := options[end:]:
            first, last = self.price(rest[0]), self.price(rest[-1])
            said = self.words.say("more", count=len(rest), price=first, last="" if last == first else last)
            self.line((f"   m  {said}", "cyan"))
        return end

    def option(self, place: int, asked: Asked, option: Option, names: Names, wide: int) -> None:
        """Print one answer: its number or value, name, effects and price.

        The name's column has `wide` characters. Effects that do not fit continue on the next line.
        """
        words = self.words
        number, name = str(place), words.offered(asked.ask, option, names)
        brings = {name: fact for name, fact in option.facts.items() if name not in ("out", "spin")}  # in the price
        note = words.note(asked.ask, Option(option.answer, option.wear, brings), names)
        if is_by_value(asked):
            number = name if option.answer is None else str(option.answer).replace("-", "−")
            if name == number:  # told once
                name, note = note, ""
        free = asked.ask in ("gear", "landing", "slipstream", "kers")
        told = self.tests(asked, option)
        sight = self.sight if self.sight is not None and self.sight.asked == asked else None
        has_price = option.wear or option.facts.get("out") or (free and not told)
        price = self.price(option, sight) if has_price else ""
        if asked.ask == "repair":
            price = ""
        spare = self.width - 8 - len(f"{name:<{wide}} {note}")
        price = next(
            (said for said in (", ".join(filter(None, (price, one))) for one in told) if len(said) <= spare), price
        )
        style = "red" if "out" in option.facts else "yellow" if option.wear and asked.ask != "repair" else "green"
        if option.facts.get("spin"):
            style = "red"
        elif told:
            style = "yellow"
        room = self.width - 6 - len(price) - 2
        text, rest = f"{name:<{wide}} {note}".rstrip() if note else name, ""
        if len(text) > room:
            cut = text.rfind(" · ", 0, room)
            text, rest = (text[:cut], text[cut + 3 :]) if cut > 0 else (name, note)
        if len(text) > room:  # then the price has its own line
            self.wrapped(text, first=f"{number:>4}  ")
            number, text = "", ""
        self.line((f"{number:>4}  ", "bold cyan"), f"{text:<{room}}  ", (price, style))
        if rest:
            self.wrapped(rest, first=" " * (22 if self.width >= 60 else 8))

    def tests(self, asked: Asked, option: Option) -> tuple[str, ...]:
        """Return what other cars surely lose by an answer and the tests that it leads to, longest wording first.

        Tests in full with driver, loss and failing faces, then only their number for lack of room; empty without any.
        """
        sight = self.sight
        if sight is None or sight.asked != asked or asked.ask == "attack":
            return ()
        record = risk.outlook(sight, option)
        count = len(risk.tests(record))
        sure = [hit.text for hit in risk.hits(sight, record)]
        told = ", ".join((*sure, *(test.text for test in risk.tested(sight, record))))
        if not count:
            return (told,) if told else ()
        return told, ", ".join((*sure, self.words.screen("landing.then", count=count)))

    def price(self, option: Option, sight: Sight | None = None) -> str:
        """Return the price of an answer, including going out or spinning.

        Given a `sight`, an overshoot that puts the car out has its sum: "out (4 × 2 = 8 to pay)".
        """
        words = self.words
        if out := option.facts.get("out"):
            if sight is not None and (sums := owed(sight, option)):
                return f"{words.word('status', 'out')} ({', '.join(sums)})"
            return f"{words.word('status', 'out')} ({words.word('cause', out)})"
        cost = words.cost(option.wear)
        return f"{cost}, {words.word('status', 'spun')}" if option.facts.get("spin") else cost

    def full_price(self, sight: Sight, answer: Json) -> str:
        """Return what an answer costs and the tests that it leads to, whether it is listed or not; "" if it is free."""
        record = risk.outlook(sight, Option(answer))
        listed = [
            one for one in (sight.asked.options if sight.asked is not None else None) or [] if one.answer == answer
        ]
        option = listed[0] if listed else risk.as_option(record, answer)
        price = [self.price(option, sight)] if costs(option) else []
        brought = (*risk.hits(sight, record), *risk.tested(sight, record))
        return ", ".join((*price, *(one.text for one in brought)))

    # -- what was ruled and done

    def ruling(self, ruling: Ruling, names: Names) -> None:
        """Print a ruling after its article."""
        style = STYLES.get(ruling.kind) or ("yellow" if tone_of(ruling) == "warn" else "")
        said, changes = sentence(ruling, self.words, names), becomes([ruling], ruling.car, self.words)
        self.wrapped(f"{said} ({changes})" if changes else said, style, first=f"  {ruling.article:<9} ")

    def log(self, desk: RaceDesk, names: Names, rows: int | None, shown: int = 0) -> int:
        """Print the last answers with their numbers, for corrections; all of them if `rows` is None.

        `shown` of them have been printed before. Returns how many have been by now, 0 if no earlier one is left.
        """
        done = desk.answers()
        end = max(len(done) - shown, 0)
        start = 0 if rows is None else max(end - rows, 0)
        if start:
            self.line((f"   m  {self.words.say('more_log', count=start)}", "cyan"))
        for one in done[start:end]:
            by = "" if one.by == "table" else f"  ({one.by})"
            self.wrapped(self.done(one, names) + by, first=f"{one.n:>5}  ")
        return len(done) - start if start else 0

    def done(self, done: Done, names: Names) -> str:
        """Return an answer or override in words."""
        words = self.words
        if done.change is not None:
            try:
                return words.ruling(Ruling("override", "", done.car, {}, {"change": done.change}), names)
            except MissingWords:
                return str(done.change)
        label = words.undo_label(done.ask, done.car, done.answer, names)
        if done.ask in BY_SPACE or done.ask == "saw":
            label = ", ".join((label, *self.said_with(done.answer)))
        return f"{words.say('corrected')} {label}" if done.kind == "correct" else label

    def said_with(self, answer: Json) -> Iterator[str]:
        """Yield the details of a stop, as they are typed: "overshot 1"."""
        for name, word in self.words.words_of("seen").items() if isinstance(answer, dict) else ():
            if name != "line" and (said := answer.get(name)):
                yield f"{word} {' '.join(map(str, said)) if isinstance(said, list) else said}"

    def articles(self, wanted: str, rulebook: str, book: Rulebook[Any] | None = None) -> None:
        """Print the articles that match an id or a word.

        Up to three in full, otherwise their titles. Given `book`, with the figures set in the race.
        """
        from companion.articles import load, places_of

        known = load(rulebook)
        found = known.find(wanted, self.words.lang) if wanted else list(known)
        if not found:
            article, places = next(iter(known)).id, places_of(wanted, self.words.lang)
            self.complaint(self.words.say("no_article", said=wanted, article=article, places=places))
        for entry in found[:3] if len(found) <= 3 else []:
            self.line((f"  {entry.id}  ", "bold cyan"), (entry.title(self.words.lang), "bold"))
            text = entry.text(self.words.lang) if book is None else said_here(entry, book, self.words)
            self.wrapped(text, first="  ")
        if len(found) > 3:
            widest = max(len(entry.id) for entry in found[:15]) if self.width >= HELP_COLUMNS else 0
            for entry in found[:15]:
                title = entry.title(self.words.lang) + entry.mark(self.words.lang)
                self.wrapped(title, first=f"  {entry.id:<{widest}}  ", rest=" " * (widest + 4) if widest else "    ")
            if len(found) > 15:
                self.line((f"  {self.words.say('and_more', count=len(found) - 15)}", "dim"))


def owed(sight: Sight, option: Option) -> list[str]:
    """Return the sum of each overshoot that puts the car out, such as "4 × 2 = 8 to pay"; a paid one is the price."""
    if not (option.facts.get("out") and option.facts.get("overshot")):
        return []
    record = risk.record(sight, option)
    found = [due.ruling.facts for due in record.rulings if due.ruling.kind == "overshoot"] if record is not None else []
    return [
        sight.words.say("owed", **facts, unpayable=not is_payable(facts["factor"]))
        for facts in found
        if "loss" in facts
    ]


def _raced(track: Track, race: PublicDice) -> Track:
    """Return a circuit without the pits and the DRS zones that this race does not have."""
    zones = tuple(zone for zone in track.zones if set(sections(track, zone)) <= set(race.zones))
    return replace(track, zones=zones, pit=track.pit if has_pits(race) else None)


def _besides(car: PublicCar) -> dict[str, Json]:
    """Return a car's state besides its wear."""
    stop = {"stop": car.stop} if isinstance(car, PublicDiceCar) else {}
    return {**stop, "stops": car.stops, **car.more}


def _fitting(drawn: list[str], rows: int) -> list[str]:
    """Return the blocks of a drawn board that fit in `rows`, without its legend.

    At least the first block.
    """
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
