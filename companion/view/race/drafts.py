"""Answers that are put together step by step: points for pools, cards of a hand, cards seen on the table."""

from __future__ import annotations

from collections import Counter
from typing import TypeAlias

from msgspec.structs import replace

from companion.rules.conversation.asking import Json
from companion.rules.ninety.cards import SYMBOLS
from companion.view.race.form import DIGITS, TypedCard, answer_of, cards_of, offered_cards, others
from companion.view.shown import AnswerKey, Column, Dashboard, Prompt, ViewModel
from companion.view.sight import NOTHING


class PoolForm(ViewModel, frozen=True, kw_only=True):
    """A form whose fields are all pools of the car: the question, its columns, the points given so far in order."""

    prompt: Prompt
    columns: tuple[Column, ...]
    given: tuple[str, ...] = ()


def pool_form(prompt: Prompt, dashboard: Dashboard | None, given: tuple[str, ...] = ()) -> PoolForm | None:
    """Return the question as a form of pools.

    None if a field is not a pool, or if the form could also take points away.
    """
    if prompt.layout != "form" or dashboard is None or not prompt.fields:
        return None
    pools = {column.pool for column in dashboard.columns}
    if all(field.name in pools and field.kind == "stepper" and not field.low for field in prompt.fields):
        return PoolForm(prompt=prompt, columns=dashboard.columns, given=given)
    return None


class Points(ViewModel, frozen=True, kw_only=True):
    """Points given to pools, in the order given."""

    given: tuple[str, ...] = ()

    def give(self, pool: str) -> Points:
        """Return these points with one more."""
        return Points(given=(*self.given, pool))

    def take(self, pool: str) -> Points:
        """Return these points without the last one given to a pool."""
        if pool not in self.given:
            return self
        last = len(self.given) - 1 - self.given[::-1].index(pool)
        return Points(given=(*self.given[:last], *self.given[last + 1 :]))

    @property
    def answer(self) -> dict[str, Json]:
        """The number of points of each pool that has any."""
        return {pool: self.given.count(pool) for pool in dict.fromkeys(self.given)}


class HandDraft(ViewModel, frozen=True, kw_only=True):
    """Cards picked from a hand, by their places among the question's parts.

    `made` is the index of the answer that they made last, -1 if they made none.
    """

    picked: tuple[int, ...] = ()
    made: int = -1

    def follow(self, prompt: Prompt) -> HandDraft:
        """Return the cards of the selected answer, if it was selected elsewhere."""
        if prompt.chosen in (-1, self.made):
            return self
        picked: list[int] = []
        for code in _codes(prompt.keys[prompt.chosen]):
            picked.append(next(at for at, part in enumerate(prompt.parts) if part.answer == code and at not in picked))
        return HandDraft(picked=tuple(picked), made=prompt.chosen)

    def pick(self, prompt: Prompt, place: int) -> HandDraft:
        """Return these cards with one more or less; those that cannot go with a new one are put back."""
        if place in self.picked:
            picked = tuple(one for one in self.picked if one != place)
        elif any(_count(prompt, (*self.picked, place)) <= Counter(_codes(key)) for key in prompt.keys):
            picked = (*self.picked, place)
        else:
            picked = (place,)
        hand = replace(self, picked=picked)
        answer = hand.answer(prompt)
        return hand if answer is None else replace(hand, made=prompt.keys.index(answer))

    def answer(self, prompt: Prompt) -> AnswerKey | None:
        """Return the answer that these cards make, or None."""
        counted = _count(prompt, self.picked)
        return next((key for key in prompt.keys if Counter(_codes(key)) == counted), None)


def _codes(key: AnswerKey) -> list[str]:
    """Return the cards of an answer."""
    return [str(code) for code in key.answer] if isinstance(key.answer, list) else []


def _count(prompt: Prompt, places: tuple[int, ...]) -> Counter[str]:
    return Counter(str(prompt.parts[place].answer) for place in places)


class TableCards(ViewModel, frozen=True, kw_only=True):
    """Cards that the table sees: one that is being typed, the list of those `seen`, and the places picked from it."""

    typed: TypedCard = TypedCard()
    seen: tuple[str, ...] = ()
    picks: tuple[int, ...] = ()

    def follow(self, prompt: Prompt) -> TableCards:
        """Return the list with the cards of the selected answer picked."""
        if prompt.chosen < 0:
            return self
        picks: list[int] = []
        for code in cards_of(prompt.keys[prompt.chosen].answer):
            picks.append(next(at for at, one in enumerate(self.seen) if one == code and at not in picks))
        return replace(self, picks=tuple(picks))

    def pick(self, prompt: Prompt, place: int) -> TableCards:
        """Return these cards with one of the list picked, or put back; the earliest picks give way."""
        if place in self.picks:
            return replace(self, picks=tuple(one for one in self.picks if one != place))
        most = prompt.typed[1]
        typed = TypedCard() if most == 1 else self.typed
        return replace(self, typed=typed, picks=_latest((*self.picks, place), most - typed.is_started))

    def type(self, prompt: Prompt, typed: TypedCard) -> TableCards:
        """Return these cards with another card typed; the earliest picks give way."""
        return replace(self, typed=typed, picks=_latest(self.picks, prompt.typed[1] - 1))

    def sign(self, prompt: Prompt, sign: str) -> TableCards:
        """Return these cards with a digit of the factor, or a symbol, typed; too long a factor stays as it is."""
        typed = self.typed
        if sign in SYMBOLS:
            return self.type(prompt, replace(typed, symbols=typed.symbols + sign))
        factor = typed.factor + sign
        if len(factor) > DIGITS or factor == "0":
            return self
        return self.type(prompt, replace(typed, factor=factor))

    def erase(self, prompt: Prompt) -> TableCards:
        """Return these cards without the symbol, or else the digit, typed last."""
        symbols, factor = self.typed.symbols, self.typed.factor
        return self.type(prompt, replace(self.typed, symbols=symbols[:-1], factor=factor if symbols else factor[:-1]))

    def clear(self) -> TableCards:
        """Return these cards without what was typed."""
        return replace(self, typed=TypedCard())

    def keep(self) -> TableCards:
        """Return these cards with the typed one in the list, picked, so that another can be typed."""
        return TableCards(seen=(*self.seen, self.typed.code), picks=(*self.picks, len(self.seen)))

    def code(self, prompt: Prompt) -> str:
        """Return the typed card, or only its factor if only that counts; empty while incomplete."""
        return self.typed.factor if prompt.by else self.typed.code

    def codes(self, prompt: Prompt) -> list[str]:
        """Return the picked cards, then the typed one."""
        code = self.code(prompt)
        return [*(self.seen[pick] for pick in self.picks), *([code] if code else [])]

    def is_whole(self, prompt: Prompt) -> bool:
        """Return True if there are enough cards and none is half typed."""
        least, most = prompt.typed
        return least <= len(self.codes(prompt)) <= most and bool(self.code(prompt)) == self.typed.is_started

    def answer(self, prompt: Prompt) -> Json:
        """Return the answer that these cards make; NOTHING while a card is incomplete.

        If no card is picked or typed, it is the selected word.
        """
        selected = prompt.keys[prompt.chosen] if prompt.chosen >= 0 else None
        if selected is not None and selected in others(prompt) and not self.codes(prompt) and not self.typed.is_started:
            return selected.answer
        return answer_of(prompt, self.codes(prompt)) if self.is_whole(prompt) else NOTHING


def _latest(picks: tuple[int, ...], most: int) -> tuple[int, ...]:
    return picks[max(0, len(picks) - most) :]


Draft: TypeAlias = Points | HandDraft | TableCards


def draft_of(prompt: Prompt, dashboard: Dashboard | None) -> Draft | None:
    """Return the empty draft of a question's answer; None if its answers are not put together."""
    if pool_form(prompt, dashboard) is not None:
        return Points()
    if prompt.typed != (0, 0):
        return TableCards(seen=offered_cards(prompt)).follow(prompt)
    return HandDraft().follow(prompt) if prompt.layout == "pick" else None
