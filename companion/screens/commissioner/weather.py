"""The weather of a tournament, drawn once for all tables: the black die's face is typed, or the program throws it."""

from __future__ import annotations

from functools import partial
from random import SystemRandom
from typing import TYPE_CHECKING, Any, Final

from companion.desk.organising import drawn
from companion.desk.record_desk import RecordDesk
from companion.screens.app.visits import OfRecord
from companion.screens.commissioner.record_screen import RecordScreen
from companion.screens.widgets.foot import BAND, ask, deed, ground
from companion.screens.widgets.key import Face, Key
from companion.screens.widgets.pen import BOLD, SEMIBOLD, Pen
from companion.screens.widgets.rows import Rows, RowView
from companion.screens.widgets.stepper import Stepper
from companion.screens.widgets.theme import BODY, NAME, VALUE
from companion.screens.widgets.title_bar import HIGH as BAR
from companion.screens.widgets.title_bar import Title
from companion.tournament.tournament import Tournament
from companion.view.commissioner.skies import FACES, SkiesShown, SkyRow, skies
from companion.view.shown import Field
from companion.wording import Words

if TYPE_CHECKING:
    from companion.screens.app.app import CompanionApp

RIGHT: Final = 340.0
ROW: Final = 52.0
NOT_ROLLED: Final = 0
"""The face before one is typed or rolled."""
BLACK: Final = "20"
"""The die-roller's name of the black die."""
REASONS: Final = ("misread", "die")
"""Why the weather is drawn again; another reason is typed."""


class SkyView(RowView):
    """Draws a `SkyRow`."""

    def draw(self, pen: Pen, shown: SkyRow) -> None:
        if shown.chosen:
            self.choose(pen)
        middle, right = pen.h / 2, pen.w - 20
        ink = "hi" if shown.sky else "low"
        right -= pen.text(shown.said, right, middle, NAME, ink, SEMIBOLD, "right") + 12
        if shown.sky:
            tone = "info" if shown.sky == "rain" else "warn" if shown.sky == "sun" else "mid"
            pen.icon(shown.sky, right - 12, middle, 24, tone)
        pen.text(shown.label, 20, middle, NAME, "hi", SEMIBOLD, room=right - 60)


class WeatherScreen(RecordScreen):
    """Every session of trials and every round, and the face for the one that is chosen."""

    kind = "tournament"

    def __init__(self, app: CompanionApp, given: OfRecord) -> None:
        super().__init__(app, given)
        self.rows = Rows(SkyView, self._choose, high=ROW)
        self.face = Stepper(lambda _: self.look_again())
        self.throw = Key(on_tap=self._throw)
        self.chosen = (0, 0)

    def look(self, desk: RecordDesk[Any], words: Words) -> SkiesShown:
        return skies(desk.record, words, *self.chosen)

    def _choose(self, place: int) -> None:
        row: SkyRow = self.now.rows[place]
        self.chosen = row.session, row.round
        if not row.chosen:  # what was rolled was for another one
            self._set(NOT_ROLLED)
        self.again()

    def _throw(self) -> None:
        self._set(SystemRandom().randrange(1, len(FACES)))

    def _set(self, face: int) -> None:
        high = len(FACES) - 1
        self.face.show(Field(name="face", label=self.say("weather.face"), value=face, high=high, keys=FACES))
        self.look_again()

    def rolled(self, face: int, die: str) -> bool:
        black = die == BLACK
        if black:
            self._set(face)
        return black

    def _draw(self) -> None:
        """The weather as the die shows it; of another draw than the first is asked why."""
        row, face = self.now.chosen, self.face.value
        if row.sky:
            self.asking.why(self.say("weather.ask_why"), "weather.reason", REASONS, partial(self._by_die, row, face))
        else:
            self._by_die(row, face)

    def _by_die(self, row: SkyRow, face: int, why: str = "") -> None:
        def draw(desk: RecordDesk[Tournament]) -> None:
            desk.act(drawn(desk, face, session=row.session, round_=row.round, why=why), by=self.by)

        self.app.recording.do(draw, self._drawn, self.told)

    def _drawn(self, _: object) -> None:
        self.app.playing.signals.happen("accepted")
        self.chosen = (0, 0)
        self._set(NOT_ROLLED)
        self.again()

    def place(self) -> list[Any]:
        now: SkiesShown = self.now
        top, left = self.h - BAND, self.w - RIGHT
        self.bar.show(Title(text=self.say("weather.title"), note=now.subtitle))
        self.rows.show(now.rows)
        self.put(self.rows, 0, BAR, left - 1, top - BAR)
        seen: list[Any] = [self.put_undo(now.undo), self.rows]
        if not now.can or now.chosen is None:
            self.main.on_tap = None
            return seen
        if self.face.shown is None:
            self._set(NOT_ROLLED)
        self.put(self.face, left + 16, BAR + 150, 190, 76)
        self.throw.show(Face(label=self.say("weather.throw"), icon="die", look="option", size=BODY))
        self.put(self.throw, left + 222, BAR + 150, RIGHT - 238, 76)
        label = self.say("weather.draw_again" if now.chosen.sky else "weather.draw")
        if self.face.value == NOT_ROLLED:
            self.main.on_tap = None
            face = Face(label=label, look="barred", size=VALUE, note=self.say("weather.no_face"))
        else:
            self.main.on_tap = self._draw
            face = deed(label, self.say("weather.for_all", sky=self._sky(now)))
        return [*seen, self.face, self.throw, self.put_main(face)]

    def _sky(self, now: SkiesShown) -> str:
        """What the face brings."""
        face = self.face.value
        for _, name, faces in now.chart:
            low, _, high = faces.partition("–")
            if int(low) <= face <= int(high or low):
                return name
        return ""

    def draw(self, pen: Pen) -> None:
        now: SkiesShown = self.now
        top, left = pen.h - BAND, pen.w - RIGHT
        pen.fill(left - 1, BAR, 1, top - BAR, "line")
        pen.text(now.circuit, left + 16, BAR + 24, NAME, "hi", BOLD, room=RIGHT - 32)
        for at, (sky, name, faces) in enumerate(now.chart):
            y = BAR + 58 + at * 29
            pen.icon(sky, left + 28, y, 22, "info" if sky == "rain" else "warn" if sky == "sun" else "mid")
            pen.text(name, left + 50, y, BODY, "mid", SEMIBOLD, room=160)
            pen.text(faces, pen.w - 20, y, NAME, "hi", BOLD, "right")
        drawn_already = now.chosen is not None and now.chosen.sky
        how = "none" if not now.can else "over" if now.chosen is None else "again" if drawn_already else "ask"
        what = now.chosen.label if now.chosen is not None else ""
        note = now.thrower if how in ("again", "ask") else self.say(f"weather.{how}_note")
        ground(pen)
        ask(pen, self.say(f"weather.{how}", what=what), note, 128, pen.w - 128 - 12 - (240 if now.can else 0))
