"""The pages of drivers, spectators and the wall.

Each is complete without a script; the parts with an id are updated.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Final

from companion.drawing.paints import paint_of
from companion.rules.conversation.asking import Json
from companion.rules.public import Board
from companion.view.formats import html_table
from companion.view.listing import Listing
from companion.view.markup import Html, Inside, el, join
from companion.view.phones.phone import OwnCar, PhoneShown, PositionChange, RulingLine, Skies
from companion.view.race.landings import row_of
from companion.view.seats.programs import SeatShown, SeatsShown
from companion.view.shown import AnswerKey, Card, CardLine, Counter, Extra, Field, Page, Prompt, Row, Term, TopBar
from companion.view.shown_race import Contest, Contestant, Push
from companion.web.art import icon, plate, prices, segments, slim, wear
from companion.web.board import board
from companion.wording import LANGUAGES, Words

Parts = Mapping[str, Html]
"""Content of each part of a page, by its id."""

PARTS: Final = {
    "watch": ("top", "board", "order", "skies", "rulings", "foot"),
    "drive": (
        "top",
        "head",
        "contest",
        "hand",
        "board",
        "wear",
        "ask",
        "push",
        "others",
        "order",
        "rulings",
        "skies",
        "seats",
        "foot",
    ),
    "wall": ("top", "board", "card", "order", "skies"),
    "overlay": ("order", "turn", "ruling"),
}
"""Parts of each page, in order."""
STARTS: Final = {"watch": "/", "drive": "/drive", "wall": "/wall"}
"""Start address of each page that can be put on a home screen."""
BESIDE: Final = {"tables": "table", "standings": "trophy"}
"""Pages of a tournament or season that a race's page links to, with their pictograms."""
WIDE: Final = 374
"""Width of a board on a phone, in pixels."""
HIGH: Final = 222
"""Height of a phone's board from which a space is chosen, in pixels."""
RULINGS_SHOWN: Final = 3
"""Number of rulings shown before the rest is opened."""
COLUMNS: Final = 6
"""Maximum number of columns of a list on a phone; each row of a wider one is a paragraph."""
LONG, LONGEST = 24, 44
"""Length of a wall's heading, in letters, from which it is smaller, and smallest."""
GATE: Final = ("gear", "roll")
SECRET: Final = ("cards", "pick")
"""Layouts whose keys are the cards of a hand."""


class Writer:
    """Writer of the pages' parts in one language."""

    def __init__(self, lang: str, track: Board, rulebook: str) -> None:
        self.lang, self.track, self.words = lang, track, Words(lang, rulebook)

    def say(self, key: str, **facts: Json) -> str:
        return self.words.screen(f"phone.{key}", **facts)

    # -- the three pages

    def watch(self, shown: PhoneShown) -> Parts:
        """Return the parts of a spectator's page."""
        return {
            "top": join([self._title(shown), self.bar(shown.top)]),
            "board": Html("") if shown.over else board(self.track, shown.board, WIDE + 16, 236),
            "order": self._order_or_result(shown, None),
            "skies": Html("") if shown.over else self._skies(shown.skies),
            "rulings": self._rulings(shown.rulings, self.say("rulings")),
            "foot": Html("") if shown.over else join(
                [self._home(shown), el("a", icon("phone"), " ", self.say("join"), href="/drive", cls="key wide")]
            ),
        }  # fmt: skip

    def wall(self, shown: PhoneShown) -> Parts:
        """Return the parts of the wall, a picture of 1920 by 1080."""
        named = shown.name or shown.track
        title = el("h1", named, " ", el("small", shown.track), cls=_size(f"{named} {shown.track}"))
        who = el("p", plate(shown.playing) if shown.playing is not None else None, shown.asked, cls="who")
        return {
            "top": join([title, self.bar(shown.top), who]),
            "board": self._winner(shown) if shown.over else board(self.track, shown.board, 1128, 984, named=True),
            "card": self._last_card(shown),
            "order": self._walled(shown),
            "skies": self._skies(shown.skies),
        }

    def drive(self, shown: PhoneShown) -> Parts:
        """Return the parts of a driver's page; the referee's has no car of its own."""
        asked, own, over = shown.state in ("asked", "table"), shown.own, shown.over
        near = asked and shown.prompt is not None
        high = HIGH if near and shown.prompt is not None and shown.prompt.layout == "landing" else 172
        parts = {
            "top": self.bar(shown.top),
            "head": self._head(shown),
            "contest": self._contest(shown.contest) if shown.contest is not None else Html(""),
            "hand": self._hand(shown),
            "board": join(
                [
                    el("p", shown.stop, cls="stop t-ok") if shown.stop else None,
                    board(self.track, shown.board, WIDE, high if near else 200, near=near),
                ]
            )
            if near or shown.state == "out" or (own is None and not over)
            else Html(""),
            "wear": Html("") if high == HIGH or over else self._own_points(own, whole=not asked),
            "ask": self._ask(shown) if asked else Html(""),
            "push": _push(shown.push) if shown.push is not None else Html(""),
            "others": Html("") if over else join([self._other(one) for one in shown.others]),
            "order": Html("") if asked else self._order_or_result(shown, own),
            "rulings": Html("") if asked else self._rulings(shown.rulings, self._whose(shown), own=own is not None),
            "skies": Html("") if asked or over else self._skies(shown.skies),
            "seats": _seats(shown.seats) if shown.seats is not None else Html(""),
            "foot": self._foot(shown),
        }
        return {name: parts[name] for name in PARTS["drive"]}

    def overlay(self, shown: PhoneShown) -> Parts:
        """Return the parts of an overlay for a camera's picture, of any size."""
        rows = [order_row(row, el("td", row.gear), el("td", gap_of(row), cls="gap")) for row in shown.order]
        return {
            "order": self._order(shown, None) if shown.over else el("table", el("tbody", rows), cls="order"),
            "turn": self._playing(shown),
            "ruling": self._last_ruling(shown),
        }

    # -- the parts

    def _playing(self, shown: PhoneShown) -> Html:
        """Write the car to play: its question, its gear, and what it has left."""
        playing = next(((row, left) for row, left in zip(shown.order, shown.wears, strict=False) if row.playing), None)
        if playing is None or shown.over:
            return Html("")
        row, left = playing
        head = el("div", plate(row.plate, "large"), el("p", shown.asked), el("b", row.gear, cls="gear"), cls="who")
        return join([head, wear(left) if left else prices(row.left)])

    def _last_ruling(self, shown: PhoneShown) -> Html:
        """Write the last ruling as a sentence, with what it took."""
        if not shown.rulings:
            return Html("")
        last = shown.rulings[0]
        who = plate(last.plate) if last.plate is not None else None
        return el("p", who, el("span", prices(last.prices), last.text), el("small", last.cited), cls="last")

    def _winner(self, shown: PhoneShown) -> Html:
        """Write the winner, once the race is over."""
        first = next((row for row in shown.order if shown.over and row.position == 1), None)
        if first is None:
            return Html("")
        won = shown.ended.won if shown.ended is not None else ""
        said = el("div", el("p", icon("trophy", "cup"), " ", self.say("winner")), el("h1", first.name or first.code),
                  el("p", won) if won else None)  # fmt: skip
        teams = shown.ended.teams if shown.ended is not None else ()
        return join([el("div", plate(first.plate, "large"), said, cls="who won"), self._teams(teams)])

    def _teams(self, teams: Sequence[Row]) -> Html:
        """Write the classification of teams in a race for teams."""
        if not teams:
            return Html("")
        heads = el("tr", el("th", self.say("teams"), colspan=3), el("th", self.say("points"), cls="gap"))
        rows = [
            el("tr", el("td", row.position), el("td", [plate(one) for one in (row.plate, *row.mates)]),
               el("th", row.name, " ", el("small", row.team), scope="row"), el("td", row.points, cls="gap"))
            for row in teams
        ]  # fmt: skip
        return el("table", el("thead", heads), el("tbody", rows), cls="order teams")

    def _order_or_result(self, shown: PhoneShown, own: OwnCar | None) -> Html:
        """Write the running order, or at the end the full result.

        That is the winner, the classification, the most places gained, and the links to take home.
        """
        if shown.ended is None:
            return join([self._order(shown, own), self._all_left(shown)])
        gained = [
            el("p", el("span", "" if at else self.say("gained")),
               el("span", plate(one.plate), " ", one.name, " ", el("b", one.before), " → ", el("b", one.after)),
               cls="gained")
            for at, one in enumerate(shown.ended.gained)
        ]  # fmt: skip
        return join([self._winner(shown), self._order(shown, own), gained, self._home(shown)])

    def _title(self, shown: PhoneShown) -> Html:
        languages = [
            el("a", lang.upper(), href=f"?lang={lang}", aria_current="true" if lang == self.lang else None)
            for lang in LANGUAGES
        ]
        on = el("span", self.say("live"), cls="on")
        if shown.over:
            on = el("span", self._official(shown.official), cls="on over")
        off = el("span", self.say("no_signal"), " ", el("time", cls="age"), cls="off")
        live = el("p", on, off, cls="live")
        heading = el("h1", shown.name or shown.track, " ", el("small", shown.track))
        return el("div", el("div", heading, live), el("nav", languages, cls="lang"), cls="title")

    def _official(self, at: str | None) -> Html:
        """Write whether and when two people have confirmed the result.

        Without a confirmation to expect, it is simply the result.
        """
        if at is None:
            return el("span", self.say("result"))
        if not at:
            return el("span", self.say("provisional"), cls="t-warn")
        return el("span", icon("check"), " ", self.say("confirmed", at=at), cls="t-ok")

    def bar(self, top: TopBar) -> Html:
        """Write the bar at the top."""
        cells: list[Html] = []
        if top.lap:
            cells.append(el("span", self.say("lap"), " ", el("b", top.lap), f"/{top.laps}"))
        if top.round:
            cells.append(el("span", top.counted, " ", el("b", top.round), f"/{top.rounds}" if top.rounds else ""))
        if top.sky:
            cells.append(el("span", icon(top.sky_icon, "sky"), " ", el("b", top.sky), " ", el("small", top.surface)))
        cells += [el("span", icon(one.icon), " ", one.text, cls=f"t-{one.tone}") for one in top.marks]
        return el("p", cells, cls="bar")

    def _head(self, shown: PhoneShown) -> Html:
        own, prompt = shown.own, shown.prompt
        if shown.state in ("waiting", "driven") and own is not None:
            queue = [
                el("li", plate(one), cls=" ".join(
                    name for name, there in (("own", one == own.plate), ("round", at == own.round_at)) if there and at
                ) or None)
                for at, one in enumerate(own.coming)
            ]  # fmt: skip
            count = el("b", own.until, cls="until") if own.until > 1 and own.begun else None
            said = self.say("until", count=min(own.until, 2), opens=own.opens) if own.begun else self.say("waits_table")
            if shown.program:
                count, said = None, self.say("driven", program=shown.program)
            words = el("div", el("h1", said), el("p", shown.asked if own.begun else own.name))
            grid = el("b", own.place, cls="place") if not own.begun and own.place else None
            return el("div", el("div", count, words, grid, plate(own.plate, "large"), cls="who"),
                      el("ol", queue, cls="queue"), cls="waits")  # fmt: skip
        who = (
            prompt.plate if prompt is not None and prompt.plate is not None else own.plate if own is not None else None
        )
        name = own.name if own is not None else ""
        key = {"asked": "your_turn", "table": "table_answers", "out": "out"}.get(shown.state, "over")
        trail = [el("li", step.label, cls=step.state) for step in prompt.trail] if prompt is not None else []
        second = el("ol", trail, cls="trail") if len(trail) > 1 else el("p", own.between if own is not None else "")
        if shown.others and own is not None and shown.state in ("asked", "table"):
            name = self.say("car", car=own.plate.number)
        words = el("div", el("h1", self.say(key, name=name) if own is not None else shown.asked), second)
        beside = [el("small", icon(one.icon), " ", one.label) for one in own.extras[:1]] if own else []
        position = el("b", own.place, beside, cls="place") if own is not None and own.place and not shown.over else None
        return el("div", plate(who, "large") if who is not None else None, words, position, cls="who")

    def _hand(self, shown: PhoneShown) -> Html:
        own = shown.own
        if own is None or not own.hand or (shown.prompt is not None and shown.prompt.layout in SECRET):
            return Html("")
        cards = [el("li", el("b", key.label), el("small", key.note), prices(key.prices)) for key in own.hand]
        return el("details", el("summary", self.say("hand", count=len(cards))), el("ul", cards, cls="cards"))

    def _own_points(self, own: OwnCar | None, *, whole: bool) -> Html:
        if own is None:
            return Html("")
        beside: list[Html] = [*map(_counter, own.counters), *(map(_extra, own.extras) if whole else ())]
        return join([wear(own.columns), el("ul", beside, cls="extras") if beside else None])

    def _ask(self, shown: PhoneShown) -> Html:
        prompt = shown.prompt
        assert prompt is not None
        free = shown.state == "asked"
        title = el("h2", prompt.title, " ", el("small", prompt.unit))
        parts: list[Inside] = [title, self._answers(prompt, shown.bands)]
        if shown.card is not None:
            parts.append(self._card(shown.card))
        kind = f"l-{prompt.layout}{' gate' if prompt.ask in GATE else ''}{' secret' if prompt.layout in SECRET else ''}"
        whole = el("fieldset", parts, disabled=not free, cls=kind)
        said = el("p", self.say("disputed"), cls="note e-info") if shown.disputed else None
        return whole if free else join([said or el("p", self.say("table_answers"), cls="note"), whole])

    def _picks(self, prompt: Prompt) -> Html:
        """Write the cards of a hand that combine into answers; answers without a card are keys."""
        cards = [
            el("button", el("b", key.label), el("small", key.note), prices(key.prices), type="button", cls="key",
               data_card=key.answer) for key in prompt.parts
        ]  # fmt: skip
        ways = [key.answer for key in prompt.keys if key.answer and isinstance(key.answer, list)]
        bare = [self._key(key) for key in prompt.keys if key.answer not in ways]
        most = max(map(len, ways), default=0)
        shown = el("div", cards, self._cover(), cls="keys", data_ways=json.dumps(ways), data_most=most)
        return join([shown, el("div", bare, cls="keys") if bare else None, self._elsewhere(prompt)])

    def _elsewhere(self, prompt: Prompt) -> Html | None:
        """Write that the table answers all, or the cards that nobody has entered yet."""
        whole = not prompt.keys
        if not whole and prompt.typed == (0, 0):
            return None
        return el("p", self.say("at_table" if whole else "typed_at_table"), cls="note")

    def _cover(self) -> Html:
        """Write the key that covers the hand and uncovers it again."""
        shown = el("span", icon("lock"), self.say("cover"), cls="open")
        return el("button", shown, el("span", icon("search"), self.say("show_hand"), cls="shut"), type="button",
                  cls="quiet", data_cover=True)  # fmt: skip

    def _contest(self, contest: Contest) -> Html:
        """Write the cars in a contest, the head of the line last, with their cards."""
        rows = [self._contestant(row) for row in reversed(contest.rows)]
        lines = [el("li", icon(one.icon), " ", one.text, cls=f"t-{one.tone}") for one in contest.lines]
        head = el("h2", icon("cards"), " ", contest.title, " ", el("small", contest.place))
        return join([head, el("table", el("tbody", rows), cls="order"), el("ul", lines) if lines else None])

    def _contestant(self, row: Contestant) -> Html:
        cells = [el("td", plate(row.plate)), el("th", row.name, scope="row"), el("td", row.word or prices(row.terms)),
                 el("td", el("b", row.total), cls="gap")]  # fmt: skip
        return el("tr", cells, cls="now" if row.asked else None)

    def _answers(self, prompt: Prompt, bands: tuple[AnswerKey, ...]) -> Html:
        if prompt.layout == "pick":
            return self._picks(prompt)
        if bands:
            faces = el("div", [self._key(key) for key in prompt.keys], cls="keys")
            single = el("details", el("summary", self.say("faces")), faces)
            return join([el("div", [self._key(key) for key in bands], cls="keys bands"), single])
        if prompt.pages:
            first, *rest = prompt.pages
            on = prompt.keys[prompt.chosen] if prompt.chosen >= 0 else None
            shut = [
                el("details", el("summary", page.label, " ", prices((page.price,))), self._rows(page, on))
                for page in rest
            ]
            return join([self._rows(first, on), shut])
        form = el(
            "div", [self._field(field) for field in prompt.fields], self._send(), cls="form", data_most=prompt.most
        )
        simple = prompt.fields and all(field.kind in ("stepper", "choice") for field in prompt.fields)
        keys = [self._key(key, chosen=at == prompt.chosen) for at, key in enumerate(prompt.keys)]
        at_table = self._elsewhere(prompt) if not simple else None
        cover = self._cover() if prompt.layout == "cards" else None
        return join(
            [el("div", keys, cover, cls="keys"), form if simple and prompt.layout == "form" else None, at_table]
        )

    def _rows(self, page: Page, on: AnswerKey | None) -> Html:
        return el("ul", [
            el("li", el("div", el("b", row.title, cls=f"t-{row.tone}"), prices(row.prices)),
               [self._key(key, chosen=key == on, letter=True) for key in row.keys])
            for row in page.rows
        ], cls="landings")  # fmt: skip

    def _key(self, key: AnswerKey, *, chosen: bool = False, letter: bool = False) -> Html:
        if key.why:
            return el("span", el("b", key.label), prices(key.prices), cls="key barred", title=key.why)
        inside: list[Inside] = [plate(key.plate) if key.plate is not None else el("b", key.label)]
        if not letter:
            inside += [el("small", key.note) if key.note else None, prices(key.prices)]
        return el("button", inside, type="button", cls="key on" if chosen else "key", data_space=key.space or None,
                  **{"data_look" if key.accept else "data_answer": json.dumps(key.answer, ensure_ascii=False)},
                  aria_label=f"{key.label} {key.note}" if letter else None)  # fmt: skip

    def _field(self, field: Field) -> Html:
        label = el("label", icon(field.icon), " ", field.label)
        if field.kind == "choice":
            picks = [el("button", key.label, type="button", data_pick=json.dumps(key.answer)) for key in field.keys]
            return el("p", label, el("span", picks), data_field=field.name, data_value=json.dumps(field.value))
        steps = [el("button", "−", type="button", data_step=-1), el("output", field.value or 0),
                 el("button", "+", type="button", data_step=1)]  # fmt: skip
        return el("p", label, el("span", steps), data_field=field.name, data_value=json.dumps(field.value or 0),
                  data_low=field.low, data_high=field.high, data_price=field.price)  # fmt: skip

    def _send(self) -> Html:
        return el("button", self.say("send"), type="button", cls="key", data_send=True)

    def accepting(self, shown: PhoneShown) -> Html:
        """Write the ruling of the selected answer for acceptance.

        Without a ruling, write what the answer may lead to.
        """
        prompt = shown.prompt
        if shown.card is not None and shown.card.accept:
            return self._card(shown.card)
        if prompt is None or prompt.chosen < 0:
            return Html("")
        key = prompt.keys[prompt.chosen]
        row = row_of(prompt.pages, key)
        told = row.prices if row is not None else key.prices
        lines = tuple(CardLine(text=one.text, icon=one.icon, tone=one.tone) for one in told)
        accept = self.words.screen("accept.else")
        return self._card(Card(title=key.note or key.label, article="", lines=lines, accept=accept, act=key.label))

    def _card(self, card: Card) -> Html:
        sums = [_sum(one) for one in card.sums]
        lost = [
            el("li", segments(one), icon(one.pool), f" {one.name} {one.before} → {one.after}") for one in card.losses
        ]
        lines = [el("li", icon(one.icon), " ", one.text, cls=f"t-{one.tone}") for one in card.lines]
        facts = [el("li", f"{one.label} {one.before} {one.value}") for one in (card.sky.facts if card.sky else ())]
        dispute = el("button", icon("triangle"), el("small", self.say("dispute")), type="button",
                     data_dispute=True) if card.tone != "plain" else None  # fmt: skip
        accept = el("button", el("b", card.accept), el("small", card.act), type="button", cls="key accept",
                    data_accept=True)  # fmt: skip
        acts = el("div", dispute, accept, cls="agree" if dispute else None) if card.accept else None
        head = el("header", icon(card.icon), plate(card.plate) if card.plate is not None else None,
                  el("b", card.title), el("small", card.cited))  # fmt: skip
        return el("article", head, sums, el("ul", lost, lines, facts) if lost or lines or facts else None, acts,
                  cls=f"card e-{card.tone}")  # fmt: skip

    def _last_card(self, shown: PhoneShown) -> Html:
        """Write the last ruling that took something, and its effect on the order."""
        if shown.card is None or shown.over:
            return Html("")
        head = el("p", self.say("last_ruling"), cls="last")
        return join([head, self._card(shown.card), _position_change(shown.moved) if shown.moved is not None else None])

    def _order(self, shown: PhoneShown, own: OwnCar | None) -> Html:
        def cells(row: Row) -> list[Html]:
            if shown.over:
                return [el("td", _came(row), cls="came"), el("td", row.gap, cls="gap")]
            return [el("td", row.lap if own is None else row.gear), el("td", gap_of(row), cls="gap")]

        mine = [one.plate for one in (own, *shown.others) if one is not None]
        rows = [order_row(row, cells(row), mine=row.plate in mine) for row in shown.order]
        heads = el("tr", el("th", self.say("result"), colspan=4), el("th", self.say("points"), cls="gap"))
        return (
            el("table", el("thead", heads) if shown.over else None, el("tbody", rows), cls="order")
            if rows
            else Html("")
        )

    def _walled(self, shown: PhoneShown) -> Html:
        """Write the order on a wall: gaps, what each car has left and, where wanted, the odds."""
        if shown.over:
            return self._order(shown, None)
        pools = next((columns for columns in shown.wears if columns), ())
        odds = any(row.odds for row in shown.order)
        heads = [
            el("th", self.say("order"), colspan=3, scope="col"),
            el("th", self.say("gap"), cls="gap", scope="col"),
            el("th", el("span", [icon(one.pool) for one in pools], cls="slim") if pools else
               self.say("left"), cls="left", aria_label=self.say("left"), scope="col"),
            el("th", self.say("wins"), cls="odds", colspan=2, scope="col") if odds else None,
        ]  # fmt: skip
        rows = []
        for row, columns in zip(shown.order, shown.wears, strict=True):
            left = el("td", row.note or (slim(columns) if columns else prices(row.left)), cls="left")
            bar = [el("td", _bar(row.share) if row.odds else None), el("td", row.odds, cls="odds")] if odds else None
            rows.append(order_row(row, el("td", gap_of(row), cls="gap"), left, bar, painted=row.playing))
        return el("table", el("thead", el("tr", heads)), el("tbody", rows), cls="order")

    def _all_left(self, shown: PhoneShown) -> Html:
        """Write what every car has left: points by pool, or its counters."""
        pools = {one.icon: one.text for row in shown.order for one in row.left}
        if not pools:
            return Html("")
        alike = all(not row.left or [one.icon for one in row.left] == list(pools) for row in shown.order)
        heads = el("tr", el("td"), el("td"), [el("td", icon(name)) for name in pools]) if alike else None
        rows = [
            el("tr", el("td", row.position or "–"), el("td", plate(row.plate)),
               el("td", row.note, colspan=len(pools)) if not row.left else
               [el("td", el("b", one.text), cls=f"t-{one.tone}") for one in row.left] if alike else
               el("td", prices(row.left), colspan=len(pools)))
            for row in shown.order
        ]  # fmt: skip
        return el("details", el("summary", self.say("all_left")), el("table", el("tbody", heads, rows)), cls="all")

    def _skies(self, skies: Skies | None) -> Html:
        """Write what changes the weather."""
        if skies is None:
            return Html("")
        chart = " · ".join(f"{name} {faces}" for name, faces in skies.chart)
        return el(
            "div", icon(skies.icon, "sky"), el("p", el("b", skies.when), el("br"), el("small", chart)), cls="skies"
        )

    def listed(self, listing: Listing | None, hall: str = "") -> Html:
        """Write a list of the tournament or season, and the link to the hall's page."""
        to = f"{hall}?lang={self.lang}"
        there = el("a", icon("forward"), " ", self.say("hall"), href=to, cls="key wide") if hall else None
        if listing is None:
            return join([el("p", self.say("nothing"), cls="note"), there])
        wide = len(listing.columns) > COLUMNS
        table = html_table(listing, narrow=True, cls="listed wide-listed" if wide else "listed")
        return join([
            el("h1", listing.title, " ", el("small", listing.under or listing.name)),
            table,
            [el("p", note, cls="note") for note in listing.notes],
            there,
        ])  # fmt: skip

    def tabs(self, here: str, *, beside: bool) -> Html:
        """Write the tabs between a spectator's pages."""
        race = [("race", "flag", f"/?lang={self.lang}"), ("rulings", "history", f"/?lang={self.lang}#rulings")]
        more = [(kind, mark, f"/{kind}?lang={self.lang}") for kind, mark in BESIDE.items()] if beside else []
        return el("nav", [
            el("a", icon(mark), el("span", self.say(f"tab.{kind}")), href=href,
               aria_current="page" if kind == here else None)
            for kind, mark, href in (*race, *more)
        ], cls="tabs", aria_label=self.say("tab.all"))  # fmt: skip

    def _rulings(self, rulings: tuple[RulingLine, ...], heading: str, *, own: bool = False) -> Html:
        if not rulings:
            return Html("")
        rows = [self._ruling(one, own=own) for one in rulings]
        earlier = rows[RULINGS_SHOWN:]
        more = el("details", el("summary", self.say("earlier")), el("ul", earlier)) if earlier else None
        return join([el("h2", heading, el("small", self.say("article"))), el("ul", rows[:RULINGS_SHOWN]), more])

    def _ruling(self, one: RulingLine, *, own: bool) -> Html:
        """Write a ruling in a line, which opens its sum.

        A driver may dispute his own there.
        """
        line: list[Inside] = [plate(one.plate) if one.plate is not None else None, prices(one.prices),
                              el("span", one.text), el("small", one.cited)]  # fmt: skip
        dispute = (
            el("button", icon("triangle"), " ", self.say("dispute"), type="button", data_doubt=one.seq) if own else None
        )
        if not one.sum and dispute is None:
            return el("li", line, cls="line")
        return el("li", el("details", el("summary", line, cls="line"), _sum(one.sum) if one.sum else None, dispute))

    def _other(self, car: OwnCar) -> Html:
        """Write another car of the same driver: its position, and what it has left."""
        words = el("div", el("h2", self.say("car", car=car.plate.number)), el("p", car.between))
        head = el("div", plate(car.plate), words, el("b", car.place, cls="place"), cls="who")
        return join([head, self._own_points(car, whole=True)])

    def _whose(self, shown: PhoneShown) -> str:
        if shown.own is None:
            return self.say("rulings")
        return self.say("rulings_own") if shown.others else self.say("rulings_on", car=shown.own.plate.number)

    def _home(self, shown: PhoneShown) -> Html:
        """Write the links to the race sheet and, after the race, to its replay."""
        if not shown.export:
            return Html("")
        sheet = el("a", icon("sheet"), " ", self.say("sheet"), href=f"/sheet.pdf?lang={self.lang}", cls="key wide")
        again = el("a", icon("play"), " ", self.say("replay"), href=f"/replay?lang={self.lang}", cls="key wide")
        return el("div", sheet, again, cls="pair") if shown.over else sheet

    def _foot(self, shown: PhoneShown) -> Html:
        own = shown.own
        if shown.state in ("waiting", "driven", "out", "over") and not (own is not None and own.undo):
            return Html("") if shown.over else self._home(shown)
        what = own.undo if own is not None else ""
        label = [icon("undo"), el("b", self.say("undo")), el("small", what or self.say("nothing"))]
        undo = el("button", label, type="button", data_undo=True, disabled=not what)
        table = el("button", self.say("let_table"), type="button", data_table=True) if shown.state == "asked" else None
        return el("div", undo, table, cls="acts")

    # -- whole pages

    def head_of(self, kind: str, *more: Html | None) -> Html:
        """Write the head of a page."""
        return el("head",
            el("meta", charset="utf-8"), el("title", self.say(f"title.{kind}")),
            el("meta", name="viewport", content="width=device-width, initial-scale=1, viewport-fit=cover"),
            el("meta", name="theme-color", content="#0E1216"),
            el("link", rel="stylesheet", href="/phone.css"),
            el("link", rel="icon", href="/icon.svg", type="image/svg+xml"), more,
        )  # fmt: skip

    def beside(self, kind: str, listing: Listing | None, hall: str = "") -> Html:
        """Write the page of a list of the tournament or season, which reloads by itself."""
        head = self.head_of(kind, _again())
        body = el("body", el("main", self.listed(listing, hall)), self.tabs(kind, beside=True), cls="watch beside")
        return Html("<!doctype html>" + el("html", head, body, lang=self.lang))

    def page(self, kind: str, parts: Parts, mark: str | None = None, *, beside: bool = False) -> Html:
        """Write a whole page.

        `mark` identifies what it shows, None if nothing yet. With `beside` it links to the lists of its tournament or
        season.
        """
        again = _again() if kind != "drive" else None
        manifest = el("link", rel="manifest", href=f"/{kind}.webmanifest") if kind in STARTS else None
        head = self.head_of(kind, manifest, el("script", src="/phone.js", type="module"), again)
        inside = [el("section", parts.get(name, Html("")), id=name) for name in PARTS[kind]]
        seen = self.say("not_live" if kind == "wall" else "seen_from")
        lost = el("aside", el("div", el("span", "", cls="own"), el("h1", self.say("no_signal")),
                  el("p", self.say("answer_there"))), el("p", icon("redo"), " ", self.say("retries")),
                  el("p", icon("check"), " ", self.say("kept")),
                  el("p", icon("history"), " ", seen, " ", el("time", ""), cls="seen"),
                  id="lost", role="status")  # fmt: skip
        ways = [el("button", self.say("try_now"), type="button", data_try=True),
                el("button", self.say("join_again"), type="button", data_rejoin=True)]  # fmt: skip
        there = el("a", self.say("watch"), href="/", cls="key wide")
        code = el("input", id="code", aria_label=self.say("code"), placeholder=self.say("code"), maxlength=8,
                  autocomplete="off", autocapitalize="characters", spellcheck="false")  # fmt: skip
        enter = el("button", self.say("enter"), type="button", cls="key", data_join=True)
        gone = el("aside", el("h1", el("span", "", cls="own"), self.say("revoked"), cls="off"),
                  el("h1", self.say("join")), el("p", self.say("join_how")), code, enter, there, id="gone")  # fmt: skip
        told = el("p", "", id="told", role="status", aria_live="polite", data_answered=self.say("answered"),
                  data_late=self.say("late"), data_many=self.say("many"),
                  data_sent=self.say("sent"), data_wrong=self.say("wrong_code"))  # fmt: skip
        clock = el("p", el("span", icon("clock"), el("b", "")), el("i"), id="shot", role="timer", hidden=True,
                   data_paused=self.say("paused"))  # fmt: skip
        if kind == "drive":
            bare = el("noscript", el("p", self.say("needs_script")), there)
            again = el("div", ways, id="again")
            main = el("main", told, clock, gone, inside[0], lost, inside[1:], again, bare, id="page",
                      data_state="joining")  # fmt: skip
        else:
            main = el("main", told, clock, None if kind == "overlay" else lost, inside, id="page")
        turned = el("p", self.say("upright"), id="upright") if kind == "drive" else None
        tabs = self.tabs("race", beside=beside) if kind == "watch" else None
        body = el("body", main, turned, tabs, cls=kind, data_page=kind, data_mark=mark)
        return Html("<!doctype html>" + el("html", head, body, lang=self.lang, cls=kind if kind == "overlay" else None))


def sentence_page(lang: str, sentence: str, address: str) -> Html:
    """Write a page of one sentence and a link, which loads nothing else."""
    head = el("head", el("meta", charset="utf-8"), el("title", "Companion"),
              el("meta", name="viewport", content="width=device-width, initial-scale=1"),
              el("meta", name="color-scheme", content="dark light"))  # fmt: skip
    body = el("body", el("h1", "Companion"), el("p", sentence), el("p", el("a", address, href=address)))
    return Html("<!doctype html>" + el("html", head, body, lang=lang))


def colour(shown: PhoneShown) -> str:
    """Return the colour of the car to play, for the frame of its page."""
    if shown.own is not None:
        return paint_of(shown.own.plate.place).colour
    asked = shown.prompt.plate if shown.prompt is not None else None
    return paint_of(asked.place).colour if asked is not None else "#F3F6F9"


def _size(title: str) -> str | None:
    """Return the class of a wall's heading by its length, so that its height stays the same."""
    return "longest" if len(title) > LONGEST else "long" if len(title) > LONG else None


def _again() -> Html:
    """Write the tag that reloads a page every ten seconds where no script runs."""
    return el("noscript", el("meta", http_equiv="refresh", content="10"))


def order_row(row: Row, *cells: Inside, mine: bool = False, painted: bool = False) -> Html:
    """Write a row of the order: place, plate, name, and the given cells.

    `painted` adds a bar in the car's colour.
    """
    kind = " ".join(name for name, there in (("mine", mine), ("now", row.playing), ("gone", row.out)) if there)
    named = el("th", row.name or row.code, scope="row")
    rect = el("rect", width=8, height=8, fill=paint_of(row.plate.place).colour)
    bar = el("svg", rect, cls="paint", viewBox="0 0 8 8", preserveAspectRatio="none", aria_hidden="true")
    first = el("td", row.position or "–", bar if painted else None)
    return el("tr", first, el("td", plate(row.plate)), named, cells, cls=kind or None)


def _came(row: Row) -> Inside:
    """Write a finisher's gap, or the round and reason of a retirement."""
    return [el("span", row.chip, cls="chip"), " ", el("small", row.note)] if row.chip else row.lap or row.note


def gap_of(row: Row) -> Inside:
    """Write the gap to the leader, or what the car is doing instead."""
    return el("span", row.chip, cls=f"chip t-{row.chip_tone}") if row.chip else row.gap


def _bar(share: float) -> Html:
    """Draw a chance as a bar."""
    full, part = (el("rect", width=wide, height=10, cls=cls) for wide, cls in ((60, "gone"), (60 * share, "has")))
    return el("svg", full, part, viewBox="0 0 60 10", aria_hidden="true")


def _position_change(moved: PositionChange) -> Html:
    return el("p", el("b", moved.before), " → ", el("b", moved.after), el("small", moved.told), cls="moved")


def _push(push: Push) -> Html:
    """Write what the table has to do for a car that the program drives."""
    head = el("header", plate(push.plate), el("b", push.title)) if push.plate is not None else None
    done = el("button", push.key, type="button", cls="key", data_pushed=True) if push.key else None
    return el("article", head, el("p", push.text), done, cls="card e-info")


def _seats(seats: SeatsShown) -> Html:
    """Write the drivers, with keys that give a seat to another one, folded at first."""
    rolls = not seats.dice.answer

    def key(row: SeatShown, way: AnswerKey, *, now: bool) -> Html:
        said = json.dumps({"car": row.plate.number, "driver": way.answer, "roll": rolls})
        pressed = str(now).lower()
        return el("button", way.label, type="button", cls="key", data_seat=None if now else said, aria_pressed=pressed)

    rows = [
        el("section", el("h2", plate(row.plate), " ", row.name),
           el("div", [key(row, way, now=at == row.chosen) for at, way in enumerate(row.ways)], cls="keys"))
        for row in seats.rows
    ]  # fmt: skip
    driven = next((row for row in seats.rows if row.ways[row.chosen].answer), None)
    if driven is not None:
        said = json.dumps({"car": driven.plate.number, "driver": driven.ways[driven.chosen].answer, "roll": not rolls})
        dice = el("button", seats.dice.label, el("small", seats.dice.note), type="button", cls="key", data_seat=said)
        rows.append(el("section", el("div", dice, cls="keys")))
    return el("details", el("summary", seats.title), rows, cls="card")


def _sum(terms: tuple[Term, ...]) -> Html:
    """Write out a sum."""
    shown = [el("span", el("b", one.value), el("small", one.word), cls=f"t-{one.tone}") for one in terms]
    return el("p", shown, cls="sum")


def _counter(one: Counter) -> Html:
    return el("li", icon(one.icon), " ", one.label, " ", el("b", f"{one.value}/{one.of}" if one.of else one.value))


def _extra(one: Extra) -> Html:
    value = one.value or (f"{one.filled}/{one.of}" if one.of else "")
    return el("li", icon(one.icon), " ", one.label, " ", el("b", value), cls=f"t-{one.tone}")
