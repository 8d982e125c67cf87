"""The races that were kept, the last one first; a touch opens a race's sheet."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from companion.rules.conversation.errors import CompanionError
from companion.screens.app.screen import Screen
from companion.screens.widgets.empty import Empty, Nothing
from companion.screens.widgets.pen import SEMIBOLD, Pen
from companion.screens.widgets.rows import Rows, RowView
from companion.screens.widgets.theme import CAPTION, NAME, SMALL, theme
from companion.screens.widgets.title_bar import HIGH as BAR
from companion.screens.widgets.title_bar import Title, TitleBar
from companion.sheets.mark import there
from companion.sheets.reading import Listed, races, reading
from companion.sheets.wall import moment
from companion.view.pages.sheet import by_turns
from companion.view.shown import Shown

if TYPE_CHECKING:
    from companion.screens.app.app import CompanionApp


class KeptRow(Shown, frozen=True, kw_only=True):
    """A race that was kept."""

    log_id: str
    name: str
    facts: str
    state: str
    over: bool


class KeptView(RowView):
    """Draws a `KeptRow`."""

    def draw(self, pen: Pen, shown: KeptRow) -> None:
        middle = pen.h / 2
        pen.icon("finish" if shown.over else "flag", 34, middle, 26, "mid" if shown.over else "ok")
        pen.icon("forward", pen.w - 26, middle, 20, "low")
        right = pen.w - 50
        right -= pen.text(shown.state, right, middle, SMALL, "mid" if shown.over else "ok", SEMIBOLD, "right") + 14
        pen.text(shown.name, 66, middle - 11, NAME, "hi", SEMIBOLD, room=right - 66, cut=True)
        pen.text(shown.facts, 66, middle + 14, CAPTION, "mid", SEMIBOLD, room=right - 66, cut=True)


class SheetsScreen(Screen):
    """Lists the races; where there are none, a key begins one."""

    def __init__(self, app: CompanionApp, given: Mapping[str, object]) -> None:
        super().__init__(app, given)
        self.bar = TitleBar(app.back)
        self.rows = Rows(KeptView, self._open, high=62)
        self.empty = Empty(on_act=lambda: app.instead("new_race"))
        self.listed: list[Listed] = []
        self.wrong: CompanionError | None = None
        """Why they cannot be listed."""
        self._read()

    def _read(self) -> None:
        try:
            if not there(self.app.folder):
                return
            with reading(self.app.folder, check=False) as db:  # home has checked it
                self.listed = races(db)
        except CompanionError as wrong:
            self.wrong = wrong

    def _open(self, place: int) -> None:
        self.app.go("sheet", race=self.listed[place].log_id)

    def _row(self, race: Listed) -> KeptRow:
        words = theme.words
        facts = [words.screen("sheet.cars", count=race.cars)]
        if race.laps:
            facts.append(words.screen("new_race.distance", count=race.laps, turns=by_turns(race.rulebook)))
        facts.append(words.screen("sheet.begun", at=moment(race.begun)))
        state = words.screen("sheet.over") if race.over else words.screen("sheet.running", round=race.round)
        return KeptRow(log_id=race.log_id, name=race.name, facts=" · ".join(facts), state=state, over=race.over)

    def arrange(self) -> None:
        self.bar.show(Title(text=self.say("sheet.races")))
        self.put(self.bar, 0, 0, self.w, BAR)
        if self.listed:
            self.rows.show([self._row(race) for race in self.listed])
            self.put(self.rows, 0, BAR, self.w, self.h - BAR)
        else:
            self.empty.show(self._nothing())
            self.put(self.empty, 60, BAR + 40, self.w - 120, self.h - BAR - 80)

    def _nothing(self) -> Nothing:
        if self.wrong is not None:
            said = theme.words.error(self.wrong)
            return Nothing(icon="triangle", title=self.say("sheet.unreadable"), note=said, tone="bad")
        return Nothing(
            icon="history", title=self.say("sheet.no_races"), note=self.say("sheet.no_races_note"),
            act=self.say("sheet.no_races_key"),
        )  # fmt: skip

    def paint(self, pen: Pen) -> None:
        pen.fill(0, 0, pen.w, pen.h, "bg1")
