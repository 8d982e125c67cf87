"""What the terminal shows: scenes, questions with their prices, rulings, order and log, in the width there is."""

from __future__ import annotations

from typing import Any, Final

from companion.desk import Done, RaceDesk
from companion.rules.conversation.asking import Asked, Json, Option, Ruling
from companion.rules.conversation.errors import CompanionError
from companion.rules.conversation.rulebook import Rulebook
from companion.rules.ninety.circuit import SectionTrack
from companion.rules.public import Public, PublicCar, PublicDiceCar
from companion.sheets.car_extras import of_car, of_race
from companion.terminal.answers import BY_VALUE
from companion.terminal.board_text import draw, draw_sections
from companion.terminal.lines import Lines
from companion.view.brought import becomes, sentence, tone_of
from companion.view.citing import said_here
from companion.view.race import risk
from companion.view.shown_race import Push
from companion.view.sight import Sight
from companion.wording.filling import MissingWords, Names, face

STYLES: Final = {"out": "bold red", "spin": "red", "weather": "blue", "surface": "blue", "finish": "bold green",
          "reminder": "dim"}  # fmt: skip
"""How rulings look that are more than a cost."""
ROWS: Final = 8
"""How many answers are shown before "more"."""
NAME: Final = 15
LONGEST_NAME: Final = 26
"""How wide the column of answers is at least and at most, in letters."""


class Screen(Lines):
    """All that is shown of a race: how it stands, what is asked and at what price, what was ruled and done. Of the
    question of its `sight` it tells the dice that an answer leads to as well."""

    sight: Sight | None = None

    # -- how the race stands

    def push(self, push: Push) -> None:
        """What the table does on the board for a car that the program drives."""
        self.line()
        self.wrapped(push.said, "bold", first="  → ")

    def scene(self, desk: RaceDesk, number: int | None, names: Names) -> None:
        """Whose turn it is, where, with what; the board around the car."""
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
            if len(note) > room:
                note = f"{note[: room - 1]}…" if room > 0 else ""
            self.line((head, "" if car.alive else "dim"), *wear, (f" {note}", "dim"))

    # -- what is asked

    def question(self, asked: Asked, names: Names, *, suggested: str = "") -> int:
        """A question with its answers, cheapest first, and their prices; returns how many answers were shown."""
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
            self.line((f"  {self.words.say('setup_hint', stand='stand' in (asked.fields or {}))}", "dim"))
        elif asked.ask == "chart":
            self.line((f"  {self.words.say('chart_hint')}", "dim"))
        elif "card" in (asked.fields or {}):
            by = (asked.fields or {}).get("by", "")
            self.wrapped(self.words.say("card_hint", by=by), "dim", first="  ")
        elif asked.ask == "saw":
            self.wrapped(self.words.say("saw_hint"), "dim", first="  ")
        if suggested:
            self.line((f"  {self.words.say('suggested', answer=suggested)}", "cyan"))
        return shown

    def options(self, asked: Asked, names: Names, start: int = 0, rows: int = ROWS) -> int:
        """So many answers from one on, in groups of one price; returns how many have been shown by now."""
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
        """One answer: what to type, what it is in a column so `wide`, what it brings, what it costs; in one line, and
        what it brings goes on in the next where it must."""
        words = self.words
        number = str(option.answer) if asked.ask in BY_VALUE else str(place)
        name = words.offered(asked.ask, option, names)
        brings = {name: fact for name, fact in option.facts.items() if name not in ("out", "spin")}  # in the price
        note = words.note(asked.ask, Option(option.answer, option.wear, brings), names)
        free = asked.ask in ("gear", "landing", "slipstream", "kers")
        told = self.tests(asked, option)
        price = self.price(option) if option.wear or option.facts.get("out") or (free and not told) else ""
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
            text, rest = (text[:cut], text[cut + 3 :]) if cut > 0 else (text[: room - 1] + "…", "")
        self.line((f"{number:>4}  ", "bold cyan"), f"{text:<{room}}  ", (price, style))
        if rest:
            self.wrapped(rest, first=" " * 22)

    def tests(self, asked: Asked, option: Option) -> tuple[str, ...]:
        """The dice that an answer leads to, who rolls, what is lost and on which faces; or only how many tests there
        are, where there is room for no more."""
        sight = self.sight
        if sight is None or sight.asked != asked or asked.ask == "attack":
            return ()
        record = risk.outlook(sight, option)
        count = len(risk.tests(record))
        told = ", ".join(test.text for test in risk.tested(sight, record))
        return (told, self.words.screen("landing.then", count=count)) if count else ()

    def price(self, option: Option) -> str:
        """What an answer costs, out and spin included."""
        words = self.words
        if out := option.facts.get("out"):
            return f"{words.word('status', 'out')} ({words.word('cause', out)})"
        cost = words.cost(option.wear)
        return f"{cost}, {words.word('status', 'spun')}" if option.facts.get("spin") else cost

    # -- what was ruled and done

    def ruling(self, ruling: Ruling, names: Names) -> None:
        """A ruling with its article before it."""
        style = STYLES.get(ruling.kind) or ("yellow" if tone_of(ruling) == "warn" else "")
        said, changes = sentence(ruling, self.words, names), becomes([ruling], ruling.car, self.words)
        self.wrapped(f"{said} ({changes})" if changes else said, style, first=f"  {ruling.article:<9} ")

    def log(self, desk: RaceDesk, names: Names, last: int) -> None:
        """The last answers with their numbers, for corrections."""
        done = desk.answers()
        for one in done[-last:]:
            by = "" if one.by == "table" else f"  ({one.by})"
            self.wrapped(self.done(one, names) + by, first=f"{one.n:>5}  ")

    def done(self, done: Done, names: Names) -> str:
        """One thing that was done, in words."""
        words = self.words
        if done.change is not None:
            try:
                return words.ruling(Ruling("override", "", done.car, {}, {"change": done.change}), names)
            except MissingWords:
                return str(done.change)
        label = words.undo_label(done.ask, done.car, done.answer, names)
        return f"{words.say('corrected')} {label}" if done.kind == "correct" else label

    def articles(self, wanted: str, rulebook: str, book: Rulebook[Any] | None = None) -> None:
        """Articles by id or word: up to three of them whole, else their titles; of a race also what is set there."""
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
            widest = max(len(entry.id) for entry in found[:15])
            for entry in found[:15]:
                mark = entry.mark(self.words.lang)
                title = entry.title(self.words.lang)[: self.width - widest - 5 - len(mark)]
                self.line((f"  {entry.id:<{widest}}  ", "cyan"), title + mark)
            if len(found) > 15:
                self.line((f"  {self.words.say('and_more', count=len(found) - 15)}", "dim"))


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
