"""The articles as data: all of them, in order, whole in both languages, and found by id and by word."""

import re
from collections.abc import Callable

import msgspec
import pytest

from companion import circuits
from companion.articles import Article, Articles, OpenQuestion, load, rulebooks
from companion.rules.conversation.errors import CompanionError
from companion.rules.conversation.faces import FACES, FLAT_OUT
from companion.rules.dice.figures import Figures
from companion.rules.rulebooks import RULEBOOKS, begin, variants_of
from companion.view.citing import said_here
from companion.wording import Words
from tests.articles_cited import listed

IDS = list(listed("competition"))
BOOK = load("competition")
BOOKS = [load(name) for name in RULEBOOKS]
ENTRIES = [pytest.param(book, entry, id=f"{book.rulebook} {entry.id}") for book in BOOKS for entry in book]
LANGS = ("en", "fr")
TRACK = {name: "quarry-hill" if name == "ninety" else "monaco" for name in RULEBOOKS}
BOARDS = {name: circuits.board(key) for name, key in TRACK.items()}
ENGLISH = re.compile(
    r"\b(the|of|and|is|are|it|its|he|his|but|with|without|from|for|by|who|which|when|where|than|that|this|"
    r"turn|gear|stick|brakes?|tyres?|laps?|wet|dry|box|corner|straight|lane|spaces?|leader)\b"
)
FRENCH = re.compile(
    r"\b(le|la|les|un|une|des|du|aux?|et|est|sont|il|elle|pas|mais|avec|sans|pour|par|qui|que|quand|ce|cette|"
    r"tour|coup|vitesse|levier|freins?|pneus?|piste|virage|droite|couloir|meneur|voiture)\b"
)


def every_word(entry: Article | OpenQuestion, lang: str) -> str:
    switch = entry.switch_text(lang) if isinstance(entry, OpenQuestion) else ""
    return f"{entry.title(lang)} {entry.text(lang)} {switch}"


@pytest.mark.parametrize("rulebook", list(RULEBOOKS))
def test_every_article_is_there_once_and_in_the_rulebook_s_order(rulebook: str) -> None:
    ids = listed(rulebook)
    assert [article.id for article in load(rulebook).articles] == list(ids)
    assert len(ids) == len(set(ids))


def test_the_competition_has_all_its_articles() -> None:
    assert len([name for name in IDS if not name.startswith(("variant.", "season."))]) == 255


def test_every_open_question_is_there() -> None:
    assert [question.id for question in BOOK.questions] == [f"ruling {n}" for n in range(1, 106)]


def test_what_people_must_do_is_only_what_no_program_can() -> None:
    reminders = {article.id: article.moment for article in BOOK.articles if article.by == "table"}
    assert reminders == {
        "3-1-5": "setup",
        "6-1-3": "roll",
        "6-3-1": "roll",
        "6-3-2": "roll",
        "22-0-1": "setup",
        "22-0-2": "setup",
    } | dict.fromkeys(
        ("1-0-2", "1-0-4", "1-1-1", "1-1-2", "1-1-3", "1-1-6", "1-1-7", "1-1-7-1", "1-2-3"), "trials"
    )  # fmt: skip


@pytest.mark.parametrize("lang", LANGS)
@pytest.mark.parametrize(("book", "entry"), ENTRIES)
def test_words_are_whole_and_in_their_language(book: Articles, entry: Article | OpenQuestion, lang: str) -> None:
    title, text = entry.title(lang), entry.text(lang)
    assert 3 <= len(title) <= (90 if isinstance(entry, OpenQuestion) else 44), "a title is a line of a card"
    assert text.endswith(".")
    assert len(text.split()) >= 4
    words = every_word(entry, lang)
    assert "'" not in words
    assert "  " not in text
    foreign = ENGLISH if lang == "fr" else FRENCH
    assert not foreign.search(words.lower())
    if lang == "fr":
        assert not re.search(r"(?<!\u00a0)[;:!?»]|«(?!\u00a0)", words), "French keeps a hard space there"
        assert not re.search(r"\d(ère|ème)", words), "gears are 1re and 2e in every sentence"


@pytest.mark.parametrize(("book", "entry"), ENTRIES)
def test_both_languages_say_the_same_figures_and_cite_the_same_articles(
    book: Articles, entry: Article | OpenQuestion
) -> None:
    english, french = (set(re.findall(r"\d+", entry.text(lang))) for lang in LANGS)
    assert english == french
    for lang in LANGS:
        for cited in re.findall(r"\b\d+-\d+(?:-\d+)*\b", entry.text(lang)):
            assert cited in book or book.under(cited), f"{cited} is no article"


@pytest.mark.parametrize("lang", LANGS)
def test_the_articles_of_the_dice_and_tests_give_the_program_s_figures(lang: str) -> None:
    def numbers(article: str) -> list[int]:
        text = re.sub(r"\d+-[\d-]+|\(\d+\)|\d(?:st|nd|rd|th|re|e)\b", "", BOOK.get(article).text(lang))
        return [int(number) for number in re.findall(r"\d+", text)]

    figures = Figures()
    ends = [end for faces in FACES.values() for end in (faces[0], faces[-1])]
    assert numbers("6-2-6") == ends
    assert numbers("16-0-1") == list(FLAT_OUT.values())
    assert numbers("16-0-2") == [1, figures.engine_dry, 1, figures.engine_wet]
    assert numbers("17-0-2") == [1, figures.handling_dry, 1, figures.handling_wet]
    assert numbers("14-1") == [figures.collision_dry, 1, figures.collision_wet]
    assert numbers("14-3") == [1, figures.aggravated_dry, 1, figures.aggravated_wet]
    assert numbers("13-4") == [cost for row in figures.gear_down for cost in row if cost]
    assert max(numbers("12-0-1")) == len(figures.blocking) + 1
    assert numbers("19-3-3")[:2] == [1, figures.quick_to]


@pytest.mark.parametrize("book", BOOKS, ids=lambda book: book.rulebook)
def test_every_switch_of_the_setup_is_offered_by_its_ruling(book: Articles) -> None:
    offered = {question.switch: question.id for question in book.questions if question.switch}
    figures = RULEBOOKS[book.rulebook].listed()
    switches = {figure.name: figure.article for figure in figures if isinstance(figure.value, bool)}
    variants = {variant.switch: variant.article for variant in variants_of(book.rulebook)}
    assert switches.items() <= offered.items() | variants.items()
    assert variants.items() <= switches.items()
    for question in book.questions:
        assert bool(question.switch) == bool(question.switch_en) == bool(question.switch_fr)


@pytest.mark.parametrize("rulebook", list(RULEBOOKS))
def test_every_number_of_a_setup_has_its_bounds(rulebook: str) -> None:
    """No figure, nor a cell of a table of figures, may be less than nothing: who overshoots would win tyres by it."""
    for figure in RULEBOOKS[rulebook].listed():
        if not isinstance(figure.value, bool) and not figure.words:
            assert figure.low is not None, figure.name
            assert figure.high is not None, figure.name
            assert 0 <= figure.low < figure.high, figure.name


@pytest.mark.parametrize("book", BOOKS, ids=lambda book: book.rulebook)
def test_every_figure_cites_an_article_that_exists(book: Articles) -> None:
    for figure in RULEBOOKS[book.rulebook].listed():
        assert book.under(figure.article), f"{figure.name} cites {figure.article}"


def test_an_article_says_at_the_table_what_is_set_otherwise_there() -> None:
    """Its words are those of the rulebook, whatever the setup has made of the figures that it names."""
    options = {"stall_to": 3, "gear_down": [[1, 0, 0], [2, 1, 0]], "soft_space_not_over_line": True, "slide_soft": 3}
    book = begin({"track": "monaco", "cars": [{"car": 1}], "options": options}, circuits.load("monaco"))

    def here(article: str, lang: str) -> str:
        entry = BOOK.get(article)
        said = said_here(entry, book, Words(lang))
        assert said.startswith(entry.text(lang))
        return said.removeprefix(entry.text(lang))

    assert here("9-1-1", "en") == " At this table: Stall, up to 3."
    assert here("9-1-1", "fr") == " À cette table\u00a0: Calage jusqu’à 3."
    assert here("13-4", "en") == " At this table: Gears down: gearbox, brakes, engine 1-0-0 2-1-0."
    assert here("ruling 31", "en").startswith(" At this table: The soft-tyre space may not itself carry")
    assert here("9-2-1", "en") == here("9-3", "en") == here("8-2-2", "en") == ""


def found(ids: str, lang: str = "en") -> list[str]:
    return [entry.id for entry in BOOK.find(ids, lang)]


def test_an_id_finds_itself_and_what_is_under_it() -> None:
    assert found("13-4") == ["13-4"]
    assert found("13") == ["13-1", "13-2", "13-3", "13-4"]
    assert found("3-2-6") == ["3-2-6", *(f"3-2-6.{n}" for n in range(1, 6))]
    assert found("6-3.1") == ["6-3.1"]
    assert found("Ruling 10") == ["ruling 10"]
    assert found("ruling 29 19-3-3  RULING  3") == ["ruling 29", "19-3-3", "ruling 3"]
    assert found("14-4 13-4 14-4") == ["14-4", "13-4"]
    assert all(name.startswith("1-") for name in found("1"))


@pytest.mark.parametrize(
    ("words", "lang", "best"),
    [
        ("gear-down table", "en", "13-4"),
        ("GEAR-DOWN TABLE", "en", "13-4"),
        ("table sur-régime", "fr", "13-4"),
        ("TABLE SUR REGIME", "fr", "13-4"),
        ("tete a queue blocage", "fr", "12-1-4"),
        ("blocage", "fr", "12-0-1"),
        ("zigzags", "en", "7-2-4"),
        ("great start 20", "en", "9-2-1"),
    ],
)
def test_words_find_the_title_first_whatever_case_and_accents(words: str, lang: str, best: str) -> None:
    assert found(words, lang)[0] == best


def test_all_words_are_wanted_and_their_beginnings_do() -> None:
    both = found("soft slipstream")
    assert "18-3-1" in both
    assert set(both) == set(found("soft")) & set(found("slipstream"))
    assert "18-3-1" in found("slipstr")
    assert found("soft nonsense") == found("") == found("-") == []


@pytest.mark.parametrize("wrong", [lambda: BOOK.get("99-9"), lambda: load("ludo"), lambda: load("competition-rulings")])
def test_what_is_not_there_is_said_in_one_sentence(wrong: Callable[[], object]) -> None:
    with pytest.raises(CompanionError, match=r"^There is no rulebook .*\.$|^The competition .* 99-9\.$"):
        wrong()


def test_articles_are_read_once_and_strictly() -> None:
    assert load("competition") is BOOK
    assert "competition" in rulebooks()
    assert len(BOOK) == len(list(BOOK)) == len(IDS) + 105
    assert BOOK.get("13-4") is BOOK.articles[IDS.index("13-4")]
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert({"id": "1", "en": "", "fr": "", "by": "nobody", "moment": "gear"}, Article)


PROPOSED = {"en": "Proposed here: the book does not give this.", "fr": "Proposé ici\u00a0: le livre ne le donne pas."}


@pytest.mark.parametrize("lang", LANGS)
@pytest.mark.parametrize("book", BOOKS, ids=lambda book: book.rulebook)
def test_an_article_of_a_proposed_figure_says_so_and_no_other(book: Articles, lang: str) -> None:
    figures = [figure for figure in RULEBOOKS[book.rulebook].listed() if figure.proposed]
    proposed = {place for figure in figures for place in (figure.article, *figure.also)}
    assert {entry.id for entry in book.articles if entry.text(lang).endswith(PROPOSED[lang])} == {
        place for place in proposed if not place.startswith("ruling ")
    }
    rulebook = begin(
        {"rulebook": book.rulebook, "track": TRACK[book.rulebook], "cars": [{"car": 1}]}, BOARDS[book.rulebook]
    )
    for place in proposed:
        told = said_here(book.get(place), rulebook, Words(lang, book.rulebook))
        assert (PROPOSED[lang] in told) == (not place.startswith("ruling ")), place


def test_the_lost_tables_of_the_cup_are_proposed() -> None:
    lost = ("pit.quick", "weather.initial", "weather.by-start", "weather.wet-conditions", "wear.pools", "quali.phases",
            "tyres.dry", "tyres.wet", "tyres.empty", "pit.phase", "pit.exit")  # fmt: skip
    assert all(PROPOSED["en"] in load("cup").get(place).text("en") for place in lost)
    found = ("pit.quick-order", "collision.range", "handling.test", "kers.points", "quali.die")
    assert not any(PROPOSED["en"] in load("cup").get(place).text("en") for place in found)
