"""A race before it is one."""

from __future__ import annotations

from typing import Any

import pytest

from companion import circuit_index, circuits
from companion.articles import load as load_articles
from companion.rules.conversation.asking import Json
from companion.rules.conversation.errors import BadSetup
from companion.rules.rulebooks import RULEBOOKS, begin, car_values, variants_of
from companion.sheets.entrants import RaceEntrant, plates
from companion.view.citing import figure_name
from companion.view.setup.draft import (
    MOST,
    CardStanding,
    Draft,
    StartPosition,
    field_of,
    from_position,
    refusal,
    setup_of,
)
from companion.view.setup.new_race import STEPS, cells, circuit_rows, figure_rows, show, under_headings, with_cell
from companion.view.setup.standing import standing_fields, stretches, with_value
from companion.wording import LANGUAGES, Words

NAMES = ("Ada", "", "Ньютон", "Żółć", "é" * 30)


def draft(count: int = 3, track: str = "monaco", **more: Any) -> Draft:
    made = Draft(track=track, **more)
    for place in range(count):
        made = made.entering(RaceEntrant(number=place + 1, name=NAMES[place % len(NAMES)], colour=place))
    return made


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("track", ["monaco", "spa"])
def test_a_draft_becomes_a_race_of_the_rules_core(lang: str, track: str) -> None:
    made = draft(3, track)
    assert refusal(made, Words(lang)) == ""
    rulebook = begin(setup_of(made, lang), circuits.load(track))
    assert [car.number for car in rulebook.race.cars] == [1, 2, 3]
    assert rulebook.race.cars[2].driver == "Ньютон"
    assert rulebook.race.laps == made.usual_laps
    assert plates(setup_of(made)) == {1: 0, 2: 1, 3: 2}


def test_plates_are_as_chosen_and_none_where_nobody_chose() -> None:
    made = draft(2).editing(0, RaceEntrant(number=44, name="Ada", colour=9))
    assert plates(setup_of(made)) == {44: 9, 2: 1}
    assert plates({"track": "monaco", "cars": [{"car": 5}, {"car": 1}]}) == {5: 0, 1: 1}


@pytest.mark.parametrize("lang", LANGUAGES)
def test_what_is_not_legal_is_said_by_the_rules_core(lang: str) -> None:
    words = Words(lang)
    assert refusal(Draft(), words) == words.screen("new_race.no_circuit")
    assert refusal(Draft(track="monaco"), words) == words.screen("new_race.no_drivers")
    said = refusal(draft(12), words)
    assert "10" in said
    assert "12" in said
    assert refusal(draft(1), words) == ""
    wrong = draft(2, options={"stall_to": 19, "great_from": 2})
    assert refusal(wrong, words) != ""
    assert (refusal(wrong, words) == refusal(wrong, Words("en"))) == (lang == "en")


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize(
    ("kind", "on", "facts"),
    [
        ("options_exclude", ("street", "construction"), {"one": "street", "other": "construction"}),
        ("needs_switch", ("super_soft",), {"switch": "super_soft", "other": "tyres"}),
    ],
)
def test_switches_that_do_not_fit_are_called_as_the_rules_step_calls_them(
    lang: str, kind: str, on: tuple[str, ...], facts: dict[str, str]
) -> None:
    words, made = Words(lang), draft(2, rulebook="formula-d", options=dict.fromkeys(on, True))
    called = {row.name: row.label for row in figure_rows(made, words)}
    wanted = BadSetup(kind, **{fact: called[switch] for fact, switch in facts.items()})
    assert refusal(made, words) == words.error(wanted)


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize(
    ("rulebook", "options", "laps", "kind", "names", "numbers"),
    [
        ("competition", {"starting_gear": 5, "highest_gear": 3}, 0, "starting_gear",
         {"start": "starting_gear", "top": "highest_gear"}, {"gear": 5, "highest": 3}),
        ("formula-d", {"three_laps": True}, 2, "three_laps", {"switch": "three_laps"}, {"usual": 3, "laps": 2}),
        ("ninety", {"deck_values": [0, 0, 0, 0]}, 0, "deck_empty", {"figure": "deck_values"}, {}),
        ("ninety", {"charts": []}, 0, "no_charts", {"figure": "charts"}, {}),
        ("death", {"pick_cards": True}, 0, "picked_not_dealt", {"switch": "pick_cards"}, {}),
    ],
)  # fmt: skip
def test_figures_that_do_not_fit_are_called_by_their_titles(
    lang: str, rulebook: str, options: dict[str, Any], laps: int, kind: str, names: dict[str, str],
    numbers: dict[str, int],
) -> None:  # fmt: skip
    words = Words(lang, rulebook)
    more: dict[str, Any] = {"track": "saltmarsh"} if rulebook == "ninety" else {}
    more |= {"laps": laps} if laps else {}
    more |= {"deck": 7} if rulebook == "death" else {}
    said = refusal(draft(2, rulebook=rulebook, options=options, **more), words)
    assert said == words.error(
        BadSetup(kind, **{fact: figure_name(name, words) for fact, name in names.items()}, **numbers)
    )
    assert "_" not in said


def test_every_car_has_a_number_and_a_plate_of_its_own() -> None:
    made = Draft(track="spa")
    for _ in range(MOST + 2):
        made = made.entering(RaceEntrant(number=5, name="Ada", colour=3))
    assert len(made.entrants) == MOST
    assert len({one.number for one in made.entrants}) == MOST
    assert len({one.colour for one in made.entrants}) == MOST
    assert made.entrants[0].number == 5
    changed = made.editing(3, RaceEntrant(number=5, name="Bob", colour=3))
    assert changed.entrants[3].number != 5
    assert changed.entrants[3].name == "Bob"
    assert made.entering(RaceEntrant(number=1)) == made


def test_the_grid_is_moved_about_by_hand() -> None:
    made = draft(4)
    assert [one.number for one in made.move(3, 0).entrants] == [4, 1, 2, 3]
    assert [one.number for one in made.move(0, 9).entrants] == [2, 3, 4, 1]
    assert [one.number for one in made.lined_up([3, 1, 4, 2]).entrants] == [3, 1, 4, 2]
    assert [one.number for one in made.leaving(1).entrants] == [1, 3, 4]


def test_laps_are_the_rulebooks_until_somebody_wants_others() -> None:
    made = draft()
    usual = circuits.load("monaco").laps["competition"]
    assert made.usual_laps == usual
    assert setup_of(made)["laps"] == usual
    assert setup_of(made.with_laps(usual + 2))["laps"] == usual + 2
    assert made.with_laps(usual + 2).with_laps(usual).laps == usual
    assert made.with_laps(0).laps == 1
    assert made.with_laps(500).laps == 99


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("rulebook", list(RULEBOOKS))
def test_every_figure_is_shown_proposed_ones_first_and_can_be_changed(lang: str, rulebook: str) -> None:
    made = draft(rulebook=rulebook)
    rows, ids = figure_rows(made, Words(lang)), {entry.id for entry in load_articles(rulebook)}
    listed = {figure.name: figure for figure in RULEBOOKS[rulebook].listed()}
    assert {row.name for row in rows} == set(listed)
    figures = [row.proposed for row in rows if not row.group]
    assert figures == sorted(figures, reverse=True)
    assert [bool(row.group) for row in rows] == sorted((bool(row.group) for row in rows), reverse=True)
    labels = [row.label for row in rows if row.kind == "number"]
    assert len(set(labels)) == len(labels)
    assert all(row.label and row.article for row in rows)
    assert not [row.label for row in rows if f"({row.name.replace('_', ' ').capitalize()})" in row.label], "a raw id"
    assert not [row.article for row in rows if "." in row.article and row.article in ids]  # cited, not told by its id
    for row in rows:
        value = {"number": row.high, "switch": not row.value}.get(row.kind, row.value)
        changed = made.set_figure(listed[row.name], value)
        assert changed.options.get(row.name, row.usual) == value
        assert changed.set_figure(listed[row.name], row.usual).options == {}


@pytest.mark.parametrize(
    ("lang", "groups"),
    [
        ("en", ["Options of the box", "House rules of clubs"]),
        ("fr", ["Options de la boîte", "Règles maison des clubs"]),
    ],
)
def test_the_options_of_the_box_come_first_and_then_the_variants(lang: str, groups: list[str]) -> None:
    for rulebook, shown in (("formula-d", groups), ("competition", groups[1:]), ("ninety", [])):
        rows = figure_rows(draft(rulebook=rulebook), Words(lang))
        assert list(dict.fromkeys(row.group for row in rows if row.group)) == shown
        headings = [row.label for row in under_headings(rows, Words(lang)) if row.kind == "heading"]
        figures = "Figures and switches" if lang == "en" else "Valeurs et choix"
        assert headings == [*shown[1:], figures][: 3 * len(shown)]
        assert all(row.kind == "switch" and row.usual is False for row in rows if row.group)


def test_a_figure_is_called_by_what_it_is_in_the_rulebook_that_is_chosen() -> None:
    """The gear out of the box is the lane's in the league, and the death race knows no dry track; whatever is open."""
    called = {
        (rulebook, row.name): row.label
        for rulebook in ("competition", "league", "death")
        for row in figure_rows(draft(rulebook=rulebook), Words("en", "cup"))
    }
    assert called["competition", "leave_gear"] == called["death", "leave_gear"] == "Out of the box, highest gear"
    assert called["league", "leave_gear"] == "Pit lane, highest gear"
    assert called["competition", "collision_dry"] == "Collision test, dry"
    assert called["death", "collision_dry"] == "Collision test"
    assert called["death", "lost_gears"] == "Haywire, slip mine: gears lost"


def test_a_table_of_figures_is_changed_cell_by_cell() -> None:
    table = [[1, 0], [2, [3]]]
    assert cells(table) == [((0, 0), 1), ((0, 1), 0), ((1, 0), 2), ((1, 1, 0), 3)]
    assert with_cell(table, (1, 1, 0), 9) == [[1, 0], [2, [9]]]
    assert table == [[1, 0], [2, [3]]]
    figure = next(one for one in RULEBOOKS["competition"].listed() if one.name == "points")
    row = next(row for row in figure_rows(draft(), Words()) if row.name == "points")
    changed = draft().set_figure(figure, with_cell(row.value, (0,), 25))
    assert refusal(changed, Words()) == ""
    assert setup_of(changed)["options"]["points"][:2] == [25, 6]


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_circuit_is_shown_with_how_well_it_is_known(lang: str, tmp_path: Any) -> None:
    circuits.look_in(tmp_path)
    (tmp_path / circuits.BOARDS).mkdir()
    own = tmp_path / circuits.BOARDS / "mine.toml"
    own.write_text(circuits.find("monaco").read_text(encoding="utf-8"), encoding="utf-8")
    broken = own.with_name("broken.toml")
    broken.write_text("name = 3", encoding="utf-8")
    for key in ("mine", "broken"):
        circuit_index.read(key)
    rows = circuit_rows(draft(), Words(lang))
    assert sorted(row.key for row in rows[:-2]) == circuits.keys()
    assert [row.drawn for row in rows[:-2]] == sorted((row.drawn for row in rows[:-2]), reverse=True)
    assert all(row.name and row.tally and row.known and row.trust for row in [*rows[:-2], rows[-1]])
    assert [row.key for row in rows[-2:]] == ["broken", "mine"]
    assert rows[-1].drawn
    assert rows[-2].why
    assert refusal(draft(2, "mine"), Words(lang)) == ""


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("made", [Draft(), draft(), draft(20, "spa"), draft(1)], ids=["empty", "few", "many", "one"])
def test_each_step_has_its_question_within_its_slot(lang: str, made: Draft) -> None:
    for place, step in enumerate(STEPS):
        shown = show(made, step, Words(lang))
        assert [row.state for row in shown.steps].count("now") == 1
        assert shown.steps[place].state == "now"
        assert 0 < len(shown.ask) <= (24 if lang == "fr" else 22)
        assert all(row.label and row.value for row in shown.steps)
    assert {show(made.going_by(book), "rules", Words(lang)).note.count(".") > 0 for book in RULEBOOKS} == {True}
    assert show(draft(), "start", Words(lang)).why == ""
    assert show(Draft(), "circuit", Words(lang)).why


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("track", ["monaco", "spa", "copper-basin"])
def test_a_race_goes_on_from_where_its_cars_are_put(lang: str, track: str) -> None:
    words, made = Words(lang), from_position(draft(3, track))
    assert "Ада" not in refusal(made, words)
    assert refusal(made, words) == words.screen("new_race.not_placed", {1: "Ada"}, car=1, more=2)
    board = made.board
    assert board is not None
    places = stretches(board, words)
    assert all(stretch.label for stretch in places)
    every = [space for stretch in places for _, _, spaces in stretch.lanes for space in spaces]
    assert all(board.has_place(space) for space in every)
    assert len(set(every)) == len(every)
    if board.known == "space":
        assert set(every) == {space.name for space in board.spaces if space.id not in board.blocked}
    for number, space in zip((1, 2, 3), every[5:8], strict=True):
        made = made.standing_at(number, StartPosition(at=space, gear=3, lap=2))
    assert refusal(made, words) == ""
    assert setup_of(made)["to_play"] == [1, 2, 3]
    worn = made.standing_at(1, StartPosition(at=every[5], gear=3, lap=2, wear={"tyres": 1}))
    fields = {field.name: field for field in standing_fields(worn, 1, words)}
    assert fields["wear.tyres"].value == 1
    assert fields["gear"].value == 3
    assert fields["wear.body"].value == begin(setup_of(worn), board).car(1).wear["body"]
    on_one = worn.standing_at(2, StartPosition(at=every[5]))
    assert (refusal(on_one, words) == "") == (board.known == "corner")


def test_where_a_car_stands_goes_with_its_number_and_with_its_entrant() -> None:
    made = from_position(draft(3)).standing_at(2, StartPosition(at="5:left:1"))
    renamed = made.editing(1, RaceEntrant(number=22, name="Bob", colour=1))
    assert renamed.standing is not None
    assert renamed.standing[22].at == "5:left:1"
    assert 2 not in renamed.standing
    gone = made.leaving(1)
    assert gone.standing is not None
    assert 2 not in gone.standing


def test_bots_are_as_many_as_the_rules_have_until_the_table_says_otherwise() -> None:
    made = draft(3, "saltmarsh", rulebook="ninety")
    assert (made.bots, made.entering(RaceEntrant(number=9)).bots) == (3, 2)
    fewer = made.with_bots(1)
    assert (fewer.bots, fewer.entering(RaceEntrant(number=9)).bots) == (1, 1)
    assert fewer.with_bots(3) == made
    race = begin(setup_of(fewer), circuits.board("saltmarsh")).race
    assert [car.bot for car in race.cars] == ["", "", "", "slow", "fast"]


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_race_of_cards_goes_on_from_the_lines_its_cars_are_put_into(lang: str) -> None:
    """Bots are placed too; whoever is put into a section is last in its line, and again if he is put there again."""
    words, made = Words(lang), from_position(draft(2, "quarry-hill", rulebook="ninety").with_bots(1))
    assert [one.number for one in field_of(made)] == [1, 2, 3, 4]
    assert len({one.colour for one in field_of(made)}) == 4
    assert refusal(made, words) == words.screen("new_race.not_placed", {1: "Ada"}, car=1, more=3)
    for number, section in ((1, 4), (3, 4), (2, 4), (4, 16), (1, 4)):
        made = made.placing(number, f"section:{section}")
    assert [made.in_line(number, field_of(made)) for number in (3, 2, 1, 4)] == [(1, 3), (2, 3), (3, 3), (1, 1)]
    assert refusal(made, words) == ""
    board = made.board
    assert [stretch.lanes[0][2] for stretch in stretches(board, words)] == [(f"section:{n}",) for n in range(1, 18)]  # type: ignore[arg-type]
    rulebook = begin(setup_of(made.but(turn=5)), board)
    assert rulebook.race.round == 5
    assert [car.number for car in rulebook.order.queue(3)] == [3, 2, 1]
    assert rulebook.to_play() == [4, 3, 2, 1]
    assert [(car.number, car.bot) for car in rulebook.race.cars] == [(1, ""), (2, ""), (3, "slow"), (4, "fast")]
    assert refusal(made.but(turn=99), words)


def test_a_car_of_the_race_of_cards_has_what_the_table_says_and_else_what_the_rules_have() -> None:
    words, made = Words(), from_position(draft(1, "quarry-hill", rulebook="ninety").with_bots(1))
    for number in (1, 2, 3):
        made = made.placing(number, f"section:{number}")
    usual = {field.name: field.value for field in standing_fields(made, 1, words)}
    assert usual == {
        "status": "racing", "chart": [12, 6, 4], "strategy": "balance", "tyres": 12, "cards": 6, "damage": 4,
        "lap": 0, "fuel": 14, "stops": 0, "permanent": 0, "check": 50,
    }  # fmt: skip
    assert [field.name for field in standing_fields(made, 2, words)] == ["lap", "fuel", "stops"]
    said = CardStanding(
        at="section:1", since=1, lap=3, chart=(13, 5, 4), wear={"tyres": 2, "cards": 7, "damage": 1}, permanent=2,
        strategy="lucky", check=33, fuel=9, stops=1,
    )  # fmt: skip
    made = made.standing_at(1, said)
    shown = {field.name: (field.value, field.low, field.high) for field in standing_fields(made, 1, words)}
    assert shown["damage"] == (1, 0, 2)
    assert shown["permanent"] == (2, 0, 3)
    assert refusal(made, words) == ""
    car = begin(setup_of(made), made.board).car(1)
    assert (car.built, car.wear) == ({"tyres": 13, "cards": 5, "damage": 4}, {"tyres": 2, "cards": 7, "damage": 1})
    assert (car.lap, car.permanent, car.strategy, car.fuel, car.stops) == (3, 2, "lucky", 9, 1)
    assert car.check.split()[1] == "33"


def test_a_grid_of_the_tables_own_is_a_position_of_the_first_turn() -> None:
    """The fuel goes by the place in the line."""
    made = from_position(draft(2, "quarry-hill", rulebook="ninety").with_bots(1))
    for number in (4, 2, 1, 3):
        made = made.placing(number, "section:1")
    rulebook = begin(setup_of(made), made.board)
    assert [(car.number, car.place, car.fuel) for car in rulebook.order.queue(0)] == [
        (4, 1, 8),
        (2, 2, 10),
        (1, 3, 12),
        (3, 4, 14),
    ]
    assert (rulebook.race.round, rulebook.to_play()) == (1, [4, 2, 1, 3])


def test_turns_keep_to_what_an_indicator_has() -> None:
    made = draft(1, "saltmarsh", rulebook="ninety")
    assert made.usual_laps == circuits.board("saltmarsh").turns
    assert (made.with_laps(1).laps, made.with_laps(500).laps) == (2, 60)


@pytest.mark.parametrize(
    ("lang", "line_up", "home", "said"),
    [
        ("en", "last", (7,), "last race turned round · 1 at home"),
        ("en", "hand", (), "grid as listed"),
        ("en", "die", (7, 9), "grid by the black die · 2 at home"),
        ("fr", "last", (), "dernière course retournée"),
        ("fr", "hand", (7,), "grille comme listée · 1 à domicile"),
        ("fr", "die", (), "grille au dé noir"),
    ],
)
def test_how_the_league_comes_by_its_grid_is_said_as_people_say_it(
    lang: str, line_up: Any, home: tuple[int, ...], said: str
) -> None:
    made = draft(3, rulebook="league", line_up=line_up, home=home)
    shown = show(made, "season", Words(lang))
    assert shown.note == said
    assert next(step.value for step in shown.steps if step.name == "season") == said


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("book", [name for name in RULEBOOKS if name != "ninety"])
def test_every_value_of_a_car_that_a_word_sets_is_offered_for_a_position(book: str, lang: str) -> None:
    """With every variant on that can be: each is a key or a figure of the page, in words."""
    on = [one for one in variants_of(book) if one.car_values]
    made = draft(1, rulebook=book, options={one.switch: True for one in on})
    cards: dict[str, Json] = {"weapons": {"slip-mines": 0}} if book == "death" else {}
    made = from_position(made).standing_at(1, StartPosition(at="5:left:1", gear=3, more=cards))
    fields = standing_fields(made, 1, Words(lang, book))
    offered = {field.name.partition(".")[0] for field in fields}
    wanted = set(car_values(book, made.options)) - {"at"}
    assert wanted <= offered
    assert not [field.label for field in fields if ":" in field.label.replace(" :", "") or "_" in field.label]


@pytest.mark.parametrize("book", list(RULEBOOKS))
def test_a_figure_of_a_position_goes_as_far_as_the_rules_accept_it_and_points_say_why(book: str) -> None:
    words, made = Words("en", book), draft(2, "saltmarsh" if book == "ninety" else "monaco", rulebook=book)
    made = from_position(made).placing(1, "section:3" if book == "ninety" else "3:left:1")
    missing = refusal(made, words)
    assert missing.startswith("Not placed yet: 2")
    fields = [field for field in standing_fields(made, 1, words) if field.kind == "stepper"]
    assert len(fields) > 3
    for field in fields:
        for value in {field.low, min(field.high, field.value + 4)}:
            changed = with_value(made, 1, field.name, value, words)
            assert refusal(changed, words) == missing or (field.icon and refusal(changed, words)), (field.name, value)
            assert refusal(with_value(changed, 1, field.name, field.value, words), words) == missing, field.name


def test_who_is_at_home_stays_so_by_another_number_and_goes_with_its_driver() -> None:
    made = draft(2, rulebook="league", home=(1, 2), absent=(1,)).editing(0, RaceEntrant(number=8, name="Ada"))
    assert (made.home, made.absent) == ((8, 2), (8,))
    assert made.leaving(0).home == (2,)
    assert [car.get("home") for car in setup_of(made.leaving(0))["cars"]] == [True]  # type: ignore[union-attr]
    assert "home" not in setup_of(made.but(rulebook="cup"))["cars"][0]  # type: ignore[index]
