"""A tournament of 40 drivers at 5 tables by command: two sessions of trials, a round, a final; killed in the middle."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import cast

import pytest
from click.testing import CliRunner

from companion import circuits
from companion.commands.main import companion
from companion.desk import RaceDesk
from companion.rules.conversation.errors import CompanionError
from companion.sheets.place import DATABASE
from companion.sheets.reading import race_ids, reading
from companion.sheets.records import kept_record
from companion.sheets.stored_race import delete
from companion.wording import Words
from tests.tournament.commanding import Commander, play, refused

DRIVERS = range(1, 41)
CLUBS = 10
TIMES = {(n, s): (14 + (n * 7 + s * 11) % 9, 60_00 + (n * 37 + s * 101) % 40 * 100) for n in DRIVERS for s in (1, 2)}
"""Throws and clock (under two minutes: a throw more) of every driver and session."""
POINTS = (10, 8, 6, 5, 4, 3, 2, 1)


def total(number: int, session: int) -> tuple[int, int]:
    throws, clock = TIMES[number, session]
    return throws + clock // 6000, clock


def ranks() -> list[int]:
    """By hand: the best session of each driver, the clock, and who did it first: session 1 by number, then 2."""
    best = {n: min((*total(n, s), s) for s in (1, 2)) for n in DRIVERS}
    return sorted(DRIVERS, key=lambda n: (*best[n], n))


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """The tournament up to the first official round; every test takes a copy."""
    folder = tmp_path_factory.mktemp("tournament")
    run = Commander(folder, "tournament")
    run("new", "Rhône Masters", "--sessions", "2", "--points", " ".join(map(str, POINTS)), "--laps", "1")
    listed = folder / "entrants.csv"
    listed.write_text("number;name;team\n" + "\n".join(f"{n};Driver {n};Club {n % CLUBS}" for n in DRIVERS), "utf-8")
    run("import", str(listed))
    run("checkin", "all")
    lines = [
        ["time", str(n), str(TIMES[n, s][0]), f"1:{TIMES[n, s][1] // 100 - 60:02}", "--session", str(s)]
        for s in (1, 2) for n in DRIVERS
    ]  # fmt: skip
    rng, at = Random(1), 0
    while at < len(lines):
        heard = run.killed(lines[at : at + 30], rng)
        done = sum(row["act"] == "trial" for row in run.rows("log"))
        assert done in (at + heard, at + heard + 1), "an acknowledged trial is lost"
        at = done
    run("weather", "2", "--session", "2")
    run("seed", "--tables", "5")
    run("publish")
    run("weather", "1", "--round", "1")
    return folder


@pytest.fixture
def run(folder: Path, tmp_path: Path) -> Commander:
    """The tournament in a folder of its own."""
    shutil.copyfile(folder / DATABASE, tmp_path / DATABASE)
    return Commander(tmp_path, "tournament")


def order(run: Commander, table: str) -> list[int]:
    return [int(str(row["number"])) for row in run.rows("table", table)]


def test_seeds_ties_and_team_mates_come_out_as_by_hand(run: Commander) -> None:
    by_hand = ranks()
    assert [row["number"] for row in run.rows("trials")] == by_hand
    dealt = [by_hand[table::5] for table in range(5)]
    seats = {f"1.{table}": order(run, f"1.{table}") for table in range(1, 6)}
    for place in range(8):  # moves stay between equal seats
        assert {seats[f"1.{table}"][place] for table in range(1, 6)} == {table[place] for table in dealt}
    for drivers in seats.values():
        assert len({n % CLUBS for n in drivers}) == 8, "team-mates sit together"


def test_a_round_and_a_final_from_logs_file_stick_and_paper(run: Commander, tmp_path: Path) -> None:
    """Table 1 comes back by itself, 2 from a file, 3 from a stick, 4 and 5 are typed; 8 go to the final."""
    elsewhere = tmp_path / "table 2"
    setups = {at: json.loads(run("setup", f"1.{at}")) for at in (1, 2, 3)}
    assert all((said["sky"], said["surface"], said["laps"]) == ("rain", "wet", 1) for said in setups.values())
    logs = {
        1: play(setups[1], run.folder, 1), 2: play(setups[2], elsewhere, 2), 3: play(setups[3], tmp_path / "stick", 3)
    }  # fmt: skip
    assert "1.1" in run("collect")
    exported = tmp_path / "table 2.json"
    line = ["--data", str(elsewhere), "races", "export", "--json", "--out", str(exported), logs[2]]
    assert CliRunner().invoke(companion, line).exit_code == 0
    run("result", "1.2", "--file", str(exported), by="Ada")
    assert "1.3" in run("collect", "--stick", str(tmp_path / "stick"))
    for at in (4, 5):
        run("result", f"1.{at}", "--paper", " ".join(map(str, order(run, f"1.{at}"))), by="Ada")
    for at in range(1, 6):
        run("confirm", f"1.{at}", by="Eve")
    assert "chained" in run("verify")
    rows = run.rows("classification", "1.1")
    assert sorted(int(str(row["number"])) for row in rows) == sorted(order(run, "1.1"))
    placed = [row for row in rows if row["place"] != "out"]
    assert [row["points"] for row in placed] == list(POINTS[: len(placed)])
    assert [row["points"] for row in rows if row["place"] == "out"] == [0] * (8 - len(placed))
    assert sorted(row["grid"] for row in rows) == list(range(1, 9))

    run("seed", "--tables", "1", "--from", "standings", "--first", "8", "--final")
    trial = {row["number"]: int(str(row["rank"])) for row in run.rows("trials")}
    ahead = sorted(run.rows("standings"), key=lambda row: (int(str(row["place"])), trial[row["number"]]))
    best = [int(str(row["number"])) for row in ahead[:8]]
    run("publish", "--why", "the best eight")
    assert order(run, "2.1") == best
    four = " ".join(str(number) for number in reversed(order(run, "1.4")))
    said = run("correct", "1.4", "--paper", four, "--show")
    assert "In the standings" in said, "also while nobody has said why"
    assert "Round 2 was assigned from the standings as they were: assign it again, or say why it stays." in said
    turned = list(reversed(best))
    run("result", "2.1", "--paper", " ".join(map(str, turned)), by="Ada")
    run("confirm", "2.1", by="Eve")
    assert [row["number"] for row in run.rows("standings")][:8] == turned
    said = run("correct", "2.1", "--paper", " ".join(map(str, best)), "--why", "read upside down", by="Eve")
    assert f"{best[0]} Driver {best[0]}: 8 becomes 1." in said
    assert f"In the standings {best[0]} Driver {best[0]}: place 8 becomes 1." in said
    assert [row["number"] for row in run.rows("standings")][:8] == best
    assert "read upside down" in run("classification", "2.1")
    given = f"{best[0]}=3 {' '.join(map(str, best[1:]))}"
    assert f"{best[0]} Driver {best[0]}: 0 points become 3." in run("correct", "2.1", "--paper", given, "--why", "x")
    assert f"{best[0]} Driver {best[0]}: 3 by hand, by race control." in run("classification", "2.1")
    refused(lambda: run("undo"), "corrected, with a reason")


def test_what_is_refused_by_command(run: Commander, tmp_path: Path) -> None:
    """One sentence, in both languages, and nothing changed."""
    seats = order(run, "1.1")
    other = order(run, "1.2")[0]
    twice = tmp_path / "twice.csv"
    running = play(json.loads(run("setup", "1.2")), run.folder, 5, answers=40)
    before = run.rows("log")
    twice.write_text("41;Driver 3;\n42;Zoe;", "utf-8")
    paper = " ".join(map(str, seats))
    for words, match in (
        (("import", str(twice)), "There is a driver called Driver 3 already, number 3"),
        (("enter", "Zoe", "--number", "12"), "The number 12 is Driver 12's"),
        (("edit", "12", "--driver", " driver  3 "), "There is a driver called Driver 3 already, number 3"),
        (("time", "3", "17", "1:61.00"), "a minute has 60"),
        (("time", "3", "17", "1:01.00"), "has a time in session 1 already"),
        (("checkin", "Ada"), "such as 14 7 3; Ada is not one"),
        (("seed", "--sizes", "20,19,1"), "has 2 at least"),
        (("seed", "--tables", "40"), "has 2 at least"),
        (("seed", "--tables", "3", "--first", "33"), "Monaco has 10 grid slots; 11 cars are too many"),
        (("result", "1.1", "--paper", paper.replace(str(seats[0]), str(other), 1)), "did not race here"),
        (("result", "1.1", "--paper", f"{paper} {seats[0]}"), "stands twice"),
        (("result", "1.1", "--paper", "first second"), "no number of a driver"),
        (("result", "1.2", "--race", running), "is still running"),
        (("result", "1.2", "--file", str(twice)), "holds no race"),
        (("result", "1.2", "--race", "nothing"), "There is no race nothing"),
        (("confirm", "1.1"), "no result of 1.1 yet"),
        (("classification", "1.9"), "no result of 1.9 yet"),
        (("table", "9.9"), "There is no table 9.9"),
        (("form", "21"), "has 2 to 20 rows"),
        (("trialsheet", "x"), "There is no list trialsheet x"),
        (("driver", "77"), "Nobody has the number 77"),
        (("weather", "21", "--session", "1"), "black die"),
        (("swap", "1", "2"), "needs a reason"),
        (("seat", "1", "1.1", "--why", "late"), "sits at table 1.5 already"),
    ):
        refused(lambda words=words: run(*words), match)  # type: ignore[misc]
    assert run.rows("log") == before
    refused(lambda: Commander(run.folder, "season")("standings"), "There is no season")
    refused(lambda: run("new", "X", "--track", "nowhere"), "nowhere")
    refused(lambda: run("new", "X", "--rulebook", "chess"), "no rulebook called chess")


def test_a_list_of_entrants_is_read_as_spreadsheets_write_it(tmp_path: Path) -> None:
    run = Commander(tmp_path, "tournament")
    run("new", "Lists")
    listed = tmp_path / "list.csv"
    listed.write_bytes("number;name;team\r\n7;René;Orléans\r\n".encode("cp1252"))
    run("import", str(listed))
    typed = "9 Zoé, Orléans\n".encode("cp1252")
    given = CliRunner().invoke(companion, ["--data", str(tmp_path), "tournament", "import", "-"], input=typed)
    assert given.exit_code == 0
    assert [(row["driver"], row["team"]) for row in run.rows("entries")] == [("René", "Orléans"), ("Zoé", "Orléans")]
    before = run.rows("log")
    listed.write_bytes(b"PK\x03\x04\x14\x00\x06\x00 a spreadsheet itself")
    refused(lambda: run("import", str(listed)), "list.csv holds no text")
    refused(lambda: run("import", str(tmp_path)), "cannot be read: Is a directory")
    refused(lambda: run("import", str(tmp_path / "nobody.csv")), "nobody.csv cannot be read")
    assert run.rows("log") == before


@pytest.mark.parametrize(
    ("rulebook", "points"), [("formula-d", (10, 8, 6, 5, 4, 3, 2, 1)), ("competition", (10, 6, 4, 3, 2, 1))]
)
def test_a_new_tournament_takes_the_points_of_its_rulebook(
    tmp_path: Path, rulebook: str, points: tuple[int, ...]
) -> None:
    for kind, calendar in (("tournament", []), ("season", ["monaco"])):
        Commander(tmp_path, kind)("new", "Evening", *calendar, "--rulebook", rulebook)
        begun = kept_record(tmp_path, "last", kind).record.begun
        assert begun.points == points


@pytest.mark.parametrize(("how", "points"), [("now", [10, 8, 6]), ("half", [5, 4, 3]), ("none", [0, 0, 0])])
def test_a_race_that_was_ended_brings_the_share_of_points_that_was_said(
    run: Commander, how: str, points: list[int]
) -> None:
    setup = json.loads(run("setup", "1.1"))
    log = play(setup, run.folder, 1, answers=150)
    with RaceDesk.resume(run.folder, log) as desk:
        desk.override({"cut_short": how}, by="Eve", why="the hall closes")
    run("collect")
    run("confirm", "1.1", by="Eve")
    rows = run.rows("classification", "1.1")
    assert [row["points"] for row in rows][:3] == points
    best = max(int(str(row["points"])) for row in run.rows("standings"))
    assert best == points[0]
    turned = [str(row["number"]) for row in (rows[1], rows[0], *rows[2:])]
    run("correct", "1.1", "--paper", " ".join(turned), "--why", "read upside down", by="Eve")
    rows = run.rows("classification", "1.1")
    assert [str(row["number"]) for row in rows] == turned
    assert [row["points"] for row in rows][:3] == points


def test_a_result_that_is_there_and_a_log_that_was_changed(run: Commander, tmp_path: Path) -> None:
    log = play(json.loads(run("setup", "1.1")), run.folder, 7)
    exported = tmp_path / "race.json"
    assert CliRunner().invoke(
        companion, ["--data", str(run.folder), "races", "export", "--json", "--out", str(exported), log]
    ).exit_code == 0  # fmt: skip
    said = json.loads(exported.read_text("utf-8"))
    said["log"][5]["actor"] = "Mallory"
    changed = tmp_path / "changed.json"
    changed.write_text(json.dumps(said), "utf-8")
    refused(lambda: run("result", "1.1", "--file", str(changed)), "not as it was written")
    run("result", "1.1", "--race", log, by="Ada")
    refused(lambda: run("confirm", "1.1", by="ada"), "a second person confirms")
    refused(lambda: run("result", "1.1", "--file", str(exported)), "is there already")
    paper = " ".join(str(row["number"]) for row in reversed(run.rows("classification", "1.1")))
    refused(lambda: run("result", "1.1", "--paper", paper), "with another content")
    assert "No result" in run("collect")


@pytest.mark.parametrize(
    ("lang", "told"), [("en", "Table 1.1 has started its race"), ("fr", "La table 1.1 a commencé sa course")]
)
def test_all_tables_of_a_round_race_under_the_weather_of_the_first_one_started(
    run: Commander, lang: str, told: str
) -> None:
    """Nor does the last session leave another surface under a changeable sky."""
    chart = circuits.board("monaco").weather
    face = {sky: str(next(n for n in range(1, 21) if chart.sky(n) == sky)) for sky in ("sun", "changeable", "rain")}
    run("weather", face["changeable"], "--round", "1", "--why", "misread")
    run("weather", face["sun"], "--session", "2", "--why", "misread")
    run("start", "1.1")
    before = run("setup", "1.2")
    run.lang = lang
    for other in (("--round", "1"), ("--session", "2")):
        with pytest.raises(CompanionError) as wrong:
            run("weather", face["rain"], *other, "--why", "misread")
        assert told in Words(lang).error(wrong.value)
    run("weather", face["rain"], "--session", "1", "--why", "misread")  # the last session tells the surface
    run("weather", face["rain"], "--round", "2")
    run("weather", face["changeable"], "--round", "1", "--why", "another face of the same sky")
    assert run("setup", "1.2") == before
    with reading(run.folder) as db:
        (begun,) = race_ids(db)
    delete(run.folder, begun)
    with pytest.raises(CompanionError):  # it may be restored
        run("weather", face["rain"], "--round", "1", "--why", "misread")


def test_a_printed_sheet_is_told_true_from_changed(run: Commander, tmp_path: Path) -> None:
    from companion.view.events.listings import Listings, sheet_code
    from companion.wording import Words

    kept = kept_record(run.folder, "last", "tournament")
    listing = Listings(kept.record, Words("fr")).make("table", "1.3")  # type: ignore[arg-type]
    listing = listing._replace(log_id=kept.listed.log_id, entries=kept.entries, digest=kept.digest)
    true = sheet_code(listing, "fr")
    rows = (listing.rows[1], listing.rows[0], *listing.rows[2:])
    forged = sheet_code(listing._replace(rows=rows), "fr")
    run("note", "late")
    verify = ["--data", str(run.folder), "--lang", "en", "races", "verify", "--sheet"]
    told = CliRunner().invoke(companion, [*verify, true])
    assert (told.exit_code, told.output[:6]) == (0, "Valid:")
    assert "gone on by 1 entry" in told.output
    told = CliRunner().invoke(companion, [*verify, forged])
    assert told.exit_code == 1
    assert "Changed" in told.output
    assert listing.texts[0][2] in told.output  # and what it should say
    assert CliRunner().invoke(companion, [*verify, "nonsense"]).exception is not None


@pytest.mark.parametrize("lang", ["en", "fr"])
@pytest.mark.parametrize("paper", ["A4", "letter"])
def test_tables_on_paper(run: Commander, lang: str, paper: str, tmp_path: Path) -> None:
    """Every table as PDF in both languages and sizes: its words stand there, and its code reads as it should."""
    import io

    from pypdf import PdfReader

    run.lang = lang
    for words in (["entries"], ["trials"], ["tables"], ["table", "1.1"], ["standings"], ["teams"], ["log"],
                  ["trialsheet", "2"], ["form", "12"]):  # fmt: skip
        out = tmp_path / "sheet.pdf"
        run(*words, "--form", "pdf", "--paper", paper, "--out", str(out))
        pages = PdfReader(io.BytesIO(out.read_bytes())).pages
        wide = float(pages[0].mediabox.width)
        assert round(wide) == (595 if paper == "A4" else 612)
        text = "\n".join(page.extract_text() for page in pages)
        assert "Rhône Masters" in text
        if words == ["entries"]:
            assert "Driver 40" in text
            assert ("driver" if lang == "en" else "pilote") in text
    html = run("standings", "--form", "html")
    assert "<td>Driver 40</td>" in html
    assert run("standings", "--form", "csv").splitlines()[0] == "place,number,driver,team,r1,points"


def test_who_comes_late_is_seated_where_the_grid_has_a_slot(tmp_path: Path) -> None:
    run = Commander(tmp_path, "tournament")
    run("new", "Late", "--track", "monaco", "--sessions", "0")
    for number in range(1, 12):
        run("enter", f"D{number}", "--number", str(number))
    run("checkin", *map(str, range(1, 10)))
    run("seed", "--tables", "1", "--from", "number")
    run("publish")
    run("checkin", "10", "11")
    run("seat", "11", "1.1", "--why", "his train was late")
    assert order(run, "1.1") == [*range(1, 10), 11]
    assert [row["about"] for row in run.rows("log") if row["act"] == "came late"] == ["1.1 · 11 D11"]
    refused(lambda: run("seat", "10", "1.1", "--why", "his too"), "Monaco has 10 grid slots")


@pytest.mark.parametrize(("lang", "line", "free"), [("en", "Line", "every entrant needs"), ("fr", "Ligne", "chaque")])
def test_a_list_of_entrants_is_entered_whole_or_its_bad_lines_are_told(
    tmp_path: Path, lang: str, line: str, free: str
) -> None:
    """Names in quotes, home circuits in the fourth column; nobody of a list with a bad line is entered."""
    run, file = Commander(tmp_path, "season", lang), tmp_path / "drivers.csv"
    run("new", "League", "monaco", "spa", "--rulebook", "league")
    file.write_text('7 "Smith, John", Lyon, monaco/spa\n7, Ada, Lyon\n,,Lyon\nx, Ben\nBen\nBEN\n', encoding="utf-8")
    command = ["--data", str(tmp_path), "--lang", lang, "season", "import", str(file)]
    done = CliRunner().invoke(companion, command)
    told = done.output.splitlines()
    assert (done.exit_code, len(told)) == (1, 2)
    assert told[0].startswith(f"{line} 2")
    assert free in told[0]
    assert "3" in told[1]
    assert Words(lang).error(cast(CompanionError, done.exception)).startswith(f"{line} 6")
    file.write_text("7, Ada, Lyon\n8, Ben, Lyon, Nowhere\n", encoding="utf-8")
    done = CliRunner().invoke(companion, command)
    assert "Ben" in Words(lang).error(cast(CompanionError, done.exception))
    assert run.rows("entries") == []
    file.write_text('7 "Smith, John", Lyon, monaco/spa\n8, Ada, Lyon\n', encoding="utf-8")
    run("import", str(file))
    assert [(row["number"], row["driver"], row["team"]) for row in run.rows("entries")] == [
        (7, "Smith, John", "Lyon"), (8, "Ada", "Lyon"),
    ]  # fmt: skip
    assert run.rows("entries")[0]["home"] == "Monaco, Spa-Francorchamps"


ACTS: dict[str, list[tuple[str, str]]] = {
    "en": [
        ("import drivers.csv", "Entry 2: 2 entrants are entered."),
        ("checkin all", "Entry 3: 2 drivers are checked in."),
        ("checkin 2 --not", "Entry 4: 2 Bob is checked out again."),
        ("checkin 2", "Entry 5: 2 Bob is checked in."),
        ("weather 9 --round 1", "Entry 6: the weather of round 1 is drawn: changeable."),
        ("weather 20 --session 1", "Entry 7: the weather of session 1 is drawn: sun."),
        ("seed --tables 1", "Entry 8: 1 table is dealt for round 1."),
        ("publish", "Entry 9: the tables of round 1 are published."),
        ("result 1.1 --paper 2,1", "Entry 10: the result of table 1.1 is entered."),
        ("confirm 1.1", "Entry 11: the result of table 1.1 is official."),
    ],
    "fr": [
        ("import drivers.csv", "Entrée 2 : 2 pilotes sont inscrits."),
        ("checkin all", "Entrée 3 : 2 pilotes sont présents."),
        ("checkin 2 --not", "Entrée 4 : 2 Bob est de nouveau absent."),
        ("weather 9 --round 1", "Entrée 5 : la météo de la manche 1 est tirée : variable."),
    ],
}
"""Commands and the sentences that say what each has done."""


@pytest.mark.parametrize("lang", ACTS)
def test_a_command_says_in_a_sentence_what_it_has_done(tmp_path: Path, lang: str) -> None:
    (tmp_path / "drivers.csv").write_text("1,Ada\n2,Bob\n", "utf-8")
    run = Commander(tmp_path, "tournament", lang)
    run("new", "Cup")
    for at, (typed, said) in enumerate(ACTS[lang]):
        words = typed.replace("drivers.csv", str(tmp_path / "drivers.csv")).split()
        assert run(*words, by=f"Judge {at}").splitlines()[0].replace("\u00a0", " ") == said
