"""The car charts: tyres and damage, what symbols cost, and the refill at a stop."""

from __future__ import annotations

from contextlib import suppress
from itertools import combinations

from companion.rules.conversation.asking import Json, JsonValue, Moot, Option, Proc, ask
from companion.rules.conversation.errors import BadAnswer
from companion.rules.conversation.kinds import Pools, SectionCause
from companion.rules.ninety.cards import card, cards_named
from companion.rules.ninety.chapter import SectionChapter
from companion.rules.ninety.hand import CardQuestion
from companion.rules.ninety.state import SectionCar

OFFERED = 40
"""The most ways to pay that are offered."""


class CarChart(SectionChapter):
    """What a car has left on its chart."""

    def eliminate(self, car: SectionCar, cause: SectionCause, article: str) -> None:
        """Takes a car out of the race and off the board."""
        car.status, car.cause, car.line = "out", cause, -1
        self.race.gone.append(car.number)
        self.rule("out", article, car, cause=cause, removed=True)

    def give_chart(self, car: SectionCar, chart: Pools) -> None:
        """A chart says how many tyres and cards a driver begins with and takes back at a stop, and how much damage the
        car can take [chart.car]."""
        car.built, car.wear = dict(chart), {**chart, "cards": 0}
        self.book.hand.draw(car, chart["cards"])

    # -- damage

    def hurt(self, car: SectionCar, count: int, article: str, *, permanent: bool = False) -> None:
        """Damage goes on the chart piece by piece; one that no longer fits retires the car
        [tokens.damage, chart.breakdown, ruling 24, ruling 25]."""
        for _ in range(count):
            if car.bot or not car.alive:
                return
            if not car.wear["damage"]:
                self.eliminate(car, "breakdown", "chart.breakdown")
                return
            car.wear["damage"] -= 1
            car.permanent += permanent
            self.rule("damage", article, car, {"damage": -1}, permanent=permanent)

    def refill(self, car: SectionCar) -> Proc[None]:
        """At a stop the repairable damage comes off, and tyres and hand are again as the chart has them
        [pit.stop, tokens.tyres, ruling 32, ruling 34]."""
        before = dict(car.wear)
        car.wear["tyres"] = car.built["tyres"]
        car.wear["damage"] = car.built["damage"] - car.permanent
        surplus = car.wear["cards"] - car.built["cards"]
        if surplus < 0:
            self.book.hand.draw(car, -surplus)
        else:
            yield from self.book.hand.discard(car)
        wear = {pool: car.wear[pool] - count for pool, count in before.items() if car.wear[pool] != count}
        self.rule("refill", "pit.stop", car, wear, permanent=car.permanent)

    # -- paying

    def tyres_due(self, car: SectionCar, played: list[str]) -> int:
        """The tyres that the cards played cost together; Save Tyres takes one off, never below none
        [strategy.save-tyres, ruling 19]."""
        due = sum(card(code).count("T") for code in played)
        return max(0, due - self.figures.saved_tyres) if car.strategy == "save_tyres" else due

    def can_pay(self, car: SectionCar, due: int, playing: int = 0) -> bool:
        """Whether a car can pay so many tyres: the first is a chip, each of the others a chip or a card of the hand,
        which those that it is `playing` have left by then [symbols.pay, ruling 19]."""
        return not due or car.wear["tyres"] + min(due - 1, self.book.hand.loose(car) - playing) >= due

    def pay(self, car: SectionCar, played: list[str]) -> Proc[None]:
        """Tyres first, then damage in the order of the cards; who cannot pay is out at once
        [symbols.pay, ruling 23]."""
        instead: list[str] | int = 0
        with suppress(Moot):
            instead = yield from ask(self.pay_question, car, played)
        due = self.tyres_due(car, played)
        if not self.can_pay(car, due):
            self.eliminate(car, "unpaid", "symbols.pay")
            return
        count = instead if isinstance(instead, int) else len(instead)
        if isinstance(instead, int):
            self.book.hand.lose(car, instead)
        else:
            self.book.hand.spend(car, instead)
            self.book.hand.lay_down(instead)
        if due:
            car.wear["tyres"] -= due - count
            paid: Pools = {"tyres": count - due, "cards": -count}
            self.rule("paid", "symbols.pay", car, {pool: points for pool, points in paid.items() if points}, due=due)
        for code in played:
            shown = card(code)
            self.hurt(car, shown.count("R"), "symbols.pay")
            self.hurt(car, shown.count("B"), "symbols.pay", permanent=True)

    def pay_question(self, car: SectionCar, played: list[str]) -> CardQuestion[list[str] | int] | None:
        """How many cards are laid down instead of tyres, all but the first of which a card can replace; which they are
        only where the program deals the hand, for any card pays one tyre. Who has nothing to choose, or cannot pay, is
        not asked [symbols.pay, ruling 19]."""
        hand, due = self.book.hand, self.tyres_due(car, played)
        least, most = max(0, due - car.wear["tyres"]), min(due - 1, hand.loose(car))
        if most < 1 or not self.can_pay(car, due):
            return None
        offered = []
        for count in range(least, most + 1):
            wear: Pools = {"tyres": count - due, **({"cards": -count} if count else {})}
            which: list[Json] = [list(codes) for codes in dict.fromkeys(combinations(sorted(hand.seen(car)), count))]
            offered += [Option(way, wear) for way in (which if hand.dealt else [count])]
        return CardQuestion(
            "pay", car.number, "symbols.pay", lambda said: self.replacing(car, said, least, most), offered[:OFFERED],
            count=(least, most) if hand.dealt else None, typed=False, due=due, chips=car.wear["tyres"],
        )  # fmt: skip

    def replacing(self, car: SectionCar, answer: JsonValue, least: int, most: int) -> list[str] | int:
        """How many cards replace tyres, or which they are; raises BadAnswer [symbols.pay, tokens.tyres]."""
        counted = not self.book.hand.dealt and not isinstance(answer, bool)
        cards = answer if counted and isinstance(answer, int) else cards_named(answer)
        if not least <= (count := cards if isinstance(cards, int) else len(cards)) <= most:
            raise BadAnswer(
                f"Here {least} to {most} cards can replace tyres; {count} cannot: the first tyre is a chip, "
                "each of the others a chip or a card of the hand.",
            )
        return cards if isinstance(cards, int) else self.book.hand.from_hand(car, cards)
