"""What the pages say of tables that are late, away, wrong about the time, or two of one log: made up, without NATS."""

from __future__ import annotations

import json
import math
import time

import pytest

from companion.hall.floor import CarResult, RaceSeen, TableCar
from companion.hall.intake import _skew
from companion.hall.ledger import Alarm
from companion.hall.pages import PARTS, HallWriter
from companion.hall.server import PageContent
from companion.hall.snapshot import HallSnapshot, TableSeen, count_states, natural
from companion.rules.conversation.errors import LogError, error_text
from companion.sheets.log import now
from companion.view.shown import Plate

CARS = tuple(TableCar(Plate(number=number, place=at), code, code.title()) for at, (number, code) in enumerate(
    ((7, "BRU"), (22, "OLG"), (31, "HUG"), (44, "ANA"))
))  # fmt: skip
RACE = RaceSeen(
    "a" * 32, "Monaco", "Monaco", "competition", 412, "7c1e09" + "0" * 58, "2026-11-21T21:06:00.000+00:00", 14, 2, 3,
    0.4, False, False, CARS, (), (),
)  # fmt: skip


def a_table(name: str = "4", **other: object) -> TableSeen:
    usual = TableSeen("x" + name, name, "racing", time.time(), 0.2, 0.1, RACE)
    return usual._replace(**other)  # type: ignore[arg-type]


def parts(kind: str, *tables: TableSeen, lang: str = "en", alarms: tuple[Alarm, ...] = (), broker: bool = True) -> str:
    shown = HallSnapshot("Monaco Cup", tables, alarms, broker, (), {})
    made = HallWriter(lang).parts(kind, shown)
    assert list(made) == list(PARTS[kind])
    return "".join(made.values())


@pytest.mark.parametrize(
    ("skew", "said", "wrong"),
    [
        (0.1, "+0.1 s", False), (-0.04, "0.0 s", False), (-1.9, "−1.9 s", False), (6.8, "+6.8 s", True),
        (-1.8e9, "−20833 d", True), (math.nan, "no time", True),
    ],
)  # fmt: skip
def test_a_clock_that_is_wrong_is_told(skew: float, said: str, wrong: bool) -> None:
    page = parts("control", a_table(skew=skew))
    assert f"{said}</td>" in page
    assert ('class="t-bad"' in page) is wrong


def test_a_pi_that_wakes_in_1970_and_one_that_says_no_time() -> None:
    assert _skew("1970-01-01T00:00:05.000+00:00") < -1.7e9
    assert abs(_skew(now())) < 5
    for nonsense in ("", "today", "2026-11-23T10:00:00", "9999-99-99"):
        assert math.isnan(_skew(nonsense))


def test_who_is_late_away_or_two_is_red() -> None:
    assert 'class="t-bad">2 min</td>' in parts("control", a_table(lag=125.0, state="away"))
    assert "7c1e09<svg" in parts("control", a_table(race=RACE._replace(second=True)))
    assert 'class="t-bad"' not in parts("control", a_table())


@pytest.mark.parametrize("lang", ["en", "fr"])
def test_an_empty_hall_says_so(lang: str) -> None:
    words = HallWriter(lang)
    for kind in PARTS:
        assert words.say("no_tables") in parts(kind, lang=lang).replace("&#x27;", "'")
    control = parts("control", lang=lang)
    assert words.say("no_calls") in control
    assert words.say("no_refused") in control
    assert words.say("no_broker") not in control
    assert words.say("no_broker") in parts("control", lang=lang, broker=False)


def test_what_was_refused_is_told_in_the_reader_s_language() -> None:
    alarm = Alarm("2026-11-21T21:04:10.000+00:00", "7", "", "empty", error_text(LogError("empty.batch")), 3)
    assert "The batch holds no entry." in parts("control", alarms=(alarm,))
    assert "The batch" not in parts("control", alarms=(alarm,), lang="fr")


@pytest.mark.parametrize("lang", ["en", "fr"])
def test_what_is_wrong_with_race_control_itself_is_told(lang: str) -> None:
    """On the wall too: whoever stands there need not look for the fault at his table."""
    for kind in PARTS:
        for fault in ({"broker": False}, {"full": True}, {"broker": False, "full": True}):
            top = HallWriter(lang).parts(kind, HallSnapshot("Cup", (), (), True, (), {})._replace(**fault))["top"]  # type: ignore[arg-type]
            words = ("disk" in top, "broker" in top) if lang == "en" else ("disque" in top, "NATS" in top)
            assert words == ("full" in fault, "broker" in fault)


def test_tables_come_as_people_count() -> None:
    names = ["Final", "10", "2", "Table 9", "1"]
    assert sorted(names, key=natural) == ["1", "2", "Table 9", "10", "Final"]


def test_a_result_says_who_has_signed_and_has_a_key_for_the_next() -> None:
    over = RACE._replace(over=True, result=tuple(CarResult(car, at + 1, 10 - at) for at, car in enumerate(CARS)))
    first = parts("control", a_table(race=over, state="finished"))
    assert "0 of 2 people" in first
    assert 'name="code"' not in first
    second = parts("control", a_table(race=over, state="finished", signed=("Jo",)))
    assert "1 of 2 people" in second
    assert 'name="code"' in second
    assert "Confirm table" not in parts("control", a_table(race=over, state="confirmed", signed=("Jo", "Kim")))


def test_the_wall_has_a_tile_a_table_and_counts() -> None:
    tables = [a_table(str(number), state=state) for number, state in enumerate(("call", "away", "racing", "free"))]  # type: ignore[arg-type]
    wall = parts("wall", *tables)
    assert wall.count('class="tile') == 4
    assert wall.count("Referee called") == 1
    assert 'value="0.4"' in wall
    assert count_states(tables) == {"call": 1, "away": 1, "racing": 1, "free": 1}


def test_of_many_tables_only_the_one_that_changed_is_sent() -> None:
    """To a page that has all, and to one that slept over two changes; a table more is the whole list again."""
    writer, channel = HallWriter("en"), PageContent()
    tables = [a_table(str(number)) for number in range(1, 5)]

    def show() -> None:
        channel.show(writer.wall(HallSnapshot("Monaco Cup", tuple(tables), (), True, (), {})))

    def sent(version: int) -> dict[str, str]:
        found: dict[str, str] = json.loads(channel.since(version).split(b"data: ")[1])["parts"]
        return found

    show()
    assert list(sent(-1)) == list(PARTS["wall"])
    tables[1] = a_table("2", state="away")
    show()
    assert list(sent(1)) == ["tile-x2"]
    assert "No signal" in sent(1)["tile-x2"]
    tables[2] = a_table("3", state="call")
    show()
    assert (list(sent(2)), sorted(sent(1))) == (["tile-x3"], ["tile-x2", "tile-x3"])
    tables.append(a_table("5"))
    show()
    assert list(sent(2)) == ["top", "tiles"]
    assert not channel.show(channel.parts)
