"""Tables join by a code, once, and can then say what is their own, and nothing else."""

from __future__ import annotations

import asyncio
import contextlib
import os
import re
import signal
import ssl
from collections.abc import Iterator
from pathlib import Path
from typing import cast

import msgspec
import pytest
from click.testing import CliRunner
from nats.aio.client import Client
from nats.errors import Error as NatsError

from companion.commands.main import companion
from companion.hall import pinned, wire
from companion.hall.broker import Broker, NoBroker
from companion.hall.carrier import Carrier
from companion.hall.discovery import HallAddress
from companion.hall.intake import Intake
from companion.hall.joining import join
from companion.hall.keys import new_seed, public, signed
from companion.hall.members import LETTERS, Members, NoCode
from companion.hall.membership import Membership, joined, keep
from companion.hall.nats_client import OTHER
from companion.hall.running import RaceControl
from companion.rules.conversation.errors import CompanionError, LogError
from companion.sheets.backup import backup
from companion.sheets.place import LEDGER
from companion.wording import Words
from tests.french import told_in_french
from tests.hall.logs import made, more, written
from tests.hall.network import free_port, needs_nats, until
from tests.hall.test_carrier import logged, settled


@pytest.fixture
def members(tmp_path: Path) -> Members:
    return Members(tmp_path, "Saturday")


def test_a_code_takes_one_table_in(members: Members) -> None:
    code = members.code("  Table   4 ")
    assert len(code) == 8
    assert set(code) <= set(LETTERS)
    key = public(new_seed())
    table, name = members.join(f" {code[:4].lower()}-{code[4:]} ", key)
    assert (name, members.name(table)) == ("4", "4"), "the word stands wherever the name is shown"
    for again in (code, "", "ABCDEFGH"):
        with pytest.raises(NoCode) as wrong:
            members.join(again, public(new_seed()))
        told_in_french(wrong.value)
    assert [one.key for one in Members(members._path.parent).all().values()] == [key]


def test_a_second_code_for_a_table_voids_the_first(members: Members) -> None:
    first, second = members.code("4"), members.code("4")
    assert members.codes() == {second: "4"}
    with pytest.raises(NoCode):
        members.join(first, public(new_seed()))


def test_no_two_tables_have_one_name_or_one_key(members: Members) -> None:
    """A table that joins under a name that is taken has it from then on; a key belongs to one table."""
    old, key = public(new_seed()), public(new_seed())
    first, _ = members.join(members.code("4"), old)
    second, _ = members.join(members.code("4"), key)
    assert list(members.all()) == [second]
    assert members.name(first) is None
    for bad in (key, "", "U" * 56, old[:-1]):
        with pytest.raises(NoCode) as wrong:
            members.join(members.code("5"), bad)
        told_in_french(wrong.value)


@pytest.mark.parametrize("name", ["", " ", "x" * 65, "a\nb\x00"])
def test_a_table_needs_a_name(members: Members, name: str) -> None:
    if "\n" in name:
        name = "a\x07b"
    with pytest.raises(LogError) as wrong:
        members.code(name)
    told_in_french(wrong.value)


def test_a_broken_list_of_members_stays_as_it_was_found(members: Members) -> None:
    members.code("4")
    members._path.write_bytes(b"{")
    with pytest.raises(LogError, match="put back a copy") as wrong:
        Members(members._path.parent)
    told_in_french(wrong.value)
    assert members._path.read_bytes() == b"{"


class Opened:
    """A hall with tables that have joined."""

    def __init__(self, folder: Path, *, encrypted: bool = False, halls: int = 0) -> None:
        self.folder = folder
        self.hall = RaceControl(
            folder / "control",
            name="Saturday",
            host="127.0.0.1",
            port=free_port(),
            pages=0,
            encrypted=encrypted,
            halls=halls,
        )
        self.hall.begin()
        until(lambda: self.hall.intake.connected)
        self.carriers: list[Carrier] = []

    def joined(self, name: str) -> Membership:
        seed = new_seed()
        table, _ = self.hall.members.join(self.hall.members.code(name), public(seed))
        return Membership(hall="Saturday", table=name, id=table, servers=[self.hall.broker.address], seed=seed)

    def carrier(self, folder: str, place: Membership) -> Carrier:
        self.carriers.append(carrier := Carrier(self.folder / folder, place))
        carrier.begin()
        return carrier

    def close(self) -> None:
        for carrier in self.carriers:
            carrier.end()
        self.hall.end()


@pytest.fixture
def opened(tmp_path: Path) -> Iterator[Opened]:
    one = Opened(tmp_path)
    yield one
    one.close()


async def tried(place: Membership, publish: list[str], hear: list[str]) -> list[str]:
    """What the broker forbids a table."""
    forbidden: list[str] = []

    async def told(wrong: Exception) -> None:
        forbidden.append(str(wrong).lower())

    client = Client()
    client._public_nkey = public(place.seed)
    await client.connect(
        place.servers, signature_cb=lambda nonce: signed(place.seed, nonce), error_cb=told, allow_reconnect=False
    )
    for subject in publish:
        with contextlib.suppress(NatsError):
            await client.publish(subject, b"x")
    for subject in hear:
        with contextlib.suppress(NatsError):
            await client.subscribe(subject)
    with contextlib.suppress(NatsError, TimeoutError):
        await client.flush(2)
    await asyncio.sleep(0.1)
    await client.close()
    return forbidden


@needs_nats
def test_a_table_says_and_hears_what_is_its_own_and_nothing_else(opened: Opened) -> None:
    one, two = opened.joined("1"), opened.joined("2")
    until(lambda: asyncio.run(_reached(one)))
    own = [wire.log_of(one.id), wire.beat_of(one.id)], [wire.told_to(one.id), wire.TO_ALL]
    assert asyncio.run(tried(one, *own)) == []
    others = [
        wire.log_of(two.id), wire.beat_of(two.id), wire.told_to(two.id), wire.told_to(one.id), wire.TO_ALL, "hall.x",
        "$JS.API.STREAM.DELETE.TABLES", "$JS.API.CONSUMER.DELETE.TABLES.ledger", "$JS.ACK.TABLES.ledger.1", "_INBOX.x",
    ]  # fmt: skip
    found = asyncio.run(tried(one, others, []))
    assert [subject for subject in others if not any(f'"{subject.lower()}"' in why for why in found)] == []
    heard = [wire.log_of(two.id), wire.told_to(two.id), "hall.>", ">", "_INBOX.>", wire.EVERY_BEAT]
    found = asyncio.run(tried(one, [], heard))
    assert [subject for subject in heard if not any(f'"{subject.lower()}"' in why for why in found)] == []


async def _reached(place: Membership) -> bool:
    """Return True if the broker knows a table by now."""
    try:
        return await tried(place, [], []) == []
    except (NatsError, OSError):
        return False


@needs_nats
def test_an_encrypted_hall_is_the_one_that_a_table_joined(tmp_path: Path) -> None:
    """This one's certificate begins in 2049, as every one is of a time to come for a clock of 1970: that is no matter.
    Another certificate is, and none at all."""
    pinned.make(tmp_path / "control/nats")
    secret = tmp_path / "control/nats" / pinned.FILE
    assert secret.stat().st_mode & 0o077 == 0
    own = pinned.pin(secret.parent)
    later = re.sub(rb"\x17\x0d\d{12}", b"\x17\x0d490101000000", ssl.PEM_cert_to_DER_cert(own), count=1)
    secret.write_text(secret.read_text().replace(own, ssl.DER_cert_to_PEM_cert(later)))
    opened, log = Opened(tmp_path, encrypted=True), made(9)
    clear = Broker(tmp_path / "clear", "127.0.0.1", free_port())
    clear.begin()
    try:
        place = join(tmp_path / "t", "127.0.0.1", opened.hall.pages, opened.hall.members.code("4"))
        assert "PRIVATE" not in place.pin
        written(tmp_path / "t", log)
        carrier = opened.carrier("t", place)
        until(lambda: settled(carrier) and logged(tmp_path / "control/hall", log[0].log_id) == log)
        pinned.make(tmp_path / "other")
        wrong = {
            "another": msgspec.structs.replace(place, pin=pinned.pin(tmp_path / "other")),
            "joined before": msgspec.structs.replace(place, pin=""),
            "not encrypted": msgspec.structs.replace(place, servers=[clear.address], seed=""),
        }
        strangers = [opened.carrier(name, one) for name, one in wrong.items()]
        until(lambda: {one.stand.why for one in strangers} == {OTHER})
        told_in_french(OTHER)
        assert RaceControl(tmp_path / "control").broker.more, "once encrypted it stays so"
        (tmp_path / "other" / pinned.FILE).write_text("nothing")
        with pytest.raises(NoBroker, match="holds no certificate") as damaged:
            pinned.pin(tmp_path / "other")
        told_in_french(damaged.value)
    finally:
        clear.end()
        opened.close()


@needs_nats
def test_a_revoked_table_goes_on_alone_and_what_it_sent_stays(opened: Opened) -> None:
    log, place = made(20), opened.joined("4")
    written(opened.folder / "t", log[:10])
    carrier = opened.carrier("t", place)
    until(lambda: settled(carrier))
    opened.hall.members.revoke(place.id)
    written(opened.folder / "t", log[10:])
    until(lambda: carrier.stand.behind == 10 and carrier.why)
    assert not asyncio.run(_reached(place))
    assert logged(opened.folder / "control/hall", log[0].log_id) == log[:10]


@needs_nats
def test_a_hall_comes_back_from_its_copy(opened: Opened, tmp_path: Path) -> None:
    """`companion races backup` has who is in the hall and the ledger: at another machine the tables are known by the
    keys that they have, and send what came since the copy."""
    log, place = made(20), opened.joined("4")
    code = opened.hall.members.code("5")
    written(opened.folder / "t", log[:10])
    first = opened.carrier("t", place)
    until(lambda: settled(first))
    keep(opened.folder / "t", place)
    copy = backup(opened.folder / "control", tmp_path / "stick").path
    own = backup(opened.folder / "t", tmp_path / "stick of 4").path
    for secret in (copy / "nats/members.json", own / "hall.json"):
        assert secret.stat().st_mode & 0o077 == 0
    written(opened.folder / "t", log[10:])
    until(lambda: logged(opened.folder / "control/hall", log[0].log_id) == log)
    first.end()
    opened.hall.end()
    assert joined(own) == place, "and a table's copy has the hall that it is in"
    opened.hall = RaceControl(copy, host="127.0.0.1", port=opened.hall.broker.port, pages=0)
    assert (opened.hall.members.hall, opened.hall.members.codes()) == ("Saturday", {code: "5"})
    assert logged(copy / "hall", log[0].log_id) == log[:10]
    opened.hall.begin()
    again = opened.carrier("t", place)
    until(lambda: settled(again) and logged(copy / "hall", log[0].log_id) == log)


@needs_nats
def test_a_restored_stick_in_another_machine_goes_on_where_the_log_stood(opened: Opened) -> None:
    """Table 4's Raspberry Pi is dead; its copy is put into another, which joins in its name."""
    log = made(30)
    written(opened.folder / "dead", log[:20])
    first = opened.carrier("dead", opened.joined("4"))
    until(lambda: settled(first))
    first.end()
    written(opened.folder / "new", log[:15])  # the copy was a little older
    place = opened.joined("4")
    second = opened.carrier("new", place)
    again = more(log[:15], 4, by="again")
    written(opened.folder / "new", again[15:])
    until(lambda: second.stand.why)
    assert logged(opened.folder / "control/hall", log[0].log_id) == log[:20], "nothing is written over"
    new = made(8, seed=9)
    written(opened.folder / "new", new)
    until(lambda: logged(opened.folder / "control/hall", new[0].log_id) == new)


@needs_nats
def test_a_restored_stick_goes_on_by_the_key_that_was_copied_with_it(opened: Opened, tmp_path: Path) -> None:
    """Nobody joins anew: the copy has the races, and the hall that the table is in."""
    log = made(30)
    keep(opened.folder / "dead", opened.joined("4"))
    written(opened.folder / "dead", log[:20])
    first = opened.carrier("dead", joined(opened.folder / "dead"))  # type: ignore[arg-type]
    until(lambda: settled(first))
    first.end()
    copy = backup(opened.folder / "dead", tmp_path / "stick").path
    written(copy, log[20:])
    second = opened.carrier(str(copy), joined(copy))  # type: ignore[arg-type]
    until(lambda: settled(second) and logged(opened.folder / "control/hall", log[0].log_id) == log)
    assert not opened.hall.floor.alarms


@needs_nats
def test_a_hall_is_a_table_of_a_championship(opened: Opened, tmp_path: Path) -> None:
    """What a hall's ledger has is carried on, as a table carries its own races: the logs are the same, entry by entry,
    whichever of the two was away meanwhile."""
    championship = Opened(tmp_path / "championship")
    try:
        first, second = made(12), made(9, seed=2)
        written(opened.folder / "t", first)
        table = opened.carrier("t", opened.joined("4"))
        until(lambda: settled(table))
        hall = championship.carrier(str(opened.folder / "control/hall"), championship.joined("North hall"))
        until(lambda: settled(hall))
        championship.hall.intake.end()
        written(opened.folder / "t", second)
        until(lambda: settled(table) and hall.stand.behind == 9)
        championship.hall.intake = Intake(
            championship.folder / "control", [championship.hall.broker.address], championship.hall.members.seed,
            names=championship.hall.members.name,
        )  # fmt: skip
        championship.hall.intake.begin()
        for log in (first, second):
            until(lambda: logged(championship.folder / "control/hall", log[0].log_id) == log)  # noqa: B023
    finally:
        championship.close()


@needs_nats
def test_leaf_nodes_join_halls_to_a_championship(tmp_path: Path) -> None:
    """Two nats-servers: the hall's own is a leaf of the championship's, whose kill -9 and restart nobody has to mend. A
    table of the hall cannot speak there, and the hall for itself alone."""
    championship = Opened(tmp_path / "championship", halls=free_port())
    opened = Opened(tmp_path / "north")
    try:
        log, ledger = made(30), tmp_path / "north/control" / LEDGER
        table_place = opened.joined("4")
        table = opened.carrier("t", table_place)
        above = join(ledger, "127.0.0.1", championship.hall.pages, championship.hall.members.code("North hall"))
        assert above.leaf.startswith(f"nats-leaf://{above.id}:")
        assert not opened.joined("5").leaf
        opened.hall.end()
        opened.hall = RaceControl(
            tmp_path / "north/control", host="127.0.0.1", port=opened.hall.broker.port, pages=0, halls=free_port()
        )
        opened.hall.begin()
        assert opened.hall.above is not None
        assert opened.hall.above.place.servers == [opened.hall.broker.address], "the line is the broker's"
        written(opened.folder / "t", log[:20])
        there = championship.folder / "control" / LEDGER
        until(lambda: logged(there, log[0].log_id) == log[:20])
        killed = championship.hall.broker.pid
        os.kill(killed, signal.SIGKILL)
        written(opened.folder / "t", log[20:])
        until(lambda: championship.hall.broker.pid != killed and logged(there, log[0].log_id) == log)
        until(lambda: settled(table) and settled(opened.hall.above))
        found = asyncio.run(tried(table_place, [wire.log_of(above.id)], []))
        assert found, "a table of the hall is no hall"
        up = msgspec.structs.replace(above, servers=[opened.hall.broker.address])
        assert asyncio.run(tried(up, [wire.log_of(above.id)], [wire.told_to(above.id)])) == []
        assert asyncio.run(tried(up, [wire.log_of("another"), wire.log_of(table_place.id)], [wire.EVERY_BEAT]))
    finally:
        opened.close()
        championship.close()


@pytest.mark.parametrize("heard", [0, 2])
@pytest.mark.parametrize(("lang", "told"), [("en", ("No hall", "Several halls")), ("fr", ("aucune", "plusieurs"))])
def test_where_not_one_hall_is_heard_the_command_says_whether_none_or_several(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, heard: int, lang: str, told: tuple[str, str]
) -> None:
    halls = [HallAddress(f"Hall {n}", f"192.0.2.{n}", 8018) for n in range(heard)]
    monkeypatch.setattr("companion.hall.discovery.discover", lambda: halls)
    done = CliRunner().invoke(companion, ["--data", str(tmp_path), "--lang", lang, "hall", "join", "ABCDEFGH"])
    assert told[heard > 1] in Words(lang).error(cast(CompanionError, done.exception))
