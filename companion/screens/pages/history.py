"""The history: every answer of the race, to go back to or to correct.

A correction is previewed before it is made.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, Final, Literal

from companion.rules.conversation.asking import Json
from companion.screens.app.screen import Screen
from companion.screens.app.visits import OfHistory
from companion.screens.kit import plate
from companion.screens.kit.empty import Empty, EmptyState
from companion.screens.kit.foot import BAND, ground
from companion.screens.kit.key import Face, Key, undo_face
from companion.screens.kit.pen import BOLD, SEMIBOLD, Pen
from companion.screens.kit.rows import Rows, RowView
from companion.screens.kit.theme import BODY, CAPTION, NAME, QUESTION, SMALL, TONES, VALUE
from companion.screens.kit.title_bar import HIGH as BAR
from companion.screens.kit.title_bar import Title, TitleBar
from companion.screens.kit.touch import ears
from companion.screens.race.form import FormSheet
from companion.view.pages.history import Alternative, AnswerRow, CorrectionPreview, Picks, picks, rows, tried
from companion.view.race.intents import Fill, FoldForm, Intent
from companion.view.race.steps import undone
from companion.view.shown import Price, Undo, ViewModel
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
        beside = pen.width(one.value, NAME, BOLD) + 12 if one.value else 0.0
        if one.points is not None:
            beside = FIGURES_WIDTH + one.points[0] * MIN_SEGMENT_PITCH
        parts = pen.broken(one.text, BODY, SEMIBOLD, room - INDENT - 14)
        if pen.width(parts[-1], BODY, SEMIBOLD) > room - INDENT - 14 - beside:
            parts = pen.broken(one.text, BODY, SEMIBOLD, room - INDENT - 14 - beside) if one.value else [*parts, ""]
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


def head_high(trial: CorrectionPreview, room: float) -> float:
    """Return the height in dp of the answer and its correction."""
    return draw_trial(Pen.measuring(), trial, 0, 0, room)


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
ACROSS: Final = 5


class HistoryScreen(Screen):
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
        self.asked: list[Picks] = []
        self.said: list[Json] = []
        self.trial: CorrectionPreview | None = None
        self._takes = Undo()
        self._revealed = False
        """True once the list was scrolled to the answer that it was opened with."""
        self.bar = TitleBar(app.back)
        self.answers = Rows(AnswerView, self._choose, high=54)
        self.list = Rows(AlternativeView, self._pick, high=56)
        self.consequences = Rows(TrialView, high=27)
        self.form = FormSheet(self._form_meant, looks_up=False)
        self.bands: list[Key] = []
        self.faces: list[Key] = []
        self.empty = Empty()
        self.undo = Key(on_tap=self._undo)
        self.ways = [Key(), Key()]
        self._read()

    # -- what is read, in the desk's thread

    def _read(self) -> None:
        self.see(lambda desk, words: (rows(sight := Sight(desk, words)), undone(sight)), self._on_read)

    def _on_read(self, read: tuple[list[AnswerRow], Undo]) -> None:
        chosen = self.row
        self.rows, self._takes = read
        self.undo.on_tap = self._undo if self._takes.label else None
        if self.n is not None and (self.row is None or (chosen is not None and self.row.seq != chosen.seq)):
            self._choose_n(None)  # it has been taken back, or another stands in its place
        self.draw_now()
        if self.n is not None and not self._revealed:
            self.answers.reveal(len(self.rows) - 1 - self.n)
        self._revealed = True

    def race(self, shown: RaceShown) -> None:
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
        return self.asked[-1] if len(self.asked) > len(self.said) else None

    @property
    def looked_at(self) -> Picks | None:
        """The choice that is open, or made but not yet previewed; None otherwise."""
        return self.asked[-1] if self.asked and self.trial is None else None

    @property
    def beside(self) -> bool:
        """True while the corrected step's further questions are asked."""
        return len(self.asked) > 1

    def back(self) -> bool:
        if self.picks is not None:
            self.asked.pop()
            if self.asked:
                self._try()
        elif self.said:
            self.said.pop()
            self.trial = None
        else:
            return False
        self.look_again()
        return True

    def _choose(self, place: int) -> None:
        n = self.rows[place].n
        self._choose_n(None if n == self.n else n)

    def _choose_n(self, n: int | None) -> None:
        self.n = self.given["n"] = n
        self._drop()
        self.look_again()

    def _drop(self) -> None:
        self.asked, self.said, self.trial = [], [], None

    def _go_back(self) -> None:
        seat = self.app.playing.seat
        if self.row is not None and seat is not None:
            seat.back_to(self.row.seq)
            self.app.back()

    def _correct(self) -> None:
        row = self.row
        if row is not None:
            self.see(lambda desk, words: picks(Sight(desk, words), row.seq), self._ask)

    def _ask(self, found: Picks | None) -> None:
        if found is None:
            return
        self.asked.append(found)
        self.trial = None
        ears.close()
        self.look_again()

    def _pick(self, place: int) -> None:
        picked = self.picks
        if picked is not None:
            self._say((picked.faces or picked.listed)[place].answer)

    def _form_meant(self, intent: Intent) -> None:
        if isinstance(intent, Fill):
            self._say(intent.values)
        elif isinstance(intent, FoldForm):
            self.app.back()

    def _say(self, answer: Json) -> None:
        if self.picks is not None:
            self.said.append(answer)
            self._try()

    def _try(self) -> None:
        row, (answer, *then) = self.row, self.said
        if row is not None:
            self.see(lambda desk, words: tried(Sight(desk, words), row.seq, answer, then), self._tried)

    def _tried(self, trial: CorrectionPreview | None) -> None:
        if self.said:
            self.trial = trial
            ears.close()
            self.look_again()

    def _take(self, keep: str) -> None:
        seat = self.app.playing.seat
        if keep == "board" and self.trial is not None and self.trial.beside is not None:
            self._ask(self.trial.beside)
        elif self.row is not None and self.said and seat is not None:
            answer, *then = self.said
            seat.correct(self.row.seq, answer, keep=keep, then=then if keep == "board" else ())
            self._drop()
            self.app.back()

    def _undo(self) -> None:
        seat = self.app.playing.seat
        if seat is not None:
            seat.undo(of=self._takes.seq)

    # -- where everything is

    def arrange(self) -> None:
        body = self.h - BAR - BAND
        self.bar.show(Title(text=self.say("history.title"), note=self.say("history.title_note") if self.rows else ""))
        self.put(self.bar, 0, 0, self.w, BAR)
        room: list[Any] = []
        if self.rows:
            self.answers.show([(row, row.n == self.n) for row in self.rows])
            self.put(self.answers, 0, BAR, LEFT - 1, body)
            room = [self.answers, *self._arrange_right(body)]
        else:
            self.empty.show(EmptyState(icon="history", title=self.say("history.nothing")))
            self.put(self.empty, 60, BAR + 40, self.w - 120, body - 80)
            room = [self.empty]
        room += self._arrange_band(self.h - BAND + 10)
        form = self.looked_at.form if self.looked_at is not None else None
        if form is not None:
            self.form.face = Face(label=self.say("keys.back"), icon="arrow-left", look="quiet")
            self.form.show(form)
            self.remove_widget(self.undo)
            self.put(self.form, 0, BAR, self.w, self.h - BAR)
            room = [self.form]
        children: list[Any] = [self.answers, self.list, self.consequences, self.empty, self.form, *self.ways]
        self.only(room, of=children)

    def _arrange_right(self, body: float) -> list[Any]:
        picked = self.looked_at
        last = self.said[-1] if self.said else None
        faces, bands = (picked.faces, picked.bands) if picked is not None else ((), ())
        top, step = (BAR + 48, 56.0) if bands else (BAR + 64, 64.0)
        self._die(self.bands, bands, len(bands), top, step, NAME)
        self._die(self.faces, faces, ACROSS, top + step * bool(bands), step, 28)
        if self.trial is not None:
            heads = self.say("history.changes"), self.say("history.two_ways")
            self.consequences.show(trial_rows(self.trial, self.w - LEFT, *heads))
            head = head_high(self.trial, self.w - LEFT - 28)
            self.put(self.consequences, LEFT, BAR + head, self.w - LEFT, body - head)
            return [self.consequences]
        if picked is not None and picked.listed:
            self.list.show([(one, one.answer == last) for one in picked.listed])
            self.put(self.list, LEFT, BAR + 56, self.w - LEFT, body - 56)
            return [self.list]
        return []

    def _die(
        self, keys: list[Key], picks: Sequence[Alternative], across: int, top: float, step: float, size: float
    ) -> None:
        """Place the faces or bands of a die, `across` in a row, from `top` down."""
        last = self.said[-1] if self.said else None
        self.as_many(keys, len(picks), Key)
        for key, pick in zip(keys, picks, strict=True):
            key.on_tap = partial(self._say, pick.answer)
            key.show(Face(label=pick.label, look="option", size=size, chosen=pick.chosen or pick.answer == last))
        self.put_rows(keys, LEFT + 12, top, self.w - LEFT - 24, step - 8, across)

    def _arrange_band(self, top: float) -> list[Any]:
        self.undo.show(undo_face(self._takes))
        self.put(self.undo, 20, top, 92, 84)
        row, trial = self.row, self.trial
        if trial is not None:
            keys = self.ways[: len(trial.ways)]
            for key, way in zip(keys, trial.ways, strict=True):
                key.on_tap = None if way.why else partial(self._take, way.answer)
                legend = (Price(text=way.note, tone=way.note_tone),) if way.note else ()
                key.show(Face(label=way.label, prices=legend, look="barred" if way.why else "answer", size=VALUE))
            self.put_rows(keys, self.w - 332, top, 320, 84)
            return list(keys)
        if row is None or self.asked:
            return []
        go_back, correct = self.ways
        go_back.on_tap, correct.on_tap = self._go_back, self._correct if row.can_correct else None
        note = self.say("history.back_note", count=row.back)
        go_back.show(Face(label=self.say("history.go_back"), note=note, look="answer", size=NAME))
        look: Any = "answer" if row.can_correct else "barred"
        correct.show(Face(label=self.say("history.correct_key"), note=self.say("history.correct_note"), look=look,
                          size=NAME))  # fmt: skip
        self.put_rows(self.ways, self.w - 332, top, 320, 84)
        return list(self.ways)

    def paint(self, pen: Pen) -> None:
        pen.fill(0, 0, pen.w, pen.h, "bg1")
        top = pen.h - BAND
        ground(pen)
        if not self.rows:
            return
        pen.fill(LEFT - 1, BAR, 1, top - BAR, "line")
        row = self.row
        picked = self.looked_at
        keys = 340 if row is not None and picked is None else 12
        ask = "choose" if row is None else "correct" if picked is None else "beside" if self.beside else "instead"
        said, wide = self.say(f"history.{ask}"), pen.w - 128 - keys - 8
        if self.trial is not None:
            pen.fill(0, top, pen.w, 3, "warn")
            y = pen.paragraph(self.trial.title, 128, top + 34, QUESTION, pen.w - 128 - 348, "hi", BOLD, 2, floor=BODY)
            pen.paragraph(self.trial.note, 128, max(y, top + 66), SMALL, pen.w - 128 - 348, "mid", SEMIBOLD, 2)
            draw_trial(pen, self.trial, LEFT + 14.0, BAR, pen.w - LEFT - 28)
            return
        middle = top + (BAND / 2 if pen.width(said, QUESTION, BOLD) <= wide else 36)
        pen.paragraph(said, 128, middle, QUESTION, wide, "hi", BOLD, 2, floor=NAME)
        if row is None:
            pen.icon("history", (LEFT + pen.w) / 2, (BAR + top) / 2, 56, "low")
            return
        left, room = LEFT + 14.0, pen.w - LEFT - 28
        if row.plate is not None:
            plate.draw(pen, row.plate, left + 14, BAR + 27, 30)
            left, room = left + 40, room - 40
        if picked is not None:
            pen.text(picked.label if self.beside else row.label, left, BAR + 27, NAME, "hi", BOLD, room=room, cut=True)
            return
        y = pen.paragraph(row.label, left, BAR + 27, NAME, room, "hi", BOLD, 4, floor=SMALL)
        pen.text(self.say("history.takes", count=row.back), left, y + 6, BODY, "mid", SEMIBOLD, room=room)
