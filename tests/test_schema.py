"""Every line of the referee is as `companion referee --schema` says."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from companion.commands.main import companion
from companion.protocol.by_lines import LineReferee
from tests.schema import Schema

ASKED: list[dict[str, Any]] = [
    {"hint": True}, {"show": "odds"}, {"show": "sheet"}, {"show": "state"}, {"show": "consequences", "look": True},
    {"show": "order"}, {"undo": 2}, {"redo": 1}, {"override": {"car": 1, "lap": 0}, "by": "Ada", "why": "misread"},
    {"list": "races"}, {"list": "tracks"}, {"list": "rulebooks"}, {"rules": "start"}, {"board": True},
    {"board": "monza"}, {"board": "saltmarsh"}, {"export": "csv"}, {"export": "pdf"}, {"note": "It rains."},
    {"dispute": 0, "why": "I saw 4"}, {"answer": "zz"}, {"hand_over": 1, "driver": "sensible", "roll": True},
    {"pushed": True}, {"hand_over": 1, "driver": ""},
]  # fmt: skip
"""Lines in the middle of a race, for every kind of line that answers them."""
RACES = [
    ("beginner", "monaco", {}), ("formula-d", "monaco", {}), ("competition", "monza", {}), ("league", "monaco", {}),
    ("cup", "monaco", {}), ("death", "monaco", {}), ("ninety", "saltmarsh", {"deck": 7}),
]  # fmt: skip


class Checked:
    """A referee whose every line is checked."""

    def __init__(self, folder: Path) -> None:
        printed = CliRunner().invoke(companion, ["referee", "--schema"]).output
        self.schema, self.seen = Schema(json.loads(printed)), set[str]()
        self.referee = LineReferee("en", folder)

    def say(self, **line: Any) -> dict[str, Any]:
        for said in self.referee.say(json.dumps(line).encode()):
            plain = json.loads(json.dumps(said))
            self.schema.check(plain)
            self.seen |= set(plain)
        return plain


@pytest.mark.parametrize(("rulebook", "track", "more"), RACES)
def test_every_line_of_a_race_is_as_the_schema_says(tmp_path: Path, rulebook: str, track: str, more: Any) -> None:
    talk = Checked(tmp_path)
    assert talk.say(hello=2)["question"] is None
    cars = [{"car": number, "driver": name} for number, name in ((1, "Ada"), (2, "Bob"), (3, "Cleo"))]
    last = talk.say(
        setup={
            "rulebook": rulebook,
            "track": track,
            "cars": cars,
            **({"laps": 1} if rulebook != "ninety" else {}),
            **more,
        },
        id="a",
    )
    for _ in range(30):
        last = talk.say(drive="sensible", roll=True)
    for line in ({"subscribe": 0, "consequences": True}, *ASKED):
        talk.say(**line)
    for answer in range(1, 4):
        talk.say(correct=2, answer=answer, **{"try": True})
    talk.say(correct=2, answer=1, keep="board", **{"try": True})
    talk.say(subscribe=10**6)
    for _ in range(900):
        if "result" in last:
            break
        last = talk.say(drive="sensible", roll=True)
    talk.say(show="sheet")
    assert "result" in last or rulebook == "ninety"
    wanted = {"hello", "question", "event", "ruling", "standing", "error", "code", "sheet", "state", "list", "rules"}
    assert wanted | {"board", "export", "order", "consequences", "id"} <= talk.seen


def test_the_schema_names_every_line_of_the_reference() -> None:
    reference = CliRunner().invoke(companion, ["referee", "--reference"]).output
    known = json.loads(CliRunner().invoke(companion, ["referee", "--schema"]).output)
    out = reference.partition("Out, for every line in")[2].partition("An option is an answer")[0]
    told = set(re.findall(r'^  \{"(\w+)":|\}  \{"(\w+)":', out, re.MULTILINE))
    told = {name for names in told for name in names if name}
    assert told >= {"ruling", "result", "error", "hint", "push"}
    assert told <= set(known["properties"])
    assert "suggested" in known["$defs"]["QuestionMessage"]["properties"]
