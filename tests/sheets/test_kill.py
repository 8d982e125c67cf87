"""A desk in a process of its own, killed at random moments, loses no answer that it has acknowledged."""

from __future__ import annotations

import os
import time
from pathlib import Path
from random import Random

from companion.desk import RaceDesk
from companion.rules.conversation.errors import BadAnswer
from companion.sheets.chain import chained
from companion.sheets.reading import entries, find, reading
from tests.killed import beside, kill
from tests.toy import SETUP, pick, toy

KILLS = 200
A_RACE = 20
"""After how many kills a new race begins."""


def desk_process(folder: Path, name: str, seed: int, acknowledge: int) -> None:
    """Goes on with the race, or begins it, and acknowledges everything that was accepted."""
    rng = Random(seed)
    try:
        desk = RaceDesk.resume(folder, name, make=toy)
    except Exception:
        desk = RaceDesk.begin(toy(), setup=SETUP, track="a toy", folder=folder, name=name)
    while True:
        chance = rng.random()
        asked = desk.asked
        if asked is None or (chance < 0.05 and desk.n > 3):
            desk.undo(3)
        elif chance < 0.07 and (gears := [done.n for done in desk.answers() if done.ask == "gear"]):
            try:
                desk.correct(gears[0], 1 + rng.randrange(2), keep=rng.choice(["replay", "board"]))
            except BadAnswer:
                continue  # nothing has moved on that answer yet
        elif chance < 0.09:
            desk.override({"car": 1, "wear": {"brakes": rng.randrange(4)}}, by="Ref", why="at random")
        else:
            desk.answer(pick(asked, rng))
        os.write(acknowledge, f"{desk.seq} {desk.n} {desk.conversation.digest}\n".encode())


def killed(folder: Path, name: str, rng: Random) -> list[tuple[int, int, str]]:
    """Starts a desk, kills it at some moment, and returns what it acknowledged."""
    child, reader = beside(lambda acknowledge: desk_process(folder, name, rng.randrange(10**9), acknowledge))
    heard = bytearray()
    wanted = rng.choice([0, 1, 1, rng.randrange(40)])
    while heard.count(b"\n") < wanted and (more := os.read(reader, 4096)):
        heard += more
    time.sleep(rng.random() * rng.choice([0.0004, 0.004, 0.04]))
    status = kill(child)
    assert os.WIFSIGNALED(status), "the desk ended by itself"
    while more := os.read(reader, 65536):
        heard += more
    os.close(reader)
    lines = bytes(heard).decode().splitlines()
    return [(int(seq), int(n), digest) for seq, n, digest in (line.split() for line in lines)]


def test_killed_200_times_it_loses_no_acknowledged_answer(tmp_path: Path) -> None:
    rng = Random(20)
    accepted = lost_in_flight = 0
    known: dict[int, str] = {}
    for at in range(KILLS):
        name = f"race {at // A_RACE}"
        if at % A_RACE == 0:
            known = {}
            RaceDesk.begin(toy(), setup=SETUP, track="a toy", folder=tmp_path, name=name).close()
        acknowledged = killed(tmp_path, name, rng)
        known.update({seq: digest for seq, _, digest in acknowledged})
        with reading(tmp_path) as db:
            race = find(db, name)
            log = list(chained(entries(db, race.log_id), race.head))
        states = {entry.seq: entry.state for entry in log}
        assert {seq: states.get(seq) for seq in known} == known
        last = max(known, default=1)
        assert len(log) <= last + 1  # one may have been written and not yet acknowledged
        lost_in_flight += len(log) - last
        known[len(log)] = states[len(log)]
        accepted += len(acknowledged)
        with RaceDesk.resume(tmp_path, name, make=toy) as desk:
            assert desk.conversation.digest == states[len(log)]
            if acknowledged and len(log) == last:
                assert desk.n == acknowledged[-1][1]
    print(f"\n{KILLS} kills, {accepted} answers acknowledged, none lost; {lost_in_flight} written but not yet said")
    assert accepted > KILLS
