"""Checks: a card against the card in the check area."""

from __future__ import annotations

from companion.rules.conversation.asking import JsonValue, Option, Proc, ask
from companion.rules.conversation.kinds import Pools
from companion.rules.ninety.cards import CHECKS, card, card_named, check_named
from companion.rules.ninety.chapter import SectionChapter
from companion.rules.ninety.hand import ONE, CardQuestion
from companion.rules.ninety.state import SectionCar

BLIND = "blind"


class TargetCheck(SectionChapter):
    """The target check card, and what is played against it."""

    def target(self, car: SectionCar, symbol: str) -> int:
        """The factor to be met: that of the card in the check area, 20 more with P20 and 20 less with M20, for this
        check only [symbols.check, symbols.check-mod, ruling 26]."""
        return card(car.check).factor + CHECKS[symbol]

    def check(self, car: SectionCar, symbol: str, what: str, article: str, played: list[str]) -> Proc[bool]:
        """A check: a card with that factor or a lower one passes, else there is one damage; either way the card used
        is the new check card and the old one is discarded [symbols.check, symbols.check-sources, ruling 26]."""
        used = yield from ask(self.check_question, car, symbol, what, article, played)
        wear: Pools = {}
        if used == BLIND:
            used = yield from self.book.hand.turned(
                car, "symbols.check-sources", what, lambda: self.target(car, symbol)
            )
        elif used in played:
            played.remove(used)
        else:
            self.book.hand.spend(car, [used])
            wear = {"cards": -1}
        target = self.target(car, symbol)
        passed = card(used).factor <= target
        self.book.hand.lay_down([car.check])
        car.check = used
        self.rule("check", article, car, wear, card=used, target=target, passed=passed)
        if not passed:
            self.book.chart.hurt(car, 1, article)
        return passed

    def check_question(
        self, car: SectionCar, symbol: str, what: str, article: str, played: list[str]
    ) -> CardQuestion[str]:
        """What is played against the check card: a card of the hand, one just played and not yet used so, or blind
        the top card of the deck. Of a card that nobody has entered yet its factor is enough
        [symbols.check-sources, ruling 27]."""
        target, dealt = self.target(car, symbol), self.book.hand.dealt

        def read(answer: JsonValue) -> str:
            if answer == BLIND:
                return BLIND
            code = card_named(answer) if dealt else check_named(answer)
            return code if code in played else self.book.hand.from_hand(car, [code])[0]

        sources = dict.fromkeys([*played, *self.book.hand.seen(car)])
        offered = [Option(BLIND), *(Option(code, {}, {"passes": card(code).factor <= target}) for code in sources)]
        return CardQuestion(
            "check", car.number, article, read, offered,
            what=what, count=ONE, typed=not dealt, target=target, symbol=symbol, **({} if dealt else {"by": "factor"}),
        )  # fmt: skip
