"""Making a race: all of it on one page, or its steps at the left, one of them open, and at the bottom what is asked
and what it still lacks."""

from __future__ import annotations

import contextlib
import time
from functools import partial
from typing import TYPE_CHECKING, Final

from companion import house_rules
from companion.rules.conversation.errors import CompanionError
from companion.screens.app.screen import Screen
from companion.screens.app.visits import OfNewRace
from companion.screens.setup.cards import CardsStep
from companion.screens.setup.circuit import CircuitStep
from companion.screens.setup.drivers import DriversStep
from companion.screens.setup.first import FirstPage
from companion.screens.setup.grid import GridStep
from companion.screens.setup.rules import RulesStep
from companion.screens.setup.season import SeasonStep
from companion.screens.setup.start import StartStep
from companion.screens.setup.step import Step
from companion.screens.setup.street import StreetStep
from companion.screens.widgets.foot import BAND, ground
from companion.screens.widgets.key import Face, Key
from companion.screens.widgets.pen import BOLD, SEMIBOLD, Pen
from companion.screens.widgets.theme import CAPTION, NAME, QUESTION, SMALL, VALUE, theme
from companion.screens.widgets.title_bar import HIGH as BAR
from companion.screens.widgets.title_bar import Title, TitleBar
from companion.screens.widgets.touch import Target
from companion.sheets import entrants
from companion.view.setup.draft import Draft, first, setup_of, usual_rules
from companion.view.setup.new_race import NewRaceShown, StepName, StepRow, show, steps
from companion.view.shown import Toast

if TYPE_CHECKING:
    from companion.screens.app.app import CompanionApp

LIST: Final = 180
ROW: Final = 62


class StepKey(Target):
    """Shows a `StepRow`."""

    joined = True

    def paint(self, pen: Pen) -> None:
        row: StepRow | None = self.shown
        if row is None:
            return
        now = row.state == "now"
        if self.pressed or now:
            pen.fill(0, 0, pen.w, pen.h, "bg4" if self.pressed else "bg3")
        if now:
            pen.fill(0, 0, 4, pen.h, "pri")
        pen.fill(0, pen.h - 1, pen.w, 1, "line")
        right = pen.w - 12
        if row.state == "done":
            pen.icon("check", right - 10, pen.h / 2, 22, "ok")
            right -= 28
        pen.text(row.label, 16, pen.h / 2 - 11, NAME, "hi" if row.state != "to_come" else "mid", BOLD, room=right - 16)
        pen.text(row.value, 16, pen.h / 2 + 14, CAPTION, "mid", SEMIBOLD, room=right - 16, cut=True)


class NewRaceScreen(Screen):
    """Chooses all that a race begins with, on the first page or step by step; a step that was opened for one thing
    leads back to it (`aside`). The draft is kept in `given`, so that nothing is lost when the screen is made anew."""

    given: OfNewRace

    def __init__(self, app: CompanionApp, given: OfNewRace) -> None:
        super().__init__(app, given)
        self.house = house_rules.saved(app.folder)
        """The house rules that are kept."""
        usual = partial(usual_rules, app.folder, self.house)
        self.draft: Draft = given.get("draft") or (Draft() if "step" in given else first(usual()))
        self.step: StepName = given.get("step", "first")
        self.aside = given.get("aside", False)
        self.bar = TitleBar(app.back)
        self.bodies: dict[StepName, Step] = {
            "first": FirstPage(self.change, self._aside, app.back, self._begin, self._why, self._saved),
            "rules": RulesStep(self.change, self._saved, self._keep_rules),
            "circuit": CircuitStep(self.change),
            "drivers": DriversStep(self.change, self._known(), self._named),
            "grid": GridStep(self.change, self._trials),
            "season": SeasonStep(self.change),
            "street": StreetStep(self.change),
            "start": StartStep(self.change),
            "cards": CardsStep(self.change),
            "deal": CardsStep(self.change),
        }
        self.rows: dict[StepName, StepKey] = {
            name: StepKey(on_tap=partial(self.open, name)) for name in self.bodies if name != "first"
        }
        self.before, self.next = Key(on_tap=app.back), Key()
        self.frame: NewRaceShown | None = None

    def _saved(self) -> list[house_rules.HouseRules]:
        """Return the house rules that are kept."""
        return self.house

    def _keep_rules(self, rules: house_rules.HouseRules) -> None:
        """Keep house rules under their name."""
        try:
            house_rules.keep(self.app.folder, rules)
            self.house = house_rules.saved(self.app.folder)
        except CompanionError as wrong:
            self.app.tell(wrong)

    def _known(self) -> list[entrants.Entrant]:
        """Whom the table remembers; a file of drivers that cannot be read is told."""
        try:
            return entrants.remembered(self.app.folder)
        except CompanionError as wrong:
            self.app.tell(wrong)
            return []

    @property
    def body(self) -> Step:
        """The step that is open."""
        return self.bodies[self.step]

    @property
    def steps(self) -> tuple[StepName, ...]:
        """The steps that there are."""
        return steps(self.draft)

    def back(self) -> bool:
        if self.step == "first":
            return False
        if self.body.back() and not self.aside:
            return True
        at = self.steps.index(self.step)
        self.open("first" if self.aside or not at else self.steps[at - 1])
        return True

    def change(self, draft: Draft) -> None:
        """Something was chosen."""
        self.draft = self.given["draft"] = draft
        self.body.show(draft)
        self.body.look_again()
        self.look_again()

    def _aside(self, name: StepName, driver: int | None = None, *, alone: bool = True) -> None:
        """Open a step from the first page: alone, with a driver (-1: one more), or with all that follow."""
        self.aside = self.given["aside"] = alone
        self.open(name)
        drivers = self.bodies["drivers"]
        if isinstance(drivers, DriversStep) and name == "drivers":
            drivers.show(self.draft)
            drivers.name_driver(driver)

    def _named(self) -> None:
        """A driver has a name: back to the first page, if it was opened for that."""
        if self.aside:
            self.open("first")

    def _why(self, why: str) -> None:
        """Why no race can begin yet."""
        self.app.tell(Toast(tone="warn", icon="triangle", text=why))

    def open(self, name: StepName) -> None:
        """Opens a step."""
        if name == "first":
            self.aside = self.given["aside"] = False
        if name != self.step:
            self.remove_widget(self.body)
            self.step = self.given["step"] = name
        self.look_again()

    def _next(self) -> None:
        if self.aside:
            self.open("first")
            return
        at = self.steps.index(self.step)
        if at + 1 < len(self.steps):
            self.open(self.steps[at + 1])
        else:
            self._begin()

    def _trials(self, sessions: int) -> None:
        """Trials of these drivers: those that are under way go on, else new ones begin."""
        from companion.sheets.records import kept_record
        from companion.tournament.trials import Opened, TrialDriver, Trials
        from companion.view.commissioner.trials import on

        draft = self.draft
        drivers = tuple(
            TrialDriver(number=one.number, name=one.name, team=one.team, colour=one.colour) for one in draft.entrants
        )
        with contextlib.suppress(CompanionError):  # none was kept yet; what is damaged is told by the screen of trials
            kept = kept_record(self.app.folder, "last", Trials.KIND)
            open_ = kept.record
            if isinstance(open_, Trials) and not open_.over and set(open_.drivers.values()) == set(drivers):
                self.app.go("trial", trials=kept.listed.log_id)
                return
        at = draft.board.name if draft.board is not None else self.say("new_race.trials")
        name = f"{at}, {time.strftime('%Y-%m-%d')}"
        opened = Opened(
            name=name, track=draft.track, drivers=drivers, sessions=sessions, rulebook=draft.rulebook,
            variants=on(draft.options),
        )  # fmt: skip
        self.app.go("trial", opened=opened)

    def _begin(self) -> None:
        """The race begins; its drivers are remembered."""
        with contextlib.suppress(OSError):  # a full card is told by the desk, whose log matters more
            entrants.remember(self.app.folder, list(self.draft.entrants))
        self.app.playing.begin(setup_of(self.draft, theme.language), self.draft.track)

    # -- where everything is

    def arrange(self) -> None:
        if self.step == "first":
            self._arrange_first()
            return
        frame = self.frame = show(self.draft, self.step, theme.words)
        body = self.h - BAR - BAND
        self.bar.show(Title(text=frame.title, note=frame.subtitle))
        self.put(self.bar, 0, 0, self.w, BAR)
        row = min(ROW, body / len(frame.steps))
        for place, step in enumerate(frame.steps):
            key = self.rows[self.steps[place]]
            key.show(step)
        self.put_rows([self.rows[name] for name in self.steps], 0, BAR, LIST - 1, row, across=1, gap=0)
        for name, key in self.rows.items():
            if name not in self.steps and key.parent is not None:
                self.remove_widget(key)
        self.body.show(self.draft)
        self.put(self.body, LIST, BAR, self.w - LIST, body)
        top = self.h - BAND + 10
        self.before.show(Face(label=self.say("keys.back"), icon="arrow-left", look="quiet"))
        self.put(self.before, 20, top, 92, 84)
        self.next.on_tap = None if frame.why else self._next
        last = self.step == self.steps[-1]
        label, icon = (frame.next, "flag" if last else "arrow-right")
        if self.aside:
            label, icon = self.say("keys.done"), "check"
        self.next.show(Face(label=label, icon=icon, look="barred" if frame.why else "answer", size=VALUE))
        self.put(self.next, self.w - 152, top, 140, 84)

    def _arrange_first(self) -> None:
        self.frame = None
        self.bar.show(Title(text=self.say("new_race.title"), note=self.say("new_race.three")))
        self.put(self.bar, 0, 0, self.w, BAR)
        self.only([], of=(*self.rows.values(), self.before, self.next))
        self.body.show(self.draft)
        self.put(self.body, 0, BAR, self.w, self.h - BAR)

    def paint(self, pen: Pen) -> None:
        pen.fill(0, 0, pen.w, pen.h, "bg1")
        top = pen.h - BAND
        pen.fill(LIST - 1, BAR, 1, top - BAR, "line")
        ground(pen)
        frame = self.frame
        if frame is None:
            return
        left, room = 132.0, pen.w - 152 - 132 - 16
        pen.text(frame.ask, left, top + 38, QUESTION, "hi", BOLD, room=room)
        if frame.why:
            pen.paragraph(frame.why, left, top + 72, SMALL, room, "warn", SEMIBOLD, 2)
        else:
            pen.paragraph(frame.note, left, top + 72, SMALL, room, "mid", SEMIBOLD, 2)
