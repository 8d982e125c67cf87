"""Setup of a race, on one page or step by step.

The steps are at the left, one of them open; at the bottom is the question, with whatever is still missing.
"""

from __future__ import annotations

import contextlib
import time
from functools import partial
from typing import TYPE_CHECKING, Final

from companion import house_rules
from companion.rules.conversation.errors import CompanionError
from companion.screens.app.screen import Screen
from companion.screens.app.visits import OfNewRace
from companion.screens.kit.compose import Area, Composed, Ui
from companion.screens.kit.confirm import Confirmation
from companion.screens.kit.foot import BAND, KEYS, ground
from companion.screens.kit.key import Face
from companion.screens.kit.pen import BOLD, SEMIBOLD, Pen
from companion.screens.kit.theme import CAPTION, NAME, QUESTION, SMALL, VALUE, theme
from companion.screens.kit.touch import Target
from companion.screens.setup.cards import CardsStep, StreetStep
from companion.screens.setup.circuit import CircuitStep
from companion.screens.setup.drivers import DriversStep
from companion.screens.setup.first import FirstPage
from companion.screens.setup.grid import GridStep, SeasonStep
from companion.screens.setup.rules import RulesStep
from companion.screens.setup.start import StartStep
from companion.screens.setup.step import SetupStep
from companion.sheets import entrants
from companion.view.setup.draft import Draft, first, setup_of, usual_rules
from companion.view.setup.new_race import NewRaceShown, StepName, StepRow, show, steps
from companion.view.shown import Toast

if TYPE_CHECKING:
    from companion.screens.app.app import CompanionApp

LIST: Final = 180
ROW: Final = 62


class StepKey(Target):
    """Key of a `StepRow`."""

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


class NewRaceScreen(Composed, Screen):
    """Setup of a race, on the first page or step by step.

    A step opened for one thing returns to the first page (`aside`). The draft is stored in `given`, so that nothing
    is lost when the screen is rebuilt.
    """

    given: OfNewRace

    def __init__(self, app: CompanionApp, given: OfNewRace) -> None:
        super().__init__(app, given)
        self.house = house_rules.saved(app.folder)
        """Saved house rules."""
        usual = partial(usual_rules, app.folder, self.house)
        self.draft: Draft = given.get("draft") or (Draft() if "step" in given else first(usual()))
        self.step: StepName = given.get("step", "first")
        self.aside = given.get("aside", False)
        self.bodies: dict[StepName, SetupStep] = {
            "first": FirstPage(
                on_change=self.change, on_open=self._aside, on_back=app.back, on_begin=self._begin, on_why=self._why,
                saved=self._saved,
            ),
            "rules": RulesStep(on_change=self.change, saved=self._saved, keep=self._keep_rules),
            "circuit": CircuitStep(on_change=self.change),
            "drivers": DriversStep(on_change=self.change, known=self._remembered_drivers(), on_named=self._named),
            "grid": GridStep(on_change=self.change, on_trials=self._trials),
            "season": SeasonStep(on_change=self.change),
            "street": StreetStep(on_change=self.change),
            "start": StartStep(on_change=self.change),
            "cards": CardsStep(on_change=self.change),
            "deal": CardsStep(on_change=self.change),
        }  # fmt: skip
        self.frame: NewRaceShown | None = None

    def _saved(self) -> list[house_rules.HouseRules]:
        """Return the stored house rules."""
        return self.house

    def _keep_rules(self, rules: house_rules.HouseRules, *, replace: bool = False) -> None:
        """Store house rules under their name; ask first if there are some of that name."""
        try:
            house_rules.keep(self.app.folder, rules, replace=replace)
        except CompanionError as wrong:
            if wrong.kind != "rules_kept":
                self.app.tell(wrong)
                return
            words = theme.words
            question = Confirmation(
                title=words.screen("new_race.replace_rules", name=rules.name),
                note=words.screen("new_race.replace_note"),
                act=words.screen("sheet.replace"),
            )
            self.app.ask(question, partial(self._keep_rules, rules, replace=True))
            return
        self.house = house_rules.saved(self.app.folder)
        self.body.look_again()

    def _remembered_drivers(self) -> list[entrants.RaceEntrant]:
        """Return the drivers known to the table; an unreadable file is reported."""
        try:
            return entrants.remembered(self.app.folder)
        except CompanionError as wrong:
            self.app.tell(wrong)
            return []

    @property
    def body(self) -> SetupStep:
        """The open step."""
        return self.bodies[self.step]

    @property
    def steps(self) -> tuple[StepName, ...]:
        """All steps of this draft."""
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
        """Take a changed draft."""
        self.draft = self.given["draft"] = draft
        self.body.show(draft)
        self.body.look_again()
        self.look_again()

    def _aside(self, name: StepName, driver: int | None = None, *, alone: bool = True) -> None:
        """Open a step from the first page, alone or with all steps after it.

        `driver` is to be selected, -1 for a new one.
        """
        self.aside = self.given["aside"] = alone
        self.open(name)
        drivers = self.bodies["drivers"]
        if isinstance(drivers, DriversStep) and name == "drivers":
            drivers.show(self.draft)
            drivers.name_driver(driver)

    def _named(self) -> None:
        """Return to the first page once a driver has a name, if it was opened for that."""
        if self.aside:
            self.open("first")

    def _why(self, why: str) -> None:
        """Show why no race can start yet."""
        self.app.tell(Toast(tone="warn", icon="triangle", text=why))

    def open(self, name: StepName) -> None:
        """Open a step."""
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
        """Open the trials of these drivers: the running ones if they match, else new ones."""
        from companion.sheets.records import kept_record
        from companion.tournament.trials import TrialDriver, Trials, TrialsOpened
        from companion.view.events.trials import on

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
        opened = TrialsOpened(
            name=name, track=draft.track, drivers=drivers, sessions=sessions, rulebook=draft.rulebook,
            variants=on(draft.options),
        )  # fmt: skip
        self.app.go("trial", opened=opened)

    def _begin(self) -> None:
        """Start the race and remember its drivers."""
        with contextlib.suppress(OSError):  # a full card is told by the desk, whose log matters more
            entrants.remember(self.app.folder, list(self.draft.entrants))
        self.app.playing.begin(setup_of(self.draft, theme.language), self.draft.track)

    # -- what is shown

    def compose(self, ui: Ui) -> None:
        ui.fill(ui.area, "bg1")
        if self.step == "first":
            self.frame = None
            ui.title(self.say("new_race.title"), self.app.back, self.say("new_race.three"))
            self.body.show(self.draft)
            ui.place(ui.area, self.body)
            return
        frame = self.frame = show(self.draft, self.step, theme.words)
        ui.title(frame.title, self.app.back, frame.subtitle)
        ground(ui.pen)
        foot = ui.area.cut_bottom(BAND)
        listed = ui.area.cut_left(LIST)
        ui.fill(listed.cut_right(1), "line")
        rows = listed.rows(len(self.steps), min(ROW, listed.h / len(self.steps)), 0)
        for cell, name, step in zip(rows, self.steps, frame.steps, strict=True):
            ui.target(cell, name, StepKey, step, partial(self.open, name))
        self.body.show(self.draft)
        ui.place(ui.area, self.body)
        self._compose_foot(ui, foot, frame)

    def _compose_foot(self, ui: Ui, foot: Area, frame: NewRaceShown) -> None:
        """Compose the question of the step, or why it cannot be left yet, between the keys back and on."""
        top, keys = foot.y, foot.inset(0, 10).cut_top(KEYS)
        keys.cut_left(20)
        back = Face(label=self.say("keys.back"), icon="arrow-left", look="quiet")
        ui.button(keys.cut_left(92), "before", back, self.app.back)
        keys.cut_left(20)
        keys.cut_right(12)
        label, icon = frame.next, "flag" if self.step == self.steps[-1] else "arrow-right"
        if self.aside:
            label, icon = self.say("keys.done"), "check"
        face = Face(label=label, icon=icon, look="barred" if frame.why else "answer", size=VALUE)
        ui.button(keys.cut_right(140), "next", face, None if frame.why else self._next)
        keys.cut_right(16)
        ui.pen.text(frame.ask, keys.x, top + 38, QUESTION, "hi", BOLD, room=keys.w)
        said, token = (frame.why, "warn") if frame.why else (frame.note, "mid")
        ui.pen.paragraph(said, keys.x, top + 72, SMALL, keys.w, token, SEMIBOLD, 2)
