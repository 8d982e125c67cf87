"""Entry of a card from the table by its type, value, check factor and symbols."""

from __future__ import annotations

from functools import partial
from typing import Any, Final

from companion.rules.ninety.cards import SYMBOLS, TYPES, VALUES, card
from companion.screens.kit import plate
from companion.screens.kit.key import Face, Key, prices
from companion.screens.kit.pane import Pane
from companion.screens.kit.pen import BOLD, SEMIBOLD, Pen
from companion.screens.kit.prompt_band import QuestionHeading
from companion.screens.kit.rows import Rows, RowView
from companion.screens.kit.theme import BODY, CAPTION, CLOCK, NAME, QUESTION, SMALL, VALUE, theme
from companion.screens.race.form import FOOT, HEAD
from companion.view.race import intents
from companion.view.race.drafts import TableCards
from companion.view.race.form import answer_of, others
from companion.view.race.hand import symbols
from companion.view.race.intents import Emit
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


class TypeKey(Key):
    """A key marked with the colour of a card type."""

    token = ""

    def paint(self, pen: Pen) -> None:
        super().paint(pen)
        pen.fill(6, pen.h - 9, pen.w - 12, 4, self.token, 2)


class CardSheet(Pane):
    """A sheet below the top bar that shows (prompt, cards): a question answered with cards that the table sees."""

    face = Face(look="quiet")
    """Face of the key at the left."""

    def __init__(self, emit: Emit, **properties: Any) -> None:
        self.emit = emit
        super().__init__(**properties)
        self.asked = QuestionHeading()
        self.chart: tuple[tuple[Price, ...], ...] = ()
        """Chart of the car that is asked, line by line."""
        self._revealed = True
        self.list = Rows(SeenRow, self._row, on_row_hold=self._held, high=ROW)
        self.kinds = {letter: TypeKey(on_tap=partial(emit, intents.TypeCard(kind=letter))) for letter in TYPES}
        for letter, key in self.kinds.items():
            key.token = COLOURS[letter]
        values = range(VALUES[0], VALUES[1] + 1)
        self.values = {value: Key(on_tap=partial(emit, intents.TypeCard(value=value))) for value in values}
        self.digits = {digit: Key(on_tap=partial(emit, intents.TypeSign(digit))) for digit in "1234567890"}
        self.symbols = {symbol: Key(on_tap=partial(emit, intents.TypeSign(symbol))) for symbol in SYMBOLS}
        for sign, keys in (("value", self.values), ("factor", self.digits), ("", self.kinds), ("", self.symbols)):
            for name, key in keys.items():
                key.on_hold = partial(emit, intents.Explain(intents.SignSubject(sign or str(name))))
        self.wipe, self.rub, self.more = Key(means="wipe"), Key(means="rub"), Key(means="another")
        self.back, self.done = Key(on_tap=partial(emit, intents.FoldForm()), means="back"), Key(means="done")

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

    # -- where everything is

    def arrange(self) -> None:
        if self.shown is None:
            return
        prompt, cards = self.prompt, self.cards
        typed, whole = cards.typed, cards.is_whole(prompt)
        self.asked.lead(self, prompt, self.emit, (81.0 if prompt.plate is not None else 20.0, -2.0, 16.0))
        selected = prompt.keys[prompt.chosen].answer if prompt.chosen >= 0 else None
        rows = [
            SeenCard(word=key.label, note=key.note, prices=key.prices, pick=int(key.answer == selected))
            for key in others(prompt)
        ]
        faces = {key.answer: key.prices for key in prompt.parts or prompt.keys if isinstance(key.answer, str)}
        for place, code in enumerate(cards.seen):
            pick = cards.picks.index(place) + 1 if place in cards.picks else 0
            rows.append(SeenCard(code=code, pick=pick, prices=faces.get(code) or symbols(code)))
        self.list.show(rows)
        self.put(self.list, 8, HEAD, LEFT - 9, self.h - HEAD - FOOT - CHART_HEIGHT)
        if not self._revealed and (picked := next((at for at, row in enumerate(rows) if row.pick), None)) is not None:
            self._revealed = True
            self.list.keep_seen(picked)
        words = theme.words
        for letter, key in self.kinds.items():
            label = words.word("colour", TYPES[letter]).capitalize()
            key.show(Face(label=label, look="option", size=BODY, chosen=typed.kind == letter))
        for value, key in self.values.items():
            key.show(Face(label=str(value), look="option", size=VALUE, chosen=typed.value == value))
        for digit, key in self.digits.items():
            key.show(Face(label=digit, look="option", size=VALUE))
        for symbol, key in self.symbols.items():
            count = typed.symbols.count(symbol)
            label = words.screen(f"typed.symbol.{symbol}")
            key.show(
                Face(label=label, note=f"× {count}" if count else "", look="option", size=SMALL, chosen=bool(count))
            )
        more = bool(typed.code) and len(cards.codes(prompt)) < prompt.typed[1]
        for key, label, act, can in (
            (self.wipe, "typed.wipe", intents.ClearCard(), typed.is_started),
            (self.rub, "typed.rub", intents.EraseSign(), bool(typed.factor or typed.symbols)),
            (self.more, "typed.more", intents.KeepCard(), more),
        ):
            key.on_tap = partial(self.emit, act) if can else None
            key.show(Face(label=words.screen(label), look="quiet" if can else "barred", size=SMALL))
        digits = list(self.digits.values())
        kinds, values, shows = (list[Key](keys.values()) for keys in (self.kinds, self.values, self.symbols))
        keys = [[*digits[:5], self.rub], [*digits[5:], self.wipe if prompt.by else self.more]]
        if not prompt.by:
            keys = [kinds, [*values, self.wipe], *keys, shows]
        self.only([key for row in keys for key in row], of=(*kinds, *values, *shows, self.more))
        for at, row_of_keys in enumerate(keys):
            self._lay(at, row_of_keys)
        self.back.show(self.face)
        self.put(self.back, 20, self.h - 100, 92, 88)
        self.done.on_tap = partial(self.emit, intents.GiveDraft()) if whole else None
        self.done.show(self._done_face())
        self.put(self.done, self.w - 212, self.h - 100, 200, 88)

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

    def _lay(self, row: int, keys: list[Key]) -> None:
        """Place keys side by side in a row of the right half."""
        left, high = LEFT + NAMES_WIDTH, self._high
        self.put_rows(keys, left, HEAD + row * (high + GAP), self.w - left - 12, high, gap=GAP)

    @property
    def _high(self) -> float:
        rows = len(FACTOR_ROWS if self.prompt.by else ROWS)
        return min(HIGH * (2 if self.prompt.by else 1), (self.h - HEAD - FOOT - rows * GAP) / rows)

    def paint(self, pen: Pen) -> None:
        pen.band()
        if self.shown is None:
            return
        prompt, cards = self.prompt, self.cards
        plate.at_head(pen, prompt.plate, 45, 26, 38)
        pen.fill(LEFT - 1, HEAD, 1, pen.h - HEAD - FOOT, "line")
        for row, name in enumerate(FACTOR_ROWS if prompt.by else ROWS):
            if name:
                said = theme.words.screen(f"typed.{name}")
                y = HEAD + row * (self._high + GAP) + self._high / 2
                pen.text(said, LEFT + 8, y, CAPTION, "mid", SEMIBOLD, room=NAMES_WIDTH - 12)
        if not cards.seen:
            note, y = theme.words.screen("typed.none", by=prompt.by), HEAD + 70 + ROW * len(others(prompt))
            pen.paragraph(note, LEFT / 2, y, SMALL, LEFT - 50, "mid", SEMIBOLD, 4, "centre")
        begun = [self._begun()] if cards.typed.is_started and not cards.code(prompt) else []
        said = " + ".join([*cards.codes(prompt), *begun])
        room = pen.w - 132 - 228
        pen.text(said or "–", 132, pen.h - CODES_UP, VALUE, "hi", BOLD, room=room, floor=CAPTION, cut=True)
        for row, line in enumerate(self.chart):
            prices(pen, line, 20, pen.h - FOOT - CHART_HEIGHT + 14 + 24 * row, LEFT - 34, align="left")

    def _begun(self) -> str:
        """Return the partly typed card, with "?" for what is missing."""
        typed = self.cards.typed
        return f"{typed.kind or '?'}{typed.value or '?'} {typed.factor or '?'} {typed.symbols}".rstrip()
