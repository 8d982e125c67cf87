"""`companion tracks`: circuits at the terminal."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from companion import circuits
from companion.commands.tracks import tracks
from companion.drivers.cards import HeuristicCardDriver
from companion.drivers.sensible import HeuristicDriver
from companion.rules.circuit.track import Track
from companion.rules.conversation.conversation import Conversation
from companion.rules.conversation.errors import BadTrack
from companion.rules.rulebooks import RULEBOOKS, begin
from companion.wording import LANGUAGES, Words

MONACO = Path(__file__).parent.parent / "tracks" / "monaco.toml"

# A ring of two lanes: straights of two spaces and two corners, without pits.
DAT = """ring.png 1
0 0 0 1
1 10 0 1
2 20 0 3
3 25 10 3
4 20 20 1
5 10 20 1
6 0 20 3
7 -5 10 3
10 5 -10 1 {f}
11 15 -10 1
12 30 -10 3
13 40 10 3
14 25 30 1
15 15 30 1
16 -5 30 3
17 -20 10 3

0 1
1 2
2 3
3 4
4 5
5 6
6 7
7 0
10 11
11 12
12 13
13 14
14 15
15 16
16 17
17 10
{more}

"""


def run(*words: str | Path, locale: str = "C.UTF-8", columns: str = "80") -> Result:
    environment = {"LC_ALL": locale, "COLUMNS": columns, "TERM": "dumb"}
    return CliRunner().invoke(tracks, [str(word) for word in words], env=environment)


def test_list_says_of_every_circuit_how_well_it_is_known() -> None:
    shown = run("list")
    assert shown.exit_code == 0
    lines = shown.stdout.splitlines()
    assert max(map(len, lines)) <= 80
    assert lines[0].split() == ["circuit", "name", "known", "laps", "corners", "stops", "lap", "trust"]
    assert lines.pop() == "Laps are the championship’s; companion tracks show NAME has every rulebook’s."
    told = " ".join(run("show", "monaco").stdout.split())  # what that line promises
    assert "laps beginner 1, formula-d 2, competition 3, cup 3" in told
    rows = {line.split()[0]: line for line in lines[1:] if not line.startswith(" ")}
    assert set(rows) == {*circuits.keys(), *circuits.section_keys()}
    assert rows["monaco"].split() == ["monaco", "Monaco", "space", "3", "10", "14", "158", "high"]
    assert rows["suzuka"].split() == ["suzuka", "Suzuka", "corner", "3", "6", "10", "143", "medium", "to", "low"]


def test_the_list_speaks_french_of_every_circuit() -> None:
    """A circuit a line, and how far its figures are to be trusted in words that are the reader's."""
    lines = run("--lang", "fr", "list").stdout.splitlines()
    assert lines.pop().startswith("Tours du championnat\xa0; ")
    assert len(lines) == 1 + len([*circuits.keys(), *circuits.section_keys()]) + sum(line[0] == " " for line in lines)
    trusted = {line.split()[0]: line.split("  ")[-1] for line in lines[1:] if line[0] != " "}
    assert not {"medium", "high", "low"} & set(" ".join(lines).split())
    assert lines[0].split()[-1] == "fiabilité"
    assert trusted["suzuka"].endswith("plutôt faible")


@pytest.mark.parametrize(
    ("lang", "austin"),
    [
        ("en", "Austin, corner, laps 3, corners 10, stops 15, lap 145, medium to low"),
        ("fr", "Austin, virage, tours 3, virages 10, arrêts 15, tour 145, plutôt faible"),
    ],
)
def test_at_40_columns_the_list_breaks_no_word(lang: str, austin: str) -> None:
    shown = run("--lang", lang, "list", columns="40").output
    assert " ".join(shown.split()).startswith(f"austin {austin} barcelona ")
    assert all(len(line) <= 40 for line in shown.splitlines())


def test_list_goes_on_past_a_broken_circuit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "broken.toml").write_text("name = ")
    (tmp_path / "monaco.toml").write_text(MONACO.read_text(encoding="utf-8"), encoding="utf-8")
    monkeypatch.setattr(circuits, "folder", lambda: tmp_path)
    shown = run("list")
    assert shown.exit_code == 1
    assert "Monaco" in shown.stdout
    assert "broken" not in shown.stdout
    assert "broken.toml" in shown.stderr
    assert "not TOML" in shown.stderr


@pytest.mark.parametrize("name", ["monaco", "Monaco", str(MONACO)])
def test_check_of_a_sound_circuit(name: str) -> None:
    shown = run("check", name)
    assert (shown.exit_code, shown.stderr) == (0, "")
    assert shown.stdout == f"{name}: Monaco, known to the space, 497 spaces, 10 corners, 14 stops.\n"


def test_check_tells_every_complaint_on_a_line_of_its_own(tmp_path: Path) -> None:
    text = MONACO.read_text(encoding="utf-8")
    broken = tmp_path / "mine"
    broken.write_text(text.replace("longest  = 18", "longest  = 17").replace("shortest = 3\n", "shortest = 2\n", 1))
    shown = run("check", broken)
    assert (shown.exit_code, shown.stdout.count("\n")) == (0, 1)
    assert shown.stdout.endswith(" 10 corners, 14 stops.\n")
    head, *lines = shown.stderr.splitlines()
    assert head == "Compare this with your board, which may be printed so:"
    assert len(lines) == 2
    assert "Sainte-Dévote" in lines[0]
    assert "Loews" in lines[1]
    assert all(line.startswith(str(broken)) and line.endswith(".") for line in lines)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_check_has_two_levels(tmp_path: Path, lang: str) -> None:
    """What cannot be raced is told first and ends with 1; what the board may have so is told after it, and alone ends
    with 0."""
    text = MONACO.read_text(encoding="utf-8")
    grid = text.replace('"20:left:16", "20:right:16"', '"19:left:6", "20:right:16"')
    assert grid != text
    mine = tmp_path / "mine.toml"
    mine.write_text(grid, encoding="utf-8")
    shown = run("--lang", lang, "check", mine)
    told = Words(lang).say("check_compare")
    assert (shown.exit_code, shown.stderr.splitlines()[0]) == (0, told)
    assert "19:" in shown.stderr or "section 19" in shown.stderr
    assert circuits.load(str(mine)).name == "Monaco"
    mine.write_text(grid.replace('"20:right:16"', '"0:right:2"'), encoding="utf-8")
    shown = run("--lang", lang, "check", mine)
    lines = shown.stderr.splitlines()
    assert (shown.exit_code, shown.stdout, lines[0]) == (1, "", Words(lang).say("check_barred"))
    assert 1 < lines.index(told) < len(lines) - 1
    stuck = text.replace('right    = "^ ^ ^"', 'right    = "^ ^ x"', 1).replace('"> > ^ > >"', '"> > ^ ^ >next"', 1)
    assert stuck != text
    mine.write_text(stuck, encoding="utf-8")
    shown = run("--lang", lang, "check", mine)
    assert shown.exit_code == 1
    with pytest.raises(BadTrack) as why:
        circuits.load(str(mine))
    assert Words(lang).error(why.value).partition(" (")[0] in " ".join(shown.stderr.split())


def test_list_and_show_know_the_tables_own_boards(tmp_path: Path) -> None:
    """Those in the folder boards beside the races: with them, after the others, and by name."""
    boards = tmp_path / "boards"
    boards.mkdir()
    text = MONACO.read_text(encoding="utf-8").replace('name    = "Monaco"', 'name    = "Our Street"')
    (boards / "ours.toml").write_text(text, encoding="utf-8")
    (boards / "broken.toml").write_text("name = ", encoding="utf-8")
    run("template", boards / "cards.toml")
    shown = run("--data", tmp_path, "list")
    rows = [line.split() for line in shown.stdout.splitlines()[:-1] if not line.startswith(" ")]
    assert [row[0] for row in rows[-2:]] == ["cards", "ours"]
    assert rows[-1][1:4] == ["Our", "Street", "space"]
    assert (shown.exit_code, shown.stderr.count("broken.toml")) == (1, 1)
    for name in ("ours", "Our street"):
        assert run("--data", tmp_path, "show", name).stdout.startswith("Our Street, Monaco: known to the space")
        assert run("--data", tmp_path, "check", name).exit_code == 0
    assert run("--data", tmp_path, "show", "broken").exit_code == 1
    assert run("show", "ours").exit_code == 1


def test_check_of_a_file_in_this_folder_that_is_named_like_a_circuit(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "monaco").write_text('name = "not Monaco"\n')
    monkeypatch.chdir(tmp_path)
    shown = run("check", "monaco")
    assert shown.exit_code == 1
    assert "country is missing" in shown.stderr


@pytest.mark.parametrize("command", ["check", "show"])
@pytest.mark.parametrize("name", ["nowhere", "no/such.toml"])
def test_what_there_is_not_is_one_sentence(command: str, name: str) -> None:
    shown = run(command, name)
    assert (shown.exit_code, shown.stdout) == (1, "")
    assert shown.stderr.count("\n") == 1
    assert name in shown.stderr


def test_show_draws_the_board_and_prints_sections_and_paths() -> None:
    shown = run("show", "monaco")
    assert shown.exit_code == 0
    assert max(map(len, shown.stdout.splitlines())) <= 80
    words = " ".join(shown.stdout.split())
    assert words.startswith("Monaco, Monaco: known to the space, 497 spaces, 10 corners, 14 stops")
    assert "weather rain 1-7, changeable 8-12, sun 13-20" in words
    assert "shortest lap 158 spaces lap length 166 spaces (332 half spaces)" in words
    assert "pits 18 spaces, 10 boxes" in words
    assert "| first past the line" in words
    assert "9 Loews 3 8 18 12 12 12" in words
    assert "10 straight 28 28 28" in words
    assert words.endswith("20 straight 17 17 18 14 168 166 163")


def test_show_of_a_corner_sheet_has_its_corners_and_its_trust() -> None:
    words = " ".join(run("show", "spa").stdout.split())
    assert words.startswith("Spa-Francorchamps, Belgium: known to the corner, 8 corners, 12 stops")
    assert "your printed board is right where it differs" in words
    assert "shortest lap 173 spaces" in words
    assert "pits 10 boxes" in words
    assert words.endswith("7 Corner 7 1 6 12 8 Corner 8 2 6 12")


def test_show_of_zones_and_a_wall() -> None:
    oval, street = (" ".join(run("show", name).stdout.split()) for name in ("copper-basin", "porto-sereno"))
    assert "wall right" in oval
    assert "DRS Sea Front, " in street
    assert street.count("DRS ") >= len(circuits.load("porto-sereno").zones) == 2


def without_zones(text: str) -> str:
    return re.sub(r"(?ms)^\[\[drs\]\].*?\n\n", "", text)


@pytest.mark.parametrize(("lang", "proposed"), [("en", "proposed"), ("fr", "proposé")])
def test_show_says_that_a_zone_is_a_proposal(lang: str, proposed: str) -> None:
    words = [line for line in run("--lang", lang, "show", "monaco").stdout.splitlines() if line.startswith("DRS ")]
    assert len(words) == 2
    assert all(line.rstrip().endswith(f", {proposed}") for line in words)
    ours = run("--lang", lang, "show", "porto-sereno").stdout
    assert proposed not in ours


def test_check_demands_two_drs_zones_of_a_circuit_of_the_cup(tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    bare = without_zones(MONACO.read_text(encoding="utf-8"))
    file.write_text(bare, encoding="utf-8")
    assert "this one has 0; add [[drs]], with sections = [10], [20, 0] for instance" in run("check", file).output
    assert "celui-ci 0\u00a0; ajoutez [[drs]]" in run("--lang", "fr", "check", file).output
    one = bare.replace("[[section]]  # 0", '[[drs]]\nname = "Hill"\nsections = [2]\n\n[[section]]  # 0')
    file.write_text(one, encoding="utf-8")
    assert "this one has 1; add [[drs]], with sections = [10] for instance" in run("check", file).output
    more = one.replace("[[section]]  # 0", '[[drs]]\nname = "B"\nsections = [10]\n\n[[section]]  # 0')
    file.write_text(more, encoding="utf-8")
    assert run("check", file).exit_code == 0
    more = more.replace("[[section]]  # 0", '[[drs]]\nname = "C"\nsections = [0]\n\n[[section]]  # 0')
    file.write_text(more, encoding="utf-8")
    assert "this one has 3; take the others out, or the cup out of laps." in run("check", file).output
    file.write_text(bare.replace(" cup = 3,", ""), encoding="utf-8")
    assert run("check", file).exit_code == 0


def test_brackets_in_a_circuit_are_words_like_others(tmp_path: Path) -> None:
    text = MONACO.read_text(encoding="utf-8").replace('name    = "Monaco"', 'name    = "Monaco [1996]"')
    file = tmp_path / "brackets.toml"
    file.write_text(text.replace('"Loews"', '"[/b] Loews"').replace('country = "Monaco"', 'country = "[red]"'))
    done = run("show", str(file))
    assert done.exit_code == 0
    words = " ".join(done.stdout.split())
    assert words.startswith("Monaco [1996], [red]: known to the space")
    assert "9 [/b] Loews 3 8 18" in words


def test_french_by_option_and_by_locale() -> None:
    french = run("--lang", "fr", "show", "spa")
    assert french.output == run("show", "spa", locale="fr_FR.UTF-8").output
    assert "connu au virage, 8 virages, 12 arrêts" in french.output
    assert run("list", locale="fr_FR.UTF-8").output.splitlines()[0].split()[:3] == ["circuit", "nom", "connu"]
    monaco = " ".join(run("--lang", "fr", "show", "monaco").output.split())
    assert monaco.startswith("Monaco, Monaco : connu à la case, 497 cases, 10 virages, 14 arrêts")
    assert "longueur du tour 166 cases (332 demi-cases)" in monaco
    assert "plus court plus long gauche milieu droite" in monaco


def test_complaints_and_what_an_import_lost_are_told_in_french(tmp_path: Path) -> None:
    broken, board = tmp_path / "broken.toml", tmp_path / "ring.dat"
    broken.write_text(MONACO.read_text(encoding="utf-8").replace("stops    = 1", "stops    = 9", 1), encoding="utf-8")
    told = run("--lang", "fr", "check", broken).stderr
    assert told.partition("\n")[2] == (
        f"{broken}, section 1 (Sainte-Dévote)\u00a0: stops est 9\u00a0; il faut un nombre entier de 1 à 3.\n"
    )
    nowhere = run("--lang", "fr", "show", "monako").stderr
    assert nowhere.startswith("Il n’y a pas de circuit monako")
    board.write_text(ring())
    assert "Il n’y a pas de grille dans le fichier" in run("--lang", "fr", "import", board).stderr
    again = run("--lang", "fr", "import", board, "--out", broken).stderr
    assert again == f"{broken} existe déjà\u00a0; donnez le nom d’un fichier nouveau.\n"


def ring(more: str = "", mark: str = "F") -> str:
    return DAT.replace("{f}", mark).replace("{more}", more).replace("0 0 0 1\n", f"0 0 0 1 {mark}\n", 1)


def test_import_prints_the_circuit_and_tells_what_was_lost(tmp_path: Path) -> None:
    board = tmp_path / "ring.dat"
    board.write_text(ring("0 11\n1 12").replace("\n\n0 1\n", "\n99 300 300 1\n\n0 1\n"))
    shown = run("import", board)
    assert shown.exit_code == 0
    assert 'name    = "Ring"' in shown.stdout
    assert "Left out, since no move leads to or from them: nodes 99." in shown.stderr
    assert "no grid in the file" in shown.stderr
    assert all(f"# Note: {line}" in shown.stdout for line in shown.stderr.splitlines())
    circuit = tmp_path / "ring.toml"
    circuit.write_text(shown.stdout, encoding="utf-8")
    assert circuits.load(str(circuit)).lanes == ("left", "right")


def test_import_prints_utf_8_whatever_the_locale(tmp_path: Path) -> None:
    board = tmp_path / "Dévoluy.dat"
    board.write_text(ring())
    command = [sys.executable, "-m", "companion.commands.main", "tracks", "import", str(board)]
    made = subprocess.run(command, capture_output=True, check=True, env={**os.environ, "PYTHONIOENCODING": "latin-1"})
    assert 'name    = "Dévoluy"' in made.stdout.decode("utf-8")


def test_import_writes_a_file_that_is_new_and_no_other(tmp_path: Path) -> None:
    board, circuit = tmp_path / "ring.dat", tmp_path / "ring.toml"
    board.write_text(ring())
    shown = run("import", board, "--out", circuit)
    assert shown.exit_code == 0
    assert shown.stdout.startswith(f"{circuit}: written;")
    assert circuits.load(str(circuit)).name == "Ring"
    before = circuit.read_text(encoding="utf-8")
    again = run("import", board, "--out", circuit)
    assert again.exit_code == 1
    assert again.stderr == f"{circuit} is there already; name a file that is not.\n"
    assert circuit.read_text(encoding="utf-8") == before
    nowhere = run("import", board, "--out", tmp_path / "none" / "ring.toml")
    assert nowhere.exit_code == 1
    assert "cannot be written" in nowhere.stderr


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize(("kind", "known"), [("spaces", "space"), ("corners", "corner"), ("sections", "sections")])
def test_a_template_of_each_kind_has_a_word_at_each_line_and_is_raced(
    tmp_path: Path, kind: str, known: str, lang: str
) -> None:
    out = tmp_path / "ours.toml"
    assert run("--lang", lang, "template", out, "--kind", kind).exit_code == 0
    shown = run("--lang", lang, "check", out)
    assert (shown.exit_code, shown.stderr) == (0, "")
    track = circuits.board(str(out))
    assert track.known == known
    text = out.read_text(encoding="utf-8")
    first = text[text.index("\nname ") :].split("[[")[0].splitlines()
    if kind == "spaces":
        first = text[text.index("\nname ") :].splitlines()
    words = [line for line in first if "=" in line.partition("#")[0] or line.startswith("[")]
    assert words
    assert all("#" in line for line in words), [line for line in words if "#" not in line]
    assert not {key for key in (*circuits.keys(), *circuits.section_keys()) if "template" in key}
    book = "ninety" if kind == "sections" else "competition"
    setup = {"rulebook": book, "cars": [{"car": 1}, {"car": 2}], "laps": 2}
    talk = Conversation(begin(setup, track))
    driver = (HeuristicCardDriver if kind == "sections" else HeuristicDriver)(track, 3)  # type: ignore[arg-type]
    while (asked := talk.asked) is not None and talk.n < 3000:
        talk.answer(driver.answer(asked, talk.rulebook.race))  # type: ignore[attr-defined]
    assert talk.asked is None
    if kind == "spaces":
        assert isinstance(track, Track)
        assert track.pit is not None
        assert {section.corner is None for section in track.sections} == {True, False}


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_rulebook_that_laps_leave_out_is_driven_over_its_usual_number(tmp_path: Path, lang: str) -> None:
    out = tmp_path / "ours.toml"
    run("--lang", lang, "template", out, "--kind", "spaces")
    text = out.read_text(encoding="utf-8")
    laps = next(line for line in text.splitlines() if line.startswith("laps "))
    assert ("has its usual number" if lang == "en" else "garde son nombre habituel") in laps
    head, *parts = text.replace(laps, "laps = { competition = 1 }").split("[[")
    out.write_text("[[".join([head, *(part for part in parts if not part.startswith("drs"))]), encoding="utf-8")
    assert (run("check", out).exit_code, run("check", out).stderr) == (0, "")
    track = circuits.load(str(out))
    for name in ("beginner", "formula-d", "competition", "cup", "league", "death"):
        race = begin({"rulebook": name, "cars": [{"car": 1}, {"car": 2}]}, track)
        assert race.race.laps == (1 if name == "competition" else RULEBOOKS[name].laps), name
        asked = Conversation(race).asked
        assert asked is not None
        assert (asked.ask == "zone") == (name == "cup")


def test_a_template_is_written_checked_and_raced_on(tmp_path: Path) -> None:
    out = tmp_path / "ours.toml"
    done = run("template", str(out))
    assert done.exit_code == 0
    assert done.output == f"{out}: type your board into it, then: companion tracks check {out}\n"
    assert "Template, in 4 sections, 1 corner." in run("check", str(out)).output
    assert circuits.board(str(out)).known == "sections"
    again = run("template", str(out))
    assert (again.exit_code, again.output) == (1, f"{out} is there already; name a file that is not.\n")


def test_import_of_what_is_no_board_is_one_sentence(tmp_path: Path) -> None:
    board, circuit = tmp_path / "ring.dat", tmp_path / "ring.toml"
    board.write_text(ring(mark=""))
    for words in (("import", board), ("import", board, "--out", circuit), ("import", tmp_path / "none")):
        shown = run(*words)
        assert (shown.exit_code, shown.stdout) == (1, "")
        assert shown.stderr.count("\n") == 1
        assert shown.stderr.endswith(".\n")
    assert not circuit.exists()


def test_import_that_needs_a_hand_is_written_with_exit_status_1(tmp_path: Path) -> None:
    board, circuit = tmp_path / "ring.dat", tmp_path / "ring.toml"
    board.write_text(re.sub(r"(?m)^(\d+ -?\d+ -?\d+) 3$", r"\1 1", ring()))
    shown = run("import", board, "--out", circuit)
    assert shown.exit_code == 1
    assert circuit.exists()
    assert "To be put right by hand before it can be played" in shown.stderr


def test_nothing_heavy_is_imported_before_it_is_used() -> None:
    heavy = ("rich", "companion.rules.circuit.track")
    code = f"import sys, companion.commands.tracks; print([m for m in {heavy} if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"


def test_a_circuit_says_the_laps_of_every_rulebook_that_is_driven_on_it() -> None:
    shown = " ".join(run("show", "monaco").output.split())
    assert "beginner 1, formula-d 2, competition 3, cup 3, death 2, league 2" in shown
    assert "death" not in run("show", "monza").output


@pytest.mark.parametrize("lang", ["en", "fr"])
@pytest.mark.parametrize("columns", [72, 80, 100])
def test_the_list_breaks_names_at_blanks_and_hyphens_and_ends_no_line_in_blanks(lang: str, columns: int) -> None:
    lines = run("--lang", lang, "list", columns=str(columns)).stdout.splitlines()
    assert [line for line in lines if line != line.rstrip()] == []
    words = {word for line in lines for word in line.replace(",", " ").split()}
    assert "Spa-Francorchamps" in words or {"Spa-", "Francorchamps"} <= words
    assert {"Magny-Cours", "Melbourne"} <= words
    shown = run("show", "monaco", columns=str(columns)).stdout.splitlines()
    assert [line for line in shown if line != line.rstrip()] == []
