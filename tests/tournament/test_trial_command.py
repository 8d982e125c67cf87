"""`companion trial`, typed as a person would, and killed in the middle of a lap."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import pexpect
import pytest
from click.testing import CliRunner

from companion.commands.main import companion
from companion.desk.trial_desk import TrialDesk
from companion.hall import timing
from companion.sheets.records import kept_record
from companion.tournament.trials import ClockStarted, SkyDrawn, TrialDriver, Trials, TrialsOpened

COMMAND = [sys.executable, "-m", "companion.commands.main", "trial"]


def typed(folder: Path, lines: str, *options: str, columns: str = "100") -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*COMMAND, "--data", str(folder), *options], env={**os.environ, "COLUMNS": columns},
        input=lines, capture_output=True, text=True, timeout=120, check=False,
    )  # fmt: skip


def record(folder: Path) -> Trials:
    found = kept_record(folder, "last", "trials").record
    assert isinstance(found, Trials)
    return found


@pytest.mark.article("competition", "1-1-10", "1-1-11", "1-1-12", "1-2-1-1", "1-3-1", "1-0-3")
def test_two_drivers_are_timed_line_by_line(tmp_path: Path) -> None:
    lines = "15\nsoft\n\n\no\ns\nm\n.\n\nhard\n\nu\n\n\n.\n\nl\nq\n"
    done = typed(tmp_path, lines, "--drivers", "14 Vidal, 7 Brun", "--lang", "en")
    assert (done.returncode, done.stderr) == (0, "")
    assert "2 + 2 + 10 + 0 = 14" in done.stdout
    assert "All have driven" in done.stdout
    assert record(tmp_path).grid() == [7, 14]
    assert {number: runs[1].total for number, runs in record(tmp_path).runs.items()} == {14: 14, 7: 2}


@pytest.mark.article("formula-d", "option.trial", "option.trial-out")
def test_by_the_box_enter_starts_the_clock_and_nothing_else_is_asked(tmp_path: Path) -> None:
    lines = "soup\n\n\n\no\nm\n.\n\n\n\nx\n\nl\nq\n"
    done = typed(tmp_path, lines, "--drivers", "14 Vidal, 7 Brun", "--lang", "en", "--rulebook", "formula-d")
    assert (done.returncode, done.stderr) == (0, "")
    assert "2 + 1 + 0 = 3" in done.stdout
    assert "Enter starts the clock" in done.stdout
    assert "By the box only throws and spaces beyond a corner count" in done.stdout
    assert record(tmp_path).grid() == [14, 7]
    assert record(tmp_path).runs[7][1].last


def test_what_makes_no_sense_says_what_would_and_french_is_understood(tmp_path: Path) -> None:
    lines = "neige\npluie\nslicks\npluie\nzz\n\n.\n\n"
    done = typed(tmp_path, lines, "--drivers", "Ada", "--lang", "fr")
    assert (done.returncode, done.stderr) == (0, "")
    assert "soleil, variable ou pluie" in done.stdout
    assert "1-1-5" not in done.stdout.split("pluie", maxsplit=1)[0]
    assert "À dire" in done.stdout
    assert record(tmp_path).over


@pytest.mark.parametrize(
    ("lang", "rule", "time", "decides", "again"),
    [
        (
            "en",
            "rule 3 0 0 seen",
            "time 14 1 17 1:15.56 misread",
            "decides, such as rule",
            "The trials are kept.",
        ),
        (
            "fr",
            "juger 3 0 0 vu",
            "time 14 1 17 1:15.56 lu",
            "décide, par exemple juger",
            "Les essais sont gardés.",
        ),
    ],
)
@pytest.mark.parametrize("columns", [40, 80])
def test_a_whole_trial_is_read_in_a_narrow_window_and_says_what_may_be_typed_then(
    tmp_path: Path, lang: str, rule: str, time: str, decides: str, again: str, columns: int
) -> None:
    """What a dispute needs is said once there is one, and findings only where something was found."""
    lines = f"?\n15\nzz\nsoft\n\n\no\n?\n.\n?\nd\n?\n{rule}\n\nl\n{time}\nq\n"
    done = typed(tmp_path, lines, "--drivers", "14 Vidal", "--lang", lang, columns=str(columns))
    assert (done.returncode, done.stderr) == (0, "")
    *shown, resumed = done.stdout.splitlines()
    assert resumed.startswith("companion --data "), "to be copied, and as long as its folder"
    assert max(len(line) for line in shown if " > " not in line) <= columns
    told = " ".join(done.stdout.split())
    undisputed, _, disputed = told.partition("> d ")
    assert decides not in undisputed
    assert decides in disputed
    assert "+1" not in told
    assert "> 1 14 Vidal 3 0:0" in disputed
    assert "1 14 Vidal 18 1:15.56" in disputed
    assert disputed.partition(again)[2].endswith(f" trial --resume {told[-8:]}")
    assert record(tmp_path).runs[14][1].throws == 17


@pytest.mark.parametrize(
    ("lang", "rule", "wanted", "time"), [("en", "rule", "needs a reason", "and why"), ("fr", "juger", "motif", "motif")]
)
def test_a_line_that_lacks_its_reason_says_where_it_goes(
    tmp_path: Path, lang: str, rule: str, wanted: str, time: str
) -> None:
    lines = f"15\nsoft\n\n.\nd\n{rule} 9 0 0\n{rule} 9 0 0 seen\n\ntime 14 1 17 1:15.56\nq\n"
    done = typed(tmp_path, lines, "--drivers", "14 Vidal", "--lang", lang)
    told = " ".join(done.stdout.split())
    ruled, _, timed = told.partition("time 14 1 17 1:15.56")
    disputed = ruled.partition(f"{rule} 9 0 0 ")[2].partition(f"{rule} 9 0 0 seen")[0]
    assert wanted in disputed
    assert f"{rule} 17 2 0" in disputed
    assert wanted in timed
    assert "time 14 1 17 1:15.56" in timed
    assert time in timed.partition("time 14 1 17 1:15.56")[2]


def test_findings_are_decided_once_there_are_some(tmp_path: Path) -> None:
    done = typed(tmp_path, "\n2 4 0:left:3\n.\n", "--drivers", "Ada", "--lang", "fr", "--rulebook", "formula-d")
    running, _, found = done.stdout.partition("1 Lancer 1\u00a0: vitesse interdite\u00a0: vitesse 2")
    assert "+1 accepte" in found
    assert "+1" not in running


@pytest.mark.parametrize(
    ("options", "why"),
    [
        (("--drivers", "7 Ada, 7 Bob"), "number|Number"),
        (("--drivers", "Ada", "--track", "atlantis"), "atlantis"),
        (("--resume", "last"), "There are no trials yet"),
    ],
)
def test_bad_input_is_one_sentence(tmp_path: Path, options: tuple[str, ...], why: str) -> None:
    done = typed(tmp_path, "", *options)
    assert done.returncode == 1
    assert re.search(why, done.stderr)
    assert len(done.stderr.strip().splitlines()) == 1


def test_killed_in_mid_lap_it_goes_on_with_its_throws_and_its_clock(tmp_path: Path) -> None:
    talk = pexpect.spawn(COMMAND[0], [*COMMAND[1:], "--data", str(tmp_path), "--drivers", "5 Ada", "--lang", "en"],
                         encoding="utf-8", timeout=60)  # fmt: skip
    talk.expect("Sky of session 1")
    talk.sendline("sun")
    talk.expect("Which tyres")
    talk.sendline("hard")
    talk.expect("0:00 ")
    talk.sendline("")
    talk.expect(r"1 \+ 0 \+ 0 \+ 0")
    talk.kill(signal.SIGKILL)
    talk.wait()
    done = typed(tmp_path, "\n.\n\n", "--lang", "en")
    assert (done.returncode, done.stderr) == (0, "")
    time = record(tmp_path).runs[5][1]
    assert (time.throws, time.clock > 0) == (2, True)


@pytest.mark.parametrize(("lang", "said"), [("en", "name the drivers of new ones"), ("fr", "nommez les pilotes")])
def test_without_trials_it_says_how_to_begin_some(tmp_path: Path, lang: str, said: str) -> None:
    command = [sys.executable, "-m", "companion", "trial", "--data", str(tmp_path), "--lang", lang]
    done = subprocess.run(command, input="", capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert said in done.stderr
    assert len(done.stderr.splitlines()) == 1


LATER = {"en": "e enters it disputed", "fr": "e l’inscrit contesté"}


@pytest.mark.article("competition", "1-1-9")
@pytest.mark.article("formula-d", "option.trial")
@pytest.mark.parametrize("rulebook", ["competition", "formula-d"])
@pytest.mark.parametrize("lang", ["en", "fr"])
def test_an_empty_line_decides_no_dispute_and_enters_none(tmp_path: Path, rulebook: str, lang: str) -> None:
    start = "sun\nhard\n" if rulebook == "competition" else "\n"
    options = ("--drivers", "14 Vidal, 7 Brun", "--lang", lang, "--rulebook", rulebook)
    done = typed(tmp_path, f"{start}\n.\nd\n\n\nq\n", *options)
    told = " ".join(done.stdout.split()).count(LATER[lang])
    assert told == 3, "once with the question, and for each empty line"
    trial = record(tmp_path).trial
    assert trial is not None
    assert trial.disputed
    typed(tmp_path, "e\nq\n", "--lang", lang)
    assert (record(tmp_path).disputes, record(tmp_path).trial) == ({(14, 1)}, None)


@pytest.mark.article("competition", "1-1-9", "1-1-14")
@pytest.mark.article("formula-d", "option.trial-out")
@pytest.mark.parametrize("rulebook", ["competition", "formula-d"])
@pytest.mark.parametrize(
    ("lang", "counts", "stands", "said"),
    [
        ("en", "rule 4 0 0 he stopped", "rule last all saw it", "no count changes that; let it stand"),
        ("fr", "juger 4 0 0 arrêté", "juger dernier tous l’ont vu", "aucun décompte n’y change rien"),
    ],
)
def test_a_ruling_on_a_trial_that_is_last_lets_it_stand_or_has_it_driven_again(
    tmp_path: Path, rulebook: str, lang: str, counts: str, stands: str, said: str
) -> None:
    start = "sun\nhard\n" if rulebook == "competition" else "\n"
    again = start.removeprefix("sun\n")
    lines = f"{start}\nx\nm\nd\n{counts}\na\na He stopped\n{again}\nx\nd\n{stands}\n\nq\n"
    done = typed(tmp_path, lines, "--drivers", "14 Vidal, 7 Brun", "--lang", lang, "--rulebook", rulebook)
    told = " ".join(done.stdout.split())
    assert said in told
    assert "m one more" not in told, "nothing is added to a trial that is last"
    acts = [(signed.act.__struct_config__.tag, signed.act.why) for signed in record(tmp_path).signed]
    ruled = stands.split(" ", 2)[2]
    assert [one for one in acts if one[0] in ("again", "rule")] == [("again", "He stopped"), ("rule", ruled)]
    assert record(tmp_path).runs[14][1].last


@pytest.mark.article("formula-d", "option.trial")
@pytest.mark.parametrize(("lang", "rule", "last"), [("en", "rule", "misplac"), ("fr", "juger", "mal_plac|mal plac")])
def test_by_the_box_nobody_is_asked_for_misplaced_cars(tmp_path: Path, lang: str, rule: str, last: str) -> None:
    lines = f"?\n\n\n.\nd\n?\n{rule} 4\n{rule} 4 1 2 seen\ntime 7 1 9 1:00 0 1 2\n{rule} 4 1 two saw it\n\nq\n"
    done = typed(tmp_path, lines, "--drivers", "14 Vidal, 7 Brun", "--lang", lang, "--rulebook", "formula-d")
    assert done.returncode == 0, done.stderr
    assert not re.search(last, done.stdout.casefold())
    assert (" ".join(done.stdout.split())).count({"en": "By the box only", "fr": "Selon la boîte, seuls"}[lang]) == 2
    assert {number: [time.total for time in runs.values()] for number, runs in record(tmp_path).runs.items()} == {
        14: [5], 7: [],
    }  # fmt: skip
    assert record(tmp_path).signed[-2].act.why == "two saw it"


@pytest.mark.parametrize(("lang", "said"), [("en", "say why. The reason goes with --why."), ("fr", "par --why.")])
def test_a_time_that_needs_a_reason_says_which_option_gives_it(tmp_path: Path, lang: str, said: str) -> None:
    typed(tmp_path, "time 14 1 17 1:15.56\n", "--drivers", "14 Vidal, 7 Brun")
    again = [*COMMAND, "--data", str(tmp_path), "--lang", lang, "time", "14", "1", "16", "1:15.56"]
    refused = subprocess.run(again, capture_output=True, text=True, check=False)
    assert (refused.returncode, len(refused.stderr.splitlines())) == (1, 1)
    assert said in refused.stderr
    done = subprocess.run([*again, "--why", "misread"], capture_output=True, text=True, check=False)
    assert (done.returncode, record(tmp_path).runs[14][1].throws) == (0, 16)


@pytest.mark.parametrize(("lang", "said"), [("en", "and why; or as time"), ("fr", "et motif ; ou par time")])
def test_a_reason_that_lacks_at_the_terminal_is_said_with_where_it_goes(tmp_path: Path, lang: str, said: str) -> None:
    lines = "time 14 1 17 1:15.56\ntime 14 1 16 1:15.56\n"
    done = typed(tmp_path, lines, "--drivers", "14 Vidal, 7 Brun", "--lang", lang)
    assert said in " ".join(done.stdout.replace(" ", "\0").split()).replace("\0", " ")


@pytest.mark.article("competition", "1-0-3")
@pytest.mark.parametrize(
    ("lang", "drawn", "header", "listed"),
    [
        ("en", "Session 1: rain (black die 4)", "· Rain · Rain tyres, wet", "Session 1: rain Session 2: sun"),
        ("fr", "Séance 1 : pluie (dé noir 4)", "· Pluie · Pneus pluie, mouillée",
         "Séance 1 : pluie Séance 2 : soleil"),
    ],
)  # fmt: skip
def test_the_sky_is_told_when_it_is_drawn_with_each_trial_and_on_the_list(
    tmp_path: Path, lang: str, drawn: str, header: str, listed: str
) -> None:
    lines = "4\nrain\n\n.\n\nsun\nhard\n\n.\n\nl\n"
    for rulebook in ("competition", "formula-d"):
        options = ("--set", "weather=on", "--set", "tyres=on") if rulebook == "formula-d" else ()
        done = typed(tmp_path / rulebook, lines, "--drivers", "14 Vidal", "--lang", lang, "--sessions", "2",
                     "--rulebook", rulebook, *options)  # fmt: skip
        told = re.sub(r"[ \n]+", " ", done.stdout)
        assert told.count(drawn) == 1
        assert told.count(header) == 2, "while the clock runs, and after it"
        assert told.count(listed) == 3, "after the last trial, when all have driven, and where it is asked for"


@pytest.mark.article("formula-d", "option.weather")
def test_by_the_box_without_weather_no_sky_is_told(tmp_path: Path) -> None:
    done = typed(tmp_path, "\n\n.\n\nl\n", "--drivers", "14 Vidal", "--lang", "en", "--rulebook", "formula-d")
    assert not re.search("sun|dry|session", done.stdout.casefold())
    assert "button" not in done.stdout, "a terminal has none"


@pytest.mark.article("competition", "1-0-3")
def test_a_sky_that_race_control_has_drawn_is_taken_over_and_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """That of the second session comes while the table types another one."""
    opened = TrialsOpened(name="Cup", track="monaco", drivers=(TrialDriver(number=14),), sessions=2, event="e1")
    TrialDesk.begin(tmp_path, opened).close()
    asked: list[int] = []

    def drawn(_: Path, record: Trials) -> list[SkyDrawn]:
        asked.append(record.session)
        came = record.session == 1 or asked.count(2) > 1
        return [SkyDrawn(session=record.session, sky="rain", face=3)] if came else []

    monkeypatch.setattr(timing, "missing_skies", drawn)
    words = ["--data", str(tmp_path), "--lang", "en", "trial", "--resume", "last"]
    done = CliRunner().invoke(companion, words, input="rain\n\n.\n\nsun\n")
    assert done.exit_code == 0, done.output
    assert done.output.count("(black die 3)") == 2
    assert "Sky of session 1?" not in done.output
    assert "Sky of session 2?" in done.output
    assert record(tmp_path).skies == {1: "rain", 2: "rain"}


@pytest.mark.parametrize(
    ("lang", "said"),
    [("en", "Disputed: 14 Vidal. A time typed with"), ("fr", "Contesté\u00a0: 14 Vidal. Un temps saisi")],
)
def test_who_is_still_disputed_stands_below_the_list_until_it_is_decided(tmp_path: Path, lang: str, said: str) -> None:
    lines = "sun\nhard\n\n.\nd\ne\nl\ntime 14 1 2 0:30.00 ruled\nl\n"
    done = typed(tmp_path, lines, "--drivers", "14 Vidal, 7 Brun", "--lang", lang)
    before, _, after = done.stdout.partition("0:30.00 ruled")
    assert said in before
    assert said not in after


@pytest.mark.parametrize(("lang", "said"), [("en", "a to drive again, or the clock"), ("fr", "a pour refaire")])
def test_a_lost_clock_is_asked_for_again_after_an_empty_line(tmp_path: Path, lang: str, said: str) -> None:
    opened = TrialsOpened(name="Club", track="monaco", drivers=(TrialDriver(number=14),))
    with TrialDesk.begin(tmp_path, opened) as desk:
        desk.sky("sun")
        desk.act(ClockStarted(driver=14, tyres="hard", mono=0, boot="another run of the machine"))
        desk.tap("throw")
    done = typed(tmp_path, "\n1:21.48\n\n", "--lang", lang)
    assert done.stdout.count(said) == 2
    assert record(tmp_path).runs[14][1].clock == 8148


@pytest.mark.parametrize(
    ("lang", "said"),
    [
        ("en", "Nobody in these trials is called Bop; the drivers are 14 Vidal."),
        ("fr", "Personne ne s’appelle Bop dans ces essais\u00a0; les pilotes\u00a0: 14 Vidal."),
    ],
)
def test_a_time_of_nobody_says_who_drives(tmp_path: Path, lang: str, said: str) -> None:
    done = typed(tmp_path, "time Bop 1 17 1:15.56\nq\n", "--drivers", "14 Vidal", "--lang", lang)
    assert said in " ".join(done.stdout.split(" ")).replace("\n  ", " ")


@pytest.mark.parametrize(
    ("lang", "said"),
    [("en", "Taken back: the time of 7 Brun in session 1."), ("fr", "Annulé\u00a0: le temps de 7 Brun à la séance 1.")],
)
def test_another_drivers_time_is_named_when_it_is_taken_back(tmp_path: Path, lang: str, said: str) -> None:
    lines = "\n\ntime 7 1 20 1:10\nu\nu\nq\n"
    done = typed(tmp_path, lines, "--drivers", "14 Vidal, 7 Brun", "--lang", lang, "--rulebook", "formula-d")
    assert done.stdout.count(said) == 1, "the throw before is not a time"
