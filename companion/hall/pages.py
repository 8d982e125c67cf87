"""Race control's pages: the tables at a glance for the director, and the hall's wall.

Each page is complete without a script; the parts with an id are updated.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Final

from companion.hall.floor import DisputedRuling, RaceSeen
from companion.hall.ledger import Alarm
from companion.hall.receiving import Claim
from companion.hall.snapshot import SKEWED, SLOW, HallSnapshot, State, TableSeen, count_states
from companion.hall.starting import Waiting, numbered
from companion.hall.timing import TRIALS
from companion.rules.conversation.asking import Json, Ruling
from companion.sheets.entry import Entry
from companion.sheets.wall_clock import hour
from companion.tournament.results import ResultLine
from companion.view.events.standings import StandingsShown
from companion.view.formats import html_table
from companion.view.markup import Html, el, join
from companion.view.pages.override import Values
from companion.view.shown import Field
from companion.web.art import icon, plate
from companion.wording import LANGUAGES, Words

Parts = Mapping[str, Html]


class Many(Html):
    """A part made of `pieces`, elements with their own ids, of which only the changed ones are sent."""

    pieces: Mapping[str, Html]

    @classmethod
    def of(cls, html: Html, pieces: Mapping[str, Html]) -> Many:
        made = cls(html)
        made.pieces = pieces
        return made


PARTS: Final = {
    "control": ("top", "tables", "refused", "calls", "starts", "confirm", "feed"),
    "wall": ("top", "tiles", "standings", "messages"),
}
"""Parts of each page, in their order."""
ICON: Final[Mapping[State, str]] = {
    "call": "triangle", "away": "away", "confirmed": "check", "finished": "finish", "racing": "play", "trials": "clock",
    "free": "",
}  # fmt: skip
TONE: Final[Mapping[State, str]] = {
    "call": "warn", "away": "info", "confirmed": "ok", "finished": "hi", "racing": "ok", "trials": "ok",
    "free": "low",
}  # fmt: skip
HASH_LENGTH: Final = 6
"""Number of characters of a hash that are shown, here and on the table's own screen."""
LONGEST: Final = 160
"""Maximum number of characters shown of a table's call, dispute or question."""
LONG, SHORT = 30, 4
"""Maximum number of letters of a heading, and of a table's name, in large type."""
WALL_ROWS: Final = 9
"""Maximum number of rows of standings on the wall."""


class HallWriter:
    """Writer of the pages' parts in one language."""

    def __init__(self, lang: str) -> None:
        self.lang, self.words = lang, Words(lang)
        self._made: dict[str, dict[str, tuple[TableSeen, Html]]] = {}
        """Latest rows and tiles, by kind and by id on the page, each with the table that it shows."""

    def say(self, key: str, **facts: Json) -> str:
        return self.words.screen(f"hall.{key}", **facts)

    def parts(self, kind: str, shown: HallSnapshot) -> Parts:
        """Return the parts of a page."""
        return self.control(shown) if kind == "control" else self.wall(shown)

    # -- race control

    def control(self, shown: HallSnapshot) -> Parts:
        """Return the parts of the director's page: tables, calls and results."""
        calls = [table for table in shown.tables if table.state == "call"]
        ended = [table for table in shown.tables if table.race is not None and table.race.over]
        return {
            "top": self._top(shown, self.say("control"), shown.hall),
            "tables": self._rows(shown.tables),
            "refused": self._refused(shown.alarms),
            "calls": join([
                el("header", el("h2", self.say("calls")),
                   el("p", self.say("open", count=len(calls)), cls="t-warn" if calls else None)),
                [self._call(table) for table in sorted(calls, key=_since)] or el("p", self.say("no_calls"), cls="none"),
            ]),
            "starts": self._starts(
                [race for race in shown.starts if not race.runs], [table.name for table in shown.tables]
            ),
            "confirm": join([
                *map(self._claim, shown.claims), *(self._result(table) for table in ended if len(table.signed) < 2)
            ][:1]),
            "feed": el("button", self.say("feed_off" if shown.feed else "feed_on"), type="button", cls="key",
                       data_post="/feed", data_allowed="off" if shown.feed else "on"),
        }  # fmt: skip

    def _top(self, shown: HallSnapshot, title: str, hall: str) -> Html:
        """Write the top: title, number of tables, time, and whether the page is live."""
        subtitle = self.say("subtitle", hall=hall, count=len(shown.tables))
        faults = {"no_broker": not shown.broker and shown.trouble is None, "full": shown.full}
        told = [self.say(key) for key, so in faults.items() if so]
        told += [self.words.error(shown.trouble)] if shown.trouble is not None else []
        wrong = [el("p", icon("triangle"), " ", text, cls="t-bad") for text in told]
        lost = el("p", self.say("not_live"), " ", el("time", ""), cls="lost t-warn")
        languages = [
            el("a", lang.upper(), href=f"?lang={lang}", aria_current="true" if lang == self.lang else None)
            for lang in LANGUAGES
        ]
        clock = el("time", time.strftime("%H:%M"), cls="clock", data_clock=True)
        heading = el("h1", title, cls="long" if len(title) > LONG else None)
        return join([icon("logo"), heading, el("p", subtitle), wrong, el("nav", languages, cls="lang"), lost,
                     clock])  # fmt: skip

    def _counts(self, tables: Sequence[TableSeen]) -> Html:
        counts = count_states(tables)
        told = [
            el("li", icon(ICON[state]), f" {counts[state]} ", self.say(f"count.{state}", count=counts[state]),
               cls=f"t-{TONE[state]}")
            for state in ICON if counts.get(state)
        ]  # fmt: skip
        return el("header", el("h2", self.say("tables")), el("ul", told, cls="counts"), id="counts")

    def _rows(self, tables: Sequence[TableSeen]) -> Html:
        counts = self._counts(tables)
        if not tables:
            return join([counts, el("p", self.say("no_tables"), cls="none")])
        heads = [el("th", self.say(f"head.{key}"), scope="col")
                 for key in ("table", "state", "lap", "last", "lag", "hash", "clock")]  # fmt: skip
        rows = self._each("row", tables, self._row)
        html = el("table", el("thead", el("tr", heads)), el("tbody", list(rows.values())), cls="rows")
        return Many.of(join([counts, html]), {"counts": counts, **rows})

    def _each(self, kind: str, tables: Sequence[TableSeen], write: Callable[[TableSeen], Html]) -> dict[str, Html]:
        """Write the part of every table, re-rendering only the tables that changed."""
        before, made = self._made.get(kind, {}), {}
        for table in tables:
            place = f"{kind}-{table.id}"
            known = before.get(place)
            made[place] = known if known is not None and known[0] == table else (table, write(table))
        self._made[kind] = made
        return {place: html for place, (_, html) in made.items()}

    def _row(self, table: TableSeen) -> Html:
        race = table.race
        state = [icon(ICON[table.state]), " ", self.say(f"state.{table.state}")]
        last = [el("b", race.seq), " ", self._ago(table.heard)] if race is not None else "–"
        head = el("span", race.hash[:HASH_LENGTH], icon("triangle") if race.second else None,
                  cls="t-bad" if race.second else None) if race is not None else "–"  # fmt: skip
        late = "t-bad" if table.lag >= SLOW else None
        wrong = "t-bad" if not abs(table.skew) < SKEWED and table.heard else None
        cells = [
            el("th", self._see_log(race, table.name) if race is not None else table.name, scope="row"),
            el("td", el("span", state, cls=f"t-{TONE[table.state]}")),
            el("td", _lap(race)), el("td", last), el("td", self._lag(table), cls=late), el("td", head),
            el("td", self._skew(table), cls=wrong),
        ]  # fmt: skip
        return el("tr", cells, id=f"row-{table.id}", cls=f"s-{table.state}", data_table=table.id)

    def _see_log(self, race: RaceSeen, text: str, cls: str | None = None) -> Html:
        return el("a", text, href=f"/log/{race.log_id}?lang={self.lang}", cls=cls)

    def _lag(self, table: TableSeen) -> str:
        if not table.heard:
            return "–"
        return self._long(table.lag) if table.lag >= SLOW else self.say("seconds", count=self.words.decimal(table.lag))

    def _skew(self, table: TableSeen) -> str:
        if not table.heard:
            return "–"
        if math.isnan(table.skew):
            return self.say("no_clock")
        if abs(table.skew) >= 600:
            return ("+" if table.skew > 0 else "−") + self._long(abs(table.skew))
        sign = "" if abs(table.skew) < 0.05 else "+" if table.skew > 0 else "−"
        return self.say("seconds", count=sign + self.words.decimal(abs(table.skew)))

    def _long(self, seconds: float) -> str:
        for unit, size in (("days", 86400), ("hours", 3600), ("minutes", 60)):
            if seconds >= 2 * size:
                return self.say(unit, count=int(seconds // size))
        return self.say("seconds", count=int(seconds))

    def _ago(self, at: float) -> Html:
        """Write the time that has passed, which the script keeps counting."""
        return (
            el("time", self._long(max(time.time() - at, 0)) if at else "", data_at=int(at), cls="ago")
            if at
            else Html("")
        )

    def _refused(self, alarms: Sequence[Alarm]) -> Html:
        head = el("header", el("h2", self.say("refused")), el("p", self.say("kept_aside" if alarms else "no_refused")))
        rows = [
            el("li", el("time", hour(alarm.at)), el("b", alarm.sender or "–"),
               el("span", self.words.stored_error(alarm.why)), el("small", self.say("times", count=alarm.times)))
            for alarm in alarms
        ]  # fmt: skip
        return join([head, el("ul", rows)])

    def _call(self, table: TableSeen) -> Html:
        """Write the card of a table that calls."""
        race = table.race
        disputed = table.disputed[0] if table.disputed else None
        called = table.call.at if table.call is not None else race.at if race is not None else ""
        title = self.say("disputed") if disputed is not None else self.say("called")
        entry = disputed.seq if disputed is not None else table.call.seq if table.call is not None else 0
        told = el("p", self.say("coming", who=table.coming), cls="t-ok") if table.coming else None
        change = (
            el("a", self.say("change"), href=f"/change/{race.log_id}?lang={self.lang}", cls="key") if race else None
        )
        text = (table.call.text if table.call is not None else disputed.why if disputed is not None else "")[:LONGEST]
        asks = table.call.asks.get(self.lang, "")[:LONGEST] if table.call is not None else ""
        log = self._see_log(race, self.say("see_log"), "key") if race is not None else None
        ruled = el(
            "form",
            el("input", type="text", name="text", required=True, maxlength=200, placeholder=self.say("your_word"),
               aria_label=self.say("your_word")),
            el("button", self.say("upheld" if disputed is not None else "enter"), cls="key"),
            data_post="/rule", data_table=table.id, data_about=disputed.seq if disputed is not None else 0,
            data_log=race.log_id if race is not None else "",
        )  # fmt: skip
        come = el("button", self.say("come"), type="button", cls="key on", data_post="/come", data_table=table.id)
        return el("article", el("header", el("b", table.name, cls="number"), el("div", el("h3", title),
                  el("p", self.say("at_entry", entry=entry))), el("time", hour(called), cls="since")),
                  self._rulings(race, disputed), [el("p", one) for one in (asks, text) if one], told,
                  el("div", come, log, change, cls="keys"), ruled, cls="call")  # fmt: skip

    def _rulings(self, race: RaceSeen | None, disputed: DisputedRuling | None) -> Html:
        if race is None or disputed is None:
            return Html("")
        names = {car.plate.number: car.name for car in race.order}
        plates = {car.plate.number: car.plate for car in race.order}
        words = Words(self.lang, race.rulebook)
        return el("ul", [
            el("li", plate(plates[one.car]) if one.car in plates else None,
               el("span", self._told_ruling(words, one, names)), el("small", one.article))
            for one in disputed.rulings[:3]
        ], cls="rulings")  # fmt: skip

    def _told_ruling(self, words: Words, ruling: Ruling, names: Mapping[int, str]) -> str:
        """Return a ruling as a sentence, or its article alone if this program cannot word it.

        It may come from another version and a rulebook that is not here.
        """
        try:
            return words.ruling(ruling, names)
        except Exception:
            return ruling.article

    def _starts(self, races: Sequence[Waiting], tables: Sequence[str]) -> Html:
        """Write the races that may begin, each with a table to give it to.

        A race that was given may be given to another table.
        """
        rows = []
        for race in races:
            if race.key == TRIALS:
                rows.append(self._trials(race, tables))
                continue
            name = self.say("at_table" if "." in race.key else "at_race", race=race.key)
            facts = self.say("race_facts", cars=race.cars, sky=race.sky)
            told = el("p", self.say("given", table=race.table), cls="t-info") if race.table else None
            usual = race.table or next((table for table in tables if numbered(table) == numbered(race.key)), "")
            offered = [el("option", table, value=table, selected=table == usual) for table in tables]
            changed = why = None
            if race.changed is not None:
                changed = el("p", Words(self.lang).error(race.changed), cls="t-warn")
                why = el("input", type="text", name="why", required=True, maxlength=200,
                         placeholder=self.say("start_why"), aria_label=self.say("start_why"))  # fmt: skip
            start = el("form", el("select", offered, name="table", aria_label=self.say("head.table")), why,
                       el("button", self.say("start"), cls="key"), data_post="/start", data_race=race.key)  # fmt: skip
            rows.append(el("li", el("div", el("h3", name), el("p", facts), told, changed), start if tables else None,
                           cls="why" if changed is not None else None))  # fmt: skip
        every = el("button", self.say("start_all"), type="button", cls="key on", data_post="/start", data_race="",
                   data_table="")  # fmt: skip
        left = [race for race in races if not race.table and race.key != TRIALS]
        head = el("header", el("h2", self.say("to_start")), every if len(left) > 1 and tables else None)
        return join([head, el("ul", rows)]) if rows else Html("")

    def _trials(self, race: Waiting, tables: Sequence[str]) -> Html:
        """Write the trials, which go to all tables at once."""
        facts = self.say("trials_facts", cars=race.cars, sky=race.sky)
        key = el("button", self.say("start"), type="button", cls="key", data_post="/start", data_race=TRIALS,
                 data_table="")  # fmt: skip
        return el("li", el("div", el("h3", self.say("trials")), el("p", facts)), key if tables else None)

    def _result(self, table: TableSeen) -> Html:
        """Write the result of a table, for two people to confirm."""
        race = table.race
        assert race is not None
        lines = [
            el("li", el("span", line.place or "–"), plate(line.car.plate), el("b", line.car.name), el("b", line.points))
            for line in race.result
        ]  # fmt: skip
        signed = [el("p", icon("check"), " ", el("b", name), cls="t-ok") for name in table.signed]
        head_ = self.say("same_head", head=race.hash[:HASH_LENGTH])
        facts = el("p", el("span", self.say("entries", count=race.seq)), el("span", head_), cls="facts")
        given: dict[str, str | int] = {
            "data_post": "/confirm", "data_log": race.log_id, "data_seq": race.seq, "data_hash": race.hash
        }  # fmt: skip
        if not table.signed:
            keys = el("div", el("button", self.say("confirm"), type="button", cls="key on", **given), cls="keys")
        else:
            code = el("input", type="text", name="code", required=True, minlength=8, maxlength=12, autocomplete="off",
                      placeholder=self.say("second"), aria_label=self.say("second"))  # fmt: skip
            keys = el("form", code, el("button", self.say("confirm"), cls="key"), **given)
        head = el("header", el("h2", self.say("confirm_table", table=table.name)),
                  el("p", self.say("of_two", count=len(table.signed)), cls="t-warn"))  # fmt: skip
        return el("div", head, el("ol", lines, cls="result"), facts, signed, keys)

    def _claim(self, claim: Claim) -> Html:
        """Write a result that awaits a decision, next to the first one if there is one."""
        key, (log_id, end), given = claim.act.race, claim.end, {"data_log": claim.end[0], "data_hash": claim.end[1]}
        both = [(self.say("claim.sent", table=claim.sender), claim.act.lines)]
        if claim.first is not None:
            both.insert(0, (self.say("claim.first", table=claim.first), claim.filed))
        columns = [
            el("div", el("h3", title), el("ol", [self._claimed(line, claim.names) for line in lines], cls="result"))
            for title, lines in both
        ]  # fmt: skip
        why = el("input", type="text", name="text", required=True, maxlength=200, placeholder=self.say("claim.why"),
                 aria_label=self.say("claim.why"))  # fmt: skip
        take = el("form", why, el("button", self.say("claim.take"), cls="key"), data_post="/take", **given)
        keep = el("button", self.say("claim.keep" if claim.first is not None else "claim.reject"), type="button",
                  cls="key", data_post="/keep", **given)  # fmt: skip
        told = self.say("claim.twice" if claim.first is not None else "claim.other", given=claim.given)
        facts = el("p", el("span", self.say("log.entry"), " ", log_id[:8]),
                   el("span", self.say("same_head", head=end[:HASH_LENGTH])), cls="facts")  # fmt: skip
        return el("div", el("header", el("h2", self.say("claim.title", race=key))), el("p", told, cls="t-bad"),
                  el("div", columns, cls="both"), facts, take, el("div", keep, cls="keys"))  # fmt: skip

    def _claimed(self, line: ResultLine, names: Mapping[int, str]) -> Html:
        name = names.get(line.driver, line.bot or str(line.driver))
        return el("li", el("span", line.place or "–"), el("b", f"{line.driver} {name}" if line.driver else name))

    # -- the wall

    def wall(self, shown: HallSnapshot) -> Parts:
        """Return the parts of the wall: a tile for each table, and the standings."""
        standings = shown.standings.get(self.lang)
        tiles = self._each("tile", shown.tables, self._tile)
        return {
            "top": self._top(shown, shown.hall or self.say("title.wall"), ""),
            "tiles": Many.of(join(tiles.values()), tiles) if tiles else el("p", self.say("no_tables"), cls="none"),
            "standings": self._standings(standings) if standings is not None else Html(""),
            "messages": join([el("p", el("b", by), " ", text) for by, text in shown.said]),
        }

    def _tile(self, table: TableSeen) -> Html:
        race = table.race
        state = el("h2", icon(ICON[table.state]), " ", self.say(f"wall.{table.state}"), cls=f"t-{TONE[table.state]}")
        away = self._ago(table.heard) if table.state == "away" else None
        lap = el("p", self.say("lap"), " ", el("b", _lap(race)), cls="lap") if race is not None and race.lap else None
        first = [el("li", plate(car.plate), el("span", car.code)) for car in race.order[:3]] if race is not None else []
        done = el("progress", "", value=round(race.done, 3), max=1) if race is not None else None
        number = el("b", table.name, cls="number long" if len(table.name) > SHORT else "number")
        return el("article", number, el("div", state, away), lap, el("ol", first), done,
                  id=f"tile-{table.id}", cls=f"tile s-{table.state}")  # fmt: skip

    def _standings(self, shown: StandingsShown) -> Html:
        drivers = shown.drivers.only("place", "number", "driver", "points")
        return join(
            [
                el("header", el("h2", drivers.title), el("p", shown.subtitle)),
                el("p", icon("triangle"), " ", shown.warning, cls="t-warn") if shown.warning else None,
                html_table(drivers._replace(rows=drivers.rows[:WALL_ROWS]), head=False, named="driver", drawn=plate),
            ]
        )

    # -- whole pages

    def log(self, race: RaceSeen, entries: Sequence[Entry]) -> Html:
        """Write the page of a table's log, entry by entry."""
        names, words = {car.plate.number: car.name for car in race.order}, Words(self.lang, race.rulebook)
        heads = [el("th", self.say(f"log.{key}"), scope="col") for key in ("entry", "at", "who", "what", "hash")]
        rows = []
        for one in entries:
            ruled = [self._told_ruling(words, ruling, names) for ruling in one.ruled()]
            what = [el("p", said) for said in ruled] or self.say(f"kind.{one.kind}")
            cells = (one.seq, hour(one.at_wall), one.actor, what, one.hash.hex()[:HASH_LENGTH])
            rows.append(el("tr", [el("td", cell) for cell in cells]))
        title = el("h1", race.name, " ", el("small", race.track))
        note = el("p", icon("triangle"), " ", self.say("second_history"), cls="t-bad") if race.second else None
        old = el("p", self.say("succeeds", log=race.succeeds[:8])) if race.succeeds else None
        back = el("p", el("a", self.say("control"), href=f"/control?lang={self.lang}"))
        table = el("table", el("thead", el("tr", heads)), el("tbody", rows), cls="rows")
        return self._whole("log", el("main", back, title, note, old, table, id="page"), race.name)

    def change(self, table: str, race: RaceSeen, values: Values, car: int | None) -> Html:
        """Write the page of corrections: the cars and the race to choose from, with the fields of one."""
        at = f"/change/{race.log_id}?lang={self.lang}"
        whom = [
            el("a", plate(one.plate), " ", one.name, href=f"{at}&car={one.plate.number}", cls="key",
               aria_current="page" if one.plate.number == car else None)
            for one in race.order
        ]  # fmt: skip
        itself = el("a", self.words.screen("override.race"), href=at, cls="key",
                    aria_current="page" if car is None else None)  # fmt: skip
        why = el("input", type="text", name="text", required=True, maxlength=200, placeholder=self.say("your_word"),
                 aria_label=self.say("your_word"))  # fmt: skip
        form = el("form", [self._field(field) for field in values.fields], el("div", why, el("button", self.say("set"),
                  cls="key on"), cls="keys"), data_post="/set", data_log=race.log_id,
                  data_car="" if car is None else car)  # fmt: skip
        back = el("p", el("a", self.say("control"), href=f"/control?lang={self.lang}"))
        title = el("h1", f"{table} · {race.name}", " ", el("small", values.title))
        note = el("p", self.say("sign_in"), cls="note")
        return self._whole(
            "change",
            el("main", back, title, el("nav", itself, whom, cls="whom"), form, self._outcome_line(), note, id="page"),
            race.name,
        )

    def _field(self, field: Field) -> Html:
        name, value = f"value.{field.name}", field.value
        if field.kind == "stepper":
            given = el("input", type="number", name=name, value=value, min=field.low, max=field.high)
        elif field.kind in ("choice", "place"):
            unset = (
                [] if any(key.answer == value for key in field.keys) else [el("option", "–", value="", selected=True)]
            )
            given = el("select", unset, [
                el("option", key.label, value=str(key.answer), selected=key.answer == value) for key in field.keys
            ], name=name)  # fmt: skip
        else:
            shown = (
                " ".join(map(str, value)) if isinstance(value, list | tuple) else "" if value is None else str(value)
            )
            given = el("input", type="text", name=name, value=shown, maxlength=400)
        return el("label", icon(field.icon) if field.icon else None, el("span", field.label), given)

    def page(self, kind: str, parts: Parts) -> Html:
        """Write a whole page."""
        inside = {name: el("section", parts.get(name, Html("")), id=name) for name in PARTS[kind]}
        sign = None
        if kind == "control":
            word = el("input", type="text", name="text", required=True, maxlength=200, placeholder=self.say("message"),
                      aria_label=self.say("message"))  # fmt: skip
            say = el("form", word, el("button", self.say("say"), cls="key"), data_post="/say")
            name = el("input", type="text", name="name", required=True, maxlength=64, placeholder=self.say("new_table"),
                      aria_label=self.say("new_table"))  # fmt: skip
            code = el("form", name, el("button", self.say("code"), cls="key"), data_post="/code")
            sign = el("footer", say, code, inside.pop("feed"), el("p", self.say("sign_in"), cls="note"), id="acts")
        main = el("main", self._outcome_line(), list(inside.values()), sign, id="page")
        return self._whole(kind, main, self.say(f"title.{kind}"))

    def _outcome_line(self) -> Html:
        """Write the line that shows the outcome of an act."""
        return el("p", "", id="told", role="status", aria_live="polite", data_late=self.say("late"))

    def _whole(self, kind: str, main: Html, title: str) -> Html:
        head = el("head",
            el("meta", charset="utf-8"), el("title", title),
            el("meta", name="viewport", content="width=device-width, initial-scale=1"),
            el("link", rel="stylesheet", href="/hall.css"),
            el("link", rel="icon", href="/icon.svg", type="image/svg+xml"),
            el("script", src="/hall.js", type="module") if kind != "log" else None,
            el("noscript", el("meta", http_equiv="refresh", content="10")) if kind in PARTS else None,
        )  # fmt: skip
        units = {f"data_{unit}": self.say(unit, count="#") for unit in ("seconds", "minutes", "hours", "days")}
        body = el("body", main, cls=f"hall {kind}", data_page=kind, **units)
        return Html("<!doctype html>" + el("html", head, body, lang=self.lang))


def _lap(race: RaceSeen | None) -> str:
    if race is None or not race.lap:
        return "–"
    return f"{race.lap}/{race.laps}" if race.laps else str(race.lap)


def _since(table: TableSeen) -> str:
    """Return when a table called, which sorts the oldest call first."""
    return table.call.at if table.call is not None else table.race.at if table.race is not None else ""
