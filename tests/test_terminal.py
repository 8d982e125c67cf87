"""The referee at a real terminal of 80 columns and 24 lines, and on a dumb pipe."""

from __future__ import annotations

import ast
import json
import re
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pexpect
import pytest

from companion import circuits
from companion.api import Race, make_driver
from companion.articles import load
from companion.desk import RaceDesk
from companion.desk.ahead import Ahead
from companion.drivers.sensible import HeuristicDriver
from companion.house_rules import HouseRules, keep
from companion.rules.circuit.track import Track
from companion.rules.conversation.asking import Asked, Json, Option, Ruling
from companion.rules.conversation.consequence import Consequence
from companion.rules.conversation.errors import BadAnswer, BadSetup, NotSaved
from companion.rules.conversation.kinds import POOLS
from companion.rules.formula_d import STREET
from companion.rules.rulebooks import RULEBOOKS, begin, variants_shown
from companion.sheets.log import Log
from companion.terminal import answers
from companion.terminal.asides import SHOWN
from companion.terminal.command import farewell
from companion.terminal.prompts import COMMANDS
from companion.terminal.screen import RacePrinter
from companion.terminal.session import TerminalSession
from companion.terminal.sheet import show_sheet
from companion.view.citing import figure_name
from companion.wording import LANGUAGES, Words
from tests.test_bad_input import companion as entered

COMMAND = [sys.executable, "-m", "companion.commands.main"]
POSITION: dict[str, Any] = {
    "track": "monaco",
    "sky": "sun",
    "cars": [
        {"car": 1, "driver": "Ada", "at": "2:left:5", "gear": 4, "lap": 1, "status": "racing", "tyres": "hard"},
        {"car": 2, "driver": "Bob", "at": "2:middle:2", "gear": 3, "lap": 1, "status": "racing", "tyres": "hard"},
        {"car": 3, "driver": "Cleo", "at": "1:middle:2", "gear": 2, "lap": 1, "status": "racing", "tyres": "soft"},
    ],
    "to_play": [1, 2, 3],
}
COLOUR = re.compile(r"\x1b\[[0-9;?]*[a-zA-Z]|\r")


def _hears_ctrl_c() -> None:
    """A test run in the background ignores SIGINT, and what it starts would too."""
    signal.signal(signal.SIGINT, signal.default_int_handler)


def paragraphs(shown: str) -> list[str]:
    """The lines of a text but for a command that is to be copied, which is as long as its folder's name."""
    return [line for line in shown.split("\n") if not line.startswith("companion --data")]


class Seat:
    """A person at a terminal."""

    def __init__(self, folder: Path, *arguments: str, lang: str = "en") -> None:
        self.child = pexpect.spawn(
            COMMAND[0],
            [*COMMAND[1:], "--lang", lang, "race", "--data", str(folder), *arguments],
            dimensions=(24, 80),
            encoding="utf-8",
            timeout=60,
            env={"TERM": "xterm-256color", "PATH": "/usr/bin:/bin", "LANG": "C.UTF-8", "HOME": str(folder)},
            preexec_fn=_hears_ctrl_c,
        )
        self.seen = ""

    def until(self, pattern: str) -> str:
        """Wait for a pattern; return what is shown up to its end."""
        self.child.expect(pattern)
        shown = COLOUR.sub("", self.child.before + self.child.after)
        self.seen += shown
        for line in paragraphs(shown):
            assert len(line) <= 80, line
        assert "Traceback" not in shown
        return shown

    def say(self, text: str, then: str = r"\d+ > ") -> str:
        self.child.sendline(text)
        return self.until(then)

    def end(self) -> int:
        self.child.expect(pexpect.EOF)
        self.child.close()
        return int(self.child.exitstatus if self.child.exitstatus is not None else -1)


@pytest.fixture
def position(tmp_path: Path) -> Path:
    file = tmp_path / "position.json"
    file.write_text(json.dumps(POSITION))
    return file


@pytest.fixture
def seat(tmp_path: Path, position: Path) -> Iterator[Seat]:
    """A table in the middle of a race."""
    there = Seat(tmp_path, "--setup", str(position))
    there.until(r"0 > ")
    yield there
    there.child.close(force=True)


@pytest.mark.parametrize(
    ("lang", "roll", "rolled", "word", "told"),
    [
        ("en", "1 Ada: roll the black die for the last practice", "1 Ada rolls 13: sun at the last practice.", "rain",
         "The track is wet"),
        ("fr", "1 Ada\u00a0: lancez le dé noir pour les derniers essais",
         "1 Ada fait 13\u00a0: soleil aux derniers essais.",
         "pluie", "La piste est mouillée."),
    ],
)  # fmt: skip
def test_the_die_of_the_practice_is_rolled(
    tmp_path: Path, lang: str, roll: str, rolled: str, word: str, told: str
) -> None:
    """Under a changeable sky; who was only told the sky may say it."""
    file = tmp_path / "race.json"
    file.write_text(json.dumps({"track": "monaco", "cars": [{"car": 1, "driver": "Ada"}]}), "utf-8")
    seat = Seat(tmp_path, "--setup", str(file), lang=lang)
    seat.until(r"0 > ")
    asked = seat.say("10", "1 > ")
    assert roll in asked
    assert "3-1-1" in asked
    assert rolled in seat.say("13", "2 > ")
    seat.say("undo", "1 > ")
    assert told in seat.say(word, "2 > ")


def test_a_circuit_is_found_by_a_part_of_its_name_where_there_are_many(tmp_path: Path) -> None:
    """With 73 boards of the table's own a page of them is listed; the rest is found by what is typed."""
    boards = tmp_path / circuits.BOARDS
    boards.mkdir()
    text = circuits.find("monza").read_text(encoding="utf-8")
    for at in range(73):
        (boards / f"club-street-{at:02}.toml").write_text(text.replace('"Monza"', f'"Côte du Port {at}"', 1))
    seat = Seat(tmp_path)
    seat.until("Enter: beginner. > ")
    listed = seat.say("competition", "number or name. > ")
    assert len(listed.splitlines()) < 24
    assert re.search(r"and \d+ more: type a part of a name to find it", listed)
    found = seat.say("du port 7", "number or name. > ")
    assert "4 circuits have du port 7 in their name" in " ".join(found.split())
    number = re.search(r"(\d+) club-street-71", found)
    assert number is not None
    assert "no circuit atlantis" in seat.say("atlantis", "name. > ")
    seat.say(number[1], "Enter:\\s+none. > ")
    seat.say("", "Enter: 3. > ")
    seat.say("1", "how many cars > ")
    assert "Côte du Port 71, 1 lap, 2 cars" in seat.say("Ada, Ada", "> ")  # one person drives both


def test_a_race_is_set_up_by_questions(tmp_path: Path) -> None:
    seat = Seat(tmp_path)
    listed = seat.until("Enter: beginner. > ")
    order = [listed.index(name) for name in ("1 beginner", "2 formula-d", "3 competition", "6 league")]
    assert order == sorted(order)
    assert "one pool of points that pays for everything" in " ".join(listed.split())
    assert "There is no rulebook formula" in seat.say("formula", "Enter: beginner. > ")
    assert "monaco" in seat.say("3", "number or name. > ")
    assert "no circuit atlantis" in seat.say("atlantis", "name. > ")
    seat.say("Monaco", "Enter:\\s+none. > ")
    seat.say("", "Enter: 3. > ")
    seat.say("2", "how many cars > ")
    assert "1 to 10 drivers" in seat.say("99", "how many cars > ")
    assert "1 to 10 drivers" in seat.say("11", "how many cars > ")
    shown = seat.say("Ada, Bob", r"0 > ")
    assert "Competition: Monaco, 2 laps, 2 cars" in shown
    assert "1 Ada: roll the black die for the weather" in shown
    assert "sun" in seat.say("15")
    assert "takes box 2" in seat.say("2")
    assert "takes box 1" in seat.say("1")
    assert "1 Ada has tyres 8, brakes 3" in seat.say("8 3 2 3 3 3 0")
    assert "5-3" not in seat.say("undo")
    assert "1 Ada has tyres 6" in seat.say("1")
    assert "23" in seat.say("9 3 3 3 3 2")
    assert "2 Bob has tyres 9" in seat.say("tyres 9 brakes 2 gearbox 3 body 3 engine 3 handling 2")
    assert "1 Ada is on soft tyres" in seat.say("soft")
    shown = seat.say("1")
    assert "Round 1: 1 Ada is first on the track." in shown
    assert "ty br ge bo en ha" in shown
    assert seat.child.isalive()
    seat.say("quit", r"race(?:\s|\x1b\[\d*m)+--resume")
    assert seat.end() == 0
    again = Seat(tmp_path)
    again.say("n", "Enter: competition. > ")  # the last choice is remembered
    again.child.close(force=True)


def test_a_turn_by_number_by_value_and_by_name(seat: Seat) -> None:
    assert "1 Ada: choose a gear" in seat.seen
    assert "[1]" in seat.seen
    assert re.search(r"4-?\s+4th\s+free", seat.seen)
    shown = seat.say("4th")
    assert "7  8  9  10  11  12" in shown
    assert "13 is not on that die" in seat.say("13")
    shown = seat.say("12")
    assert "12 spaces to drive" in shown
    assert "−1 brake" in shown
    assert "cannot be reached" in seat.say("9:left:1")
    shown = seat.say("2:left:17")
    assert "6-2-1     1 Ada rolls 12 and drives 12 spaces to 2:left:17." in shown
    assert "2 Bob: choose a gear" in shown


@pytest.mark.parametrize(
    ("lang", "no", "refused"),
    [
        ("en", "no", "Type one of these answers: no, 1 and −1; 3 is not one of them."),
        ("fr", "non", "Tapez l’une de ces réponses\xa0: non, 1 et −1\xa0; 3 n’en est pas une."),
    ],
)
def test_an_answer_that_is_a_number_is_listed_and_typed_as_that_number(
    tmp_path: Path, lang: str, no: str, refused: str
) -> None:
    options = {"top": True, "boosters": True, "super_top": True}
    file = tmp_path / "position.json"
    cars = [{**POSITION["cars"][0], "bought": 2}, *POSITION["cars"][1:]]
    file.write_text(json.dumps({**POSITION, "cars": cars, "options": options}))
    seat = Seat(tmp_path, "--setup", str(file), lang=lang)
    seat.until(r"0 > ")
    assert re.search(rf"(?m)^ +{no}\s+11  11", seat.say("5", "1 > "))  # faces of the die, by what they show
    assert re.search(rf"(?m)^ +{no}\s+5  17 ", seat.say("12", "2 > "))
    top = seat.say("5", "3 > ")
    assert re.search(rf"(?m)^ +{no}  17 .*\s+1  18 .*\s+−1  16 ", top)
    assert " ".join(refused.split()) in " ".join(seat.say("3", "3 > ").split())  # no row of the list
    assert re.search(r"drives 16 spaces|16 cases", seat.say("-1", "4 > ") + seat.say("1", " > "))
    seat.say("quit" if lang == "en" else "quitter", r"race(?:\s|\x1b\[\d*m)+--resume")
    assert seat.end() == 0


def test_a_question_and_its_answers_fit_the_screen(seat: Seat) -> None:
    seat.say("4")
    shown = seat.say("12")
    asked = shown[shown.index("1 Ada: choose a space") :]
    assert len(asked.split("\n")) <= 22
    scene = seat.seen[seat.seen.rindex("──", 0, seat.seen.index("choose a gear")) :]
    assert scene
    first = seat.seen[seat.seen.index("── 1 Ada") : seat.seen.index("0 > ")]
    assert len(first.split("\n")) <= 24


def test_many_landings_are_grouped_and_the_rest_comes_on_demand(seat: Seat) -> None:
    seat.say("5")
    shown = seat.say("20")
    listed = [int(number) for number in re.findall(r"^ +(\d+)  \d", shown, re.M)]
    assert listed == list(range(1, len(listed) + 1))
    assert len(listed) <= 10
    assert re.search(r"m  \d+ more", shown)
    more = seat.say("more")
    again = [int(number) for number in re.findall(r"^ +(\d+)  \d", more, re.M)]
    assert again[0] == listed[-1] + 1


@pytest.mark.parametrize(
    ("lang", "told", "free"),
    [("en", "each body −1 (1 in 20)", "free"), ("fr", "chacun\u00a0: carrosserie −1 (1 sur 20)", "gratuit")],
)
def test_the_dice_that_follow_a_landing_stand_beside_it(tmp_path: Path, lang: str, told: str, free: str) -> None:
    """A space behind another car is not called free."""
    first, second, _ = POSITION["cars"]
    cars = [{**first, "at": "2:left:1", "gear": 2}, {**second, "at": "2:left:6"}]
    file = tmp_path / "behind.json"
    file.write_text(json.dumps({**POSITION, "cars": cars, "to_play": [1, 2]}), "utf-8")
    seat = Seat(tmp_path, "--setup", str(file), lang=lang)
    seat.until(r"0 > ")
    seat.say("2")
    lines = seat.say("4", "2 > ").split("\n")
    assert any(told in line for line in lines)
    assert any(line.rstrip().endswith(free) for line in lines)
    assert not any(told in line and free in line for line in lines)
    seat.child.close(force=True)


def test_what_was_answered_is_taken_back_given_again_and_corrected(seat: Seat) -> None:
    seat.say("4")
    seat.say("12")
    shown = seat.say("undo")
    assert "Taken back: gear die of 1 Ada: 12" in shown
    assert "Given again: gear die of 1 Ada: 12" in seat.say("redo")
    seat.say("1")
    log = seat.say("show log")
    assert "0  gear of 1 Ada: 4th" in log
    assert "1  gear die of 1 Ada: 12" in log
    shown = seat.say("correct 1 9", "nothing > ")
    assert "keeps 0 of 1 later answer, then asks: 1 Ada: choose a space, 9 spaces" in " ".join(shown.split())
    assert "nothing changes" in seat.say("y")
    seat.say("correct 1 9", "nothing > ")
    shown = seat.say("r")
    assert "9 spaces to drive" in shown
    assert "There is no answer 40" in seat.say("correct 40 3")
    assert "correct NUMBER ANSWER" in seat.say("correct")


def test_the_board_may_stand_when_an_answer_is_corrected(seat: Seat) -> None:
    seat.say("4")
    seat.say("12")
    seat.say("2:left:16")
    shown = seat.say("correct 2 2:left:17", "nothing > ")
    assert "the board stands: 1 value changes 1 Ada: brakes 2 → 3" in " ".join(shown.split())
    assert "The referee sets 1 Ada: brakes 3" in seat.say("b")


def test_the_referees_word(seat: Seat) -> None:
    seat.say("4")
    seat.say("override 13", "leave it\\) > ")
    seat.say("Eve", "leave it\\) > ")
    assert "13 spaces to drive" in seat.say("off the table")
    seat.say("override car 1 tyres 3 gear 3", "leave it\\) > ")
    assert "The referee sets 1 Ada: tyres 3, gear 3." in seat.say("miscounted")
    seat.say("override sky rain surface wet", "leave it\\) > ")
    assert "sky rain, surface wet" in seat.say("storm")
    assert "wet" in seat.seen
    seat.say("override order 3 2", "leave it\\) > ")
    assert "Left as it was." in seat.say("")
    sheet = seat.say("show sheet")
    assert "The referee’s word" in sheet
    assert "(Eve: storm)" in sheet


def test_the_example_of_an_override_names_a_car_of_the_race(seat: Seat) -> None:
    told = " ".join(seat.say("override").split())
    assert "override ANSWER, or override car 1 tyres" in told
    assert "override sky rain, override order 2 3 1." in told


def test_a_race_of_the_league_asks_for_its_season(tmp_path: Path) -> None:
    seat = Seat(tmp_path, "--rulebook", "league", "--track", "monaco")
    seat.until(r"how many cars\s+> ")
    shown = seat.say("Ada, Bob", "such as 2, 1 \\(Enter: none\\) > ")
    seat.say("undo", r"how many cars\s+> ")
    shown = seat.say("Ada, Bob, Cleo", "such as 3, 2, 1 \\(Enter: none\\) > ")
    assert "1 Ada · 2 Bob · 3 Cleo" in shown
    assert "Type numbers of these cars, each once" in seat.say("1, 4", "Enter: none\\) > ")
    assert "Type numbers of these cars" in seat.say("1 1", "Enter: none\\) > ")
    assert "Nobody in this race is called ²" in seat.say("²", "Enter: none\\) > ")
    seat.say("Cleo, ada", "Enter: nobody\\) > ")
    seat.say("2", r"0 > ")
    seat.say("quit", r"race(?:\s|\x1b\[\d*m)+--resume")
    assert seat.end() == 0
    with RaceDesk.resume(tmp_path) as desk:
        race = desk.rulebook.race
        assert (race.last, [car.home for car in race.cars]) == ([3, 1], [False, True, False])
        assert race.grid == [1, 3, 2]  # car 2 was not in the last race


@pytest.mark.parametrize(
    ("given", "then"),
    [("owens,, DEREK m", "take whose card"), ("Owens, Slivers, Manson", "roll the black die for the start")],
)
def test_street_drivers_are_named_at_the_command_line(tmp_path: Path, given: str, then: str) -> None:
    cars = ["--rulebook", "formula-d", "--track", "monaco", "--cars", "Ada, Bob, Cleo"]
    seat = Seat(tmp_path, *cars, "--street", given)
    for face in ("20", "10"):
        seat.say(face)
    assert "Ada: Jack Owens" in seat.say("5", then)
    seat.say("quit", r"race(?:\s|\x1b\[\d*m)+--resume")
    assert seat.end() == 0


def test_more_street_drivers_than_cars_are_refused(tmp_path: Path) -> None:
    cars = ["--rulebook", "formula-d", "--track", "monaco", "--cars", "1"]
    seat = Seat(tmp_path, *cars, "--street", "Jack Owens, Derek Manson")
    seat.until("More street drivers are named than there are cars: 1.")


@pytest.mark.parametrize(("lang", "hint"), [("en", "tyres cards damage: 12 6 4"), ("fr", "pneus cartes dégâts")])
def test_a_chart_is_typed_as_its_three_numbers_and_the_terminal_says_so(tmp_path: Path, lang: str, hint: str) -> None:
    start = ["--rulebook", "ninety", "--track", "saltmarsh", "--cars", "Ada, Bob, Cleo", "--bots", "1"]
    seat = Seat(tmp_path, *start, lang=lang)
    assert hint in seat.until(r"0 > ")
    assert "12 6 4" in " ".join(seat.say("twelve of them", r"0 > ").split()).partition("0 >")[0]
    seat.say("13 5 4", r"1 > ")
    seat.say("1", r"2 > ")  # by its place in the list still
    assert "30" in seat.say("9/30/4", r"2 > ")
    seat.say("9/3/4", r"3 > ")
    seat.say("quit" if lang == "en" else "quitter", r"race(?:\s|\x1b\[\d*m)+--resume")
    assert seat.end() == 0
    with RaceDesk.resume(tmp_path) as desk:
        charts = [tuple(car.built.values()) for car in desk.rulebook.race.cars if not car.bot]
        assert charts == [(13, 5, 4), (12, 6, 4), (9, 3, 4)]


def test_cards_that_share_a_check_factor_are_listed_in_french(tmp_path: Path) -> None:
    place = {"fuel": 30, "lap": 1, "status": "racing"}
    cars = [
        {"car": 1, "driver": "Ada", "at": "section:8", "hand": ["G4 20"], "wear": {"cards": 4}, **place},
        {"car": 2, "driver": "Bob", "at": "section:3", **place},
    ]
    file = tmp_path / "cards.json"
    setup = {"rulebook": "ninety", "track": "saltmarsh", "cars": cars, "round": 5, "to_play": [1, 2]}
    file.write_text(json.dumps(setup), "utf-8")
    seat = Seat(tmp_path, "--setup", str(file), lang="fr")
    seat.until(r"0 > ")
    shown = seat.say("D1 20 C", r"1 > ")
    assert "contrôle" in shown
    told = " ".join(seat.say("20", r"1 > ").split())
    assert "D1 20 C et G4 20 ont le facteur de contrôle 20" in told
    seat.child.close(force=True)


@pytest.mark.parametrize("rulebook", ["competition", "cup", "death", "league", "ninety"])
def test_every_circuit_of_the_picker_is_one_that_the_rulebook_takes(tmp_path: Path, rulebook: str) -> None:
    seat = Seat(tmp_path, "--rulebook", rulebook)
    shown = seat.until(r"circuit, such as .*name\) > ")
    listed = re.findall(r"\d+ ([a-z][-a-z]+)", shown.partition("circuit, such as")[0])
    assert len(listed) > 1
    for key in listed:
        begin({"rulebook": rulebook, "track": key, "cars": [{"car": 1}]}, circuits.board(key))  # type: ignore[arg-type]
    seat.child.close(force=True)


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("--rulebook", "death", "--track", "monza"), "Monza is a corner sheet"),
        (("--rulebook", "ninety", "--track", "monza"), "Monza is no circuit of sections"),
        (("--rulebook", "competition", "--track", "saltmarsh"), "Saltmarsh is a circuit of sections"),
        (("--rulebook", "ninety", "--track", "saltmarsh", "--laps", "1"), "Enter 2 to 60 turns."),
        (("--rulebook", "ninety", "--track", "saltmarsh", "--laps", "61"), "Enter 2 to 60 turns."),
        (("--rulebook", "cup", "--track", "spa", "--laps", "0"), "Enter 1 to 99 laps."),
    ],
)
def test_a_circuit_or_laps_that_cannot_be_are_refused_before_anything_is_asked(
    tmp_path: Path, arguments: tuple[str, ...], told: str
) -> None:
    seat = Seat(tmp_path, *arguments)
    assert seat.end() == 1
    shown = seat.child.before
    assert told in " ".join(shown.split())
    assert "drivers in grid order" not in shown


def test_undo_at_the_first_prompt_says_so(tmp_path: Path) -> None:
    seat = Seat(tmp_path)
    seat.until(r"beginner\) > ")
    assert "This is the first question" in seat.say("undo", r"beginner\) > ")
    seat.child.close(force=True)


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("override car 9 tyres 3", "There is no car 9"), ("override car 1 tyres 99", "99"),
        ("override car 1 driver quit", "quit is a word"), ("rename 1 help", "help is a word"),
        ("rename 1 undo", "undo is a word"), ("override 99", "99"), ("correct 0 force 4", "There is no answer yet"),
        ("dispute 3 why", "There is no answer yet"),
    ],
)  # fmt: skip
def test_what_cannot_be_set_is_refused_before_name_and_reason_are_asked(seat: Seat, said: str, told: str) -> None:
    assert told in seat.say(said, r"0 > ")


def test_a_death_race_says_why_not_on_a_corner_sheet_and_deals_from_a_deck(tmp_path: Path) -> None:
    seat = Seat(tmp_path, "--rulebook", "death")
    seat.until("number or name\\) > ")
    said = " ".join(seat.say("monza", "number or name\\) > ").split())
    assert "Monza is a corner sheet; in the death race range, wreckage and mines are counted space by space" in said
    seat.say("monaco", "none\\) > ")
    seat.say("", "laps.*> ")
    seat.say("", r"how many cars\s+> ")
    seat.say("Ada, Bob", "cards on the table\\) > ")
    assert "A deck has a number from 1" in seat.say("x", "cards on the table\\) > ")
    seat.say("77", r"\d+ > ")
    seat.say("quit", r"race(?:\s|\x1b\[\d*m)+--resume")
    assert seat.end() == 0
    with RaceDesk.resume(tmp_path) as desk:
        assert desk.rulebook.race.deck == 77
        assert all(len(car.cards) + len(car.second) == 4 for car in desk.rulebook.race.cars)
        assert (desk.asked.ask, desk.asked.car) == ("start", 1)


def test_a_grid_that_the_league_has_settled_is_entered_whole(tmp_path: Path) -> None:
    seat = Seat(tmp_path, "--rulebook", "league", "--track", "monaco", lang="fr")
    seat.until(r"nombre de voitures\s+> ")
    seat.say("Ada, Bob, Cleo", "aucune\\) > ")
    seat.say("", "au dé noir\\) > ")
    shown = seat.say("2 1", "par exemple 3, 2, 1 \\(Entrée.: au dé noir\\) > ")
    assert "Il faut les 3 numéros de ces voitures" in shown
    assert "par exemple\u00a0: 3, 2, 1" in shown
    seat.say("2 1 3", "personne\\) > ")
    seat.say("", r"0 > ")
    seat.say("quitter", r"race(?:\s|\x1b\[\d*m)+--resume")
    assert seat.end() == 0
    with RaceDesk.resume(tmp_path) as desk:
        assert (desk.rulebook.race.last, desk.rulebook.race.grid) == ([], [2, 1, 3])


@pytest.mark.parametrize(
    ("lang", "cut", "home", "over"),
    [
        ("en", "cut_short now", "at home", "The race is over: 1 Ada and 2 Bob."),
        ("fr", "cut_short now", "à domicile", "La course est finie"),
    ],
)
def test_a_race_of_the_league_is_cut_short(tmp_path: Path, lang: str, cut: str, home: str, over: str) -> None:
    cars = [{**POSITION["cars"][0], "home": True}, POSITION["cars"][1]]
    file = tmp_path / "position.json"
    file.write_text(json.dumps({**POSITION, "rulebook": "league", "laps": 2, "cars": cars, "to_play": [1, 2]}))
    seat = Seat(tmp_path, "--setup", str(file), lang=lang)
    assert home in seat.until(r"0 > ")
    seat.say(f"override {cut}", " > ")
    seat.say({"en": "yes", "fr": "oui"}[lang], " > ")
    seat.say("Eve", " > ")
    assert over in seat.say("rain", "(over|fini) > ")


@pytest.mark.parametrize(
    ("lang", "said"),
    [
        ("en", ("KERS 1", "raced on hard", "KERS 2", "wet weather conditions", "A car has 0 to 2 KERS points")),
        ("fr", ("KERS 1", "a couru en durs", "KERS 2", "conditions de pluie", "de 0 à 2 points de KERS")),
    ],
)
def test_a_cup_car_is_shown_with_its_kers_and_the_referee_sets_it(
    tmp_path: Path, lang: str, said: tuple[str, ...]
) -> None:
    cars = [{**car, "kers": 1, "tyres": "hard", "raced": ["hard"]} for car in POSITION["cars"]]
    file = tmp_path / "position.json"
    file.write_text(json.dumps({**POSITION, "rulebook": "cup", "cars": cars}))
    seat = Seat(tmp_path, "--setup", str(file), lang=lang)
    shown = seat.until(r"0 > ")
    for number, change in enumerate(
        ("car 1 kers 2", "wet_conditions true", "car 1 waived yes" if lang == "en" else "car 1 waived oui")
    ):
        seat.say(f"override {change}", " > ")
        if not number:
            seat.say("Eve", " > ")
        shown += seat.say("storm", " > ")
    shown += seat.say("override car 1 kers 3", " > ")
    shown += seat.say("show order")
    for words in said:
        assert words in " ".join(shown.split()), words


@pytest.mark.parametrize(
    ("lang", "said"), [("en", "one space more or less, lap 1 1"), ("fr", "une case de plus ou de moins, tour 1 1")]
)
def test_the_referee_sets_what_a_driver_has_used(tmp_path: Path, lang: str, said: str) -> None:
    file = tmp_path / "position.json"
    file.write_text(json.dumps({**POSITION, "options": {"top": True}}))
    seat = Seat(tmp_path, "--setup", str(file), lang=lang)
    seat.until(r"0 > ")
    shown = seat.say("override car 1 top:1 2", " > ")
    assert "car 1" in shown.lower() or "voiture 1" in shown.lower()
    seat.say("override car 1 top:1 1", " > ")
    seat.say("Eve", " > ")
    seat.say("forgotten", " > ")
    assert said in " ".join(seat.say("show log").split())


def test_notes_disputes_articles_and_views(seat: Seat) -> None:
    assert "Noted." in seat.say("note the table was bumped")
    seat.say("4")
    assert "disputed" in seat.say("dispute that was third")
    sheet = seat.say("show sheet")
    assert "table: the table was bumped" in sheet
    assert "table: disputes “gear of 1 Ada: 4th”, that was third" in " ".join(sheet.split())
    assert "Spread" not in seat.say("rules 13-4")
    assert "13-4" in seat.seen
    assert "6-2-6" in seat.say("rules")
    assert "nothing for xyzzy; try an article such as 0-0-1" in " ".join(seat.say("rules xyzzy").split())
    assert "3 Cleo" in seat.say("show order")
    assert "10 straight" in seat.say("show board")
    assert "show board, order" in seat.say("show me")
    assert "undo [N]" in seat.say("help")
    assert "roll 4th gear" in seat.say("show question")


@pytest.mark.parametrize(("lang", "mark"), [("en", "proposed"), ("fr", "proposé")])
def test_titles_of_articles_carry_the_mark_of_proposed_figures(tmp_path: Path, lang: str, mark: str) -> None:
    seat = Seat(tmp_path, "--rulebook", "cup", "--track", "monaco", "--cars", "Ada, Bob", lang=lang)
    seat.until(r"0 > ")
    lines = seat.say("rules pit" if lang == "en" else "regles pit", r"0 > ").split("\n")
    assert {line.split()[0] for line in lines if mark in line} >= {"pit.quick"}
    assert not any(mark in line for line in lines if "pit.optional" in line)
    seat.child.close(force=True)


def test_nonsense_is_one_sentence_and_nothing_changes(seat: Seat) -> None:
    for said in (
        "",
        "blue",
        "99",
        "-1",
        "4.0",
        "true",
        "{",
        '{"a": 1, "a": 2}',
        "[[[",
        "é",
        "undo 7",
        "redo",
        "undo x",
    ):
        shown = seat.say(said)
        assert len(shown.strip().split("\n")) <= 5, shown
        assert shown.rstrip().endswith("0 >")
    assert "[6-2-6]" in seat.say("4")


def test_the_race_goes_on_where_it_was_after_any_end(tmp_path: Path, seat: Seat) -> None:
    seat.say("4")
    seat.child.sendcontrol("c")
    seat.until(r"race(?:\s|\x1b\[\d*m)+--resume")
    assert seat.end() == 0
    again = Seat(tmp_path)
    again.until("a new race.\\s+> ")
    assert "type n for a new one" in again.say("perhaps", "a new race.\\s+> ")
    shown = again.say("")
    assert "1 Ada: roll 4th gear" in shown
    again.child.sendeof()
    assert again.end() == 0
    third = Seat(tmp_path, "--resume", "last")
    assert "1 Ada: roll 4th gear" in third.until(r"1 > ")
    third.child.kill(9)
    third.child.wait()
    fourth = Seat(tmp_path, "--resume", "last")
    assert "1 Ada: roll 4th gear" in fourth.until(r"1 > ")
    other = Seat(tmp_path, "--resume", "last")
    other.child.expect(r"process \d+, since [\d:]+\); end it there first")
    assert other.end() == 1
    fourth.child.close(force=True)


def test_french_from_first_to_last(tmp_path: Path, position: Path) -> None:
    seat = Seat(tmp_path, "--setup", str(position), lang="fr")
    assert "1 Ada\u00a0: choisissez une vitesse" in seat.until("0 > ")
    assert "lancez le dé de 4e" in seat.say("4e")
    assert "La 4e va de 7 à 12" in seat.say("13")
    seat.say("12")
    shown = seat.say("2:gauche:17")
    assert "avance de 12 cases jusqu’en 2:gauche:17" in shown
    assert "Annulé" in seat.say("annuler")
    assert "corriger N RÉPONSE" in seat.say("aide")
    assert "pn fr co ca mo te" in seat.say("montrer ordre")
    seat.say("quitter", r"race(?:\s|\x1b\[\d*m)+--resume")
    assert seat.end() == 0
    for word in ("brake", "space", "gear", "tyres"):
        assert word not in seat.seen


@pytest.mark.parametrize(("lang", "asks"), [("en", "new race\\) "), ("fr", "nouvelle course\\) ")])
def test_a_prompt_too_long_for_its_line_is_wrapped_at_its_words(tmp_path: Path, lang: str, asks: str) -> None:
    first = Seat(tmp_path, "--rulebook", "competition", "--track", "monaco", "--cars", "2")
    first.until("0 > ")
    first.say("quit", r"race(?:\s|\x1b\[\d*m)+--resume")
    first.end()
    seat = Seat(tmp_path, lang=lang)
    shown = seat.until(asks)  # whole words, no line longer than 80
    assert len(shown.rsplit("\n", 1)[-1]) <= 72
    seat.child.close(force=True)


def test_a_dumb_pipe_will_do(tmp_path: Path, position: Path) -> None:
    said = "4\n12\n2:left:17\nquit\n"
    done = subprocess.run(
        [*COMMAND, "race", "--data", str(tmp_path), "--setup", str(position)],
        input=said.encode(),
        capture_output=True,
        timeout=60,
        check=False,
        env={"TERM": "dumb", "PATH": "/usr/bin:/bin", "LANG": "C", "HOME": str(tmp_path)},
    )
    text = done.stdout.decode()
    assert done.returncode == 0, done.stderr
    assert done.stderr == b""
    assert "\x1b" not in text
    assert "1 Ada rolls 12 and drives 12 spaces to 2:left:17." in text
    assert all(len(line) <= 80 for line in paragraphs(text))


@pytest.mark.parametrize("odd", ["²", "9" * 5000, "٣²"], ids=["a key of French keyboards", "5,000 digits", "mixed"])
def test_what_only_looks_like_a_number_is_none(tmp_path: Path, odd: str) -> None:
    said = f"{odd}\n\n{odd}\nmonaco\n{odd}\n\n{odd}\n1\n{odd}\nAda\x1b[2J, Bob\x07\n{odd}\n18\n{odd}\n4\n{odd}\n"
    said += f"undo {odd}\nredo {odd}\ncorrect {odd} 4\ncorrect 0 {odd}\nshow log {odd}\nshow sheet {odd}\n"
    said += f"dispute {odd} why\noverride car {odd} tyres 4\noverride car 1 tyres {odd}\noverride order {odd}\n"
    said += f"override {odd}\nRef\nwhy\n7\n{odd}\n6 3 3 3 3 {odd} 2\nquit\n"
    done = subprocess.run(
        [*COMMAND, "race", "--data", str(tmp_path)], input=said.encode(), capture_output=True, timeout=60, check=False
    )
    assert (done.returncode, done.stderr) == (0, b"")
    text = done.stdout.decode()
    assert "Ada[2J, Bob" in text
    assert "\x1b" not in text
    assert "\x07" not in text
    assert "The race is kept." in text


def test_bad_beginnings_are_one_sentence(tmp_path: Path) -> None:
    bad = tmp_path / "bad.json"
    bad.write_text('{"track": "monaco", "cars": [{"car": 1, "wear": {"tyres": 23}}]}')
    for arguments in (
        ["--track", "nowhere"],
        ["--track", "monaco", "--cars", "0"],
        ["--resume", "none"],
        ["--setup", str(bad)],
    ):
        done = subprocess.run(
            [*COMMAND, "race", "--data", str(tmp_path), *arguments],
            input=b"",
            capture_output=True,
            timeout=60,
            check=False,
        )
        assert done.returncode == 1, arguments
        assert len(done.stderr.decode().strip().splitlines()) == 1
        assert "Traceback" not in done.stderr.decode()


@pytest.mark.parametrize(
    ("lang", "words"), [("en", ("stalled", "spun", "coasting")), ("fr", ("calé", "tête-à-queue", "inertie"))]
)
def test_the_order_says_whole_what_became_of_a_car(tmp_path: Path, lang: str, words: tuple[str, ...]) -> None:
    cars = [{**car, "gear": 0} for car in POSITION["cars"]]
    for car, status in zip(cars, ("stalled", "spun", "coasting"), strict=True):
        car["status"] = status
    file = tmp_path / "setup.json"
    file.write_text(json.dumps({**POSITION, "cars": cars, "to_play": [1, 2, 3]}))
    seat = Seat(tmp_path, "--setup", str(file), lang=lang)
    seat.until("0 > ")
    shown = seat.say("show order")
    for word in words:
        assert re.search(rf"\b{word}\b", shown)
    seat.child.close(force=True)


# -- what is typed


def test_past_the_line_is_understood_before_the_line_is_crossed() -> None:
    cars = [{"car": 1, "at": "after:6", "gear": 1, "lap": 0, "status": "racing"}]
    desk = RaceDesk(begin({"track": "monza", "sky": "sun", "cars": cars, "to_play": [1]}, circuits.load("monza")))
    desk.answer(1)
    desk.answer(2)
    assert desk.asked is not None
    assert answers.typed("past the line", desk.asked, Words("en")) == {"in": "after corner 6", "line": True}
    assert answers.typed("après la ligne", desk.asked, Words("fr")) == {"in": "after corner 6", "line": True}


def test_what_cannot_stand_on_the_board_is_only_replayed(tmp_path: Path, position: Path) -> None:
    seat = Seat(tmp_path, "--setup", str(position), lang="fr")
    seat.until("0 > ")
    seat.say("4")
    seat.say("12")
    shown = seat.say("corriger 1 9", "rien > ")
    assert re.search(r"^  p  Rien n’a encore bougé", shown, re.M)
    assert "le plateau reste" not in shown
    assert "9 cases" in seat.say("r")
    seat.child.close(force=True)


def test_what_an_answer_brings_is_said_to_its_end(capsys: pytest.CaptureFixture[str]) -> None:
    facts = {"moved": 10, "corner": 5, "stops": 1, "of": 3, "tests": ["9:left:6", "9:middle:8", "9:middle:10"]}
    option = Option({"space": "9:left:12", "brakes": 1, "soft": 1}, {"brakes": -1}, facts)
    asked = Asked(0, "landing", "7-2-3", 1, 3, what="spaces_10", options=[option], fields={"spaces": 10})
    RacePrinter(Words("fr")).options(asked, {})
    first, second = capsys.readouterr().out.splitlines()
    assert first.endswith("−1 frein")
    assert "…" not in first + second
    assert (first + second).count("9:gauche:6, 9:milieu:8 et 9:milieu:10") == 1
    assert max(len(first), len(second)) <= 80
    assert second.startswith(" " * 22)


def test_a_question_too_long_for_its_line_is_wrapped_at_its_words(capsys: pytest.CaptureFixture[str]) -> None:
    asked = Asked(0, "gear", "6-1-1", 1, 3, what="", options=[Option(2)])
    RacePrinter(Words("en")).question(asked, {3: "Maximiliana-Alexandra von und zu Hohenlohe-Langenburg, the Younger"})
    first, second, _ = capsys.readouterr().out.splitlines()
    assert max(len(first), len(second)) <= 80
    assert f"{first} {second}".endswith("Langenburg, the Younger: choose a gear  [6-1-1]")


def test_the_order_leaves_out_notes_for_which_a_narrow_terminal_has_no_room(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "44")
    cars = [{"car": number, "at": f"10:left:{number}", "gear": 0, "status": "stalled"} for number in (1, 2)]
    setup = {"track": "monaco", "sky": "sun", "cars": cars, "to_play": [1, 2]}
    desk = RaceDesk(begin(setup, circuits.load("monaco")))
    RacePrinter(Words("en")).order(desk, desk.names)
    assert max(map(len, capsys.readouterr().out.splitlines())) <= 44
    monkeypatch.setenv("COLUMNS", "53")
    RacePrinter(Words("en")).order(desk, desk.names)
    assert "  2  stalled,…" in capsys.readouterr().out


@pytest.mark.parametrize("lang", LANGUAGES)
def test_sheets_of_long_names_and_long_words_fit_80_columns(lang: str, capsys: pytest.CaptureFixture[str]) -> None:
    screen = RacePrinter(Words(lang))
    cars = [{"car": 12, "driver": "Maximiliana-Alexandra von Hohenlohe", "tyres": "soft", "status": "grid"}]
    held = {"weapons": {"wrecker-ball": 1}, "defence": "heavy-armour-rear", "utility": "targeting-computer"}
    for more, car in (({}, cars[0]), ({"rulebook": "death"}, {**cars[0], **held})):
        setup = {"track": "monaco", "sky": "sun", "cars": [car], "to_play": [12], **more}
        sheet = RaceDesk(begin(setup, circuits.load("monaco")), setup=setup).sheet()
        show_sheet(screen, sheet)
        show_sheet(screen, sheet, 12)
    assert max(map(len, capsys.readouterr().out.splitlines())) <= 80


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("rulebook", RULEBOOKS)
def test_titles_of_articles_stand_apart_from_their_ids(
    rulebook: str, lang: str, capsys: pytest.CaptureFixture[str]
) -> None:
    titles = {entry.id: entry.title(lang) for entry in load(rulebook)}
    for wanted in ("", "variant", "option", "tyres"):
        RacePrinter(Words(lang)).articles(wanted, rulebook)
    lines = [line for line in capsys.readouterr().out.splitlines() if line.startswith("  ") and "  " in line.strip()]
    listed = [line.strip().split("  ", 1) for line in lines]
    assert [(one, title) for one, title in listed if one in titles and not title.strip().startswith(titles[one])] == []
    assert len([one for one, _ in listed if one in titles]) >= 15
    assert max(map(len, lines)) <= 80


def test_a_turn_of_cards_has_no_sky_to_tell(capsys: pytest.CaptureFixture[str]) -> None:
    setup = {"rulebook": "ninety", "track": "quarry-hill", "cars": [{"car": 1, "at": "section:1"}], "to_play": [1]}
    desk = RaceDesk(begin(setup, circuits.board("quarry-hill")))
    RacePrinter(Words("en", "ninety")).scene(desk, 1, desk.names)
    heading = capsys.readouterr().out.splitlines()[1]
    assert re.fullmatch(r"── 1 ─+ turn \d+ ──", heading)


def test_what_ends_a_race_is_said_once_in_an_answer(capsys: pytest.CaptureFixture[str]) -> None:
    facts = {"moved": 13, "overshot": 4, "out": "overshoot"}
    option = Option({"space": "18:left:4", "brakes": 0, "soft": 0}, {"tyres": -4}, facts)
    asked = Asked(0, "landing", "7-2-3", 1, 3, what="spaces_13", options=[option], fields={"spaces": 13})
    RacePrinter(Words("fr")).options(asked, {})
    shown = capsys.readouterr().out
    assert "…" not in shown
    assert shown.count("abandon") == 1
    assert "13 cases · sortie 4 " in shown


def test_past_the_line_is_shown_and_understood_on_a_corner_sheet(capsys: pytest.CaptureFixture[str]) -> None:
    cars = [{"car": 1, "at": "after:0", "gear": 1, "lap": 1}]
    track = circuits.load("monza")
    desk = RaceDesk(begin({"track": "monza", "sky": "sun", "cars": cars, "to_play": [1]}, track))
    desk.answer(1)
    desk.answer(2)
    asked = desk.asked
    assert asked is not None
    assert asked.ask == "saw"
    for lang, said in (("en", "past the line"), ("fr", "après la ligne")):
        words = Words(lang)
        RacePrinter(words).question(asked, {})
        assert re.search(rf"^ +1  {said}$", capsys.readouterr().out, re.M)
        assert answers.typed(said, asked, words) == {"in": "after corner 6"}
        assert answers.typed(f"{said} {words.word('seen', 'brakes')} 1", asked, words) == {
            "in": "after corner 6",
            "brakes": 1,
        }
    desk.answer({"in": "after corner 6"})
    assert desk.rulebook.race.cars[0].at == "after:0"


def options(*given: Any) -> list[Option]:
    return [Option(answer) if not isinstance(answer, Option) else answer for answer in given]


SHEET: dict[str, Any] = {
    "track": "monza",
    "sky": "sun",
    "cars": [
        {"car": 1, "driver": "Ada", "at": "after:0", "gear": 1, "lap": 1},
        {"car": 2, "driver": "Bob", "at": "after:0", "gear": 1, "lap": 1},
    ],
    "to_play": [1, 2],
}


SURE = "(?:y; Enter:\\s+no|o ; Entrée :\\s+non)\\)\\s+> "
"""The end of the question whether an answer is right."""


@pytest.fixture
def sheet(tmp_path: Path) -> Callable[[str], Seat]:
    """A table on a corner sheet: car 1 has rolled, and is asked where it stands."""

    def begin(lang: str) -> Seat:
        file = tmp_path / "sheet.json"
        file.write_text(json.dumps(SHEET), "utf-8")
        seat = Seat(tmp_path, "--setup", str(file), lang=lang)
        seat.until("0 > ")
        seat.say("2", "1 > ")
        seat.say("4", "2 > ")
        return seat

    return begin


@pytest.mark.parametrize(
    ("lang", "besides", "help_", "rules", "undo", "show", "quit_", "told"),
    [
        ("en", "such as brakes 1\\s+\\(Enter:\\s+nothing\\)\\s+> ", "help", "rules 13-4", "undo",
         "show order", "quit", ("corner 1", "Wanted here", "undo [N]", "Left as it was", "1 Ada: where did it stop?")),
        ("fr", "exemple freins 1\\s+\\(Entrée\u00a0:\\s+rien\\)\\s+> ", "aide", "règles 13-4",
         "annuler", "voir ordre", "quitter", ("virage 1", "Attendu ici", "annuler [N]", "Laissé tel quel", "1 Ada")),
    ],
)  # fmt: skip
def test_the_second_question_of_a_corner_sheet_takes_the_same_words_and_keeps_the_place(
    sheet: Callable[[str], Seat], tmp_path: Path, lang: str, besides: str, help_: str, rules: str, undo: str,
    show: str, quit_: str, told: tuple[str, ...],
) -> None:  # fmt: skip
    place, wanted, commands, dropped, anew = told
    seat = sheet(lang)
    assert place in seat.say(place, besides)
    shown = seat.say(help_, besides)
    assert wanted in shown
    assert commands in shown
    assert place in shown.rpartition(commands)[2]
    assert "13-4" in seat.say(rules, besides)
    assert "2 Bob" in seat.say(show, besides)
    seat.say("note Ada", besides)
    assert place in seat.say("brakes" if lang == "en" else "freins", besides)  # how many?
    assert place in seat.say("xyzzy", besides)
    shown = seat.say(undo, "2 > ")
    assert dropped in shown
    assert anew in shown
    seat.say(place, besides)
    shown = seat.say("overshot 9" if lang == "en" else "sortie 9", besides)  # refused, and the place stands
    assert place in shown
    seat.say("brakes 1" if lang == "en" else "freins 1", SURE)
    seat.say("y" if lang == "en" else "o", "3 > ")
    seat.say("1", "4 > ")
    seat.say("2", "5 > ")
    seat.say(place, besides)
    seat.say(quit_, r"race(?:\s|\x1b\[\d*m)+--resume")
    assert seat.end() == 0
    with RaceDesk.resume(tmp_path) as desk:
        assert [one.answer for one in desk.answers()][2] == {"in": "corner 1", "brakes": 1}
        assert desk.n == 5


@pytest.mark.parametrize(
    ("lang", "help_", "besides", "behind", "line"),
    [
        ("en", "help", "nothing\\)\\s+> ", "behind 2", "behind CAR         the car straight ahead of it"),
        ("fr", "aide", "rien\\)\\s+> ", "derrière 2", "derrière VOITURE   la voiture juste devant"),
    ],
)
def test_help_explains_the_words_of_a_stop_on_a_corner_sheet(
    sheet: Callable[[str], Seat], tmp_path: Path, lang: str, help_: str, besides: str, behind: str, line: str
) -> None:
    seat = sheet(lang)
    words = Words(lang)
    shown = seat.say(help_, "2 > ")
    assert line in shown
    assert not re.search(rf"^  {words.word('seen', 'soft')} N", shown, re.M)  # no tyres of this race have any
    assert not re.search(rf"^  {words.word('seen', 'walls')} N", shown, re.M)
    place = words.option("saw", {"in": "corner 1"})
    seat.say(place, besides)
    assert line in seat.say(help_, besides)
    assert words.word("seen", "soft") not in seat.say("xyzzy", besides)
    assert {"en": "1 in 20", "fr": "1 sur 20"}[lang] in seat.say(behind, SURE)
    seat.say({"en": "y", "fr": "o"}[lang], "3 > ")
    seat.say({"en": "quit", "fr": "quitter"}[lang], r"race(?:\s|\x1b\[\d*m)+--resume")
    assert seat.end() == 0
    with RaceDesk.resume(tmp_path) as desk:
        assert desk.answers()[2].answer == {"in": "corner 1", "ahead": 2}


@pytest.mark.parametrize(
    ("rulebook", "laps", "drs", "pits"),
    [("beginner", "1", False, False), ("formula-d", "2", False, True), ("cup", "2", True, True)],
)
def test_the_board_has_only_what_the_race_uses(tmp_path: Path, rulebook: str, laps: str, drs: bool, pits: bool) -> None:
    seat = Seat(tmp_path, "--rulebook", rulebook, "--track", "monaco", "--laps", laps, "--cars", "2")
    seat.until("0 > ")
    shown = seat.say("show board", "first past the line.*0 > ")
    assert ("DRS" in shown) is drs
    assert bool(re.search("^  pit ", shown, re.M)) is pits
    seat.child.close(force=True)


@pytest.mark.parametrize(
    ("lang", "flag", "word", "how", "told"),
    [
        ("en", "red flag", "red", "Type red flag", "has not begun"),
        ("fr", "drapeau rouge", "drapeau", "Tapez drapeau rouge", "n’a pas commencé"),
    ],
)
def test_a_red_flag_before_the_race_says_that_it_has_not_begun(
    tmp_path: Path, lang: str, flag: str, word: str, how: str, told: str
) -> None:
    seat = Seat(tmp_path, "--rulebook", "beginner", "--track", "monaco", "--cars", "Ada, Bob", lang=lang)
    seat.until("0 > ")
    assert told in " ".join(seat.say(flag, "0 > ").split())
    assert told in " ".join(seat.say("override red_flag now", "0 > ").split())
    assert how in seat.say(word, "0 > ")
    assert len(re.findall("(?:car 2:|s’appelle) Zoe", seat.say("rename 2 Zoe", "1 > "))) == 1
    seat.child.close(force=True)


@pytest.mark.parametrize(
    ("lang", "seen", "log", "kept"),
    [
        ("en", "brakes 1 beside 2", "show log", "corner 1, brakes 1, beside 2"),
        ("fr", "freins 1 côté 2", "voir journal", "virage 1, freins 1, côté 2"),
        ("fr", "freins 1 à côté de 2", "voir journal", "virage 1, freins 1, côté 2"),
    ],
)
def test_the_log_keeps_what_was_said_with_a_place_and_goes_back(
    sheet: Callable[[str], Seat], lang: str, seen: str, log: str, kept: str
) -> None:
    seat = sheet(lang)
    place = Words(lang).option("saw", {"in": "corner 1"})
    seat.say(f"{place} {seen}", SURE)
    seat.say({"en": "y", "fr": "o"}[lang], r"\d > ")
    assert kept in seat.say(log, r"\d > ")
    shown = seat.say(f"{log} 1", r"\d > ")
    assert not re.search("^    0  ", shown, re.M)
    shown = seat.say("m", r"\d > ")
    assert re.search("^    0  ", shown, re.M)
    assert kept in seat.say(f"{log} {'all' if lang == 'en' else 'tout'}", r"\d > ")
    seat.child.close(force=True)


def test_the_referee_ends_or_stops_a_race_in_words() -> None:
    def told(lang: str, **change: Json) -> str:
        return Words(lang).ruling(Ruling("override", "0-0-0", None, {}, {"change": change}))

    assert told("en", cut_short="half") == "The referee ends the race as it stands: half points."
    assert told("en", red_flag="now") == "The referee shows the red flag: new start from the grid."
    assert told("fr", cut_short="half").startswith("Le commissaire arrête la course en l’état")
    assert told("fr", red_flag="now").startswith("Le commissaire sort le drapeau rouge")


@pytest.mark.parametrize(
    ("lang", "far", "asks", "yes"),
    [
        ("en", "corner 3 overshot 3", "is that right.*no\\)\\s+> ", "y"),
        ("fr", "virage 3 sortie 3", "est-ce juste.*non\\)\\s+> ", "oui"),
    ],
)
def test_a_place_far_beyond_those_listed_is_asked_about(
    sheet: Callable[[str], Seat], lang: str, far: str, asks: str, yes: str
) -> None:
    seat = sheet(lang)
    seat.say(far, asks)
    seat.say("", "2 > ")  # it was not meant
    seat.say(far, asks)
    seat.say(yes, r"\d > ")
    seat.child.close(force=True)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_prompt_before_a_race_takes_the_same_words_and_none_becomes_a_driver(tmp_path: Path, lang: str) -> None:
    en = lang == "en"
    ends = {
        "rulebook": "beginner\\)\\s+> ", "circuit": "name\\) > " if en else "nom\\) > ",
        "options": "none\\) > " if en else "aucune\\) > ",
        "laps": r"laps, such as \d+ \(Enter: \d+\) > " if en else r"tours, par exemple \d+ \(Entrée.: \d+\) > ",
        "cars": "how many cars\\s+> " if en else "nombre de voitures\\s+> ",
    }  # fmt: skip
    answers_ = {"rulebook": "cup", "circuit": "monaco", "options": "", "laps": "2", "cars": "Ada, Bob"}
    wanted, race, no_name = (
        ("Wanted here", "no race yet", "needs another name") if en else ("Attendu ici", "pas encore", "autre nom")
    )
    seat = Seat(tmp_path, lang=lang)
    before = ""
    for name, end in ends.items():
        shown = seat.say(answers_[before], end) if before else seat.until(end)
        assert ("such as" if en else "par exemple") in shown
        assert wanted in seat.say("help", end)
        assert wanted in seat.say("?" if en else "aide", end)
        assert race in seat.say("redo", end)
        assert "kers" in seat.say("rules kers" if before else "rules 13-4", end) or not before
        before = name
    assert no_name in seat.say("Ada, help", ends["cars"])
    seat.say("undo", ends["laps"])
    seat.say("undo", ends["options"])
    seat.say("undo", ends["circuit"])
    seat.say("undo", ends["rulebook"])
    assert ("first question" if en else "première question") in seat.say("undo", ends["rulebook"])
    seat.say("competition", ends["circuit"])
    seat.say("monaco", ends["options"])
    seat.say("", ends["laps"])
    seat.say("2", ends["cars"])
    seat.say("Ada, Bob", "0 > ")
    seat.say("quit", r"race(?:\s|\x1b\[\d*m)+--resume")
    assert seat.end() == 0
    with RaceDesk.resume(tmp_path) as desk:
        assert desk.rulebook.name == "competition"
        assert desk.names == {1: "Ada", 2: "Bob"}
    again = Seat(tmp_path, lang=lang)
    ask = "(?:new race|nouvelle course)\\)\\s+> "
    again.until(ask)
    assert wanted in again.say("help", ask)
    again.child.sendline("quit")
    assert again.end() == 0


def test_the_words_hold_while_an_answer_is_corrected(seat: Seat) -> None:
    seat.say("4", "1 > ")
    instead = "such as 1\\) > "
    seat.say("correct 0", instead)
    assert "Wanted here" in seat.say("help", instead)
    assert "Noted" in seat.say("note later", instead)
    choice = "Enter nothing > "
    seat.say("3", choice)
    assert "2 Bob" in seat.say("show order", choice)
    assert "Taken back: gear of 1 Ada" not in seat.say("undo", "1 > ")  # nothing was corrected yet
    seat.say("correct 0", instead)
    seat.say("quit", r"race(?:\s|\x1b\[\d*m)+--resume")
    assert seat.end() == 0


def test_what_is_typed_is_read_as_people_write_it() -> None:
    en, fr = Words("en"), Words("fr")
    gear = Asked(0, "gear", "6-1-1", 1, 3, options=options(2, 3, 4))
    assert [answers.typed(said, gear, en) for said in ("4", "4th", "2nd")] == [4, 4, 2]
    assert answers.typed("4e", gear, fr) == 4
    box = Asked(0, "box", "4-0-1", 1, 3, options=options(1, 3, 4))
    assert [answers.typed(said, box, en) for said in ("3", "box 3")] == [3, 3]
    line = Asked(0, "line", "end.trajectory", 1, 3, options=options(None, 1, 2))
    card = Words("en", "ninety")
    assert [answers.typed(said, line, card) for said in ("1", "point 2", "no")] == [1, 2, None]
    shots = options({"fire": "flamer", "at": 2}, {"fire": "flamer", "at": 3}, None)
    attack = Asked(0, "attack", "attack", 1, 3, options=shots)
    assert answers.typed("Flamer at 3 Bob", attack, Words("en", "death"), {2: "Ada", 3: "Bob"}) == shots[1].answer
    tyres = Asked(0, "tyres", "19-2-6", 1, 3, options=options("hard", "soft", "rain"))
    assert [answers.typed(said, tyres, en) for said in ("2", "soft", "SO", '"rain"')] == [
        "soft",
        "soft",
        "soft",
        "rain",
    ]
    assert [answers.typed(said, tyres, fr) for said in ("tendres", "pluie", "hard")] == ["soft", "rain", "hard"]
    one = {"space": "5:left:3", "brakes": 0, "soft": 0}
    two = {"space": "5:left:3", "brakes": 1, "soft": 0}
    far = {"space": "pit:4", "brakes": 0, "soft": 0}
    landing = Asked(0, "landing", "7-2-3", 1, 3, options=options(one, Option(two, {"brakes": -1}), far))
    assert answers.typed("1", landing, en) == one
    assert answers.typed("pit 4", landing, en) == far
    assert answers.typed("ligne des stands 4", landing, fr) == far
    with pytest.raises(BadAnswer, match=r"1 \(free\) and 2 \(−1 brake\)"):
        answers.typed("5:left:3", landing, en)
    with pytest.raises(BadAnswer, match="gratuit"):
        answers.typed("5g3", landing, fr)
    repair = Asked(0, "repair", "19-4-1", 1, 3, options=options({}, {"brakes": 1}), fields={"stand": 2})
    assert answers.typed("no repairs", repair, en) == {}
    assert answers.typed("brakes 1 engine 1", repair, en) == {"brakes": 1, "engine": 1}
    assert answers.typed("freins 1 tenue 1", repair, fr) == {"brakes": 1, "handling": 1}
    saw = Asked(
        0,
        "saw",
        "7-1-1",
        1,
        3,
        options=options({"in": "corner 3"}),
        fields={"in": ["corner 3", "after corner 3", "pit"]},
    )
    assert answers.typed("1", saw, en) == {"in": "corner 3"}
    assert answers.typed("after corner 3 overshot 2 beside 4 5 line", saw, en) == {
        "in": "after corner 3", "overshot": 2, "beside": [4, 5], "line": True,
    }  # fmt: skip
    assert answers.typed("virage 3 freins 1 devant 2", saw, fr) == {"in": "corner 3", "brakes": 1, "ahead": 2}
    slip = Asked(0, "slipstream", "18-0-2", 1, 3, options=options(None, one))
    assert answers.typed("no", slip, en) is None
    assert answers.typed("non", slip, fr) is None
    assert answers.typed("5 left 3", slip, en) == one


@pytest.mark.parametrize("said", ["", "blue", "7", "5:up:3", "6 3 3", "{", "tyres", "-", "1 2 3 4 5 6 7 8 9"])
def test_what_is_unclear_is_refused_in_one_sentence(said: str) -> None:
    setup = Asked(0, "setup", "5-0-2", 1, 3, options=options({"tyres": 6}), fields={"points": [20, 2]})
    tyres = Asked(0, "tyres", "19-2-6", 1, 3, options=options("hard", "soft"))
    for asked in (setup, tyres):
        from companion.rules.conversation.errors import CompanionError

        with pytest.raises(CompanionError) as caught:
            answers.typed(said, asked, Words("en"))
        assert "\n" not in str(caught.value)


# -- every question of a whole race, in both languages


class Typist(RacePrinter):
    """A screen of 80 by 24 at which a driver sits and types, now by number, now by name."""

    def __init__(self, words: Words, type_it: Callable[[], str | None]) -> None:
        super().__init__(words)
        self.width, self.height = 80, 24
        self.type_it = type_it
        self.lines = 0

    def scene(self, *given: Any, **named: Any) -> None:
        self.lines = 0
        super().scene(*given, **named)

    def question(self, asked: Asked, *given: Any, **named: Any) -> int:
        if asked.ask in ("landing", "slipstream"):
            self.lines = 0  # the scene may have gone up by now; what there is to choose from must be seen whole
        return super().question(asked, *given, **named)

    def line(self, *parts: str | tuple[str, str]) -> None:
        self.lines += 1
        super().line(*parts)

    def ask(self, prompt: str) -> str | None:
        if re.search(r"is that right|est-ce juste", prompt, re.IGNORECASE):
            return "yes" if self.words.lang == "en" else "oui"
        said = self.type_it()
        assert self.lines < self.height, "what is asked does not fit the screen"
        self.lines = -99  # what follows before the next question may scroll
        return said


def typed_race(setup: dict[str, Any], track: Track, lang: str, capsys: pytest.CaptureFixture[str]) -> list[Json]:
    """The answers of a whole race that a driver types in a language."""
    desk = RaceDesk(begin(setup, track), setup=setup)
    driver = HeuristicDriver(track, 7)
    words = Words(lang)

    typed: list[int] = []

    def type_it() -> str | None:
        asked = desk.asked
        typed.append(desk.n)
        assert typed[-5:] != [desk.n] * 5, f"{asked} is never answered"
        if asked is None:
            return None
        answer = driver.answer(asked, desk.rulebook.race)
        if (
            asked.n % 3 == 0
            or asked.faces is not None
            or answers.is_by_value(asked)
            or asked.ask in ("setup", "saw", "repair")
        ):
            return json.dumps(answer)
        if asked.n % 3 == 1:
            return str([option.answer for option in asked.options or []].index(answer) + 1)
        return words.option(asked.ask, answer) if isinstance(answer, str) else json.dumps(answer) if answer else "1"

    TerminalSession(desk, Typist(words, type_it)).run()
    assert desk.over
    shown = capsys.readouterr().out
    assert all(len(line) <= 80 for line in shown.splitlines())
    assert not re.search(r"[{}]|\bNone\b", shown)
    return [item.event.answer for item in desk.history.items]


@pytest.mark.parametrize("key", ["monaco", "copper-basin", "porto-sereno", "spa"])
def test_a_whole_race_is_typed(key: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """The same race in each language; what its answers may bring is explored the first time only."""
    track = circuits.load(key)
    setup = {"track": key, "laps": 1, "cars": [{"car": number, "driver": f"D{number}"} for number in range(1, 11)]}
    explored: dict[tuple[int, str], Consequence] = {}
    explore = Ahead.record

    def record(ahead: Ahead, answer: Any) -> Consequence:
        at = ahead.desk.n, json.dumps(answer)
        if at not in explored:
            explored[at] = explore(ahead, answer)
        return explored[at]

    monkeypatch.setattr(Ahead, "record", record)
    driven = [typed_race(setup, track, lang, capsys) for lang in LANGUAGES]
    assert driven[0] == driven[1]


# -- a disk that takes nothing


@pytest.mark.parametrize("choice", ["memory", "stop"])
def test_a_full_disk_is_told_once_and_the_table_chooses(
    choice: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    text = circuits.find("monaco").read_text(encoding="utf-8")
    track = circuits.load("monaco")
    desk = RaceDesk.begin(begin(POSITION, track), setup=POSITION, track=text, folder=tmp_path)
    full = [True]
    commit = Log.commit

    def refuse(log: Log, writes: Any) -> None:
        if full[0]:
            raise NotSaved("full", path="here")
        commit(log, writes)

    monkeypatch.setattr(Log, "commit", refuse)
    said = iter(["4", choice, "12", "show question"])
    screen = Typist(Words("en"), lambda: next(said, None))
    TerminalSession(desk, screen).run()
    shown = capsys.readouterr().out
    assert shown.count("The disk is full") == 1
    if choice == "stop":
        assert desk.n == 0
        assert "Stopped; everything" in shown
    else:
        assert (desk.n, desk.unsaved) == (2, 2)
        farewell(screen, desk)
        assert "2 answers are not saved" in capsys.readouterr().out
        full[0] = False
        farewell(screen, desk)
        assert "companion race --resume" in capsys.readouterr().out
    full[0] = False
    desk.close()


# -- words


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_text_that_the_program_says_is_there(lang: str) -> None:
    words = Words(lang)
    package = Path(answers.__file__).parent.parent
    said = set()
    others = [
        *package.glob("commands/*.py"),
        *package.glob("wording/*.py"),
        package / "sheets/car_extras.py",
        package / "view/citing.py",
        package / "view/events/listings.py",
        package / "view/pages/override.py",
        package / "view/pages/sheet.py",
        package / "view/seats/hint.py",
        package / "view/seats/programs.py",
    ]
    for file in [*sorted((package / "terminal").glob("*.py")), *others]:
        for node in ast.walk(ast.parse(file.read_text())):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "say":
                if ast.unparse(node.func.value) == "sight":
                    continue  # a screen's
                first = node.args[0]
                assert isinstance(first, ast.Constant), ast.dump(node)
                said.add(first.value)
    assert said <= set(words.table["text"])
    unsaid = set(words.table["text"]) - said - {"and", "or", "free"}
    assert not unsaid
    assert set(words.table["command"]) == set(COMMANDS)
    assert set(words.table["shown"]) == set(SHOWN)


@pytest.mark.parametrize(("lang", "by", "said"), [
    ("en", "", "7 is no card; it is typed as it is printed, such as S3 45 TT."),
    ("fr", "factor", "hallo n’est pas une carte\u00a0; elle se tape comme elle est imprimée, par exemple S3 45 TT, ou "
                     "par son facteur seul, par exemple 45."),
])  # fmt: skip
def test_where_no_card_is_listed_it_is_said_how_one_is_typed(lang: str, by: str, said: str) -> None:
    """With cards on the table, and not that there are answers from 1 to 0."""
    fields: dict[str, Any] = {"cards": [1, 1], **({"by": by} if by else {})}
    asked = Asked(n=1, ask="drawn", article="check.draw", round=1, car=1, fields=fields)
    with pytest.raises(BadAnswer) as wrong:
        answers.typed(said.split()[0], asked, Words(lang, "ninety"))
    assert Words(lang).error(wrong.value) == said


BOX = ("--rulebook", "formula-d", "--track", "monaco", "--cars", "Ada, Bob")
"""A race by the game in the box."""


def typed(folder: Path, *arguments: str, say: Sequence[str] = (), lang: str = "en") -> str:
    """What `companion race` shows to somebody who types these lines."""
    command = [*COMMAND, "--lang", lang, "race", "--data", str(folder), *arguments]
    given = "".join(f"{line}\n" for line in say)
    done = subprocess.run(command, input=given, capture_output=True, text=True, check=False, timeout=60)
    assert "Traceback" not in done.stderr
    assert max(map(len, paragraphs(done.stdout)), default=0) <= 80
    return done.stdout + done.stderr


@pytest.mark.parametrize("words", ["--rulebook beginner", "--laps 2", "--cars Ada,Bob", "--street Manson"])
def test_what_a_new_race_needs_begins_one_though_another_is_open(tmp_path: Path, words: str) -> None:
    """Enter does not go on with the open race, whose rules may be others."""
    typed(tmp_path, *BOX)
    assert "Go on with" in typed(tmp_path)
    assert "Go on with" not in typed(tmp_path, *words.split())


def test_figures_and_switches_of_a_new_race_are_set_where_it_begins(tmp_path: Path) -> None:
    """They change house rules too; an own car of the box keeps no points for repairs, so none are offered."""
    shown = typed(tmp_path, *BOX, "--set", "construction=on", "--set", "most_tyres=5", say=("5", "2"))
    assert "1 Ada: spread the wear points" in shown
    assert "handling 3\n" in shown
    assert "repairs" not in shown
    assert "stand" not in shown
    keep(tmp_path, HouseRules("Thursday", "formula-d", {"construction": True, "most_tyres": 5}))
    shown = typed(tmp_path, *BOX, "--rules", "Thursday", "--set", "construction=off", say=("5", "2"))
    assert "roll the black die for the start" in shown


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ("tyre=on", "There is no figure or switch called tyre; near it: tyres and street."),
        ("zzzz=on", "There is no figure or switch called zzzz; companion referee --reference lists them."),
        (
            "option.rain=3",
            "There is no figure or switch called option.rain; near it: collision_wet, engine_wet and handling_wet.",
        ),
        ("weather=maybe", "weather is a switch, on or off; maybe is neither."),
        ("variant.distance=2", "distance is a switch, on or off; 2 is neither."),
        ("engine_dry=99", "The options: engine_dry wants a whole number from 0 to 20, not 99."),
        ("engine_dry", "A figure is changed by FIGURE=VALUE, such as engine_dry=5 or wings=on; engine_dry is not."),
    ],
)
def test_a_figure_that_cannot_be_set_is_refused_in_one_sentence(tmp_path: Path, change: str, told: str) -> None:
    said = " ".join(typed(tmp_path, *BOX, "--set", change).split())
    assert said.replace(f" --data {tmp_path}", "") == told
    assert "There are no races yet" in entered("races", "list", "--data", tmp_path, "--lang", "en").stdout


def test_a_race_that_goes_on_keeps_its_figures_and_circuit(tmp_path: Path) -> None:
    typed(tmp_path, *BOX)
    for option, value in (("--set", "engine_dry=3"), ("--track", "monza"), ("--laps", "1")):
        refused = typed(tmp_path, "--resume", "last", option, value)
        assert f"{option} is for a new race; one that is resumed keeps its own." in refused
    assert "A race is called by its name or id" in typed(tmp_path, "--resume", "", say=("n",))


@pytest.mark.parametrize("named", ["Formula D", "FORMULA-D"])
def test_a_rulebook_is_named_by_its_title_too_in_any_case(tmp_path: Path, named: str) -> None:
    assert "Formula D: Monaco, 2 laps, 2 cars." in typed(
        tmp_path, "--rulebook", named, "--track", "monaco", "--cars", "2"
    )


def test_a_seat_that_a_person_has_and_an_undo_of_no_answers_are_refused_in_words(tmp_path: Path) -> None:
    shown = flat(typed(tmp_path, *BOX, say=("seat 1", "undo -1", "undo 9")))
    assert "A person drives car 1 already; seat 1 club gives it to the program." in shown
    assert "At least 1 answer can be taken back, not -1." in shown


@pytest.mark.parametrize("lang", LANGUAGES)
def test_cards_of_long_names_stand_in_columns_and_are_read_to_their_end(tmp_path: Path, lang: str) -> None:
    shown = typed(tmp_path, *BOX, "--set", "street=on", say=("5", "2"), lang=lang)
    rows = [line for line in shown.splitlines() if line.strip().partition("  ")[2].startswith(tuple(STREET))]
    assert len(rows) == len(STREET)
    assert len({re.search(r" \S+ \d ", row).start() for row in rows}) == 1  # type: ignore[union-attr]
    assert all(len(re.findall(r" \d\b", row)) == len(POOLS) + (place < 9) for place, row in enumerate(rows))


@pytest.mark.parametrize(
    ("lang", "aide", "gone"), [("en", "help", ("end", "hint", "seat")), ("fr", "aide", ("fin", "conseil", "volant"))]
)
def test_after_the_race_help_says_what_can_still_be_done(
    tmp_path: Path, lang: str, aide: str, gone: tuple[str, ...]
) -> None:
    ends, hints, seats = gone
    ended = (ends, {"en": "yes", "fr": "oui"}[lang], "Eve", "late")
    shown = typed(tmp_path, *BOX, say=("5", "2", aide, *ended, aide, hints, f"{seats} 1 club"), lang=lang)
    over = shown[shown.index(hint := Words(lang).say("over_hint")) :]
    for command in gone:
        assert re.search(rf"^  {command}\b", shown, re.MULTILINE)
        assert not re.search(rf"^  {command}\b", over, re.MULTILINE)
    assert re.search(r"^  (undo|annuler) \[N\]", over, re.MULTILINE)
    assert over.count(hint) == 3, "hint and seat are refused"


def test_a_value_of_several_words_is_set_by_its_name(tmp_path: Path) -> None:
    setup = ("--rulebook", "formula-d", "--track", "monaco", "--cars", "2", "--set", "stop_technical=on")
    shown = typed(tmp_path, *setup, say=("5", "2", "override car 1 repair points 1 tyres 4", "Eve", "counted"))
    told = next(line for line in shown.splitlines() if "The referee sets 1" in line)
    assert "repair points 1" in told
    assert "tyres 4" in told


@pytest.mark.parametrize(
    ("lang", "named"), [("en", ("repair points", "wings")), ("fr", ("points au stand", "ailerons"))]
)
def test_help_names_every_value_that_the_referee_can_set(tmp_path: Path, lang: str, named: tuple[str, ...]) -> None:
    on = ("--set", "stop_technical=on", "--set", "wings=on")
    shown = " ".join(typed(tmp_path, *BOX, *on, say=("5", "2", "help"), lang=lang).split())
    assert all(name in shown for name in named), shown


@pytest.mark.parametrize(("lang", "told"), [("en", "No circuit was named"), ("fr", "Aucun circuit n’est nommé")])
def test_an_empty_line_names_no_circuit(tmp_path: Path, lang: str, told: str) -> None:
    assert told in typed(tmp_path, say=("formula-d", "", "quit"), lang=lang)


@pytest.mark.parametrize(("lang", "told"), [("en", "chooses when the race begins: 1 car."), ("fr", "1 voiture.")])
def test_fewer_street_drivers_than_cars_are_told(tmp_path: Path, lang: str, told: str) -> None:
    shown = " ".join(typed(tmp_path, *BOX, "--street", "Jack Owens", say=("5", "2", "quit"), lang=lang).split())
    assert told in shown


# -- what an answer costs is said before it is given


def on_a_sheet(folder: Path, rulebook: str, say: Sequence[str], lang: str) -> str:
    """What is shown to car 1, which comes with a 12 to the first corner of Monza, where two stops are due."""
    cars: list[dict[str, Json]] = [
        {"car": car, "at": "after:0", "gear": 3, "lap": 1, **({"team": "A"} if rulebook == "cup" else {})}
        for car in (1, 2)
    ]
    sky = {} if rulebook in ("beginner", "formula-d") else {"sky": "sun"}
    file = folder / "sheet.json"
    file.write_text(json.dumps({"rulebook": rulebook, "track": "monza", "cars": cars, "to_play": [1, 2], **sky}))
    return typed(folder, "--setup", str(file), say=("4", "12", *say), lang=lang)


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("rulebook", ["beginner", "formula-d", "competition", "cup", "league"])
def test_a_stop_on_a_corner_sheet_is_given_once_its_cost_was_accepted(tmp_path: Path, rulebook: str, lang: str) -> None:
    """In one line or two, if it puts the car out, costs points or is rolled for; a free one is not asked about."""
    words = Words(lang, rulebook)
    corner, after = (words.option("saw", {"in": place}) for place in ("corner 1", "after corner 1"))
    over, brakes, beside = (words.word("seen", name) for name in ("overshot", "brakes", "beside"))
    yes, left = words.say("yes_words").split()[0], words.say("dropped")

    out = on_a_sheet(tmp_path, rulebook, (f"{after} {over} 3", ""), lang)
    price = f"{words.word('status', 'out')} ({words.word('cause', 'overshoot')})"
    assert f"{after}, {over} 3{words.say('colon')}{price}." in out.replace("\n", " ")
    assert out.count(left) == 1
    assert "drive.around" not in out, "it has not moved"

    told = on_a_sheet(tmp_path, rulebook, (corner, f"{brakes} 1", "", f"{corner} {beside} 2", yes), lang)
    pool = "points" if rulebook == "beginner" else "brakes"
    assert f"{brakes} 1{words.say('colon')}{words.cost({pool: -1})}." in told.replace("\n", " ")
    assert f"{beside} 2{words.say('colon')}" in told
    assert told.count(left) == 1
    assert "3 > " in told, "the roll for the car beside is asked"

    free = on_a_sheet(tmp_path, rulebook, (corner, ""), lang)
    assert re.search(SURE, free) is None
    assert "3 > " in free


@pytest.mark.parametrize("lang", LANGUAGES)
def test_an_answer_that_the_list_does_not_show_is_given_once_its_cost_was_accepted(tmp_path: Path, lang: str) -> None:
    """By its number or its space; one that was shown, or costs nothing, is not asked about."""
    words = Words(lang)
    file = tmp_path / "position.json"
    file.write_text(json.dumps(POSITION))
    yes, left = words.say("yes_words").split()[0], words.say("dropped")

    def shown(*say: str) -> str:
        return typed(tmp_path, "--setup", str(file), say=("4", "12", *say), lang=lang)

    hidden = shown("12", "")
    assert re.search(SURE, hidden)
    assert left in hidden
    assert "3 > " in shown("12", yes)
    seen = shown("m", "12")
    assert re.search(SURE, seen) is None
    assert "3 > " in seen


@pytest.mark.parametrize("lang", LANGUAGES)
def test_undo_of_several_steps_counts_the_unfinished_place(tmp_path: Path, lang: str) -> None:
    """And the place is called as it was typed."""
    words = Words(lang, "formula-d")
    past, undo = words.say("past_line"), {"en": "undo", "fr": "annuler"}[lang]
    undone = words.say("undone", count=1, what="")
    one = on_a_sheet(tmp_path, "formula-d", (past, undo), lang)
    assert f"  {past}{words.say('colon')}" in one
    assert undone not in one
    two = on_a_sheet(tmp_path, "formula-d", (past, f"{undo} 2"), lang)
    assert words.say("dropped") in two
    assert two.count(undone) == 1, "the die"
    assert "1 >" in [line.strip() for line in two.splitlines()[-6:]]
    assert undone + {"en": "2 answers", "fr": "2 réponses"}[lang] in on_a_sheet(
        tmp_path, "formula-d", (past, f"{undo} 3"), lang
    )


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("rulebook", ["beginner", "formula-d", "competition", "league"])
def test_an_overshoot_that_cannot_be_is_refused_with_what_can(tmp_path: Path, rulebook: str, lang: str) -> None:
    """With a 12 to the first corner and beyond: a space in each corner at least, fewer beyond each than the last."""
    words = Words(lang, rulebook)
    over = words.word("seen", "overshot")
    one, two = (words.option("saw", {"in": f"after corner {corner}"}) for corner in (1, 2))

    def refused(moved: int, over: int, least: int, most: int, several: int) -> str:
        said = {"moved": moved, "over": over, "several": several, "least": least, "most": most}
        return flat(words.error(BadAnswer("seen_over", **said)))

    tries = (f"{one} {over} 12", f"{two} {over} 2", f"{two} {over} 22", f"{two} {over} 3")
    shown = flat(on_a_sheet(tmp_path, rulebook, tries, lang))
    for said in (refused(12, 12, 1, 11, 0), refused(12, 2, 3, 21, 2), refused(12, 22, 3, 21, 2)):
        assert said in shown
    assert words.say("costs", what="", price="").split()[-1] in shown.rpartition(refused(12, 22, 3, 21, 2))[2]


# -- what a newcomer is asked before a race


def flat(shown: str) -> str:
    """A text in one line, its hard spaces as they are."""
    return re.sub("[ \n]+", " ", shown)


def offered(shown: str) -> list[str]:
    """The rulebooks that a person can choose."""
    return re.findall(r"^  \d ([a-z-]+) +[A-Z]", shown, re.MULTILINE)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_options_of_the_box_are_switched_on_by_answering(tmp_path: Path, lang: str) -> None:
    """By number, by name or by the word of a setup; what one of them needs is on too, and the sheet has them."""
    words = Words(lang, "formula-d")
    names = {one.switch: figure_name(one.switch, words) for one in variants_shown("formula-d")}
    help_, show = {"en": ("?", "show sheet"), "fr": ("aide", "voir feuille")}[lang]
    weather, three = ([*names].index(switch) + 1 for switch in ("weather", "three_laps"))
    first, second, *_ = names.values()

    def shown(*said: str) -> str:
        file = tmp_path / str(len(list(tmp_path.iterdir())))
        return flat(typed(file, say=("formula-d", "monza", *said, "", "Ada, Bob", show), lang=lang))

    told = shown(help_, "atlantis", f"{weather}, super-soft")
    assert words.say("options_help", example=first).partition(" companion")[0] in told
    assert told.count(words.error(BadSetup("no_such_option", said="atlantis", example=f"{first}, {second}"))) == 1
    on = [names[switch] for switch in ("weather", "tyres", "super_soft")]
    assert words.say("options_on", on=on) in told
    assert " · ".join(on) in told.rpartition(show)[2]
    assert f"{names['three_laps']} · {names['weather']}" in shown(f"{three} {weather}").rpartition(show)[2]
    assert words.say("options_on", on=[names["weather"]]) in shown("weather")
    own, street = (names[switch] for switch in ("construction", "street"))
    apart = shown(f"{[*names.values()].index(own) + 1} {[*names.values()].index(street) + 1}", "")
    assert words.error(BadSetup("options_exclude", one=street, other=own)) in apart
    plain_race = shown("")
    assert not any(name in plain_race.rpartition(show)[2] for name in names.values())


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_race_on_a_circuit_that_was_named_asks_for_its_rulebook_and_says_it(tmp_path: Path, lang: str) -> None:
    """The beginner's is offered first, then the last choice; none is listed that is not driven there."""
    words = Words(lang)
    race = ("--track", "monza", "--cars", "2")
    first = typed(tmp_path, *race, say=("",), lang=lang)
    assert words.say("choose_rulebook", usual="beginner", example="formula-d") in flat(first)
    assert offered(first) == ["beginner", "formula-d", "competition", "cup", "league"]
    second = typed(tmp_path, *race, say=("ninety", "formula-d", ""), lang=lang)
    assert words.error(BadSetup("not_of_sections", track="Monza")) in flat(second)
    begun = f"Formula D{words.say('colon')}Monza, "
    assert begun in second
    third = typed(tmp_path, *race, say=("", ""), lang=lang)
    assert words.say("choose_rulebook", usual="formula-d", example="beginner") in flat(third)
    assert begun in third


@pytest.mark.parametrize("lang", LANGUAGES)
def test_where_the_rulebook_or_the_circuit_is_asked_the_options_are_too(tmp_path: Path, lang: str) -> None:
    """One Enter goes on without any; who named both the rulebook and the circuit, or gave --set, is not asked."""
    words = Words(lang, "formula-d")
    wanted = flat(words.say("choose_options", example="1, 2"))
    begun = f"Formula D{words.say('colon')}Monza, "
    weather = [one.switch for one in variants_shown("formula-d")].index("weather") + 1
    track, book = ("--track", "monza", "--cars", "2"), ("--rulebook", "formula-d")

    def shown(*race: str, say: Sequence[str]) -> str:
        return typed(tmp_path / str(len(list(tmp_path.iterdir()))), *race, say=say, lang=lang)

    plain_race = shown(*track, say=("formula-d", ""))
    assert flat(plain_race).count(wanted) == 1
    assert begun in plain_race
    on = words.say("options_on", on=[figure_name("weather", words)])
    assert on in flat(shown(*track, say=("formula-d", str(weather))))
    only_book = shown(*book, "--cars", "2", say=("monza", "", ""))
    assert flat(only_book).count(wanted) == 1
    assert begun in only_book
    for given in ((*book, *track), ("--set", "weather=on", *track)):
        begins = shown(*given, say=("formula-d",))
        assert wanted not in flat(begins)
        assert begun in begins
    own = [one.switch for one in variants_shown("formula-d")].index("construction") + 1
    apart = BadSetup("options_exclude", one=figure_name("street", words), other=figure_name("construction", words))
    assert words.error(apart) in flat(shown("--street", "Owens", *track, say=("", str(own), "")))


@pytest.mark.parametrize(
    ("rulebook", "track"),
    [
        ("beginner", "monza"), ("formula-d", "monaco"), ("competition", "monza"), ("cup", "spa"), ("league", "monaco"),
        ("death", "monaco"), ("ninety", "saltmarsh"),
    ],
)  # fmt: skip
def test_one_driver_alone_may_race(tmp_path: Path, rulebook: str, track: str) -> None:
    """Against nobody, but for the bots of the race of cards; what looks at the race has only that car to show."""
    looks = ("show order", "show board", "show sheet Ada", "hint", "override", "seat Ada sensible roll", "show order")
    shown = typed(tmp_path, "--rulebook", rulebook, "--track", track, say=("Ada", "", "", "", *looks))
    assert "1 car." in shown or rulebook == "ninety"
    assert "the program drives" in shown
    one = Race.begin(rulebook, track, ["Ada"])
    driver = make_driver(one, "sensible", seed=1)
    while not one.is_over:
        one.step(driver)
    assert one.result[0]["place"] == 1


NAMED: dict[str, Any] = {
    "track": "monza", "sky": "sun", "to_play": [1, 2, 3, 4],
    "cars": [
        {"car": car, "driver": name, "at": "after:1", "gear": 3, "lap": 1}
        for car, name in ((1, "Ada"), (2, "Bob"), (3, "Jack Owens"), (4, "Béa Line"))
    ],
}  # fmt: skip


@pytest.mark.parametrize(
    ("lang", "said", "seen"),
    [
        ("en", "corner 2 beside Bob", {"beside": [2]}),
        ("en", "corner 2 beside bob jack owens 4", {"beside": [2, 3, 4]}),
        ("en", "corner 2 beside owens behind Bea", {"beside": [3], "ahead": 4}),
        ("en", "corner 2 beside be order Bob, Ada, Jack, Béa Line", "Which car? Say beside and its number or driver"),
        ("en", "corner 2 order Bob, Ada, Jack, Béa Line brakes 1", {"order": [2, 1, 3, 4], "brakes": 1}),
        ("fr", "virage 2 côté Bob devant Jack", {"beside": [2], "ahead": 3}),
    ],
)
def test_cars_are_called_by_their_drivers_where_a_car_stopped(
    tmp_path: Path, lang: str, said: str, seen: dict[str, Json] | str
) -> None:
    desk = RaceDesk(begin(NAMED, circuits.board("monza")), setup=NAMED)
    desk.answer(3)
    desk.answer(7)
    assert desk.asked is not None
    words = Words(lang)
    if isinstance(seen, str):
        with pytest.raises(BadAnswer, match=re.escape(seen)):
            answers.typed(said, desk.asked, words, desk.names)
        return
    assert answers.typed(said, desk.asked, words, desk.names) == {"in": "corner 2", **seen}


@pytest.mark.parametrize("lang", LANGUAGES)
def test_cars_are_called_by_their_drivers_in_every_command(tmp_path: Path, lang: str) -> None:
    """An unknown one, or a name that two have, is told with the cars there are."""
    file = tmp_path / "named.json"
    file.write_text(json.dumps(NAMED))
    words = Words(lang)
    override, order, seat, rename, sheet, quick, beside, gear = {
        "en": ("override car", "override order", "seat", "rename", "show sheet", "corner 2", "beside", "gear"),
        "fr": ("forcer voiture", "forcer ordre", "volant", "nommer", "voir feuille", "virage 2", "côté", "vitesse"),
    }[lang]
    shown = flat(typed(
        tmp_path, "--setup", str(file), lang=lang,
        say=(f"{override} Jack Owens {gear} 2", "Eve", "slip", f"{order} bob ada béa owens", "Eve", "slip",
             f"{seat} Owens club", f"{rename} Bob Bruno", f"{sheet} Bruno", "3", "7", f"{quick} {beside} Bruno",
             f"{rename} Zoe Eva", f"{sheet} Zoe", f"{quick} {beside} Zoe"),
    ))  # fmt: skip
    unknown = words.error(BadAnswer("which_car", said="Zoe", cars=["1 Ada", "2 Bruno", "3 Jack Owens", "4 Béa Line"]))
    for told in ("3 Jack Owens", "2 Bruno"):
        assert told in shown
    assert shown.casefold().count(flat(unknown).casefold()) >= 2
    with RaceDesk.resume(tmp_path) as desk:
        assert desk.names[2] == "Bruno"
        assert desk.history.programs == {3: "sensible"}, "no better one knows a corner sheet"


@pytest.mark.parametrize(
    ("given", "listed"),
    [(("--set", "kers_most=3"), ["cup"]), (("--street", "Owens"), ["formula-d"]), (("--bots", "1"), [])],
)
def test_only_rulebooks_that_have_what_was_named_are_offered(
    tmp_path: Path, given: tuple[str, ...], listed: list[str]
) -> None:
    shown = typed(tmp_path, "--track", "monaco", "--cars", "2", *given)
    assert offered(shown) == listed
    assert ("Only the race of cards has bots" in shown) is (not listed)
    assert "such as" not in shown, "an example would be the only one"


@pytest.mark.parametrize("lang", LANGUAGES)
def test_laps_that_an_option_refuses_are_refused_where_they_are_typed(tmp_path: Path, lang: str) -> None:
    """With the option called as the list calls it; at the command line, as --set does."""
    words = Words(lang, "formula-d")
    three = figure_name("three_laps", words)
    wrong = flat(words.error(BadSetup("three_laps", switch=three, usual=3, laps=2)))
    shown = flat(typed(tmp_path, say=("formula-d", "monza", "1", "2", "3", "Ada"), lang=lang))
    assert wrong in shown
    assert words.say("begun", rulebook="Formula D", track="Monza", laps=3, cars=1) in shown
    shown = flat(typed(tmp_path, "--track", "monza", "--laps", "2", say=("formula-d", "1", "", "Ada"), lang=lang))
    assert wrong in shown
    assert words.say("begun", rulebook="Formula D", track="Monza", laps=2, cars=1) in shown
    named = flat(words.error(BadSetup("three_laps", switch="three_laps", usual=3, laps=2)))
    race = ("--rulebook", "formula-d", "--track", "monza", "--laps", "2", "--cars", "2", "--set", "three_laps=on")
    assert named in flat(typed(tmp_path, *race, lang=lang))


@pytest.mark.parametrize(
    ("rulebook", "track", "given", "told"),
    [
        (
            "competition",
            "monza",
            ("starting_gear=5", "highest_gear=3"),
            "lower “starting_gear”, or raise “highest_gear”",
        ),
        ("ninety", "saltmarsh", ("deck_values=[0,0,0,0]",), "“deck_values” has 0 of each"),
        ("ninety", "saltmarsh", ("charts=[]",), "“charts” has none"),
    ],
)
def test_a_figure_is_called_at_the_command_line_as_set_does(
    tmp_path: Path, rulebook: str, track: str, given: tuple[str, ...], told: str
) -> None:
    changes = [word for change in given for word in ("--set", change)]
    assert told in flat(typed(tmp_path, "--rulebook", rulebook, "--track", track, "--cars", "2", *changes))


@pytest.mark.parametrize("lang", LANGUAGES)
def test_which_car_is_in_front_is_asked_with_what_it_loses_and_answered_by_its_driver(
    tmp_path: Path, lang: str
) -> None:
    """The one that has blocked loses a body point without a roll; the blocked car itself is not among them."""
    cars = [
        {"car": number, "driver": driver, "at": "after:1", "gear": 3, "lap": 1, "status": "racing", "tyres": "hard"}
        for number, driver in enumerate(("Ada", "Bob", "Cleo"), 1)
    ]
    file = tmp_path / "blocked.json"
    file.write_text(json.dumps({"track": "monza", "laps": 3, "sky": "sun", "to_play": [1, 2, 3], "cars": cars}))
    seen = json.dumps({"in": "after corner 1", "blocked": 7, "beside": [2, 3]})
    shown = flat(typed(tmp_path, "--setup", str(file), lang=lang, say=("3", "8", seen, "Ada", "zzz", "Cleo", "quit")))
    row, refused = {
        "en": ("2 Bob 2: body −1, 3: body −1 (1–2)", "Type one of these answers: 2 Bob and 3 Cleo; {} is not"),
        "fr": ("2 Bob 2\u00a0: carrosserie −1, 3\u00a0: carrosserie −1 (1–2)", "2 Bob et 3 Cleo\u00a0; {} n’en est"),
    }[lang]
    assert row in shown
    for said in ("Ada", "zzz"):
        assert refused.format(said) in shown
    with RaceDesk.resume(tmp_path) as desk:
        assert desk.answers()[-1].answer == 3


@pytest.mark.parametrize(
    ("lang", "rulebook", "more", "told"),
    [
        ("en", "formula-d", {}, "out (5 to pay)"),
        ("fr", "formula-d", {}, "abandon (5 à payer)"),
        ("en", "competition", {"sky": "sun", "laps": 3}, "out (4 × 2 = 8 to pay)"),
    ],
)
@pytest.mark.parametrize("columns", ["80", "40"])
def test_an_overshoot_that_puts_the_car_out_is_told_with_its_sum(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    lang: str,
    rulebook: str,
    more: dict[str, Any],
    told: str,
    columns: str,
) -> None:
    monkeypatch.setenv("COLUMNS", columns)
    wear = {"tyres": 2, "brakes": 1, "gearbox": 3, "body": 3, "engine": 3, "handling": 2}
    car = {"car": 1, "driver": "Ada", "at": "2:left:13", "gear": 4, "lap": 1, "status": "racing", "wear": wear}
    soft = {"tyres": "soft"} if rulebook == "competition" else {}
    file = tmp_path / "fast.json"
    file.write_text(json.dumps({"rulebook": rulebook, "track": "monaco", "to_play": [1], **more, "cars": [car | soft]}))
    assert told in typed(tmp_path, "--setup", str(file), lang=lang, say=("5", "20"))
