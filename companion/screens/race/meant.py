"""What is under way on the race screen, and what a touch or a button means: an answer, a selection, a way back, the
referee's word, a dispute, a note, another screen."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Final, Literal

import msgspec

from companion.desk.ahead import Ahead
from companion.rules.conversation.asking import Json
from companion.screens.app.screen import Screen
from companion.screens.race import pools
from companion.screens.race.menu import Entry, Offer
from companion.screens.widgets.confirm import Question
from companion.screens.widgets.shot_clock import Shot
from companion.screens.widgets.theme import theme
from companion.screens.widgets.touch import Means
from companion.view.brought import costs_something
from companion.view.citing import cited
from companion.view.pages import legend, override
from companion.view.pages.legend import Legend
from companion.view.pages.override import Why
from companion.view.race.board import in_focus, page_of
from companion.view.shown import Card, Key, Price, Row, SeenGroup, Step, Toast, TopBar
from companion.view.shown_board import BoardScene, SectionTile, SpaceMark
from companion.view.shown_race import RaceShown, Weapon
from companion.view.sight import NOTHING, Sight

if TYPE_CHECKING:
    from companion.desk import RaceDesk
    from companion.screens.app.seat import Seat
    from companion.wording import Words

OTHER: Final = "…"
"""The answer of the key that leads to the whole form; the referee's word does not give it."""
Layout = Literal["race", "overview", "queue", "pools", "form", "seen", "typing", "attack", "landing", "over"]
SKIPS: Final[tuple[Json, ...]] = (None, {})
"""The answers that skip what is optional."""
MARKED: Final = ("race", "queue", "landing", "attack", "seen", "typing")
"""Divisions of the screen that mark the selected answer, so that buttons can select one and apply it."""
PRICED: Final = {"landing", "attack", "pick"}
"""Where what an answer brings is seen without a card: beside it, or on the key that gives it."""
MOVES: Final = ("up", "down", "first", "last", "next")
"""The buttons that select an answer."""


class Meant:
    """Knows the picture of the race and what is being done about it on `screen`, and hands what was meant to the seat.
    `shot` stands still while something is disputed."""

    def __init__(self, screen: Screen, shot: Shot) -> None:
        self.screen, self.app, self.shot = screen, screen.app, shot
        self.now: RaceShown | None = None
        self.cover = ""
        """What lies over the race: "menu", "order", "overview", "words", or the cars of a section by its name."""
        self.word: Why | None = None
        """What stands in the question's place."""
        self.legend: Legend | None = None
        """What is said of that which was held."""
        self._on_forced: Callable[[], object] | None = None
        """What leads to the referee's word on it, if there can be one."""
        self.keypad = self.whole = False
        """Whether the whole black die is shown instead of its bands, and the form instead of offered answers."""
        self.part: tuple[str, ...] = ()
        """The fields of the form that are shown; all, if none."""
        self.page = -1
        """The page of outcomes that was turned to; that of the selected answer, if none was."""
        self.all_seen = False
        """Whether all spaces are listed again while one that leads to tests is selected."""
        self.put_away = 0
        """The ruling whose card was closed."""
        self.at = -1
        """The place of the answer that is selected, by buttons before the desk has shown it."""
        self._waits: Json = NOTHING
        """The answer that was confirmed before the desk had shown it."""
        self.undo_point: Callable[[], bool] = lambda: False
        """Takes back a point of a form of pools, if one was given."""
        self.done: Callable[[], Json] = lambda: NOTHING
        """What the Done that is seen gives, NOTHING while it gives nothing or there is none."""
        self._told: tuple[str, Toast] | None = None
        self._doubt: tuple[Json, str] | None = None
        """The answer whose ruling will be disputed once it is given, and why."""
        self.hesitated = ""
        """What the guide asks of whoever takes another key than its own."""
        self._hesitated_at = ""
        self._forced: Json = None
        self._writing = ""
        self._about: tuple[int, str] | None = None
        """The entry (0: not yet given) and title of the ruling about which something is being decided."""

    @property
    def seat(self) -> Seat | None:
        return self.app.playing.seat

    @property
    def shown(self) -> RaceShown:
        assert self.now is not None
        return self.now

    @property
    def busy(self) -> bool:
        """Return True while the desk has not shown yet what was last done here; until then nothing else is done."""
        return self.seat is not None and self.seat.is_busy(self.shown)

    @property
    def settled(self) -> bool:
        """Return True once the desk has shown all that was done and selected here: the selected answer is the one that
        is seen."""
        return self.seat is None or self.seat.is_settled(self.shown)

    def picture(self, now: RaceShown) -> bool:
        """There is a new picture; whether another question is asked than before."""
        before, self.now = self.now, now
        anew = before is None or before.prompt.key != now.prompt.key
        if anew:
            self.keypad = self.whole = False
            self.word = self._doubt = self._about = self.legend = None
            self.hesitated = ""
            self.page, self.all_seen = -1, False
            self.shot.stop("disputed", False)
            if self.cover == "overview":
                self.cover = ""  # it hides the question
        if anew or self.settled:
            self.at = self.offered()[1]
            confirmed, self._waits = self._waits, NOTHING
            chosen = self.selected()
            if not anew and chosen is not None and chosen.answer == confirmed and not chosen.accept:
                self._confirm()
        if anew and self.given_card is not None:
            self.app.hush()  # what was told before lies over it
        told = (now.prompt.key, now.toast) if now.toast is not None else None
        if now.toast is not None and told != self._told and self.app.screen is self.screen:
            self.app.tell(now.toast)
        self._told = told
        return anew

    @property
    def layout(self) -> Layout:
        """How the screen is divided for the question."""
        shown = self.shown
        prompt = shown.prompt
        if self.word is not None:
            return "race"
        if self.cover == "overview" and (prompt.typed != (0, 0) or not shown.board.sections):
            return "overview"
        if prompt.layout == "none":
            return "over"
        if shown.attack is not None:
            return "attack"
        if prompt.pages and shown.guide is None:  # the guide's panel has the room of the list
            return "landing"
        if shown.tests and not self.keypad and self.app.kept.now.prices == "always":
            return "queue"
        if pools.of(prompt, shown.dashboard) is not None:
            return "pools"
        if prompt.typed != (0, 0):
            return "typing"
        if prompt.layout in ("form", "seen") and (self.whole or not prompt.keys):
            return "form"
        return "seen" if prompt.layout == "seen" else "race"

    def heed(self) -> Seat | None:
        """The seat, for what somebody means: what comes of it is told, even if it is the same as before."""
        self._told = None
        return self.seat

    # -- answers

    def tapped(self, key: Key) -> None:
        """A key of the question: a free answer applies at once, one that costs is selected first."""
        if self.shown.prompt.layout == "none":
            self.app.home() if key.answer == "leave" else self.app.go("sheet")
        elif self._hesitates(key):
            self.screen.look_again()
        elif key.answer == OTHER and self.shown.prompt.layout == "form":
            self.whole = True
            self.screen.look_again()
        elif self.shown.prompt.layout == "attack" and key.answer is not None:
            self.close_card()
            self._aim(key.answer)
        elif not key.accept:
            self.apply(key)
        elif self.settled and self.selected() == key:
            card = self.card
            if card is None or card.tone != "bad":
                self.apply(key)
        else:
            self.close_card()  # what the answer may bring comes in its place
            self.select(key.answer)

    def _hesitates(self, key: Key) -> bool:
        """Whether the guide asks, once at a question, before another key than the one that it advises."""
        guide, asks = self.shown.guide, self.shown.prompt.key
        if guide is None or not guide.fresh or guide.advised in ("", key.label) or self._hesitated_at == asks:
            return False
        self._hesitated_at = asks
        self.hesitated = dict(guide.overs).get(key.label, guide.again)
        return True

    def pushed(self) -> None:
        """The table has pushed the car that the program drove."""
        if self.seat is not None and not self.busy:
            self.seat.pushed()

    def hint(self) -> None:
        """A hint is asked for."""
        if self.settled and (seat := self.heed()) is not None:
            seat.hint()

    def hide_hint(self) -> None:
        """The hint is put away."""
        if self.seat is not None:
            self.seat.hide_hint()

    def take_hint(self) -> None:
        """The champion's answer applies."""
        if self.shown.hint is not None:
            self.apply(self.shown.hint.act)

    def leave_guide(self) -> None:
        """The guide says no more; the race goes on."""
        if self.seat is not None:
            self.seat.leave_guide()

    def select(self, answer: Json) -> None:
        """An answer is selected, so that its ruling is seen; of a move, more has been said, or all of it."""
        self.page, self.all_seen, self._waits = -1, False, NOTHING
        if self.seat is not None and not self.busy:
            self.seat.select(answer, self.shown.prompt.n)

    def _aim(self, answer: Json) -> None:
        """A weapon or a target: it is aimed first, and fired by its own key or by the same key again."""
        chosen = self.selected()
        if self.settled and chosen is not None and chosen.answer == answer:
            self.apply(chosen)
        else:
            self.select(answer)

    def take_up(self, answer: Json) -> None:
        """A weapon is taken up, or an answer put together; that it is so already means nothing."""
        chosen = self.selected()
        if not self.settled or chosen is None or chosen.answer != answer:
            self.select(answer)

    def offered(self) -> tuple[tuple[Key, ...], int]:
        """The answers that can be selected where they are seen, and which of them is: of a test in the list its
        bands."""
        open_row = next((row for row in self.shown.tests if row.state == "now"), None)
        if open_row is not None and self.layout == "queue":
            return open_row.keys, open_row.chosen
        return self.shown.prompt.keys, self.shown.prompt.chosen

    def selected(self) -> Key | None:
        """The answer that is selected."""
        keys, chosen = self.offered()
        return keys[chosen] if 0 <= chosen < len(keys) else None

    def accept(self) -> None:
        """The card's key: the selected answer applies, once it is the one that is shown."""
        if self.settled and (key := self.selected()) is not None:
            self.apply(key)

    def apply(self, key: Key) -> None:
        """An answer applies, disputed if its ruling is in doubt."""
        self._send(key.answer, self._doubt_of(key.answer))

    def given(self, key: Key) -> None:
        """The answer that is put together is given; what retires a car is accepted on its card only."""
        card = self.card
        if not key.accept or (self.settled and self.selected() == key and (card is None or card.tone != "bad")):
            self.apply(key)
        else:
            self.take_up(key.answer)

    def form(self, values: Json) -> None:
        """A form that was filled in, or cards that were typed. What was seen on a corner sheet is only said by it: what
        it comes to is shown before it applies."""
        if self.shown.prompt.seen is None:
            self._send(values)
            return
        self.whole = False
        said = {name: value for name, value in values.items() if value}
        if part := self.part:
            said |= {name: value for name, value in self.shown.prompt.seen.said.items() if name not in part}
        self.select(said)
        self.screen.look_again()

    def opened(self, group: SeenGroup) -> None:
        """A part of the form of what was seen, or all of it."""
        self.whole, self.part = True, group.fields
        self.screen.look_again()

    def _send(self, answer: Json, doubt: str = "") -> None:
        if self.seat is not None and not self.busy:
            self.app.hush()
            self._told = None
            self.seat.answer(self.shown.prompt.n, answer, seen=self.shown.seq, dispute=doubt)

    def barred(self, key: Key) -> None:
        """A key that is not allowed: why, with the article."""
        said, action = f"{self.shown.prompt.title}: {key.label} {key.why}", ""
        if key.article:
            said = self.screen.say("race.refused", label=key.label, why=key.why, article=key.cited)
            action = f"article {key.article}"
        label = self.screen.say("race.article") if action else ""
        self.app.tell(Toast(text=said, tone="warn", icon="cross", action=action, action_label=label))
        self.app.playing.signals.happen("refused")

    # -- a button beside the screen

    def press(self, name: str) -> None:
        """A button was pressed or held: another answer is selected, it is applied, or taken back. Only what is seen is
        meant; Undo takes away what lies over it."""
        unfolded = self.whole or self.keypad
        if self.now is None or self.cover or self.legend is not None or (unfolded and name == "undo"):
            if name == "undo":
                self.app.back()
        elif name == "undo":
            self._undo()
        elif name == "history":
            self.history()
        elif name == "pause":
            self.shot.toggle()
        elif self.word is None:  # a reason, or what becomes of a dispute, is tapped
            self._answer(name)

    def _answer(self, name: str) -> None:
        """A button for the question: what the screen does not mark is neither selected nor applied."""
        if name == "confirm" and self.layout == "over":
            self.app.home()
        elif name == "confirm" and self.layout == "pools":
            self._send(self.done())
        elif self.layout not in MARKED:
            return
        elif name in MOVES:
            self._move(name)
        elif name == "confirm":
            self._confirm()
        elif name == "override" and self.settled and (key := self.selected()) is not None:
            self.why(key)

    def _undo(self) -> None:
        """Back to the question, or one answer back; once the race is over that is asked first."""
        undo = self.shown.prompt.undo
        if self.word is not None:
            self.no_word()
        elif self.layout != "over" or not undo.label:
            self.undo()
        else:
            say = self.screen.say
            note = say("race.back_note", answer=undo.label)
            question = Question(title=say("race.back"), note=note, act=say("race.back_act"))
            self.app.ask(question, lambda: self.undo() if self.shown.prompt.undo == undo else None)

    def _move(self, name: str) -> None:
        """Moves the selection among the answers that are allowed: "next" to the one that skips what is optional."""
        keys, _ = self.offered()
        allowed = [at for at, key in enumerate(keys) if not key.why]
        if name == "next":
            allowed = [at for answer in SKIPS for at in allowed if keys[at].answer == answer][:1]
        if not allowed:
            return
        after = [at for at in allowed if at > self.at] or allowed[-1:]
        before = [at for at in allowed if at < self.at] or allowed[:1]
        self.at = {"up": after[0], "down": before[-1], "last": allowed[-1]}.get(name, allowed[0])
        self.select(keys[self.at].answer)

    def _confirm(self) -> None:
        """Applies the selected answer, as soon as it is the one that is shown; before its ruling has been seen nothing
        is accepted."""
        if not self.settled:
            keys, _ = self.offered()
            self._waits = keys[self.at].answer if 0 <= self.at < len(keys) else NOTHING
            return
        key = self.selected()
        if self.layout == "typing":
            if (given := self.done()) is not NOTHING:
                self._send(given)
        elif key is None:
            self.close_card()
        elif self.shown.prompt.layout == "pick" and self.done() is NOTHING:
            return  # other cards are picked than those of the answer
        elif self._hesitates(key):
            self.screen.look_again()
        elif not key.accept or self.card is not None or PRICED & {self.layout, self.shown.prompt.layout}:
            self.apply(key)

    # -- the spaces to choose from

    @property
    def at_page(self) -> int:
        """The page of outcomes that is seen."""
        return self.page if self.page >= 0 else page_of(self.shown.prompt)

    def turn(self) -> None:
        """The next page of outcomes, after the last one the first."""
        self.page = (self.at_page + 1) % len(self.shown.prompt.pages)
        self.screen.look_again()

    def listed(self) -> None:
        """All spaces again, from the card of the tests."""
        self.all_seen = True
        self.screen.look_again()

    def focused(self, scene: BoardScene) -> BoardScene:
        """The board with all of the page that is seen."""
        return msgspec.structs.replace(scene, focus=in_focus(self.shown.prompt.pages[self.at_page]))

    # -- the card

    @property
    def card(self) -> Card | None:
        """The card of an answer that is selected and not yet accepted."""
        card = self.now.card if self.now is not None else None
        return card if card is not None and card.accept else None

    @property
    def given_card(self) -> Card | None:
        """The card of a ruling that was given, while it is there."""
        card = self.now.card if self.now is not None else None
        return card if card is not None and card.seq and card.seq != self.put_away else None

    def close_card(self, *_: object) -> None:
        """Puts the card of a given ruling away."""
        if self.now is not None and self.now.card is not None and self.word is None:
            self.put_away = self.now.card.seq
            self.screen.look_again()

    def marked(self, card: Card) -> Card:
        """The card, blue-edged while it is disputed."""
        return msgspec.structs.replace(card, tone="info") if self._doubted(card) else card

    def article(self) -> None:
        """The article of the card."""
        risk = self.shown.risk if self.layout == "landing" and not self.all_seen else None
        card = risk or self.card or self.given_card
        if card is not None:
            self.app.go("rules", article=card.article)

    # -- the board

    def space(self, name: str) -> None:
        """A space of the board: the landing there, if there is one; of a section the cars in it."""
        if self.cover == "overview":
            self.uncover()
        elif (key := self._landing(name)) is not None:
            self.tapped(key)
        elif self.section(name) is not None:
            self.open(name)

    def section(self, space: str) -> SectionTile | None:
        """The section of a name in which somebody stands."""
        return next((tile for tile in self.shown.board.sections if tile.space == space and tile.cars), None)

    def _landing(self, name: str) -> Key | None:
        """The landing on a space: the selected one, else the cheapest."""
        chosen = self.selected()
        if chosen is not None and chosen.space == name:
            return chosen
        keys = self.shown.attack.keys if self.shown.attack is not None else self.shown.prompt.keys
        return next((key for key in keys if key.space == name), None)

    # -- what is held

    def explain(self, key: Key) -> None:
        """A key that is held: what it means; of a test its faces alone are for the referee's word."""
        if self.shown.prompt.layout != "none":
            bare = key.answer == OTHER or self.layout == "queue"
            self._explain(lambda sight: legend.of_key(sight, key), None if bare else partial(self.why, key))

    def explain_part(self, means: Means) -> None:
        """A part of the screen that is held: Accept is what it accepts, a question what it is asked by."""
        contest, chosen = self.shown.contest, self.selected()
        if isinstance(means, Key):
            self.explain(means)
        elif means == "accept" and chosen is not None:
            self.explain(chosen)
        elif means == "contest" and contest is not None:
            self._explain(lambda sight: legend.of_article(sight, contest.title, contest.article), None)
        else:
            self._explain(lambda sight: legend.explained(sight, means), None)

    def explain_car(self, number: int) -> None:
        """A car that is held: what it has; its values can be set."""
        self._explain(lambda sight: legend.of_car(sight, number), partial(self.values_of, number))

    def explain_asked(self) -> None:
        """The dashboard is held."""
        if self.shown.dashboard is not None:
            self.explain_car(self.shown.dashboard.plate.number)

    def explain_top(self) -> None:
        """The bar is held: lap, round, weather and the marks on it; the weather and the order can be set."""
        top = self.shown.top
        self._explain(lambda sight: legend.of_top(sight, top), partial(self.app.go, "override"))

    def explain_order(self) -> None:
        """The order is held: what its columns say, and by which rule it is."""
        rows = self.shown.order
        self._explain(lambda sight: legend.of_order(sight, rows), None)

    def explain_ruling(self, card: Card) -> None:
        """The head of a ruling card is held."""
        self._explain(lambda sight: legend.of_ruling(sight, card), None)

    def explain_sign(self, sign: str) -> None:
        """A sign of a card that is held where cards are typed."""
        self._explain(lambda sight: legend.of_sign(sight, sign), None)

    def explain_weapon(self, weapon: Weapon) -> None:
        """A weapon that is held: what its card says."""
        self._explain(lambda sight: legend.of_weapon(sight, weapon), None)

    def space_held(self, name: str) -> None:
        """A space that is held: what it is. The referee's word may be given on the landing there, out of reach or not,
        or on the car there; where there are several, they are shown."""
        tile, key = self.section(name), self._landing(name)
        car = next((car for car in self.shown.board.cars if car.space == name), None)
        forced: Callable[[], object] | None = None
        if tile is not None and len(tile.cars) > 1:
            forced = partial(self.open, name)
        elif key is not None or (car is None and self.shown.prompt.layout == "landing"):
            forced = partial(self.why, key or Key(answer={"space": name}, label=name))
        elif car is not None:
            forced = partial(self.values_of, car.plate.number)
        self._explain(lambda sight: legend.of_space(sight, name, key), forced)

    def _explain(self, look: Callable[[Sight], Legend | None], forced: Callable[[], object] | None) -> None:
        asks = self.shown.prompt.key

        def show(found: Legend | None) -> None:
            if found is not None and self.shown.prompt.key == asks:
                self.legend, self._on_forced = found, forced
                self.app.hush()
                self.screen.look_again()

        self.screen.see(lambda desk, words: look(Sight(desk, words, ahead=Ahead(desk))), show)

    @property
    def can_force(self) -> bool:
        """Whether the referee's word can be given on what was held."""
        return self._on_forced is not None

    def legend_forced(self) -> None:
        """From the legend on to the referee's word."""
        self.close_legend()
        if self._on_forced is not None:
            self._on_forced()

    def legend_article(self) -> None:
        """The article of the legend, in the race's own rules."""
        if self.legend is not None:
            self.app.go("rules", article=self.legend.article)

    def close_legend(self) -> None:
        """Takes the legend away."""
        self.legend = None
        self.screen.draw_now()

    # -- going back

    def undo(self) -> None:
        """Takes back one point of a form of pools, or one answer."""
        if self.layout == "pools" and self.undo_point():
            return
        undo = self.shown.prompt.undo
        if undo.label and not self.busy and (seat := self.heed()) is not None:
            seat.undo(of=undo.seq)

    def rewind(self, step: Step) -> None:
        """A step of the trail that is done: everything since is taken back."""
        if step.back and not self.busy and (seat := self.heed()) is not None:
            seat.undo(step.back, of=self.shown.prompt.undo.seq)

    def out_of_form(self) -> None:
        """Back from the whole form to the offered answers; where there are none, undo."""
        if self.whole:
            self.whole = False
            self.screen.look_again()
        else:
            self.undo()

    def history(self) -> None:
        """The answers so far."""
        self.app.go("history")

    def back(self) -> bool:
        """Takes away whatever lies over the question; False if there is nothing."""
        covered = bool(self.cover or self.word is not None or self.keypad or self.whole)
        if self.legend is not None:
            self.close_legend()
            return True
        if covered:
            self.cover, self.keypad, self.whole = "", False, False
            self.no_word()
        return covered

    # -- what lies over the race

    def open(self, cover: str) -> None:
        """Lays something over the race."""
        self.cover = cover
        self.screen.look_again()

    def uncover(self) -> None:
        """Takes away what lies over the race."""
        self.cover = ""
        self.screen.draw_now()

    def offer(self) -> Offer:
        """What the menu offers now."""
        prompt, disputed = self.shown.prompt, self._disputed
        barred = [name for name, can in (("redo", prompt.redo.label), ("history", prompt.undo.label)) if not can]
        notes = [("redo", prompt.redo.label), ("dispute", disputed.text if disputed else "")]
        if not prompt.undo.label and not disputed:
            barred.append("dispute")
        more: list[Entry] = ["hint"] if prompt.hint else []
        more += ["odds"] if self.shown.may_odds else []
        more += ["order"] if self.shown.board.sections else []  # no strip beside the board has it
        more += ["seat"] if self.shown.may_hand_over else []
        more += ["ending"] if self.shown.may_end else []
        return Offer(notes=tuple(note for note in notes if note[1]), barred=tuple(barred), more=tuple(more))

    @property
    def _disputed(self) -> Price | None:
        return next((mark for mark in self.shown.top.marks if mark.icon == "flag"), None)

    def chosen(self, name: Entry) -> None:
        """A key of the menu."""
        self.uncover()
        if name == "redo":
            if not self.busy and (seat := self.heed()) is not None:
                seat.redo()
        elif name == "override":
            self.app.go("override")
        elif name == "ending":
            self.app.go("override", ending=True)
        elif name == "note":
            self._write("note")
        elif name == "dispute" and self.layout == "landing" and self.card is not None:
            self.dispute()
        elif name == "dispute":
            self._oldest(lambda: self._write("dispute"))
        elif name == "overview":
            self.open("overview")
        elif name == "order":
            self.open("order")
        elif name == "hint":
            self.hint()
        elif name == "odds":
            if (seat := self.heed()) is not None:
                seat.odds()
        elif name == "seat":
            self.app.go("override", car=self.shown.may_hand_over, seat=True)
        elif name == "rules":
            self.app.go("rules", article=self.shown.prompt.article)
        elif name == "leave":
            self.app.playing.leave()
        else:
            self.app.go(name)

    # -- other screens

    def question_article(self) -> None:
        """The article by which the open question is asked, in the race's own rules."""
        if self.shown.prompt.article:
            self.app.go("rules", article=self.shown.prompt.article)

    def contest_article(self) -> None:
        """The article of the contest."""
        if self.shown.contest is not None:
            self.app.go("rules", article=self.shown.contest.article)

    def sheet(self) -> None:
        """The sheet of the car to play."""
        if self.shown.dashboard is not None:
            self.app.go("sheet", page="car", car=self.shown.dashboard.plate.number)

    def car_sheet(self, row: Row) -> None:
        """The sheet of a car of the order."""
        self.app.go("sheet", page="car", car=row.plate.number)

    def values_of(self, number: int) -> None:
        """What may be set on a car."""
        self.app.go("override", car=number)

    # -- the referee's word

    def why(self, key: Key) -> None:
        """An answer is set by the referee's word: why?"""
        if key.answer == OTHER and self.shown.prompt.layout == "form":
            return
        chosen, asks = self.selected(), self.shown.prompt.key
        instead = chosen.answer if chosen is not None and chosen.answer != key.answer else None
        self._forced = key.answer

        def ask(found: Why | None) -> None:
            if found is not None and self.shown.prompt.key == asks and self.settled and self.selected() == chosen:
                self.word, self._about = found, None
                self.screen.look_again()

        self.screen.see(
            lambda desk, words: (
                override.why(Sight(desk, words), desk.asked, key.answer, instead) if desk.asked is not None else None
            ),
            ask,
        )

    def pointed_at(self, scene: BoardScene) -> BoardScene:
        """The board with the space out of reach that the referee's word is about."""
        name = self._forced.get("space") if self._about is None and isinstance(self._forced, dict) else None
        if not isinstance(name, str) or name in {mark.space for mark in scene.spaces}:
            return scene
        mark = SpaceMark(space=name, state="cost", text="?")
        return msgspec.structs.replace(scene, spaces=(mark, *scene.spaces))

    def reason(self, name: str, text: str) -> None:
        """A reason of the referee's word, or what becomes of a dispute."""
        if self._about is not None:
            self._decided(name, *self._about)
            return
        if (seat := self.heed()) is not None:
            seat.force(self.shown.prompt.n, self._forced, by=self.app.playing.signing.name, why=text)
        self.no_word()

    def no_word(self) -> None:
        """Back to the question."""
        self.word = self._about = None
        self.shot.stop("disputed", False)
        self.screen.draw_now()

    # -- disputes

    def dispute(self) -> None:
        """The card's ruling is disputed: the clock stands still until something is decided."""
        card = self.card or self.given_card
        if card is not None and self.seat is not None:
            if card.seq:
                self.seat.dispute(card.title, card.seq)
            self._decide(card.seq, card.cited, card.title)

    def _decide(self, seq: int, article: str, text: str) -> None:
        self._about = (seq, text)
        self.word = override.dispute(article, text, theme.words)
        self.shot.stop("disputed")
        self.screen.look_again()

    def _decided(self, name: str, seq: int, text: str) -> None:
        if name == "uphold":
            self._doubt = None
            if seq and self.seat is not None:
                self.seat.uphold(seq)
        elif name == "later" and not seq and (chosen := self.selected()) is not None:
            self._doubt = chosen.answer, text
        self.no_word()
        if name == "change":
            self.screen.see(lambda desk, _: desk.history.place_of(seq), self._correct)

    def _correct(self, n: int | None) -> None:
        """The history, at an answer if it is known which."""
        if n is None:
            self.history()
        else:
            self.app.go("history", n=n)

    def _doubted(self, card: Card) -> bool:
        """Whether a card's ruling is disputed now."""
        if self._about is not None and self._about[0] == card.seq:
            return True
        chosen = self.selected()
        return not card.seq and chosen is not None and bool(self._doubt_of(chosen.answer))

    def _doubt_of(self, answer: Json) -> str:
        """Why the ruling that an answer brings is disputed already, or nothing."""
        return self._doubt[1] if self._doubt is not None and self._doubt[0] == answer else ""

    def top(self) -> TopBar:
        """The top bar, with the mark of a dispute that waits for its answer to be given."""
        top = self.shown.top
        if self._doubt is None or self._disputed is not None:
            return top
        mark = Price(text=self.screen.say("top.disputed", count=1), icon="flag", tone="info")
        return msgspec.structs.replace(top, marks=(*top.marks, mark))

    def _oldest(self, none: Callable[[], object]) -> None:
        """Decides about the oldest open dispute, if there is one."""

        def decide(found: tuple[int, str, str] | None) -> None:
            if found is not None:
                self._decide(*found)
            else:
                none()

        self.screen.see(_oldest_dispute, decide)

    # -- words that are written

    def _write(self, what: str) -> None:
        """A line is written: "note" or "dispute"."""
        self._writing = what
        self.open("words")

    def wording(self) -> tuple[str, str]:
        """What is written, and what is on the key that keeps it."""
        return self.screen.say(f"words.{self._writing}"), self.screen.say(f"words.{self._writing}_keep")

    def written(self, text: str) -> None:
        """A line was written."""
        self.uncover()
        if (seat := self.heed()) is None:
            return
        if self._writing == "note":
            seat.note(text)
        elif self._writing == "dispute":
            seat.dispute(text)
            self._oldest(lambda: None)  # there is none if no disk took it


def _oldest_dispute(desk: RaceDesk, words: Words) -> tuple[int, str, str] | None:
    """The oldest open dispute: the entry, the article that was ruled by, and why."""
    for seq, why in desk.open_disputes():
        rulings = next((item.rulings for item in desk.history.items if item.seq == seq), ())
        costly = [ruling for ruling in rulings if costs_something(ruling)]
        article = (costly or [*rulings])[0].article if rulings else ""
        return seq, cited(article, words), why
    return None
