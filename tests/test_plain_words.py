"""What the terminal tells of a race is said as a person at the table would say it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from companion.commands.main import companion

ADA = {"car": 1, "driver": "Ada", "at": "2:left:5", "gear": 4, "lap": 1, "status": "racing"}
BOB = {"car": 2, "driver": "Bob", "at": "2:middle:2", "gear": 3, "lap": 1, "status": "racing"}


def told(
    folder: Path, typed: list[str], *cars: dict[str, Any], lang: str = "en", rulebook: str = "formula-d", **setup: Any
) -> str:
    """All that the terminal says while these lines are typed, as one line; the cars play in their order."""
    file = folder / "position.json"
    begun = {"track": "monaco", "rulebook": rulebook, "cars": cars, "to_play": [car["car"] for car in cars], **setup}
    file.write_text(json.dumps(begun))
    arguments = ["--data", str(folder), "--lang", lang, "race", "--setup", str(file)]
    done = CliRunner().invoke(companion, arguments, input="\n".join(typed))
    assert done.exception is None or isinstance(done.exception, SystemExit), done.exception
    return " ".join(done.output.split())


@pytest.mark.parametrize("rulebook", ["formula-d", "death"])
def test_a_car_that_ends_behind_another_is_close_to_it(tmp_path: Path, rulebook: str) -> None:
    """It is behind that one, not next to it."""
    behind, ahead = {**ADA, "at": "2:left:5", "gear": 1}, {**BOB, "at": "2:left:7"}
    slipstream = {"death": ["no"]}.get(rulebook, [])
    said = told(tmp_path, ["1", "1", "1", *slipstream, "9", "9"], behind, ahead, rulebook=rulebook)
    assert "1 Ada close to 2 Bob: rolls 9" in said
