"""The overlay: over any picture, in its sizes and languages, the parts that were asked for; and after a kill."""

from __future__ import annotations

import io
import socket
import time
from base64 import b64decode
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from companion.desk import RaceDesk
from companion.desk.beginning import begin_race
from companion.drivers.sensible import HeuristicDriver
from tests.web.browser import CHROMIUM, DRIVER, MISSING, Browsers, Page
from tests.web.pages import opened
from tests.web.test_browser import Program

pytestmark = pytest.mark.skipif(CHROMIUM is None or DRIVER is None, reason=MISSING)

SECTIONS = """return [...document.querySelectorAll("section")].filter((one) => one.checkVisibility()).map((one) => {
    const at = one.getBoundingClientRect();
    return [one.id, at.left, at.top, at.right, at.bottom, one.innerText];
})"""
FITTED = """const { style } = document.documentElement;
    return document.fonts.status === "loaded" && style.getPropertyValue("--scale")"""
SCROLLS = "const e = document.documentElement; return [e.scrollWidth, e.scrollHeight, innerWidth, innerHeight]"
CARS = [{"car": 3 * at + 1, "driver": f"Driver with the name {at}"} for at in range(10)]


@pytest.fixture
def browsers() -> Iterator[Browsers]:
    made = Browsers()
    yield made
    made.close()


def play(answers: int) -> Any:
    def do(desk: RaceDesk) -> None:
        driver = HeuristicDriver(desk.rulebook.track, 1)  # type: ignore[arg-type]
        for _ in range(answers):
            if desk.asked is not None:
                desk.answer(driver.answer(desk.asked, desk.rulebook.race))  # type: ignore[arg-type]

    return do


def layers(page: Page) -> Image.Image:
    """What the page puts over a picture."""
    page.devtools("Emulation.setDefaultBackgroundColorOverride", color={"r": 0, "g": 0, "b": 0, "a": 0})
    return Image.open(io.BytesIO(b64decode(page.devtools("Page.captureScreenshot", format="png")["data"])))


@pytest.mark.parametrize("answers", [330, 10_000], ids=["racing", "over"])
def test_it_lies_over_a_picture_at_both_sizes_and_in_both_languages(
    tmp_path: Path, browsers: Browsers, answers: int
) -> None:
    setup = {"track": "monaco", "laps": 1, "cars": CARS}
    page = browsers.page(1920, 1080)
    with opened(tmp_path, setup) as (pages, table):
        table.act(play(answers)).result()
        for width, height in ((1920, 1080), (1280, 720)):
            page.screen(width, height)
            for lang, scale in (("en", 1), ("fr", 2)):
                page.open(f"{pages.address}overlay?lang={lang}&scale={scale}")
                page.wait(lambda: page.run(FITTED))
                assert page.run(SCROLLS) == [width, height, width, height]
                there = page.run(SECTIONS)
                assert [one[0] for one in there] == ["order", *(["turn"] if answers == 330 else []), "ruling"]
                for at, (_, left, top, right, bottom, text) in enumerate(there):
                    assert 0 <= left < right <= width
                    assert 0 <= top < bottom <= height
                    assert text.strip()
                    for _, x, y, other, below, _ in there[at + 1 :]:
                        assert right <= x or other <= left or bottom <= y or below <= top
                assert "Driver with the name 9" in there[0][5]
                assert ("Leader" in there[0][5] or "Result" in there[0][5]) == (lang == "en")
                seen = layers(page)
                assert seen.size == (width, height)
                assert seen.getpixel((width - 5, 5)) == (0, 0, 0, 0)
                inside = seen.getpixel((int(there[0][1]) + 8, int(there[0][2]) + 20))
                assert isinstance(inside, tuple)
                assert 200 < inside[3] < 255


def test_the_parts_and_the_scale_are_chosen_in_the_address(tmp_path: Path, browsers: Browsers) -> None:
    page = browsers.page(1920, 1080, "fr")
    with opened(tmp_path) as (pages, table):
        table.act(lambda desk: desk.answer(3, n=0)).result()
        high = []
        for show, scale in (("turn", 1), ("turn", 2), ("ruling,order", 1)):
            page.open(f"{pages.address}overlay?show={show}&lang=en&scale={scale}")
            page.wait(lambda: page.run(FITTED))
            there = page.run(SECTIONS)
            assert {one[0] for one in there} == set(show.split(","))
            high.append(there[0][4] - there[0][2])
        assert high[1] == pytest.approx(2 * high[0], rel=0.02)
        page.open(f"{pages.address}?lang=en")  # a phone keeps the language that was chosen on it
        page.open(f"{pages.address}overlay?show=order&lang=fr")
        assert page.wait(lambda: "Tête" in page.text("#order"))
        assert page.run("return location.search") == "?show=order&lang=fr"


@pytest.mark.parametrize(
    ("query", "said"),
    [
        ("show=typo", "show names parts, with commas between: order,turn,ruling; typo does not."),
        ("show=order,tyop&lang=fr", "order,tyop ne convient pas"),
        ("show=", 'order,turn,ruling; "" does not.'),
        ("scale=", 'scale is a number from 0.25 to 8; "" is not.'),
        ("lang=&lang=", "lang stands in this address more than once"),
        ("show=turn&lang=fr&show=order", "show figure plusieurs fois dans cette adresse"),
        ("lang=de", "lang is en or fr; de is not."),
        ("scale=0.2", "scale is a number from 0.25 to 8; 0.2 is not."),
        ("scale=9&lang=fr", "scale est un nombre de 0,25 à 8"),
        ("scale=nan", "nan is not"),
        ("scale=big", "big is not"),
        ("shows=order", "There is no parameter shows here, only show, lang, scale."),
        ("show=%3Cscript%3Ealert(1)%3C/script%3E", "<script>alert(1)</script> does not."),
    ],
)
def test_what_an_address_says_wrong_is_told_in_place_of_an_empty_picture(
    tmp_path: Path, browsers: Browsers, query: str, said: str
) -> None:
    page = browsers.page(1280, 720)
    with opened(tmp_path) as (pages, _):
        page.open(f"{pages.address}overlay?{query}")
        assert said in page.text("body").replace("\u00a0", " ")


def test_it_follows_again_by_itself_once_a_killed_program_is_there_again(tmp_path: Path, browsers: Browsers) -> None:
    begin_race({"track": "monaco", "laps": 1, "cars": CARS[:3]}, "monaco", tmp_path).close()
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = int(free.getsockname()[1])
    program = Program(tmp_path, port)
    page = browsers.page(1280, 720)
    try:
        page.open(f"{program.watch}overlay")
        page.wait(lambda: page.text("#turn"))
        on_air = layers(page)
        program.kill()
        for _ in range(4):  # long after a phone says that it has no signal
            time.sleep(2)
            assert layers(page).tobytes() == on_air.tobytes()
        with RaceDesk.resume(tmp_path) as desk:
            before = desk.seq
            play(30)(desk)
        program = Program(tmp_path, port)
        page.wait(lambda: page.run("return Number(document.getElementById('page').dataset.seq || 0)") >= before + 30)
        assert layers(page).tobytes() != on_air.tobytes()
    finally:
        program.kill()
