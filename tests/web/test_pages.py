"""The pages: what they show, to whom, in which language; what is taken from them, and what is refused."""

from __future__ import annotations

import gzip
import json
import re
import time
from pathlib import Path
from typing import Any

import msgspec
import pytest

from companion import circuits
from companion.desk import RaceDesk
from companion.desk.ahead import Ahead
from companion.desk.beginning import begin_race
from companion.desk.record_desk import RecordDesk
from companion.desk.session import Session
from companion.drawing.circuit import drawing_of
from companion.drivers.cards import HeuristicCardDriver
from companion.drivers.sensible import HeuristicDriver
from companion.rules.conversation.errors import CompanionError
from companion.rules.rulebooks import begin
from companion.tournament.tournament import Tournament, TournamentBegun
from companion.view.framing import frame_of
from companion.view.phones.phone import driver_page, on_wall, watched
from companion.view.seats.odds import RaceOdds
from companion.view.shown_board import BoardScene
from companion.web import board, server
from companion.web.art import icon
from companion.web.pages import PARTS, Writer
from companion.web.running import Alone, Phones
from companion.web.tokens import Tokens
from companion.wording import Words
from tests.test_protocol import SETUP
from tests.web.pages import NAMES, Phone, Stream, opened

NAMED = {**SETUP, "cars": [{**car, "driver": name} for car, name in zip(SETUP["cars"], NAMES, strict=True)]}


def test_a_spectator_reads_without_a_script_in_his_language_and_no_name_is_markup(tmp_path: Path) -> None:
    with opened(tmp_path, NAMED) as (pages, _):
        phone = Phone(pages)
        for path in ("/", "/wall"):
            english = phone.get(path, Accept_Language="en-GB,fr;q=0.5")
            french = phone.get(path, Accept_Language="fr-CA,en;q=0.8")
            assert '<html lang="en">' in english
            assert '<html lang="fr">' in french
            assert phone.get(f"{path}?lang=en", Accept_Language="fr") == english
            for text in (english, french):
                assert "Ada" in text
                assert "&lt;script&gt;alert(1)" in text
                assert text.count("<script") == 1  # its own
                assert "<svg" in text
                assert not re.search(r"\son\w+=|style=", text)
            assert "No signal" in english
            assert "Pas de réseau" in french
        status, headers, body = phone.ask("GET", "/", Accept_Encoding="gzip")
        policy = headers["content-security-policy"]
        assert "default-src 'none'" in policy
        assert "unsafe" not in policy
        assert "set-cookie" not in headers
        assert headers["referrer-policy"] == "no-referrer"
        files = re.findall(r'(?:src|href)="(/[^"]+\.(?:js|css))"', gzip.decompress(body).decode())
        sizes = [len(phone.ask("GET", path, Accept_Encoding="gzip")[2]) for path in (*files, "/500.woff", "/700.woff")]
        assert status == 200
        assert len(files) == 2
        assert len(body) + sum(sizes) < 60_000
        assert min(_seconds(phone) for _ in range(5)) < 0.3
        manifest = json.loads(phone.get("/drive.webmanifest"))
        assert manifest["start_url"] == "/drive"


def _seconds(phone: Phone) -> float:
    """How long the first page takes."""
    began = time.monotonic()
    phone.get("/")
    return time.monotonic() - began


def test_a_driver_answers_and_every_page_follows(tmp_path: Path) -> None:
    with opened(tmp_path) as (pages, table):
        first, second, anybody = Phone(pages, 1), Phone(pages, 2), Phone(pages)
        assert NAMES[0] not in first.get("/drive")  # nothing before the phone has said who it is
        with first.following() as mine, second.following() as theirs, anybody.following("watch") as seen:
            asked, waits, watched_ = mine.shown(), theirs.shown(), seen.shown()
            assert (asked["state"], waits["state"]) == ("asked", "waiting")
            assert "Choose a gear" in asked["parts"]["ask"]
            assert waits["parts"]["ask"] == ""
            assert set(watched_["parts"]) == set(PARTS["watch"])
            assert second.post("/answer", n=asked["n"], answer=3) == (409, "not_yours")
            assert anybody.post("/answer", n=asked["n"], answer=3) == (401, "token")
            assert first.post("/answer", n=asked["n"] + 1, answer=3) == (409, "stale")
            assert first.post("/answer", n=asked["n"], answer=9)[0] == 409
            assert first.post("/answer", n=asked["n"], answer=3) == (200, "")
            then, other = mine.shown(), seen.shown()
            assert then["n"] == asked["n"] + 1
            assert "Roll" in then["parts"]["ask"]
            assert "board" not in other["parts"] or other["parts"]["board"] != watched_["parts"]["board"]
            assert first.post("/answer", n=asked["n"], answer=3) == (409, "stale")  # twice by two phones
            assert second.post("/undo", n=then["n"]) == (409, "not_yours")
            assert first.post("/undo", n=then["n"]) == (200, "")
            assert mine.shown()["n"] == asked["n"]
            assert first.post("/table", n=asked["n"]) == (200, "")
            assert mine.shown()["state"] == "table"
            assert first.post("/answer", n=asked["n"], answer=3) == (409, "at_table")
            assert Phone(pages, "referee").post("/answer", n=asked["n"], answer=3) == (200, "")
        by = table.see(lambda desk: [item.by for item in desk.history.items]).result()
        assert by == ["table"]


def test_what_comes_late_from_a_phone_answers_no_other_question_of_its_number(tmp_path: Path) -> None:
    with opened(tmp_path) as (pages, table):
        first, other = Phone(pages, 1), Phone(pages, "referee")
        assert other.post("/answer", n=0, answer=3) == (200, "")
        with first.following() as mine:
            mine.shown()

            def late(path: str, **said: Any) -> tuple[int, str]:
                status, _, body = first.ask("POST", path, json.dumps(said).encode(), Last_Event_ID=mine.mark)
                return status, json.loads(body).get("code", "")

            assert other.post("/undo", n=1) == (200, "")
            assert other.post("/answer", n=0, answer=2) == (200, "")
            for path, more in (("/answer", {"answer": 4}), ("/dispute", {"answer": 4}), ("/table", {}), ("/undo", {})):
                assert late(path, n=1, **more) == (409, "asked_anew")
            while mine.shown()["seq"] < 4:
                pass
            assert late("/answer", n=1, answer=4) == (200, "")
        by = table.see(lambda desk: [item.by for item in desk.history.items]).result()
        assert by == ["table", "car 1"]


def test_a_page_that_was_away_is_told_what_it_missed_and_nothing_twice(tmp_path: Path) -> None:
    with opened(tmp_path) as (pages, _):
        driver, phone = Phone(pages, 1), Phone(pages)
        mark = re.search(r'data-mark="([^"]+)"', phone.get("/"))[1]  # type: ignore[index]
        with phone.following("watch", last=mark) as seen:
            assert seen.block() == ": here"
            assert seen.block() == ": still"
            driver.post("/answer", n=0, answer=3)
            assert seen.shown()["seq"] == 2
        driver.post("/answer", n=1, answer=6)
        with phone.following("watch", last=seen.mark) as again:
            back = again.shown()
        assert back["seq"] == 3
        assert set(back["parts"]) == set(PARTS["watch"])


def test_what_an_answer_costs_is_looked_at_before_it_is_accepted(tmp_path: Path) -> None:
    with opened(tmp_path) as (pages, table):
        phone = Phone(pages, 1)
        status, _, body = phone.ask("POST", "/look", json.dumps({"n": 0, "answer": 1}).encode())
        assert status == 200
        card = json.loads(body)["card"]
        assert "data-accept" in card
        assert "Art. 13-4" in card
        assert Phone(pages, 2).post("/look", n=0, answer=1) == (409, "not_yours")
        assert table.see(lambda desk: desk.n).result() == 0


NEW = {"track": "monaco", "cars": [{"car": 1, "driver": "Ada"}, {"car": 2, "driver": "Bob"}]}
SPUN = {**SETUP, "cars": [{**car, "status": "spun"} for car in SETUP["cars"]]}


@pytest.mark.parametrize(
    ("setup", "lang", "told"),
    [
        (SPUN, "en", {"1": "stalls", "2–19": "", "20": "+4"}),
        (NEW, "en", {"1–7": "Rain", "8–12": "Changeable", "13–20": "Sun"}),
        (NEW, "fr", {"1–7": "Pluie", "8–12": "Variable", "13–20": "Soleil"}),
    ],
)
def test_the_black_die_is_asked_by_what_its_faces_bring(
    tmp_path: Path, setup: dict[str, Any], lang: str, told: dict[str, str]
) -> None:
    """A key for each band of faces; the single faces lie behind a tap, and answer as well."""
    with opened(tmp_path, setup) as (pages, table):
        phone = Phone(pages, "referee")
        with phone.following(lang=lang) as seen:
            first, single = seen.shown()["parts"]["ask"].split("<details")
        keys = re.findall(r'data-answer="([^"]+)"><b>([^<]+)</b>(.*?)</button>', first)
        assert {label: re.sub("<[^>]+>", "", more) for _, label, more in keys} == told
        assert re.findall(r'data-answer="(\d+)"', single) == [str(face) for face in range(1, 21)]
        assert phone.post("/answer", n=0, answer=json.loads(keys[1][0])) == (200, "")
        assert table.see(lambda desk: desk.history.items[0].event.answer).result() == json.loads(keys[1][0])


@pytest.mark.parametrize(("lang", "brakes"), [("en", "Brakes"), ("fr", "Freins")])
def test_a_car_is_built_of_its_pools_by_their_names(tmp_path: Path, lang: str, brakes: str) -> None:
    with opened(tmp_path, {**NEW, "sky": "sun"}) as (pages, table):
        driver = HeuristicDriver(circuits.load("monaco"), 1)
        phone = Phone(pages, "referee")
        while (asked := table.see(lambda desk: desk.asked).result()).ask != "setup":  # type: ignore[union-attr]
            answer = table.see(lambda desk: driver.answer(desk.asked, desk.rulebook.race)).result()  # type: ignore[arg-type]
            assert phone.post("/answer", n=asked.n, answer=answer) == (200, "")  # type: ignore[union-attr]
        with phone.following(lang=lang) as seen:
            fields = re.findall(r"<label>.*?</svg> ([^<]+)</label>", seen.shown()["parts"]["ask"])
        assert fields[1] == brakes


def test_a_token_is_shown_again_replaced_and_revoked_at_once(tmp_path: Path) -> None:
    with opened(tmp_path) as (pages, table):
        phone = Phone(pages, 1)
        assert pages.drive(1).endswith(f"#{phone.token}")
        assert len(phone.token) == 22  # 128 bits
        race = table.see(lambda desk: desk.history.log_id).result()
        assert Tokens(tmp_path, race).of(1) == phone.token  # a restart voids none
        assert (tmp_path / "phones.json").stat().st_mode & 0o077 == 0
        with phone.following() as mine:
            mine.shown()
            assert pages.tokens.heard.keys() == {1}
            began = time.monotonic()
            pages.revoke(1)
            while "event: gone" not in mine.block():
                assert time.monotonic() - began < server.PING  # sooner than it is told that nothing is new
        assert phone.post("/answer", n=0, answer=3) == (401, "token")
        again = Phone(pages, 1)
        assert again.token != phone.token
        pages.answering(False)
        assert again.post("/answer", n=0, answer=3) == (409, "at_table")
        pages.answering(True)
        assert again.post("/answer", n=0, answer=3) == (200, "")


def test_the_tokens_of_two_races_lie_in_one_folder(tmp_path: Path) -> None:
    """As where a table has its race open, and `companion phones` another one."""
    one, other = Tokens(tmp_path, "one"), Tokens(tmp_path, "other")
    held = one.of(1)
    kept = other.of(1)
    assert Tokens(tmp_path, "one").seat(held) == 1
    one.revoke(1)
    other.drivers = False
    assert Tokens(tmp_path, "one").seat(held) is None
    assert Tokens(tmp_path, "other").seat(kept) == 1


def test_a_joining_code_works_once_and_another_lets_another_phone_drive(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(server.RATES, "write", FAST)
    with opened(tmp_path) as (pages, _):
        anybody = Phone(pages)
        tokens = pages.tokens
        read, typed = code = tokens.code(1)
        assert len(read) == 22  # 128 bits
        assert pages.joining(code).endswith(f"/drive#{read}")
        void = tokens.code(2)
        again = tokens.code(2)

        def join(code: str) -> tuple[int, str]:
            status, _, body = anybody.ask("POST", "/join", json.dumps({"code": code}).encode())
            return status, str(json.loads(body).get("token", ""))

        assert join(void.read) == join(void.typed) == join("") == (401, "")
        status, first = join(f" {typed[:3].lower()} {typed[3:]}")  # as people type
        assert (status, tokens.seat(first)) == (200, 1)
        assert 1 in tokens.since
        assert join(typed) == join(read) == (401, "")
        assert join(first) == (200, first)
        assert join(tokens.code(1).read) == (200, first)  # a second phone for the car
        assert tokens.seat(join(again.read)[1]) == 2
        pages.revoke(1)
        assert join(first) == (401, "")
        assert [join("ABCDEF")[0] for _ in range(12)][-1] == 429  # who guesses
        assert join(tokens.code(1).read) == (200, tokens.of(1))  # keeps nobody out who knows it


def test_the_sheet_is_taken_home_as_pdf(tmp_path: Path) -> None:
    with opened(tmp_path) as (pages, _):
        status, headers, body = Phone(pages).ask("GET", "/sheet.pdf?lang=fr")
        assert (status, headers["content-type"]) == (200, "application/pdf")
        assert body.startswith(b"%PDF")


def test_a_race_of_a_tournament_has_its_tables_and_standings_beside_it(tmp_path: Path) -> None:
    with RecordDesk.begin(tmp_path, Tournament, TournamentBegun(name="Monaco Cup"), by="Ada") as cup:
        event = {"log": cup.log_id, "race": "1.1"}
    with opened(tmp_path, {**SETUP, "event": event}) as (pages, _):
        phone = Phone(pages)
        assert 'href="/standings?lang=en"' in phone.get("/")
        assert "Monaco Cup" in phone.get("/standings")
        assert "Classement" in phone.get("/standings?lang=fr")
        assert "nothing yet" in phone.get("/tables")  # no round is seeded
    with opened(tmp_path) as (pages, _):
        phone = Phone(pages)
        assert "/standings" not in phone.get("/")
        assert phone.ask("GET", "/standings")[0] == phone.ask("GET", "/tables")[0] == 404


def test_past_rulings_name_the_pools_in_the_order_of_the_dashboard(tmp_path: Path) -> None:
    """In a race that goes on they come from the log, which has them by the alphabet."""
    car = {"car": 1, "driver": "Ada", "at": "2:left:3", "gear": 6, "lap": 1}
    begin_race({"rulebook": "formula-d", "track": "monaco", "to_play": [1], "cars": [car]}, "monaco", tmp_path).close()
    with RaceDesk.resume(tmp_path) as desk:
        desk.answer(2)
    with opened(tmp_path, race=lambda: RaceDesk.resume(tmp_path)) as (pages, _):
        page = Phone(pages).get("/")
    told = page[page.index('id="rulings"') :]
    costs = told[: told.index("down from 6th to 2nd")]
    places = [costs.index(str(icon(pool))) for pool in ("brakes", "gearbox", "engine")]
    assert places == sorted(places)


def test_a_wall_tells_the_places_that_a_ruling_cost_and_a_page_what_brings_another_sky() -> None:
    track = circuits.load("monaco")
    cars = [
        {"car": 1, "at": "2:left:3", "gear": 3, "tyres": "hard"},
        {"car": 2, "at": "2:middle:2", "gear": 3, "tyres": "hard"},
    ]
    setup = {"track": "monaco", "sky": "changeable", "surface": "dry", "to_play": [2, 1], "cars": cars}
    desk = RaceDesk(begin(setup, track), setup=setup)
    session = Session(desk)
    desk.answer(3)
    desk.answer(6)
    assert desk.asked is not None
    desk.answer(next(option.answer for option in desk.asked.options or () if option.wear))
    moved = on_wall(session, "en", {}).moved
    assert moved is not None
    assert (moved.before, moved.after, moved.told) == ("P2", "P1", "passes 1")
    skies = watched(session, "fr").skies
    assert skies is not None
    assert "20 en 5e et 30 en 6e" in skies.when
    assert [name for name, _ in skies.chart] == ["Pluie", "Variable", "Soleil"]
    assert "odds" not in "".join(Writer("en", track, "competition").wall(on_wall(session, "en", {})).values())
    assert "odds" in "".join(Writer("en", track, "competition").wall(on_wall(session, "en", {1: 0.4})).values())


@pytest.mark.parametrize("name", ["monaco", "porto-sereno"])
def test_no_corner_s_name_lies_under_a_plate_or_another_name_on_a_wall(name: str) -> None:
    """However many cars stand beside a corner."""
    track = circuits.load(name)
    corners = tuple((at, corner.name) for at, corner in enumerate(track.corners))
    drawing = drawing_of(track)
    view = board.Projection(drawing, frame_of(drawing, BoardScene(close="overview"), None, 1128, 984), 1128, 984)
    every = board._spots(track, view.frame, 1128, 984, corners, 28)
    for x, y in board._places(view, corners, 28, [], 56):
        crowd = [(x + 30 * at, y) for at in range(3)]
        places = board._places(view, corners, 28, crowd, 56)
        stand = [next(s for s in spots if (s.x, s.y) == at) for spots, at in zip(every, places, strict=True)]
        for at, one in enumerate(stand):
            assert not any(one.meets(*plate, 28, 28) for plate in crowd)
            beside = [other for other in stand[:at] if one.x < other.x + other.wide and other.x < one.x + one.wide]
            assert all(abs(one.y - other.y) > 28 for other in beside)


def test_a_race_without_a_touchscreen_shows_odds_on_its_wall_if_it_may_have_any(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(RaceOdds, "wins", lambda *_: {1: 0.75, 2: 0.25})
    for folder, event in (("alone", {}), ("counts", {"event": {"log": "x", "race": "1.1"}})):
        table = Alone(lambda: begin_race({**SETUP, **event}, "monaco", tmp_path / folder), odds=True)  # noqa: B023
        pages = Phones(table, None, "", "127.0.0.1", 0)
        pages.begin()
        try:
            assert table.has_odds is not bool(event)
            wall = Phone(pages).get("/wall")
            assert ("75" in wall and 'class="odds"' in wall) is not bool(event)
        finally:
            pages.end()
            table.close()


# -- what is refused


def test_what_is_not_sent_by_our_own_page_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with opened(tmp_path) as (pages, table):
        monkeypatch.setitem(server.RATES, "write", FAST)
        phone = Phone(pages, 1)
        good = json.dumps({"n": 0, "answer": 3}).encode()

        def status(body: bytes = good, path: str = "/answer", method: str = "POST", **more: str | None) -> int:
            return phone.ask(method, path, body, **more)[0]

        assert status(Origin="http://evil.example") == 403
        assert status(Origin=None) == 403
        assert status(Sec_Fetch_Site="cross-site") == 403
        assert status(Host="evil.example") == 421
        assert status(Content_Type="text/plain") == 415
        assert status(b'{"n": 0, "answer": "' + b"x" * 5000 + b'"}') == 413
        for body in (b"", b"[]", b"{", b"null", b'{"n": 0, "n": 0, "answer": 3}', b"[" * 3000, b"\xff", b'{"n": true}'):
            assert status(body) == 400
        assert status(b'{"n": 0, "answer": 3, "by": "Ada"}') == 400
        assert status(b'{"n": 0, "answer": {"space": "9:left:9"}}') == 409
        assert status(method="GET") == status(method="PUT") == 404
        assert status(path="/answers") == status(path="/../etc/passwd", method="GET") == 404
        assert status(Authorization="Bearer x") == status(Authorization=None) == 401
        assert phone.ask("GET", "/events?page=admin")[0] == 404
        assert table.see(lambda desk: desk.n).result() == 0
        monkeypatch.setitem(server.RATES, "write", (0.001, 0.0))
        assert status() == 429  # too many a second
        assert phone.ask("POST", "/answer", good)[1]["retry-after"] == "1"
        assert "Trop de demandes" in phone.ask("POST", "/answer", good, Accept_Language="fr")[2].decode()
        monkeypatch.setitem(server.RATES, "write", FAST)
        refused = [status(Authorization="Bearer x") for _ in range(12)]
        assert refused[-1] == 429  # who guesses
        monkeypatch.setattr(server, "STREAMS_OF_ONE", 0)
        assert phone.ask("GET", "/events?page=watch")[0] == 503


@pytest.mark.parametrize(
    ("lang", "host", "there"),
    [
        ("en", "These pages are at {}; open them there.", "There is no such page; go back to {}."),
        ("fr", "Ces pages se trouvent à {}\u00a0; ouvrez-les là.", "Cette page n’existe pas\u00a0; revenez à {}."),
    ],
)
def test_who_opens_what_is_not_there_reads_on_a_page_where_to_go(
    tmp_path: Path, lang: str, host: str, there: str
) -> None:
    with opened(tmp_path) as (pages, _):
        phone, accepts = Phone(pages), {"Accept": "text/html,*/*;q=0.8", "Accept_Language": lang}
        told = {"/": (421, host, {"Host": f"table-4.example:{pages.port}"}), "/races": (404, there, {})}
        for path, (status, sentence, more) in told.items():
            got, headers, page = phone.ask("GET", path, **accepts, **more)
            assert (got, headers["content-type"]) == (status, "text/html; charset=utf-8")
            assert f"<p>{sentence.format(pages.address)}</p>" in page.decode()
            assert f'href="{pages.address}"' in page.decode()
            assert "script" not in page.decode()


def test_a_port_that_is_taken_is_told(tmp_path: Path) -> None:
    with opened(tmp_path) as (pages, table), pytest.raises(CompanionError) as wrong:
        Phones(table, None, "", pages.host, pages.port).begin()
    assert str(wrong.value) == f"Port {pages.port} of {pages.host} cannot be had: another program uses it."
    assert Words("fr").error(wrong.value).endswith("un autre programme s’en sert.")


# -- every question of every rulebook


FAST = (1e6, 1e6)
SETUPS: dict[str, tuple[str, dict[str, Any]]] = {
    "competition": ("monaco", {}), "cup": ("porto-sereno", {}), "league": ("copper-basin", {}),
    "death": ("porto-sereno", {"deck": 5}), "ninety": ("saltmarsh", {"deck": 7}),
}  # fmt: skip


@pytest.mark.parametrize("name", SETUPS)
def test_every_question_of_a_race_has_its_page_in_both_languages(name: str) -> None:
    """And what is not for a seat is not on its page."""
    track_key, more = SETUPS[name]
    track = circuits.board(track_key)
    cars = [{"car": number, "driver": driver} for number, driver in ((7, "Ada"), (9, "Ben & <b>"), (31, "Chloé"))]
    book: Any = begin({"rulebook": name, "track": track_key, "cars": cars, **more}, track)
    driver = HeuristicCardDriver(track, 3) if name == "ninety" else HeuristicDriver(track, 3)  # type: ignore[arg-type]
    desk = RaceDesk(book)
    session, ahead = Session(desk), Ahead(desk)
    writers = {lang: Writer(lang, track, name) for lang in ("en", "fr")}
    asks: dict[str, int] = {}
    for _ in range(260):
        asked = desk.asked
        if asked is None:
            break
        matter = f"{asked.ask} {asked.what.rstrip('0123456789')}"
        known = asks[matter] = asks.get(matter, 0) + 1
        if known <= 2:
            for lang in ("en", "fr") if known == 1 else ("en",):
                mine = driver_page(session, lang, asked.car or "referee", ahead)
                html = writers[lang].drive(mine)
                assert mine.state == "asked"
                assert "<button" in html["ask"] or "note" in html["ask"], asked
                assert "<b>," not in "".join(html.values())
                anybody = watched(session, lang)
                assert "".join(writers[lang].watch(anybody).values())
                assert "".join(writers[lang].wall(on_wall(session, lang, {7: 0.5})).values())
                other = driver_page(
                    session, lang, next(car.number for car in book.race.cars if car.number != asked.car), ahead
                )
                assert other.prompt is None or asked.car is None
                hands = [code for car in book.race.cars for code in getattr(car, "hand", ())]
                told = msgspec.json.encode(anybody).decode()
                if name == "ninety" and asked.ask == "play":
                    assert not [code for code in hands if f'"{code}"' in told and code not in str(desk.history.items)]
        desk.answer(driver.answer(asked, book.race))
    assert len(asks) > 4


def test_a_race_is_driven_to_its_end_by_phones(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each car answers from its own token; what no driver is asked the table's phone answers."""
    monkeypatch.setitem(server.RATES, "write", FAST)
    cars = [{"car": 7, "driver": "Ada"}, {"car": 9, "driver": "Ben"}]
    setup = {"track": "monaco", "laps": 1, "sky": "sun", "cars": cars}
    with opened(tmp_path, setup) as (pages, table):
        driver = HeuristicDriver(circuits.load("monaco"), 1)
        phones = {seat: Phone(pages, seat) for seat in (7, 9, "referee")}
        assert isinstance(table, Alone)
        for _ in range(600):
            asked = table.see(lambda desk: desk.asked).result()
            if asked is None:
                break
            answer = table.see(lambda desk: driver.answer(desk.asked, desk.rulebook.race)).result()
            seat = asked.car if asked.car is not None else "referee"
            given = json.dumps({"n": asked.n, "answer": answer}).encode()
            status, _, told = phones[seat].ask("POST", "/answer", given)
            assert status == 200, asked
            assert json.loads(told) == {"n": table.see(lambda desk: desk.n).result()}  # whatever went by itself
        assert "The race is over" in Phone(pages).get("/wall")
        assert table.see(lambda desk: {item.by for item in desk.history.items}).result() >= {"car 7", "car 9"}


def test_a_dispute_calls_the_table_and_a_ruling_that_was_given_is_disputed_by_its_own_driver(tmp_path: Path) -> None:
    with opened(tmp_path) as (pages, table):
        first, second = Phone(pages, 1), Phone(pages, 2)
        with first.following() as mine:
            mine.shown()
            assert second.post("/dispute", n=0, answer=1) == (409, "not_yours")
            assert first.post("/dispute", n=1, answer=1) == (409, "stale")
            assert first.post("/dispute", n=0, answer=1) == (200, "")
            there = mine.shown()
            assert there["state"] == "table"
            assert "Disputed: the table decides" in there["parts"]["ask"]
        assert first.post("/answer", n=0, answer=3) == (409, "at_table")
        assert Phone(pages, "referee").post("/answer", n=0, answer=1) == (200, "")
        seq = table.see(lambda desk: desk.seq).result()
        assert second.post("/doubt", n=1, seq=seq) == (409, "not_yours")
        assert first.post("/doubt", n=1, seq=99) == (409, "not_yours")
        assert first.post("/doubt", n=1, seq=seq) == (200, "")
        assert table.see(lambda desk: [about for about, _ in desk.open_disputes()]).result() == [seq]
        with first.following() as mine:
            assert "1 disputed" in mine.shown()["parts"]["top"]
        for path in ("/", "/wall"):  # an open dispute is nothing for whoever only watches
            assert "disputed" not in Phone(pages).get(path)
        noted = table.see(lambda desk: [(one.kind, one.by) for one in desk.history.said]).result()
        assert noted == [("note", "car 1"), ("dispute", "car 1")]


def test_every_page_follows_the_referee_s_word(tmp_path: Path) -> None:
    """Also while it is what was done last, and nobody has answered since."""
    with opened(tmp_path) as (pages, table):
        phone, anybody = Phone(pages, 1), Phone(pages)
        with phone.following() as mine, anybody.following("watch", lang="fr") as seen:
            mine.shown()
            seen.shown()
            change = {"car": 1, "wear": {"tyres": 2}}
            table.act(lambda desk: desk.override(change, by="Eve", why="slip") and None).result()
            assert (told := mine.shown())["last"] == "Override"
            assert told["seq"] == seen.shown()["seq"] == 2
        assert NAMES[0] in anybody.get("/")
        assert phone.post("/look", n=1, answer=1) == (200, "")
        assert phone.post("/answer", n=1, answer=3) == (200, "")


def test_pages_are_told_of_the_shot_clock_and_of_no_prices(tmp_path: Path) -> None:
    with opened(tmp_path) as (pages, _):
        pages.clock(24, 60, False)
        with Phone(pages, 1).following() as mine:
            asked = mine.shown()
            assert "t-ok" in asked["parts"]["ask"]
            told = _clock(mine)
            assert told == {"left": pytest.approx(24, abs=2), "of": 60, "paused": False}
            pages.clock(23, 60, False)  # as it was to be expected: nobody is told
            pages.clock(23, 60, True)
            assert _clock(mine)["paused"]
            pages.follow("never")
            assert "t-ok" not in mine.shown()["parts"]["ask"]


def _clock(stream: Stream) -> dict[str, Any]:
    """What a page is told next of the shot clock."""
    while not (block := stream.block()).startswith("event: clock"):
        assert block in (": here", ": still")
    return dict(json.loads(block.partition("data: ")[2]))


@pytest.mark.parametrize(("lang", "said"), [("en", "The program drives your car: club"),
                                            ("fr", "Le programme conduit votre voiture\u00a0: club")])  # fmt: skip
def test_a_driver_whose_seat_the_program_has_is_told_so_and_asked_nothing(lang: str, said: str) -> None:
    """On his turn and off it, until the seat is his again."""
    track = circuits.load("monaco")
    desk = RaceDesk(begin({"track": "monaco", "cars": [
        {"car": 1, "at": "1:left:1", "gear": 3}, {"car": 2, "at": "1:right:1", "gear": 2},
    ], "to_play": [1, 2]}, track))  # fmt: skip
    session, ahead, writer = Session(desk), Ahead(desk), Writer(lang, track, "competition")
    asked = desk.asked
    assert asked is not None
    assert asked.car == 1
    for seat in (1, 2):
        desk.hand_over(seat, "club")
        shown = driver_page(session, lang, seat, ahead)
        page = writer.drive(shown)
        assert (shown.state, shown.prompt, page["ask"]) == ("driven", None, "")
        assert said in page["head"]
        assert "data_table" not in page["foot"]
        desk.hand_over(seat, "")
    assert driver_page(session, lang, 1, ahead).state == "asked"
    assert driver_page(session, lang, 2, ahead).state == "waiting"
