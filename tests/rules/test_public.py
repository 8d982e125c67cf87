"""What the world may know of a race is made for a seat: what lies hidden in a hand is seen from that hand only."""

from __future__ import annotations

import msgspec
import pytest

from companion import circuits
from companion.drivers.cards import HeuristicCardDriver
from companion.drivers.sensible import HeuristicDriver
from companion.rules.conversation.conversation import Conversation
from companion.rules.public import PublicDice, PublicSections, public
from companion.rules.rulebooks import begin

CARS = [{"car": 1, "driver": "Ada"}, {"car": 2, "driver": "Ben"}, {"car": 3, "driver": "Chloé"}]


def dealt(deck: int) -> tuple[Conversation, object]:
    """A race of sections some answers old, with the program's deck or the table's."""
    track = circuits.board("saltmarsh")
    book = begin({"rulebook": "ninety", "track": "saltmarsh", "deck": deck, "cars": CARS}, track)
    talk, driver = Conversation(book), HeuristicCardDriver(track, 3)
    for _ in range(30):
        assert talk.asked is not None
        talk.answer(driver.answer(talk.asked, book.race))
    return talk, book


def test_a_hand_is_seen_from_its_own_seat_only() -> None:
    _, book = dealt(deck=7)
    hands = {car.number: car.hand for car in book.race.cars if not car.bot}  # type: ignore[attr-defined]
    assert all(hands.values())
    for seat in (None, *hands):
        face = public(book, seat)  # type: ignore[arg-type]
        assert isinstance(face, PublicSections)
        for car in face.cars:
            assert list(car.hand) == (hands.get(car.number, []) if car.number == seat else [])
            assert "hand" not in car.more
        others = [code for number, hand in hands.items() if number != seat for code in hand]
        written = msgspec.json.encode(face).decode()
        pile = book.race.pile  # type: ignore[attr-defined]
        assert not any(
            f'"{code}"' in written for code in {*others, *pile} - set(hands.get(seat or 0, [])) - shown(book)
        )


def shown(book: object) -> set[str]:
    """The cards that lie open: in the check areas, and frozen."""
    return {code for car in book.race.cars for code in (car.check, *car.frozen)}  # type: ignore[attr-defined]


@pytest.mark.parametrize("name", ["competition", "cup", "league", "death"])
def test_what_is_known_of_a_race_of_dice_is_plain_data(name: str) -> None:
    track = circuits.load("porto-sereno")
    book = begin({"rulebook": name, "track": track.key, "laps": 2, "cars": CARS}, track)
    talk, driver = Conversation(book), HeuristicDriver(track, 1)
    for _ in range(60):
        face = public(book)
        assert isinstance(face, PublicDice)
        assert msgspec.json.encode(face)
        assert sorted(face.order) in ([], [1, 2, 3])
        assert [car.number for car in face.cars] == [1, 2, 3]
        assert (face.pits is not None) == (name == "cup")
        assert {car.arms is not None for car in face.cars} == {name == "death"}
        if talk.asked is None:
            break
        talk.answer(driver.answer(talk.asked, book.race))
    leader = next(car for car in face.cars if car.number == face.order[0])
    assert leader.behind in (0, None)
