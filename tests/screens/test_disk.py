"""A disk that takes nothing, on the screens: what they say, what they ask, and the ways out by touch."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from companion import circuits
from companion.desk import RaceDesk
from companion.doctor import examination, text
from companion.doctor.disk import check_disk, check_room
from companion.doctor.findings import worst_first
from companion.rules.conversation.errors import NotSaved
from companion.rules.conversation.faces import die_of
from companion.rules.rulebooks import begin
from companion.screens.app import playing
from companion.screens.app.app import SCREENS
from companion.screens.kit.theme import theme
from companion.screens.pages import exporting
from companion.sheets import storage
from companion.sheets.backup import copies
from companion.sheets.log import Log
from companion.sheets.place import COPIES, database_exists
from companion.sheets.reading import entries, find, reading
from companion.sheets.sticks import NAME
from companion.sheets.storage import Fault, Mount, Storage
from companion.tournament.trials import TrialDriver, TrialsOpened
from companion.view.race.prompt import FULL
from companion.wording import LANGUAGES
from tests.screens.audit import in_both_looks
from tests.screens.panels import PANELS
from tests.screens.rig import Rig
from tests.screens.table import Table, a_race, driver_on, race_open
from tests.screens.test_programs import Sat
from tests.screens.ui import Ui


class Card:
    """The card of the log: `full` or not, once it has taken as many more entries as there is `room` for."""

    def __init__(self, kind: str = "full") -> None:
        self.kind, self.full, self.room = kind, True, 0
        self.write: Callable[..., None] = Log.commit

    def commit(self, log: Log, writes: Any) -> None:
        if self.full and not self.room:
            raise NotSaved(self.kind, path="here")
        self.room -= self.full
        self.write(log, writes)


@pytest.fixture
def card(table: Table, monkeypatch: pytest.MonkeyPatch) -> Iterator[Card]:
    """A card that is full while a race is open."""
    made = Card()
    monkeypatch.setattr(Log, "commit", lambda log, writes: made.commit(log, writes))
    yield made
    made.full = False


def in_memory(table: Table) -> None:
    """The race goes on in memory, with the answer that the disk did not take."""
    table.answer(next(key for key in table.prompt.keys if not key.why))
    assert table.prompt.ask == FULL
    table.touch("In memory")
    assert table.prompt.ask == "roll"


def head(folder: Path) -> int:
    with reading(folder) as db:
        return len(list(entries(db, find(db, "last").log_id)))


@pytest.mark.parametrize("size", PANELS, ids=["7-inch", "display-2"])
def test_the_mark_stays_on_every_screen_and_covers_nothing(table: Table, card: Card, size: Any) -> None:
    in_memory(table)
    table.rig.wait(0.3)
    table.app.hush()
    for name in SCREENS:
        if name in ("build", "override"):  # they are opened by what the race asks
            continue
        table.app.home()
        if name != "home":
            table.app.go(name, **({"race": table.app.playing.log_id} if name == "sheet" else {}))
        for lang in ("en", "fr"):
            table.app.choose(language=lang)
            table.app.hush()
            table.rig.wait(0.2)
            assert table.ui.sees(theme.words.screen("top.unsaved", count=1)), name
            table.ui.audit_both()


def test_the_question_says_what_ails_the_disk(table: Table, card: Card, language: str) -> None:
    table.app.choose(language=language)
    asked = set()
    for card.kind in ("full", "read_only.file", "disk"):
        table.answer(next(key for key in table.prompt.keys if not key.why))
        asked.add(table.prompt.title)
        table.audited()
        table.touch({"en": "Stop", "fr": "Arrêter"}[language])
        table.until(lambda: table.app.playing.seat is None)
        card.full = False
        table.app.playing.open(lambda: RaceDesk.resume(table.folder, "last"))
        table.until(lambda: race_open(table.app))
        table.calm()
        card.full = True
    assert len(asked) == 3


DRIVER = driver_on()


def seated(folder: Path, card: Card, *programs: int) -> Sat:
    """A seat at a race of three cars, some driven by the program, on a card that is not full yet; the first rolls."""
    card.full = False
    made = {"programs": {str(car): "sensible" for car in programs}, "program_rolls": True}
    sat = Sat(lambda: a_race(folder, **made))
    while sat.see(lambda desk: desk.asked.ask) != "roll":
        sat.answer(DRIVER)
    return sat


@pytest.fixture
def volatile(rig: Rig, tmp_path: Path, language: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[Table]:
    """A table at home whose folder lies in memory."""
    folder = tmp_path / "races"
    monkeypatch.setenv("STATE_DIRECTORY", str(folder))
    monkeypatch.setattr(storage, "mount_of", lambda _: Mount("/", "tmpfs", "overlayroot", ("rw",)))
    made = Table(rig, folder, language=language)
    yield made
    made.close()


def test_a_race_that_lies_in_memory_is_not_begun_until_somebody_says_that_he_knows(volatile: Table) -> None:
    table, app, say = volatile, volatile.app, theme.words.screen
    table.until(lambda: say("storage", fault="volatile") in table.texts())
    setup = {"track": "monaco", "laps": 1, "cars": [{"car": 1}, {"car": 2}]}
    for knows in (False, True):
        app.playing.begin(setup, "monaco")
        table.until(lambda: app.over is not None)
        assert say("race.save", why="volatile") in table.texts()
        table.rig.wait(0.3)
        assert in_both_looks(app.over) == []  # type: ignore[arg-type]
        table.tap(app.over.made["act"] if knows else app.over.made["cancel"])  # type: ignore[union-attr]
        assert knows or app.visits[-1].name == "home"
    table.until(lambda: app.playing.shown is not None)
    assert app.playing.unsaved == ()
    app.playing.close()
    app.home()
    app.playing.begin(setup, "monaco")
    table.until(lambda: app.playing.shown is not None)
    assert app.over is None, "asked once"


@pytest.mark.parametrize("kind", ["tournament", "season", "trials"])
def test_nor_is_another_record_that_lies_in_memory(volatile: Table, kind: str) -> None:
    """A tournament and a season of the key that begins them; trials that are begun or gone on with."""
    table, app, folder, say = volatile, volatile.app, volatile.folder, theme.words.screen

    def begins() -> None:
        if kind == "trials":
            drivers = (TrialDriver(number=14, name="Vidal"),)
            app.go("trial", opened=TrialsOpened(name="Day", track="monaco", drivers=drivers))
        else:
            app.go("new_event", kind=kind)
            table.ui.wait_for(say("new_event.begin"))
            table.ui.tap(say("new_event.begin"))
        table.until(lambda: app.over is not None)

    for knows in (False, True):
        begins()
        assert say("race.save", why="volatile") in table.texts()
        table.rig.wait(0.3)
        assert in_both_looks(app.over) == []  # type: ignore[arg-type]
        assert not database_exists(folder)
        table.tap(app.over.made["act"] if knows else app.over.made["cancel"])  # type: ignore[union-attr]
        if not knows:
            app.home()
    table.until(lambda: database_exists(folder))
    table.ui.wait_for("Vidal" if kind == "trials" else say("entrants.add"))
    assert app.visits[-1].name == ("trial" if kind == "trials" else "entrants")
    assert (folder / storage.KNOWN).exists(), "asked once"


def test_what_the_disk_took_is_not_done_again_with_what_it_did_not_take(
    table: Table, card: Card, tmp_path: Path
) -> None:
    sat = seated(tmp_path / "other", card, 2)
    while sat.shown.prompt.ask != FULL:  # until a driver's answer is the first that finds no room
        card.full, card.room = True, 1
        sat.answer(DRIVER)
    before, saved = sat.see(lambda desk: (desk.n, desk.seq))
    assert sat.see(lambda desk: desk.asked.car) == 2
    sat.seat.answer(before, "memory")
    assert sat.shown.toast.tone == "bad"
    assert "In memory" in sat.shown.toast.text
    assert sat.see(lambda desk: (desk.n > before, desk.history.items[before].by)) == (True, "driver:sensible")
    assert saved == sat.see(lambda desk: desk.seq - desk.unsaved)
    card.full = False
    sat.seat.close()


def test_a_race_that_a_program_begins_on_a_full_disk_begins_once(
    table: Table, card: Card, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "other"
    card.full = False
    a_race(folder, many=2, programs={"1": "sensible", "2": "sensible"}, program_rolls=True).close()
    card.full = True
    watching: list[object] = []
    listen, deaf = RaceDesk.listen, RaceDesk.deaf
    monkeypatch.setattr(RaceDesk, "listen", lambda desk, one: (watching.append(one), listen(desk, one)))
    monkeypatch.setattr(RaceDesk, "deaf", lambda desk, one: (watching.remove(one), deaf(desk, one)))
    sat = Sat(lambda: RaceDesk.resume(folder))
    assert sat.shown.prompt.ask == FULL
    listening = len(watching)
    sat.seat.answer(0, "memory")
    assert sat.see(lambda desk: desk.unsaved) > 0
    assert len(watching) == listening
    card.full = False
    sat.seat.close()


def test_a_roll_and_a_driver_leave_what_waits_for_a_full_disk_in_its_place(
    table: Table, card: Card, tmp_path: Path
) -> None:
    """The referee's word, in whose place they would be done."""
    word = {"car": 1, "wear": {"tyres": 1}}
    sat = seated(tmp_path / "rolled", card)
    asked = sat.see(lambda desk: desk.asked)
    card.full = True
    sat.seat.override(word, by="Ada", why="as agreed")
    sat.seat.rolled(asked.faces[0], die_of(asked.ask, asked.what))
    assert sat.shown.prompt.ask == FULL
    sat.seat.answer(asked.n, "memory")
    assert sat.see(lambda desk: desk.log.entries[-1].kind) == "override"
    assert sat.shown.prompt.keys[sat.shown.prompt.chosen].answer == asked.faces[0], "it is offered, as any early roll"
    card.full = False
    sat.seat.close()

    sat = seated(tmp_path / "driven", card, 2, 3)
    while not sat.see(lambda desk: sat.seat.programs.holds(desk.asked)):
        sat.answer(DRIVER)
    n = sat.see(lambda desk: desk.n)
    card.full = True
    sat.seat.override(word, by="Ada", why="as agreed")
    sat.seat.pushed()
    assert sat.shown.prompt.ask == FULL
    sat.seat.answer(n, "memory")
    assert sat.see(lambda desk: desk.history.items[n].event.key) is None, "a value that was set"
    assert sat.see(lambda desk: desk.n) > n + 1, "and the driver goes on"
    card.full = False
    sat.seat.close()


def test_what_waits_is_tried_again_by_itself(table: Table, card: Card, monkeypatch: pytest.MonkeyPatch) -> None:
    before = head(table.folder)
    in_memory(table)
    table.answer(table.prompt.keys[0])
    unsaved = len(table.app.playing.unsaved)
    assert unsaved >= 2
    assert table.ui.sees(f"{unsaved} not saved")
    n = table.prompt.n
    card.full = False
    assert head(table.folder) == before
    table.rig.stall(playing.AGAIN)
    table.until(lambda: not table.app.playing.unsaved)
    assert table.prompt.n == n
    assert head(table.folder) == before + unsaved
    table.until(lambda: "All answers are on the disk again" in table.texts())
    assert not any("not saved" in text for text in table.texts())


def test_the_toast_leads_to_the_ways_out_and_all_of_the_race_goes_there(
    table: Table, card: Card, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    stick = tmp_path / "STICK"
    stick.mkdir()
    monkeypatch.setattr(exporting, "sticks", lambda: [stick])
    before = head(table.folder)
    in_memory(table)
    table.until(lambda: table.ui.sees("Export"))
    table.touch("Export")
    table.until(lambda: "STICK" in table.texts())
    table.rig.wait(0.3)
    table.ui.audit_both()
    table.ui.tap("JSON", beside="STICK")
    table.until(lambda: not exporting.busy.now)
    told = json.loads((stick / "At-the-table.json").read_text(encoding="utf-8"))
    assert len(told["log"]) == before + 1
    table.ui.tap(theme.words.screen("sheet.all"), beside="STICK")
    table.until(lambda: not exporting.busy.now)
    table.until(lambda: "All races are on STICK, checked" in table.texts())
    assert head(copies(stick / COPIES)[0]) == before + 1
    stick.rename(tmp_path / "pulled")
    table.ui.tap(theme.words.screen("sheet.all"), beside="STICK")
    table.until(lambda: any("There is no folder" in text for text in table.texts()))
    card.full = False


def test_a_stick_that_is_called_ours_gets_what_a_full_card_did_not_take(
    table: Table, card: Card, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Though that card does not take the table's name either: the sentence says which of the two is full."""
    stick = table.app.stick.place = tmp_path / "stick"
    stick.mkdir()
    monkeypatch.setattr(Path, "is_mount", lambda place: place == stick)
    (table.folder / NAME).mkdir()
    before = head(table.folder)
    in_memory(table)
    table.app.stick.look()
    table.until(lambda: table.app.over is not None)
    table.tap(table.app.over.made["act"])  # type: ignore[union-attr]
    table.until(lambda: any(f"{table.folder} takes nothing" in text for text in table.texts()))
    assert head(copies(stick / COPIES)[0]) == before + 1


def test_a_race_is_not_left_over_answers_that_would_be_lost(table: Table, card: Card) -> None:
    in_memory(table)
    table.menu("leave")
    assert "Lose 1 answer?" in table.texts()
    table.ui.tap("Cancel")
    assert len(table.app.playing.unsaved) == 1
    assert table.app.visits[-1].name == "race"
    table.menu("leave")
    table.ui.tap("Lose and go on")
    assert table.app.playing.seat is None
    assert table.app.visits[-1].name == "home"


def test_another_race_is_not_opened_over_answers_that_would_be_lost(
    table: Table, card: Card, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    stick = tmp_path / "STICK"
    stick.mkdir()
    monkeypatch.setattr(exporting, "sticks", lambda: [stick])
    in_memory(table)

    def other(memory: bool = False) -> RaceDesk:
        track, text = circuits.load("monaco"), circuits.find("monaco").read_text(encoding="utf-8")
        setup: dict[str, Any] = {"track": "monaco", "cars": [{"car": 4}, {"car": 8}]}
        rulebook = begin(setup, track)
        return RaceDesk.begin(rulebook, setup=setup, track=text, folder=table.folder, name="Another", memory=memory)

    table.app.playing.open(other)
    table.rig.wait(0.3)
    assert "Lose 1 answer?" in table.texts()
    assert in_both_looks(table.app.over) == []  # type: ignore[arg-type]
    table.ui.tap("Cancel")
    assert len(table.app.playing.unsaved) == 1
    was = table.app.playing.log_id
    table.app.playing.open(other, partial(other, memory=True))
    table.rig.wait(0.3)
    table.ui.tap("Lose and go on")
    table.until(lambda: "Disk full: go on?" in table.texts())
    assert table.app.playing.seat is None
    table.ui.tap("In memory")
    table.until(lambda: race_open(table.app))
    assert table.app.playing.log_id != was
    table.until(lambda: any("not saved" in text for text in table.texts()))
    table.app.go("sheet", page="export")
    table.ui.tap("JSON", beside="STICK")
    table.until(lambda: (stick / "Another.json").exists() and not exporting.busy.now)
    told = json.loads((stick / "Another.json").read_text(encoding="utf-8"))
    assert len(told["log"]) == len(table.app.playing.unsaved)


@pytest.mark.parametrize(
    ("faults", "tone"),
    [((), "ok"), (("memory",), "warn"), (("unjournaled",), "warn"), (("writeback",), "warn"), (("network",), "warn"),
     (("volatile",), "bad"), (("low",), "bad"), (("full",), "bad"), (("read_only", "low", "memory"), "bad"),
     (("refused",), "bad")],
)  # fmt: skip
def test_status_and_home_say_how_the_disk_is(
    ui: Ui, faults: tuple[Fault, ...], tone: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    storage = Storage(Mount("/", "ext4", "/dev/mmcblk0p2", ("rw",)), 300_000_000, faults)
    monkeypatch.setattr(examination, "look", lambda _, whole: storage)
    found = (check_disk(storage, ui.folder), check_room(storage))
    assert worst_first(found)[0].state == tone
    for language in LANGUAGES:
        ui.app.choose(language=language)
        ui.app.go("status")
        ui.wait_for(*(text.sentence(one, theme.words) for one in found))
        ui.audit_both()
        assert ui.app.disk.found == storage
        ui.app.home()
        ui.calm()
        ui.audit_both()
        said = [theme.words.screen("storage", fault=fault) for fault in faults]
        assert (tone == "bad") == any(map(ui.sees, said))


def test_sounds_that_no_disk_takes_fail_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    from kivy.core.audio import SoundLoader

    from companion.screens.app import sound
    from tests.screens.test_sound import Heard

    def full(*_: Any, **__: Any) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setenv("SDL_AUDIODRIVER", "dummy")
    monkeypatch.setattr(sound.tempfile, "TemporaryDirectory", full)
    speaker = sound.Speaker()
    speaker.play("tick")
    monkeypatch.undo()
    monkeypatch.setenv("SDL_AUDIODRIVER", "dummy")
    played: list[str] = []
    monkeypatch.setattr(SoundLoader, "load", staticmethod(lambda path: Heard(path, played)))
    speaker.play("tick")
    assert played == ["stop tick", "tick 100%"]
