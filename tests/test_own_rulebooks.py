"""A rulebook of one's own that is a kind of any of the five is served as that one is, wherever a race is met."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from msgspec.structs import replace

from companion import circuits
from companion.desk.organising import usual_season
from companion.drivers.prepared import scenes
from companion.drivers.strong import STOPS, Strong
from companion.drivers.turn_graph import Course
from companion.printing.blank import boxes_of
from companion.rules.conversation.errors import BadEntry
from companion.rules.death.death import Death
from companion.rules.ninety.figures import SectionFigures
from companion.rules.ninety.ninety import Ninety
from companion.rules.rulebooks import RULEBOOKS, begin, laps_on
from companion.tournament.entrants import Entered, Entrant
from companion.tournament.record import Signed
from companion.tournament.season import Season, Stage
from companion.view.setup.draft import Draft
from companion.view.setup.first_page import first_page
from companion.view.setup.new_race import rulebook_name, show, steps
from companion.wording import LANGUAGES, Words, filling
from tests.view.test_new_race import draft


class OwnFigures(SectionFigures, frozen=True):
    pass


@pytest.fixture(params=list(RULEBOOKS))
def book(request: pytest.FixtureRequest) -> Iterator[str]:
    """A rulebook of one's own that is a kind of one of the house."""
    kind = RULEBOOKS[request.param]
    own = type(f"Own{kind.__name__}", (kind,), {"name": f"own-{kind.name}", "VERSION": "own 1"})
    if issubclass(own, Ninety):
        own.figures_type = OwnFigures
    RULEBOOKS.add(own)
    yield own.name
    filling._outside_words.cache_clear()
    RULEBOOKS.drop(own.name)


def like(book: str) -> str:
    return book.removeprefix("own-")


def drafted(book: str) -> Draft:
    return draft(2, "saltmarsh" if like(book) == "ninety" else "porto-sereno", rulebook=book)


def test_it_has_the_laps_of_the_circuit(book: str) -> None:
    track = circuits.board("saltmarsh" if like(book) == "ninety" else "monza")
    assert laps_on(book, track) == laps_on(like(book), track)
    assert drafted(book).usual_laps == drafted(like(book)).usual_laps


def test_a_race_goes_by_it_and_by_its_figures(book: str) -> None:
    made = drafted(book)
    race = begin({"rulebook": book, "cars": [{"car": 1}, {"car": 2}]}, circuits.board(made.track))
    assert isinstance(race, RULEBOOKS[book])
    assert type(race.figures) is RULEBOOKS[book].figure_table()


@pytest.mark.parametrize("lang", LANGUAGES)
def test_it_can_be_chosen(book: str, lang: str) -> None:
    words = Words(lang)
    for step in steps(drafted(book)):
        assert show(drafted(book), step, words).ask
    assert book in [key.answer for key in first_page(drafted(book), words).books]
    assert rulebook_name(book, words) == book


def test_it_says_what_it_is_called_and_about(monkeypatch: pytest.MonkeyPatch, book: str) -> None:
    filling._outside_words.cache_clear()
    said = {"screen": {"rulebook": {book: "The Club"}, "new_race": {"about": {book: "Ours."}}}}
    monkeypatch.setattr(RULEBOOKS[book], "words", {"en": said})
    assert rulebook_name(book, Words("en")) == "The Club"
    assert show(drafted(book), "rules", Words("en")).note == "Ours."


def test_strong_drivers_know_what_it_is_a_kind_of(book: str) -> None:
    if like(book) == "ninety":
        return
    track = circuits.load("porto-sereno")
    assert [one._replace(rulebook="") for one in scenes(track, book)] == [
        one._replace(rulebook="") for one in scenes(track, like(book))
    ]
    course = Course(track, scenes(track, book)[0])
    assert isinstance(course.book, Death) is (like(book) == "death")
    assert Strong(track, 1, rulebook=book)._kind == (like(book) if like(book) in STOPS else "")


def test_a_season_by_it_is_one_of_its_kind(book: str) -> None:
    """The league's has its points and sizes, settles its grids, and knows who is at home."""
    own, house = (usual_season(name, "S", (Stage("monaco"),)) for name in (book, like(book)))
    assert replace(own, rulebook="") == replace(house, rulebook="")
    record = Season.of([Signed(1, "ada", "", own)])
    record.take(Signed(2, "ada", "", Entered(entrants=(Entrant(number=1, name="Ada", home=("monaco",)),))))
    if like(book) == "league":
        assert record.setup(1)["cars"][0]["home"]
    else:
        with pytest.raises(BadEntry):
            record.setup(1)


def test_its_sheets_are_printed(book: str) -> None:
    assert boxes_of(book) == boxes_of(like(book))
