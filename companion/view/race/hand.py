"""Cards as answers: a key per card, and answers made of several cards."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Final, Literal

from companion.rules.conversation.asking import Asked, Json, Option
from companion.rules.conversation.errors import BadAnswer
from companion.rules.ninety.cards import CHECKS, card, card_named
from companion.view import price
from companion.view.race import risk
from companion.view.shown import AnswerKey, Card, CardLine, Price, Term, Tone
from companion.view.sight import Sight

DRAWN: Final[tuple[tuple[str, str, str, Tone], ...]] = (
    ("T", "tyres", "−", "warn"),
    ("R", "damage", "+", "warn"),
    ("B", "damage", "+", "bad"),
    ("N", "cards", "+", "ok"),
)
"""Symbols of a card with pictogram, sign and tone; checks are drawn separately."""

WORDED: Final = 6
"""Maximum number of cards in a row that have room for words."""


def is_card(answer: Json) -> bool:
    """Return True if an answer is a card code."""
    try:
        return isinstance(answer, str) and card_named(answer) == answer
    except BadAnswer:
        return False


def layout_of(options: Sequence[Option]) -> Literal["", "cards", "pick"]:
    """Return the layout of cards: in a row or to be combined; "" if answers are not cards."""
    if any(isinstance(option.answer, list) for option in options):
        return "pick"
    return "cards" if any(is_card(option.answer) for option in options) else ""


def short(codes: Iterable[str]) -> str:
    """Return cards by type and value: "S3 + G1"."""
    return " + ".join(code.split()[0] for code in codes)


def face(sight: Sight, code: str, option: Option | None = None, *, many: bool = False) -> AnswerKey:
    """Return a card as a key: type and value, check factor, cost and gain.

    With `many`, the factor is the figure alone. A card that is checked shows whether it passes.
    """
    prices, factor = symbols(code) or (Price(text="–"),), card(code).factor
    if option is not None and "passes" in option.facts:
        passes = bool(option.facts["passes"])
        prices = (Price(icon="check" if passes else "cross", tone="ok" if passes else "warn"),)
    note = str(factor) if many else sight.say("hand.factor", factor=factor)
    return AnswerKey(answer=code, label=code.split()[0], note=note, prices=prices)


def symbols(code: str) -> tuple[Price, ...]:
    """Return the symbols of a card."""
    shown = card(code)
    found = [
        Price(icon=icon, text=f"{sign}{shown.count(symbol)}", tone=tone)
        for symbol, icon, sign, tone in DRAWN
        if shown.count(symbol)
    ]
    checks = [CHECKS[symbol] for symbol in shown.symbols if symbol in CHECKS]
    found += [Price(icon="target", text=price.signed(more) if more else "", tone="info") for more in checks]
    return tuple(found[: price.MOST])


def parts(sight: Sight, options: Sequence[Option]) -> tuple[AnswerKey, ...]:
    """Return the cards from which answers are made, each as often as one answer needs it."""
    most: Counter[str] = Counter()
    for option in options:
        most |= Counter(option.answer if isinstance(option.answer, list) else ())
    cards = list(most.elements())
    return tuple(face(sight, code, many=len(cards) > WORDED) for code in cards)


def picked(sight: Sight, asked: Asked, option: Option) -> AnswerKey:
    """Return the key for an answer of several cards: the act, the cards and the cost."""
    return AnswerKey(
        answer=option.answer,
        label=sight.maybe(f"pick.{asked.ask}", **option.facts, count=len(option.answer))
        or sight.words.word("about", asked.ask).capitalize(),
        note=short(option.answer),
        prices=risk.answer_costs(sight, option),
        accept=risk.accepted(sight, option),
    )


def laid(sight: Sight, key: AnswerKey, left: int) -> Card | None:
    """Return the card for a combination that is picked but not yet played.

    It adds up the values; in a contest also the unfrozen cards left.
    """
    asked, codes = sight.asked, key.answer
    if asked is None or not isinstance(codes, list):
        return None
    values = [card(str(code)).value for code in codes]
    figures = [Term(value=str(value), word=short([str(code)])) for code, value in zip(codes, values, strict=True)]
    terms = [term for figure in figures for term in (Term(value="+"), figure)][1:]
    terms += [Term(value="="), Term(value=str(sum(values)))] if len(values) > 1 else []
    lines: tuple[CardLine, ...] = ()
    if asked.ask == "show":
        lines = (
            CardLine(
                text=sight.say("pick.frozen", cards=short(map(str, codes)), left=left - len(codes)),
                icon="lock",
                tone="warn",
            ),
        )
    down = sight.maybe(f"pick.down.{asked.ask}")
    return Card(
        title=key.label, article=asked.article, cited=sight.cited(asked.article), icon="cards",
        sums=(tuple(terms),) if codes else (), lines=lines, accept=down or sight.say("accept.else"), act=key.note,
    )  # fmt: skip
