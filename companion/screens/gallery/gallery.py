"""The gallery: every component in all its states, on a sheet of 1280 by 1600 dp."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from functools import partial
from typing import Any, Final

from companion import circuits
from companion.rules.conversation.kinds import POOLS
from companion.screens.board.view import BoardView
from companion.screens.gallery.examples import (
    NUMBERS,
    bar,
    board,
    car,
    card,
    faces,
    free,
    gears,
    on_the_board,
    order,
    prompts,
    say,
    toast,
    trail,
)
from companion.screens.kit import dashboard, order_strip, plate, wear
from companion.screens.kit.compose import Area, Composed, Ui
from companion.screens.kit.confirm import HIGH, WIDE, Confirm, Confirmation
from companion.screens.kit.dashboard import DashboardView
from companion.screens.kit.empty import Empty, EmptyState
from companion.screens.kit.key import Face
from companion.screens.kit.order_strip import OrderStrip
from companion.screens.kit.pane import Pane
from companion.screens.kit.pen import BOLD, Pen
from companion.screens.kit.prompt_band import BandKey, PromptBand
from companion.screens.kit.ruling_card import RulingCard
from companion.screens.kit.shot_clock import ShotClock, ShotLine, ShotTime
from companion.screens.kit.theme import CAPTION, QUESTION, VALUE, theme
from companion.screens.kit.toast import ToastView
from companion.screens.kit.top_bar import TopBarView
from companion.screens.kit.trail import Trail
from companion.view.shown import Card, CardLine, Column, Plate

SHEET: Final = (1280.0, 1600.0)
CIRCUIT: Final = "porto-sereno"
"""Circuit of which a stretch is shown."""


class RaceFrame(Composed):
    """The race frame without its board: bar, order, dashboard or card, and a question."""

    def __init__(self, question: str, ruling: bool = False, **properties: Any) -> None:
        super().__init__(**properties)
        self.question, self.ruling = question, ruling

    def compose(self, ui: Ui) -> None:
        ui.fill(ui.area, "bg0")
        ui.fill(ui.area, "ground")
        prompt = prompts()[self.question]
        top_bar = ui.place(ui.area.cut_top(48), ui.named("top bar", partial(TopBarView, _nothing)))
        top_bar.show(bar())
        top_bar.tell(ShotTime(left=38, of=60))
        if self.ruling:
            place(ui, ui.area.cut_right(252), "card", partial(RulingCard, _nothing), card())
        foot = ui.area.cut_bottom(192 if prompt.layout == "black" else 160)
        offers: list[BandKey] = ["undo"] if self.ruling else ["undo", "more"]
        place(ui, foot, "band", partial(PromptBand, _nothing, offers), prompt)
        strip = ui.area.cut_left(60 if self.ruling else 200)
        place(ui, strip, "order", partial(OrderStrip, on_tap=_nothing), order())
        if not self.ruling:
            place(ui, ui.area.cut_right(214), "dashboard", DashboardView, board())


def place(ui: Ui, area: Area, key: Hashable, make: Callable[[], Pane], shown: Any) -> None:
    """Place a component with its content."""
    ui.place(area, ui.named(key, make)).show(shown)


def _nothing(*_: object) -> None:
    """Do nothing, as the keys of the gallery."""


def add(ui: Ui, make: Callable[[], Pane], shown: Any, x: float, y: float, w: float, h: float) -> None:
    """Place a component at a place of its own on the sheet."""
    place(ui, Area(x, y, w, h), (x, y), make, shown)


class Gallery(Composed):
    """All components on one sheet."""

    def _keys(self, ui: Ui) -> None:
        stop = (free(),)
        for place, face in enumerate(
            (
                Face(label="9", prices=stop, size=46),
                Face(label="9", prices=stop, size=46),
                Face(label="+10", note=say("misplaced"), look="option", size=VALUE),
                Face(label="C", note=say("over_2"), look="option", size=VALUE, chosen=True),
                Face(label=say("next_car"), note=say("points_left"), look="barred", size=20),
                Face(label=theme.say("undo"), note=say("gear_4"), icon="undo", look="quiet"),
                Face(note=theme.say("more"), icon="more", look="quiet"),
                Face(label="9", size=46),
                Face(label="9", prices=stop, size=46, chosen=True),
            )
        ):
            key = ui.button(Area(32 + place * 133, 112, 117, 88), ("key", place), face, _nothing)
            key.pressed, key.held = place == 1, 0.6 if place == 7 else 0.0

    def _race_parts(self, ui: Ui) -> None:
        add(ui, partial(OrderStrip, on_tap=_nothing), order(), 32, 458, 200, 272)
        add(ui, partial(DashboardView, on_tap=_nothing), board(), 264, 458, 214, 272)
        for place, left in enumerate((38, 9, -12)):
            time = ShotTime(left=left, of=60)
            add(ui, ShotClock, time, 520 + 182 * place, 660, 170, 45)
            add(ui, ShotLine, time, 520 + 182 * place, 705, 170, 3)
        add(ui, partial(Trail, _nothing), trail(2), 1026, 656, 236, 52)

    def _dice(self, ui: Ui) -> None:
        for place, answer in enumerate(faces(11, 20)):
            face = Face(label=answer.label, prices=answer.prices, size=32)
            ui.button(Area(32 + 62 * place, 784, 54, 88), ("face", place), face, _nothing)
            for row in (0, 1):
                face = Face(label=str(place + 1 + 10 * row), size=28)
                ui.button(Area(660 + 62 * place, 784 + 64 * row, 54, 56), ("black", place, row), face, _nothing)

    def _cards(self, ui: Ui) -> None:
        art = say("art")
        cards = (
            card(),
            Card(
                title=say("spin_title"),
                article=f"{art} 10-2",
                icon="triangle",
                tone="bad",
                lines=(CardLine(text=say("turn_car"), icon="tyres", tone="bad"), CardLine(text=say("restart"))),
                accept=say("spin_title"),
            ),
            Card(
                title=say("stop_title"),
                article=f"{art} 9-1",
                icon="check",
                tone="ok",
                lines=(CardLine(text=say("no_cost"), tone="ok"),),
                accept=say("accept"),
            ),
        )
        for place, one in enumerate(cards):
            add(ui, partial(RulingCard, _nothing), one, 32 + 268 * place, 968, 252, 432)
        make = partial(ToastView, _nothing, seconds=1e9)
        add(ui, make, toast("ok", "check", "stop_title", "log"), 852, 968, 388, 60)
        add(ui, make, toast("warn", "die", "roller_lost", "retry"), 852, 1036, 388, 60)
        add(ui, make, toast("bad", "triangle", "save_failed", "export"), 852, 1104, 388, 60)
        question = Confirmation(title=say("retire"), note=say("retire_note"), act=say("retire_act"))
        add(ui, partial(Confirm, _nothing, on_cancel=_nothing), question, 852, 1180, WIDE, HIGH)
        nothing = EmptyState(icon="flag", title=say("no_race"), note=say("no_race_note"), act=say("new_race"))
        add(ui, partial(Empty, _nothing), nothing, 852, 1392, 388, 190)

        board, track = ui.named("board", BoardView), circuits.load(CIRCUIT)
        board.show(track, on_the_board(track))
        ui.place(Area(32, 1440, 788, 146), board)

    def compose(self, ui: Ui) -> None:
        self._draw(ui.pen)
        self._keys(ui)
        self._race_parts(ui)
        self._dice(ui)
        self._cards(ui)

    @staticmethod
    def _draw(pen: Pen) -> None:
        """Draw the words, and the components that are no widgets."""
        pen.fill(0, 0, pen.w, pen.h, "bg1")
        pen.text(say("title"), 32, 46, QUESTION, "hi", BOLD)
        for key, x, y in (
            ("keys", 32, 92),
            ("plates", 32, 240),
            ("chips", 880, 240),
            ("order", 32, 438),
            ("dashboard", 264, 438),
            ("wear", 520, 438),
            ("clock", 520, 640),
            ("trail", 1086, 640),
            ("ten_faces", 32, 764),
            ("black_die", 660, 764),
            ("card", 32, 944),
            ("toast", 852, 944),
            ("board", 32, 1422),
        ):
            pen.text(say(key), x, y, CAPTION, "mid")
        for place in range(len(NUMBERS)):
            plate.draw(pen, car(place), 70 + 80 * place, 290, 40)
            plate.draw(pen, Plate(number=NUMBERS[place] + 50, place=place + 10), 70 + 80 * place, 346, 40)
            plate.draw(pen, car(place), 70 + 80 * place, 396, 24)
        left = 880.0
        for word, token in (("pit", "info"), ("spin_chip", "warn"), ("out", "low"), ("fire", "bad"), ("won", "ok")):
            left += order_strip.chip(pen, say(word), left + pen.width(say(word), CAPTION) + 13, 280, token) + 12
        for place, pool in enumerate(POOLS):
            pen.icon(pool, 894 + 48 * place, 330, 22, "mid")
        columns = (
            (Column(pool="tyres", name=say("full"), built=6, left=6)),
            (Column(pool="tyres", name=say("spent"), built=6, left=3)),
            (Column(pool="tyres", name=say("shown_cost"), built=6, left=5, cost=2)),
            (Column(pool="engine", name=say("last_one"), built=3, left=1)),
            (Column(pool="brakes", name=say("empty"), built=3, left=0)),
            (Column(pool="brakes", name=say("repair"), built=3, left=2, repaired=1)),
        )
        for place, column in enumerate(columns):
            wear.draw(pen, column, 550 + 90 * place, 458, name=True)
        dashboard.gate(pen, gears(), 1066, 480, 198)
