"""The card that nobody has entered yet: its type, value, check factor and symbols by keys, beside those that were."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, Final

from msgspec.structs import replace

from companion.rules.conversation.asking import Json
from companion.rules.ninety.cards import SYMBOLS, TYPES, VALUES, card
from companion.screens.race.form import FOOT, HEAD
from companion.screens.widgets import plate
from companion.screens.widgets.key import Face, Key, prices
from companion.screens.widgets.pane import Pane
from companion.screens.widgets.pen import BOLD, SEMIBOLD, Pen
from companion.screens.widgets.prompt_band import Asked
from companion.screens.widgets.rows import Rows, RowView
from companion.screens.widgets.theme import BODY, CAPTION, CLOCK, NAME, QUESTION, SMALL, VALUE, theme
from companion.view.race.form import DIGITS, Typed, answer_of, cards_of, known, others
from companion.view.race.hand import symbols
from companion.view.shown import Key as Answer
from companion.view.shown import Price, Prompt, Shown
from companion.view.sight import NOTHING

LEFT: Final = 236.0
NAMES: Final = 72.0
"""What the names of the rows of keys take."""
ROWS: Final = ("kind", "value", "factor", "", "symbols")
FACTOR: Final = ("factor", "")
"""The same where nothing but the factor counts."""
ROW: Final = 56.0
HIGH: Final = 50.0
GAP: Final = 8.0
CHART: Final = 50.0
"""What the two lines of the car's chart take beneath the list."""
COLOURS: Final = {"S": "bad", "D": "ok", "G": "warn", "E": "flag"}
"""The colour of a type on the cards: red, green, orange, yellow."""


class SeenCard(Shown, frozen=True, kw_only=True):
    """A card in the list, or a word instead of one and what that means; `pick` is how manieth it was picked (0: it was
    not), `prices` what it brings."""

    code: str = ""
    word: str = ""
    note: str = ""
    pick: int = 0
    prices: tuple[Price, ...] = ()


class SeenRow(RowView):
    """Draws a `SeenCard`."""

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
    """A key with the colour of a type."""

    token = ""

    def paint(self, pen: Pen) -> None:
        super().paint(pen)
        pen.fill(6, pen.h - 9, pen.w - 12, 4, self.token, 2)


class CardSheet(Pane):
    """Shows a `Prompt` whose cards may be typed, over all that is below the top bar. `on_done(answer)` gives the cards,
    `on_word(key)` an answer that is none; `on_hold(key)` tells that one of the list was held, `on_sign(sign)` a sign of
    a card; `on_back()` goes back to the answers that were offered, or undoes, `on_asked()` looks the question up."""

    face = Face(look="quiet")
    """What is on the key at the left."""

    def __init__(
        self,
        on_done: Callable[[Json], object],
        on_word: Callable[[Answer], object],
        on_hold: Callable[[Answer], object],
        on_sign: Callable[[str], object],
        on_back: Callable[[], object],
        on_asked: Callable[[], object],
        **properties: Any,
    ) -> None:
        self.on_done, self.on_word, self.on_hold, self.on_asked = on_done, on_word, on_hold, on_asked
        super().__init__(**properties)
        self.asked = Asked()
        self.chart: tuple[tuple[Price, ...], ...] = ()
        """What the car has that is asked, line by line."""
        self.typed = Typed()
        self.seen: list[str] = []
        """The cards of the list."""
        self.picks: list[int] = []
        """Which of them are picked, in order."""
        self._revealed = True
        self.list = Rows(SeenRow, self._row, self._held, high=ROW)
        self.kinds = {letter: TypeKey(on_tap=partial(self._type, kind=letter)) for letter in TYPES}
        for letter, key in self.kinds.items():
            key.token = COLOURS[letter]
        self.values = {value: Key(on_tap=partial(self._type, value=value)) for value in range(VALUES[0], VALUES[1] + 1)}
        self.digits = {digit: Key(on_tap=partial(self._digit, digit)) for digit in "1234567890"}
        self.symbols = {symbol: Key(on_tap=partial(self._symbol, symbol)) for symbol in SYMBOLS}
        for sign, keys in (("value", self.values), ("factor", self.digits), ("", self.kinds), ("", self.symbols)):
            for name, key in keys.items():
                key.on_hold = partial(on_sign, sign or str(name))
        self.wipe, self.rub, self.more = Key(means="wipe"), Key(means="rub"), Key(means="another")
        self.back, self.done = Key(on_tap=on_back, means="back"), Key(means="done")

    # -- what is filled in

    def show(self, prompt: Prompt) -> None:
        """Shows a question; what was typed stays as long as it is the same one."""
        if self.shown is None or self.shown.key != prompt.key:
            self.typed, self.picks, self.seen = Typed(), [], list(known(prompt))
        if self.shown is None or self.shown.chosen != prompt.chosen:
            self._choose(prompt)
            self._revealed = False
        super().show(prompt)

    @property
    def filled(self) -> tuple[Typed, list[int], list[str]]:
        """What is typed and picked, for `fill`."""
        return self.typed, self.picks, self.seen

    def fill(self, filled: tuple[Typed, list[int], list[str]]) -> None:
        """Fills in what was typed and picked before."""
        self.typed, self.picks, self.seen = filled
        self.look_again()

    def _choose(self, prompt: Prompt) -> None:
        """Picks the cards of the answer that is selected, by a button beside the screen or from before."""
        if prompt.chosen >= 0:
            self.picks = []
            for code in cards_of(prompt.keys[prompt.chosen].answer):
                self.picks.append(next(at for at, one in enumerate(self.seen) if one == code and at not in self.picks))

    @property
    def prompt(self) -> Prompt:
        """The question."""
        prompt: Prompt = self.shown
        return prompt

    @property
    def codes(self) -> list[str]:
        """The cards picked and the one typed."""
        return [*(self.seen[pick] for pick in self.picks), *([self.code] if self.code else [])]

    @property
    def code(self) -> str:
        """The card that is typed, as far as it counts; empty while something is missing."""
        return self.typed.factor if self.prompt.by else self.typed.code

    @property
    def whole(self) -> bool:
        """Whether nothing is missing."""
        least, most = self.prompt.typed
        return least <= len(self.codes) <= most and bool(self.code) == self.typed.begun

    @property
    def given(self) -> Json:
        """What Done gives, or the word that is selected; NOTHING while a card is not whole."""
        selected = self.prompt.keys[self.prompt.chosen] if self.prompt.chosen >= 0 else None
        if selected in others(self.prompt) and not self.codes and not self.typed.begun:
            return selected.answer if selected is not None else NOTHING
        return answer_of(self.prompt, self.codes) if self.whole else NOTHING

    def _row(self, row: int) -> None:
        words = others(self.prompt)
        if row < len(words):
            self.on_word(words[row])
            return
        place = row - len(words)
        if place in self.picks:
            self.picks.remove(place)
        else:
            most = self.prompt.typed[1]
            self.picks.append(place)
            if most == 1:
                self.typed = Typed()
            self._make_room(most - self.typed.begun)
        self.look_again()

    def _held(self, row: int) -> None:
        words = others(self.prompt)
        if row < len(words):
            self.on_hold(words[row])
        else:
            code = self.seen[row - len(words)]
            self.on_hold(Answer(answer=code, label=code.split()[0]))

    def _make_room(self, most: int) -> None:
        """Of more cards than can be shown those picked first go back."""
        del self.picks[: max(0, len(self.picks) - most)]

    def _type(self, **values: Any) -> None:
        self.typed = replace(self.typed, **values)
        self._make_room(self.prompt.typed[1] - 1)
        self.look_again()

    def _digit(self, digit: str) -> None:
        factor = self.typed.factor + digit
        if len(factor) <= DIGITS and factor != "0":
            self._type(factor=factor)

    def _symbol(self, symbol: str) -> None:
        self._type(symbols=self.typed.symbols + symbol)

    def _rub(self) -> None:
        """Takes back the symbol, or else the digit, that was typed last."""
        symbols, factor = self.typed.symbols, self.typed.factor
        self._type(symbols=symbols[:-1], factor=factor if symbols else factor[:-1])

    def _wipe(self) -> None:
        self.typed = Typed()
        self.look_again()

    def _more(self) -> None:
        """The card that was typed goes to the list, picked, so that another can be typed."""
        self.seen.append(self.typed.code)
        self.picks.append(len(self.seen) - 1)
        self._wipe()

    def _done(self) -> None:
        self.on_done(answer_of(self.prompt, self.codes))

    # -- where everything is

    def arrange(self) -> None:
        if self.shown is None:
            return
        prompt = self.prompt
        self.asked.lead(self, prompt, self.on_asked, (81.0 if prompt.plate is not None else 20.0, -2.0, 16.0))
        selected = prompt.keys[prompt.chosen].answer if prompt.chosen >= 0 else None
        rows = [
            SeenCard(word=key.label, note=key.note, prices=key.prices, pick=int(key.answer == selected))
            for key in others(prompt)
        ]
        faces = {key.answer: key.prices for key in prompt.parts or prompt.keys if isinstance(key.answer, str)}
        for place, code in enumerate(self.seen):
            pick = self.picks.index(place) + 1 if place in self.picks else 0
            rows.append(SeenCard(code=code, pick=pick, prices=faces.get(code) or symbols(code)))
        self.list.show(rows)
        self.put(self.list, 8, HEAD, LEFT - 9, self.h - HEAD - FOOT - CHART)
        if not self._revealed and (picked := next((at for at, row in enumerate(rows) if row.pick), None)) is not None:
            self._revealed = True
            self.list.keep_seen(picked)
        words = theme.words
        typed, most = self.typed, self.prompt.typed[1]
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
        for key, label, act, can in (
            (self.wipe, "typed.wipe", self._wipe, typed.begun),
            (self.rub, "typed.rub", self._rub, bool(typed.factor or typed.symbols)),
            (self.more, "typed.more", self._more, bool(typed.code) and len(self.codes) < most),
        ):
            key.on_tap = act if can else None
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
        self.done.on_tap = self._done if self.whole else None
        self.done.show(self._means())
        self.put(self.done, self.w - 212, self.h - 100, 200, 88)

    def _means(self) -> Face:
        """What is given now: where that was offered, in the words of its key and with what it costs."""
        if not self.whole:
            return Face(label=theme.say("done"), look="barred", size=QUESTION - 6)
        given = answer_of(self.prompt, self.codes)
        key = next((key for key in self.prompt.keys if key.answer == given), None)
        if key is None:
            return Face(label=theme.say("done"), look="answer", size=QUESTION - 6)
        return Face(label=key.label, prices=key.prices, look="answer", size=VALUE)

    def _lay(self, row: int, keys: list[Key]) -> None:
        """Keys side by side in a row of the right half."""
        left, high = LEFT + NAMES, self._high
        self.put_rows(keys, left, HEAD + row * (high + GAP), self.w - left - 12, high, gap=GAP)

    @property
    def _high(self) -> float:
        rows = len(FACTOR if self.prompt.by else ROWS)
        return min(HIGH * (2 if self.prompt.by else 1), (self.h - HEAD - FOOT - rows * GAP) / rows)

    def paint(self, pen: Pen) -> None:
        pen.band()
        prompt: Prompt | None = self.shown
        if prompt is None:
            return
        plate.at_head(pen, prompt.plate, 45, 26, 38)
        pen.fill(LEFT - 1, HEAD, 1, pen.h - HEAD - FOOT, "line")
        for row, name in enumerate(FACTOR if prompt.by else ROWS):
            if name:
                said = theme.words.screen(f"typed.{name}")
                y = HEAD + row * (self._high + GAP) + self._high / 2
                pen.text(said, LEFT + 8, y, CAPTION, "mid", SEMIBOLD, room=NAMES - 12)
        if not self.seen:
            note, y = theme.words.screen("typed.none", by=prompt.by), HEAD + 70 + ROW * len(others(prompt))
            pen.paragraph(note, LEFT / 2, y, SMALL, LEFT - 50, "mid", SEMIBOLD, 4, "centre")
        said = " + ".join([*self.codes, *([self._begun()] if self.typed.begun and not self.code else [])])
        room = pen.w - 132 - 228
        pen.text(said or "–", 132, pen.h - 56, VALUE, "hi", BOLD, room=room, floor=CAPTION, cut=True)
        for row, line in enumerate(self.chart):
            prices(pen, line, 20, pen.h - FOOT - CHART + 14 + 24 * row, LEFT - 34, align="left")

    def _begun(self) -> str:
        """A card as far as it is typed."""
        typed = self.typed
        return f"{typed.kind or '?'}{typed.value or '?'} {typed.factor or '?'} {typed.symbols}".rstrip()
