"""The race screen: order, board, car to play, question and rulings."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any, Final, TypedDict

import msgspec
from kivy.clock import Clock
from kivy.uix.widget import Widget

from companion.rules.conversation.asking import Json
from companion.screens.app.cached_screen import CachedScreen
from companion.screens.app.signals import light_events
from companion.screens.app.table_hardware import ANYWHERE
from companion.screens.app.voice import spoken
from companion.screens.board.sections import places
from companion.screens.board.view import BoardView
from companion.screens.kit import band
from companion.screens.kit.counters import Counters
from companion.screens.kit.dashboard import DashboardView
from companion.screens.kit.key import Face, undo_face
from companion.screens.kit.key import Key as KeyView
from companion.screens.kit.legend import LegendPane
from companion.screens.kit.menu import Menu
from companion.screens.kit.order_strip import OrderStrip
from companion.screens.kit.pane import Pane
from companion.screens.kit.pen import Pen
from companion.screens.kit.pick import Pick
from companion.screens.kit.prompt_band import PromptBand
from companion.screens.kit.ruling_card import RulingCard
from companion.screens.kit.shot_clock import TICKS, Countdown, ShotClock, ShotLine, ShotTime
from companion.screens.kit.theme import theme
from companion.screens.kit.toast import HIGH, WIDE, Box, box_of, met
from companion.screens.kit.top_bar import HIGH as BAR
from companion.screens.kit.top_bar import TopBarView
from companion.screens.kit.touch import Means, ears
from companion.screens.kit.word import WordPrompt
from companion.screens.race import state
from companion.screens.race.around import AroundRace
from companion.screens.race.ask_band import AskBand
from companion.screens.race.attack import LEFT as ARMS
from companion.screens.race.attack import RIGHT as AIM
from companion.screens.race.attack import TEXT, AimPanel, AttackBand, WeaponList, WeaponText
from companion.screens.race.card import CardSheet
from companion.screens.race.coach import Coach
from companion.screens.race.coach import height as coach_height
from companion.screens.race.contest import ContestPanel
from companion.screens.race.controller import OTHER, Layout, RaceController
from companion.screens.race.form import FormSheet
from companion.screens.race.hint import HintPane
from companion.screens.race.landings import ACCEPT, OutcomeList, WearLine, above, accept, answer_of
from companion.screens.race.landings import BOARD as LANDED
from companion.screens.race.landings import WEAR as WORN
from companion.screens.race.landings import WIDE as OUTCOMES
from companion.screens.race.order import FullOrder
from companion.screens.race.pits import HIGH as PITS
from companion.screens.race.pits import BoxStrip, PitStrip
from companion.screens.race.pools import BAND as POOLS
from companion.screens.race.pools import PoolSheet
from companion.screens.race.push import HIGH as PUSH
from companion.screens.race.push import PushPanel
from companion.screens.race.queue import Queue, Sky, SkyPanel
from companion.screens.race.risk import RiskPane
from companion.screens.race.seen import SHEET, SeenSheet
from companion.view.race import intents
from companion.view.race.building import needs_builder
from companion.view.race.counters import beside
from companion.view.race.drafts import HandDraft, TableCards
from companion.view.race.intents import Intent
from companion.view.race.prompt import ROW
from companion.view.shown import AnswerKey, Prompt
from companion.view.shown_race import ActionOutcome, RaceShown

if TYPE_CHECKING:
    from companion.screens.app.app import CompanionApp

RULING_SECONDS: Final = 8.0
"""Seconds for which the card of an override stays open by itself."""

ORDER: Final = 200.0
SLIM: Final = 60.0
SIDE: Final = 214.0
CARD: Final = 252.0
"""Width of whatever stands beside a board of sections, in dp; it is always the same so that no tile moves."""
TESTS_SIDE: Final = 235.0
SKIES: Final = ("sun", "changeable", "rain")
HALF_CAR_BOX: Final = 24.0
"""Half the side of the box around a car that the question is about, in dp."""
SHEET_LEFT: Final = 112.0
SHEET_RIGHT: Final = 212.0
"""Width of the keys on either side in the foot of a sheet, in dp."""
COACHED: Final = ("race", "queue", "over")
"""Divisions of the screen that have room for a guide."""
SHUT: Final = 52.0
"""Height of the key that closes what covers the screen, in dp."""
BOARD_LEAST: Final = 110.0
"""Minimum useful height of a board beneath the tests, in dp."""
CLOSE: Final = 60.0


class RaceMemory(TypedDict, total=False):
    """The memory of the race screen while another one is open.

    `shot` is the turn of the shot clock and the seconds it had left. `question` is one that was left half answered, and
    `filled` what was filled into its form, for the screen to restore.
    """

    shot: tuple[object, int]
    question: state.QuestionState
    filled: Mapping[str, Json]


class RaceScreen(CachedScreen):
    """The screen of the open race.

    It shows the pictures that its seat sends, and sends touches back as intents. Its parts are created when first
    shown, since few races need all of them.
    """

    given: RaceMemory
    lively = (ShotClock, ShotLine, FullOrder, Menu, WordPrompt, LegendPane)

    opening = cached_property(lambda self: Opening())
    bar = cached_property(lambda self: TopBarView(self.emit))
    order = cached_property(
        lambda self: OrderStrip(
            on_tap=partial(self.emit, intents.OpenOrder()),
            on_hold=partial(self.emit, intents.Explain(intents.OrderSubject())),
        )
    )
    board = cached_property(
        lambda self: BoardView(
            on_space=lambda name: self.emit(intents.TapSpace(name)),
            on_held=lambda name: self.emit(intents.Explain(intents.SpaceSubject(name))),
        )
    )
    dashboard = cached_property(lambda self: DashboardView(on_tap=self._open_sheet, on_hold=self._explain_car))
    band = cached_property(lambda self: PromptBand(self.emit))
    bare_band = cached_property(lambda self: PromptBand(self.emit, offers=("undo", "order")))
    ask = cached_property(
        lambda self: AskBand(
            on_reason=lambda name, text: self.emit(intents.Reason(name, text)),
            on_cancel=partial(self.emit, intents.CancelReason()),
            signing=lambda: self.app.playing.signing,
        )
    )
    card = cached_property(lambda self: RulingCard(self.emit))
    disputed = cached_property(lambda self: RulingCard(self.emit, keys=False))
    given_card = cached_property(lambda self: RulingCard(self.emit))
    weapons = cached_property(lambda self: WeaponList(self.emit))
    weapon_text = cached_property(lambda self: WeaponText())
    aim = cached_property(lambda self: AimPanel())
    attack_band = cached_property(lambda self: AttackBand(self.emit))
    outcomes = cached_property(lambda self: OutcomeList(self.emit))
    risk = cached_property(lambda self: RiskPane(self.emit))
    wear = cached_property(lambda self: WearLine())
    lands = cached_property(lambda self: KeyView(on_tap=partial(self.emit, intents.Accept()), means="accept"))
    queue = cached_property(lambda self: Queue(self.emit))
    sky = cached_property(lambda self: SkyPanel())
    pits = cached_property(lambda self: PitStrip())
    boxes = cached_property(lambda self: BoxStrip())
    pools = cached_property(lambda self: PoolSheet(self.emit))
    pick = cached_property(lambda self: Pick(self.emit))
    contest = cached_property(lambda self: ContestPanel(self.emit))
    counters = cached_property(lambda self: Counters())
    form = cached_property(lambda self: FormSheet(self.emit))
    seen = cached_property(lambda self: SeenSheet(self.emit))
    cards = cached_property(lambda self: CardSheet(self.emit))
    result = cached_property(lambda self: FullOrder(self.emit))
    full_order = cached_property(lambda self: FullOrder(self.emit, over=True))
    menu = cached_property(
        lambda self: Menu(
            on_choose=lambda name: self.emit(intents.Choose(name)), on_close=partial(self.emit, intents.CloseCover())
        )
    )
    legend = cached_property(
        lambda self: LegendPane(
            on_article=partial(self.emit, intents.OpenArticle("explanation")),
            on_forced=partial(self.emit, intents.OverrideExplained()),
            on_close=partial(self.emit, intents.CloseExplanation()),
        )
    )
    words = cached_property(
        lambda self: WordPrompt(
            on_done=lambda text: self.emit(intents.KeepNote(text)), on_cancel=partial(self.emit, intents.CloseCover())
        )
    )
    coach = cached_property(lambda self: Coach(self.emit))
    push = cached_property(lambda self: PushPanel(self.emit))
    hint = cached_property(lambda self: HintPane(self.emit))
    shut = cached_property(lambda self: KeyView(on_tap=partial(self.emit, intents.CloseCover()), means="close"))

    def __init__(self, app: CompanionApp, given: RaceMemory) -> None:
        super().__init__(app, given)
        self.track = app.playing.track
        """Circuit of the race: it stays with its pictures, whatever race is opened after it."""
        self.here: list[Widget] = []
        """Visible widgets."""
        self._coach_place = 0.0, 0.0
        """Width of the guide's panel, and its lower edge, in dp."""
        self._filled: Mapping[str, Any] = {}
        """Values filled into the form before the screen was left."""
        self._closing: Any = None
        self.shot = Countdown(0, self._told_time, self._ticked)
        self.controller = RaceController(AroundRace(self, self.shot))
        self._kept_time()
        if app.playing.shown is not None:
            self.race(app.playing.shown)
            self._fill_again()
        elif app.playing.seat is None:
            self.go_home()

    # -- the race

    @property
    def now(self) -> RaceShown | None:
        """The picture shown, None before the first."""
        return self.controller.picture

    def race(self, shown: RaceShown) -> None:
        before = self.now
        if needs_builder(shown):
            self.controller.picture = shown
            Clock.schedule_once(lambda _: self.app.instead("build") if self.app.screen is self else None)
            return
        if self.controller.show(shown) and before is not None:
            ears.close()
        for event in light_events(before, shown):
            self.app.playing.signals.happen(event)
        self.app.voice.say(spoken(before, shown), theme.language)
        self._time(shown)
        self._watch_card()
        self.look_again()

    @property
    def shows_question(self) -> bool:
        return not self.controller.layers

    def act(self, action: str) -> None:
        if action == "log":
            self.app.go("sheet", page="log")
        elif action.startswith("article "):
            self.app.go("rules", article=action.partition(" ")[2])

    def explain(self, means: Means) -> None:
        """Explain the part of the screen that was long-pressed."""
        self.emit(intents.Explain(means))

    def emit(self, intent: Intent) -> None:
        """Do what a part of the screen means; nothing before there is a picture, nor after the screen was left."""
        if self.now is None or self.app.screen is not self:
            return
        self.controller.handle(intent)
        may_open = isinstance(intent, intents.OpenOrder | intents.Choose)
        if may_open and isinstance(self.controller.cover, state.OrderLayer):
            self.draw_now()
            self.full_order.reveal()  # the car to play
        elif isinstance(intent, intents.ShowFaces):
            ears.close()

    def _open_sheet(self) -> None:
        self.emit(intents.OpenSheet(self.dashboard.shown.plate.number))

    def _explain_car(self) -> None:
        self.emit(intents.Explain(intents.CarSubject(self.dashboard.shown.plate.number)))

    def press(self, name: str) -> bool:
        """Handle a hardware button, unless the focus must: where no answer is marked, and up after the last one.

        `name` is "up", "down", "first", "last", "confirm", "override", "undo", "history", "next" or "pause".
        """
        if name not in ("undo", *ANYWHERE) and not self.controller.selects(name):
            return False
        intent = self.controller.intent_for(name)
        if intent is not None:
            self.controller.handle(intent)
        if isinstance(intent, intents.MoveSelection):
            self.band.select(self.controller.question.cursor)
        return True

    @property
    def asks(self) -> str:
        return self.now.prompt.key if self.now is not None and self.controller.selects("down") else ""

    # -- the time

    @property
    def clock_runs(self) -> bool:
        """True while the shot clock runs."""
        return self.shot.is_running

    def _kept_time(self) -> None:
        """Resume the shot clock with the time this turn had left."""
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

    def _watch_card(self) -> None:
        """Restart the timer that closes the card of a given ruling."""
        if self._closing is not None:
            self._closing.cancel()
            self._closing = None
        if self.controller.given_card is not None:
            self._closing = Clock.schedule_once(lambda _: self.emit(intents.CloseCard()), RULING_SECONDS)

    def _keep_filled(self) -> None:
        """Store a partly filled form for a return to the same question."""
        if self.now is not None and self.controller.layout in ("form", "typing"):
            self.given["question"] = self.controller.question
            self.given["filled"] = self.form.values() if self.controller.layout == "form" else {}

    def _fill_again(self) -> None:
        question = self.given.pop("question", None)
        if question is not None and question.key == self.controller.question.key:
            self.controller.question.view, self.controller.question.draft = question.view, question.draft
            self._filled = self.given.pop("filled", {})

    def leave(self) -> None:
        self._keep_filled()
        self.given["shot"] = (self.shot.turn, self.shot.left)
        self.shot.close()
        self.app.playing.phones.clock(None)
        if self._closing is not None:
            self._closing.cancel()

    def back(self) -> bool:
        return self.controller.back()

    # -- where everything is

    def arrange(self) -> None:
        shown = self.now
        if shown is not None and needs_builder(shown):
            return
        self.here = []
        if shown is None:
            self.lay(self.opening, 0, 0, self.w, self.h)
            return
        LAYOUTS[self.controller.layout](self, shown)
        self.bar.show(self.controller.top())
        self.lay(self.bar, 0, 0, self.w, BAR)
        for time, place in self.bar.times():
            self.lay(time, *place)
        self._lay_coach(shown)
        self._lay_cover(shown)
        self.only(self.here, of=self.children[:])

    def lay(self, child: Any, x: float, y: float, w: float, h: float) -> None:
        """Place a child that is visible in this layout."""
        self.here.append(child)
        self.put(child, x, y, w, h)

    def _coached(self, shown: RaceShown) -> float:
        """Return the height of the guide's panel in dp, 0 without a guide."""
        return coach_height(shown.guide) if shown.guide is not None and self.controller.layout in COACHED else 0.0

    def _lay_coach(self, shown: RaceShown) -> None:
        """Place the guide's panel above the question, and its pointer over everything."""
        if shown.guide is None or not self._coached(shown):
            return
        wide, top = self._coach_place
        if self.coach.parent is self and self.children[0] is not self.coach:
            self.remove_widget(self.coach)
        self.coach.show_at(shown.guide, top - coach_height(shown.guide), wide, self.controller.question.hesitation)
        self.lay(self.coach, 0, 0, self.w, self.h)
        Clock.schedule_once(lambda _: self.coach.point(self, self.band.asked_to), 0)

    def _lay_cover(self, shown: RaceShown) -> None:
        """Place the overlay, if any, and disable everything below it.

        It is the menu, the full order, the cars of a section, a line to write, or a legend on top of these.
        """
        cover: Any = None
        top = 0.0
        match self.controller.cover:
            case state.MenuLayer():
                cover = self.menu
                cover.show(self.controller.menu())
            case state.OrderLayer():
                cover, top = self.full_order, BAR
                cover.show((self.say("race.order"), shown.order))
            case state.NoteEntry(about):
                cover = self.words
                cover.show(self.controller.note_words(about))
            case state.SectionLayer(section) if (tile := self.controller.section(section)) is not None:
                cover, top = self.full_order, BAR
                there = {car.plate for car in tile.cars}
                title = f"{tile.number} {tile.name}".strip()
                cover.show((title, tuple(row for row in shown.order if row.plate in there)))
        self._lay_over_all(cover, top)
        if (explanation := self.controller.explanation) is not None:
            cover = self.legend
            cover.show((explanation.legend, explanation.override is not None))
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
        """Lay out the question below the board.

        The running order is on the left of the board, the car to play or a card on its right.
        """
        if shown.board.sections:
            self._lay_sections(shown)
            return
        prompt, card, word = self._prompt(shown), self.controller.card, self.controller.reason
        high = band.BAND if word is not None else band.height(prompt)
        middle = self.h - BAR - high
        given = self.controller.given_card
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
            self._lay_side(self.given_card, self.controller.marked(given), CARD, middle - coached, SIDE)
        if beside and card is None:
            self._lay_hint(shown, CARD)
        elif card is not None:
            view = self.card if word is None else self.disputed
            view.show(self.controller.marked(card))
            self.lay(view, self.w - CARD, BAR, CARD, self.h - BAR)
        else:
            self._lay_beside(shown, shown.aim, SIDE, middle)
        self._lay_question(prompt, self.w - CARD if beside else self.w, high)

    def _hinted(self, shown: RaceShown) -> bool:
        """Return True if the hint's card is shown.

        It gives way to the card of another answer that costs something.
        """
        chosen = self.controller.selected
        if shown.hint is None or self.controller.card is None or chosen is None:
            return shown.hint is not None
        return bool(chosen.answer == shown.hint.act.answer)

    def _lay_hint(self, shown: RaceShown, wide: float) -> None:
        """Place the hint's card at the right, below the bar."""
        assert shown.hint is not None
        hint, say = shown.hint, self.say
        take = say("hint.take", best=hint.rows[0].label if hint.rows else hint.act.label)
        self.hint.show((hint, (take, say("hint.hide")), (say("hint.turns_lost"), say("hint.win"))))
        self.lay(self.hint, self.w - wide, BAR, wide, self.h - BAR)

    @property
    def _strip(self) -> bool:
        """True if the board is a corner sheet's strip, which a card may overlap.

        The strip needs all the room there is.
        """
        track = self.track
        return track is not None and track.known == "corner"

    def _lay_question(self, prompt: Prompt, wide: float, high: float) -> None:
        """Place the question, or the request for a reason that replaces it."""
        if (reason := self.controller.reason) is not None:
            self.ask.show(reason.why)
            self.lay(self.ask, 0, self.h - high, wide, high)
        else:
            self.band.show(prompt)
            self.lay(self.band, 0, self.h - high, wide, high)

    def _lay_shut(self, top: float) -> None:
        self.shut.show(Face(label=theme.say("close"), look="option"))
        self.lay(self.shut, self.w - 120, top, 112, SHUT)

    def _lay_overview(self, shown: RaceShown) -> None:
        """Lay out the whole circuit below the bar, whatever the question.

        Sections fill their area, so they begin below the key that closes it.
        """
        top = BAR + (SHUT + 16 if self.controller.board().sections else 0)
        self._lay_board(shown, 0, top, self.w, self.h - top)
        self._lay_shut(BAR + 8)

    def _lay_board(self, shown: RaceShown, x: float, y: float, w: float, h: float) -> None:
        """Place the board if there is room.

        The instruction to move a car of the program goes at its foot.
        """
        if shown.push is not None and h >= PUSH:
            h -= PUSH
            self.push.show(shown.push)
            self.lay(self.push, x, y + h, w, PUSH)
        track, scene = self.track, self.controller.board()
        if (track is None and not scene.sections) or h < BOARD_LEAST:
            return
        self.lay(self.board, x, y, w, h)
        self.board.show(track, scene)

    def _lay_beside(self, shown: RaceShown, aim: ActionOutcome | None, wide: float, high: float) -> None:
        """Place the aim or else the car to play, at the right of the board."""
        if aim is not None:
            self._lay_side(self.aim, aim, wide, high)
        elif shown.dashboard is not None:
            self._lay_side(self.dashboard, shown.dashboard, wide, high)

    def _lay_side(self, pane: Any, shown: object, wide: float, high: float, beside: float = 0.0) -> None:
        """Place a pane at the right of the board, `beside` dp from the edge."""
        pane.show(shown)
        self.lay(pane, self.w - beside - wide, BAR, wide, high)

    def _lay_pits(self, shown: RaceShown, x: float, w: float, below: float = 0.0, high: float = PITS) -> float:
        """Place the pits, `below` dp under the bar; return their height, 0 if empty."""
        held = shown.lane if shown.lane is not None else shown.pits
        if not held:
            return 0.0
        strip: Any = self.boxes if shown.lane is not None else self.pits
        strip.show(held)
        self.lay(strip, x, BAR + below, w, high)
        return high

    def _lay_queue(self, shown: RaceShown) -> None:
        """Lay out the tests above the board.

        The weather, or else the car that tests, is at the right.
        """
        prompt, (keys, chosen) = shown.prompt, self.controller.offered()
        if keys != prompt.keys:  # bands of faces
            prompt = msgspec.structs.replace(prompt, layout="bands", keys=keys, chosen=chosen)
        high = band.height(prompt)
        middle, left = self.h - BAR - high, self.w - TESTS_SIDE
        weather = any(price.icon in SKIES for key in shown.prompt.keys for price in key.prices)
        self.queue.show(shown.tests)
        rows = self.queue.high
        self.queue.fills = middle - rows < BOARD_LEAST
        if self.queue.fills:
            rows = middle
        self.lay(self.queue, 0, BAR, left, rows)
        rows += self._lay_pits(shown, 0, left, rows) if rows < middle else 0
        self._coach_place = left, BAR + middle
        self._lay_board(shown, 0, BAR + rows, left, middle - rows - self._coached(shown))
        if weather:
            now = next((row for row in shown.tests if row.state == "now"), None)
            title = now.title if now is not None else ""
            article = shown.prompt.cited if shown.prompt.cited != title else ""  # a named article may be called so too
            sky = Sky(title=title, article=article, top=shown.top, bands=shown.skies)
            self._lay_side(self.sky, sky, TESTS_SIDE, middle)
        elif shown.dashboard is not None:
            self._lay_side(self.dashboard, shown.dashboard, TESTS_SIDE, middle)
        self._lay_question(prompt, self.w, high)

    def _lay_attack(self, shown: RaceShown) -> None:
        """Lay out the weapons, the board and the chosen weapon's shot."""
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
        if (given := self.controller.given_card) is not None:
            self._lay_side(self.given_card, self.controller.marked(given), AIM, middle)
        else:
            self._lay_beside(shown, attack.aim, AIM, middle)
        self.attack_band.show((shown.prompt, attack))
        self.lay(self.attack_band, 0, self.h - band.BAND, self.w, band.BAND)

    def _lay_landing(self, shown: RaceShown) -> None:
        """Lay out the board and the wear beside the list of outcomes.

        The key that applies the answer is below. The card of a given ruling goes under the list and never covers it.
        """
        prompt, left = shown.prompt, self.w - OUTCOMES
        pages, at = prompt.pages, self.controller.page
        self.order.show(shown.order)
        self.lay(self.order, 0, BAR, SLIM, LANDED + WORN)
        self._lay_board(shown, SLIM, BAR, left - SLIM, LANDED)
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
        if (given := self.controller.given_card) is not None:
            rows, high = above(rows, leads, high)
            self.given_card.show(self.controller.marked(given))
            self.lay(self.given_card, left, BAR + high, OUTCOMES, self.h - BAR - high)
        elif self.controller.shows_risk:
            self._lay_side(self.risk, shown.risk, OUTCOMES, high)
            return
        self.outcomes.show((rows, answer_of(prompt), leads))
        self.lay(self.outcomes, left, BAR, OUTCOMES, high)

    def _lay_pools(self, shown: RaceShown) -> None:
        """Lay out the columns of points to restore or spend, below the pits or board."""
        form, high = self.controller.pools, POOLS
        room = self.h - BAR - high
        strip = self._lay_pits(shown, 0, self.w, high=PITS if room - PITS >= BOARD_LEAST else room)
        self._lay_board(shown, 0, BAR + strip, self.w, room - strip)
        self._lay_bare(msgspec.structs.replace(shown.prompt, fields=(), keys=(), layout="none"), self.w, high)
        if form is not None:
            self.pools.show(form)
            self.lay(self.pools, 196, self.h - high + 56, self.w - 208, high - 67)

    def _lay_bare(self, prompt: Prompt, wide: float, high: float) -> None:
        """Place a band that has something else in place of its keys."""
        self.bare_band.show(prompt)
        self.lay(self.bare_band, 0, self.h - high, wide, high)

    def _lay_seen(self, shown: RaceShown) -> None:
        """Lay out a move seen at the table, below the corners.

        The ruling's card is on the right.
        """
        card, given = self.controller.card, self.controller.given_card
        wide = self.w - (CARD if card is not None else 0)
        self._lay_corners(shown, wide)
        self.seen.show(shown.prompt)
        self.lay(self.seen, 0, self.h - SHEET, wide, SHEET)
        if card is not None:
            self._lay_side(self.card, self.controller.marked(card), CARD, self.h - BAR)
        elif given is not None:
            self._lay_side(self.given_card, self.controller.marked(given), CARD, self.h - BAR)

    def _lay_corners(self, shown: RaceShown, wide: float) -> float:
        """Place the board of a corner sheet; return its height in dp, 0 without one."""
        high = self.h - BAR - SHEET
        if self.track is None:
            return 0.0
        self.lay(self.board, 0, BAR, wide, high)
        self.board.show(self.track, shown.board)
        return high

    def _lay_form(self, shown: RaceShown) -> None:
        """Lay out a form, with all its fields or those of one part."""
        prompt, part = shown.prompt, self.controller.fields
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
        """Lay out the entry of a card from the table."""
        self.cards.face, self.cards.chart = undo_face(shown.prompt.undo), beside(shown.dashboard)
        if isinstance(draft := self.controller.question.draft, TableCards):
            self.cards.show((shown.prompt, draft))
        self.lay(self.cards, 0, BAR, self.w, self.h - BAR)

    def _lay_over(self, shown: RaceShown) -> None:
        """Lay out the end of the race: the classification, and the ways on."""
        self.result.show(("", (*shown.teams, *shown.order)))
        self._coach_place = self.w, self.h - band.BAND
        self.lay(self.result, 0, BAR, self.w, self.h - BAR - band.BAND - self._coached(shown))
        keys = (
            AnswerKey(answer="sheet", label=self.say("more.sheet")),
            AnswerKey(answer="leave", label=self.say("race.home")),
        )
        first = next((row.plate for row in shown.order if row.position == 1), None)
        home = 1 if self.app.beside.buttons else -1
        disputed = self.controller.disputed
        unit = self.say("race.result") if disputed is None else self.say("race.provisional", disputed=disputed.text)
        prompt = msgspec.structs.replace(shown.prompt, plate=first, unit=unit, layout="keys", keys=keys, chosen=home)
        self._lay_question(prompt, self.w, band.BAND)

    # A race on a board of sections: beside the board a contest, a card or the chart of the car to play, and beneath it
    # the question with cards to pick, or the counters of whoever is asked in a contest.

    def _lay_sections(self, shown: RaceShown) -> None:
        prompt, word = self._prompt(shown), self.controller.reason
        high = band.BAND if word is not None else band.height(prompt)
        alone = isinstance(self.controller.cover, state.OverviewLayer)
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
        """Place a contest, a card or the dashboard.

        A contest is shown while it goes on and just after. The card of a given ruling lies over the board, which does
        not change, but not over the section of the car to play.
        """
        contest, card, given = shown.contest, self.controller.card, self.controller.given_card
        if contest is not None and (not contest.lines or not self.controller.question.contest_closed):
            told = contest, prompt.keys if asks else (), prompt.chosen if asks else -1
            self._lay_side(self.contest, told, CARD, high)
        elif card is not None:
            self._lay_side(
                self.card if self.controller.reason is None else self.disputed, self.controller.marked(card), CARD, high
            )
        elif shown.dashboard is not None:
            self._lay_side(self.dashboard, shown.dashboard, CARD, high)
            if given is not None:
                room = self.w - CARD
                tiles = places(len(shown.board.sections), room, high)
                here = next((tile for tile in shown.board.sections if tile.here), None)
                left = here is not None and tiles[here.number - 1].x + tiles[here.number - 1].w > room - CARD
                self._lay_side(
                    self.given_card, self.controller.marked(given), CARD, high, self.w - CARD if left else CARD
                )

    def _lay_picked(self, shown: RaceShown, prompt: Prompt, wide: float, high: float) -> None:
        """Place the cards to pick, or the counters of the car that is asked."""
        self._lay_bare(msgspec.structs.replace(prompt, keys=(), parts=(), layout="none"), wide, high)
        begin = band.LEFT + band.UNDO + 14
        place = begin, self.h - high + band.KEYS_TOP, wide - begin - band.RIGHT, band.KEYS_HIGH
        if isinstance(draft := self.controller.question.draft, HandDraft):
            self.pick.show((prompt, draft))
            self.lay(self.pick, *place)
        elif shown.dashboard is not None and shown.dashboard.counters:
            self.counters.show(shown.dashboard.counters)
            self.lay(self.counters, *place)

    def _prompt(self, shown: RaceShown) -> Prompt:
        """Return the question for the band.

        A form is reduced to its offered answers and the way to the others.
        """
        prompt = shown.prompt
        if prompt.layout != "form":
            return prompt
        other = AnswerKey(answer=OTHER, label=self.say("race.other"), note=self.say("race.other_note"))
        layout: Any = "keys" if len(prompt.keys) < ROW else "list"
        return msgspec.structs.replace(prompt, layout=layout, fields=(), keys=(*prompt.keys, other))

    @property
    def toast_at(self) -> tuple[float, float]:
        """The left and top of a toast in dp.

        It is in the middle of the board, near its foot, or at its head if it would hide a car in question. Without a
        board it is above the question, and on a full sheet between the keys in its foot.
        """
        if self.board in self.here:
            left, bottom = (self.board.x - self.x) / theme.scale, (self.top - self.board.y) / theme.scale
            middle = left + self.board.width / theme.scale / 2
        else:
            name: Layout | None = self.controller.layout if self.now is not None else None
            beneath = {"pools": POOLS}.get(name or "", band.BAND)
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
        """The boxes a toast must not cover: the cars in question and the list of spaces."""
        return *self._ringed, *(box_of(pane, self) for pane in self.here if isinstance(pane, OutcomeList))

    @property
    def _ringed(self) -> tuple[Box, ...]:
        """The boxes around the cars that the question is about, if the board is shown."""
        places = self.board.asked_about if self.board in self.here else []
        middles = [((x - self.x) / theme.scale, (self.top - y) / theme.scale) for x, y in places]
        return tuple((x - HALF_CAR_BOX, y - HALF_CAR_BOX, x + HALF_CAR_BOX, y + HALF_CAR_BOX) for x, y in middles)

    @property
    def toast_wide(self) -> float:
        """The width of a toast in dp, limited to the board between the side panels."""
        beside = {"landing": OUTCOMES + SLIM, "attack": ARMS + AIM}
        taken = beside.get(self.controller.layout) if self.now is not None else None
        return WIDE if taken is None else min(WIDE, self.w - taken - 8)


class Opening(Pane):
    """A placeholder until the first picture of the race arrives."""

    def paint(self, pen: Pen) -> None:
        pen.fill(0, 0, pen.w, pen.h, "bg0")
        pen.text(theme.words.screen("race.opening"), pen.w / 2, pen.h / 2, 26, "mid", align="centre")


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
"""Layout of the screen for each kind of question."""
