"""The referee's end of the wire: what it makes of all that a device may say, and over a real pseudo-terminal."""

from __future__ import annotations

import errno
import os
import termios
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
import serial
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.wording import Words
from hardware.conformance import Bench
from hardware.faults import FAULTS, Fault, Faulty
from hardware.firmware.device import TUMBLES, Roller
from hardware.firmware.dice import SIDES
from hardware.firmware.lines import pack, unpack
from hardware.port import Bare, NoPort, Port
from hardware.roller import FLOOD, SILENT, Link, News
from hardware.rolls import of_device
from hardware.simulate import Simulated
from tests.hardware.waiting import until

HELLO = ("HELLO", "1", "test", "1 2 3 4 5 6 20")


class Talk:
    """A link, what it wrote, and a device that says what it is told to."""

    def __init__(self) -> None:
        self.wrote: list[tuple[int, str, list[str]]] = []
        self.link = Link(lambda data: self.wrote.append(unpack(data) or (0, "?", [])))
        self.now, self._seq = 0, 0
        self.link.open(0)

    def says(self, *body: object) -> list[News]:
        self._seq += 1
        return self.link.hear(pack(self._seq, *map(str, body)), self.now)

    def asked(self) -> list[list[str]]:
        """Every roll that was asked for, once each."""
        found: list[list[str]] = []
        for _, word, fields in self.wrote:
            if word in ("ROLL", "CANCEL") and [word, *fields] not in found:
                found.append([word, *fields])
        return found

    def acknowledge(self) -> None:
        for seq, _, _ in list(self.wrote):
            self.link.hear(pack(0, "ACK", seq), self.now)


@pytest.fixture
def talk() -> Talk:
    made = Talk()
    made.says(*HELLO)
    made.acknowledge()
    made.link.want(5, "4", 0)
    made.acknowledge()
    return made


def test_a_roll_is_asked_for_when_device_and_question_are_there() -> None:
    talk = Talk()
    talk.link.want(5, "4", 0)
    assert talk.says(*HELLO) == [News("found", text="test")]
    talk.acknowledge()
    assert talk.asked() == [["ROLL", "1", "4"]]
    assert (talk.link.there, talk.link.name, talk.link.dice) == (True, "test", tuple(SIDES))


def test_a_face_answers_its_question(talk: Talk) -> None:
    assert talk.says("ROLLING", 1, "4") == [News("rolling", "4")]
    assert talk.says("FACE", 1, "4", 11) == [News("rolled", "4", 11, 5)]
    assert talk.says("FACE", 1, "4", 12) == [], "it was told already"


def test_a_face_for_a_roll_that_a_finger_made_is_late_once(talk: Talk) -> None:
    talk.link.want(6, "", 0)
    talk.acknowledge()
    assert talk.asked()[-1] == ["CANCEL", "1"]
    assert talk.says("FACE", 1, "4", 11) == [News("late", "4", 11)]
    assert talk.says("FACE", 1, "4", 11) == [], "it was told already"
    talk.link.want(7, "4", 0)
    talk.acknowledge()
    assert talk.says("FACE", 1, "4", 11) == []
    assert talk.says("FACE", 2, "4", 11) == [News("rolled", "4", 11, 7)]


def test_a_face_that_nobody_asked_for_is_handed_on(talk: Talk) -> None:
    assert talk.says("FACE", 0, "4", 9) == [News("rolled", "4", 9, -1)]


@pytest.mark.parametrize(("die", "face"), [("3", 8), ("4", 13), ("4", 0), ("20", 9)])
def test_a_wrong_face_is_handed_on_to_be_refused_and_asked_for_once_more(talk: Talk, die: str, face: int) -> None:
    assert talk.says("FACE", 1, die, face) == [News("rolled", die, face, 5)]
    talk.acknowledge()
    assert talk.asked()[-1] == ["ROLL", "2", "4"]
    assert talk.says("FACE", 2, "4", 9) == [News("rolled", "4", 9, 5)]


@pytest.mark.parametrize(
    "body",
    [
        ("FACE", 1, "4"), ("FACE", 1, "4", "x"), ("FACE", "x", "4", 9), ("FACE", 1, "9", 9), ("FACE", 1, "4", 9, 9),
        ("FACE",), ("BAT", 101), ("BAT", "full"), ("HELLO", 1), ("DANCE", 1, "4"), ("ROLLING", 1), ("ERR", 1),
        ("COCKED", 1, "4", 2), ("FACE", 1, "4", "-9"),
    ],
)  # fmt: skip
def test_a_line_that_makes_no_sense_says_nothing_and_is_counted(talk: Talk, body: tuple[object, ...]) -> None:
    assert talk.says(*body) == []
    assert talk.link.rejected == 1


def test_what_else_a_device_tells(talk: Talk) -> None:
    assert talk.says("COCKED", 1, "4") == [News("cocked", "4")]
    assert talk.says("BAT", 40) == [News("battery", face=40)]
    assert talk.link.battery == 40
    assert talk.says("ERR", 1, "jam") == [News("fault", text="jam")]


def test_a_device_of_another_version_is_left_alone_and_told_of_once() -> None:
    talk = Talk()
    talk.link.want(5, "4", 0)
    assert talk.says("HELLO", 2, "new", "4") == [News("unfit", text="2")]
    assert talk.says("HELLO", 2, "new", "4") == []
    assert talk.says("FACE", 1, "4", 11) == []
    assert talk.says("FACE", 0, "4", 11) == []
    assert talk.asked() == []
    assert talk.says(*HELLO)[0].what == "found"


def test_a_device_that_says_the_right_version_and_speaks_another_is_lost(talk: Talk) -> None:
    news: list[News] = []
    for talk.now in range(0, SILENT + 1000, 100):
        news += talk.says("RESULT", "eleven")
        news += talk.link.tick(talk.now)
    assert news == [News("lost")]


def test_a_device_without_the_die_is_not_asked() -> None:
    talk = Talk()
    talk.says("HELLO", 1, "small", "1 2 77")
    talk.acknowledge()
    talk.link.want(5, "4", 0)
    assert talk.link.dice == ("1", "2")
    assert talk.asked() == []


def test_a_die_that_the_device_does_not_have_takes_the_roll_before_back() -> None:
    """Else the face of the roll before, which somebody entered by hand, would come as an answer to another die."""
    talk = Talk()
    talk.says("HELLO", 1, "small", "4")
    talk.acknowledge()
    talk.link.want(5, "4", 0)
    talk.acknowledge()
    talk.link.want(6, "20", 0)
    talk.acknowledge()
    assert talk.asked() == [["ROLL", "1", "4"], ["CANCEL", "1"]]
    assert talk.says("FACE", 1, "4", 9) == [News("late", "4", 9)]


def test_a_device_without_a_name_is_there_all_the_same() -> None:
    talk = Talk()
    assert talk.says("HELLO", 1, " ", "4") == [News("found", text="?")]
    assert talk.link.name == "?"


def test_silence_is_told_once_and_the_device_is_greeted_again(talk: Talk) -> None:
    news = []
    for now in range(0, 4 * SILENT, 50):
        news += talk.link.tick(now)
    assert news == [News("lost")]
    assert talk.wrote[-1][1] == "HELLO"
    assert talk.wrote.count((0, "PING", ["1000"])) == 1


def test_a_flood_is_lost(talk: Talk) -> None:
    line = pack(0, "PONG", 1)
    news: list[News] = []
    for now in range(0, 900, 10):
        news += talk.link.hear(line * 20, now)
    assert news[0] == News("lost")
    assert talk.link.flooded
    assert FLOOD > 10 * 80, "ten lines a second are none"


@settings(max_examples=60)
@given(st.lists(st.binary(max_size=90), max_size=20), st.randoms())
def test_no_bytes_at_all_make_it_fail(talk_of: list[bytes], chance: object) -> None:
    talk = Talk()
    talk.says(*HELLO)
    talk.link.want(1, "20", 0)
    for data in talk_of:
        for one in talk.link.hear(data, 1) + talk.link.hear(pack(7, *data.decode("latin-1").split(",")), 1):
            assert one.what != "rolled" or one.die in SIDES


# -- a link and a roller at the ends of one wire, with everything going wrong


class Both:
    """A link and a roller with a clock of their own, and a finger that presses when it is asked."""

    def __init__(self, faults: tuple[Fault, ...], seed: int) -> None:
        self.now = 0
        self.news: list[News] = []
        self._in_to_link, self._in_to_roller = b"", b""
        self.link = Link(self._to_roller)
        self.faulty = Faulty(self._to_link, self._unplug, seed=seed, rarely=3, faults=faults)
        self.roller = Roller(self.faulty.write, lambda die: SIDES[die][0], lambda text: None, tuple(SIDES))
        self.link.open(0)
        self.roller.begin(0)

    def _to_link(self, data: bytes) -> None:
        self._in_to_link += data

    def _to_roller(self, data: bytes) -> None:
        self._in_to_roller += data

    def _unplug(self) -> None:
        self._in_to_link = self._in_to_roller = b""
        self.news += self.link.lose()
        self.link.open(self.now)

    def run(self, until: Callable[[], object], most: int = 120_000) -> bool:
        """Lets time pass until something is so."""
        end = self.now + most
        while self.now < end and not until():
            self.now += 20
            self.faulty.tick(self.now)
            data, self._in_to_roller = self._in_to_roller, b""
            self.roller.hear(data, self.now)
            if self.roller.ask and not self.roller.rolling_until:
                self.roller.press(self.now)
            self.roller.tick(self.now)
            data, self._in_to_link = self._in_to_link, b""
            self.news += self.link.hear(data, self.now) + self.link.tick(self.now)
            if self.link.flooded or (self.news and self.news[-1].what == "lost"):
                self.link.open(self.now)
        return bool(until())


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("faults", [*[(fault,) for fault in FAULTS], FAULTS], ids=[*FAULTS, "all"])
def test_every_question_gets_its_face_whatever_goes_wrong(faults: tuple[Fault, ...], seed: int) -> None:
    both = Both(faults, seed)
    for n, die in enumerate(("4", "20", "", "1", "4", "4", "6", "", "2", "20") * 2):
        both.link.want(n, die, both.now)
        before = len(both.news)
        if not die:
            both.run(lambda: False, 400)
            assert not [one for one in both.news[before:] if one.what == "rolled"]
            continue

        def good(n: int = n, die: str = die) -> bool:
            right = [one for one in both.news if one.what == "rolled" and one.n == n]
            return any(one.die == die and one.face == SIDES[die][0] for one in right)

        assert both.run(good), (n, die, both.news[-5:])
    for n in range(20):
        right = [one for one in both.news if one.n == n and one.what == "rolled" and one.face in SIDES.get(one.die, ())]
        assert len({one.face for one in right if one.die == right[-1].die}) <= 1, "two faces for one question"
    assert any(both.faulty.done.values()) or faults == ("version",), "there are few hellos to lie in"


def test_what_a_roller_rolled_for_another_program_answers_nothing() -> None:
    """A device keeps its last roll, to tell it again; a program begun anew must not be given it."""
    roller = Both((), 0).roller
    for now, ask in ((0, 7), (5000, 4711)):
        roller.hear(pack(1, "HELLO", 1) + pack(2, "ROLL", ask, "4"), now)
        assert roller.ask == ask, "it waits for a finger"
        roller.press(now)
        roller.tick(now + TUMBLES)
        assert roller.told == (ask, "4", SIDES["4"][0])
    roller.hear(pack(3, "ROLL", 7, "4"), 0)
    assert (roller.ask, roller.told) == (7, None), "that was long ago"
    assert len({Port("/nowhere", print).link._ask for _ in range(20)}) > 10, "nobody knows what the last program asked"


def test_a_roll_that_was_given_up_takes_no_other_with_it() -> None:
    roller = Both((), 0).roller
    roller.hear(pack(1, "ROLL", 8, "4") + pack(2, "CANCEL", 7), 0)
    assert roller.ask == 8
    roller.hear(pack(3, "CANCEL", 8), 0)
    assert roller.ask == 0


class InMemory:
    """A device with such dice at the end of a wire in memory; its button is pressed as soon as it waits."""

    def __init__(self, dice: tuple[str, ...]) -> None:
        self._came, self._now = b"", 0
        self._roller = Roller(self._told, lambda die: SIDES[die][0], lambda text: None, dice)

    def _told(self, data: bytes) -> None:
        self._came += data

    def send(self, data: bytes) -> None:
        self._roller.hear(data, self._now)

    def read(self, ms: int) -> tuple[bytes, int]:
        self._now += 20
        if self._roller.ask:
            self._roller.press(self._now)
        self._roller.tick(self._now)
        data, self._came = self._came, b""
        return data, 20


# -- over a pseudo-terminal


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "roller"


@pytest.fixture
def news() -> list[News]:
    return []


@pytest.fixture
def port(path: Path, news: list[News]) -> Iterator[Port]:
    made = Port(str(path), news.append)
    made.begin()
    yield made
    made.close()


def test_a_roll_over_a_pseudo_terminal(path: Path, port: Port, news: list[News]) -> None:
    port.want(3, "6")
    assert news == []
    roller = Simulated(path, seed=1, after=50)
    roller.begin()
    until(lambda: news and news[-1].what == "rolled")
    assert [one.what for one in news] == ["found", "rolling", "rolled"]
    assert (news[-1].die, news[-1].n) == ("6", 3)
    assert news[-1].face in SIDES["6"]
    roller.close()
    until(lambda: news[-1].what == "lost")


def test_unplugged_and_plugged_in_again_while_a_roll_is_asked_for(path: Path, port: Port, news: list[News]) -> None:
    roller = Simulated(path, seed=1, by_hand=True)
    roller.begin()
    port.want(3, "4")
    until(lambda: roller.roller.ask)
    roller.unplug()
    until(lambda: [one.what for one in news] == ["found", "lost", "found"])
    until(lambda: roller.roller.ask)
    roller.press()
    until(lambda: news[-1].what == "rolled")
    assert news[-1].n == 3
    roller.close()


def test_of_two_rollers_at_one_place_the_second_stays_when_the_first_goes(
    path: Path, port: Port, news: list[News]
) -> None:
    first = Simulated(path, seed=1, after=20)
    second = Simulated(path, seed=2, after=20)
    second.begin()
    port.want(3, "4")
    until(lambda: news and news[-1].what == "rolled")
    first.close()
    assert path.exists()
    port.want(4, "4")
    until(lambda: news[-1].n == 4)
    assert "lost" not in [one.what for one in news]
    second.close()
    assert not path.is_symlink()


def test_a_port_that_is_no_roller_is_no_error(tmp_path: Path, news: list[News]) -> None:
    plain = tmp_path / "plain"
    plain.write_text("$1,HELLO,1,file,4*00\n")
    for name in (str(plain), str(tmp_path), "socket://127.0.0.1:1", "nonsense://x", ""):
        made = Port(name, news.append)
        made.begin()
        made.want(1, "4")
        time.sleep(0.05)
        made.close()
    assert news == []


def test_a_listener_that_fails_does_not_end_the_port(path: Path) -> None:
    heard: list[str] = []

    def listen(one: News) -> None:
        heard.append(one.what)
        raise RuntimeError("nobody saw this coming")

    made = Port(str(path), listen)
    made.begin()
    roller = Simulated(path, seed=1, after=20)
    roller.begin()
    made.want(1, "20")
    until(lambda: "rolled" in heard)
    made.close()
    roller.close()


@pytest.mark.parametrize("gone", [termios.error(5, "Input/output error"), RuntimeError("nobody saw this coming")])
def test_a_plug_that_is_pulled_while_the_port_is_opened_does_not_end_it(
    gone: Exception, path: Path, news: list[News], monkeypatch: pytest.MonkeyPatch
) -> None:
    roller = Simulated(path, seed=1, after=20)
    roller.begin()
    was = serial.Serial.open

    def pulled(self: serial.Serial) -> None:
        monkeypatch.setattr(serial.Serial, "open", was)
        raise gone

    monkeypatch.setattr(serial.Serial, "open", pulled)
    made = Port(str(path), news.append)
    made.begin()
    made.want(3, "4")
    until(lambda: news and news[-1].what == "rolled")
    made.close()
    roller.close()


def test_a_port_that_goes_while_it_is_opened_for_the_checks_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    def pulled(self: serial.Serial) -> None:
        raise termios.error(5, "Input/output error")

    monkeypatch.setattr(serial.Serial, "open", pulled)
    with pytest.raises(NoPort, match="it is gone"):
        Bare("/dev/ttyACM0")


def test_a_port_that_cannot_be_opened_says_why_and_what_to_do(path: Path, tmp_path: Path) -> None:
    roller, file = Simulated(path, seed=1), tmp_path / "file"
    roller.begin()
    wire = Bare(str(path))
    file.touch()
    for name, english in (
        (path, f"Another program has {path}; end that one, such as companion hardware roller test or a second screen."),
        (file, f"{file} is no serial port; name the die-roller's in wiring.toml."),
        (tmp_path, f"{tmp_path} is no serial port; name the die-roller's in wiring.toml."),
        ("loop-de-loop://", "loop-de-loop:// is no serial port; name the die-roller's in wiring.toml."),
        (
            tmp_path / "none",
            f"There is nothing at {tmp_path / 'none'}; plug the die-roller in, or name its port in wiring.toml.",
        ),
    ):
        with pytest.raises(NoPort) as refused:
            Bare(str(name))
        assert str(refused.value) == english
        assert str(name) in Words("fr").error(refused.value) != english
    wire.close()
    roller.close()


@pytest.mark.parametrize(
    ("number", "says"),
    [
        (errno.EACCES, "This user may not open {}; add the user to the group dialout, and start anew."),
        (errno.EPERM, "The system keeps {} from the screen's service; sudo companion-appliance port lets it in."),
        (
            errno.EBUSY,
            "Another program has {}; end that one, such as companion hardware roller test or a second screen.",
        ),
    ],
)
def test_a_port_that_is_not_for_this_user_says_so(
    number: int, says: str, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As pyserial tells it: root, whom no right is denied, may run this."""

    def refused(self: serial.Serial) -> None:
        raise serial.SerialException(number, f"could not open port {self.port}")

    roller = Simulated(path)
    monkeypatch.setattr(serial.Serial, "open", refused)
    shut: list[str] = []
    made = Port(str(path), print, lambda: shut.append(str(made.complaint)))
    made.begin()
    until(lambda: shut)
    made.close()
    roller.close()
    assert shut == [says.format(path)]
    assert made.complaint is not None
    assert Words("fr").error(made.complaint) != shut[0]


def test_what_does_not_speak_as_a_roller_is_told_and_a_roller_in_its_place_found(path: Path, tmp_path: Path) -> None:
    """A port says once why it is shut, and again as that changes."""
    outer, inner = os.openpty()
    path.symlink_to(os.ttyname(inner))
    shut: list[str] = []
    made = Port(str(path), print, lambda: shut.append(str(made.complaint)))
    made.begin()
    until(lambda: shut)
    assert shut == [
        f"What is at {path} does not speak as a die-roller does; companion hardware roller test {path} says "
        "where it fails."
    ]
    assert made.complaint is not None
    assert Words("fr").error(made.complaint) != shut[0]
    os.close(outer)
    os.close(inner)
    path.unlink()
    roller = Simulated(path)
    roller.begin()
    until(lambda: made.complaint is None)
    roller.close()
    until(lambda: made.complaint is not None and "There is nothing" in str(made.complaint))
    made.close()


def test_the_simulated_roller_passes_every_check(path: Path) -> None:
    roller = Simulated(path, seed=1, dice=("1", "20"), after=20)
    roller.begin()
    wire = Bare(str(path))
    assert [check for check in Bench(wire, patience=5000).run() if not check.passed] == []
    wire.close()
    roller.close()


@pytest.mark.parametrize("gone", [OSError(5, "Input/output error"), termios.error(5, "Input/output error")])
def test_a_port_that_fails_as_it_is_closed_is_opened_again(
    gone: Exception, path: Path, port: Port, news: list[News], monkeypatch: pytest.MonkeyPatch
) -> None:
    was = serial.Serial.close

    def failing(self: serial.Serial) -> None:
        was(self)
        monkeypatch.setattr(serial.Serial, "close", was)
        raise gone

    roller = Simulated(path, seed=1, after=20)
    roller.begin()
    until(lambda: news)
    monkeypatch.setattr(serial.Serial, "close", failing)
    roller.unplug()
    until(lambda: [one.what for one in news] == ["found", "lost", "found"])
    assert serial.Serial.close is was
    roller.close()


def test_a_port_that_goes_before_the_first_roll_is_told_and_let_go(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    closed: list[bool] = []

    class Gone:
        def write(self, data: bytes) -> None:
            raise serial.SerialException("write failed")

        def close(self) -> None:
            closed.append(True)
            raise OSError(5, "Input/output error")

    monkeypatch.setattr("hardware.port.open_port", lambda name: Gone())
    with pytest.raises(NoPort, match="is gone"):
        of_device(str(path), "4", 1, print)
    assert closed


@pytest.mark.parametrize("dice", [("7", "8", "9"), ("4", "black")])
def test_a_device_with_dice_that_no_game_has_fails_by_its_dice_alone(dice: tuple[str, ...]) -> None:
    checks = list(Bench(InMemory(dice)).run())
    assert [check.name for check in checks if not check.passed] == ["dice"]
    assert {check.die for check in checks if check.die} == set(dice) & {"4"}
