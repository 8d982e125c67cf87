"""The history: every answer of the race, to go back to or to correct.

A correction is previewed before it is made.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, Final, Literal

from kivy.clock import Clock

from companion.rules.conversation.asking import Json
from companion.screens.app.screen import Screen
from companion.screens.app.visits import OfHistory
from companion.screens.kit import plate
from companion.screens.kit.compose import Act, Area, Composed, Ui
from companion.screens.kit.empty import Empty, EmptyState
from companion.screens.kit.foot import BAND, KEYS, ground
from companion.screens.kit.key import Face, Look, undo_face
from companion.screens.kit.pen import BOLD, SEMIBOLD, Pen
from companion.screens.kit.rows import Rows, RowView
from companion.screens.kit.ruling_card import RulingCard
from companion.screens.kit.theme import BODY, CAPTION, NAME, QUESTION, SMALL, TONES, VALUE
from companion.screens.kit.touch import ears
from companion.screens.race.form import FormSheet
from companion.view.pages.history import (
    Alternative,
    AnswerRow,
    Brought,
    CorrectionPreview,
    Picks,
    brought,
    picks,
    rows,
    tried,
)
from companion.view.race.intents import Fill, FoldForm, Intent, OpenArticle
from companion.view.race.steps import undone
from companion.view.shown import AnswerKey, Price, Undo, ViewModel
from companion.view.shown_race import RaceShown
from companion.view.sight import Sight

if TYPE_CHECKING:
    from companion.screens.app.app import CompanionApp


class AnswerView(RowView):
    """A row that shows an `AnswerRow`."""

    def draw(self, pen: Pen, shown: tuple[AnswerRow, bool]) -> None:
        row, chosen = shown
        middle = pen.h / 2
        if chosen:
            self.choose(pen, "warn")
        pen.text(row.round, 14, middle, CAPTION, "mid", BOLD)
        if row.plate is not None:
            plate.draw(pen, row.plate, 72, middle, 28)
        right = pen.w - 16
        for price in reversed(row.prices):
            right -= pen.width(price.text, NAME, BOLD)
            pen.text(price.text, right, middle, NAME, TONES[price.tone], BOLD)
            if price.icon:
                pen.icon(price.icon, right - 16, middle, 20, TONES[price.tone])
                right -= 30
            right -= 10
        if row.icon:
            pen.icon(row.icon, right - 10, middle, 20, "warn" if row.by == "word" else "low")
            right -= 30
        y = middle - (11 if row.said else 0)
        pen.text(row.label, 98, y, BODY, "hi" if row.by != "program" else "mid", BOLD if row.said else SEMIBOLD,
                 room=right - 98, cut=True)  # fmt: skip
        whole = " · ".join(filter(None, (row.said, row.cited)))
        said = whole if pen.width(whole, CAPTION, SEMIBOLD) <= right - 98 else row.said
        pen.text(said, 98, middle + 13, CAPTION, "mid", SEMIBOLD, room=right - 98, cut=True)


class AlternativeView(RowView):
    """A row that shows an `Alternative`."""

    def draw(self, pen: Pen, shown: tuple[Alternative, bool]) -> None:
        pick, chosen = shown
        middle = pen.h / 2
        if chosen:
            self.choose(pen)
        right = pen.w - 14
        if pick.chosen:
            pen.icon("check", right - 10, middle, 20, "mid")
            right -= 30
        pen.text(pick.label, 16, middle - (11 if pick.note else 0), NAME, "hi", SEMIBOLD, room=right - 16, cut=True)
        pen.text(pick.note, 16, middle + 13, CAPTION, "mid", SEMIBOLD, room=right - 16, cut=True)


HEAD = 52.0
"""Height of the line with the die, or with the answer, in dp."""
CONSEQUENCES_AT = 118.0
"""Left edge of the consequences of a way, right of its name, in dp."""
INDENT = 46.0
SEGMENT = (22.0, 13.0, 4.0)
"""Width, height and gap of a point of wear, in dp."""


class PreviewRow(ViewModel, frozen=True, kw_only=True):
    """A line in the preview of a correction: a heading, a change, or part of a way.

    `text` fits on one line. `name` is that of the way. Behind the text is drawn `value`, or `points`: the capacity, and
    the points before and after.
    """

    text: str
    value: str = ""
    kind: Literal["head", "change", "way"]
    icon: str = ""
    tone: str = "plain"
    name: str = ""
    points: tuple[int, int, int] | None = None


class TrialView(RowView):
    """A row that shows a `PreviewRow`, without a separator."""

    def paint(self, pen: Pen) -> None:
        row: PreviewRow | None = self.shown
        if row is None:
            return
        middle = pen.h / 2
        if row.kind == "head":
            pen.fill(0, 0, pen.w, 1, "line")
            pen.text(row.text, 14, middle + 1, SMALL, "mid", SEMIBOLD)
        elif row.kind == "change":
            if row.icon:
                pen.icon(row.icon, 24, middle, 19, TONES[row.tone])
            end = INDENT + pen.text(row.text, INDENT, middle, BODY, "hi", SEMIBOLD)
            pen.text(row.value, pen.w - 16, middle, NAME, TONES[row.tone], BOLD, "right")
            if row.points is not None:
                _points(pen, row.points, middle, row.tone, end + 12)
        else:
            if row.icon:
                pen.icon(row.icon, CONSEQUENCES_AT + 8, middle, 15, TONES[row.tone])
            pen.text(row.name, 14, middle, BODY, "hi", BOLD)
            pen.text(row.text, CONSEQUENCES_AT + 24, middle, SMALL, "hi", SEMIBOLD)


class RulingLineView(RowView):
    """A row that shows a line of a ruling, or else the article below it, without a separator."""

    def paint(self, pen: Pen) -> None:
        if self.shown is not None:
            text, is_article = self.shown
            pen.text(text, 0, pen.h / 2, CAPTION if is_article else BODY, "low" if is_article else "mid", SEMIBOLD)


RULING_LINE: Final = 20.0
"""Height of a line of a ruling, in dp."""


def ruling_lines(rulings: Sequence[tuple[str, str]], room: float) -> list[tuple[str, bool]]:
    """Return the lines of rulings, wrapped to `room`: each with its article below, and an empty one between them."""
    pen, lines = Pen.measuring(), list[tuple[str, bool]]()
    for said, cited in rulings:
        if lines:
            lines.append(("", False))
        lines += [(part, False) for part in pen.broken(said, BODY, SEMIBOLD, room)]
        lines.append((cited, True))
    return lines


def _points(pen: Pen, points: tuple[int, int, int], middle: float, tone: str, begin: float) -> None:
    """Draw points as segments, those gained or lost in colour.

    `points` are the capacity and the values before and after, which are also drawn as figures. The segments narrow to
    stay right of `begin`, where the text ends.
    """
    room, was, now = points
    right = pen.w - 16
    right -= pen.text(str(now), right, middle, NAME, TONES[tone], BOLD, "right") + 8
    pen.icon("arrow-right", right - 8, middle, 15, "mid")
    right -= 24
    right -= pen.text(str(was), right, middle, NAME, "mid", BOLD, "right") + 12
    wide, high, gap = SEGMENT
    if room * (wide + gap) > right - begin:
        gap = 2.0
        wide = (right - begin) / room - gap
    left = right - room * (wide + gap) + gap
    for point in range(room):
        box = (left + point * (wide + gap), middle - high / 2, wide, high)
        if point < min(was, now):
            pen.fill(*box, "hi", 2)
        elif point < now:
            pen.fill(*box, "ok", 2)
        elif point < was:
            pen.hatch(*box, "warn")
        else:
            pen.rim(*box, "rim", 1.5, 2)


FIGURES_WIDTH = 108.0
"""Width of the figures before and after in a line, in dp."""
MIN_SEGMENT_PITCH = 9.0
"""Minimum width of a segment in a line, in dp."""


def trial_rows(trial: CorrectionPreview, room: float, changes: str, ways: str) -> list[PreviewRow]:
    """Return the lines for the changes, then for what each way keeps, leaves and asks.

    Texts are wrapped to `room`, in dp. `changes` and `ways` are the headings; the second is used only if there are two
    ways.
    """
    pen = Pen.measuring()
    rows = [PreviewRow(text=changes, kind="head")]
    ruled = pen.broken(trial.ruled, BODY, SEMIBOLD, room - INDENT - 14) if trial.ruled else []
    rows += [PreviewRow(text=part, kind="change", icon="" if at else "flag") for at, part in enumerate(ruled)]
    for one in trial.changes:
        reserved = pen.width(one.value, NAME, BOLD) + 12 if one.value else 0.0
        if one.points is not None:
            reserved = FIGURES_WIDTH + one.points[0] * MIN_SEGMENT_PITCH
        parts = pen.broken(one.text, BODY, SEMIBOLD, room - INDENT - 14)
        if pen.width(parts[-1], BODY, SEMIBOLD) > room - INDENT - 14 - reserved:
            parts = pen.broken(one.text, BODY, SEMIBOLD, room - INDENT - 14 - reserved) if one.value else [*parts, ""]
        for at, part in enumerate(parts):
            points, value = (one.points, one.value) if at == len(parts) - 1 else (None, "")
            rows.append(PreviewRow(text=part, kind="change", icon="" if at else one.icon, tone=one.tone, points=points,
                                   value=value))  # fmt: skip
    if len(trial.ways) > 1:
        rows.append(PreviewRow(text=ways, kind="head"))
    for way, lines in zip(trial.ways, trial.lines, strict=True):
        names = pen.broken(way.label, BODY, BOLD, CONSEQUENCES_AT - 20)
        said = [
            (part, "" if at else line.icon, line.tone)
            for line in lines
            for at, part in enumerate(pen.broken(line.text, SMALL, SEMIBOLD, room - CONSEQUENCES_AT - 24 - 14))
        ]
        for at in range(max(len(names), len(said))):
            text, icon, tone = said[at] if at < len(said) else ("", "", "plain")
            name = names[at] if at < len(names) else ""
            rows.append(PreviewRow(text=text, kind="way", icon=icon, tone=tone, name=name))
    return rows


def draw_trial(pen: Pen, trial: CorrectionPreview, left: float, top: float, room: float) -> float:
    """Draw the answer and its correction; return the lower edge in dp.

    It has the plate, and for a die the two faces.
    """
    if trial.plate is not None:
        plate.draw(pen, trial.plate, left + 14, top + HEAD / 2, 30)
        left, room = left + 40, room - 40
    if trial.faces:
        wide = [max(40.0, pen.width(one, NAME, BOLD) + 20) for one in trial.faces]
        x = left + room - sum(wide) - 28
        pen.paragraph(trial.was, left, top + HEAD / 2 - 10, BODY, x - left - 8, "hi", BOLD, 2, floor=CAPTION)
        for at, (one, width) in enumerate(zip(trial.faces, wide, strict=True)):
            pen.rim(x, top + 6, width, 40, "low" if at == 0 else "hi", 2, 10)
            pen.text(one, x + width / 2, top + HEAD / 2, NAME, "mid" if at == 0 else "hi", BOLD, "centre")
            x += width
            if at == 0:
                pen.icon("arrow-right", x + 14, top + HEAD / 2, 18, "mid")
                x += 28
        return top + HEAD + 4
    y = pen.paragraph(trial.was, left, top + 20, SMALL, room, "mid", SEMIBOLD, 3)
    pen.icon("arrow-right", left + 9, y + 4, 18, "mid")
    return pen.paragraph(trial.now, left + 26, y + 4, NAME, room - 26, "hi", BOLD, 3, floor=SMALL)


LEFT: Final = 420
"""Width of the list of answers, in dp."""
ACROSS: Final = 5
"""Number of faces of a die in a row."""
MAX_WAIT: Final = 0.05
"""Seconds after which the race is shown although the desk is still at work."""
ACTIONS: Final = 320
"""Width of the keys at the right of the foot, in dp."""


class HistoryScreen(Composed, Screen):
    """A list of the answers, to go back to one or to correct it.

    `n` is the chosen answer. A correction is made in one of two ways, whose consequences are shown first. With the
    board left as it is, the further questions of the corrected step are asked before that. `given["n"]` is an answer to
    open with.
    """

    given: OfHistory

    def __init__(self, app: CompanionApp, given: OfHistory) -> None:
        super().__init__(app, given)
        self.rows: list[AnswerRow] = []
        self.n: int | None = given.get("n")
        self.brought = Brought()
        self.choices: list[Picks] = []
        """The choice of the correct answer, then those of the further questions."""
        self.new_answers: list[Json] = []
        """The answers chosen so far, one for each of `choices` that is no longer open."""
        self.trial: CorrectionPreview | None = None
        self._undoable = Undo()
        self._leaves = False
        """True while the desk changes the race, which is shown next."""
        self._revealed = False
        """True once the list was scrolled to the answer that it was opened with."""
        self.answers = Rows(AnswerView, self._choose, high=54)
        self.alternatives = Rows(AlternativeView, self._pick, high=56)
        self.form = FormSheet(self._on_form_intent, looks_up=False)
        self._read()

    # -- what is read, in the desk's thread

    def _read(self) -> None:
        self.see(lambda desk, words: (rows(sight := Sight(desk, words)), undone(sight)), self._on_read)

    def _on_read(self, read: tuple[list[AnswerRow], Undo]) -> None:
        chosen = self.row
        self.rows, self._undoable = read
        if self.n is not None and (self.row is None or (chosen is not None and self.row.seq != chosen.seq)):
            self._choose_n(None)  # it has been taken back, or another stands in its place
        elif self.rows and not self._revealed:
            self._choose_n(self.rows[0].n if self.n is None else self.n)
        self.draw_now()
        if self.n is not None and not self._revealed:
            self.answers.reveal(len(self.rows) - 1 - self.n)
        self._revealed = True

    def race(self, shown: RaceShown) -> None:
        if not self._leaves:
            self._read()

    @property
    def is_loaded(self) -> bool:
        return self._revealed

    # -- what is done

    @property
    def row(self) -> AnswerRow | None:
        """The chosen answer, None without one."""
        return self.rows[len(self.rows) - 1 - self.n] if self.n is not None and self.n < len(self.rows) else None

    @property
    def picks(self) -> Picks | None:
        """The open choice: the correct answer, or a further question; None without one."""
        return self.choices[-1] if len(self.choices) > len(self.new_answers) else None

    @property
    def visible_picks(self) -> Picks | None:
        """The choice that is open, or made but not yet previewed; None otherwise."""
        return self.choices[-1] if self.choices and self.trial is None else None

    @property
    def asks_further(self) -> bool:
        """True while the corrected step's further questions are asked."""
        return len(self.choices) > 1

    def back(self) -> bool:
        if self.picks is not None:
            self.choices.pop()
            if self.choices:
                self._preview()
        elif self.new_answers:
            self.new_answers.pop()
            self.trial = None
        else:
            return False
        self.look_again()
        return True

    def _choose(self, place: int) -> None:
        self._choose_n(self.rows[place].n)

    def _choose_n(self, n: int | None) -> None:
        self.n = self.given["n"] = n
        self.brought = Brought()
        self._drop()
        self._look_up()
        self.look_again()

    def _look_up(self) -> None:
        """Read what the chosen answer brought."""
        if (row := self.row) is not None:
            self.see(lambda desk, words: (row.seq, brought(Sight(desk, words), row.seq)), self._on_brought)

    def _on_brought(self, read: tuple[int, Brought]) -> None:
        seq, found = read
        if self.row is not None and self.row.seq == seq:
            self.brought = found
            self.look_again()

    def _drop(self) -> None:
        self.choices, self.new_answers, self.trial = [], [], None

    def _go_back(self) -> None:
        seat = self.app.playing.seat
        if self.row is not None and seat is not None:
            seat.back_to(self.row.seq)
            self._leave()

    def _leave(self) -> None:
        """Go back to the race once the desk is done, so that it is drawn once; soon in any case."""
        self._leaves = True
        self.see(lambda *_: None, self._leave_now)
        Clock.schedule_once(self.if_here(self._leave_now), MAX_WAIT)

    def _leave_now(self, _: object) -> None:
        if self._leaves:
            self._leaves = False
            self.app.back()

    def _correct(self) -> None:
        row = self.row
        if row is not None:
            self.see(lambda desk, words: picks(Sight(desk, words), row.seq), self._ask)

    def _ask(self, found: Picks | None) -> None:
        if found is None:
            return
        self.choices.append(found)
        self.trial = None
        ears.close()
        self.look_again()

    def _pick(self, place: int) -> None:
        if self.picks is not None:
            self._answer(self.picks.listed[place].answer)

    def _on_form_intent(self, intent: Intent) -> None:
        if isinstance(intent, Fill):
            self._answer(intent.values)
        elif isinstance(intent, FoldForm):
            self.app.back()

    def _on_card_intent(self, intent: Intent) -> None:
        if isinstance(intent, OpenArticle) and self.brought.card is not None:
            self.app.go("rules", article=self.brought.card.article)

    def _answer(self, answer: Json) -> None:
        if self.picks is not None:
            self.new_answers.append(answer)
            self._preview()

    def _preview(self) -> None:
        row, (answer, *then) = self.row, self.new_answers
        if row is not None:
            self.see(lambda desk, words: tried(Sight(desk, words), row.seq, answer, then), self._on_preview)

    def _on_preview(self, trial: CorrectionPreview | None) -> None:
        if self.new_answers:
            self.trial = trial
            ears.close()
            self.look_again()

    def _apply(self, keep: str) -> None:
        seat = self.app.playing.seat
        if keep == "board" and self.trial is not None and self.trial.beside is not None:
            self._ask(self.trial.beside)
        elif self.row is not None and self.new_answers and seat is not None:
            answer, *then = self.new_answers
            seat.correct(self.row.seq, answer, keep=keep, then=then if keep == "board" else ())
            self._drop()
            self._leave()

    def _undo(self) -> None:
        seat = self.app.playing.seat
        if seat is not None:
            seat.undo(of=self._undoable.seq)

    # -- what is shown

    def compose(self, ui: Ui) -> None:
        ui.fill(ui.area, "bg1")
        ui.title(self.say("history.title"), self.app.back, self.say("history.title_note") if self.rows else "")
        picks = self.visible_picks
        if picks is not None and picks.form is not None:
            self.form.face = Face(label=self.say("keys.back"), icon="arrow-left", look="quiet")
            ui.place(ui.area, self.form).show(picks.form)
            return
        self._compose_foot(ui, ui.area.cut_bottom(BAND))
        if not self.rows:
            empty = ui.place(ui.area.inset(60, 40), ui.named("empty", Empty))
            empty.show(EmptyState(icon="history", title=self.say("history.nothing")))
            return
        answers = ui.area.cut_left(LEFT)
        ui.fill(answers.cut_right(1), "line")
        ui.place(answers, self.answers).show([(row, row.n == self.n) for row in self.rows])
        if self.trial is not None:
            self._compose_trial(ui, ui.area, self.trial)
        elif self.row is not None:
            self._compose_answer(ui, ui.area, self.row, picks)
        else:
            ui.icon(ui.area, "history", 56, "low")

    def _compose_answer(self, ui: Ui, area: Area, row: AnswerRow, picks: Picks | None) -> None:
        """Compose the chosen answer, and the alternatives while it is corrected."""
        head = Area(area.x, area.y, area.w, 54).inset(14)
        if row.plate is not None:
            plate.draw(ui.pen, row.plate, head.x + 14, head.middle[1], 30)
            head.cut_left(40)
        if picks is None:
            y = ui.pen.paragraph(row.label, head.x, head.middle[1], NAME, head.w, "hi", BOLD, 4, floor=SMALL)
            area.cut_top(y - 6 - area.y)
            self._compose_brought(ui, area, head)
            return
        ui.text(head, picks.label if self.asks_further else row.label, NAME, weight=BOLD, cut=True)
        if picks.listed:
            area.cut_top(56)
            rows = [(one, one.answer == self._last_chosen) for one in picks.listed]
            ui.place(area, self.alternatives).show(rows)
        else:
            self._compose_die(ui, area.inset(12), picks)

    def _compose_brought(self, ui: Ui, area: Area, head: Area) -> None:
        """Compose what the chosen answer brought: the card of its cost, else its rulings, below the words of `head`."""
        if self.brought.card is not None:
            shown = ui.named("card", partial(RulingCard, self._on_card_intent, keys=False))
            ui.place(area, shown).show(self.brought.card)
            return
        area.cut_top(8)
        area.cut_left(head.x - area.x)
        rulings = ui.named("rulings", partial(Rows, RulingLineView, high=RULING_LINE))
        ui.place(area, rulings).show(ruling_lines(self.brought.lines, head.w))

    @property
    def _last_chosen(self) -> Json:
        return self.new_answers[-1] if self.new_answers else None

    def _compose_die(self, ui: Ui, area: Area, picks: Picks) -> None:
        """Compose keys for the faces of a die, below those for bands of them."""
        area.cut_top(48 if picks.bands else 64)
        high = 48 if picks.bands else 56
        for kind, offered, across, size in (
            ("band", picks.bands, len(picks.bands), NAME),
            ("face", picks.faces, ACROSS, 28),
        ):
            for at, (cell, pick) in enumerate(zip(area.cells(len(offered), across, high), offered, strict=True)):
                chosen = pick.chosen or pick.answer == self._last_chosen
                face = Face(label=pick.label, look="option", size=size, chosen=chosen)
                ui.button(cell, (kind, at), face, partial(self._answer, pick.answer))
            if offered:
                area.cut_top(high + 8)

    def _compose_trial(self, ui: Ui, area: Area, trial: CorrectionPreview) -> None:
        """Compose the correction, and its consequences below."""
        area.cut_top(draw_trial(ui.pen, trial, area.x + 14, area.y, area.w - 28) - area.y)
        headings = self.say("history.changes"), self.say("history.two_ways")
        consequences = ui.named("consequences", partial(Rows, TrialView, high=27))
        ui.place(area, consequences).show(trial_rows(trial, area.w, *headings))

    def _compose_foot(self, ui: Ui, foot: Area) -> None:
        """Compose Undo, the question, and what can be done about the chosen answer."""
        ground(ui.pen)
        row = foot.inset(0, 10).cut_top(KEYS)
        row.cut_left(20)
        row.cut_right(12)
        ui.button(row.cut_left(92), "undo", undo_face(self._undoable), self._undo if self._undoable.label else None)
        row.cut_left(16)
        actions = self._actions()
        if actions:
            cells = row.cut_right(ACTIONS).columns(len(actions))
            for at, (cell, (face, act)) in enumerate(zip(cells, actions, strict=True)):
                ui.button(cell, ("action", at), face, act)
        row.cut_right(16 if actions else 8)
        if not self.rows:
            return
        if self.trial is not None:
            ui.fill(Area(foot.x, foot.y, foot.w, 3), "warn")
            y = ui.pen.paragraph(self.trial.title, row.x, foot.y + 34, QUESTION, row.w, "hi", BOLD, 2, floor=BODY)
            ui.pen.paragraph(self.trial.note, row.x, max(y, foot.y + 66), SMALL, row.w, "mid", SEMIBOLD, 2)
            return
        corrects = "beside" if self.asks_further else "instead" if self.choices else "correct"
        asked = self.say(f"history.{'choose' if self.row is None else corrects}")
        middle = foot.middle[1] if ui.pen.width(asked, QUESTION, BOLD) <= row.w else foot.y + 36
        ui.pen.paragraph(asked, row.x, middle, QUESTION, row.w, "hi", BOLD, 2, floor=NAME)

    def _actions(self) -> list[tuple[Face, Act | None]]:
        """Return the main keys: the ways of a previewed correction, else to go back to the answer or to correct it."""
        row = self.row
        if self.trial is not None:
            return [
                (self._way_face(way), None if way.why else partial(self._apply, way.answer)) for way in self.trial.ways
            ]
        if row is None or self.choices:
            return []
        note = self.say("history.back_note", count=row.back)
        go_back = Face(label=self.say("history.go_back"), note=note, size=NAME)
        look: Look = "answer" if row.can_correct else "barred"
        note = self.say("history.correct_note")
        correct = Face(label=self.say("history.correct_key"), note=note, look=look, size=NAME)
        return [(go_back, self._go_back), (correct, self._correct if row.can_correct else None)]

    @staticmethod
    def _way_face(way: AnswerKey) -> Face:
        """Return the face of the key that makes a correction in one of the ways."""
        prices = (Price(text=way.note, tone=way.note_tone),) if way.note else ()
        return Face(label=way.label, prices=prices, look="barred" if way.why else "answer", size=VALUE)
