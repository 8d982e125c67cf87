"""The command itself: lazy, global options, one sentence for whatever goes wrong."""

from __future__ import annotations

import importlib
import os
import subprocess
import sys
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from companion.commands import main as cli
from companion.commands.main import COMMANDS, companion
from companion.desk.beginning import begin_race
from companion.options import spoken
from companion.sheets.stored_race import delete

RUN = [sys.executable, "-m", "companion.commands.main"]
RACE = ("--rulebook", "competition", "--track", "monaco", "--cars", "2")


def run(*arguments: str, **env: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*RUN, *arguments],
        input="",
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
        env={**os.environ, **env},
    )


def test_help_lists_every_command_without_importing_any() -> None:
    code = (
        "import sys; from companion.commands.main import companion\n"
        "try: companion(['--help'], prog_name='companion')\n"
        "except SystemExit: pass\n"
        "heavy = ('companion', 'rich', 'msgspec', 'sqlite3', 'kivy')\n"
        "print(sorted(m for m in sys.modules if m.split('.')[0] in heavy))"
    )
    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    help_, loaded = shown.splitlines()[:-1], shown.splitlines()[-1]
    listed = {name: line for name, (_, line) in COMMANDS.items() if name != "screenshots"}
    assert len(listed) <= 14
    for name, line in listed.items():
        assert any(row[12:].split(maxsplit=1) == [name, line] for row in help_), name
    assert len(help_) < 24
    assert max(map(len, help_)) <= 80
    light = ["", ".commands", ".commands.groups", ".commands.main", ".options"]
    light += [".rules", ".rules.conversation", ".rules.conversation.errors"]
    assert loaded == str([f"companion{module}" for module in light])


def test_a_suggested_command_has_the_folder_that_was_given(tmp_path: Path) -> None:
    folder = tmp_path / "our races"
    begins = f"companion --data '{folder}' race begins one."
    done = subprocess.run(
        [sys.executable, "-m", "companion", "races", "show", "last", "--data", str(folder), "--lang", "en"],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert (done.returncode, begins in done.stderr) == (1, True), done.stderr


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_is_there_and_helps(name: str) -> None:
    module, _, attribute = COMMANDS[name][0].partition(":")
    assert isinstance(getattr(importlib.import_module(module), attribute), click.Command)
    shown = CliRunner().invoke(companion, [name, "--help"])
    assert shown.exit_code == 0
    assert f"companion {name}" in shown.output


def test_help_is_read_in_a_window_of_40_columns() -> None:
    """Every text has half the window or more; JSON for programs stays as it is."""
    named = [
        ["races"],
        ["races", "export"],
        ["tournament", "new"],
        ["hall"],
        ["tracks"],
        ["races", "backup"],
    ]
    for words in ([], *named, *([name] for name in COMMANDS if name not in ("screenshots", "referee"))):
        lines = CliRunner(env={"COLUMNS": "40"}).invoke(companion, [*words, "--help"]).output.splitlines()
        texts = [line for line in lines if len(line.split()) > 1 and not line.startswith("  --")]
        assert max(map(len, texts)) <= 40, words
        assert not any(line.startswith(" " * 20) for line in texts), words
        assert not any("..." in line and "[" not in line for line in texts), words


@pytest.mark.parametrize("lang", ["en", "fr"])
@pytest.mark.parametrize("columns", [40, 80])
def test_lists_are_as_wide_as_the_window(tmp_path: Path, lang: str, columns: int) -> None:
    begin_race({"cars": [{"car": 1}]}, "monaco", tmp_path).close()
    here = ["--data", str(tmp_path), "--lang", lang]
    CliRunner().invoke(companion, [*here, "tournament", "new", "Coupe du Rhône"])
    for words in (["races", "list"], ["tournament", "list"], ["rules", "competition"]):
        lines = CliRunner(env={"COLUMNS": str(columns)}).invoke(companion, [*here, *words]).output.splitlines()
        assert lines
        assert max(map(len, lines)) <= columns, words


@pytest.mark.parametrize("lang", ["en", "fr"])
def test_settings_are_read_in_a_window_of_40_columns(tmp_path: Path, lang: str) -> None:
    words = ["--data", str(tmp_path), "--lang", lang, "config"]
    lines = CliRunner(env={"COLUMNS": "40"}).invoke(companion, words).output.splitlines()
    at = lines.index("  rotation  0")
    assert lines[at + 1].split("  ")[-1] == "0, 90, 180, 270"
    assert max(len(line) for line in lines if "/" not in line) <= 40, "but for paths"


def test_an_unknown_command_or_option_is_refused() -> None:
    for arguments in (["fly"], ["--fly"], ["demo", "--cars", "99"]):
        done = run(*arguments)
        assert done.returncode == 2
        assert "Traceback" not in done.stderr


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["vole"], "Erreur : La commande « vole » n’existe pas."),
        (["demo", "--vole"], "Erreur : L’option « --vole » n’existe pas."),
        (["demo", "--cars", "x"], "Erreur : '--cars' : un nombre entier est demandé, pas « x »."),
        (["demo", "--cars", "30"], "Erreur : '--cars' : 30 est hors de l’intervalle 1<=x<=20."),
        (["season", "new"], "Erreur : Il manque l’argument « NAME »."),
        (
            ["season", "new", "A", "b", "--grid", "z"],
            "Erreur : '--grid' : il faut une de ces valeurs : 'reverse', 'trials', 'random', 'hand' ; pas « z ».",
        ),
        (["rules", "import", "."], "Erreur : 'FILE' : « . » est un dossier, pas un fichier."),
        (["tracks", "show", "monaco", "spa"], "Erreur : De trop : spa."),
    ],
)
def test_misuse_is_told_in_french_too(arguments: list[str], told: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as left:
        cli.main(["--lang", "fr", *arguments])
    said = capsys.readouterr().err
    assert left.value.code == 2
    assert said.splitlines()[-1].replace("\u00a0", " ") == told
    assert ("Usage\u00a0: companion" in said) == (len(said.splitlines()) > 1)


@pytest.mark.parametrize(
    "arguments",
    [
        ["demo", "--track", "nowhere"],
        ["race", "--resume", "nothing"],
        ["race", "--track", "nowhere"],
        ["tracks", "show", "nowhere"],
        ["races", "show", "nothing"],
        ["races", "verify", "nothing"],
        ["races", "export", "nothing", "--json"],
        ["referee", "--resume", "nothing"],
    ],
)
def test_what_goes_wrong_is_one_sentence_and_status_one(arguments: list[str], tmp_path: Path) -> None:
    done = run("--data", str(tmp_path / "data"), *arguments)
    assert done.returncode == 1
    assert len(done.stderr.strip().splitlines()) == 1, done.stderr
    assert done.stdout == ""


def test_language_and_folder_are_said_once_for_all_commands(tmp_path: Path) -> None:
    done = run("--lang", "fr", "--data", str(tmp_path), "race", *RACE)
    assert "lancez le dé noir pour la météo" in done.stdout
    assert (tmp_path / "races.db").exists()
    again = run("--data", str(tmp_path), "--lang", "fr", "race", "--resume", "last", "--lang", "en")
    assert "roll the black die for the weather" in again.stdout


def test_global_options_are_taken_at_any_depth(tmp_path: Path) -> None:
    """Whatever was typed last counts; what follows -- is data."""
    new = ["tournament", "new", "Cup", "--track", "monaco"]
    said = [
        ["--data", str(tmp_path / "0"), "--lang", "fr", *new],
        ["tournament", f"--data={tmp_path / '1'}", "--lang=fr", *new[1:]],
        [*new[:2], "--lang", "fr", *new[2:], "--data", str(tmp_path / "2")],
        [
            "--lang",
            "en",
            "tournament",
            "--data",
            str(tmp_path),
            *new[1:],
            "--data",
            str(tmp_path / "3"),
            "--lang",
            "fr",
        ],
    ]
    for at, arguments in enumerate(said):
        done = CliRunner().invoke(companion, arguments)
        assert "commence" in done.output, (arguments, done.output)
        assert (tmp_path / str(at) / "races.db").exists()
    noted = CliRunner().invoke(companion, ["tournament", "note", "--data", str(tmp_path / "0"), "--", "--lang"])
    assert noted.exit_code == 0
    for wrong in (["races", "list", "--data"], ["--lang"], ["tracks", "list", "--lang", "de"]):
        refused = CliRunner().invoke(companion, wrong)
        assert refused.exit_code == 2, wrong
        assert wrong[-1] in refused.output


def every_command() -> list[list[str]]:
    """The words of every command, at every depth."""

    def below(command: click.Command, words: list[str]) -> list[list[str]]:
        if not isinstance(command, click.Group):
            return [words]
        return [words, *(one for name, sub in command.commands.items() for one in below(sub, [*words, name]))]

    ctx = click.Context(companion)
    found = {name: companion.get_command(ctx, name) for name in COMMANDS}
    return [words for name, command in found.items() if command is not None for words in below(command, [name])]


def test_every_command_takes_the_global_options_shows_them_and_completes_them() -> None:
    commands = every_command()
    assert len(commands) > 100
    for words in commands:
        shown = CliRunner().invoke(companion, [*words, "--data", "here", "--lang", "fr", "--help"])
        assert shown.exit_code == 0, words
        assert "--data" in shown.output, words
        assert "--lang" in shown.output, words
        typed = {
            "_COMPANION_COMPLETE": "bash_complete",
            "COMP_WORDS": f"companion {' '.join(words)} --",
            "COMP_CWORD": str(len(words) + 1),
        }
        completed = CliRunner().invoke(companion, [], prog_name="companion", env=typed)
        assert completed.exit_code == 0, (words, completed.exception)
        assert "plain,--data" in completed.output, (words, completed.output)


@pytest.mark.parametrize("package", ["companion", "companion.commands.main"])
def test_it_runs_as_a_module(package: str) -> None:
    done = subprocess.run(
        [sys.executable, "-m", package, "races", "list", "--help"], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("Usage: companion races list ")


def test_without_arguments_it_opens_the_touchscreen(tmp_path: Path) -> None:
    """Where there is no display it says so; the display itself is in the tests of the manuals."""
    environment = {name: said for name, said in os.environ.items() if name not in ("DISPLAY", "SDL_VIDEODRIVER")}
    done = subprocess.run(
        RUN, input="", capture_output=True, text=True, check=False, env={**environment, "HOME": str(tmp_path)}
    )
    assert done.returncode in (0, 1)
    assert len(done.stderr.splitlines()) <= 1, done.stderr


def test_completion_imports_no_command() -> None:
    code = (
        "import sys; from companion.commands.main import main\n"
        "try: main([])\n"
        "except SystemExit: pass\n"
        "print(sorted(m for m in sys.modules if m.split('.')[0] in ('companion', 'rich', 'msgspec', 'sqlite3')))"
    )
    typed = {"_COMPANION_COMPLETE": "bash_complete", "COMP_WORDS": "companion t", "COMP_CWORD": "1"}
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env={**os.environ, **typed})
    assert done.stdout.splitlines()[:-1] == ["plain,trial", "plain,tracks", "plain,tournament"]
    assert "companion.sheets" not in done.stdout


@pytest.mark.parametrize(
    ("typed", "offered"),
    [
        ("companion config s", ["sound", "shot_clock", "sleep_minutes"]),
        ("companion config theme ", ["dark", "daylight", "auto"]),
        ("companion config shot_clock ", []),
        ("companion races show ", ["last", r"Thursday\\ evening", "Test"]),
        (r"companion races rename Thursday\ e", [r"Thursday\\ evening"]),
        ("companion races restore ", ["last", "Gone"]),
        ("companion phones --race t", [r"Thursday\\ evening", "Test"]),
        ("companion race --resume te", ["Test"]),
        ("companion trial --resume ", ["last"]),
        ("companion tracks show mona", ["monaco"]),
        ("companion race --track salt", ["saltmarsh"]),
        ("companion race --rulebook f", ["formula-d"]),
        ("companion rules compare c", ["competition", "cup", r"Club\\ rules"]),
        ("companion rules delete ", [r"Club\\ rules"]),
        ("companion season move ", []),
    ],
)
def test_names_are_completed(tmp_path: Path, typed: str, offered: list[str]) -> None:
    for name in ("Gone", "Test", "Thursday evening"):
        begin_race({"track": "monaco", "cars": [{"car": 1}, {"car": 2}]}, "monaco", tmp_path, name=name).close()
    delete(tmp_path, "Gone")
    CliRunner().invoke(
        companion, ["--data", str(tmp_path), "rules", "save", "Club rules", "cup", "--set", "kers_most=3"]
    )
    words = typed.replace("companion", f"companion --data {tmp_path}", 1)
    place = len(typed.replace("\\ ", "_").split(" ")) + 1
    env = {"_COMPANION_COMPLETE": "bash_complete", "COMP_WORDS": words, "COMP_CWORD": str(place)}
    done = CliRunner().invoke(companion, [], prog_name="companion", env=env)
    assert [line.removeprefix("plain,") for line in done.output.strip().splitlines()] == offered


@pytest.mark.parametrize(
    ("said", "lang"),
    [
        ({"LANG": "fr_FR.UTF-8"}, "fr"),
        ({"LANG": "fr_FR.UTF-8", "LC_ALL": "C"}, "en"),
        ({"LC_MESSAGES": "FR", "LANG": "en_GB"}, "fr"),
        ({"LANG": "C.UTF-8"}, "en"),
        ({}, "en"),
    ],
)
def test_the_language_is_that_of_the_locale(said: dict[str, str], lang: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("LC_ALL", "LC_MESSAGES", "LANG"):
        monkeypatch.delenv(name, raising=False)
        if name in said:
            monkeypatch.setenv(name, said[name])
    assert spoken() == lang


def test_a_reader_that_goes_away_is_no_error() -> None:
    done = subprocess.run(
        f"{' '.join(RUN)} demo --laps 1 --cars 4 | head -n 3",
        shell=True,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert len(done.stdout.splitlines()) == 3
    assert done.stderr == ""


def test_data_that_cannot_be_a_folder_is_said(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_text("")
    assert run("--data", str(file), "race").returncode == 2
    done = run("race", *RACE, "--data", str(file / "below"))
    assert done.returncode == 1
    assert "not saved" in " ".join(done.stdout.split())


def test_the_entry_point_is_main() -> None:
    project = (Path(cli.__file__).parents[2] / "pyproject.toml").read_text()
    assert 'companion = "companion.commands.main:main"' in project


def test_a_letter_that_the_charset_lacks_is_a_question_mark(tmp_path: Path) -> None:
    here = ("--data", str(tmp_path), "--lang", "fr")
    begin_race({"track": "monaco", "cars": [{"car": 1, "driver": "Zoé"}]}, "monaco", tmp_path).close()
    for arguments in (["tracks", "list"], ["tracks", "show", "monaco"], ["rules", "13-4"], ["races", "show", "last"]):
        done = run(*here, *arguments, PYTHONIOENCODING="ascii")
        assert (done.returncode, done.stderr) == (0, "")
        assert "?" in done.stdout
    command = [*RUN, *here, "tracks", "check", "/nulle part"]
    done = subprocess.run(command, capture_output=True, check=False, env={**os.environ, "PYTHONIOENCODING": "latin-1"})
    assert "Il n?y a pas de fichier /nulle part\u00a0; un circuit est" in done.stderr.decode("latin-1")


def test_a_standard_input_that_is_closed_is_an_empty_one(tmp_path: Path) -> None:
    closed, empty = (
        subprocess.run(["sh", "-c", f'"$@" {read}', "sh", *RUN, "--data", str(tmp_path), "race"],
                       capture_output=True, text=True, check=False)
        for read in ("<&-", "</dev/null")
    )  # fmt: skip
    assert (closed.returncode, closed.stdout, closed.stderr) == (empty.returncode, empty.stdout, "")
