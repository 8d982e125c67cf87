"""Every sentence of the program, in both languages, from what the rules really say."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, get_args

import pytest

from companion import circuits
from companion.drivers.chance import RandomDriver
from companion.drivers.sensible import HeuristicDriver
from companion.rules.conversation.asking import Asked, Json, Option, Ruling
from companion.rules.conversation.conversation import Conversation
from companion.rules.conversation.errors import BadAnswer, CompanionError
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
    assert set(en.table) == set(fr.table) - {"sentence", "phrase"}
    for name in set(en.table) - {"ordinal"}:
        assert shape(en.table[name]) == shape(fr.table[name]), name


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
    assert found == {f"screen.{where}" for where in others}


def _worded(table: Mapping[str, object], within: str = "") -> Iterator[tuple[str, str]]:
    """Every sentence of a locale by its place."""
    for key, entry in table.items():
        if isinstance(entry, str):
            yield within + key, entry
        elif isinstance(entry, dict):
            yield from _worded(entry, f"{within}{key}.")


def test_numbers_have_their_nouns() -> None:
    en, fr = both()
    move = {"begin": "1:left:1", "at": "2:middle:4"}
    one = Ruling("move", "6-2-1", 3, {}, {**move, "moved": 1})
    assert en.ruling(one, NAMES) == "3 Cléo drives 1 space to 2:middle:4."
    assert fr.ruling(one, NAMES) == "3 Cléo avance de 1 case en 2:milieu:4."
    many = Ruling("move", "6-2-1", 9, {}, {**move, "moved": 7})
    assert en.ruling(many, NAMES) == "9 drives 7 spaces to 2:middle:4."
    assert fr.ruling(many) == "9 avance de 7 cases en 2:milieu:4."
    for to, said in ((1, "1 loses"), (2, "1 to 2 loses")):
        wall = Ruling("wall", "15-0-2", 3, {}, {"face": 9, "to": to, "at": "4:right:5"})
        engine = Ruling("engine", "16-0-2", 3, {}, {"face": 9, "to": to})
        assert f" 9, {said}: " in en.ruling(wall, NAMES)
        assert f" 9, {said}: " in en.ruling(engine, NAMES)
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
        (0, "no face loses", "aucune face ne perd"),
        (1, "1 loses", "1 perd"),
        (20, "1 to 20 loses", "1 à 20 perd"),
    ):
        test = Asked(1, "test", "16-0-2", 1, 3, "engine", fields={"loses_to": to})
        assert en.question(test, NAMES) == f"3 Cléo: engine test, roll black: {said}"
        assert fr.question(test, NAMES).endswith(f"dé noir\u00a0: {dit}")
        held = Ruling("engine", "16-0-2", 3, {}, {"face": 20, "to": to})
        assert f" 20, {said}: " in en.ruling(held, NAMES)
        assert f" 20, {dit}\u00a0: " in fr.ruling(held, NAMES)
    shot = Option({"fire": "frag-missiles", "space": "1:left:1"}, {}, {"hits_to": 0})
    assert (en.note("attack", shot), fr.note("attack", shot)) == ("no face hits", "aucune face ne touche")
    first = Option(True, {}, {"worst": 1, "of": 2})
    assert (en.note("contest", first), fr.note("contest", first)) == ("place 1 of 2", "place 1 sur 2")
    torn = Ruling("stripped", "weapon.chain-blades", 3, {}, {"face": 5, "to": 0})
    assert "5, aucune face n’arrache\u00a0: rien." in fr.ruling(torn, NAMES)
    for to, said, dit in (
        (0, "none hits", "aucune ne touche"),
        (1, "1 hits", "1 touche"),
        (4, "1–4 hits", "1–4 touche"),
    ):
        assert (en.screen("attack.chance", to=to), fr.screen("attack.chance", to=to)) == (said, dit)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_no_sentence_counts_faces_from_1_by_hand(lang: str) -> None:
    """The forms `upto` and `span` do, and know of the range without a face."""
    by_hand = re.compile(r"1(–| to | à )\{\w*to\}")
    found = [key for key, said in _worded(locale(lang)) if by_hand.search(said)]
    assert found == ["text.upto", "text.span"]


def test_costs_are_written_with_their_pools_in_the_order_of_the_sheet() -> None:
    en, fr = both()
    wear = {"engine": -1, "gearbox": -1, "tyres": -2, "brakes": -1}
    assert en.cost(wear) == "−2 tyres, −1 brake, −1 gearbox, −1 engine"
    assert fr.cost(wear) == "−2 pneus, −1 frein, −1 consommation, −1 moteur"
    assert (en.cost({}), fr.cost({})) == ("free", "libre")
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
    assert en.note("landing", gone) == "7 spaces · overshoots 9 · out: overshooting"


def test_a_referees_word_is_said_in_words() -> None:
    en, fr = both()
    change = {"car": 3, "wear": {"tyres": 4}, "gear": 2, "tyres": "soft"}
    ruling = Ruling("override", "ruling 4", 3, {}, {"change": change})
    assert en.ruling(ruling, NAMES) == "The referee sets 3 Cléo: wear tyres 4, gear 2, tyres soft."
    assert (
        fr.ruling(ruling, NAMES)
        == "Décision du commissaire\u00a0: 3 Cléo\u00a0: PdV pneus 4, vitesse 2, pneus tendres."
    )


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


def test_errors_speak_the_readers_language_where_they_can() -> None:
    _, fr = both()
    wrong = BadAnswer("5th gear shows 11 to 20; 9 is not on that die.", "face", gear=5, low=11, high=20, face=9)
    assert fr.error(wrong) == "La 5e va de 11 à 20\u00a0; 9 n’est pas sur ce dé."
    assert fr.error(CompanionError("Something else.")) == "Something else."
    far = BadAnswer("", "out_of_reach", space="1:left:1", listed="pit:20, 4:inner-left:3, ...")
    assert Words("en").error(far) == "1:left:1 cannot be reached; pit lane 20, 4:inner-left:3, ... can."
    reach = "Sont à portée : ligne des stands 20, 4:centre-gauche:3, ... ; pas 1:gauche:1."
    assert fr.error(far).replace("\u00a0", " ") == reach
    assert fr.error(CompanionError("Lacking facts.", "face", gear=5)) == "Lacking facts."


ERRORS = {
    "BadAnswer", "BadSetup", "BadTrack", "BadOverride", "NothingToDo", "LogError", "NotSaved", "RulebookError",
    "NotJson", "BadEntry", "BadWiring", "NoGpio", "NoPort",
}  # fmt: skip
NOTES = ("notes.append", "self._note")
"""How an import notes what it could not carry over."""


def complaints() -> Iterator[str]:
    """Every sentence by which something is refused or found wrong, with `tyres` for whatever varies."""
    package = RULES.parent
    files = [*RULES.rglob("*.py"), *(package / "sheets").glob("*.py"), *(package / "terminal").glob("*.py")]
    for room in ("screens", "view", "drawing", "printing", "tournament"):
        files += (package / room).rglob("*.py")
    files += [*(package / "importing").glob("*.py"), *(package.parent / "hardware").glob("*.py")]
    files += [*(package / "desk").glob("*.py"), *(package / "protocol").glob("*.py"), package / "circuits.py"]
    kinds = Words("fr").table["error"]
    check = RULES / "circuit" / "check.py"
    for file in files:
        for node in ast.walk(ast.parse(file.read_text())):
            if isinstance(node, ast.Yield) and node.value is not None and file == check:
                yield from spoken(node.value)
            if not (isinstance(node, ast.Call) and node.args):
                continue
            if isinstance(node.func, ast.Attribute):
                if node.func.attr == "complain":
                    yield from spoken(node.args[1])
                elif file.parent.name == "importing" and ast.unparse(node.func).endswith(NOTES):
                    yield from spoken(node.args[0])
            elif not isinstance(node.func, ast.Name):
                continue
            elif node.func.id == "Problem":
                yield from spoken(node.args[1])
            elif node.func.id in ERRORS and not (len(node.args) > 1 and ast.literal_eval(node.args[1]) in kinds):
                yield from spoken(node.args[0])


def spoken(node: ast.expr) -> list[str]:
    if isinstance(node, ast.Constant):
        return [str(node.value)]
    if isinstance(node, ast.JoinedStr):
        return ["".join(str(part.value) if isinstance(part, ast.Constant) else "tyres" for part in node.values)]
    if isinstance(node, ast.BinOp):
        return [begun + ended for begun in spoken(node.left) for ended in spoken(node.right)]
    if isinstance(node, ast.IfExp):
        return [*spoken(node.body), *spoken(node.orelse)]
    return []


def test_whatever_is_refused_is_refused_in_french_too() -> None:
    fr = Words("fr")
    # these vary by a word, or by a whole sentence, that has French of its own
    worded = {
        "The tyres is one of tyres; tyres is none of them.",
        "One answer or more can be tyres, not tyres.",
        "Only tyres of tyres can be tyres.",
        "There is nothing that can be tyres.",
        "tyres: tyres is tyres to tyres; tyres is not.",
        "Car tyres: tyres",
    }
    every = set(complaints()) - worded
    untold = {said for said in every if fr.translated(said) == said}
    # what is said of one car by its number is told after it, and has to be told in French itself
    untold |= {said for said in every if fr.translated(said).endswith(said.removeprefix("Car tyres: "))}
    assert not untold, "these want a [[sentence]] in fr.toml"


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


def test_a_sentence_is_translated_with_what_varies() -> None:
    fr = Words("fr")
    for english, french in (
        ("There is no season yet; companion season new begins one.",
         "Il n’y a pas encore de saison ; companion season new en commence une."),
        ("There is no session of trials of May; the last ones are 12ab (May).",
         "Pas de séance d’essais of May ; les dernières sont 12ab (May)."),
        ("There is no day of race control yet; companion hall serve begins one.",
         "Il n’y a pas encore de journée de la direction ; companion hall serve en commence une."),
        ("There is no day of race control of May; the last ones are 12ab (Cup).",
         "Pas de journée de la direction of May ; les dernières sont 12ab (Cup)."),
        ("The system refuses this: Input/output error.", "Le système refuse ceci : le disque ne répond pas."),
        ("Of the cards drawn one is kept: D4 9 - or G1 2.", "Des cartes piochées, une est gardée : D4 9 - ou G1 2."),
        ("From there the car can stop in one of after corner 3, pit; not in box.",
         "De là la voiture peut s’arrêter en : après virage 3, ligne des stands ; pas en stand."),
        ("Car 2: to_box is a count from 0 to 9 here; 12 is not.", "Voiture 2 : stand va ici de 0 à 9 ; pas 12."),
        ("tyres cannot be repaired at a stop; brakes, body can.",
         "Au stand se réparent : freins, carrosserie ; pas pneus."),
        ("wings cannot be repaired at a stop; brakes can.", "Au stand se réparent : freins ; pas wings."),
        ("Car 5 has lost 1 of body, not 2.", "La voiture 5 a perdu 1 (carrosserie), pas 2."),
        ('A car has tyres, body and repair points ("stand"); unknown: wings; missing: body.',
         'Une voiture a pneus, carrosserie et points de stand ("stand") ; inconnu : wings ; manque : carrosserie.'),
        ("Monaco has no space x; a space is written like 5:left:3 or pit:4.",
         "Monaco n’a pas de case x ; une case s’écrit comme 5:left:3 ou pit:4."),
        ("Car 2 is in the pits, where no car is stalled; set its place first.",
         "La voiture 2 est aux stands, où il n’y a pas d’état calé ; fixez d’abord sa place."),
        ("The team of car 5 has 6 of its 6 points left; this car would take 9.",
         "L’écurie de la voiture 5 a encore 6 de ses 6 points ; cette voiture en prendrait 9."),
    ):  # fmt: skip
        assert fr.translated(english).replace("\u00a0", " ") == french
    assert fr.translated("Car 3 stands on 5:left:3; a space holds one car.").startswith(
        "La voiture 3 est en 5:gauche:3"
    )
    assert fr.translated("Car 3: Every part needs 1 or more; tyres has 0.") == (
        "Voiture 3\u00a0: Il faut 1 ou plus partout\u00a0; pneus\u00a0: 0."
    )
    assert fr.translated("Nobody has said this yet.") == "Nobody has said this yet."
    assert Words("en").translated("There is no answer 3 yet.") == "There is no answer 3 yet."


@pytest.mark.parametrize(
    ("english", "french"),
    [
        ("D1 20 C, S2 20 and G4 20 have check factor 20; write the whole card.", "D1 20 C, S2 20 et G4 20 ont"),
        (
            "Car 1 has no pool called oil; the pools are tyres, gearbox, body.",
            "il y a pneus, consommation, carrosserie.",
        ),
        ("There is no pool called oil; the pools are tyres, gearbox.", "il y a pneus, consommation."),
        (
            "Car 1: in the league every car has the same points, this one tyres 6, gearbox 3.",
            "celle-ci pneus 6, consommation 3.",
        ),
        ("Car 1 has raced on nothing yet; soft, rain cannot be claimed for it.", "tendres, pluie ne peut"),
        ("A target is another car on the track, one of none.", "parmi aucune."),
        ("Car 1 is spun; in the cup such a car is out.", "«\u00a0tête-à-queue\u00a0»"),
    ],
)
def test_a_list_that_code_has_joined_is_french_in_french(english: str, french: str) -> None:
    assert french in Words("fr").translated(english)


def test_french_keeps_its_double_signs_with_the_word_before() -> None:
    table = dict(Words("fr").table)
    said = [entry["fr"] for kind in ("sentence", "phrase") for entry in table.pop(kind)]
    for sentence in [*leaves(table), *said]:
        assert not re.search(r" [:;?!»]", sentence), sentence


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
        ("fr", "5:left:3", "1 Ada avance de 4 cases en 5:gauche:3."),
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
        ("spin", {}, "1 spins: after corner 8.", "1 part en tête-à-queue\u00a0: après virage 8."),
        ("danger", {}, "A danger marker lies: after corner 8.", "Case dangereuse\u00a0: après virage 8."),
        ("removed", {}, "1 is taken off: after corner 8.", "1 est retirée\u00a0: après virage 8."),
        ("move", {"moved": 0}, "1 stays: after corner 8.", "1 reste\u00a0: après virage 8."),
        (
            "out",
            {"cause": "body", "removed": False},
            "1 is out by collision; until its next turn it stands: after corner 8.",
            "1 abandonne, accrochage\u00a0: jusqu’à son prochain coup elle reste\u00a0: après virage 8.",
        ),
    ],
)
def test_what_happens_in_a_place_on_a_corner_sheet(kind: Kind, facts: dict[str, Json], en: str, fr: str) -> None:
    for lang, said in (("en", en), ("fr", fr)):
        assert Words(lang).ruling(Ruling(kind, "1", 1, {}, {**facts, "at": "after:8"})) == said
    assert Words("en").ruling(Ruling("spin", "1", 1, {}, {"at": "5:left:3"})) == "1 spins on 5:left:3."


def test_what_verify_and_a_held_race_say_is_french_through_and_through() -> None:
    fr = Words("fr")
    said = fr.translated("Entry 7 does not follow: what was ruled is not what the rulebook comes to.")
    assert said == "L’écriture 7 ne s’ensuit pas\u00a0: ce qui a été jugé n’est pas ce que dit le règlement."
    held = "The race Sunday is being written by companion race (process 23439, since 15:36); end it there first, "
    said = fr.translated(held + "or read the race with companion sheet show.")
    assert said.startswith("La course Sunday est tenue par companion race (processus 23439, depuis 15:36)\u00a0;")


def test_a_landing_of_no_spaces_and_the_line_on_a_corner_sheet_are_said() -> None:
    en, fr = both()
    still = Option({"space": "20:left:16", "brakes": 1, "soft": 0}, {"brakes": -1}, {"moved": 0})
    assert (en.note("landing", still), fr.note("landing", still)) == ("0 spaces", "0 case")
    assert en.option("saw", {"in": "after 11", "line": True}) == "after corner 11, over the line"
    assert fr.option("saw", {"in": "corner 1", "line": True}) == "virage 1, ligne franchie"


DRAWN = ("drawing", "web/art.py", "web/board.py", "web/markup.py", "printing/picture.py")
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


@pytest.mark.parametrize(
    ("said", "in_french"),
    [
        ("A batch has at most 4.0 MB; this one has 5.3.", "Un lot pèse au plus 4,0 Mo\u00a0; celui-ci en pèse 5,3."),
        (
            "The copy needs 2.5 MB, and /media/stick has room for 0.1 MB; take something away there.",
            "La copie demande 2,5 Mo et /media/stick n’en a que 0,1 de libres\u00a0; faites-y de la place.",
        ),
    ],
)
def test_a_number_with_places_has_a_comma_in_french(said: str, in_french: str) -> None:
    assert Words("fr").translated(said) == in_french
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
    for sentence in locale("fr")["sentence"]:
        english, french = str(sentence["en"]), str(sentence["fr"])
        for key in re.findall(r'"([\w{}]+)"', english):
            assert f"«\u00a0{key}\u00a0»" not in french, french
        outside = re.sub(r'"[^"]*"|\{[^}]*\}|--\S+|\S+=\S+', "", french)
        assert not re.search(r"\b[a-z]+_[a-z_]+\b", outside), french
