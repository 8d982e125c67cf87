"""Cards in the hand, on the table and from the deck: of the players, or of a deck that the program keeps."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import suppress
from itertools import combinations
from typing import Final, Generic, Literal, TypeAlias, TypeVar

from companion.rules.conversation.asking import Json, JsonValue, Moot, Odds, Option, Proc, Question, ask
from companion.rules.conversation.errors import BadAnswer
from companion.rules.conversation.forms import written
from companion.rules.conversation.kinds import Ask
from companion.rules.conversation.shuffling import DECK, shuffled
from companion.rules.ninety.cards import FACTORS, FORM, VALUES, card, card_named, cards_named, check_named
from companion.rules.ninety.chapter import SectionChapter
from companion.rules.ninety.deck import new_deck
from companion.rules.ninety.state import SectionCar

V = TypeVar("V")
ONE: Final = (1, 1)
LOW: Final = 12
"""A pile of no more cards may run out before the next is turned over."""


class CardQuestion(Question[V], Generic[V]):
    """Cards that somebody shows, or a word instead of them; those that have been seen are offered. With `count` so many
    are shown, and where they are `typed` others than those offered too: what they show is entered."""

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
"""What alone counts of a card turned over, its check factor or its value; empty where more does."""


class TurnedCard(CardQuestion[str]):
    """What a card turned over from the deck shows, as far as it counts. It is met up to the factor `meets`, where that
    is not None."""

    def __init__(self, hand: Hand, car: SectionCar, article: str, what: str, meets: int | None, by: By) -> None:
        valued = by == "value"
        values = [Option(value) for value in range(VALUES[0], VALUES[1] + 1)] if valued else []
        super().__init__(
            "drawn", car.number, article, self.shown, values, what=what, count=None if valued else ONE, by=by
        )
        self.hand, self.meets, self.by = hand, meets, by

    def shown(self, answer: JsonValue) -> str:
        """The card, or what is enough of it; raises BadAnswer."""
        if self.by == "value" and isinstance(answer, int) and not isinstance(answer, bool):
            return card_named(f"E{answer} {FACTORS[0]}")
        return check_named(answer) if self.by == "factor" else card_named(answer)

    def odds(self) -> list[Odds]:
        """The cards that bring the same, by how many there are of them among those that nobody has seen; what it takes
        a card for that shows no more than this matters [cards.race]."""
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


class Hand(SectionChapter):
    """What is drawn, held, shown and laid down."""

    # -- the deck of the program

    @property
    def dealt(self) -> bool:
        """Whether the program keeps the deck, and so knows every hand."""
        return self.race.deck != 0

    def next_card(self) -> str:
        """The top card of the program's deck; what was laid down is shuffled when it is used up [cards.race]."""
        race = self.race
        if not race.pile:
            rest = race.discards if race.shuffles else new_deck(self.figures.deck_values)
            race.pile = shuffled(rest, race.deck, race.shuffles)
            race.discards, race.shuffles = [], race.shuffles + 1
        if not race.pile:  # every card is in a hand: so many drivers have never been seen
            race.pile = shuffled(new_deck(self.figures.deck_values), race.deck, race.shuffles)
        return race.pile.pop()

    def turned(
        self, car: SectionCar, article: str, what: str, meets: Callable[[], int] | None = None, *, by: By = "factor"
    ) -> Proc[str]:
        """A card turned over from the deck for a driver: the table says what it shows, as far as that counts
        [cards.race]."""
        if self.dealt and not self.book.hidden:
            return self.next_card()
        return (yield from ask(self.turned_question, car, article, what, meets, by))

    def turned_question(
        self, car: SectionCar, article: str, what: str, meets: Callable[[], int] | None, by: By
    ) -> TurnedCard:
        """Which card was turned over, and what it has to meet as things stand; raises Moot where there is nothing to be
        met any more [cards.race]."""
        return TurnedCard(self, car, article, what, meets() if meets is not None else None, by)

    def unseen(self, ends: Sequence[tuple[int, int]], *, factors: bool) -> list[int]:
        """How many cards that nobody has seen lie between each of these factors, or values: of the program's deck those
        in the pile, with what will be shuffled where it runs low; of the table's own as factors are spread, and as many
        of each value as a deck has [cards.race]."""
        race = self.race
        if self.dealt:
            pile = race.pile if len(race.pile) > LOW else [*race.pile, *race.discards]
            if len(pile) <= LOW:
                pile = [*pile, *new_deck(self.figures.deck_values)]
            shown = [card(code) for code in pile]
            marks = [one.factor if factors else one.value for one in shown]
            return [sum(first <= mark <= last for mark in marks) for first, last in ends]
        if factors:
            return [last - first + 1 for first, last in ends]
        return [self.figures.deck_values[first - VALUES[0]] for first, _ in ends]

    def deal_anew(self, seed: int) -> None:
        """Deals another pile and other hands from the cards of the program's deck that only their holders have seen, or
        nobody: as many to each driver as he had, but for frozen ones, which all have seen [cards.race,
        contest.frozen]."""
        race = self.race
        if not self.dealt:
            return
        race.deck = seed % DECK + 1
        held = {car.number: len(self.seen(car)) for car in race.cars}
        unseen = sorted([*race.pile, *(code for car in race.cars for code in self.seen(car))])
        race.pile = shuffled(unseen, race.deck, 0)
        for car in race.cars:
            car.hand = [*car.frozen, *(race.pile.pop() for _ in range(held[car.number]))]

    def lay_down(self, codes: Sequence[str]) -> None:
        """Cards that have been used."""
        if self.dealt:
            self.race.discards += codes

    # -- the hand

    def draw(self, car: SectionCar, count: int = 1) -> None:
        """Draws cards into the hand; which ones is seen only with a deck of the program [draw.card, symbols.draw]."""
        if self.dealt:
            car.hand += [self.next_card() for _ in range(count)]
        car.wear["cards"] += count

    def loose(self, car: SectionCar) -> int:
        """How many cards of a hand are not frozen [contest.frozen, ruling 45]."""
        return max(0, car.wear["cards"] - len(car.frozen))

    def seen(self, car: SectionCar) -> list[str]:
        """The cards of a hand that have been seen and are not frozen: a card entered once may be picked again."""
        return list((Counter(car.hand) - Counter(car.frozen)).elements())

    def from_hand(self, car: SectionCar, codes: Sequence[str]) -> list[str]:
        """Checks that cards can come from a hand; raises BadAnswer for a frozen one, or one too many
        [contest.frozen, ruling 45]."""
        there, free = Counter(car.hand), Counter(self.seen(car))
        for code, count in Counter(codes).items():
            if count > free[code] and (self.dealt or code in car.frozen):
                if there[code] >= count:
                    raise BadAnswer(f"{code} is frozen until the next turn; choose another card.")
                raise BadAnswer(f"Car {car.number} has no {code} in its hand.")
        if len(codes) > self.loose(car):
            raise BadAnswer(f"Car {car.number} has {self.loose(car)} cards that it can use; {len(codes)} are too many.")
        return list(codes)

    def spend(self, car: SectionCar, codes: Sequence[str]) -> None:
        """Takes cards out of a hand."""
        car.wear["cards"] -= len(codes)
        for code in codes:
            if (meant := self.meant(car, code)) in car.hand:
                car.hand.remove(meant)
        self.keep_count(car)

    def meant(self, car: SectionCar, code: str) -> str:
        """A card of which its factor alone was said is the one seen that has it, where no other has
        [symbols.check-sources, ruling 45]."""
        fits = {seen for seen in self.seen(car) if code == str(card(seen).factor)}
        return fits.pop() if len(fits) == 1 else code

    def keep_count(self, car: SectionCar) -> None:
        """No more cards are known to be in a hand than it has: who shows another where all of it were seen has not
        those that were thought to be there, and none is known to be but the frozen ones [ruling 45]."""
        if len(car.hand) > car.wear["cards"]:
            car.hand = list(car.frozen)

    def lose(self, car: SectionCar, count: int) -> None:
        """Takes so many cards out of a hand that only its player sees: which they are he alone knows, and so none that
        was seen is known to be there but the frozen ones [ruling 45]."""
        car.wear["cards"] -= count
        car.hand = list(car.frozen) if count else car.hand

    def one_from_hand(self, car: SectionCar, answer: JsonValue) -> str:
        """One card of a hand, as it was written; raises BadAnswer."""
        (code,) = self.from_hand(car, [card_named(answer)])
        return code

    def pairs(self, car: SectionCar) -> list[list[str]]:
        """Every card of a hand that has been seen alone, and every two of them, each once."""
        singles = list(dict.fromkeys(self.seen(car)))
        twos = dict.fromkeys(combinations(sorted(self.seen(car)), 2))
        return [[code] for code in singles] + [list(two) for two in twos]

    def cards_shown(self, car: SectionCar, answer: JsonValue) -> list[str]:
        """One card or two of a hand, as they were written; raises BadAnswer [contest.choose, ruling 18]."""
        codes = cards_named(answer)
        if not 1 <= len(codes) <= 2:
            raise BadAnswer(f"One card or two are shown here, not {len(codes)}.")
        return self.from_hand(car, codes)

    def surplus(self, car: SectionCar) -> int:
        """How many cards of a hand are above the chart; a frozen one counts but stays [pit.cards, ruling 34]."""
        return min(car.wear["cards"] - car.built["cards"], self.loose(car))

    def discard(self, car: SectionCar) -> Proc[None]:
        """Discards cards down to the chart [pit.cards, ruling 34]."""
        if not self.dealt:
            self.lose(car, self.surplus(car))
            return
        with suppress(Moot):
            while True:
                code = yield from ask(self.discard_question, car)
                self.spend(car, [code])
                self.lay_down([code])

    def discard_question(self, car: SectionCar) -> CardQuestion[str] | None:
        """Which card is discarded, any but a frozen one, as long as the hand is above the chart [pit.cards]."""
        left = self.surplus(car)
        return self.card_question("discard", car, "pit.cards", what=f"cards_{left}") if left > 0 else None

    def card_question(self, kind: Ask, car: SectionCar, article: str, what: str = "") -> CardQuestion[str]:
        """One card of a hand."""
        offered = [Option(code) for code in dict.fromkeys(self.seen(car))]
        return CardQuestion(
            kind, car.number, article, lambda said: self.one_from_hand(car, said), offered,
            what=what, count=ONE, typed=not self.dealt,
        )  # fmt: skip


def one_of(answers: Sequence[Json]) -> Callable[[JsonValue], Json]:
    """Reads one of a few answers; raises BadAnswer for any other."""
    known = {written(answer): answer for answer in answers}

    def read(answer: JsonValue) -> Json:
        try:
            return known[written(answer)]
        except KeyError:
            listed, said = ", ".join(text.decode() for text in known), written(answer).decode()[:60]
            sentence = f"This question allows {listed}; {said} is not among them."
            raise BadAnswer(sentence, "choice", listed=listed, answer=said) from None

    return read
