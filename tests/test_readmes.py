"""Every command that the manuals show, run as printed: in a copy of the tree whose .venv holds the installed wheel, by
a user with an empty home. A command that is new in a manual is run as well, or fails here as one that nobody knows.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import re
import shlex
import shutil
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final

import pexpect
import pytest
from click.testing import CliRunner

from companion.commands.main import companion
from companion.desk import RaceDesk
from companion.desk.beginning import begin_race
from companion.drivers.sensible import HeuristicDriver
from companion.rules.conversation.errors import LogError
from companion.sheets.reading import races, reading
from tests.readmes import PAGES, ROOT, Command, commands

PATIENCE: Final = 120
"""Seconds after which what was waited for will not come any more."""
TREE: Final = (
    "companion",
    "hardware",
    "tests",
    "tracks",
    "systemd",
    ".ci",
    ".pictures",
    "README.md",
    "pyproject.toml",
)

NOT_HERE: Final = {
    r"(sudo )?sh \.ci/(try|setup test|check|test)": "installs Debian packages and the project; .ci/run",
    r"git clone .*": "needs the address of a repository",
    r"\. \.venv/bin/activate": "its PATH is that of all commands here",
    r"pip install (\.|-q -e \.)": "what the .venv of this test was made by, from the wheel alone",
    r"companion screenshots DIR": "draws for a minute; tests/screens/test_pictures.py does",
    r"sudo (apt-get|cp|cat|chown|sh -c|nmcli|systemctl|journalctl) .*": "changes the machine, or is for root",
    r"sudo (udevadm|usermod) .*": "the same",
    r"sudo mkfs\.ext4 .*": "erases a disk",
    r"systemd-analyze|(systemctl|journalctl|systemd-analyze|ls|nmcli|grep|findmnt) .*": "asks about an appliance",
    r"echo 20 .*": "a panel's light",
    r"sudo (PIP_NO_INDEX=1 .*)?python3 systemd/appliance\.py .*": "tests/systemd walks through it below another root",
    r"(sudo )?companion-appliance .*|cd companion && git pull": "the same",
    r"ssh .*|scp -r": "another machine",
    r"mpremote .*|pip install mpremote": "a Pico",
    r"python3 systemd/lock\.py|pip download .*": "asks PyPI about every package",
    r"(sudo \.venv/bin/)?python -m tests\.machine .*": "boots machines, as root, for minutes",
    r"sh \.ci/compiled": "compiles for minutes",
    r"companion drivers prepare": "works out tables for minutes",
    r"python -m tests\..*": "measures or tries for minutes to hours, alone on a machine",
    r"pytest .*": "tests by themselves, or benches",
    r"companion --data (COPY|/var/lib/.*)": "opens the touchscreen on a copy of an appliance",
    r"companion (race --rulebook|rules( compare \w+)?) club": "tests/test_map.py installs that rulebook",
    r"python trade\.py data": "tests/test_map.py runs it",
}
"""What cannot run here, and why."""


@pytest.fixture(scope="session")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A .venv with the wheel of this tree in it, made once for all processes of a run; what the wheel depends on is
    taken from where the tests have it."""
    shared = tmp_path_factory.getbasetemp()
    if os.environ.get("PYTEST_XDIST_WORKER"):
        shared = shared.parent
    made = shared / "installed" / ".venv"
    with open(shared / "installed.lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not made.exists():
            source = shared / "wheel"
            for name in TREE:
                _copied(name, source)
            built = ["-m", "hatchling", "build", "-t", "wheel", "-d", "out"]
            subprocess.run(
                [sys.executable, *built], cwd=source, env={**os.environ, "COMPANION_COMPILED": "0"}, check=True
            )
            subprocess.run([sys.executable, "-m", "venv", "--without-pip", made], check=True)
            packages = next(made.glob("lib/python*/site-packages"))
            others = [path for path in sys.path if path.endswith("site-packages")]
            (packages / "others.pth").write_text("\n".join(others))
            pip = [
                sys.executable,
                "-m",
                "pip",
                "--python",
                made / "bin/python",
                "install",
                "-q",
                "--no-deps",
                "--no-index",
            ]
            subprocess.run([*pip, "--disable-pip-version-check", *source.glob("out/*.whl")], check=True)
    return made


def _copied(name: str, to: Path) -> None:
    if (ROOT / name).is_dir():
        shutil.copytree(ROOT / name, to / name, ignore=shutil.ignore_patterns("__pycache__", ".*cache"))
    else:
        shutil.copy(ROOT / name, to / name)


class Shell:
    """A user's shell in a copy of the tree."""

    def __init__(self, folder: Path, venv: Path) -> None:
        self.tree, self.home = folder / "companion", folder / "home"
        self.tree.mkdir()
        self.home.mkdir()
        for name in TREE:
            _copied(name, self.tree)
        (self.tree / ".venv").symlink_to(venv)
        self.data = self.home / ".local/share/companion"
        self.env = {
            "HOME": str(self.home), "PATH": f"{self.tree / '.venv/bin'}:{os.environ['PATH']}", "LANG": "C.UTF-8",
            "TERM": "xterm", "PYTHONUNBUFFERED": "1",
        }  # fmt: skip
        self.left: list[subprocess.Popen[str]] = []

    def run(self, text: str, said: str = "", **env: str) -> subprocess.CompletedProcess[str]:
        """Run a line as a shell does; `said` is its standard input."""
        return subprocess.run(
            ["bash", "-c", text], cwd=self.tree, env={**self.env, **env}, input=said, capture_output=True, text=True,
            timeout=PATIENCE, check=False,
        )  # fmt: skip

    def begun(self, text: str, **env: str) -> subprocess.Popen[str]:
        """Begin a program that runs until it is stopped."""
        program = subprocess.Popen(
            ["bash", "-c", f"exec {text}"], cwd=self.tree, env={**self.env, **env}, stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
        )  # fmt: skip
        self.left.append(program)
        return program

    def stop(self, program: subprocess.Popen[str], by: signal.Signals = signal.SIGINT) -> str:
        """Stop it as Control-C does; what else it said."""
        program.send_signal(by)
        said, _ = program.communicate(timeout=PATIENCE)
        self.left.remove(program)
        assert program.returncode in (0, 130), said
        assert "Traceback" not in said, said
        return said

    def typed(self, text: str) -> pexpect.spawn[str]:
        """Begin a program in a terminal."""
        where = {"cwd": str(self.tree), "env": self.env, "dimensions": (24, 80)}
        return pexpect.spawn("bash", ["-c", text], encoding="utf-8", timeout=PATIENCE, **where)

    def race(self) -> None:
        """Begin a race in the user's own folder."""
        cars = [{"car": 1, "driver": "Ada"}, {"car": 2, "driver": "Bob"}]
        begin_race({"track": "monaco", "laps": 1, "cars": cars}, "monaco", self.data).close()
        self.drive(20)

    def drive(self, answers: int = 10_000) -> None:
        """Drive the last race, to the flag or so far."""
        with RaceDesk.resume(self.data) as desk:
            driver = HeuristicDriver(desk.rulebook.track, 1)  # type: ignore[attr-defined]
            while (asked := desk.asked) is not None and desk.n < answers:
                desk.answer(driver.answer(asked, desk.rulebook.race), n=asked.n)


@pytest.fixture
def shell(installed: Path, tmp_path: Path) -> Iterator[Shell]:
    made = Shell(tmp_path, installed)
    yield made
    for program in made.left:  # of a test that failed: what it began, such as a hall's broker, ends with it
        program.terminate()
        try:
            program.communicate(timeout=PATIENCE)
        except subprocess.TimeoutExpired:
            program.kill()
            program.communicate()


# -- how a command is run


def ends(shell: Shell, text: str, said: str = "") -> str:
    """It ends well and says nothing on standard error; what it says."""
    done = shell.run(text, said)
    assert done.returncode == 0, (text, done.stdout, done.stderr)
    assert "Traceback" not in done.stderr, (text, done.stderr)
    return done.stdout


def says_why(shell: Shell, text: str) -> None:
    """It ends well, or says in one sentence what it lacks here."""
    done = shell.run(text)
    assert done.returncode in (0, 1), (text, done.stderr)
    assert len(done.stderr.splitlines()) == done.returncode, (text, done.stderr)


def helps(shell: Shell, text: str) -> None:
    """Alone it lists its commands."""
    done = shell.run(text)
    assert done.returncode in (0, 2), (text, done.stderr)
    assert "COMMAND [ARGS]" in done.stdout + done.stderr, (text, done.stderr)


def parsed(text: str) -> None:
    """The program knows these commands and options."""
    done = CliRunner().invoke(companion, [*shlex.split(text)[1:], "--help"])
    assert done.exit_code == 0, (text, done.output)


def touched(shell: Shell, text: str) -> None:
    """The touchscreen comes up on a display, and a click on Try it opens a race; closed, it leaves without a word."""
    reader, writer = os.pipe()
    display = subprocess.Popen(
        ["Xvfb", "-displayfd", str(writer), "-screen", "0", "800x480x24", "-nolisten", "tcp"],
        pass_fds=[writer], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    )  # fmt: skip
    try:
        os.close(writer)
        number = os.read(reader, 10).decode().strip()
        shown = {"DISPLAY": f":{number}"}
        program = shell.begun(text, **shown)
        where = [sys.executable, "-m", "tests.screens.where", str(shell.home / "elsewhere"), "Try it"]
        x, y = subprocess.run(where, cwd=ROOT, capture_output=True, text=True, check=True).stdout.split()
        click = f"xdotool mousemove {x} {y} mousedown 1 sleep 0.1 mouseup 1"
        until(lambda: shell.run(click, **shown).returncode == 0 and _begun(shell), 1.0)
        assert not shell.stop(program, signal.SIGTERM)
    finally:
        os.close(reader)
        display.kill()
        display.wait()


def _begun(shell: Shell) -> bool:
    """Whether a race was begun by touch."""
    with contextlib.suppress(LogError), reading(shell.data) as db:
        return bool(races(db))
    return False


def until(there: Callable[[], object], pace: float = 0.1) -> None:
    """Wait for something."""
    end = time.monotonic() + PATIENCE
    while not there():
        assert time.monotonic() < end, "it did not come"
        time.sleep(pace)


def talked(shell: Shell, text: str, *said: str) -> None:
    """At the terminal: what is asked first is answered by `said`; help tells what may be typed, quit ends it."""
    terminal = shell.typed(text)
    for line in said:
        terminal.expect(r"[:?>)] $")
        terminal.sendline(line)
    terminal.expect("> $")
    terminal.sendline("help")
    terminal.expect("(?s)(undo|time ).*> $")
    terminal.sendline("quit")
    terminal.expect(pexpect.EOF)
    terminal.close()
    assert terminal.exitstatus == 0, terminal.before
    assert "Traceback" not in str(terminal.before)


def served(shell: Shell, text: str) -> None:
    """A server says where its pages are, shows one of them, and is stopped."""
    for option, port in (("--port", 8019), ("--nats", 4222)) if "hall" in text else ():
        if _taken(port):  # by somebody else on this machine
            text += f"{'' if 'serve' in text else ' serve'} {option} {_free()}"
    program = shell.begun(text)
    assert program.stdout is not None
    said = ""
    while not (found := re.search(r"http://\S+", said)):
        said = program.stdout.readline()
        assert said, (text, program.wait())
    with urllib.request.urlopen(found[0], timeout=PATIENCE) as page:
        assert page.status == 200
        assert b"<html" in page.read()
    shell.stop(program)


def _taken(port: int) -> bool:
    with socket.socket() as tried:
        return tried.connect_ex(("127.0.0.1", port)) == 0


def _free() -> int:
    with socket.socket() as tried:
        tried.bind(("127.0.0.1", 0))
        return int(tried.getsockname()[1])


def examined(shell: Shell, text: str) -> None:
    """The doctor ends in one sentence, whatever ails this machine."""
    done = shell.run(text)
    assert done.returncode in (0, 1), done.stderr
    assert "wrong" in done.stdout


def completed(shell: Shell, text: str) -> None:
    """The shell completes commands, options at any depth, and names, once it has read this line."""
    ends(shell, 'companion rules save "Thursday rules" cup --set kers_most=3 --replace')
    name = re.search(r"(bash|zsh|fish)_source", text)
    assert name is not None
    begin = {"bash": "bash --norc --noprofile -i", "zsh": "zsh -f -i", "fish": "fish --no-config -i"}[name[1]]
    terminal = shell.typed(begin)
    if name[1] == "zsh":
        terminal.sendline("autoload -U compinit && compinit -u -D")
    terminal.sendline(text)
    for begun, whole in (
        ("companion tourn", "ament"),
        ("companion races sh", "ow"),
        ("companion tournament new --tra", "ck"),
        ("companion config shot_", "clock"),
        ("companion tracks show copper", "-basin"),
        ("companion config theme day", "light"),
        ("companion rules export Thurs", r"day\ rules"),
    ):
        terminal.send(f"{begun}\t")
        terminal.expect_exact(whole)
        terminal.sendcontrol("u")
    terminal.close(force=True)


# -- what is run how

HOW: Final[tuple[tuple[str, Callable[[Shell, str], object]], ...]] = (
    (r"companion( --fullscreen)?", touched),
    (r"companion (drivers|tournament|season|tracks|hardware|races)", helps),
    (r"companion phones .*--api", lambda shell, text: served(shell, f"{text} --port {_free()}")),  # beside that below
    (r"companion (phones|hall|hall serve)( --(race|name|encrypted|halls|api).*)?", served),
    (r"companion --data COPY hall serve", lambda shell, text: served(shell, _copy(shell, text))),
    (r"companion race", lambda shell, text: talked(shell, text, "y")),
    (r"companion race --setup FILE", lambda shell, text: talked(shell, filled(text))),
    (r"companion race --rulebook ninety .*", lambda shell, text: talked(shell, text, "Ada, Bob", "", "")),
    (r"companion trial", lambda shell, text: talked(shell, f"{text} --drivers 'Ada, Bob'")),
    (r"companion hardware buttons simulate", lambda shell, text: keyed(shell, text)),
    (r"companion hardware roller simulate( /tmp/roller)?", lambda shell, text: simulated(shell, text)),
    (r"companion hardware roller test PORT", lambda shell, text: greeted(shell, text)),
    (r"companion hardware check.*", examined),
    (r"companion (hardware buttons test|races backup adopt|hall (carry|takeover|start|leave)).*"
        "|companion hardware roller test /dev/.*",
        lambda shell, text: says_why(shell, text.replace("[STICK]", "").replace("FILE", "traces.txt"))),
    (r"companion hall (trials|assign .*|revoke 4|feed on)", says_why),
    (r"companion( --data DATA/hall)? hall join .*", lambda shell, text: joined(shell, text)),
    (r"companion hall import .*", lambda shell, text: ends(shell, filled(text).replace("...", "*"))),
    (r"companion --data COPY .*", lambda shell, text: ends(shell, _copy(shell, text))),
    (r"companion races export RACE", lambda shell, text: ends(shell, f"{text} --json".replace("RACE", "last"))),
    (r"companion tracks check", lambda shell, text: ends(shell, f"{text} tracks/monza.toml")),
    (r"companion tracks check tracks/mine.toml", lambda shell, text: mine(shell, text)),
    (r"eval .*|_COMPANION_COMPLETE.*", completed),
    (r"(python -m )?companion .*", lambda shell, text: ends(shell, filled(text))),
    (r"python -m pydoc .*", lambda shell, text: ends(shell, f"{text} | cat")),
    (r"python -m companion", lambda shell, text: ends(shell, f"{text} --help")),
)  # fmt: skip
"""How a command is run, the first that fits."""
GIVEN: Final = {
    "[NAME VALUE]": "theme dark",
    "RACE": "last",
    "[DIR]": "copies",
    "DIR": "copies",
    "STICK": "stick",
    "check FILE": "check tracks/monza.toml",
    "template FILE": "template begun.toml",
    "--setup FILE": "--setup .pictures/position.json",
}
"""What stands in the place of what a manual leaves open."""


def filled(text: str) -> str:
    for open_, given in GIVEN.items():
        text = text.replace(open_, given)
    return text


def _copy(shell: Shell, text: str) -> str:
    """A copy of the races is there, and named."""
    ends(shell, "companion races backup copies")
    return text.replace("COPY", next((shell.tree / "copies").glob("companion-*")).as_posix())


def mine(shell: Shell, text: str) -> None:
    shutil.copy(shell.tree / "tracks/monza.toml", shell.tree / "tracks/mine.toml")
    ends(shell, text)


def keyed(shell: Shell, text: str) -> None:
    """The box on the keyboard: q ends it."""
    terminal = shell.typed(text)
    terminal.expect("q")
    terminal.send("q")
    terminal.expect(pexpect.EOF)
    terminal.close()
    assert terminal.exitstatus == 0


def simulated(shell: Shell, text: str) -> tuple[subprocess.Popen[str], str]:
    """A die-roller that is not there: it says at which port."""
    program = shell.begun(text.replace("/tmp", str(shell.home)))
    assert program.stdout is not None
    port = re.search(r"/\S+", program.stdout.readline())
    assert port is not None
    return program, port[0].rstrip(".,;")


def greeted(shell: Shell, text: str) -> None:
    """Against such a roller the test finds nothing wrong."""
    program, port = simulated(shell, "companion hardware roller simulate")
    ends(shell, text.replace("PORT", port))
    shell.stop(program)


def joined(shell: Shell, text: str) -> None:
    """A table joins the hall that is open, by a code of its race control."""
    port = _free()
    hall = shell.begun(f"companion hall serve --nats {_free()} --port {port}")
    until(lambda: _taken(port))
    code = re.search(r"\b[A-Z]{8}\b", ends(shell, "companion hall code 4"))
    assert code is not None
    text = re.sub(r" --at \S+|$", f" --at 127.0.0.1 --port {port}", text, count=1)
    said = ends(
        shell, text.replace("ABCDEFGH", code[0]).replace("companion", f"companion --data {shell.home / 'table'}")
    )
    assert "4" in said
    shell.stop(hall)


# -- what is there beforehand


def with_race(shell: Shell) -> None:
    """A race has begun."""
    shell.race()


def with_drivers(shell: Shell) -> None:
    clubs = {14: "Vidal, Lyon", 7: "Brun, Lyon", 3: "Keller, Nice", 9: "Noe, Nice"}
    (shell.tree / "drivers.csv").write_text("".join(f"{n} {name}\n" for n, name in clubs.items()), "utf-8")


def printed(path: Path) -> None:
    assert path.read_bytes().startswith(b"%PDF")


BEFORE: Final[dict[tuple[str, str], Callable[[Shell], object]]] = {
    ("README.md", "Play"): lambda _: None,  # an empty home
    ("companion/tournament/README.md", "Tournaments and seasons"): with_drivers,
    ("companion/tournament/README.md", "A season"): with_drivers,
}
AFTER: Final[dict[str, Callable[[Shell], object]]] = {
    r"companion (tournament|season) start .*": Shell.drive,
    r"companion tournament standings .*": lambda shell: printed(shell.tree / "standings.pdf"),
    r"companion hall code 4": lambda shell: ends(shell, "companion races backup stick"),
}

ALL: Final = [command for page in PAGES for command in commands(page)]


SECTIONS: Final = list(dict.fromkeys((command.page, command.section) for command in ALL))


@pytest.mark.parametrize(("page", "section"), [pytest.param(*one, id=" ".join(one)) for one in SECTIONS])
def test_the_commands_of(page: str, section: str, shell: Shell) -> None:
    BEFORE.get((page, section), with_race)(shell)
    before = {command.words for command in ALL[: next(n for n, one in enumerate(ALL) if one[:2] == (page, section))]}
    for command in (one for one in ALL if one[:2] == (page, section)):
        if command.words not in before or command.text.startswith(".venv"):
            run(shell, command)


def run(shell: Shell, command: Command) -> None:
    """Run a command as it is run here; where it cannot, see at least that the program knows it."""
    if any(re.fullmatch(pattern, command.text) for pattern in NOT_HERE):
        if command.words.startswith("companion ") and not command.words.startswith("companion --data"):
            parsed(filled(command.words))
        return
    how = next((how for pattern, how in HOW if re.fullmatch(pattern, command.words)), None)
    assert how is not None, f"{command.page}: is this to be run, or why not? {command.text}"
    how(shell, command.words)
    for pattern, then in AFTER.items():
        if re.fullmatch(pattern, command.words):
            then(shell)


def test_what_cannot_run_here_is_still_shown() -> None:
    texts = [command.text for command in ALL]
    assert [why for pattern, why in NOT_HERE.items() if not any(re.fullmatch(pattern, text) for text in texts)] == []


def test_what_is_shown_of_the_tests_is_there() -> None:
    """The modules and folders that the manuals run, and the options of pytest."""
    for command in ALL:
        if module := re.search(r"python -m (tests\S*)", command.text):
            place = ROOT / module[1].replace(".", "/")
            assert place.with_suffix(".py").exists() or (place / "__main__.py").exists(), command.text
        if command.text.startswith("pytest"):
            for word in shlex.split(command.text)[1:]:
                assert not word.startswith("tests/") or (ROOT / word).exists(), command.text


def test_the_bot_plays_to_the_end(shell: Shell) -> None:
    """bot.py of the manual, as it stands there."""
    manual = (ROOT / "companion/protocol/README.md").read_text("utf-8")
    code = re.search(r"`bot\.py`:\n\n```python\n(.*?)```", manual, re.DOTALL)
    assert code is not None
    (shell.tree / "bot.py").write_text(code[1], "utf-8")
    said = ends(shell, "python bot.py")
    assert re.search(r"'place': 1\b", said.splitlines()[-1]), said


def test_the_first_page_is_read_in_two_minutes() -> None:
    assert len((ROOT / "README.md").read_bytes()) <= 9000


@pytest.mark.parametrize("page", PAGES)
def test_every_link_leads_somewhere(page: str) -> None:
    """To a file that is there, and a heading in it."""
    for link in re.findall(r"\]\(([^)\s]+)\)", (ROOT / page).read_text("utf-8")):
        if link.startswith("http"):
            continue
        path, _, heading = link.partition("#")
        target = (ROOT / page).parent / path if path else ROOT / page
        assert target.exists(), link
        headings = re.findall(r"^#+ (.*)$", target.read_text("utf-8"), re.MULTILINE) if heading else []
        assert not heading or heading in {re.sub(r"[^\w -]", "", one.lower()).replace(" ", "-") for one in headings}, (
            link
        )
