"""The prompt band: the open question at a fixed place, its answers directly below.

The answers are keys in one row or two, or a list of long ones.
"""

from __future__ import annotations

from collections.abc import Collection
from functools import partial
from typing import Any, Final, Literal

from companion.screens.kit import plate
from companion.screens.kit.band import GRID, GRID_HIGH, KEYS_HIGH, KEYS_TOP, LEFT, RIGHT, UNDO, gridded, listed
from companion.screens.kit.compose import Area, Composed, Ui
from companion.screens.kit.form import FormView
from companion.screens.kit.key import LEGEND, Face, Key, prices, undo_face, wide_of
from companion.screens.kit.motion import QUESTION as ASKED
from companion.screens.kit.motion import appear
from companion.screens.kit.pen import BOLD, Pen
from companion.screens.kit.rows import Rows, RowView
from companion.screens.kit.theme import BODY, CAPTION, CLOCK, DIE, NAME, QUESTION, SMALL, VALUE, theme
from companion.screens.kit.touch import Target, ears
from companion.screens.kit.trail import HIGH, MIDDLE, Trail
from companion.view import shown
from companion.view.race import intents
from companion.view.race.intents import Emit
from companion.view.shown import InTurn, Price, Prompt, Undo

BAND_WIDTH: Final = 140.0
"""Least width of the keys of bands of faces on which "11–20" is as large as a single face, in dp."""
LETTERS: Final = 3
"""Length of a landing's label, in letters, beyond which it is in the middle of its key."""


def label_size(layout: str, answer: shown.AnswerKey, wide: float) -> float:
    """Return the type size of an answer's label on a key `wide` dp wide."""
    if layout == "cards":
        return CLOCK
    if layout == "bands":
        return DIE if wide >= BAND_WIDTH else VALUE
    if len(answer.label) <= 3 and (len(answer.label) == 1 or not answer.label.isalpha()):
        full = 32 if wide < 64 else DIE
        return min(full, 38) if answer.note else full
    return VALUE if wide >= 110 else NAME


def face_of(layout: str, answer: shown.AnswerKey, size: float, chosen: bool) -> Face:
    """Return the key face of an answer, its label in that size."""
    if answer.why:
        refused = answer.prices or (Price(icon="cross", text="", tone="bad"),)
        if answer.plate is not None:  # it is another car's
            return Face(note=answer.label, plate=answer.plate, look="barred", aside=True)
        return Face(label=answer.label, note=answer.note, prices=refused, look="barred", size=size)
    landing = layout == "landing"
    return Face(
        label=answer.label,
        note=answer.note,
        note_tone=theme.toned(answer.note_tone, ""),
        prices=answer.prices,
        look="option" if landing else "answer",
        size=size,
        chosen=chosen,
        aside=landing and (len(answer.label) <= LETTERS or answer.plate is not None),
        plate=answer.plate,
    )


def tapped(answer: shown.AnswerKey) -> intents.Tap | intents.ExplainBarred:
    """Return what a tap on an answer's key means."""
    return intents.ExplainBarred(answer) if answer.why else intents.Tap(answer)


def undoing(key: Key, emit: Emit | None) -> None:
    """Make a key undo with a tap and open the history with a hold, or neither without `emit`."""
    key.on_tap = partial(emit, intents.UndoAnswer()) if emit is not None else None
    key.on_hold = partial(emit, intents.OpenHistory()) if emit is not None else None


ROW_INSET: Final = 3.0
"""Inset of a key in its row, in dp."""
SELECTED_INSET: Final = 7.0
"""Inset of a key with the outline of a selection around it, in dp."""


class AnswerRowView(RowView):
    """Row of (answer, is selected): label, second line, and prices at the right.

    The second line is beside the label, or below it if it is long.
    """

    def draw(self, pen: Pen, shown: Any) -> None:
        answer = shown[0]
        middle, end, edge = pen.h / 2, pen.w - 22, SELECTED_INSET if shown[1] else ROW_INSET
        if self.pressed:
            pen.fill(0, 0, pen.w, pen.h, "bg2")
        if shown[1]:
            pen.rim(0, 1, pen.w - 6, pen.h - 3, "pri", 3, 10)
        if answer.why:
            pen.rim(edge, edge, pen.w - 6 - 2 * edge, pen.h - 2 * edge, "rim", 2, 8, dashes=True)
        else:
            pen.fill(edge, edge, pen.w - 6 - 2 * edge, pen.h - 2 * edge, "mid" if self.pressed else "pri", 8)
        token = "low" if answer.why else "onpri"
        wide = wide_of(pen, answer.prices)
        if wide:
            end -= wide + 4
            if not answer.why:
                pen.fill(end - 8, middle - LEGEND / 2, wide + 18, LEGEND, "bg2", 5)
            prices(pen, answer.prices, end, middle, wide + 2, align="left")
            end -= 16
        note = pen.width(answer.note, SMALL) if answer.note else 0.0
        if note > (end - 18) / 2:
            pen.text(answer.label, 18, middle - 11, BODY, token, BOLD, room=end - 18, cut=True)
            pen.text(answer.note, 18, middle + 11, CAPTION, token, room=end - 18, cut=True)
            return
        room = end - 18 - (note + 10 if note else 0)
        left = 18 + pen.text(answer.label, 18, middle, BODY, token, BOLD, room=room, cut=True) + 10
        if answer.note:
            pen.text(answer.note, left, middle, SMALL, token)


ASKED_AT: Final = (4.0, 48.0)
"""Top and height of the question in a band, in dp: 8 above the keys beneath it."""
LINE: Final = 29.0
HELP: Final = 24.0
"""Width of the sign of a question that can be looked up, in dp."""


SHEET_HEADING: Final = 50.0
"""Height of the question at the head of a sheet, in dp."""


class QuestionHeading(Target):
    """The question, as (title, unit, room in dp), with a ? if a tap opens its article.

    A new question fades in and leaves nothing of the previous one: a title never stands over the keys of another
    question.
    """

    means = "question"

    def show(self, shown: tuple[str, str, float]) -> None:
        """Show a question."""
        if self.shown is not None and shown[:2] != self.shown[:2]:
            appear(self, ASKED)
        super().show(shown)

    def wide(self, room: float) -> float:
        """Return the width, in dp, at most `room`."""
        pen = Pen.measuring()
        title, unit, _ = self.shown
        beside = self._beside(pen, unit)
        return min(room, pen.width(title, pen.fitted(title, QUESTION, BOLD, room - beside, BODY), BOLD) + beside + 1)

    def _beside(self, pen: Pen, unit: str) -> float:
        """Return the width of the unit and the ? beside the title, in dp."""
        return (pen.width(unit, CLOCK) + 10 if unit else 0.0) + (HELP + 10 if self.heard else 0.0)

    def paint(self, pen: Pen) -> None:
        if self.shown is None:
            return
        title, unit, room = self.shown
        beside = self._beside(pen, unit)
        size = pen.fitted(title, QUESTION, BOLD, room - beside, BODY)
        x = pen.text(title, 0, LINE, size, "hi", BOLD, room=room - beside) + 10
        x += pen.text(unit, x, LINE + 1, CLOCK, "mid") + (10 if unit else 0)
        if self.heard:
            pen.rim(x, LINE - HELP / 2, HELP, HELP, "hi" if self.pressed else "mid", 1.5, HELP / 2)
            pen.text("?", x + HELP / 2, LINE, SMALL, "hi" if self.pressed else "mid", BOLD, "centre")


PITCH: Final = 31.0
HEIGHT: Final = 24.0


class TurnOrder(Target):
    """The turn order, at the right: last played, playing, and next."""

    def paint(self, pen: Pen) -> None:
        listed: list[InTurn] = list(self.shown or ())
        word = theme.say("order")
        beside = pen.width(word, CAPTION) + 14
        room = int((pen.w - beside) // PITCH)
        if room < 2 or not listed:
            return
        while len(listed) > room and listed[0].state == "done":
            listed.pop(0)
        more = len(listed) - room
        if more > 0:
            later = listed[room - 1 :]
            del listed[room - 1 :]
            listed[-1:] = [one for one in later if one.state == "now"] or listed[-1:]
            more += 1
        x = pen.w - PITCH * (len(listed) + (more > 0))
        pen.text(word, x - 10, MIDDLE, CAPTION, "mid", align="right")
        for one in listed:
            middle = x + PITCH / 2
            plate.draw(pen, one.plate, middle, MIDDLE, HEIGHT)
            if one.state == "done":
                pen.fill(x, MIDDLE - 14, PITCH, 28, "bg2", alpha=0.55)
            elif one.state == "now":
                pen.fill(x + 1, MIDDLE + 16, PITCH - 2, 3, "hi")
            x += PITCH
        if more > 0:
            pen.text(f"+{more}", x + PITCH / 2, MIDDLE, CAPTION, "mid", align="centre")


UNDO_SLIM: Final = 82.0
MORE: Final = 68.0
BESIDE: Final = 700.0
"""Width below which a band stands beside a ruling card, in dp."""
GAP: Final = 8.0
BLACK_HIGH: Final = 56.0
PAGE: Final = 52.0
"""Width of the key of the other answers beside a ruling card, where four landings need the room, in dp."""
MIN_ANSWER_WIDTHS: Final = {"die": 52.0, "landing": 84.0, "cards": 62.0}
"""Minimum width of an answer by layout, in dp; 84 for the others."""


BandKey = Literal["undo", "more", "hint", "order"]
OFFERED: Final[tuple[BandKey, ...]] = ("undo", "more", "hint", "order")
"""Keys beside the answers: Undo, More, Hint, and the turn order that opens the full one."""


class PromptBand(Composed):
    """The band with the open question, a `Prompt`, and those keys beside its answers that it `offers`."""

    def __init__(self, emit: Emit, offers: Collection[BandKey] = OFFERED, **properties: Any) -> None:
        self.emit, self.offers = emit, offers
        self.chosen = -1
        self.page, self._turned, self._revealed = 0, False, False
        super().__init__(**properties)
        self.form = FormView(lambda values: emit(intents.Fill(values)))
        self.rows = Rows(AnswerRowView, on_row=self._row, on_row_hold=self._row_held)
        self.keys: list[Key] = []
        """The keys of the answers that are there, and the paging key, if any."""
        self.asked_to = 0.0
        """The right edge of the question, in dp."""

    # -- what is shown

    def show(self, prompt: Prompt) -> None:
        """Show a question.

        A new question ignores touches for a moment and selects its default.
        """
        before: Prompt | None = self.shown
        if before is None or before.key != prompt.key:
            if before is not None:
                ears.close()
            for key in self.keys:
                key.forget()
            self.chosen, self._turned, self._revealed = prompt.chosen, False, False
        elif before is not None and before.chosen != prompt.chosen:
            self.chosen, self._turned, self._revealed = prompt.chosen, False, False
        super().show(prompt)

    def select(self, place: int) -> None:
        """Select an answer by its index among the question's keys; -1 selects none."""
        if place != self.chosen:
            self.chosen, self._turned, self._revealed = place, False, False
            self.look_again()

    @property
    def _has_hint(self) -> bool:
        """True if Hint has a key; beside a card it is in the menu."""
        return "hint" in self.offers and self._prompt.hint > 0 and self.w >= BESIDE

    @property
    def _prompt(self) -> Prompt:
        return self.shown or Prompt(key="", n=0, title="", layout="none")

    @property
    def _slim(self) -> bool:
        """True if width is scarce: beside a ruling card, or with many faces."""
        return self.w < BESIDE or len(self._prompt.keys) > 6

    @property
    def _has_more(self) -> bool:
        """True if More has a key.

        Beside a ruling card the landings take its space, and the top bar opens the same.
        """
        return "more" in self.offers and not (self._prompt.layout == "landing" and self.w < BESIDE)

    def _capacity(self, room: float) -> int:
        """Return the number of answers that fit on a page `room` dp wide."""
        prompt = self._prompt
        if gridded(prompt):
            return GRID if len(prompt.keys) <= GRID else GRID - 1
        least = MIN_ANSWER_WIDTHS.get(prompt.layout, 84.0) + GAP
        most = int((room + GAP) // least)
        most = min(most, {"die": 10, "landing": 4, "cards": 9}.get(prompt.layout, most))
        if len(prompt.keys) <= most:
            return max(1, most)
        return max(1, int((room - self._page_wide) // least))

    @property
    def _page_wide(self) -> float:
        """The width of the paging key, in dp."""
        return PAGE if self._prompt.layout == "landing" and self.w < BESIDE else MORE

    def _paged(self, most: int) -> tuple[tuple[int, shown.AnswerKey], ...]:
        """Return the answers of the current page, `most` at once, each with its index among all.

        The selected one is always included, so that the answer to be accepted is visible.
        """
        answers = tuple(enumerate(self._prompt.keys))
        if len(answers) <= most:
            return answers
        kept = answers[self.chosen : self.chosen + 1] if self.chosen >= 0 else ()
        others = [answer for answer in answers if answer not in kept]
        most = max(1, most - len(kept))
        if not self._turned:
            self.page = min(max(0, self.chosen), len(others) - 1) // most
        first = self.page * most if self.page * most < len(others) else 0
        return tuple(sorted((*kept, *others[first : first + most]), key=lambda one: one[0]))

    # -- drawing

    def compose(self, ui: Ui) -> None:
        prompt = self._prompt
        ui.pen.band()
        plate.at_head(ui.pen, prompt.plate, 45, 32)
        self._compose_head(ui, prompt)
        row = Area(LEFT, self.h - 12 - KEYS_HIGH, self.w - LEFT - RIGHT, KEYS_HIGH)
        self._compose_sides(ui, row, prompt)
        area = Area(row.x, KEYS_TOP, row.w, self.h - 12 - KEYS_TOP)
        self.keys = []
        if prompt.layout == "form":
            self.form.show(prompt.fields)
            ui.place(area, self.form)
        elif listed(prompt):
            self._compose_list(ui, area, prompt)
        elif gridded(prompt):
            self._compose_grid(ui, area, prompt)
        elif prompt.layout == "black":
            across = max(1, (len(prompt.keys) + 1) // 2)
            cells = area.cells(len(prompt.keys), across, BLACK_HIGH, GAP)
            for cell, (place, answer) in zip(cells, enumerate(prompt.keys), strict=True):
                self._compose_answer(ui, cell, place, answer, VALUE if answer.prices else CLOCK)
        else:
            self._compose_row(ui, area, prompt)

    def _compose_head(self, ui: Ui, prompt: Prompt) -> None:
        """Compose the question, and the turn order or the trail beside it."""
        left = 81.0 if prompt.plate is not None else LEFT
        room = self.w - RIGHT - left
        unit = "" if self.w < BESIDE and prompt.trail else prompt.unit  # beside a card the trail has the room
        asked = ui.named("asked", QuestionHeading)
        asked.on_tap = partial(self.emit, intents.OpenArticle("question")) if prompt.article else None
        asked.show((prompt.title, unit, room))
        self.asked_to = left + asked.wide(self.w) + 8
        wide = asked.wide(room)
        ui.place(Area(left, ASKED_AT[0], wide, ASKED_AT[1]), asked)
        beside = Area(left + wide + 16, 3, max(1.0, room - wide - 16), HIGH)
        if not prompt.turn:
            ui.place(beside, ui.named("trail", partial(Trail, self._rewind))).show(prompt.trail)
            return
        order = ui.target(beside, "order", TurnOrder, prompt.turn)
        if "order" in self.offers:
            order.on_tap = partial(self.emit, intents.OpenOrder())
            order.on_hold = partial(self.emit, intents.Explain(intents.OrderSubject()))

    def _compose_sides(self, ui: Ui, row: Area, prompt: Prompt) -> None:
        """Compose the keys at both ends of a row, and cut them off it."""
        slim = self._slim
        gap = GAP if slim else 14.0
        can = bool(prompt.undo.label) and "undo" in self.offers
        face = undo_face(prompt.undo if can else Undo())
        undoing(ui.button(row.cut_left(UNDO_SLIM if slim else UNDO), "undo", face), self.emit if can else None)
        row.cut_left(gap)
        if self._has_more:
            face = Face(look="quiet", icon="more", note=theme.say("more"))
            ui.button(row.cut_right(MORE), "more", face, partial(self.emit, intents.OpenMenu()), means="menu")
        if self._has_hint:
            row.cut_right(GAP)
            face = Face(look="quiet", icon="bulb", note=f"{theme.say('hint')} {prompt.hint}")
            ui.button(row.cut_right(MORE), "hint", face, partial(self.emit, intents.AskHint()), means="hint")
        if self._has_more or self._has_hint:
            row.cut_right(gap)

    def _compose_list(self, ui: Ui, area: Area, prompt: Prompt) -> None:
        self.rows.show([(answer, place == self.chosen) for place, answer in enumerate(prompt.keys)])
        ui.place(area, self.rows)
        if self.chosen >= 0 and not self._revealed:
            self._revealed = True
            self.rows.keep_seen(self.chosen)

    def _compose_grid(self, ui: Ui, area: Area, prompt: Prompt) -> None:
        """Compose many short answers in two rows, the paging key last."""
        most = self._capacity(area.w)
        paged = self._paged(most)
        turning = len(paged) < len(prompt.keys)
        across = GRID // 2 if turning else (len(paged) + 1) // 2
        wide = (area.w - GAP * (across - 1)) / across // 2 * 2  # whole pixels at every density
        area = Area(area.x, area.y, across * (wide + GAP) - GAP, area.h)
        cells = area.cells(2 * across, across, GRID_HIGH, GAP)
        for cell, (place, answer) in zip(cells, paged, strict=False):
            self._compose_answer(ui, cell, place, answer, NAME)
        if turning:
            self._compose_page(ui, cells[-1], most, len(paged), "")

    def _compose_row(self, ui: Ui, area: Area, prompt: Prompt) -> None:
        most = self._capacity(area.w)
        paged = self._paged(most)
        turns = area.cut_right(self._page_wide) if len(paged) < len(prompt.keys) else None
        if turns is not None:
            area.cut_right(GAP)
        if paged:
            wide = (area.w - GAP * (len(paged) - 1)) / len(paged)
            if prompt.layout in ("keys", "list") and len(paged) < 3:
                wide = min(wide, (area.w - GAP) / 2)
            cells = Area(area.x, area.y, len(paged) * (wide + GAP) - GAP, KEYS_HIGH).columns(len(paged), GAP)
            for cell, (place, answer) in zip(cells, paged, strict=True):
                self._compose_answer(ui, cell, place, answer, label_size(prompt.layout, answer, wide))
        if turns is not None:
            self._compose_page(ui, Area(turns.x, turns.y, turns.w, KEYS_HIGH), most, len(paged))

    def _compose_page(self, ui: Ui, area: Area, most: int, there: int, icon: str = "forward") -> None:
        """Compose the paging key, with the number of other answers than those that are there."""
        said = theme.words.screen("widget.others", count=len(self._prompt.keys) - there)
        face = Face(look="quiet", icon=icon, label=said, size=SMALL)
        self.keys.append(ui.button(area, "page", face, partial(self._turn, most), means="page"))

    def _compose_answer(self, ui: Ui, area: Area, place: int, answer: shown.AnswerKey, size: float) -> None:
        face = face_of(self._prompt.layout, answer, size, place == self.chosen)
        tap, hold = partial(self.emit, tapped(answer)), partial(self.emit, intents.Explain(answer))
        self.keys.append(ui.button(area, place, face, tap, hold))

    # -- what is touched

    def on_touch_down(self, touch: Any) -> bool:
        if self.collide_point(*touch.pos) and not ears.open:
            return True
        return bool(super().on_touch_down(touch)) or bool(self.collide_point(*touch.pos))

    def _row(self, place: int) -> None:
        self.emit(tapped(self._prompt.keys[place]))

    def _row_held(self, place: int) -> None:
        self.emit(intents.Explain(self._prompt.keys[place]))

    def _rewind(self, step: shown.Step) -> None:
        self.emit(intents.Rewind(step))

    def _turn(self, most: int) -> None:
        """Turn to the next page of `most` answers at once."""
        kept = int(self.chosen >= 0)
        most, count = max(1, most - kept), len(self._prompt.keys) - kept
        self.page, self._turned = (self.page + 1) % ((count + most - 1) // most), True
        self.look_again()
