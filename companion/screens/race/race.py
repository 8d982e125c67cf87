"""The race: who is where, the board, the car to play, the one question and its answers, and every ruling."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final

import msgspec
from kivy.clock import Clock
from kivy.uix.widget import Widget

from companion.rules.conversation.asking import Json
from companion.screens.app.signals import brought
from companion.screens.app.steady import Steady
from companion.screens.app.visits import OfRace
from companion.screens.app.voice import spoken
from companion.screens.board.sections import places
from companion.screens.board.view import Board
from companion.screens.race import pools as race_pools
from companion.screens.race.ask_band import AskBand
from companion.screens.race.attack import LEFT as ARMS
from companion.screens.race.attack import RIGHT as AIM
from companion.screens.race.attack import TEXT, AimPanel, AttackBand, WeaponList, WeaponText
from companion.screens.race.card import CardSheet
from companion.screens.race.coach import Coach
from companion.screens.race.coach import height as coach_height
from companion.screens.race.contest import ContestPanel
from companion.screens.race.form import FormSheet
from companion.screens.race.hint import HintPane
from companion.screens.race.landings import ACCEPT, OutcomeList, WearLine, above, accept, answer_of
from companion.screens.race.landings import BOARD as LANDED
from companion.screens.race.landings import WEAR as WORN
from companion.screens.race.landings import WIDE as OUTCOMES
from companion.screens.race.meant import OTHER, Layout, Meant
from companion.screens.race.order import FullOrder
from companion.screens.race.pits import HIGH as PITS
from companion.screens.race.pits import BoxStrip, PitStrip
from companion.screens.race.push import HIGH as PUSH
from companion.screens.race.push import PushPanel
from companion.screens.race.queue import Queue, QueueBand, Sky, SkyPanel
from companion.screens.race.risk import RiskPane
from companion.screens.race.seen import SHEET, SeenSheet
from companion.screens.race.word import Words
from companion.screens.widgets import band
from companion.screens.widgets.counters import Counters
from companion.screens.widgets.dashboard import Dashboard
from companion.screens.widgets.key import Face, undo_face
from companion.screens.widgets.key import Key as KeyView
from companion.screens.widgets.legend import LegendPane
from companion.screens.widgets.menu import Menu
from companion.screens.widgets.order_strip import OrderStrip
from companion.screens.widgets.pen import Pen
from companion.screens.widgets.pick import Pick
from companion.screens.widgets.prompt_band import PromptBand
from companion.screens.widgets.ruling_card import RulingCard
from companion.screens.widgets.shot_clock import TICKS, Shot, ShotClock, ShotLine, ShotTime
from companion.screens.widgets.theme import theme
from companion.screens.widgets.toast import HIGH, WIDE, Box, box_of, met
from companion.screens.widgets.top_bar import HIGH as BAR
from companion.screens.widgets.top_bar import TopBar
from companion.screens.widgets.touch import Means, ears
from companion.view.race.building import wanted
from companion.view.race.counters import beside
from companion.view.race.prompt import ROW
from companion.view.shown import Key, Prompt
from companion.view.shown_race import Aim, RaceShown
from companion.view.sight import NOTHING

if TYPE_CHECKING:
    from companion.screens.app.app import CompanionApp

GIVEN: Final = 8.0
"""Seconds that the card of a ruling that was given stays by itself."""

ORDER: Final = 200.0
SLIM: Final = 60.0
SIDE: Final = 214.0
CARD: Final = 252.0
"""What stands beside a board of sections is always so wide, so that no tile ever moves."""
TESTS_SIDE: Final = 235.0
SKIES: Final = ("sun", "changeable", "rain")
LOW_BAND: Final = 104.0
AROUND: Final = 24.0
"""How far around its middle the car that plays is seen, in dp."""
SHEET_LEFT: Final = 112.0
SHEET_RIGHT: Final = 212.0
"""What the keys in the foot of a sheet take on either side."""
COACHED: Final = ("race", "queue", "over")
"""Divisions of the screen that have room for a guide."""
BOARD_LEAST: Final = 110.0
"""A lower board than this beneath the tests would say nothing."""
CLOSE: Final = 60.0


class RaceScreen(Steady):
    """The race that is open. What it shows comes from the seat as pictures; what is touched goes there as intents.

    Its parts are made when they are first seen: hardly a race needs all of them.
    """

    given: OfRace
    lively = (ShotClock, ShotLine, FullOrder, Menu, Words, LegendPane)

    bar = cached_property(lambda self: TopBar(self._menu, self.shot.toggle, self.app.hall.call, self.meant.explain_top))
    order = cached_property(lambda self: OrderStrip(on_tap=self._order, on_hold=self.meant.explain_order))
    board = cached_property(lambda self: Board(on_space=self.meant.space, on_held=self.meant.space_held))
    dashboard = cached_property(lambda self: Dashboard(on_tap=self.meant.sheet, on_hold=self.meant.explain_asked))
    band = cached_property(
        lambda self: PromptBand(
            self.meant.tapped, self.meant.form, self.meant.explain, self.meant.barred, self.meant.undo,
            self.meant.history, self._menu, self.meant.rewind, self._order, self.meant.question_article,
            self.meant.hint, self.meant.explain_order,
        )
    )  # fmt: skip
    pools_band = cached_property(
        lambda self: PromptBand(
            on_undo=self.meant.undo, on_history=self.meant.history, on_step=self.meant.rewind, on_order=self._order,
            on_asked=self.meant.question_article, on_order_hold=self.meant.explain_order,
        )
    )  # fmt: skip
    ask = cached_property(lambda self: AskBand(self.meant.reason, self.meant.no_word, lambda: self.app.playing.signing))
    card = cached_property(
        lambda self: RulingCard(
            self.meant.accept, self.meant.dispute, self.meant.article, self.meant.close_card,
            lambda: self.meant.explain_ruling(self.card.shown),
        )
    )  # fmt: skip
    disputed = cached_property(lambda self: RulingCard(on_article=self.meant.article))
    given_card = cached_property(
        lambda self: RulingCard(
            None, self.meant.dispute, self.meant.article, self.meant.close_card,
            lambda: self.meant.explain_ruling(self.given_card.shown),
        )
    )  # fmt: skip
    weapons = cached_property(lambda self: WeaponList(self.meant.take_up, self.meant.explain_weapon))
    weapon_text = cached_property(lambda self: WeaponText())
    aim = cached_property(lambda self: AimPanel())
    attack_band = cached_property(
        lambda self: AttackBand(
            PromptBand(
                on_answer=self.meant.tapped, on_hold=self.meant.explain, on_undo=self.meant.undo,
                on_history=self.meant.history, on_step=self.meant.rewind, on_asked=self.meant.question_article,
            ),
            self.meant.accept,
            self.meant.tapped,
        )
    )  # fmt: skip
    outcomes = cached_property(lambda self: OutcomeList(self.meant.tapped, self.meant.explain, self.meant.turn))
    risk = cached_property(
        lambda self: RiskPane(self.meant.listed, lambda key: self.meant.select(key.answer), self.meant.article)
    )
    wear = cached_property(lambda self: WearLine())
    lands = cached_property(lambda self: KeyView(on_tap=self.meant.accept, means="accept"))
    queue = cached_property(lambda self: Queue(self.meant.tapped, self.meant.explain, self._open_keypad))
    queue_band = cached_property(
        lambda self: QueueBand(self.meant.undo, self.meant.history, self._menu, self.meant.question_article)
    )
    sky = cached_property(lambda self: SkyPanel())
    pits = cached_property(lambda self: PitStrip())
    boxes = cached_property(lambda self: BoxStrip())
    pools = cached_property(lambda self: race_pools.PoolForm(self.meant.form))
    pick = cached_property(
        lambda self: Pick(lambda key: self.meant.take_up(key.answer), self.meant.given, self.meant.explain)
    )
    contest = cached_property(
        lambda self: ContestPanel(
            self.meant.tapped, self.meant.explain, self.meant.contest_article, self._close_contest
        )
    )
    counters = cached_property(lambda self: Counters())
    form = cached_property(lambda self: FormSheet(self.meant.form, self.meant.out_of_form, self.meant.question_article))
    seen = cached_property(
        lambda self: SeenSheet(
            self.meant.tapped, self.meant.explain, self.meant.barred, self.meant.select, self.meant.opened,
            self.meant.undo, self.meant.history, self.meant.rewind, self.meant.question_article,
            self.meant.explain_car,
        )
    )  # fmt: skip
    cards = cached_property(
        lambda self: CardSheet(
            self.meant.form,
            self.meant.tapped,
            self.meant.explain,
            self.meant.explain_sign,
            self.meant.out_of_form,
            self.meant.question_article,
        )
    )
    result = cached_property(lambda self: FullOrder(self.meant.car_sheet))
    full_order = cached_property(
        lambda self: FullOrder(
            self.meant.car_sheet, lambda row: self.meant.explain_car(row.plate.number), self.meant.uncover
        )
    )
    menu = cached_property(lambda self: Menu(self.meant.chosen, self.meant.uncover))
    legend = cached_property(
        lambda self: LegendPane(self.meant.legend_article, self.meant.legend_forced, self.meant.close_legend)
    )
    words = cached_property(lambda self: Words(self.meant.written, self.meant.uncover))
    coach = cached_property(lambda self: Coach(self.meant.leave_guide))
    push = cached_property(lambda self: PushPanel(self.meant.pushed))
    hint = cached_property(lambda self: HintPane(self.meant.take_hint, self.meant.hide_hint))
    shut = cached_property(lambda self: KeyView(on_tap=self.meant.uncover, means="close"))

    def __init__(self, app: CompanionApp, given: OfRace) -> None:
        super().__init__(app, given)
        self.track = app.playing.track
        """The circuit of the race: it stays with its pictures, whatever race is opened after it."""
        self.here: list[Widget] = []
        """What is seen now."""
        self._coach_place = 0.0, 0.0
        """How wide the guide's panel is, and where it ends."""
        self._filled: Mapping[str, Any] = {}
        """What was filled in of the form before the screen was left."""
        self._closing: Any = None
        self._closed = ""
        """The question at which the panel of the contest that is over was closed."""
        self.shot = Shot(0, self._told_time, self._ticked)
        self.meant = Meant(self, self.shot)
        self.meant.undo_point = lambda: self.pools.undo()
        self.meant.done = self._done
        self._kept_time()
        if app.playing.shown is not None:
            self.race(app.playing.shown)
            self._fill_again()
        elif app.playing.seat is None:
            self.go_home()

    # -- the race

    @property
    def now(self) -> RaceShown | None:
        """The picture that is shown."""
        return self.meant.now

    def race(self, shown: RaceShown) -> None:
        before = self.now
        if wanted(shown):
            self.meant.now = shown
            Clock.schedule_once(lambda _: self.app.instead("build") if self.app.screen is self else None)
            return
        if self.meant.picture(shown) and before is not None:
            ears.close()
        for event in brought(before, shown):
            self.app.playing.signals.happen(event)
        self.app.voice.say(spoken(before, shown), theme.language)
        self._time(shown)
        self._watch_card()
        self.look_again()

    @property
    def shows_question(self) -> bool:
        return not self.meant.cover and self.meant.word is None and self.meant.legend is None

    def act(self, action: str) -> None:
        if action == "log":
            self.app.go("sheet", page="log")
        elif action.startswith("article "):
            self.app.go("rules", article=action.partition(" ")[2])

    def explain(self, means: Means) -> None:
        """A part of the screen is held."""
        self.meant.explain_part(means)

    def press(self, name: str) -> None:
        """A button: "up", "down", "first", "last", "confirm", "override", "undo", "history", "next", "pause"."""
        self.meant.press(name)
        if name in ("up", "down", "first", "last"):
            self.band.select(self.meant.at)

    # -- the time

    @property
    def clock_runs(self) -> bool:
        """Return True while the shot clock runs."""
        return self.shot.is_running

    def _kept_time(self) -> None:
        """Goes on with the time that this turn had when the screen was left."""
        turn, left = self.given.get("shot", (None, 0))
        if turn is not None:
            self.shot.seconds, self.shot.turn, self.shot.left = self.app.kept.now.shot_clock, turn, left

    def _time(self, shown: RaceShown) -> None:
        playing = next((row.plate.number for row in shown.order if row.playing), None)
        turn = (shown.top.round, playing) if shown.top.round and playing is not None else None
        clock = self.app.kept.now.shot_clock if shown.guide is None else 0
        self.shot.allow(clock, turn if shown.prompt.layout != "none" else None)
        self.shot.stop("called", shown.called or shown.top.call in ("called", "coming"))

    def _told_time(self, time: ShotTime | None) -> None:
        self.app.playing.phones.clock(time)
        if self.bar.tell(time):
            self.look_again()

    def _ticked(self, left: int) -> None:
        if left in TICKS:
            self.app.playing.signals.happen("tick")
        elif left == 0:
            self.app.playing.signals.happen("over")

    def _done(self) -> Json:
        """What Done gives: the points, or the cards that are typed or picked; NOTHING while it is barred."""
        if self.meant.layout == "pools":
            return self.pools.values()
        if self.meant.layout == "typing":
            return self.cards.given
        picked = self.pick.answer() if self.pick in self.here else None
        return picked.answer if picked is not None else NOTHING

    def _watch_card(self) -> None:
        """The card of a ruling that was given stays until it is closed, the race goes on, or some seconds are over."""
        if self._closing is not None:
            self._closing.cancel()
            self._closing = None
        if self.meant.given_card is not None:
            self._closing = Clock.schedule_once(self.meant.close_card, GIVEN)

    def _keep_filled(self) -> None:
        """What is filled in and not answered waits until somebody comes back to the same question."""
        if self.now is None:
            return
        if self.meant.layout == "form":
            self.given["filled"] = self.now.prompt.key, (self.meant.whole, self.meant.part, self.form.values())
        elif self.meant.layout == "typing":
            self.given["filled"] = self.now.prompt.key, self.cards.filled

    def _fill_again(self) -> None:
        kept = self.given.pop("filled", None)
        if kept is None or self.now is None or kept[0] != self.now.prompt.key:
            return
        filled = kept[1]
        if self.now.prompt.layout in ("form", "seen"):
            self.meant.whole, self.meant.part, self._filled = filled
        else:
            self.cards.show(self.now.prompt)
            self.cards.fill(filled)

    def leave(self) -> None:
        self._keep_filled()
        self.given["shot"] = (self.shot.turn, self.shot.left)
        self.shot.close()
        self.app.playing.phones.clock(None)
        if self._closing is not None:
            self._closing.cancel()

    # -- what lies over the race

    def open(self, cover: str) -> None:
        """Lays something over the race; the order with the car that plays."""
        self.meant.open(cover)
        if cover == "order" and self.now is not None:
            self.draw_now()
            self.full_order.reveal()

    def _menu(self) -> None:
        self.open("menu")

    def _order(self) -> None:
        self.open("order")

    def back(self) -> bool:
        return self.meant.back()

    def _open_keypad(self) -> None:
        self.meant.keypad = True
        ears.close()
        self.look_again()

    def _close_contest(self) -> None:
        if self.now is not None:
            self._closed = self.now.prompt.key
            self.look_again()

    # -- where everything is

    def arrange(self) -> None:
        shown = self.now
        if shown is None or wanted(shown):
            return
        self.here = []
        LAYOUTS[self.meant.layout](self, shown)
        self.bar.show(self.meant.top())
        self.lay(self.bar, 0, 0, self.w, BAR)
        for time, place in self.bar.times():
            self.lay(time, *place)
        self._lay_coach(shown)
        self._lay_cover(shown)
        self.only(self.here, of=self.children[:])

    def lay(self, child: Any, x: float, y: float, w: float, h: float) -> None:
        """Places something that is seen now."""
        self.here.append(child)
        self.put(child, x, y, w, h)

    def _coached(self, shown: RaceShown) -> float:
        """How high the guide's panel is, at the foot of what lies above the question; nothing without a guide."""
        return coach_height(shown.guide) if shown.guide is not None and self.meant.layout in COACHED else 0.0

    def _lay_coach(self, shown: RaceShown) -> None:
        """The guide's panel above the question, and its pointer over all that can be touched."""
        if shown.guide is None or not self._coached(shown):
            return
        wide, top = self._coach_place
        if self.coach.parent is self and self.children[0] is not self.coach:
            self.remove_widget(self.coach)
        self.coach.show_at(shown.guide, top - coach_height(shown.guide), wide, self.meant.hesitated)
        self.lay(self.coach, 0, 0, self.w, self.h)
        Clock.schedule_once(lambda _: self.coach.point(self, self.band.asked_to), 0)

    def _lay_cover(self, shown: RaceShown) -> None:
        """What lies over all: the menu, the full order, the cars of a section, a line that is written. Nothing beneath
        it is touched."""
        cover: Any = None
        top, name = 0.0, self.meant.cover
        if name == "menu":
            cover = self.menu
            cover.show(self.meant.offer().entries())
        elif name == "order":
            cover, top = self.full_order, BAR
            cover.show((self.say("race.order"), shown.order))
        elif name == "words":
            cover = self.words
            cover.show(self.meant.wording())
        elif tile := self.meant.section(name):
            cover, top = self.full_order, BAR
            there = {car.plate for car in tile.cars}
            title = f"{tile.number} {tile.name}".strip()
            cover.show((title, tuple(row for row in shown.order if row.plate in there)))
        self._lay_over_all(cover, top)
        if self.meant.legend is not None:
            cover = self.legend
            cover.show((self.meant.legend, self.meant.can_force))
            self._lay_over_all(cover, 0)
        for child in self.here:
            child.disabled = cover is not None and child is not cover

    def _lay_over_all(self, cover: Any, top: float) -> None:
        if cover is not None:
            if cover.parent is self and self.children[0] is not cover:
                self.remove_widget(cover)
            self.lay(cover, 0, top, self.w, self.h - top)

    # Each kind of question divides what is beneath the bar in its way.

    def _lay_race(self, shown: RaceShown) -> None:
        """The question beneath the board; the running order on its left, the car to play or a card on its right."""
        if shown.board.sections:
            self._lay_sections(shown)
            return
        prompt, card, word = self._prompt(shown), self.meant.card, self.meant.word
        high = band.BAND if word is not None else band.height(prompt)
        middle = self.h - BAR - high
        given = self.meant.given_card
        hinted = word is None and self._hinted(shown)
        card = None if hinted else card
        beside = card is not None or hinted
        side, strip = (CARD, SLIM) if beside else (SIDE, ORDER)
        if given is not None and not self._strip and not beside:  # between the board and the car that must answer now
            side, strip = SIDE + CARD, SLIM
        if coached := self._coached(shown):
            strip, self._coach_place = SLIM, (self.w - (side if given is None else SIDE), BAR + middle)
        self.order.show(shown.order)
        self.lay(self.order, 0, BAR, strip, middle - coached)
        lane = self._lay_pits(shown, strip, self.w - strip - side)
        self._lay_board(shown, strip, BAR + lane, self.w - strip - side, middle - lane - coached)
        if given is not None and not beside:
            self._lay_side(self.given_card, self.meant.marked(given), CARD, middle - coached, SIDE)
        if beside and card is None:
            self._lay_hint(shown, CARD)
        elif card is not None:
            view = self.card if word is None else self.disputed
            view.show(self.meant.marked(card))
            self.lay(view, self.w - CARD, BAR, CARD, self.h - BAR)
        else:
            self._lay_beside(shown, shown.aim, SIDE, middle)
        self._lay_question(prompt, self.w - CARD if beside else self.w, high)

    def _hinted(self, shown: RaceShown) -> bool:
        """Whether the card of a hint is seen: it makes room for that of another answer that costs something."""
        chosen = self.meant.selected()
        if shown.hint is None or self.meant.card is None or chosen is None:
            return shown.hint is not None
        return bool(chosen.answer == shown.hint.act.answer)

    def _lay_hint(self, shown: RaceShown, wide: float) -> None:
        """The card of a hint at the right, from the bar down."""
        assert shown.hint is not None
        hint, say = shown.hint, self.say
        take = say("hint.take", best=hint.rows[0].label if hint.rows else hint.act.label)
        self.hint.show((hint, (take, say("hint.hide")), (say("hint.turns_lost"), say("hint.win"))))
        self.lay(self.hint, self.w - wide, BAR, wide, self.h - BAR)

    @property
    def _strip(self) -> bool:
        """Whether the board is the strip of a corner sheet, which needs all the room that there is: a card lies on
        it."""
        track = self.track
        return track is not None and track.known == "corner"

    def _lay_question(self, prompt: Prompt, wide: float, high: float) -> None:
        """The question, or what stands in its place."""
        if self.meant.word is not None:
            self.ask.show(self.meant.word)
            self.lay(self.ask, 0, self.h - high, wide, high)
        else:
            self.band.show(prompt)
            self.lay(self.band, 0, self.h - high, wide, high)

    def _lay_shut(self, top: float) -> None:
        self.shut.show(Face(label=theme.say("close"), look="option"))
        self.lay(self.shut, self.w - 120, top, 112, 52)

    def _lay_overview(self, shown: RaceShown) -> None:
        """The whole circuit over all but the bar, whatever is asked."""
        self._lay_board(shown, 0, BAR, self.w, self.h - BAR)
        self._lay_shut(BAR + 8)

    def _lay_board(self, shown: RaceShown, x: float, y: float, w: float, h: float) -> None:
        """The board, where there is room for it; at its foot what the table does for a car of the program."""
        if shown.push is not None and h >= PUSH:
            h -= PUSH
            self.push.show(shown.push)
            self.lay(self.push, x, y + h, w, PUSH)
        track, scene = self.track, shown.board
        if (track is None and not scene.sections) or h < BOARD_LEAST:
            return
        if self.meant.cover == "overview":
            scene = msgspec.structs.replace(scene, close="overview", spaces=(), path=(), shot=())
        elif self.meant.word is not None:
            scene = self.meant.pointed_at(scene)
        self.lay(self.board, x, y, w, h)
        self.board.show(track, scene)

    def _lay_beside(self, shown: RaceShown, aim: Aim | None, wide: float, high: float) -> None:
        """At the right of the board: what is aimed at, else the car to play."""
        if aim is not None:
            self._lay_side(self.aim, aim, wide, high)
        elif shown.dashboard is not None:
            self._lay_side(self.dashboard, shown.dashboard, wide, high)

    def _lay_side(self, pane: Any, shown: object, wide: float, high: float, beside: float = 0.0) -> None:
        """At the right of the board, `beside` something else or at the edge."""
        pane.show(shown)
        self.lay(pane, self.w - beside - wide, BAR, wide, high)

    def _lay_pits(self, shown: RaceShown, x: float, w: float, below: float = 0.0, high: float = PITS) -> float:
        """What the pits hold, beneath the bar or so far below it; how high it is, nothing if they hold nothing."""
        held = shown.lane if shown.lane is not None else shown.pits
        if not held:
            return 0.0
        strip: Any = self.boxes if shown.lane is not None else self.pits
        strip.show(held)
        self.lay(strip, x, BAR + below, w, high)
        return high

    def _lay_queue(self, shown: RaceShown) -> None:
        """Tests in a row above the board, each with its bands; the weather, or the car that tests, beside them."""
        middle, left = self.h - BAR - LOW_BAND, self.w - TESTS_SIDE
        weather = any(price.icon in SKIES for key in shown.prompt.keys for price in key.prices)
        self.queue.show(shown.tests)
        rows = self.queue.high
        if middle - rows < BOARD_LEAST:
            rows = middle
        self.lay(self.queue, 0, BAR, left, rows)
        rows += self._lay_pits(shown, 0, left, rows) if rows < middle else 0
        self._coach_place = left, BAR + middle
        self._lay_board(shown, 0, BAR + rows, left, middle - rows - self._coached(shown))
        if weather:
            now = next((row for row in shown.tests if row.state == "now"), None)
            title = now.title if now is not None else ""
            sky = Sky(title=title, article=shown.prompt.cited, top=shown.top, bands=shown.skies)
            self._lay_side(self.sky, sky, TESTS_SIDE, middle)
        elif shown.dashboard is not None:
            self._lay_side(self.dashboard, shown.dashboard, TESTS_SIDE, middle)
        self.queue_band.show((shown.prompt, shown.tests))
        self.lay(self.queue_band, 0, self.h - LOW_BAND, self.w, LOW_BAND)

    def _lay_attack(self, shown: RaceShown) -> None:
        """The weapons, the board and what the chosen one would do."""
        attack, middle = shown.attack, self.h - BAR - band.BAND
        if attack is None:
            return
        self.weapons.show((attack.weapons, attack.attackers))
        self.lay(self.weapons, 0, BAR, ARMS, middle)
        wide, chosen = self.w - ARMS - AIM, next((one for one in attack.weapons if one.chosen), None)
        told = TEXT if chosen is not None else 0.0
        if chosen is not None:
            self.weapon_text.show(chosen.text)
            self.lay(self.weapon_text, ARMS, BAR, wide, TEXT)
        self._lay_board(shown, ARMS, BAR + told, wide, middle - told)
        if (given := self.meant.given_card) is not None:
            self._lay_side(self.given_card, self.meant.marked(given), AIM, middle)
        else:
            self._lay_beside(shown, attack.aim, AIM, middle)
        self.attack_band.show((shown.prompt, attack))
        self.lay(self.attack_band, 0, self.h - band.BAND, self.w, band.BAND)

    def _lay_landing(self, shown: RaceShown) -> None:
        """The board and the wear beside the list of what happens on each space; beneath, the key that applies it. The
        card of a ruling that was given stands below the list, which it never covers."""
        prompt, left = shown.prompt, self.w - OUTCOMES
        pages, at = prompt.pages, self.meant.at_page
        self.order.show(shown.order)
        self.lay(self.order, 0, BAR, SLIM, LANDED + WORN)
        scene = self.meant.focused(shown.board)
        self._lay_board(msgspec.structs.replace(shown, board=scene), SLIM, BAR, left - SLIM, LANDED)
        self.wear.show(shown.dashboard.columns if shown.dashboard is not None else ())
        self.lay(self.wear, SLIM, BAR + LANDED, left - SLIM, WORN)
        self._lay_bare(msgspec.structs.replace(prompt, keys=(), pages=(), trail=(), layout="none"), left, band.BAND)
        if prompt.act is not None:
            self.lands.show(accept(prompt.act))
            self.lay(self.lands, ACCEPT, self.h - 100, left - ACCEPT - 10, 88)
        if self._hinted(shown):
            self._lay_hint(shown, OUTCOMES)
            return
        leads = pages[(at + 1) % len(pages)] if len(pages) > 1 else None
        rows, high = pages[at].rows, self.h - BAR
        if (given := self.meant.given_card) is not None:
            rows, high = above(rows, leads, high)
            self.given_card.show(self.meant.marked(given))
            self.lay(self.given_card, left, BAR + high, OUTCOMES, self.h - BAR - high)
        elif shown.risk is not None and not self.meant.all_seen:
            self._lay_side(self.risk, shown.risk, OUTCOMES, high)
            return
        self.outcomes.show((rows, answer_of(prompt), leads))
        self.lay(self.outcomes, left, BAR, OUTCOMES, high)

    def _lay_pools(self, shown: RaceShown) -> None:
        """Columns of points to take back or spend, beneath the pits or the board."""
        columns, high = race_pools.of(shown.prompt, shown.dashboard), race_pools.BAND
        room = self.h - BAR - high
        strip = self._lay_pits(shown, 0, self.w, high=PITS if room - PITS >= BOARD_LEAST else room)
        self._lay_board(shown, 0, BAR + strip, self.w, room - strip)
        self._lay_bare(msgspec.structs.replace(shown.prompt, fields=(), keys=(), layout="none"), self.w, high)
        if columns is not None:
            self.pools.show(columns)
            self.lay(self.pools, 196, self.h - high + 56, self.w - 208, high - 67)

    def _lay_bare(self, prompt: Prompt, wide: float, high: float) -> None:
        """A band with something else in the place of its keys."""
        self.pools_band.show(prompt)
        self.lay(self.pools_band, 0, self.h - high, wide, high)

    def _lay_seen(self, shown: RaceShown) -> None:
        """What the table saw of a move beneath the corners, with the card of the ruling on the right."""
        card, given = self.meant.card, self.meant.given_card
        wide = self.w - (CARD if card is not None else 0)
        self._lay_corners(shown, wide)
        self.seen.show(shown.prompt)
        self.lay(self.seen, 0, self.h - SHEET, wide, SHEET)
        if card is not None:
            self._lay_side(self.card, self.meant.marked(card), CARD, self.h - BAR)
        elif given is not None:
            self._lay_side(self.given_card, self.meant.marked(given), CARD, self.h - BAR)

    def _lay_corners(self, shown: RaceShown, wide: float) -> float:
        """The corners of a corner sheet beneath the bar; how high they are."""
        high = self.h - BAR - SHEET
        if self.track is None:
            return 0.0
        self.lay(self.board, 0, BAR, wide, high)
        self.board.show(self.track, shown.board)
        return high

    def _lay_form(self, shown: RaceShown) -> None:
        """A form with all its fields, or with those of one part."""
        prompt, part = shown.prompt, self.meant.part
        if prompt.seen is not None:
            said = prompt.seen.said
            fields = [field for field in prompt.fields if not part or field.name in part]
            fields = [msgspec.structs.replace(field, value=said.get(field.name, field.value)) for field in fields]
            prompt = msgspec.structs.replace(prompt, fields=tuple(fields))
        back = Face(label=self.say("keys.back"), icon="arrow-left", look="quiet")
        self.form.face = back if prompt.keys else undo_face(prompt.undo)
        self.form.show(prompt)
        self.form.fill(self._filled)
        self._filled = {}
        corners = self._lay_corners(shown, self.w) if prompt.seen is not None else 0.0
        self.lay(self.form, 0, BAR + corners, self.w, self.h - BAR - corners)

    def _lay_typing(self, shown: RaceShown) -> None:
        """A card of the table, typed."""
        self.cards.face, self.cards.chart = undo_face(shown.prompt.undo), beside(shown.dashboard)
        self.cards.show(shown.prompt)
        self.lay(self.cards, 0, BAR, self.w, self.h - BAR)

    def _lay_over(self, shown: RaceShown) -> None:
        """The race is over: the classification, and where to go from there."""
        self.result.show(("", (*shown.teams, *shown.order)))
        self._coach_place = self.w, self.h - band.BAND
        self.lay(self.result, 0, BAR, self.w, self.h - BAR - band.BAND - self._coached(shown))
        keys = Key(answer="sheet", label=self.say("more.sheet")), Key(answer="leave", label=self.say("race.home"))
        first = next((row.plate for row in shown.order if row.position == 1), None)
        home = 1 if self.app.beside.buttons else -1
        prompt = msgspec.structs.replace(
            shown.prompt, plate=first, unit=self.say("race.result"), layout="keys", keys=keys, chosen=home
        )
        self._lay_question(prompt, self.w, band.BAND)

    # A race on a board of sections: beside the board a contest, a card or the chart of the car to play, and beneath it
    # the question with cards to pick, or the counters of whoever is asked in a contest.

    def _lay_sections(self, shown: RaceShown) -> None:
        prompt, word = self._prompt(shown), self.meant.word
        high = band.BAND if word is not None else band.height(prompt)
        alone = self.meant.cover == "overview"
        middle, left = self.h - BAR - high, self.w - (0.0 if alone else CARD)
        contends = shown.contest is not None and not shown.contest.lines and shown.prompt.ask == "contest"
        asks = contends and not alone
        self._lay_board(shown, 0, BAR, left, middle - (CLOSE if alone else 0))
        if alone:
            self._lay_shut(BAR + middle - CLOSE)
        else:
            self._lay_contest(shown, prompt, contends, self.h - BAR if asks else middle)
        wide = left if asks else self.w
        if word is None and (asks or prompt.layout == "pick"):
            self._lay_picked(shown, prompt, wide, high)
        else:
            self._lay_question(prompt, wide, high)

    def _lay_contest(self, shown: RaceShown, prompt: Prompt, asks: bool, high: float) -> None:
        """A contest that goes on or is just over, a card, or else the dashboard; the card of a ruling that was given
        lies over the board, which stays as it is, and not over the section of the car to play."""
        contest, card, given = shown.contest, self.meant.card, self.meant.given_card
        if contest is not None and (not contest.lines or self._closed != prompt.key):
            told = contest, prompt.keys if asks else (), prompt.chosen if asks else -1
            self._lay_side(self.contest, told, CARD, high)
        elif card is not None:
            self._lay_side(self.card if self.meant.word is None else self.disputed, self.meant.marked(card), CARD, high)
        elif shown.dashboard is not None:
            self._lay_side(self.dashboard, shown.dashboard, CARD, high)
            if given is not None:
                room = self.w - CARD
                tiles = places(len(shown.board.sections), room, high)
                here = next((tile for tile in shown.board.sections if tile.here), None)
                left = here is not None and tiles[here.number - 1].x + tiles[here.number - 1].w > room - CARD
                self._lay_side(self.given_card, self.meant.marked(given), CARD, high, self.w - CARD if left else CARD)

    def _lay_picked(self, shown: RaceShown, prompt: Prompt, wide: float, high: float) -> None:
        """Cards to pick, or the counters of whoever is asked."""
        self._lay_bare(msgspec.structs.replace(prompt, keys=(), parts=(), layout="none"), wide, high)
        begin = band.LEFT + band.UNDO + 14
        place = begin, self.h - high + band.KEYS_TOP, wide - begin - band.RIGHT, band.KEYS_HIGH
        if prompt.layout == "pick":
            self.pick.show(prompt)
            self.lay(self.pick, *place)
        elif shown.dashboard is not None and shown.dashboard.counters:
            self.counters.show(shown.dashboard.counters)
            self.lay(self.counters, *place)

    def _prompt(self, shown: RaceShown) -> Prompt:
        """The question as the band shows it: of a form the answers that are offered, and the way to the others."""
        prompt = shown.prompt
        if prompt.layout != "form":
            return prompt
        other = Key(answer=OTHER, label=self.say("race.other"), note=self.say("race.other_note"))
        layout: Any = "keys" if len(prompt.keys) < ROW else "list"
        return msgspec.structs.replace(prompt, layout=layout, fields=(), keys=(*prompt.keys, other))

    @property
    def toast_at(self) -> tuple[float, float]:
        """In the middle of the board, above what lies beneath it, or at its head where it would hide the car that
        plays; where there is no board above the question, and on a sheet that takes all of the screen in its foot,
        between its keys."""
        if self.board in self.here:
            left, bottom = (self.board.x - self.x) / theme.scale, (self.top - self.board.y) / theme.scale
            middle = left + self.board.width / theme.scale / 2
        else:
            name: Layout | None = self.meant.layout if self.now is not None else None
            beneath = {"queue": LOW_BAND, "pools": race_pools.BAND}.get(name or "", band.BAND)
            middle, bottom = self.w / 2, self.h - beneath
            if name in ("form", "typing"):
                middle, bottom = (SHEET_LEFT + self.w - SHEET_RIGHT) / 2, self.h
        wide = self.toast_wide
        left, top = max(8.0, min(middle - wide / 2, self.w - wide - 8)), bottom - 68
        if met((left, top), self._ringed, bottom - top, wide):
            top = (self.top - self.board.top) / theme.scale + 8 + self.app.toast.high - HIGH
        return left, top

    @property
    def kept_in_sight(self) -> tuple[Box, ...]:
        """The cars that the question is about, and the list of spaces where there is one."""
        return *self._ringed, *(box_of(pane, self) for pane in self.here if isinstance(pane, OutcomeList))

    @property
    def _ringed(self) -> tuple[Box, ...]:
        """The cars that the question is about, with their rings, on the board if there is one."""
        places = self.board.asked_about if self.board in self.here else []
        middles = [((x - self.x) / theme.scale, (self.top - y) / theme.scale) for x, y in places]
        return tuple((x - AROUND, y - AROUND, x + AROUND, y + AROUND) for x, y in middles)

    @property
    def toast_wide(self) -> float:
        """As wide as the board has room for it beside the list of spaces, or between weapons and shot."""
        beside = {"landing": OUTCOMES + SLIM, "attack": ARMS + AIM}
        taken = beside.get(self.meant.layout) if self.now is not None else None
        return WIDE if taken is None else min(WIDE, self.w - taken - 8)

    def paint(self, pen: Pen) -> None:
        if self.now is None:
            pen.fill(0, 0, pen.w, pen.h, "bg0")
            pen.text(self.say("race.opening"), pen.w / 2, pen.h / 2, 26, "mid", align="centre")


LAYOUTS: Final[Mapping[Layout, Callable[[RaceScreen, RaceShown], None]]] = {
    "race": RaceScreen._lay_race,
    "overview": RaceScreen._lay_overview,
    "queue": RaceScreen._lay_queue,
    "pools": RaceScreen._lay_pools,
    "form": RaceScreen._lay_form,
    "seen": RaceScreen._lay_seen,
    "typing": RaceScreen._lay_typing,
    "attack": RaceScreen._lay_attack,
    "landing": RaceScreen._lay_landing,
    "over": RaceScreen._lay_over,
}
"""How the screen is divided, for each kind of question."""
