"""The gallery: every component in all its states, on a sheet of 1280 by 1600 dp."""

from __future__ import annotations

from typing import Any, Final

from kivy.uix.widget import Widget

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
from companion.screens.kit.confirm import HIGH, WIDE, Confirm, Confirmation
from companion.screens.kit.dashboard import DashboardView
from companion.screens.kit.empty import Empty, EmptyState
from companion.screens.kit.key import Face, Key
from companion.screens.kit.order_strip import OrderStrip
from companion.screens.kit.pane import Pane
from companion.screens.kit.pen import BOLD, Pen
from companion.screens.kit.prompt_band import PromptBand
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


class RaceFrame(Pane):
    """The race frame without its board: bar, order, dashboard or card, and a question."""

    def __init__(self, question: str, ruling: bool = False, **properties: Any) -> None:
        super().__init__(**properties)
        self.question, self.ruling = question, ruling
        self.top_bar, self.strip, self.dashboard = (
            TopBarView(_nothing),
            OrderStrip(on_tap=_nothing),
            DashboardView(),
        )
        self.band = PromptBand(_nothing, offers=["undo"] if ruling else ["undo", "more"])
        self.card = RulingCard(_nothing)

    def arrange(self) -> None:
        prompt = prompts()[self.question]
        high = 192.0 if prompt.layout == "black" else 160.0
        wide = self.w - 252 if self.ruling else self.w
        self.top_bar.show(bar())
        self.top_bar.tell(ShotTime(left=38, of=60))
        self.put(self.top_bar, 0, 0, self.w, 48)
        self.strip.show(order())
        self.put(self.strip, 0, 48, 60 if self.ruling else 200, self.h - 48 - high)
        self.band.show(prompt)
        self.put(self.band, 0, self.h - high, wide, high)
        if self.ruling:
            self.card.show(card())
            self.put(self.card, self.w - 252, 48, 252, self.h - 48)
        else:
            self.dashboard.show(board())
            self.put(self.dashboard, self.w - 214, 48, 214, self.h - 48 - high)

    def paint(self, pen: Pen) -> None:
        pen.fill(0, 0, pen.w, pen.h, "bg0")
        pen.fill(0, 0, pen.w, pen.h, "ground")


def _nothing(*_: object) -> None:
    """Do nothing, as the keys of the gallery."""


class Gallery(Pane):
    """All components on one sheet."""

    def __init__(self, **properties: Any) -> None:
        super().__init__(**properties)
        self.parts: list[tuple[Widget, tuple[float, float, float, float]]] = []
        self._rebuild()
        theme.bind(language=self._rebuild)

    def _rebuild(self, *_: object) -> None:
        for part, _place in self.parts:
            self.remove_widget(part)
        self.parts = []
        self._keys()
        self._race_parts()
        self._dice()
        self._cards()
        self.look_again()

    def _add(self, part: Pane, shown: Any, x: float, y: float, w: float, h: float) -> Pane:
        part.show(shown)
        self.parts.append((part, (x, y, w, h)))
        return part

    def arrange(self) -> None:
        for part, place in self.parts:
            self.put(part, *place)

    def _keys(self) -> None:
        stop = (free(),)
        pressed, held = Key(on_tap=_nothing), Key(on_tap=_nothing)
        pressed.pressed, held.held = True, 0.6
        for place, (key, face) in enumerate(
            (
                (Key(on_tap=_nothing), Face(label="9", prices=stop, size=46)),
                (pressed, Face(label="9", prices=stop, size=46)),
                (Key(on_tap=_nothing), Face(label="+10", note=say("misplaced"), look="option", size=VALUE)),
                (Key(on_tap=_nothing), Face(label="C", note=say("over_2"), look="option", size=VALUE, chosen=True)),
                (Key(on_tap=_nothing), Face(label=say("next_car"), note=say("points_left"), look="barred", size=20)),
                (Key(on_tap=_nothing), Face(label=theme.say("undo"), note=say("gear_4"), icon="undo", look="quiet")),
                (Key(on_tap=_nothing), Face(note=theme.say("more"), icon="more", look="quiet")),
                (held, Face(label="9", size=46)),
                (Key(on_tap=_nothing), Face(label="9", prices=stop, size=46, chosen=True)),
            )
        ):
            self._add(key, face, 32 + place * 133, 112, 117, 88)

    def _race_parts(self) -> None:
        self._add(OrderStrip(on_tap=_nothing), order(), 32, 458, 200, 272)
        self._add(DashboardView(on_tap=_nothing), board(), 264, 458, 214, 272)
        for place, left in enumerate((38, 9, -12)):
            time = ShotTime(left=left, of=60)
            self._add(ShotClock(), time, 520 + 182 * place, 660, 170, 45)
            self._add(ShotLine(), time, 520 + 182 * place, 705, 170, 3)
        self._add(Trail(_nothing), trail(2), 1026, 656, 236, 52)

    def _dice(self) -> None:
        for place, answer in enumerate(faces(11, 20)):
            face = Face(label=answer.label, prices=answer.prices, size=32)
            self._add(Key(on_tap=_nothing), face, 32 + 62 * place, 784, 54, 88)
            for row in (0, 1):
                number = str(place + 1 + 10 * row)
                self._add(Key(on_tap=_nothing), Face(label=number, size=28), 660 + 62 * place, 784 + 64 * row, 54, 56)

    def _cards(self) -> None:
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
            self._add(RulingCard(_nothing), one, 32 + 268 * place, 968, 252, 432)
        self._add(ToastView(_nothing, seconds=1e9), toast("ok", "check", "stop_title", "log"), 852, 968, 388, 60)
        self._add(ToastView(_nothing, seconds=1e9), toast("warn", "die", "roller_lost", "retry"), 852, 1036, 388, 60)
        self._add(
            ToastView(_nothing, seconds=1e9), toast("bad", "triangle", "save_failed", "export"), 852, 1104, 388, 60
        )
        question = Confirmation(title=say("retire"), note=say("retire_note"), act=say("retire_act"))
        self._add(Confirm(_nothing, on_cancel=_nothing), question, 852, 1180, WIDE, HIGH)
        nothing = EmptyState(icon="flag", title=say("no_race"), note=say("no_race_note"), act=say("new_race"))
        self._add(Empty(_nothing), nothing, 852, 1392, 388, 190)

        board, track = BoardView(), circuits.load(CIRCUIT)
        board.show(track, on_the_board(track))
        self.parts.append((board, (32, 1440, 788, 146)))

    def paint(self, pen: Pen) -> None:
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
