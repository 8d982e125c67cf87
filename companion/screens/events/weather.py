"""The weather of a tournament, drawn once for all tables.

The face of the black die is typed, or the program rolls it.
"""

from __future__ import annotations

from functools import partial
from random import SystemRandom
from typing import TYPE_CHECKING, Any, Final

from companion.desk.organising import weather_from_die
from companion.desk.record_desk import RecordDesk
from companion.screens.app.visits import OfRecord
from companion.screens.events.record_screen import RecordScreen
from companion.screens.kit.compose import Area, Title, Ui
from companion.screens.kit.foot import MAIN, deed
from companion.screens.kit.key import Face
from companion.screens.kit.pen import BOLD, SEMIBOLD, Pen
from companion.screens.kit.rows import Rows, RowView
from companion.screens.kit.stepper import Stepper
from companion.screens.kit.theme import BODY, NAME, VALUE
from companion.tournament.tournament import Tournament
from companion.view.events.skies import FACES, SkiesShown, SkyRow, skies
from companion.view.shown import Field
from companion.wording import Words

if TYPE_CHECKING:
    from companion.screens.app.app import CompanionApp

SIDE: Final = 340.0
"""Width of the column with the chart and the die, in dp."""
NOT_ROLLED: Final = 0
"""Face before one is typed or rolled."""
BLACK: Final = "20"
"""Name of the black die on the die-roller."""
REASONS: Final = ("misread", "die")
"""Reasons for drawing the weather again; another reason is typed."""


class SkyView(RowView):
    """Row of a `SkyRow`."""

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
    """All sessions of trials and rounds, and the face for the selected one."""

    kind = "tournament"

    def __init__(self, app: CompanionApp, given: OfRecord) -> None:
        super().__init__(app, given)
        self.rows = Rows(SkyView, on_row=self._choose, high=52)
        self.face = Stepper(on_change=lambda _: self.look_again())
        self.chosen = (0, 0)
        """Session and round of the selected row, as in `SkyRow`; both 0 for the next one."""

    def look(self, desk: RecordDesk[Any], words: Words) -> SkiesShown:
        return skies(desk.record, words, *self.chosen)

    def _choose(self, place: int) -> None:
        row: SkyRow = self.now.rows[place]
        self.chosen = row.session, row.round
        if not row.chosen:  # what was rolled was for another one
            self._set(NOT_ROLLED)
        self.again()

    def _throw(self) -> None:
        """Roll the die."""
        self._set(SystemRandom().randrange(1, len(FACES)))

    def _set(self, face: int) -> None:
        """Show a face of the die."""
        self.face.value = face
        self.face.look_again()
        self.look_again()

    def rolled(self, face: int, die: str) -> bool:
        black = die == BLACK
        if black:
            self._set(face)
        return black

    def _draw(self, row: SkyRow) -> None:
        """Draw the weather by the die's face; a second draw needs a reason."""
        face = self.face.value
        if row.sky:
            self.asking.why(self.say("weather.ask_why"), "weather.reason", REASONS,
                            then=partial(self._by_die, row, face))  # fmt: skip
        else:
            self._by_die(row, face)

    def _by_die(self, row: SkyRow, face: int, why: str = "") -> None:
        def draw(desk: RecordDesk[Tournament]) -> None:
            desk.act(weather_from_die(desk, face, session=row.session, round_=row.round, why=why), by=self.by)

        self.app.recording.do(draw, self._on_drawn, self.show_refusal)

    def _on_drawn(self, _: object) -> None:
        self.app.playing.signals.happen("accepted")
        self.chosen = (0, 0)
        self._set(NOT_ROLLED)
        self.again()

    # -- what is shown

    def compose_record(self, ui: Ui) -> None:
        now: SkiesShown = self.now
        self.bar.show(Title(text=self.say("weather.title"), note=now.subtitle))
        foot = self.compose_foot(ui, now.undo)
        side = ui.area.cut_right(SIDE)
        ui.fill(ui.area.cut_right(1), "line")
        ui.place(ui.area, self.rows).show(now.rows)
        self._compose_chart(ui, Area(*side.box), now)
        if now.can:
            main = foot.cut_right(MAIN)
            foot.cut_right(12)
            if now.chosen is not None:
                self._compose_face(ui, Area(side.x + 16, side.y + 150, side.w - 32, 76))
                self._compose_draw(ui, main, now, now.chosen)
        drawn_already = now.chosen is not None and now.chosen.sky
        how = "none" if not now.can else "over" if now.chosen is None else "again" if drawn_already else "ask"
        what = now.chosen.label if now.chosen is not None else ""
        note = now.thrower if how in ("again", "ask") else self.say(f"weather.{how}_note")
        ui.ask(foot, self.say(f"weather.{how}", what=what), note)

    def _compose_chart(self, ui: Ui, area: Area, now: SkiesShown) -> None:
        """Write the circuit's weather chart: the faces of the die for each sky."""
        pen, head = ui.pen, area.cut_top(43.5)
        pen.text(now.circuit, head.x + 16, head.y + 24, NAME, "hi", BOLD, room=head.w - 32)
        for row, (sky, name, faces) in zip(area.rows(len(now.chart), 29, 0), now.chart, strict=True):
            y = row.middle[1]
            pen.icon(sky, row.x + 28, y, 22, "info" if sky == "rain" else "warn" if sky == "sun" else "mid")
            pen.text(name, row.x + 50, y, BODY, "mid", SEMIBOLD, room=160)
            pen.text(faces, row.right - 20, y, NAME, "hi", BOLD, "right")

    def _compose_face(self, ui: Ui, row: Area) -> None:
        """Compose the face of the die, and the key that rolls it."""
        label, value = self.say("weather.face"), self.face.value
        shown = Field(name="face", label=label, value=value, high=len(FACES) - 1, keys=FACES)
        ui.place(row.cut_left(190), self.face).show(shown)
        row.cut_left(16)
        ui.button(row, "throw", Face(label=self.say("weather.throw"), icon="die", look="option"), self._throw)

    def _compose_draw(self, ui: Ui, area: Area, now: SkiesShown, row: SkyRow) -> None:
        """Compose the key that draws the weather by the face."""
        label = self.say("weather.draw_again" if row.sky else "weather.draw")
        if self.face.value == NOT_ROLLED:
            face = Face(label=label, look="barred", size=VALUE, note=self.say("weather.no_face"))
            self.compose_main(ui, area, face)
        else:
            face = deed(label, self.say("weather.for_all", sky=self._sky(now)))
            self.compose_main(ui, area, face, partial(self._draw, row))

    def _sky(self, now: SkiesShown) -> str:
        """Return the sky of the selected face."""
        face = self.face.value
        for _, name, faces in now.chart:
            low, _, high = faces.partition("–")
            if int(low) <= face <= int(high or low):
                return name
        return ""
