"""The prompt band: the one question, always in the same place, with its answers directly below: keys in one row or
two, or a list of long ones."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any, Final

from companion.rules.conversation.asking import Json
from companion.screens.widgets import plate
from companion.screens.widgets.band import GRID, GRID_HIGH, KEYS_HIGH, KEYS_TOP, LEFT, RIGHT, UNDO, gridded, listed
from companion.screens.widgets.form import Form
from companion.screens.widgets.key import LEGEND, Face, Key, prices, undo_face, wide_of
from companion.screens.widgets.motion import QUESTION as ASKED
from companion.screens.widgets.motion import appear
from companion.screens.widgets.pane import Pane
from companion.screens.widgets.pen import BOLD, Pen
from companion.screens.widgets.rows import Rows, RowView
from companion.screens.widgets.theme import BODY, CAPTION, CLOCK, DIE, NAME, QUESTION, SMALL, VALUE, theme
from companion.screens.widgets.touch import Target, ears
from companion.screens.widgets.trail import HIGH, MIDDLE, Trail
from companion.view import shown
from companion.view.shown import InTurn, Price, Prompt, Undo

LETTERS: Final = 3
"""A landing with a longer label than a letter or a number has it in the middle."""


def label_size(layout: str, answer: shown.Key, wide: float) -> float:
    """How large the label of an answer is on a key so wide, in dp."""
    if layout == "cards":
        return CLOCK
    if len(answer.label) <= 3 and (len(answer.label) == 1 or not answer.label.isalpha()):
        full = 32 if wide < 64 else DIE
        return min(full, 38) if answer.note else full
    return VALUE if wide >= 110 else NAME


def face_of(layout: str, answer: shown.Key, size: float, chosen: bool) -> Face:
    """An answer on its key, with a label of that size."""
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


EDGE: Final = 3.0
"""From the edge of a row to that of its key."""
INNER: Final = 7.0
"""The same where the outline of a selection is around the key."""


class AnswerRow(RowView):
    """Shows (answer, whether it is selected) as a key as wide as the list: its label, its second line (beside it, or a
    long one beneath it), and its prices at the right."""

    def draw(self, pen: Pen, shown: Any) -> None:
        answer = shown[0]
        middle, end, edge = pen.h / 2, pen.w - 22, INNER if shown[1] else EDGE
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
"""Where the question begins in a band, and how high it is: 8 dp from the keys beneath it."""
LINE: Final = 29.0
HELP: Final = 24.0
"""How wide the sign is that says that a question can be looked up."""


LED: Final = 50.0
"""How high it is at the head of a sheet."""
Lead = tuple[float, float, float]


class Asked(Target):
    """Shows the question itself, as (title, unit, room in dp), and a question mark where a tap opens its article.
    Another one comes out of the dark, and nothing is left of the one before: a title never stands over another
    question's keys."""

    means = "question"

    def show(self, shown: tuple[str, str, float]) -> None:
        """Shows a question."""
        if self.shown is not None and shown[:2] != self.shown[:2]:
            appear(self, ASKED)
        super().show(shown)

    def lead(self, sheet: Pane, prompt: Prompt, on_asked: Callable[[], object] | None, place: Lead) -> None:
        """Stands at the head of a sheet, which it may touch, at its left, top and as far as its right edge."""
        left, top, end = place
        self.joined = True
        self.on_tap = on_asked if prompt.article else None
        self.show((prompt.title, prompt.unit, sheet.w - left - end))
        sheet.put(self, left, top, self.wide(sheet.w - left - end), LED)

    def wide(self, room: float) -> float:
        """How wide it is, in dp: the room at most."""
        pen = Pen.measuring()
        title, unit, _ = self.shown
        beside = self._beside(pen, unit)
        return min(room, pen.width(title, pen.fitted(title, QUESTION, BOLD, room - beside, BODY), BOLD) + beside + 1)

    def _beside(self, pen: Pen, unit: str) -> float:
        """How much stands beside the title, in dp."""
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
    """Shows a tuple of `InTurn`, at the right: the last that has played, the one that plays, and those to come."""

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
"""A band narrower than this stands beside a ruling card, in dp."""
GAP: Final = 8.0
BLACK_HIGH: Final = 56.0
PAGE: Final = 52.0
"""The key of the other answers beside a ruling card, where four landings need the room."""
LEAST: Final = {"die": 52.0, "landing": 84.0, "cards": 62.0}
"""How narrow an answer may be, by layout; elsewhere 84."""


def _with(said: Callable[[shown.Key], object] | None, answer: shown.Key) -> Callable[[], object] | None:
    """A call with an answer, if there is anybody to call."""
    return functools.partial(said, answer) if said is not None else None


class PromptBand(Pane):
    """Shows a `Prompt`.

    `on_answer(key)` is called for an answer that was tapped, `on_form(values)` for a form that is filled in,
    `on_hold(key)` for one that was held, `on_barred(key)` for one that is not allowed, `on_undo()` and
    `on_history()` for a tap and a hold on Undo, `on_more()` for More, `on_step(step)` for a step of the trail,
    `on_order()` for the order of the turn, `on_asked()` for the question itself, `on_hint()` for Hint,
    `on_order_hold()` where that order is held. What is not given is not offered.
    """

    def __init__(
        self,
        on_answer: Callable[[shown.Key], object] | None = None,
        on_form: Callable[[dict[str, Json]], object] | None = None,
        on_hold: Callable[[shown.Key], object] | None = None,
        on_barred: Callable[[shown.Key], object] | None = None,
        on_undo: Callable[[], object] | None = None,
        on_history: Callable[[], object] | None = None,
        on_more: Callable[[], object] | None = None,
        on_step: Callable[[shown.Step], object] | None = None,
        on_order: Callable[[], object] | None = None,
        on_asked: Callable[[], object] | None = None,
        on_hint: Callable[[], object] | None = None,
        on_order_hold: Callable[[], object] | None = None,
        **properties: Any,
    ) -> None:
        self.on_answer, self.on_form, self.on_hold, self.on_barred = on_answer, on_form, on_hold, on_barred
        self.on_undo, self.on_history, self.on_more = on_undo, on_history, on_more
        self.on_asked = on_asked
        self.chosen = -1
        self.page, self._turned, self._revealed = 0, False, False
        super().__init__(**properties)
        self.on_hint, self.hint = on_hint, Key(on_tap=on_hint, means="hint")
        self.undo = Key()
        self.more = Key(on_tap=on_more, means="menu")
        self.asked, self.trail, self.order = Asked(), Trail(on_step), TurnOrder(on_tap=on_order, on_hold=on_order_hold)
        self.form = Form(lambda values: self.on_form(values) if self.on_form else None)
        self.rows = Rows(AnswerRow, on_row=self._row, on_row_hold=self._row_held)
        self.keys: list[Key] = []
        for child in (self.asked, self.undo, self.more):
            self.add_widget(child)

    # -- what is shown

    def show(self, prompt: Prompt) -> None:
        """Shows a question. If it is another one, touches are not heard for a moment, and its default is selected."""
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

    @property
    def asked_to(self) -> float:
        """Where the question ends, in dp."""
        left = float(self.asked.x - self.x) / float(theme.scale)
        return left + (self.asked.wide(self.w) if self.asked.shown is not None else 0.0) + 8

    def select(self, place: int) -> None:
        """Selects an answer by its place among the question's keys; -1 selects none."""
        if place != self.chosen:
            self.chosen, self._turned, self._revealed = place, False, False
            self.look_again()

    def _room(self) -> tuple[float, float]:
        """Where the answers begin and end, in dp."""
        slim = self._slim
        begin = LEFT + (UNDO_SLIM if slim else UNDO) + (GAP if slim else 14)
        end = self.w - RIGHT
        if self._has_more:
            end -= MORE + (GAP if slim else 14)
        if self._has_hint:
            end -= MORE + GAP
        return begin, end

    @property
    def _has_hint(self) -> bool:
        """Whether Hint has a key; beside a card the menu has it."""
        return self.on_hint is not None and self._prompt.hint > 0 and self.w >= BESIDE

    @property
    def _prompt(self) -> Prompt:
        return self.shown or Prompt(key="", n=0, title="", layout="none")

    @property
    def _slim(self) -> bool:
        """Whether every dp of width is wanted: beside a ruling card, or with many faces."""
        return self.w < BESIDE or len(self._prompt.keys) > 6

    @property
    def _has_more(self) -> bool:
        """Whether More has a key: beside a ruling card the landings have its room, and the top bar opens the same."""
        return self.on_more is not None and not (self._prompt.layout == "landing" and self.w < BESIDE)

    def _capacity(self) -> int:
        """How many answers there is room for at a time."""
        prompt = self._prompt
        if prompt.layout == "black":
            return 20
        if gridded(prompt):
            return GRID if len(prompt.keys) <= GRID else GRID - 1
        begin, end = self._room()
        most = int((end - begin + GAP) // (LEAST.get(prompt.layout, 84.0) + GAP))
        most = min(most, {"die": 10, "landing": 4, "cards": 9}.get(prompt.layout, most))
        if len(prompt.keys) <= most:
            return max(1, most)
        return max(1, int((end - begin - self._page_wide) // (LEAST.get(prompt.layout, 84.0) + GAP)))

    @property
    def _page_wide(self) -> float:
        """How wide the key of the other answers is."""
        return PAGE if self._prompt.layout == "landing" and self.w < BESIDE else MORE

    def _paged(self) -> tuple[tuple[int, shown.Key], ...]:
        """The answers that are shown now, each with its place among all. The selected one is always among them: what
        Accept would apply is seen."""
        answers, most = tuple(enumerate(self._prompt.keys)), self._capacity()
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

    def arrange(self) -> None:
        prompt = self._prompt
        self.trail.shown = prompt.trail
        left = 81.0 if prompt.plate is not None else LEFT
        room = self.w - RIGHT - left
        unit = "" if self.w < BESIDE and prompt.trail else prompt.unit  # beside a card the trail has the room
        self.asked.on_tap = self.on_asked if prompt.article else None
        self.asked.show((prompt.title, unit, room))
        title = self.asked.wide(room)
        self.put(self.asked, left, ASKED_AT[0], title, ASKED_AT[1])
        beside: Trail | TurnOrder = self.order if prompt.turn else self.trail
        self.order.show(prompt.turn)
        self.put(beside, left + title + 16, 3, max(1.0, self.w - RIGHT - left - title - 16), HIGH)
        beside.look_again()
        self.remove_widget(self.trail if prompt.turn else self.order)
        slim = self._slim
        can = bool(prompt.undo.label) and self.on_undo is not None
        self.undo.show(undo_face(prompt.undo if can else Undo()))
        self.undo.on_tap, self.undo.on_hold = (self.on_undo, self.on_history) if can else (None, None)
        top = self.h - 12 - KEYS_HIGH
        self.put(self.undo, LEFT, top, UNDO_SLIM if slim else UNDO, KEYS_HIGH)
        if self._has_more:
            self.more.show(Face(look="quiet", icon="more", note=theme.say("more")))
            self.put(self.more, self.w - RIGHT - MORE, top, MORE, KEYS_HIGH)
        else:
            self.remove_widget(self.more)
        begin, end = self._room()
        if self._has_hint:
            self.hint.show(Face(look="quiet", icon="bulb", note=f"{theme.say('hint')} {self._prompt.hint}"))
            self.put(self.hint, end + (GAP if slim else 14), top, MORE, KEYS_HIGH)
        else:
            self.remove_widget(self.hint)
        whole: Form | Rows | None = None
        if prompt.layout == "form":
            whole = self.form
            self.form.show(prompt.fields)
        elif listed(prompt):
            whole = self.rows
            self.rows.show([(answer, place == self.chosen) for place, answer in enumerate(prompt.keys)])
        self.only([whole], of=(self.form, self.rows))
        if whole is not None:
            self.as_many(self.keys, 0, Key)
            self.put(whole, begin, KEYS_TOP, end - begin, self.h - KEYS_TOP - 12)
            if whole is self.rows and self.chosen >= 0 and not self._revealed:
                self._revealed = True
                self.rows.keep_seen(self.chosen)
        elif gridded(prompt):
            self._arrange_grid(begin, end)
        elif prompt.layout == "black":
            self._arrange_black(begin, end)
        else:
            self._arrange_row(begin, end)

    def _arrange_black(self, begin: float, end: float) -> None:
        prompt = self._prompt
        self.as_many(self.keys, len(prompt.keys), Key)
        across = max(1, (len(prompt.keys) + 1) // 2)
        for place, answer in enumerate(prompt.keys):
            self._dress(self.keys[place], place, answer, VALUE if answer.prices else CLOCK)
        self.put_rows(self.keys, begin, KEYS_TOP, end - begin, BLACK_HIGH, across, GAP)

    def _arrange_grid(self, begin: float, end: float) -> None:
        """Many short answers in two rows, the way to further ones in the last place."""
        paged = self._paged()
        turning = len(paged) < len(self._prompt.keys)
        self.as_many(self.keys, len(paged) + turning, Key)
        across = GRID // 2 if turning else (len(paged) + 1) // 2
        wide = (end - begin - GAP * (across - 1)) / across // 2 * 2  # whole pixels at every density
        for at, key in enumerate(self.keys):
            if at < len(paged):
                self._dress(key, *paged[at], NAME)
            else:
                self._dress_page(key, len(self._prompt.keys) - len(paged), "")
                at = GRID - 1
            row, column = divmod(at, across)
            self.put(key, begin + column * (wide + GAP), KEYS_TOP + row * (GRID_HIGH + GAP), wide, GRID_HIGH)

    def _dress_page(self, key: Key, others: int, icon: str = "forward") -> None:
        """The key of the answers that have no room: how many they are."""
        key.on_tap, key.on_hold, key.means = self._turn, None, "page"
        said = theme.words.screen("widget.others", count=others)
        key.show(Face(look="quiet", icon=icon, label=said, size=SMALL))

    def _arrange_row(self, begin: float, end: float) -> None:
        prompt = self._prompt
        paged = self._paged()
        turning = len(paged) < len(prompt.keys)
        self.as_many(self.keys, len(paged) + turning, Key)
        if turning:
            self._dress_page(self.keys[-1], len(prompt.keys) - len(paged))
            self.put(self.keys[-1], end - self._page_wide, KEYS_TOP, self._page_wide, KEYS_HIGH)
            end -= self._page_wide + GAP
        if not paged:
            return
        wide = (end - begin - GAP * (len(paged) - 1)) / len(paged)
        if prompt.layout in ("keys", "list") and len(paged) < 3:
            wide = min(wide, (end - begin - GAP) / 2)
        for at, (place, answer) in enumerate(paged):
            self._dress(self.keys[at], place, answer, label_size(prompt.layout, answer, wide))
        room = len(paged) * (wide + GAP) - GAP
        self.put_rows(self.keys[: len(paged)], begin, KEYS_TOP, room, KEYS_HIGH, gap=GAP)

    def _dress(self, key: Key, place: int, answer: shown.Key, size: float) -> None:
        key.on_tap = _with(self.on_barred if answer.why else self.on_answer, answer)
        key.on_hold = _with(self.on_hold, answer)
        key.show(face_of(self._prompt.layout, answer, size, place == self.chosen))

    def paint(self, pen: Pen) -> None:
        prompt = self._prompt
        pen.band()
        plate.at_head(pen, prompt.plate, 45, 32)

    # -- what is touched

    def on_touch_down(self, touch: Any) -> bool:
        if self.collide_point(*touch.pos) and not ears.open:
            return True
        return bool(super().on_touch_down(touch)) or bool(self.collide_point(*touch.pos))

    def _row(self, place: int) -> None:
        answer = self._prompt.keys[place]
        said = self.on_barred if answer.why else self.on_answer
        if said is not None:
            said(answer)

    def _row_held(self, place: int) -> None:
        if self.on_hold is not None:
            self.on_hold(self._prompt.keys[place])

    def _turn(self) -> None:
        kept = int(self.chosen >= 0)
        most, count = max(1, self._capacity() - kept), len(self._prompt.keys) - kept
        self.page, self._turned = (self.page + 1) % ((count + most - 1) // most), True
        self.look_again()
