"""Every sentence of the program, in both languages, from what the rules really say."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple, get_args

import pytest

from companion import circuits
from companion.articles import load
from companion.drivers.chance import RandomDriver
from companion.drivers.sensible import HeuristicDriver
from companion.rules.conversation.asking import Asked, Json, Option, Ruling
from companion.rules.conversation.conversation import Conversation
from companion.rules.conversation.errors import (
    BadAnswer,
    BadEntry,
    BadSetup,
    BadTrack,
    CompanionError,
    LogError,
    error_text,
)
from companion.rules.conversation.kinds import KINDS, POOLS, Kind
from companion.rules.dice import questions
from companion.rules.rulebooks import begin
from companion.tournament.record import Record, acts_of
from companion.tournament.season import Season
from companion.tournament.tournament import Tournament
from companion.tournament.trial import Tap
from companion.tournament.trials import Trials
from companion.wording import LANGUAGES, Words
from companion.wording.filling import MissingWords, leaves, locale, pieces, split

RULES = Path(questions.__file__).parents[1]
SWITCHES = {
    "death": {"pick_cards": True, "grid_by_die": True},
    "cup": {"table_names_zones": True},
    "league": dict.fromkeys(("wings", "super_soft", "top", "super_top", "boosters"), True),
}
NAMES = {1: "Ada", 2: "Bob", 3: "Cléo"}


def both() -> list[Words]:
    return [Words(lang) for lang in LANGUAGES]


def fields(template: str) -> set[str]:
    """The facts that a sentence cannot do without."""
    wanted = set()
    for _, field, form in pieces(template):
        if field is not None and form[:1] not in ("?", "="):
            wanted.add(field)
    return wanted


def all_fields(template: str) -> set[str]:
    found = set()
    for _, field, form in pieces(template):
        if field is not None:
            found.add(field)
            if form[:1] in ("?", "="):
                for part in split(form)[1:]:
                    found |= all_fields(part)
    return found


def ruled() -> Iterator[tuple[str, set[str]]]:
    """Each place in the rules that notes a ruling: its kind and the facts it gives."""
    kind_at = {"rule": 0, "lose": 1}
    for file in sorted(RULES.rglob("*.py")):
        for node in ast.walk(ast.parse(file.read_text())):
            if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)):
                continue
            at = kind_at.get(node.func.attr)
            if at is None or len(node.args) <= at:
                continue
            kind = node.args[at]
            if isinstance(kind, ast.Constant) and isinstance(kind.value, str):
                yield kind.value, {keyword.arg or "" for keyword in node.keywords}


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_kind_of_ruling_has_a_sentence_and_no_other(lang: str) -> None:
    assert set(Words(lang).table["ruling"]) == set(KINDS)


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("table", ["ask", "option", "about"])
def test_every_question_has_its_words_and_no_other(lang: str, table: str) -> None:
    assert set(Words(lang).table[table]) == set(questions.ALL_ASKS)


def test_both_languages_say_the_same_things() -> None:
    def shape(entry: Any) -> Any:
        if isinstance(entry, str):
            return sorted(all_fields(entry))
        return {key: value if key == "by" else shape(value) for key, value in entry.items()}

    en, fr = both()
    assert set(en.table) == set(fr.table) - {"phrase", "spot", "listed"}
    for name in set(en.table) - {"ordinal", "error"}:
        assert shape(en.table[name]) == shape(fr.table[name]), name
    errors = {
        lang: {kind: set(shape(entry)) for kind, entry in Words(lang).table["error"].items()} for lang in LANGUAGES
    }
    assert errors["en"].keys() == errors["fr"].keys()
    for kind, facts in errors["fr"].items():  # French may have a word for a list of keys
        assert facts <= errors["en"][kind], kind


@pytest.mark.parametrize("lang", LANGUAGES)
def test_sentences_ask_for_no_fact_that_the_rules_never_give(lang: str) -> None:
    given: dict[str, set[str]] = {}
    for kind, facts in ruled():
        given.setdefault(kind, set()).update(facts)
    always = {"car", "wear", "paid", "article", "text"}
    open_ended = {"hit", "out"}  # noted by one method for many callers; the races below check these
    for kind, entry in Words(lang).table["ruling"].items():
        if kind not in open_ended:
            for sentence in leaves(entry):
                assert fields(sentence) <= given[kind] | always, kind


def test_both_races_and_rules_are_worded_whole() -> None:
    """Whatever random and sensible drivers bring about, on a board and on a sheet, has a whole sentence."""
    seen: set[str] = set()
    asks: set[str] = set()
    for rulebook, key, driver, races in (
        ("competition", "monaco", RandomDriver, 6),
        ("competition", "monaco", HeuristicDriver, 2),
        ("competition", "spa", RandomDriver, 3),
        ("cup", "monaco", RandomDriver, 3),
        ("cup", "porto-sereno", HeuristicDriver, 1),
        ("cup", "spa", RandomDriver, 2),
        ("death", "monaco", RandomDriver, 4),
        ("death", "porto-sereno", HeuristicDriver, 2),
        ("league", "copper-basin", RandomDriver, 3),
        ("league", "monza", HeuristicDriver, 2),
    ):
        track = circuits.load(key)
        spoken_for = [Words(lang, rulebook) for lang in LANGUAGES]
        for seed in range(races):
            cars = [{"car": number, "driver": NAMES.get(number, f"D{number}")} for number in range(1, 9)]
            talk = Conversation(
                begin(
                    {"rulebook": rulebook, "track": key, "cars": cars[:6], "options": SWITCHES.get(rulebook, {})}, track
                )
            )
            who = driver(track, seed)
            while (asked := talk.asked) is not None:
                asks.add(asked.ask)
                for words in spoken_for:
                    whole(words.question(asked, NAMES))
                    for option in asked.options or []:
                        whole(words.option(asked.ask, option.answer, NAMES))
                        words.note(asked.ask, option, NAMES)
                answer = who.answer(asked, talk.rulebook.race)  # type: ignore[attr-defined]
                for words in spoken_for:
                    whole(words.undo_label(asked.ask, asked.car, answer, NAMES))
                for ruling in talk.answer(answer):
                    seen.add(ruling.kind)
                    for words in spoken_for:
                        whole(words.ruling(ruling, NAMES))
    assert len(seen) > 30
    assert asks >= set(questions.ALL_ASKS) - {
        "practice",
        "front",
        "repair",
        "stop",
        "slipstream",
        "strip",
        "extra",
        "place",
    }


def whole(sentence: str) -> None:
    assert sentence
    assert not re.search(r"[{}]|\bNone\b|\bTrue\b|\bFalse\b|  ", sentence), sentence


def test_a_corner_is_a_virage_in_french_and_nothing_else() -> None:
    """Wherever English says corner; what has it otherwise is a corner of the panel, a corner sheet, or the stop that is
    said without its corner. Turning points are none."""
    others = {"touch.corners", "touch.done", "new_race.no_sheet_about", "seen.no_stop", "analysis.turning"}
    english, french = (dict(_worded(locale(lang))) for lang in LANGUAGES)
    found = set()
    for where, said in french.items():
        bare = re.sub(r"{[^{}|]*}", "", english.get(where, ""))
        cornered = re.search(r"\bcorners?\b", bare) and "virage" not in said.lower()
        if cornered or re.search(r"\b(tournant|tournants|épingle|coude)\b", said):
            found.add(where)
    in_files = {"error.circuit.known", "error.section.kind"}  # what a circuit's file has in quotes
    assert found == {f"screen.{where}" for where in others} | in_files


def _worded(table: Mapping[str, object], within: str = "") -> Iterator[tuple[str, str]]:
    """Every sentence of a locale by its place."""
    for key, entry in table.items():
        if isinstance(entry, str):
            yield within + key, entry
        elif isinstance(entry, dict):
            yield from _worded(entry, f"{within}{key}.")


@pytest.mark.parametrize("lang", LANGUAGES)
def test_to_take_an_answer_back_and_to_leave_a_form_are_two_words(lang: str) -> None:
    say = Words(lang).screen
    undo = {say(key) for key in ("widget.undo", "control.undo.name")}
    leave = {say(key) for key in ("widget.cancel", "keys.cancel", "entrants.cancel")}
    assert (len(undo), len(leave), len(undo | leave)) == (1, 1, 2)


def test_numbers_have_their_nouns() -> None:
    en, fr = both()
    move = {"begin": "1:left:1", "at": "2:middle:4"}
    one = Ruling("move", "6-2-1", 3, {}, {**move, "moved": 1})
    assert en.ruling(one, NAMES) == "3 Cléo drives 1 space to 2:middle:4."
    assert fr.ruling(one, NAMES) == "3 Cléo avance de 1 case jusqu’en 2:milieu:4."
    many = Ruling("move", "6-2-1", 9, {}, {**move, "moved": 7})
    assert en.ruling(many, NAMES) == "9 drives 7 spaces to 2:middle:4."
    assert fr.ruling(many) == "9 avance de 7 cases jusqu’en 2:milieu:4."
    for to, said in ((1, "fails on 1"), (2, "fails on 1–2")):
        wall = Ruling("wall", "15-0-2", 3, {}, {"face": 9, "to": to, "at": "4:right:5"})
        engine = Ruling("engine", "16-0-2", 3, {}, {"face": 9, "to": to})
        assert f" 9 ({said}), " in en.ruling(wall, NAMES)
        assert f" 9 ({said}), " in en.ruling(engine, NAMES)
    still = Ruling("move", "6-2-1", 9, {}, {**move, "moved": 0})
    assert en.ruling(still) == "9 stays on 2:middle:4."


def test_who_rolled_for_the_weather_is_named_beside_the_face() -> None:
    """A figure and a colon begin what is said of a car: 8: changeable would be car 8."""
    en, fr = both()
    drawn = Ruling("weather", "3-2-4", 3, {}, {"face": 8, "sky": "changeable", "surface": "", "fixed": False})
    assert (en.ruling(drawn, NAMES), fr.ruling(drawn, NAMES)) == (
        "3 Cléo rolls 8: changeable.",
        "3 Cléo fait 8\u00a0: variable.",
    )


def test_a_range_of_no_faces_is_told_as_none() -> None:
    """A figure of the setup may leave a test no face, and then nobody loses from 1 to 0."""
    en, fr = both()
    for to, said, dit in (
        (0, "no face fails", "aucune face n’échoue"),
        (1, "fails on 1", "échec sur 1"),
        (20, "fails on 1–20", "échec sur 1–20"),
    ):
        test = Asked(1, "test", "16-0-2", 1, 3, "engine", fields={"loses_to": to})
        assert en.question(test, NAMES) == f"3 Cléo: engine test, roll the black die ({said})"
        assert fr.question(test, NAMES).endswith(f"lancez le dé noir ({dit})")
        held = Ruling("engine", "16-0-2", 3, {}, {"face": 20, "to": to})
        assert f" rolls 20 ({said}), " in en.ruling(held, NAMES)
        assert f" fait 20 ({dit}), " in fr.ruling(held, NAMES)
    shot = Option({"fire": "frag-missiles", "space": "1:left:1"}, {}, {"hits_to": 0})
    assert (en.note("attack", shot), fr.note("attack", shot)) == ("no face hits", "aucune face ne touche")
    first = Option(True, {}, {"worst": 1, "of": 2})
    assert (en.note("contest", first), fr.note("contest", first)) == ("place 1 of 2", "place 1 sur 2")
    torn = Ruling("stripped", "weapon.chain-blades", 3, {}, {"face": 5, "to": 0})
    assert "5 (aucune face n’échoue), aucune carte arrachée." in fr.ruling(torn, NAMES)
    for to, said, dit in (
        (0, "none hits", "aucune ne touche"),
        (1, "1 hits", "1 touche"),
        (4, "1–4 hits", "1–4 touche"),
    ):
        assert (en.screen("attack.chance", to=to), fr.screen("attack.chance", to=to)) == (said, dit)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_no_sentence_counts_faces_from_1_by_hand(lang: str) -> None:
    """The forms `span`, `fails`, `hits` and `needs` do, and know of the range without a face."""
    by_hand = re.compile(r"1(–| to | à )\{\w*to\}")
    found = [key for key, said in _worded(locale(lang)) if by_hand.search(said)]
    assert found == ["faces.span"]


def test_costs_are_written_with_their_pools_in_the_order_of_the_sheet() -> None:
    en, fr = both()
    wear = {"engine": -1, "gearbox": -1, "tyres": -2, "brakes": -1}
    assert en.cost(wear) == "−2 tyres, −1 brake, −1 gearbox, −1 engine"
    assert fr.cost(wear) == "−2 pneus, −1 frein, −1 consommation, −1 moteur"
    assert (en.cost({}), fr.cost({})) == ("free", "gratuit")
    assert en.cost({"tyres": 3}) == "+3 tyres"
    assert list(POOLS)[:2] == ["tyres", "brakes"]


def test_gears_are_counted_as_each_language_counts() -> None:
    en, fr = both()
    assert [en.option("gear", gear) for gear in range(1, 7)] == ["1st", "2nd", "3rd", "4th", "5th", "6th"]
    assert [fr.option("gear", gear) for gear in (1, 2, 6)] == ["1re", "2e", "6e"]


def test_the_points_of_a_death_race_are_told_as_its_one_pool() -> None:
    built = Ruling("build", "basic.pool", 3, {}, {"built": {"points": 18}, "stand": 0})
    assert [Words(lang, "death").ruling(built, NAMES) for lang in LANGUAGES] == [
        "3 Cléo: points 18.",
        "3 Cléo\u00a0: points 18.",
    ]


def test_what_an_answer_brings_is_said_shortly() -> None:
    en, fr = both()
    option = Option(
        {"space": "5:left:3", "brakes": 1, "soft": 0},
        {"brakes": -1},
        {"moved": 7, "corner": 2, "stops": 1, "of": 2, "tests": ["4:left:2"]},
    )
    assert en.note("landing", option) == "7 spaces · stop 1/2 · tests 4:left:2"
    assert fr.note("landing", option) == "7 cases · arrêt 1/2 · tests 4:gauche:2"
    gone = Option({"space": "5:left:3", "brakes": 0, "soft": 0}, {}, {"moved": 7, "overshot": 9, "out": "overshoot"})
    assert en.note("landing", gone) == "7 spaces · overshoots 9 · out: overshot a corner"


def test_a_referees_word_is_said_in_words() -> None:
    en, fr = both()
    change = {"car": 3, "wear": {"tyres": 4}, "gear": 2, "tyres": "soft"}
    ruling = Ruling("override", "ruling 4", 3, {}, {"change": change})
    assert en.ruling(ruling, NAMES) == "The referee sets 3 Cléo: tyres 4, gear 2, soft tyres."
    assert fr.ruling(ruling, NAMES) == "Décision du commissaire\u00a0: 3 Cléo\u00a0: pneus 4, vitesse 2, pneus tendres."


def test_reminders_carry_the_article_itself() -> None:
    said = Words("fr").ruling(Ruling("reminder", "6-1-3", None, {}, {"moment": "roll"}))
    assert said.startswith("À la table")
    assert len(said) > 40


def test_who_is_reminded_in_a_race_is_named_and_told_it_in_a_line() -> None:
    for rulebook, moment, article in (("competition", "lane", "19-1-8"), ("cup", "entry", "tyres.two-compounds")):
        for lang in LANGUAGES:
            said = Words(lang, rulebook).ruling(Ruling("reminder", article, 3, {}, {"moment": moment}), {3: "CLE"})
            assert said.startswith("3 CLE")
            assert len(said) <= 120, said


def test_errors_speak_the_readers_language() -> None:
    en, fr = both()
    wrong = BadAnswer("face", gear=5, low=11, high=20, face=9)
    assert str(wrong) == en.error(wrong) == "5th gear shows 11 to 20; 9 is not on that die."
    assert fr.error(wrong) == "La 5e va de 11 à 20\u00a0; 9 n’est pas sur ce dé."
    far = BadAnswer("out_of_reach", space="1:left:1", listed="pit:20, 4:inner-left:3, ...")
    assert en.error(far) == "1:left:1 cannot be reached; pit lane 20, 4:inner-left:3, ... can."
    reach = "Sont à portée : ligne des stands 20, 4:centre-gauche:3, ... ; pas 1:gauche:1."
    assert fr.error(far).replace("\u00a0", " ") == reach
    assert fr.error(CompanionError("A sentence of another package's rulebook.")) == (
        "A sentence of another package's rulebook."
    )


def test_an_error_in_an_error_and_its_place_are_told_in_the_readers_language() -> None:
    en, fr = both()
    wrong = BadSetup("value_range", where="Car 3", name="lap", low=0, high=60, value=99)
    assert str(wrong) == "Car 3: lap is 0 to 60; 99 is not."
    assert fr.error(wrong) == "Voiture 3\u00a0: lap va de 0 à 60\u00a0; pas 99."
    inner = BadSetup("car_fault", car=3, wrong=BadAnswer("whole", answer="x"))
    assert en.error(inner) == "Car 3: A whole number is wanted here, such as 4; x is not one."
    assert fr.error(inner) == "Voiture 3\u00a0: Il faut ici un nombre entier, par exemple 4\u00a0; x n’en est pas un."


def program() -> list[Path]:
    top = RULES.parents[1]
    return [*(top / "companion").rglob("*.py"), *(top / "hardware").rglob("*.py")]


class Raised(NamedTuple):
    """A place where an error is made: its kind, and the facts it gives; None if they are not all to be seen there."""

    at: str
    kind: str
    facts: frozenset[str] | None


def error_classes(trees: Iterable[ast.Module]) -> set[str]:
    bases = {node.name: {ast.unparse(base) for base in node.bases}
             for tree in trees for node in ast.walk(tree) if isinstance(node, ast.ClassDef)}  # fmt: skip
    found = {"CompanionError"}
    while more := {name for name, of in bases.items() if of & found} - found:
        found |= more
    return found


def raised() -> list[Raised]:
    """Every place in the program where an error is made with a kind that stands there."""
    trees = {file: ast.parse(file.read_text()) for file in program()}
    names, found = error_classes(trees.values()), []
    for file, tree in trees.items():
        for node in ast.walk(tree):
            if not isinstance(node, ast.Call) or not node.args:
                continue
            name = node.func.id if isinstance(node.func, ast.Name) else getattr(node.func, "attr", "")
            if name in names:
                given = {word.arg for word in node.keywords}
                facts = frozenset(filter(None, given)) if None not in given else None
                first = node.args[0]
                kinds = [first.body, first.orelse] if isinstance(first, ast.IfExp) else [first]
                found += [Raised(f"{file}:{node.lineno}", kind.value, facts)
                          for kind in kinds if isinstance(kind, ast.Constant)]  # fmt: skip
    return found


def test_every_error_has_a_sentence_in_both_languages_with_no_fact_that_it_lacks() -> None:
    for lang in LANGUAGES:
        table = Words(lang).table["error"]
        for at, kind, facts in raised():
            assert kind in table, f"{at}: locale/{lang}.toml has no [error] {kind}"
            if facts is not None:
                lacking = set[str]().union(*(fields(said) for said in leaves(table[kind]))) - facts
                assert not lacking, f"{at}: {kind} wants {lacking} in {lang}"


def test_no_error_has_a_sentence_that_nobody_says() -> None:
    said = "".join(file.read_text() for file in program())
    for lang in LANGUAGES:
        unused = {kind for kind in Words(lang).table["error"] if f'"{kind}"' not in said}
        assert not unused, f"locale/{lang}.toml [error]"


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_switch_that_is_off_is_off_in_the_condition_of_an_error(lang: str) -> None:
    whole, some = (BadSetup("typed.numbers_wanted", all=all_, count=3, example="3, 2") for all_ in (True, False))
    assert "3" in Words(lang).error(whole).split(",")[0]
    assert "3" not in Words(lang).error(some).split(",")[0]
    assert "true" in Words(lang).error(BadSetup("maximum_range", car=2, value=True))


def test_a_setup_out_of_range_is_told_in_french() -> None:
    fr = Words("fr")
    track = circuits.load("monaco")
    for setup, said in (
        ({"cars": [{"car": 1}], "turn": -1}, "Course\u00a0: turn va de 0 à"),
        ({"cars": [{"car": 1, "lap": 200}]}, "Voiture 1\u00a0: lap va de 0 à"),
    ):
        with pytest.raises(CompanionError) as wrong:
            begin({"track": "monaco", **setup}, track)
        assert fr.error(wrong.value).startswith(said)


def test_what_varies_in_an_error_is_french_in_french() -> None:
    fr = Words("fr")
    for wrong, french in (
        (LogError("no_record.word", what="session of trials", word="of May", near="12ab (May)"),
         "Il n’y a pas de séance d’essais of May ; derniers : 12ab (May)."),
        (CompanionError("system_refuses", path="this", why="Input/output error"),
         "Le système refuse this : le disque ne répond pas."),
        (BadAnswer("drawn_kept", cards="D4 9 - or G1 2"), "Des cartes piochées, une est gardée : D4 9 - ou G1 2."),
        (BadAnswer("seen_unreachable", known="after corner 3, pit", place="box"),
         "De là la voiture peut s’arrêter en : après le virage 3, ligne des stands ; pas en stand."),
        (BadAnswer("count_range", car=2, name="to_box", low=0, high=9, count=12),
         "Voiture 2 : stand va ici de 0 à 9 ; pas 12."),
        (BadAnswer("not_repairable", pool="tyres", pools="brakes, body"),
         "Au stand se réparent : freins, carrosserie ; pas pneus."),
        (BadAnswer("not_lost", car=5, lost=1, pool="body", points=2), "La voiture 5 a perdu 1 (carrosserie), pas 2."),
        (BadAnswer("built_pools", pools="tyres, body", wrong="unknown: wings; missing: body"),
         'Une voiture a pneus, carrosserie et points de stand ("stand") ; inconnu : wings ; manque : carrosserie.'),
        (BadSetup("no_space", track="Monaco", at="x", form="a space is written like 5:left:3 or pit:4"),
         "Monaco n’a pas de case x ; une case s’écrit comme 5:gauche:3 ou ligne des stands 4"),
        (BadSetup("in_pits", car=2, status="stalled"),
         "La voiture 2 est aux stands, où il n’y a pas d’état calé ; fixez d’abord sa place."),
        (BadSetup("car_on_space", car=3, at="5:left:3"),
         "La voiture 3 est en 5:gauche:3 ; une case n’en porte qu’une."),
        (BadSetup("car_fault", car=3, wrong=BadSetup("part_least", least=1, pool="tyres", count=0)),
         "Voiture 3 : Il faut 1 ou plus partout ; pneus : 0."),
        (BadAnswer("card_unclear", cards="D1 20 C, S2 20 and G4 20", factor=20), "D1 20 C, S2 20 et G4 20 ont"),
        (BadSetup("car_no_pool", car=1, pool="oil", pools="tyres, gearbox, body"), "pneus, consommation, carrosserie."),
        (BadSetup("league_points", car=1, points="tyres 6, gearbox 3"), "celle-ci pneus 6, consommation 3."),
        (BadSetup("status_in_cup", car=1, status="spun"), "« tête-à-queue »"),
        (LogError("large", most="4.0", size="5.3"), "Un lot pèse au plus 4,0 Mo ; celui-ci en pèse 5,3."),
        (BadTrack("home_circuit", driver="Ada", complaint=BadTrack("no_circuit", name="x", near="spa", count=9)),
         "Circuit à domicile de Ada : Il n’y a pas de circuit x ; le plus proche est spa."),
        (LogError("senseless", seq=7, wrong=BadEntry("withdrawn", name="Ada")),
         "les précédentes (Ada a déclaré forfait) ;"),
        (LogError("damaged.rules", race="Sunday", found=LogError("other_state").at("entry 7")),
         "ne suit pas le règlement (entrée 7 : il aboutit à un autre état) ;"),
        (LogError("differs", seq=7, wrong=LogError("differs.rulings")),
         "L’entrée 7 ne s’ensuit pas : ce qui a été jugé n’est pas ce que dit le règlement."),
        (LogError("held.race", race="Sunday", program="companion race", pid="23439", since="15:36"),
         "La course Sunday est tenue par companion race (processus 23439, depuis 15:36) ;"),
    ):  # fmt: skip
        assert french in fr.error(wrong).replace("\u00a0", " ")
        assert fr.stored_error(error_text(wrong)) == fr.error(wrong), "and as another program says it"
    assert fr.stored_error("Nobody has said this yet.") == "Nobody has said this yet."


def test_french_keeps_its_double_signs_with_the_word_before() -> None:
    table = dict(Words("fr").table)
    said = [entry["fr"] for entry in table.pop("phrase")]
    for sentence in [*leaves(table), *said]:
        assert not re.search(r" [:;?!»]", sentence), sentence


@pytest.mark.parametrize(("lang", "space"), [("en", ""), ("fr", "\u00a0")])
def test_the_sign_of_per_cent_stands_as_its_language_sets_it(lang: str, space: str) -> None:
    table = {name: entries for name, entries in Words(lang).table.items() if name != "phrase"}
    signed = [found for text in leaves(table) for found in re.findall(r"[\d}](\s*)%", text)]
    assert signed == [space] * len(signed)
    assert Words(lang).chance(0.3) == f"30{space}%"


def test_a_language_that_is_not_there_is_refused() -> None:
    with pytest.raises(CompanionError, match="en, fr"):
        Words("de")


def test_a_missing_fact_or_sentence_is_an_error_not_a_gap() -> None:
    with pytest.raises(MissingWords):
        Words("en").ruling(Ruling("move", "6-2-1", 3, {}, {"moved": 3}))
    with pytest.raises(MissingWords):
        Words("en").ruling(Ruling("nothing", "6-2-1", 3))


@pytest.mark.parametrize(
    ("lang", "at", "said"),
    [
        ("en", "5:left:3", "1 Ada drives 4 spaces to 5:left:3."),
        ("en", "after:8", "1 Ada drives 4 spaces: after corner 8."),
        ("en", "after:0", "1 Ada drives 4 spaces: past the line."),
        ("fr", "5:left:3", "1 Ada avance de 4 cases jusqu’en 5:gauche:3."),
        ("fr", "corner:2", "1 Ada avance de 4 cases\u00a0: virage 2."),
        ("fr", "after:0", "1 Ada avance de 4 cases\u00a0: après la ligne."),
    ],
)
def test_a_move_to_a_space_and_to_a_place_on_a_corner_sheet(lang: str, at: str, said: str) -> None:
    moved = Ruling("move", "6-2-1", 1, {}, {"moved": 4, "at": at})
    assert Words(lang).ruling(moved, {1: "Ada"}) == said


@pytest.mark.parametrize(
    ("lang", "left", "said"),
    [
        ("en", 3, "1 Ada uses Mag Plates and follows to 2:left:3, 3 tokens left."),
        ("en", 0, "1 Ada uses Mag Plates and follows to 2:left:3."),
        ("fr", 1, "1 Ada utilise Plaques magnétiques et suit en 2:gauche:3, 1 jeton reste."),
    ],
)
def test_where_mag_plates_have_taken_a_car_is_said(lang: str, left: int, said: str) -> None:
    used = Ruling("used", "utility.mag-plates", 1, {}, {"card": "mag-plates", "left": left, "at": "2:left:3"})
    assert Words(lang, "death").ruling(used, {1: "Ada"}) == said


@pytest.mark.parametrize(
    ("kind", "facts", "en", "fr"),
    [
        ("spin", {}, "1 spins: after corner 8.", "1 part en tête-à-queue\u00a0: après le virage 8."),
        (
            "danger",
            {},
            "A danger marker is placed: after corner 8.",
            "Un marqueur de danger est posé\u00a0: après le virage 8.",
        ),
        ("removed", {}, "1 is removed: after corner 8.", "1 est retirée\u00a0: après le virage 8."),
        ("move", {"moved": 0}, "1 stays: after corner 8.", "1 reste\u00a0: après le virage 8."),
        (
            "out",
            {"cause": "body", "removed": False},
            "1 is out (no body points left); the wreck stays: after corner 8 until its next turn.",
            "1 est hors course (plus de carrosserie)\u00a0; "
            "l’épave reste\u00a0: après le virage 8 jusqu’à son prochain coup.",
        ),
    ],
)
def test_what_happens_in_a_place_on_a_corner_sheet(kind: Kind, facts: dict[str, Json], en: str, fr: str) -> None:
    for lang, said in (("en", en), ("fr", fr)):
        assert Words(lang).ruling(Ruling(kind, "1", 1, {}, {**facts, "at": "after:8"})) == said
    assert Words("en").ruling(Ruling("spin", "1", 1, {}, {"at": "5:left:3"})) == "1 spins on 5:left:3."


def test_a_landing_of_no_spaces_and_the_line_on_a_corner_sheet_are_said() -> None:
    en, fr = both()
    still = Option({"space": "20:left:16", "brakes": 1, "soft": 0}, {"brakes": -1}, {"moved": 0})
    assert (en.note("landing", still), fr.note("landing", still)) == ("0 spaces", "0 case")
    assert en.option("saw", {"in": "after 11", "line": True}) == "after corner 11, over the line"
    assert fr.option("saw", {"in": "corner 1", "line": True}) == "virage 1, ligne franchie"


DRAWN = ("drawing", "web/art.py", "web/board.py", "view/markup.py", "printing/picture.py")
"""Where figures with places are no words: what is drawn."""


def test_only_decimal_writes_a_number_with_places() -> None:
    """A number with places has the comma of its language, so no place but one may choose it; an English sentence is
    written with a point, and what it says is translated with `decimal` in its French."""
    package, written = RULES.parent, []
    for file in sorted(package.rglob("*.py")):
        name = str(file.relative_to(package))
        if name.startswith(DRAWN):
            continue
        for node in ast.walk(ast.parse(file.read_text())):
            if isinstance(node, ast.FormattedValue) and isinstance(node.format_spec, ast.JoinedStr):
                spec = "".join(part.value for part in node.format_spec.values if isinstance(part, ast.Constant))
                if re.search(r"\.?[1-9]?f$", spec) and not spec.endswith(".0f"):
                    written.append(name)
    assert written == ["hall/ledger.py", "hall/ledger.py", "sheets/backup.py", "wording/filling.py"]


def test_a_number_with_places_has_the_comma_of_its_language() -> None:
    assert [Words(lang).decimal(1.25, 2) for lang in LANGUAGES] == ["1.25", "1,25"]


def test_in_the_race_of_cards_who_stays_drives_no_sections_and_damage_is_counted() -> None:
    en, fr = (Words(lang, "ninety") for lang in LANGUAGES)
    still = Ruling("move", "move.points", 3, {}, {"moved": 0, "points": 2, "at": "section:4", "lap": 1})
    assert (en.ruling(still, NAMES), fr.ruling(still, NAMES)) == (
        "3 Cléo stays in section 4.",
        "3 Cléo reste en section 4.",
    )
    for damage, said in ((1, "1 dégât"), (4, "4 dégâts")):
        chart = {"tyres": 3, "cards": 4, "damage": damage}
        assert fr.ruling(Ruling("chart", "chart.car", 3, {}, chart)).endswith(f" et {said}.")
        assert fr.option("chart", chart) == f"3 pneus, 4 cartes, {said}"
    order = Ruling("contested", "contest.order", None, {}, {"at": "section:4", "order": [2, 3]})
    assert en.ruling(order) == "New order in section 4: 2 and 3."
    assert fr.ruling(order) == "Nouvel ordre en section 4\u00a0: 2 et 3."


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("kind", [Tournament, Season, Trials])
def test_the_history_of_a_record_has_words_for_every_act(lang: str, kind: type[Record]) -> None:
    """Those of the trials stand with their screen, the others also say what an undo would take back."""
    words: Any = locale(lang)
    tags = set(acts_of(kind)) - {kind.KIND}
    if kind is Trials:
        assert (tags - {"tap"}).union(get_args(Tap)) == set(words["screen"]["trial"]["undo"])
    else:
        assert tags <= set(words["act"])
        assert tags - {"undo"} <= set(words["screen"]["season"]["undo"])


def test_french_refusals_have_the_keys_of_a_line_in_quotes_as_it_has_them() -> None:
    """Nobody types « grid », and a bare three_laps reads as a slip."""
    errors = {lang: locale(lang)["error"] for lang in LANGUAGES}
    for kind in errors["fr"]:
        english, french = (" ".join(leaves(errors[lang][kind])) for lang in LANGUAGES)
        for key in re.findall(r'"([\w{}]+)"', english):
            assert f"«\u00a0{key}\u00a0»" not in french, french
        outside = re.sub(r'"[^"]*"|\{[^}]*\}|--\S+|\S+=\S+', "", french)
        assert not re.search(r"\b[a-z]+_[a-z_]+\b", outside), french


def test_dry_is_not_read_as_seconds_on_a_key_of_tyres() -> None:
    """In French "−1 sec" would be."""
    fr = Words("fr")
    assert fr.screen("key_note.tyres", dry=1, wet=2) == "sortie\u00a0: sec −1, mouillé −2"
    assert fr.screen("key_note.tyres", dry=2) == "sortie\u00a0: −2"


def test_formula_d_has_the_words_of_its_box_in_french() -> None:
    """The championship's consumption is a gearbox there, in its articles and wherever the locale names it."""

    def named(table: Mapping[str, Any], at: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
        for key, entry in table.items():
            if isinstance(entry, dict):
                yield from named(entry, (*at, key))
            elif isinstance(entry, str) and re.search(r"\bconso", entry, re.IGNORECASE):
                yield (*at, key)

    everywhere = {name: table for name, table in Words("fr").table.items() if name != "rulebook"}
    places = list(named(everywhere))
    assert ("pool", "gearbox") in places
    box = Words("fr").table["rulebook"]["formula-d"]
    assert list(named(box)) == []
    for place in places:
        own: Any = box
        for key in place:
            own = own.get(key) if own is not None else None
        assert own is not None, place
    assert Words("fr", "formula-d").cost({"gearbox": -1, "brakes": -1}) == "−1 frein, −1 boîte de vitesses"
    for entry in load("formula-d").articles:
        if not entry.id.startswith("variant."):
            assert "onsommation" not in entry.title("fr") + entry.text("fr"), entry.id
