"""A band of faces from the table to the log and back: typed, kept, corrected, exported, verified, never a face."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pytest

from companion import circuits
from companion.desk import RaceDesk
from companion.drivers.sensible import HeuristicDriver
from companion.protocol import LineReferee
from companion.rules.conversation.asking import Asked
from companion.rules.conversation.errors import BadAnswer
from companion.rules.rulebooks import begin
from companion.sheets.dice_statistics import rolled
from companion.sheets.export import as_csv, as_json
from companion.sheets.history import History
from companion.sheets.reading import entries, find, reading
from companion.sheets.replay import rulebook_of
from companion.sheets.verify import verify
from companion.terminal.answers import typed
from companion.wording import LANGUAGES, Words
from tests.test_terminal import Seat

DANGER: dict[str, Any] = {
    "track": "monaco", "laps": 2, "sky": "sun", "surface": "dry",
    "dangers": [f"2:{lane}:{number}" for lane in ("left", "middle", "right") for number in (1, 2, 3, 4)],
    "cars": [{"car": 1, "driver": "Ada", "at": "2:left:1", "gear": 1, "lap": 1, "status": "racing", "tyres": "hard"}],
    "to_play": [1],
}  # fmt: skip
"""A car whose next move enters danger spaces."""


def a_desk(folder: Path, seed: int = 3, **setup: Any) -> RaceDesk:
    setup = {"track": "monaco", "laps": 2, "cars": [{"car": n, "driver": f"Driver {n}"} for n in range(1, 7)], **setup}
    text = circuits.find("monaco").read_text(encoding="utf-8")
    return RaceDesk.begin(begin(setup, circuits.load("monaco")), setup=setup, track=text, folder=folder)


def banded(desk: RaceDesk, answers: int, seed: int = 3) -> list[int]:
    """Plays on, every test answered with its band; returns where."""
    driver, found = HeuristicDriver(circuits.load("monaco"), seed), []
    while (asked := desk.asked) is not None and desk.n < answers:
        answer = driver.answer(asked, desk.rulebook.race)
        if asked.bands is not None:
            answer = next(band for band in asked.bands if band[0] <= answer <= band[1])
            found.append(desk.n)
        desk.answer(answer)
    return found


def test_a_band_by_the_line_protocol_is_in_the_rulings_and_the_sheet_as_a_band() -> None:
    referee = LineReferee()

    def say(**line: Any) -> list[dict[str, Any]]:
        return referee.say(json.dumps(line).encode())

    question = say(setup=DANGER)[-1]["question"]
    while question["ask"] != "test":
        options = question.get("options")
        through = [
            one["answer"] for one in options or [] if "space" in str(one["answer"]) and one["facts"].get("tests")
        ]
        question = say(answer=(through or [options[0]["answer"]])[0] if options else question["faces"][-1])[-1][
            "question"
        ]
    assert question["bands"] == [[1, 4], [5, 20]]
    ruling, *_ = say(answer=[5, 20])
    assert ruling["ruling"]["facts"]["face"] == [5, 20]
    assert "rolls 5–20 (fails on 1–4), no damage." in ruling["ruling"]["text"]
    assert "bands" in say(answer=[5, 21])[-1].get("error", "")
    log = json.dumps(say(show="sheet"))
    assert "[5, 20]" in log or "5–20" in log


@pytest.mark.parametrize("lang", LANGUAGES)
def test_a_band_is_typed_at_the_terminal(tmp_path: Path, lang: str) -> None:
    position = tmp_path / "danger.json"
    position.write_text(json.dumps(DANGER))
    seat = Seat(tmp_path, "--setup", str(position), lang=lang)
    shown = seat.until(r"\d+ > ")
    for _ in range(8):
        if "5–20" in shown:  # the landing before tells the faces that lose, and no keys
            break
        shown = seat.say("1" if "1st" in shown or "1re" in shown else "2")
    assert "1–4" in shown
    assert "5–20" in shown
    told = seat.say("5-20" if lang == "en" else "5 à 20")
    assert "5–20 (" in told
    seat.child.sendline("quit" if lang == "en" else "quitter")
    assert seat.end() == 0


@pytest.mark.parametrize(("text", "answer"), [
    ("5-20", [5, 20]), ("5 – 20", [5, 20]), ("5 to 20", [5, 20]), ("1à4", [1, 4]), ("7", 7), ("[5, 20]", [5, 20]),
])  # fmt: skip
@pytest.mark.parametrize("lang", LANGUAGES)
def test_how_a_band_may_be_typed(text: str, answer: Any, lang: str) -> None:
    asked = Asked(1, "test", "17-0-2", 1, 1, "handling", faces=list(range(1, 21)), bands=[[1, 4], [5, 20]])
    assert typed(text, asked, Words(lang)) == answer
    with pytest.raises(BadAnswer):
        typed("5-", asked, Words(lang))


def test_a_race_in_bands_is_kept_exported_resumed_and_verified(tmp_path: Path) -> None:
    desk = a_desk(tmp_path)
    places = banded(desk, 250)
    assert len(places) > 10
    digest = desk.conversation.digest
    assert desk.log is not None
    desk.log.close()
    with reading(tmp_path) as db:
        log = list(entries(db, find(db, "last").log_id))
    items = History.of(log).items
    told = [items[n].event.answer for n in places]
    assert all(isinstance(answer, list) and len(answer) == 2 for answer in told)
    faces = [ruling.facts["face"] for n in places for ruling in items[n].rulings if "face" in ruling.facts]
    assert faces
    assert all(face in told for face in faces)
    whole = json.loads(as_json(log))
    assert [
        row["body"]["answer"]
        for row in whole["log"]
        if row["body"].get("key", [""])[0] in ("test", "start", "practice")
    ] == told
    assert all(f"[{first},{last}]" in as_csv(log) for first, last in told)
    found = verify(tmp_path, "last", rulebook_of)
    assert found.sound
    assert found.replayed == len(log)
    assert found.otherwise is None
    assert RaceDesk.resume(tmp_path).conversation.digest == digest


def test_an_undo_a_redo_and_corrections_of_a_band(tmp_path: Path) -> None:
    """Bands come back as bands; one that a corrected race divides otherwise is asked again, and nothing is made up."""
    desk = a_desk(tmp_path, surface="dry")
    places = banded(desk, 250)
    digest = desk.conversation.digest
    desk.undo(40)
    desk.redo(40)
    assert desk.conversation.digest == digest
    n = next(n for n in places if desk.answers()[n].answer == [5, 20])
    for keep in ("replay", "board"):
        way = desk.try_correction(n, [1, 4], keep=keep)
        assert (way.kept, way.change) != (0, None)
    with pytest.raises(BadAnswer):
        desk.try_correction(n, [4, 5])
    desk.correct(n, 7)
    assert desk.answers()[n].answer == 7
    desk.undo()
    assert desk.answers()[n].answer == [5, 20]
    assert desk.conversation.digest == digest
    for words in map(Words, LANGUAGES):
        done = desk.answers()[n]
        assert "5–20" in words.undo_label(done.ask, done.car, done.answer)


def test_a_correction_that_moves_the_border_asks_a_later_band_again(tmp_path: Path) -> None:
    """On a wet track 5 loses as well: who said 5 to 20 on a dry one is asked, not taken for one who held."""
    desk = a_desk(tmp_path, **DANGER)
    driver = HeuristicDriver(circuits.load("monaco"), 1)
    while (asked := desk.asked) is not None and asked.ask != "test":
        desk.answer(driver.answer(asked, desk.rulebook.race))
    begun = desk.n
    while (asked := desk.asked) is not None and asked.what == "handling":
        desk.answer(asked.bands[-1])  # type: ignore[index]
    assert desk.n > begun
    desk.undo(desk.n - begun)
    desk.override({"sky": "rain"}, by="Ben", why="it rains")
    assert desk.asked is not None
    assert desk.asked.bands == [[1, 5], [6, 20]]
    with pytest.raises(BadAnswer):
        desk.answer([5, 20])
    assert desk.suggested is None or desk.suggested != 20


def test_the_fairness_test_counts_only_what_was_rolled(tmp_path: Path) -> None:
    """Not bands, not what the program drew for a driver, and of a kind of test with bands not the lone ones either."""
    desk = a_desk(tmp_path)
    driver, rng = HeuristicDriver(circuits.load("monaco"), 3), random.Random(2)
    rolls: dict[str, list[tuple[str, Any]]] = {}
    while (asked := desk.asked) is not None and desk.n < 300:
        answer, by = driver.answer(asked, desk.rulebook.race), "table"
        if asked.bands is not None and asked.what == "collision":
            band = next(band for band in asked.bands if band[0] <= answer <= band[1])
            answer = answer if answer <= band[0] + 1 else band
        elif asked.faces is not None and rng.random() < 0.3:
            by = rng.choice(("driver:steady", "program", "roller"))
        if asked.faces is not None:
            rolls.setdefault(asked.what, []).append((by, answer))
        desk.answer(answer, by=by)
    assert desk.log is not None
    desk.log.close()
    bands = rolls.pop("collision")
    assert any(isinstance(answer, int) for _, answer in bands)
    assert any(isinstance(answer, list) for _, answer in bands)
    shown = rolled(tmp_path)
    assert shown.banded == len(bands)
    wanted = sum(by in ("table", "roller") for found in rolls.values() for by, _ in found)
    assert sum(map(len, shown.faces.values())) == wanted
    assert sum(map(len, rolled(tmp_path, "driver:steady").faces.values())) == sum(
        by == "driver:steady" for found in rolls.values() for by, _ in found
    )


def test_a_sky_that_was_told_is_no_roll(tmp_path: Path) -> None:
    """The last practice may be answered with its sky: there no die was rolled, and none is counted."""
    desk = a_desk(tmp_path, sky="changeable")
    driver = HeuristicDriver(circuits.load("monaco"), 3)
    while (asked := desk.asked) is not None and asked.ask != "practice":
        desk.answer(driver.answer(asked, desk.rulebook.race))
    before = sum(map(len, rolled(tmp_path).faces.values()))
    desk.answer("sun")
    assert desk.log is not None
    desk.log.close()
    shown = rolled(tmp_path)
    assert sum(map(len, shown.faces.values())) == before
    assert all(isinstance(face, int) for faces in shown.faces.values() for face in faces)
