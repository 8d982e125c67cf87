"""One bit of a database flipped, or of the journal that a killed program left: whatever reads the races then says so,
or shows what it showed before.

`python -m tests.sheets.bit_flips --database 1100 --wal 150` does that so many times. A flip is told if a command
complains; harmless if all is as it was; silent if something is otherwise and neither the command nor `verify` says a
word; and a failure is anything that is raised and is no sentence for people.
"""

from __future__ import annotations

import contextlib
import io
import re
import shutil
import subprocess
import sys
import tempfile
import traceback
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from typing import Final

import click
from click.testing import CliRunner

from companion.commands.races import backup, export, list_races, show, verify
from companion.desk import RaceDesk
from companion.desk.beginning import begin_race
from companion.rules.conversation.errors import CompanionError
from companion.sheets.dice_statistics import rolled
from companion.sheets.place import DATABASE
from companion.sheets.salvage import salvage
from companion.sheets.storage import look
from companion.view.pages.home import kept_races, open_race
from tests.toy import pick

ROOT: Final = Path(__file__).parents[2]
JOURNAL: Final = f"{DATABASE}-wal"
ANSWERS: Final = 44
CARS: Final = [
    {"car": number, "driver": name, "tyres": "hard"} for number, name in ((1, "Ada"), (2, "Ben"), (3, "Cleo"))
]


def raced(folder: Path, name: str, seed: int, answers: int = ANSWERS) -> RaceDesk:
    """A race in which something was taken back, corrected and noted; it is open."""
    rng = Random(seed)
    desk = begin_race({"track": "monza", "laps": 1, "cars": CARS}, "monza", folder, name=name)
    for n in range(answers):
        assert desk.asked is not None
        desk.answer(pick(desk.asked, rng))
        if n == answers // 2:
            desk.undo(3)
            desk.redo(1)
            desk.note("sunny")
            desk.override({"car": 2, "tyres": "soft"}, by="Ref", why="seen")
    return desk


# -- what is asked of a folder of races; each gives what it showed, or raises a complaint


def _command(command: click.Command, *arguments: str) -> Callable[[Path], object]:
    def run(folder: Path) -> object:
        done = CliRunner().invoke(command, [*arguments, "--data", str(folder)], catch_exceptions=True)
        if done.exception is not None and not isinstance(done.exception, SystemExit):
            raise done.exception
        if done.exit_code:
            raise CompanionError(done.output.strip() or "it ended with a complaint")
        return done.output

    return run


def _copied(folder: Path) -> object:
    with tempfile.TemporaryDirectory() as stick:
        return _command(backup, stick)(folder) is None


def _home(folder: Path) -> object:
    found = open_race(folder)
    return kept_races(folder), found[0] if found is not None else None


def _looked(folder: Path) -> object:
    why = look(folder).why
    if why is not None:
        raise why
    return None


def _rolls(folder: Path) -> object:
    return rolled(folder)


def _resumed(folder: Path) -> object:
    """The race as it is resumed, as it is far back, and corrected; and then whether it can be verified."""
    shown = []
    with RaceDesk.resume(folder) as desk:
        for back in (0, 9, 12):
            if back:
                desk.undo(back)
            shown.append(desk.rulebook.save())
        desk.redo(12)
        gear = next(done for done in desk.answers() if done.n > 14 and done.ask == "gear")
        tried = desk.try_correction(gear.n, gear.answer)
        shown.append((tried.kept, tried.dropped))
        asked = desk.asked
        assert asked is not None
        desk.answer(pick(asked, Random(1)))
        shown.append(desk.rulebook.save())
    return shown, _command(verify, "last")(folder) is None


def _salvaged(folder: Path) -> object:
    done = salvage(folder, "after {}".format)
    with contextlib.suppress(CompanionError):
        for race in done.races:
            if race.entries:
                _command(verify, race.log_id)(folder)
    return None


VERIFY: Final = (_command(verify, "last"), _command(verify, "first"))
READ: Final[tuple[Callable[[Path], object], ...]] = (
    _command(list_races),
    _command(show, "last"),
    _command(export, "last", "--json"),
    _command(export, "last", "--csv"),
    _home,
    _looked,
    _rolls,
    _copied,
)
WRITE: Final[tuple[Callable[[Path], object], ...]] = (_resumed,)


WAY_OUT: Final = re.compile(
    "companion races salvage|some other program; name another folder|update this one|it goes when the race is resumed|"
    "name one by its id"
)
"""What a complaint says can be done."""
RAW: Final = re.compile("(?i)sqlite|malformed|btree|rootpage|freelist|not a database|row .* missing|wrong #|tree [0-9]")
"""Words of SQLite's own, which help nobody."""


class Flips:
    """A folder of races as it was, and what becomes of copies of it in which a bit was flipped."""

    def __init__(self, sound: Path, work: Path, part: str) -> None:
        self.sound, self.work, self.part = sound, work, part
        self.counted: Counter[str] = Counter()
        self.bad: list[str] = []
        self.found: Counter[str] = Counter()
        """The complaints, by how they begin."""
        self._as_it_was = [self._on_a_copy(ask, lambda _: None) for ask in (*READ, *WRITE)]
        for was in self._as_it_was:
            assert not isinstance(was, Exception), was

    def flip(self, rng: Random) -> None:
        """Flips one bit, and asks everything."""
        size = (self.sound / self.part).stat().st_size
        at, bit = rng.randrange(size), 1 << rng.randrange(8)

        def harm(folder: Path) -> None:
            body = bytearray((folder / self.part).read_bytes())
            body[at] ^= bit
            (folder / self.part).write_bytes(body)

        told = [self._on_a_copy(ask, harm) for ask in VERIFY]
        verified = not any(isinstance(one, Exception) for one in told)
        asked = [*zip((*READ, *WRITE), self._as_it_was, strict=True)]
        shown = [(was, self._on_a_copy(ask, harm)) for ask, was in asked]
        others = [*told, *(now for _, now in shown), self._on_a_copy(_salvaged, harm)]
        failed = [now for now in others if isinstance(now, Exception) and not isinstance(now, CompanionError)]
        wrong = [now for was, now in shown if not isinstance(now, Exception) and now != was]
        complaints = [now for now in others if isinstance(now, CompanionError)]
        for complaint in {str(one).replace(str(self.work), "")[:60] for one in complaints}:
            self.found[complaint] += 1
        where = f"{self.part} byte {at} bit {bit}"
        for said in sorted({str(one).replace(str(self.work), "") for one in complaints}):
            if RAW.search(said) or not WAY_OUT.search(said):
                self.bad.append(f"{where}: {said}")
        if failed:
            self.bad.append(f"{where}: " + "".join(traceback.format_exception(failed[0])[-4:]))
        elif wrong and verified:
            self.bad.append(f"{where}: {str(wrong[0])[:300]}")
        kind = "failed" if failed else "silent" if wrong and verified else "told" if complaints else "harmless"
        self.counted[kind] += 1

    def _on_a_copy(self, ask: Callable[[Path], object], harm: Callable[[Path], None]) -> object:
        folder = self.work / "data"
        shutil.rmtree(folder, ignore_errors=True)
        shutil.copytree(self.sound, folder)
        harm(folder)
        try:
            with contextlib.redirect_stderr(io.StringIO()):
                return ask(folder)
        except Exception as wrong:
            return wrong


@contextlib.contextmanager
def flips(part: str) -> Iterator[Flips]:
    """Flips in the database of races that were closed, or in the journal that a killed program left."""
    with tempfile.TemporaryDirectory() as name:
        sound, work = Path(name) / "sound", Path(name) / "work"
        work.mkdir()
        if part == DATABASE:
            raced(sound, "first", 1, 20).close()
            raced(sound, "second", 2).close()
        else:
            raced(sound, "first", 1, 20).close()
            code = (
                "import os, pathlib, sys; from tests.sheets.bit_flips import raced\n"
                "desk = raced(pathlib.Path(sys.argv[1]), 'second', 2); os.kill(os.getpid(), 9)"
            )
            subprocess.run([sys.executable, "-c", code, str(sound)], cwd=ROOT, check=False)
            assert (sound / JOURNAL).stat().st_size
            for left in (sound / f"{DATABASE}-shm", *sound.glob("*.lock")):
                left.unlink()
        yield Flips(sound, work, part)


@click.command()
@click.option("--database", default=1100, show_default=True, help="How many bits of the database.")
@click.option("--wal", default=150, show_default=True, help="How many bits of the journal.")
@click.option("--seed", default=1, show_default=True)
def main(database: int, wal: int, seed: int) -> None:
    """Flips bits and says what became of them."""
    bad = 0
    for part, count in ((DATABASE, database), (JOURNAL, wal)):
        if not count:
            continue
        with flips(part) as tried:
            rng = Random(seed)
            for _ in range(count):
                tried.flip(rng)
            for one in tried.bad:
                click.echo(one)
            said = ", ".join(f"{tried.counted[kind]} {kind}" for kind in ("harmless", "told", "silent", "failed"))
            click.echo(f"{count} bits of {part}: {said}.")
            for complaint, times in tried.found.most_common(12):
                click.echo(f"  {times:5} {complaint}")
            bad += len(tried.bad)
    raise SystemExit(bool(bad))


if __name__ == "__main__":
    main()
