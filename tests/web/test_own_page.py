"""What README shows of other programs: a page of one's own, and the paths that Home Assistant reads."""

from __future__ import annotations

import json
import re
import socket
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from companion.desk import RaceDesk
from companion.drivers.sensible import HeuristicDriver
from companion.web.feed import MAX_EVENTS
from tests.test_protocol import SETUP
from tests.web.browser import CHROMIUM, DRIVER, MISSING, Browsers, Page
from tests.web.pages import Phone, opened
from tests.web.touched import Touchscreen, touchscreen

README = (Path(__file__).parent.parent.parent / "companion/web/README.md").read_text("utf-8")


@pytest.fixture
def browsers() -> Iterator[Browsers]:
    made = Browsers()
    yield made
    made.close()


def written(folder: Path, port: int) -> str:
    """The page of the README, written for a table at a port; its address."""
    found = re.search(r"`order\.html`:\n\n```html\n(.*?)```", README, re.DOTALL)
    assert found
    assert len(found[1].splitlines()) <= 30
    (folder / "order.html").write_text(found[1].replace(":8017", f":{port}"), "utf-8")
    return (folder / "order.html").as_uri()


def answers(table: Touchscreen, count: int) -> list[str]:
    """So many answers by touch; what the page is to show then: its heading, and the cars of its rows."""
    for _ in range(count):
        table.do("answer", answer=table.do("asked")["answer"])
    round_, order = table.do("stands")
    return [f"Monaco, round {round_}", *map(str, order)]


def shown(page: Page) -> list[str]:
    return list(
        page.run("""const text = (one) => one.innerText;
        return [text(document.querySelector("h1")),
                ...[...document.querySelectorAll("li")].map((row) => text(row).split(" ")[0])]""")
    )


@pytest.mark.skipif(CHROMIUM is None or DRIVER is None, reason=MISSING)
def test_the_page_of_the_readme_follows_a_race_at_the_touchscreen_through_two_kills(
    tmp_path: Path, browsers: Browsers
) -> None:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = int(free.getsockname()[1])
    written(tmp_path, port)
    folder, page = tmp_path / "races", browsers.page(800, 600)
    folder.mkdir()
    cars = [{"car": number, "driver": name} for number, name in ((7, "Ada"), (9, "Bob"), (31, "Chloé"))]
    with touchscreen(folder, port) as table:
        table.do("begin", setup={"rulebook": "beginner", "track": "monaco", "cars": cars}, track="monaco")
        table.do("phones")
        page.open((tmp_path / "order.html").as_uri())
        assert shown(page) == [""]  # nothing is told before the table wants it
        page.run("window.opened = 1")
        table.do("feed")  # refused until now, it asks again by itself
        seen = [answers(table, 40)]
        page.wait(lambda: shown(page) == seen[-1])
        table.kill()
    for _ in range(2):
        with touchscreen(folder, port) as table:
            table.do("resume")
            seen.append(answers(table, 25))
            page.wait(lambda: shown(page) == seen[-1])
            table.kill()
    assert len({tuple(one) for one in seen}) == 3
    assert page.run("return window.opened") == 1  # it was never loaded again
    assert page.text("p")


@pytest.mark.skipif(CHROMIUM is None or DRIVER is None, reason=MISSING)
def test_the_page_of_the_readme_shows_the_last_rulings_after_a_gap_and_the_result_after_the_flag(
    tmp_path: Path, browsers: Browsers
) -> None:
    cars = [{"car": number, "driver": name} for number, name in ((7, "Ada"), (9, "Bob"))]
    setup = {"rulebook": "beginner", "track": "monaco", "cars": cars, "laps": 2}
    page = browsers.page(800, 600)

    def play(desk: RaceDesk, answers: int) -> None:
        for _ in range(answers):
            if desk.asked is not None:
                desk.answer(driver.answer(desk.asked, desk.rulebook.race))  # type: ignore[arg-type]

    with opened(tmp_path, setup) as (pages, table):
        driver = HeuristicDriver(table.see(lambda desk: desk.rulebook.track).result(), 3)  # type: ignore[arg-type]
        pages.offer(True)

        def told() -> dict[str, Any]:
            return dict(json.loads(Phone(pages).get("/api/v1/race")))

        def ruled() -> bool:
            return page.text("p") == " ".join(ruling["text"] for ruling in told()["rulings"]) != ""

        table.act(lambda desk: play(desk, 12)).result()
        page.open(written(tmp_path, pages.port))
        page.wait(ruled)  # at its first sight, without any event
        table.act(lambda desk: play(desk, MAX_EVENTS + 6)).result()
        page.wait(ruled)
        assert told()["question"], "the gap is within the race"
        table.act(lambda desk: play(desk, 1000)).result()
        result = told()["result"]
        page.wait(lambda: shown(page) == ["Monaco, result", *(str(row["car"]) for row in result)])
        assert page.run("return document.querySelector('li').innerText").endswith("finished, laps 2, points 10")
        assert ruled()


def test_home_assistant_finds_what_the_readme_has_it_read(tmp_path: Path) -> None:
    found = re.search(r"```yaml\n(rest:.*?)```", README, re.DOTALL)
    assert found
    address = re.search(r"resource: http://[^/]*(/\S+)", found[1])
    paths = re.findall(r"value_json((?:\.\w+)+)", found[1])
    assert address
    assert len(paths) > 2
    with opened(tmp_path, SETUP) as (pages, _):
        pages.offer(True)
        reply: Any = json.loads(Phone(pages).get(address[1]))
        for path in paths:
            there = reply
            for name in path.split(".")[1:]:
                there = there[name]
            assert there, path
