"""Records run by command, as a person types them; races played by drivers."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from random import Random

import pytest
from click.testing import CliRunner

from companion.commands.main import companion
from companion.desk.beginning import begin_race
from companion.drivers.registry import driver_named
from companion.rules.conversation.errors import CompanionError
from companion.wording import Words
from tests.killed import beside, kill


class Commander:
    """Types commands into a data folder and reads what they say."""

    def __init__(self, folder: Path, kind: str, lang: str = "en") -> None:
        self.folder, self.kind, self.lang = folder, kind, lang

    def __call__(self, *words: str, by: str = "race control") -> str:
        """What a command says; raises CompanionError with the sentence if it refuses."""
        line = ["--data", str(self.folder), "--lang", self.lang, self.kind, "--by", by, *words]
        done = CliRunner().invoke(companion, line, catch_exceptions=True)
        if isinstance(done.exception, CompanionError):
            raise done.exception
        assert done.exit_code == 0, (words, done.output, done.exception)
        return done.output

    def rows(self, *words: str) -> list[dict[str, object]]:
        """The rows of a table."""
        return json.loads(self(*words, "--form", "json"))["rows"]  # type: ignore[no-any-return]

    def killed(self, lines: Sequence[Sequence[str]], rng: Random) -> int:
        """Types these lines in a process of its own, which is killed at some moment; how many were acknowledged."""

        def typed(acknowledge: int) -> None:
            for line in lines:
                self(*line)
                os.write(acknowledge, b".")

        child, reader = beside(typed)
        wanted = rng.randrange(1, max(2, len(lines) - 1))
        heard = 0
        while heard < wanted and os.read(reader, 1):
            heard += 1
        time.sleep(rng.random() * 0.02)
        kill(child)
        while more := os.read(reader, 4096):
            heard += len(more)
        os.close(reader)
        return heard


def play(setup: dict[str, object], folder: Path, seed: int, *, answers: int = 100_000) -> str:
    """A race from a setup, played by drivers to its end or so many answers; the id of its log."""
    with begin_race(setup, str(setup["track"]), folder, name=f"race {seed}") as desk:
        driver = driver_named("sensible", desk.rulebook, seed)
        while (asked := desk.asked) is not None and answers:
            desk.answer(driver.answer(asked, desk.rulebook.race), n=asked.n, by="driver:sensible")
            answers -= 1
        assert desk.log is not None
        return desk.log.log_id


def refused(run: Callable[[], object], match: str) -> str:
    """The one sentence by which something is refused, which has French of its own."""
    with pytest.raises(CompanionError) as wrong:
        run()
    said = str(wrong.value)
    assert match in said, said
    assert Words("fr").error(wrong.value) != said, f"no French for {said}"
    return said
