"""A race in real browsers: phones and a spectator's page beside `companion phones`, and a few answers beside the
touchscreen, which is killed in the middle; `tests/web/whole.py` has whole races."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from companion import circuits
from companion.desk import RaceDesk
from companion.desk.beginning import begin_race
from companion.drivers.chance import RandomDriver
from companion.drivers.sensible import HeuristicDriver
from companion.sheets.reading import entries, races, reading
from tests.test_protocol import SETUP
from tests.web.browser import CHROMIUM, DRIVER, MISSING, Browsers, Page, too_wide
from tests.web.pages import Phone, opened
from tests.web.whole import Race

pytestmark = pytest.mark.skipif(CHROMIUM is None or DRIVER is None, reason=MISSING)

N = "return document.getElementById('page').dataset.n"
SEQ = "return document.getElementById('page').dataset.seq"
TOLD = re.compile("Répondu à la table|Answered at the table")
LOCKS = """window.locks = []; navigator.wakeLock.request = async () => {
    locks.push({ released: false, release: async () => 0 });
    return locks.at(-1);
}"""


@pytest.fixture
def browsers() -> Iterator[Browsers]:
    made = Browsers()
    yield made
    made.close()


class Program:
    """`companion phones` as it is started."""

    def __init__(self, data: Path, port: int = 0) -> None:
        said = [sys.executable, "-m", "companion.commands.main", "phones", "--data", str(data), "--on", "127.0.0.1"]
        environment = {**os.environ, "PYTHONUNBUFFERED": "1", "LC_ALL": "C.UTF-8"}
        self.running = subprocess.Popen(
            [*said, "--port", str(port)], stdout=subprocess.PIPE, text=True, env=environment
        )
        assert self.running.stdout is not None
        self.drive: dict[str, str] = {}
        for line in self.running.stdout:
            name, _, address = line.partition(": ")
            if "/drive#" in address:
                self.drive[name] = address.strip()
            if name.startswith("The table"):
                break
        self.watch = next(iter(self.drive.values())).partition("drive#")[0]
        found = re.search(r":(\d+)/", self.watch)
        assert found
        self.port = int(found[1])

    def kill(self) -> None:
        self.running.send_signal(signal.SIGKILL)
        self.running.wait(10)


def test_many_points_stay_on_the_narrowest_page(tmp_path: Path, browsers: Browsers) -> None:
    """A car of 24 points has braked: all of them stand beside each other."""
    cars = [
        {"car": car, "at": at, "gear": 3, "lap": 1, "status": "racing"}
        for car, at in enumerate(("2:left:5", "2:middle:2"), 1)
    ]
    options = {"car_points": 24}
    setup = {"rulebook": "death", "track": "monaco", "sky": "sun", "options": options, "cars": cars, "to_play": [1, 2]}
    with opened(tmp_path, setup) as (pages, table):

        def braked(desk: RaceDesk) -> int:
            driver = RandomDriver(desk.rulebook.track, 3)  # type: ignore[arg-type]
            while desk.asked is not None:
                told = desk.answer(driver.answer(desk.asked, desk.rulebook.race))
                if any(ruling.wear for ruling in told):
                    break
            assert desk.asked is not None
            return desk.asked.car or 0

        mine = browsers.page(360)
        mine.open(pages.drive(table.see(braked).result()))
        mine.wait(lambda: mine.run("return document.querySelectorAll('.seg i').length") == 24)
        assert mine.run("return Math.max(...[...document.querySelectorAll('.seg i')].map(e => e.offsetLeft))") < 340
        assert mine.run("return innerWidth") == 360


def test_two_drivers_and_a_spectator_in_real_browsers(tmp_path: Path, browsers: Browsers) -> None:
    """A turn by taps, two phones for one car, an answer of the table's."""
    begin_race(SETUP, "monaco", tmp_path, name="Table 4").close()
    program = Program(tmp_path)
    try:
        mine, again, watcher = browsers.page(), browsers.page(lang="fr"), browsers.page()
        mine.open(program.drive["1 Ada"])
        again.open(program.drive["1 Ada"])  # a second phone for the same car, and it speaks French
        watcher.open(program.watch)
        mine.wait(lambda: mine.state() == "asked")
        again.wait(lambda: again.state() == "asked")
        assert "Choose a gear" in mine.text("#ask")
        assert "Choisissez la vitesse" in again.text("#ask")
        assert "#" not in str(mine.run("return location.href"))  # no token stays in the address
        assert mine.run("return document.documentElement.scrollWidth") <= 390
        assert _fits(mine)
        for page in (mine, watcher):  # a phone may have it on its home screen
            assert page.devtools("Page.getInstallabilityErrors")["installabilityErrors"] == []

        mine.meanwhile("[data-undo]")  # at once: soon the page says that it is lost, and nothing can be tapped
        program.running.send_signal(signal.SIGSTOP)  # what is sent to a table that does not answer can be withdrawn
        mine.tap("#ask .keys .key:nth-child(3)")
        mine.wait(mine.said, 4)
        assert mine.said() == ["The table has not answered yet"]
        program.running.send_signal(signal.SIGCONT)
        mine.wait(lambda: kinds(tmp_path) == ["setup", "answer", "undo"])
        mine.wait(lambda: mine.run(SEQ) == "3" and not mine.run("return document.querySelector('.lost')"))
        assert "Choose a gear" in mine.text("#ask")
        assert not any(map(TOLD.search, mine.said()))  # what this phone took back itself
        watcher.wait(lambda: watcher.run("return !!document.querySelector('#order .order')"))
        watcher.tap("#order .order")  # what every car has left
        left = "return [...document.querySelectorAll('#order details')].map((one) => one.open).join()"
        assert watcher.run(left) == "true"
        n = watcher.run(N)
        again.wait(lambda: again.run(SEQ) == "3")
        before = len(again.said())
        mine.tap("#ask .keys .key:nth-child(3)")  # a gear that costs nothing applies at once
        mine.wait(lambda: "Roll" in mine.text("#ask"))
        again.wait(lambda: "Lancez" in again.text("#ask"))
        assert any(map(TOLD.search, again.said()[before:]))  # whose question the other phone has answered
        again.wait(lambda: not again.text("#told"), 6)
        assert not any(map(TOLD.search, mine.said()))
        watcher.wait(lambda: watcher.run(N) != n)
        assert watcher.run(left) == "true"  # it stays open while the race goes on
        again.tap("#ask .keys .key:nth-child(2)")
        mine.wait(lambda: "Choose a space" in mine.text("#ask") or mine.state() == "waiting")
        if mine.state() == "asked":  # what costs is accepted
            mine.tap("#ask [data-answer], #ask [data-look]")
            mine.wait(lambda: mine.state() == "waiting" or mine.run("return !!document.querySelector('[data-accept]')"))
            mine.tap("[data-accept]")
        mine.wait(lambda: mine.state() == "waiting")
        watcher.wait(lambda: watcher.run("return !!document.querySelector('#rulings li')"))

        language = "return document.documentElement.lang"
        watcher.open(f"{program.watch}?lang=fr")
        watcher.open(program.watch)
        watcher.wait(lambda: watcher.run(language) == "fr")  # this phone was told so
        other = browsers.page()
        other.open(program.drive["2 Bob"])
        other.wait(lambda: other.state() == "asked")
        other.tap("[data-table]")
        other.wait(lambda: other.state() == "table")
        assert other.run("return document.querySelector('fieldset').disabled")
        assert _serious(other) == []
    finally:
        program.kill()


@pytest.mark.parametrize(
    ("lang", "now", "whose"),
    [("en", "Your turn, car {}", "Rulings on your cars"), ("fr", "À vous, voiture {}", "Décisions sur vos voitures")],
)
def test_whoever_drives_two_cars_has_both_on_one_phone(
    tmp_path: Path, browsers: Browsers, lang: str, now: str, whose: str
) -> None:
    """His name is on both: either is asked there, by its number, and the other's dashboard stands below."""
    places = ("2:left:5", "2:middle:2", "1:left:1")
    setup = {**SETUP, "to_play": [4, 7, 9], "cars": [
        {"car": car, "driver": driver, "at": at, "gear": 3, "lap": 1, "status": "racing"}
        for car, driver, at in zip((4, 7, 9), ("Ada", "Bob", "Ada"), places, strict=True)
    ]}  # fmt: skip
    with opened(tmp_path, setup) as (pages, table):
        mine, driver = browsers.page(lang=lang), HeuristicDriver(circuits.load("monaco"), 1)
        mine.open(pages.drive(9))
        for car, other in ((4, 9), (9, 4)):
            mine.wait(lambda car=car: now.format(car) in mine.text("#head"))
            assert mine.state() == "asked"
            shown = mine.text("#others")
            assert str(other) in mine.run("return document.querySelector('#others .p').getAttribute('aria-label')")
            assert shown.count("\n") > 3, shown  # what it has left
            assert too_wide(mine) == {}
            mine.screen(390, 844)
            mine.tap("#ask .keys .key:not(.barred)")
            mine.tap("[data-accept]")
            mine.wait(lambda: table.see(lambda desk: desk.history.items).result())
            assert table.see(lambda desk: desk.history.items[-1].by).result() == f"car {car}"

            def drives(desk: RaceDesk, car: int = car) -> None:
                while desk.asked is not None and (desk.asked.car != 9 or car == 9) and len(desk.history.items) < 60:
                    desk.answer(driver.answer(desk.asked, desk.rulebook.race))
                    if car == 9 and desk.asked is not None and desk.asked.car == 7:
                        return

            table.act(drives).result()
        mine.wait(lambda: mine.state() == "waiting")
        assert whose in mine.text("#rulings")
        assert mine.run("return document.querySelectorAll('#order tr.mine').length") == 2
        assert set(pages.tokens.since) >= {4, 9}  # the table's list of phones has it at both cars


def test_what_a_phone_tells_of_an_answer_is_of_that_answer(tmp_path: Path, browsers: Browsers) -> None:
    """A ruling is not accepted for another answer, what is taken back is no answer, and the screen stays awake."""
    with opened(tmp_path) as (pages, _):
        mine, table = browsers.page(), Phone(pages, "referee")
        mine.devtools("Page.addScriptToEvaluateOnNewDocument", source=LOCKS)
        mine.open(pages.drive(1))
        mine.wait(lambda: mine.state() == "asked")
        assert mine.run("return locks.length") == 1
        mine.run("locks[0].released = true; document.dispatchEvent(new Event('visibilitychange'))")  # it was locked
        assert mine.run("return locks.length") == 2

        accept = "return !!document.querySelector('[data-accept]')"
        mine.tap("[data-look]")
        mine.wait(lambda: mine.run(accept))
        mine.run("window.kept = fetch; fetch = () => new Promise(() => 0)")  # the table is slow to say what it brings
        mine.tap("[data-look]")
        assert not mine.run(accept)
        mine.run("fetch = kept")

        assert table.post("/answer", n=0, answer=3) == (200, "")
        mine.wait(lambda: mine.run(N) == "1")
        assert table.post("/undo", n=1) == (200, "")
        mine.wait(lambda: mine.run(N) == "0")
        assert len([one for one in mine.said() if TOLD.search(one)]) == 1

        assert table.post("/answer", n=0, answer=3) == (200, "")
        mine.wait(lambda: "Roll" in mine.text("#ask"))
        mine.run("fetch = (...sent) => new Promise((then) => { window.comes = () => kept(...sent).then(then) })")
        mine.tap("#ask .keys .key:nth-child(1)")  # it is long on its way
        assert table.post("/undo", n=1) == (200, "")
        assert table.post("/answer", n=0, answer=2) == (200, "")
        mine.wait(lambda: mine.run(SEQ) == "6")
        mine.run("fetch = kept; comes()")
        mine.wait(lambda: "The question was asked anew meanwhile; look at it again." in mine.said())
        assert kinds(tmp_path) == ["setup", "answer", "undo", "answer", "undo", "answer"]


def test_fingers_phones_and_both_at_once_beside_a_touchscreen_that_is_killed(tmp_path: Path) -> None:
    found = Race(tmp_path, "competition", 2).play(16)
    assert found["killed at"]
    assert {"car 7", "car 9", "table"} <= found["by"].keys()


def kinds(folder: Path) -> list[str]:
    """What the log of the race has."""
    with reading(folder) as db:
        return [entry.kind for entry in entries(db, races(db)[0].log_id)]


def _fits(page: Page) -> bool:
    """Whether every key is at least 44 pixels wide and high."""
    script = """return [...document.querySelectorAll('button:not(details:not([open]) *)')]
        .filter(key => key.checkVisibility()).every(key => key.offsetWidth >= 44 && key.offsetHeight >= 44)"""
    return bool(page.run(script))


def _serious(page: Page) -> list[str]:
    """What a reader of screens stumbles over: keys and pictures without a name, a page without a language."""
    script = """const bad = [];
        for (const key of document.querySelectorAll('button, a'))
            if (!(key.innerText || key.getAttribute('aria-label') || '').trim()) bad.push(key.outerHTML.slice(0, 80));
        for (const drawn of document.querySelectorAll('[role=img]'))
            if (!drawn.getAttribute('aria-label')) bad.push(drawn.outerHTML.slice(0, 80));
        if (!document.documentElement.lang || !document.title) bad.push('page');
        return bad"""
    return list(page.run(script))


def test_a_phone_accepts_what_is_highlighted_once_the_table_has_drawn_its_question_anew(
    tmp_path: Path, browsers: Browsers
) -> None:
    """Another space was looked at; then prices are shown otherwise, and the space that the table offers is marked."""
    cars = [{"car": number, "driver": f"Driver {number}"} for number in (1, 2)]
    with opened(tmp_path, {"track": "monaco", "cars": cars, "laps": 3}) as (pages, table):

        def on(desk: RaceDesk) -> int | None:
            driver = RandomDriver(1)
            while (asked := desk.asked) is not None:
                options = asked.options or []
                if asked.ask == "landing" and len(options) > 2 and all(option.wear for option in options):
                    return asked.car
                desk.answer(driver.answer(asked, desk.rulebook.race), n=asked.n, by="table")
            return None

        car = table.see(on).result()
        assert car is not None
        mine = browsers.page()
        mine.open(pages.drive(car))
        mine.wait(lambda: mine.state() == "asked")
        offered = "return document.querySelector('#ask .key.on')?.dataset.look"
        mine.wait(lambda: mine.run(offered))
        first = mine.run(offered)
        mine.tap("#ask [data-look]:not(.on)")
        mine.wait(lambda: mine.run("return !!document.querySelector('[data-accept]')") and mine.run(offered) != first)
        pages.follow("never")
        mine.wait(lambda: mine.run(offered) == first)
        n = mine.run(N)
        mine.tap("[data-accept]")
        mine.wait(lambda: mine.run(N) != n)
        given = table.see(lambda desk: [item.event.answer for item in desk.history.items]).result()
        assert given[int(n)] == json.loads(first)
