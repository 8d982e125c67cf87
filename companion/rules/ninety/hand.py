"""Cards: in the hand, on the table and from the deck; what they pay on a car's chart; and checks with them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from itertools import combinations
from typing import Final, Generic, Literal, Protocol, TypeAlias, TypeVar

from companion.rules.conversation.asking import (
    Json,
    JsonValue,
    Odds,
    Option,
    Procedure,
    Question,
    QuestionWithdrawn,
    ask,
)
from companion.rules.conversation.errors import BadAnswer
from companion.rules.conversation.forms import canonical_json
from companion.rules.conversation.kinds import Ask, Pools, SectionCause
from companion.rules.conversation.shuffling import DECK, shuffled
from companion.rules.ninety.cards import (
    CHECKS,
    FACTORS,
    FORM,
    VALUES,
    card,
    card_named,
    cards_named,
    check_named,
    new_deck,
)
from companion.rules.ninety.state import SectionBook, SectionCar, SectionChapter

V = TypeVar("V")
ONE: Final = (1, 1)
LOW: Final = 12
"""Size up to which a pile may run out before the next card is turned over."""


class CardQuestion(Question[V], Generic[V]):
    """A question answered with cards, or with a word instead of them; cards that have been seen are offered.

    With `count` that many are shown; if they are `typed`, others than those offered too: what they show is entered.
    """

    def __init__(
        self,
        kind: Ask,
        car: int,
        article: str,
        read: Callable[[JsonValue], V],
        offered: Sequence[Option] = (),
        *,
        what: str = "",
        count: tuple[int, int] | None = None,
        typed: bool = True,
        **facts: Json,
    ) -> None:
        super().__init__(car, article, what)
        self.kind, self._read, self._offered = kind, read, offered
        shown: dict[str, Json] = {"cards": list(count)} if count is not None else {}
        self.fields = {**facts, **shown, **({"card": FORM} if shown and typed else {})} or None

    @property
    def ask(self) -> Ask:  # type: ignore[override]
        return self.kind

    def options(self) -> Sequence[Option]:
        return self._offered

    def read(self, answer: JsonValue) -> V:
        return self._read(answer)


By: TypeAlias = Literal["", "factor", "value"]
"""Only part that counts of a card turned over, its check factor or its value; empty where more does."""


class TurnedCard(CardQuestion[str]):
    """The question what a card turned over from the deck shows, as far as it counts.

    It is met up to the factor `meets`, where that is not None.
    """

    def __init__(self, hand: Hand, car: SectionCar, article: str, what: str, meets: int | None, by: By) -> None:
        valued = by == "value"
        values = [Option(value) for value in range(VALUES[0], VALUES[1] + 1)] if valued else []
        super().__init__(
            "drawn", car.number, article, self.card_code, values, what=what, count=None if valued else ONE, by=by
        )
        self.hand, self.meets, self.by = hand, meets, by

    def card_code(self, answer: JsonValue) -> str:
        """Return the code of the card, or enough of it; raise BadAnswer."""
        if self.by == "value" and isinstance(answer, int) and not isinstance(answer, bool):
            return card_named(f"E{answer} {FACTORS[0]}")
        return check_named(answer) if self.by == "factor" else card_named(answer)

    def odds(self) -> list[Odds]:
        """Return the groups of cards that bring the same, weighed by the cards that nobody has seen.

        There are none where more of the card matters than its value or its factor [cards.race].
        """
        if not self.by or (self.by == "factor" and self.meets is None):
            return []
        ends = [(value, value) for value in range(VALUES[0], VALUES[1] + 1)]
        if self.meets is not None:
            meets = min(max(self.meets, FACTORS[0] - 1), FACTORS[1])
            ends = [(FACTORS[0], meets), (meets + 1, FACTORS[1])]
        counts = self.hand.unseen(ends, factors=self.meets is not None)
        code = "E1 {}" if self.meets is not None else "E{} 50"
        weighed = zip(ends, counts, strict=True)
        return [Odds(code.format(last), weight, first, last) for (first, last), weight in weighed if weight]


class HandBook(SectionBook, Protocol):
    """The book as hand, chart and checks see it."""

    hand: Hand
    chart: CarChart
    checks: TargetCheck


class Hand(SectionChapter):
    """The deck, the hands and the cards on the table: drawn, held, shown and laid down."""

    book: HandBook

    # -- the deck of the program

    @property
    def dealt(self) -> bool:
        """True if the program keeps the deck, and so knows every hand."""
        return self.race.deck != 0

    def next_card(self) -> str:
        """Take the top card of the program's deck, shuffling the discards when it is used up [cards.race]."""
        race = self.race
        if not race.pile:
            rest = race.discards if race.shuffles else self.undealt()
            race.pile = shuffled(rest, race.deck, race.shuffles)
            race.discards, race.shuffles = [], race.shuffles + 1
        if not race.pile:  # every card is in a hand: so many drivers have never been seen
            race.pile = shuffled(new_deck(self.deck_values()), race.deck, race.shuffles)
        return race.pile.pop()

    def deck_values(self) -> Sequence[int]:
        """Return how many cards of each value a deck has [cards.race]."""
        return self.figures.deck_values

    def undealt(self) -> list[str]:
        """Return the cards of a new deck that no driver holds, as a position may name hands [cards.race]."""
        cards = new_deck(self.deck_values())
        for code in self.held_cards():
            if code in cards:
                cards.remove(code)
        return cards

    def held_cards(self) -> list[str]:
        """Return the cards in the hands and in the check areas [cards.race, symbols.check]."""
        return [code for car in self.race.cars for code in (*car.hand, *([car.check] if car.check else ()))]

    def turned(
        self, car: SectionCar, article: str, what: str, meets: Callable[[], int] | None = None, *, by: By = "factor"
    ) -> Procedure[str]:
        """Turn a card over from the deck for a driver [cards.race].

        Where the table has its own deck it says what the card shows, as far as that counts.
        """
        if self.dealt and not self.book.hidden:
            return self.next_card()
        return (yield from ask(self.turned_question, car, article, what, meets, by))

    def turned_question(
        self, car: SectionCar, article: str, what: str, meets: Callable[[], int] | None, by: By
    ) -> TurnedCard:
        """Ask which card was turned over, and show what it has to meet as things stand [cards.race].

        Raises QuestionWithdrawn once nothing is to be met.
        """
        return TurnedCard(self, car, article, what, meets() if meets is not None else None, by)

    def unseen(self, ends: Sequence[tuple[int, int]], *, factors: bool) -> list[int]:
        """Return how many unseen cards lie between each of these pairs of factors, or of values.

        Of the program's deck these are the cards in the pile, with those that will be shuffled where it runs low; of
        the table's own deck factors are spread evenly, and there are as many of each value as a deck has [cards.race].
        """
        race = self.race
        if self.dealt:
            pile = race.pile if len(race.pile) > LOW else [*race.pile, *race.discards]
            if len(pile) <= LOW:
                pile = [*pile, *new_deck(self.deck_values())]
            shown = [card(code) for code in pile]
            numbers = [one.factor if factors else one.value for one in shown]
            return [sum(first <= number <= last for number in numbers) for first, last in ends]
        if factors:
            return [last - first + 1 for first, last in ends]
        return [self.deck_values()[first - VALUES[0]] for first, _ in ends]

    def deal_anew(self, seed: int) -> None:
        """Deal again the cards of the program's deck that only their holders have seen, or nobody has.

        Each driver gets as many as before, and keeps his frozen cards, which all have seen [cards.race,
        contest.frozen].
        """
        race = self.race
        if not self.dealt:
            return
        race.deck = seed % DECK + 1
        held = {car.number: len(self.known_cards(car)) for car in race.cars}
        unseen = sorted([*race.pile, *(code for car in race.cars for code in self.known_cards(car))])
        race.pile = shuffled(unseen, race.deck, 0)
        for car in race.cars:
            car.hand = [*car.frozen, *(race.pile.pop() for _ in range(held[car.number]))]

    def lay_down(self, codes: Sequence[str]) -> None:
        """Lay used cards on the discard pile."""
        if self.dealt:
            self.race.discards += codes

    # -- the hand

    def draw(self, car: SectionCar, count: int = 1) -> None:
        """Draw cards into the hand; which ones is seen only with a deck of the program [draw.card, symbols.draw]."""
        if self.dealt:
            car.hand += [self.next_card() for _ in range(count)]
        car.wear["cards"] += count

    def loose(self, car: SectionCar) -> int:
        """Return how many cards of a hand are not frozen [contest.frozen, ruling 45]."""
        return max(0, car.wear["cards"] - len(car.frozen))

    def known_cards(self, car: SectionCar) -> list[str]:
        """Return the known cards of a hand that are not frozen: a card entered once may be picked again."""
        return list((Counter(car.hand) - Counter(car.frozen)).elements())

    def from_hand(self, car: SectionCar, codes: Sequence[str]) -> list[str]:
        """Check that cards can come from a hand, and return them [contest.frozen, ruling 45].

        Raises BadAnswer for a frozen card, or one too many.
        """
        there, free = Counter(car.hand), Counter(self.known_cards(car))
        for code, count in Counter(codes).items():
            if count > free[code] and (self.dealt or code in car.frozen):
                if there[code] >= count:
                    raise BadAnswer("card_frozen", code=code)
                raise BadAnswer("not_in_hand", car=car.number, code=code)
        if len(codes) > self.loose(car):
            raise BadAnswer("cards_used", car=car.number, count=self.loose(car), used=len(codes))
        return list(codes)

    def spend(self, car: SectionCar, codes: Sequence[str]) -> None:
        """Take cards out of a hand."""
        car.wear["cards"] -= len(codes)
        for code in codes:
            if (meant := self.match_factor(car, code)) in car.hand:
                car.hand.remove(meant)
        self.keep_count(car)

    def match_factor(self, car: SectionCar, code: str) -> str:
        """Return the seen card that has a factor said alone, if only one has it.

        Otherwise the code stays as it is [symbols.check-sources, ruling 45].
        """
        fits = self.with_factor(code, self.known_cards(car))
        return fits[0] if len(fits) == 1 else code

    @staticmethod
    def with_factor(code: str, among: Iterable[str]) -> list[str]:
        """Return the different cards among these that have a factor which was said alone."""
        return [one for one in dict.fromkeys(among) if code == str(card(one).factor)]

    def keep_count(self, car: SectionCar) -> None:
        """Forget the known cards of a hand, but for the frozen ones, if they are more than it holds.

        A driver who shows another card where all of his were known does not have those that were thought to be there
        [ruling 45].
        """
        if len(car.hand) > car.wear["cards"]:
            car.hand = list(car.frozen)

    def lose(self, car: SectionCar, count: int) -> None:
        """Take this many cards out of a hand that only its player sees [ruling 45].

        He alone knows which they are, so only the frozen cards are still known to be there.
        """
        car.wear["cards"] -= count
        car.hand = list(car.frozen) if count else car.hand

    def one_from_hand(self, car: SectionCar, answer: JsonValue) -> str:
        """One card of a hand, as it was written; raises BadAnswer."""
        (code,) = self.from_hand(car, [card_named(answer)])
        return code

    def pairs(self, car: SectionCar) -> list[list[str]]:
        """Every card of a hand that has been seen alone, and every two of them, each once."""
        singles = list(dict.fromkeys(self.known_cards(car)))
        twos = dict.fromkeys(combinations(sorted(self.known_cards(car)), 2))
        return [[code] for code in singles] + [list(two) for two in twos]

    def cards_shown(self, car: SectionCar, answer: JsonValue) -> list[str]:
        """One card or two of a hand, as they were written; raises BadAnswer [contest.choose, ruling 18]."""
        codes = cards_named(answer)
        if not 1 <= len(codes) <= 2:
            raise BadAnswer("cards_shown", count=len(codes))
        return self.from_hand(car, codes)

    def surplus(self, car: SectionCar) -> int:
        """Return how many cards of a hand are above the chart [pit.cards, ruling 34].

        A frozen card counts, but stays.
        """
        return min(car.wear["cards"] - car.built["cards"], self.loose(car))

    def discard(self, car: SectionCar) -> Procedure[None]:
        """Discard cards down to the chart [pit.cards, ruling 34]."""
        if not self.dealt:
            self.lose(car, self.surplus(car))
            return
        with suppress(QuestionWithdrawn):
            while True:
                code = yield from ask(self.discard_question, car)
                self.spend(car, [code])
                self.lay_down([code])

    def discard_question(self, car: SectionCar) -> CardQuestion[str] | None:
        """Ask which card is discarded, any but a frozen one, while the hand is above the chart.

        [pit.cards]
        """
        left = self.surplus(car)
        return self.card_question("discard", car, "pit.cards", what=f"cards_{left}") if left > 0 else None

    def card_question(self, kind: Ask, car: SectionCar, article: str, what: str = "") -> CardQuestion[str]:
        """One card of a hand."""
        offered = [Option(code) for code in dict.fromkeys(self.known_cards(car))]
        return CardQuestion(
            kind, car.number, article, lambda said: self.one_from_hand(car, said), offered,
            what=what, count=ONE, typed=not self.dealt,
        )  # fmt: skip


def one_of(answers: Sequence[Json]) -> Callable[[JsonValue], Json]:
    """Read one of a few answers; raises BadAnswer for any other."""
    known = {canonical_json(answer): answer for answer in answers}

    def read(answer: JsonValue) -> Json:
        try:
            return known[canonical_json(answer)]
        except KeyError:
            listed, said = ", ".join(text.decode() for text in known), canonical_json(answer).decode()[:60]
            raise BadAnswer("choice", listed=listed, answer=said) from None

    return read


OFFERED = 40
"""Maximum number of ways to pay that are offered."""


class CarChart(SectionChapter):
    """The car charts: tyres and damage, what symbols cost, and the refill at a stop."""

    book: HandBook

    def eliminate(self, car: SectionCar, cause: SectionCause, article: str) -> None:
        """Take a car out of the race and off the board."""
        car.status, car.cause, car.line = "out", cause, -1
        self.race.gone.append(car.number)
        self.rule("out", article, car, cause=cause, removed=True)

    def give_chart(self, car: SectionCar, chart: Pools) -> None:
        """Give a driver a chart, and draw the hand that it says [chart.car].

        The chart says how many tyres and cards he begins with and takes back at a stop, and how much damage the car can
        take.
        """
        car.built, car.wear = dict(chart), {**chart, "cards": 0}
        self.book.hand.draw(car, chart["cards"])

    # -- damage

    def hurt(self, car: SectionCar, count: int, article: str, *, permanent: bool = False) -> None:
        """Put damage on the chart piece by piece [tokens.damage, chart.breakdown, ruling 24, ruling 25].

        A piece that no longer fits retires the car.
        """
        for _ in range(count):
            if car.bot or not car.alive:
                return
            if not car.wear["damage"]:
                self.eliminate(car, "breakdown", "chart.breakdown")
                return
            car.wear["damage"] -= 1
            car.permanent += permanent
            self.rule("damage", article, car, {"damage": -1}, permanent=permanent)

    def refill(self, car: SectionCar) -> Procedure[None]:
        """Remove the repairable damage at a stop, and refill tyres and hand.

        Tyres and hand are again as the chart has them [pit.stop, tokens.tyres, ruling 32, ruling 34].
        """
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
        """Return the tyres that the cards played cost together [strategy.save-tyres, ruling 19].

        Save Tyres takes one off, never below none.
        """
        due = sum(card(code).count("T") for code in played)
        return max(0, due - self.figures.saved_tyres) if car.strategy == "save_tyres" else due

    def can_pay(self, car: SectionCar, due: int, playing: int = 0) -> bool:
        """Return True if a car can pay this many tyres [symbols.pay, ruling 19].

        The first is a chip, each of the others a chip or a card of the hand, which has by then lost those that the
        driver is `playing`.
        """
        return not due or car.wear["tyres"] + min(due - 1, self.book.hand.loose(car) - playing) >= due

    def pay(self, car: SectionCar, played: list[str]) -> Procedure[None]:
        """Pay the symbols: tyres first, then damage in the order of the cards [symbols.pay, ruling 23].

        A driver who cannot pay is out at once.
        """
        instead: list[str] | int = 0
        with suppress(QuestionWithdrawn):
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
        """Ask how many cards are laid down instead of tyres, all but the first of which a card can replace.

        Which cards they are is asked only where the program deals the hand, for any card pays one tyre. A driver who
        has nothing to choose, or cannot pay, is not asked [symbols.pay, ruling 19].
        """
        hand, due = self.book.hand, self.tyres_due(car, played)
        least, most = max(0, due - car.wear["tyres"]), min(due - 1, hand.loose(car))
        if most < 1 or not self.can_pay(car, due):
            return None
        offered = []
        for count in range(least, most + 1):
            wear: Pools = {"tyres": count - due, **({"cards": -count} if count else {})}
            which: list[Json] = [
                list(codes) for codes in dict.fromkeys(combinations(sorted(hand.known_cards(car)), count))
            ]
            offered += [Option(way, wear) for way in (which if hand.dealt else [count])]
        return CardQuestion(
            "pay", car.number, "symbols.pay", lambda said: self.replacing(car, said, least, most), offered[:OFFERED],
            count=(least, most) if hand.dealt else None, typed=False, due=due, chips=car.wear["tyres"],
        )  # fmt: skip

    def replacing(self, car: SectionCar, answer: JsonValue, least: int, most: int) -> list[str] | int:
        """Return how many cards replace tyres, or which they are; raise BadAnswer.

        [symbols.pay, tokens.tyres]
        """
        counted = not self.book.hand.dealt and not isinstance(answer, bool)
        cards = answer if counted and isinstance(answer, int) else cards_named(answer)
        if not least <= (count := cards if isinstance(cards, int) else len(cards)) <= most:
            raise BadAnswer("cards_replace", least=least, most=most, count=count)
        return cards if isinstance(cards, int) else self.book.hand.from_hand(car, cards)


BLIND = "blind"


class TargetCheck(SectionChapter):
    """Checks: a card against the card in the check area."""

    book: HandBook

    def target(self, car: SectionCar, symbol: str) -> int:
        """Return the factor to be met: that of the card in the check area.

        P20 adds 20 and M20 takes 20 off, for this check only [symbols.check, symbols.check-mod, ruling 26].
        """
        return card(car.check).factor + CHECKS[symbol]

    def check(self, car: SectionCar, symbol: str, what: str, article: str, played: list[str]) -> Procedure[bool]:
        """Make a check: pass with that factor or a lower one, else take one damage.

        Either way the card used is the new check card and the old one is discarded [symbols.check,
        symbols.check-sources, ruling 26].
        """
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
        """Ask what is played against the check card [symbols.check-sources, ruling 27].

        It is a card of the hand, one just played and not yet used so, or blind the top card of the deck. Its factor is
        enough: it is the card seen that has it, or else one of the hand that nobody has entered yet.
        """
        target, dealt = self.target(car, symbol), self.book.hand.dealt
        sources = dict.fromkeys([*played, *self.book.hand.known_cards(car)])

        def read(answer: JsonValue) -> str:
            if answer == BLIND:
                return BLIND
            code = card_named(answer) if dealt else check_named(answer)
            fits = self.book.hand.with_factor(code, sources)
            if len(fits) > 1 and not set(played).isdisjoint(fits):
                raise BadAnswer("card_unclear", cards=" and ".join(fits), factor=code)
            code = fits[0] if len(fits) == 1 else code
            return code if code in played else self.book.hand.from_hand(car, [code])[0]

        offered = [Option(BLIND), *(Option(code, {}, {"passes": card(code).factor <= target}) for code in sources)]
        return CardQuestion(
            "check", car.number, article, read, offered,
            what=what, count=ONE, typed=not dealt, target=target, symbol=symbol, **({} if dealt else {"by": "factor"}),
        )  # fmt: skip
