"""The race: who is where, the board, the car to play, the one question and its answers, and every ruling."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, TypeVar

import msgspec
from kivy.clock import Clock
from kivy.uix.widget import Widget

from companion.screens.app.signals import brought
from companion.screens.app.steady import Steady
from companion.screens.app.visits import OfRace
from companion.screens.board.view import Board
from companion.screens.race import covers as race_covers
from companion.screens.race import layouts as race_layouts
from companion.screens.race.ask_band import AskBand
from companion.screens.race.attack import AimPanel, AttackBand, WeaponList
from companion.screens.race.card import CardSheet
from companion.screens.race.clock import TICKS, Shot
from companion.screens.race.form import FormSheet
from companion.screens.race.layouts import BOARD_LEAST, LAYOUTS
from companion.screens.race.meant import Meant
from companion.screens.race.menu import Menu
from companion.screens.race.order import FullOrder
from companion.screens.race.pits import BoxStrip, PitStrip
from companion.screens.race.pools import PoolForm
from companion.screens.race.queue import Queue, QueueBand, SkyPanel
from companion.screens.race.said import OTHER
from companion.screens.race.sections import SectionLayout
from companion.screens.race.seen import SeenSheet
from companion.screens.race.word import Words
from companion.screens.widgets.dashboard import Dashboard
from companion.screens.widgets.key import Key as KeyView
from companion.screens.widgets.order_strip import OrderStrip
from companion.screens.widgets.pen import Pen
from companion.screens.widgets.prompt_band import PromptBand
from companion.screens.widgets.ruling_card import RulingCard
from companion.screens.widgets.shot_clock import ShotTime
from companion.screens.widgets.top_bar import HIGH as BAR
from companion.screens.widgets.top_bar import TopBar
from companion.screens.widgets.touch import ears
from companion.view.building import wanted
from companion.view.layout import ROW
from companion.view.override import Why
from companion.view.shown import Card, Key, Prompt, Toast
from companion.view.shown_race import RaceShown

if TYPE_CHECKING:
    from companion.screens.app.app import CompanionApp

T = TypeVar("T")

GIVEN: Final = 8.0
"""Seconds that the card of a ruling that was given stays by itself."""


class RaceScreen(Steady):
    """The race that is open. What it shows comes from the seat as pictures; what is touched goes there as intents."""

    given: OfRace

    def __init__(self, app: CompanionApp, given: OfRace) -> None:
        super().__init__(app, given)
        self.now: RaceShown | None = None
        self.cover = ""
        """What lies over the race: "menu", "order", "overview", "words", or the cars of a section by its name."""
        self.word: Why | None = None
        """What stands in the question's place."""
        self.keypad = self.whole = False
        """Whether the whole black die is shown instead of its bands, and the form instead of offered answers."""
        self.part: tuple[str, ...] = ()
        """The fields of the form that are shown; all, if none."""
        self.put_away = 0
        """The ruling whose card was closed."""
        self.here: list[Widget] = []
        """What is seen now."""
        self._told: tuple[str, Toast] | None = None
        self._closing: Any = None
        meant = self.meant = Meant(self)
        said = meant.said
        self.bar = TopBar(on_menu=lambda: self.open("menu"), on_clock=self._clock_tapped)
        self.order = OrderStrip(on_tap=lambda: self.open("order"))
        self.board = Board(on_space=meant.space, on_held=meant.space_held)
        self.dashboard = Dashboard(on_tap=meant.sheet, on_hold=said.values)
        self.band = PromptBand(
            meant.tapped, meant.form, said.why, meant.barred, meant.undo, meant.history,
            lambda: self.open("menu"), meant.rewind, lambda: self.open("order"),
        )  # fmt: skip
        self.pools_band = PromptBand(
            None, None, None, None, meant.undo, meant.history, None, meant.rewind, lambda: self.open("order")
        )
        self.ask = AskBand(said.word, said.no_word, lambda: app.playing.signing)
        self.card = RulingCard(meant.accept, said.dispute, meant.article, self.close_card)
        self.disputed = RulingCard(None, None, meant.article)
        self.given_card = RulingCard(None, said.dispute, meant.article, self.close_card)
        self.weapons = WeaponList(meant.weapon)
        self.aim = AimPanel()
        aimed = PromptBand(meant.tapped, None, said.why, None, meant.undo, meant.history, None, meant.rewind)
        self.attack_band = AttackBand(aimed, meant.accept, meant.tapped)
        self.queue = Queue(meant.tapped, self._open_keypad)
        self.queue_band = QueueBand(meant.undo, meant.history, lambda: self.open("menu"))
        self.sky = SkyPanel()
        self.pits, self.boxes = PitStrip(), BoxStrip()
        self.pools = PoolForm(meant.form)
        self.sections = SectionLayout(self)
        self.form = FormSheet(meant.form, meant.out_of_form)
        self.seen = SeenSheet(
            meant.tapped,
            said.why,
            meant.barred,
            meant.said_of_move,
            meant.opened,
            meant.undo,
            meant.history,
            meant.rewind,
        )
        self.cards = CardSheet(meant.form, meant.tapped, meant.out_of_form)
        self.result = FullOrder(meant.car_sheet)
        self.full_order = FullOrder(meant.car_sheet, said.car_values, self.uncover)
        self.menu = Menu(meant.chosen, self.uncover)
        self.words = Words(said.written, self.uncover)
        self.shut = KeyView(on_tap=self.uncover)
        self.lively = (self.bar.clock, self.bar.line, self.full_order, self.menu, self.words)
        self.shot = Shot(0, self._told_time, self._ticked)
        self._kept_time()
        if app.playing.shown is not None:
            self.race(app.playing.shown)
        elif app.playing.seat is None:
            self.go_home()

    # -- the race

    def race(self, shown: RaceShown) -> None:
        before, self.now = self.now, shown
        if wanted(shown):
            Clock.schedule_once(lambda _: self.app.instead("build") if self.app.screen is self else None)
            return
        if before is None or before.prompt.key != shown.prompt.key:
            self.keypad = self.whole = False
            if self.word is not None:
                self.meant.said.no_word()
            if self.cover == "overview":
                self.cover = ""  # it hides the question
            if before is not None:
                ears.close()
        self.meant.picture(before, shown)
        for event in brought(before, shown):
            self.app.playing.signals.happen(event)
        self._tell(shown)
        self._time(shown)
        self._watch_card(shown.card)
        self.look_again()

    def _tell(self, shown: RaceShown) -> None:
        """Tells what the picture wants told, once."""
        told = (shown.prompt.key, shown.toast) if shown.toast is not None else None
        if shown.toast is not None and told != self._told and self.app.screen is self:
            self.app.tell(shown.toast)
        self._told = told

    def forget_told(self) -> None:
        """Somebody means something: what comes of it is told, even if it is the same as before."""
        self._told = None

    def act(self, action: str) -> None:
        if action == "log":
            self.app.go("sheet", page="log")
        elif action.startswith("article "):
            self.app.go("rules", article=action.partition(" ")[2])

    # -- the time

    def _kept_time(self) -> None:
        """Goes on with the time that this turn had when the screen was left."""
        turn, left = self.given.get("shot", (None, 0))
        if turn is not None:
            self.shot.seconds, self.shot.turn, self.shot.left = self.app.kept.now.shot_clock, turn, left

    def _time(self, shown: RaceShown) -> None:
        playing = next((row.plate.number for row in shown.order if row.playing), None)
        turn = (shown.top.round, playing) if shown.top.round and playing is not None else None
        self.shot.allow(self.app.kept.now.shot_clock, turn if shown.prompt.layout != "none" else None)

    def _told_time(self, time: ShotTime | None) -> None:
        if self.bar.tell(time):
            self.look_again()

    def _ticked(self, left: int) -> None:
        if left in TICKS:
            self.app.playing.signals.happen("tick")
        elif left == 0:
            self.app.playing.signals.happen("over")

    def _clock_tapped(self) -> None:
        self.shot.toggle()

    def leave(self) -> None:
        self.given["shot"] = (self.shot.turn, self.shot.left)
        self.shot.close()
        if self._closing is not None:
            self._closing.cancel()

    # -- the card

    def _watch_card(self, card: Card | None) -> None:
        """The card of a ruling that was given stays until it is closed, the race goes on, or some seconds are over."""
        if self._closing is not None:
            self._closing.cancel()
            self._closing = None
        if self.shown_given is not None:
            self._closing = Clock.schedule_once(self.close_card, GIVEN)

    def close_card(self, *_: object) -> None:
        """Puts the card of a given ruling away."""
        if self.now is not None and self.now.card is not None and self.word is None:
            self.put_away = self.now.card.seq
            self.look_again()

    @property
    def shown_card(self) -> Card | None:
        """The card of an answer that is selected and not yet accepted."""
        card = self.now.card if self.now is not None else None
        return card if card is not None and card.accept else None

    @property
    def shown_given(self) -> Card | None:
        """The card of a ruling that was given, while it is there."""
        card = self.now.card if self.now is not None else None
        return card if card is not None and card.seq and card.seq != self.put_away else None

    # -- what lies over the race

    def open(self, cover: str) -> None:
        """Lays something over the race."""
        self.cover = cover
        self.look_again()
        if cover == "order" and self.now is not None:
            self.draw_now()
            self.full_order.reveal()

    def uncover(self) -> None:
        """Takes away what lies over the race."""
        self.cover = ""
        self.draw_now()

    def back(self) -> bool:
        covered = bool(self.cover or self.word is not None or self.keypad or self.whole)
        if covered:
            self.cover, self.keypad, self.whole = "", False, False
            self.meant.said.no_word()
        return covered

    def _open_keypad(self) -> None:
        self.keypad = True
        ears.close()
        self.look_again()

    def press(self, name: str) -> None:
        """A button: "up", "down", "first", "last", "confirm", "override", "undo", "history", "next", "pause"."""
        self.meant.buttons.press(name)

    # -- where everything is

    def layout(self, shown: RaceShown) -> str:
        """How the screen is divided: "race", "overview", "queue", "pools", "form", "seen", "typing", "attack" or
        "over"."""
        return race_layouts.division(self, shown)

    def arrange(self) -> None:
        shown = self.now
        if shown is None or wanted(shown):
            return
        self.here = []
        LAYOUTS[self.layout(shown)](self, shown)
        self.bar.show(self.meant.said.flagged(shown.top))
        self.lay(self.bar, 0, 0, self.w, BAR)
        for time, place in self.bar.times():
            self.lay(time, *place)
        race_covers.lay(self, shown)
        self.only(self.here, of=self.children[:])

    def lay(self, child: Any, x: float, y: float, w: float, h: float) -> None:
        """Places something that is seen now."""
        self.here.append(child)
        self.put(child, x, y, w, h)

    def prompt(self, shown: RaceShown) -> Prompt:
        """The question as the band shows it: of a form the answers that are offered, and the way to the others."""
        prompt = shown.prompt
        if prompt.layout != "form":
            return prompt
        other = Key(answer=OTHER, label=self.say("race.other"), note=self.say("race.other_note"))
        layout: Any = "keys" if len(prompt.keys) < ROW else "list"
        return msgspec.structs.replace(prompt, layout=layout, fields=(), keys=(*prompt.keys, other))

    def marked(self, card: Card) -> Card:
        """The card, blue-edged while it is disputed."""
        return msgspec.structs.replace(card, tone="info") if self.meant.said.doubted(card) else card

    def lay_board(self, shown: RaceShown, x: float, y: float, w: float, h: float) -> None:
        """Places the board, where there is room for it."""
        track, scene = self.app.playing.track, shown.board
        if (track is None and not scene.sections) or h < BOARD_LEAST:
            return
        if self.cover == "overview":
            scene = msgspec.structs.replace(scene, close="overview", spaces=(), path=(), shot=())
        elif self.word is not None:
            scene = self.meant.said.pointed_at(scene)
        self.lay(self.board, x, y, w, h)
        self.board.show(track, scene)

    @property
    def toast_at(self) -> tuple[float, float]:
        """Above the band, in the middle of the board."""
        return race_layouts.toast_at(self)

    def paint(self, pen: Pen) -> None:
        if self.now is None:
            pen.fill(0, 0, pen.w, pen.h, "bg0")
            pen.text(self.say("race.opening"), pen.w / 2, pen.h / 2, 26, "mid", align="centre")
