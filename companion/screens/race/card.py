"""Entry of a card from the table by its type, value, check factor and symbols."""

from __future__ import annotations

from collections.abc import Hashable
from functools import partial
from typing import Any, Final, NamedTuple

from companion.rules.ninety.cards import SYMBOLS, TYPES, VALUES, card
from companion.screens.kit import plate
from companion.screens.kit.compose import Area, Composed, Ui
from companion.screens.kit.key import Face, Key, prices
from companion.screens.kit.pen import BOLD, SEMIBOLD, Pen
from companion.screens.kit.rows import Rows, RowView
from companion.screens.kit.theme import BODY, CAPTION, CLOCK, NAME, QUESTION, SMALL, VALUE, theme
from companion.screens.race.form import FOOT, HEAD, heading
from companion.view.race import intents
from companion.view.race.drafts import TableCards
from companion.view.race.form import answer_of, others
from companion.view.race.hand import symbols
from companion.view.race.intents import Emit, Intent
from companion.view.shown import AnswerKey, Price, Prompt, ViewModel

LEFT: Final = 236.0
NAMES_WIDTH: Final = 72.0
"""Width of the names of the rows of keys, in dp."""
ROWS: Final = ("kind", "value", "factor", "", "symbols")
FACTOR_ROWS: Final = ("factor", "")
"""Rows of keys if nothing but the factor counts."""
ROW: Final = 56.0
HIGH: Final = 50.0
GAP: Final = 8.0
CHART_HEIGHT: Final = 50.0
"""Height of the two lines of the car's chart beneath the list, in dp."""
CODES_UP: Final = 84.0
"""Height of the middle of the typed codes above the foot, in dp: a toast has its place beneath them."""
COLOURS: Final = {"S": "bad", "D": "ok", "G": "warn", "E": "flag"}
"""Colour of a type on the cards: red, green, orange, yellow."""


class SeenCard(ViewModel, frozen=True, kw_only=True):
    """A card in the list, or a word in place of one.

    `note` explains the word. `pick` is the position in which the card was picked, from 1; 0 if it was not. `prices` is
    what it brings.
    """

    code: str = ""
    word: str = ""
    note: str = ""
    pick: int = 0
    prices: tuple[Price, ...] = ()


class SeenRow(RowView):
    """A row that shows a `SeenCard`."""

    def draw(self, pen: Pen, shown: SeenCard) -> None:
        if shown.word:
            if shown.pick:
                self.choose(pen)
            beneath = pen.h / 2 + 12
            if shown.prices:
                prices(pen, shown.prices, 20, beneath, pen.w - 34, align="left")
            elif shown.note:
                pen.text(shown.note, 20, beneath, CAPTION, "mid", SEMIBOLD, room=pen.w - 34, cut=True)
            high = pen.h / 2 - (11 if shown.prices or shown.note else 0)
            pen.text(shown.word, 20, high, NAME, "hi", SEMIBOLD, room=pen.w - 34, cut=True)
            return
        one = card(shown.code)
        colour = COLOURS[shown.code[0]]
        if shown.pick:
            self.choose(pen, colour)
        pen.fill(8, 10, 5, pen.h - 20, colour, 2)
        pen.text(str(one.value), 32, pen.h / 2, CLOCK, "hi", BOLD, "centre")
        kind = theme.words.word("colour", one.type).capitalize()
        pen.text(f"{kind} · {one.factor}", 52, pen.h / 2 - 11, SMALL, "hi", SEMIBOLD, room=pen.w - 92, cut=True)
        prices(pen, shown.prices, 52, pen.h / 2 + 12, pen.w - 92, align="left")
        if shown.pick:
            pen.text(str(shown.pick), pen.w - 24, pen.h / 2, VALUE, "hi", BOLD, "centre")


class TypedKey(Key):
    """A key of a part of a card; that of a card type is marked with its colour."""

    token = ""

    def paint(self, pen: Pen) -> None:
        super().paint(pen)
        if self.token:
            pen.fill(6, pen.h - 9, pen.w - 12, 4, self.token, 2)


class SignKey(NamedTuple):
    """A part of a card that is typed: what its key shows and does, and what a hold explains, if anything.

    A key without an intent is barred.
    """

    face: Face
    typed: Intent | None
    explained: str = ""
    means: str = ""
    token: str = ""


class CardSheet(Composed):
    """A sheet below the top bar that shows (prompt, cards): a question answered with cards that the table sees."""

    face = Face(look="quiet")
    """Face of the key at the left."""

    def __init__(self, emit: Emit, **properties: Any) -> None:
        self.emit = emit
        super().__init__(**properties)
        self.chart: tuple[tuple[Price, ...], ...] = ()
        """Chart of the car that is asked, line by line."""
        self._revealed = True
        self.list = Rows(SeenRow, self._row, on_row_hold=self._held, high=ROW)

    def show(self, shown: tuple[Prompt, TableCards]) -> None:
        """Show a question and the cards typed and picked; scroll to those of an answer selected elsewhere."""
        if self.shown is None or (self.prompt.key, self.prompt.chosen) != (shown[0].key, shown[0].chosen):
            self._revealed = False
        super().show(shown)

    @property
    def prompt(self) -> Prompt:
        """The question shown."""
        prompt: Prompt = self.shown[0]
        return prompt

    @property
    def cards(self) -> TableCards:
        """The cards typed and picked so far."""
        cards: TableCards = self.shown[1]
        return cards

    def _row(self, row: int) -> None:
        words = others(self.prompt)
        picked = intents.Tap(words[row]) if row < len(words) else intents.PickSeen(row - len(words))
        self.emit(picked)

    def _held(self, row: int) -> None:
        words = others(self.prompt)
        if row < len(words):
            self.emit(intents.Explain(words[row]))
        else:
            code = self.cards.seen[row - len(words)]
            self.emit(intents.Explain(AnswerKey(answer=code, label=code.split()[0])))

    def compose(self, ui: Ui) -> None:
        ui.pen.band()
        if self.shown is None:
            return
        prompt = self.prompt
        plate.at_head(ui.pen, prompt.plate, 45, 26, 38)
        heading(ui, prompt, self.emit, -2)
        area = ui.area
        area.cut_top(HEAD)
        foot = area.cut_bottom(FOOT).cut_top(88)
        seen = area.cut_left(LEFT)
        ui.fill(seen.cut_right(1), "line")
        self._seen(ui, seen)
        area.cut_right(12)
        signs = self._signs()
        names = FACTOR_ROWS if prompt.by else ROWS
        high = min(HIGH * (2 if prompt.by else 1), (area.h - len(names) * GAP) / len(names))
        for name, row, keys in zip(names, area.rows(len(names), high, GAP), signs, strict=True):
            side = row.cut_left(NAMES_WIDTH)
            if name:
                side.cut_left(8)
                side.cut_right(4)
                ui.text(side, theme.words.screen(f"typed.{name}"), CAPTION, "mid")
            for at, (place, sign) in enumerate(zip(row.columns(len(keys), GAP), keys, strict=True)):
                self._sign(ui, place, (name, at), sign)
        foot.cut_left(20)
        foot.cut_right(12)
        ui.button(foot.cut_left(92), "back", self.face, partial(self.emit, intents.FoldForm()), means="back")
        give = partial(self.emit, intents.GiveDraft()) if self.cards.is_whole(prompt) else None
        ui.button(foot.cut_right(200), "done", self._done_face(), give, means="done")
        self._codes(ui.pen)

    def _seen(self, ui: Ui, area: Area) -> None:
        """Place the list of cards, with the car's chart beneath it."""
        prompt, cards = self.prompt, self.cards
        selected = prompt.keys[prompt.chosen].answer if prompt.chosen >= 0 else None
        rows = [
            SeenCard(word=key.label, note=key.note, prices=key.prices, pick=int(key.answer == selected))
            for key in others(prompt)
        ]
        faces = {key.answer: key.prices for key in prompt.parts or prompt.keys if isinstance(key.answer, str)}
        for place, code in enumerate(cards.seen):
            pick = cards.picks.index(place) + 1 if place in cards.picks else 0
            rows.append(SeenCard(code=code, pick=pick, prices=faces.get(code) or symbols(code)))
        chart = area.cut_bottom(CHART_HEIGHT)
        for at, line in enumerate(self.chart):
            prices(ui.pen, line, 20, chart.y + 14 + 24 * at, LEFT - 34, align="left")
        if not cards.seen:
            note, y = theme.words.screen("typed.none", by=prompt.by), area.y + 70 + ROW * len(others(prompt))
            ui.pen.paragraph(note, LEFT / 2, y, SMALL, LEFT - 50, "mid", SEMIBOLD, 4, "centre")
        area.cut_left(8)
        ui.place(area, self.list).show(rows)
        if not self._revealed and (picked := next((at for at, row in enumerate(rows) if row.pick), None)) is not None:
            self._revealed = True
            self.list.keep_seen(picked)

    def _signs(self) -> list[list[SignKey]]:
        """Return the rows of keys."""
        prompt, cards, typed, words = self.prompt, self.cards, self.cards.typed, theme.words

        def erases(name: str, intent: Intent, can: bool, means: str = "") -> SignKey:
            face = Face(label=words.screen(f"typed.{name}"), look="quiet" if can else "barred", size=SMALL)
            return SignKey(face, intent if can else None, means=means or name)

        rub = erases("rub", intents.EraseSign(), bool(typed.factor or typed.symbols))
        wipe = erases("wipe", intents.ClearCard(), typed.is_started)
        more = erases(
            "more", intents.KeepCard(), bool(typed.code) and len(cards.codes(prompt)) < prompt.typed[1], "another"
        )
        digits = [
            SignKey(Face(label=digit, look="option", size=VALUE), intents.TypeSign(digit), "factor")
            for digit in "1234567890"
        ]
        factor = [[*digits[:5], rub], [*digits[5:], wipe if prompt.by else more]]
        if prompt.by:
            return factor
        kinds, values, shows = [], [], []
        for letter, name in TYPES.items():
            label = words.word("colour", name).capitalize()
            face = Face(label=label, look="option", size=BODY, chosen=typed.kind == letter)
            kinds.append(SignKey(face, intents.TypeCard(kind=letter), letter, token=COLOURS[letter]))
        for value in range(VALUES[0], VALUES[1] + 1):
            face = Face(label=str(value), look="option", size=VALUE, chosen=typed.value == value)
            values.append(SignKey(face, intents.TypeCard(value=value), "value"))
        for symbol in SYMBOLS:
            count = typed.symbols.count(symbol)
            label, note = words.screen(f"typed.symbol.{symbol}"), f"× {count}" if count else ""
            face = Face(label=label, note=note, look="option", size=SMALL, chosen=bool(count))
            shows.append(SignKey(face, intents.TypeSign(symbol), symbol))
        return [kinds, [*values, wipe], *factor, shows]

    def _sign(self, ui: Ui, area: Area, name: Hashable, sign: SignKey) -> None:
        """Place the key of a sign."""
        tap = partial(self.emit, sign.typed) if sign.typed is not None else None
        hold = partial(self.emit, intents.Explain(intents.SignSubject(sign.explained))) if sign.explained else None
        key = ui.target(area, name, TypedKey, sign.face, tap, hold)
        key.means, key.token = sign.means, sign.token

    def _done_face(self) -> Face:
        """Return the face of Done.

        It has the label and prices of the answer, where that was offered.
        """
        prompt, cards = self.prompt, self.cards
        if not cards.is_whole(prompt):
            return Face(label=theme.say("done"), look="barred", size=QUESTION - 6)
        given = answer_of(prompt, cards.codes(prompt))
        key = next((key for key in prompt.keys if key.answer == given), None)
        if key is None:
            return Face(label=theme.say("done"), look="answer", size=QUESTION - 6)
        return Face(label=key.label, prices=key.prices, look="answer", size=VALUE)

    def _codes(self, pen: Pen) -> None:
        """Write the codes of the cards that are typed or picked."""
        prompt, cards = self.prompt, self.cards
        begun = [self._begun()] if cards.typed.is_started and not cards.code(prompt) else []
        said = " + ".join([*cards.codes(prompt), *begun])
        room = pen.w - 132 - 228
        pen.text(said or "–", 132, pen.h - CODES_UP, VALUE, "hi", BOLD, room=room, floor=CAPTION, cut=True)

    def _begun(self) -> str:
        """Return the partly typed card, with "?" for what is missing."""
        typed = self.cards.typed
        return f"{typed.kind or '?'}{typed.value or '?'} {typed.factor or '?'} {typed.symbols}".rstrip()
