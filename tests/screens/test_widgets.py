"""Every component, on both panels, in both looks and both languages: whole, apart, readable, large enough."""

from __future__ import annotations

import ast
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import kivy
import pytest

from companion import screens

if TYPE_CHECKING:
    from tests.screens.rig import Rig

QUESTIONS = ("gear", "roll", "ten", "black", "landing", "words")


def checked(rig: Rig, widget: Any, look: str, language: str, *place: float) -> Any:
    """A widget shown, and audited."""
    from companion.screens.kit.theme import theme
    from tests.screens.audit import audit

    theme.look, theme.language = look, language
    rig.show(widget, *place)
    assert audit(widget) == []
    return widget


@pytest.mark.parametrize("question", QUESTIONS)
def test_the_race_frame_is_sound(panel: Rig, language: str, question: str) -> None:
    from companion.screens.gallery.gallery import RaceFrame
    from tests.screens.audit import in_both_looks, marks

    frame = checked(panel, RaceFrame(question, ruling=question == "landing"), "dark", language)
    assert in_both_looks(frame) == []
    assert len([seen for seen in marks(frame) if seen.mark.kind == "text"]) > 30


@pytest.mark.parametrize("density", [1.0, 1.5])
def test_the_gallery_is_sound(rig: Rig, language: str, density: float) -> None:
    from companion.screens.gallery.gallery import SHEET, Gallery
    from tests.screens.audit import in_both_looks

    rig.window((round(SHEET[0] * density), round(SHEET[1] * density)), density)
    gallery = checked(rig, Gallery(), "dark", language)
    assert in_both_looks(gallery) == []


@pytest.mark.parametrize("density", [1.0, 1.5])
def test_the_sheet_of_colours_is_sound(rig: Rig, look: str, language: str, density: float) -> None:
    from companion.screens.gallery.colour_sheet import SHEET, Colours
    from companion.screens.kit.theme import theme
    from tests.screens.audit import marks

    rig.window((round(SHEET[0] * density), round(SHEET[1] * density)), density)
    theme.look, theme.language = look, language
    sheet = rig.show(Colours())
    assert [seen.mark.text for seen in marks(sheet) if seen.mark.kind == "text" and not seen.mark.whole] == []


def test_a_stop_on_a_key_is_green(rig: Rig, look: str) -> None:
    from companion.screens.gallery.gallery import RaceFrame
    from companion.screens.kit.theme import theme
    from tests.screens.audit import marks

    frame = checked(rig, RaceFrame("landing"), look, "en")
    tones = {seen.mark.text: seen.mark.colour for seen in marks(frame)}
    assert tones["Stop 2/2"] == theme.hex("ok")
    assert tones["Over 1"] == theme.hex("hi")


def test_look_and_language_change_while_it_is_shown(rig: Rig) -> None:
    from companion.screens.gallery.gallery import RaceFrame
    from companion.screens.kit.theme import theme
    from tests.screens.audit import audit, marks

    frame = rig.show(RaceFrame("roll"))
    before = rig.pixels()
    theme.look, theme.language = "daylight", "fr"
    rig.settle()
    texts = {seen.mark.text for seen in marks(frame)}
    assert {"Annuler", "Tour"} <= texts
    assert "Undo" not in texts
    assert audit(frame) == []
    assert rig.pixels() != before
    theme.look, theme.language = "dark", "en"
    rig.settle()
    assert rig.pixels() == before


def rows(count: int, names: tuple[str, ...] = ("",), playing: int = 0) -> Any:
    """A running order of so many cars."""
    from companion.view.shown import Plate, Row

    return tuple(
        Row(
            position=place + 1,
            plate=Plate(number=99 - place, place=place),
            code=names[place % len(names)][:3].upper(),
            name=names[place % len(names)],
            gear="G4",
            lap="L12",
            gap="Leader" if place == 0 else f"+{place * 40}",
            playing=place == playing,
        )
        for place in range(count)
    )


def test_of_twenty_cars_the_one_that_plays_is_third(panel: Rig, look: str) -> None:
    from companion.screens.kit.order_strip import OrderStrip

    strip = OrderStrip(on_tap=lambda: None)
    strip.show(rows(20, ("Ån", "Œuf", "Дима", "山田", ""), playing=12))
    checked(panel, strip, look, "en", 0, 48, 200, 272)
    assert len(strip.visible()) == 10
    assert strip.visible()[2].playing
    strip.show(rows(20, playing=19))
    assert strip.visible()[-1].position == 20
    strip.show(rows(1))
    assert len(strip.visible()) == 1


NAMES = (
    "",
    "Alexandra-Wilhelmina von Hohenlohe",
    "Šćepán Ødegård-Łukasiewicz Ñandú",
    "Κωνσταντίνος Παπαδόπουλος",
    "Владимир Константинопольский",
    "山田太郎",
)


@pytest.mark.parametrize("name", NAMES)
def test_a_dashboard_for_every_name(panel: Rig, look: str, name: str) -> None:
    import msgspec

    from companion.screens.gallery import gallery
    from companion.screens.kit.dashboard import DashboardView

    shown = DashboardView(on_tap=lambda: None)
    shown.show(msgspec.structs.replace(gallery.board(), name=name, position="P20"))
    checked(panel, shown, look, "fr", 586, 48, 214, 272)


def test_a_dashboard_of_another_game(panel: Rig, look: str) -> None:
    """One pool of twenty points, eight gears, no extras; and then a small one."""
    from companion.screens.kit import dashboard
    from companion.view.shown import Column, Dashboard, GearCell, Plate

    shown = dashboard.DashboardView()
    gears = tuple(GearCell(gear=gear, state="allowed", word="−1", tone="warn") for gear in range(1, 9))
    column = Column(pool="body", name="Body", built=20, left=9, cost=3)
    shown.show(Dashboard(plate=Plate(number=1, place=13), name="Ada", gears=gears, columns=(column,)))
    checked(panel, shown, look, "en", 586, 48, 214, 272)
    shown.show(Dashboard(plate=Plate(number=1, place=13), name="Ada"))
    checked(panel, shown, look, "en", 586, 48, 214, 272)


def answers(count: int, label: str = "") -> Any:
    """So many answers."""
    from companion.view.shown import AnswerKey, Price

    price = (Price(icon="tyres", text="−4", tone="warn"),)
    return tuple(
        AnswerKey(answer=place, label=label or "ABCDEFGHIJKLMNOPQRST"[place], note="Over 2", prices=price)
        for place in range(count)
    )


@pytest.mark.parametrize("layout", ["landing", "keys", "list", "die"])
@pytest.mark.parametrize("count", [0, 1, 2, 5, 9, 17])
def test_any_number_of_answers_has_room(panel: Rig, layout: Any, count: int) -> None:
    """Those that have no room at once come one page later."""
    from companion.screens.kit.band import height
    from companion.screens.kit.prompt_band import PromptBand
    from companion.screens.kit.theme import theme
    from companion.view.shown import Prompt
    from tests.screens.audit import marks

    band = PromptBand(print)
    prompt = Prompt(key="q", n=1, title="Choose something", layout=layout, keys=answers(count))
    band.show(prompt)
    high = height(prompt)
    checked(panel, band, "dark", "en", 0, 480 - high, None, high)
    seen: set[str] = set()
    for page in range(count + 1):
        band.rows.reveal(page)
        panel.settle()
        seen |= {seen.mark.text for seen in marks(band)}
        following = [key for key in band.keys if key.face.icon == "forward"]
        if not following and not band.rows.shown:
            break
        if following:
            panel.tap(following[0])
    assert {key.label for key in answers(count)} <= seen
    assert theme.say("undo") in seen


@pytest.mark.parametrize("count", [4, 6])
def test_beside_a_card_landings_have_keys_with_every_figure_of_their_costs(
    panel: Rig, language: str, count: int
) -> None:
    """As in the race's frame: a card of 252 dp at the right, and the menu in the bar above."""
    from companion.screens.kit.prompt_band import PromptBand
    from companion.view.shown import AnswerKey, Price, Prompt
    from tests.screens.audit import marks

    dear = tuple(Price(icon=pool, text=f"−{points}", tone="warn") for points, pool in enumerate(("tyres", "brakes"), 1))
    note = {"en": "Blocked 2", "fr": "Voie stands"}[language]
    letters, seen_at_once = "ABCDEF"[:count], 4
    note = note if count == 4 else "Over 1"
    keys = tuple(AnswerKey(answer=at, label=letters[at], note=note, prices=dear, accept=True) for at in range(count))
    band = PromptBand(print)
    band.show(Prompt(key="q", n=1, title="Choose a space", layout="landing", keys=keys, chosen=0))
    checked(panel, band, "dark", language, 0, 320, 548, 160)
    texts = [seen.mark.text for seen in marks(band) if seen.mark.kind == "text"]
    assert [letter for letter in letters if letter in texts] == list(letters[:seen_at_once])
    assert (texts.count("−1"), texts.count("−2")) == (seen_at_once, seen_at_once)
    assert "more" not in band.made
    if count > 4:
        panel.tap(band.keys[-1])
        panel.settle()
        texts = [seen.mark.text for seen in marks(band) if seen.mark.kind == "text"]
        assert [letter for letter in letters if letter in texts] == ["A", "E", "F"], "what Accept applies is seen"
        panel.tap(band.keys[-1])
        panel.settle()
        assert [key.face.label for key in band.keys[:-1]] == ["A", "B", "C", "D"]
        assert band.keys[0].face.chosen


@pytest.mark.parametrize("count", [8, 10, 16, 27])
def test_many_short_answers_are_white_keys_in_two_rows(panel: Rig, look: str, count: int) -> None:
    from companion.screens.kit import band as bands
    from companion.screens.kit.prompt_band import PromptBand
    from companion.view.shown import AnswerKey, Plate, Prompt

    keys = (
        AnswerKey(answer=0, label="Stand 1", why="pris par 14", plate=Plate(number=14, place=2)),
        *(AnswerKey(answer=n, label="Missiles à tête chercheuse", note="1–20 devant") for n in range(1, count)),
    )
    prompt = Prompt(key="q", n=1, title="Quelle carte ?", layout="list", keys=keys)
    band, high = PromptBand(print), bands.height(prompt)
    band.show(prompt)
    checked(panel, band, look, "fr", 0, 480 - high, None, high)
    assert high < bands.BAND_LIST
    assert len(band.keys) == min(count, bands.GRID)
    assert [key.face.look for key in band.keys[:2]] == ["barred", "answer"]
    assert band.keys[0].face.plate is not None
    assert len({key.y for key in band.keys}) == 2


def test_a_code_of_three_wide_signs_is_whole_in_the_running_order(panel: Rig) -> None:
    from companion.screens.kit.order_strip import OrderStrip
    from companion.view.shown import Plate, Row
    from tests.screens.audit import marks

    row = Row(position=1, plate=Plate(number=27, place=7), code="김민수", name="", gear="G3", lap="L1", gap="+13")
    strip = OrderStrip()
    strip.show((row,))
    checked(panel, strip, "dark", "en", 0, 48, 200, 272)
    seen = [one.mark for one in marks(strip) if one.mark.text == "김민수"]
    assert [mark.whole for mark in seen] == [True]
    assert {"G", "3", "+13"} <= {one.mark.text for one in marks(strip)}


def test_the_order_of_a_turn_keeps_who_is_asked_where_it_is_cut(panel: Rig, look: str, language: str) -> None:
    """Also where others come first who have not played yet, as in a contest."""
    from companion.screens.kit.prompt_band import TurnOrder
    from companion.view.shown import InTurn, Plate

    order = TurnOrder()
    order.show(tuple(InTurn(plate=Plate(number=n, place=n), state="now" if n == 7 else "to_come") for n in range(10)))
    checked(panel, order, look, language, 12, 320, 160, 54)
    said = [mark.text for mark in order.marks if mark.kind == "text"]
    assert "7" in said
    plates = [text for text in said if text.isdigit()]
    assert f"+{10 - len(plates)}" in said


def test_damage_for_good_stands_beside_the_figure(panel: Rig, look: str, language: str) -> None:
    """The lock lies on no part of it, however narrow the counter is."""
    from companion.screens.kit.counters import Counters
    from companion.view.shown import Counter

    damage = Counter(icon="damage", label="Damage", value=4, of=5, kept=2, tone="warn")
    for wide in (232, 340):
        counters = Counters()
        counters.show((damage, damage, damage))
        checked(panel, counters, look, language, 12, 100, wide, 76)
        ends = [mark.x + mark.w for mark in counters.marks if mark.kind == "text" and mark.text == "/5"]
        locks = [mark.x for mark in counters.marks if mark.kind == "icon" and mark.y > 38]
        assert len(ends) == len(locks) == 3
        assert all(lock > end for end, lock in zip(ends, locks, strict=True)), (ends, locks)


def test_a_question_never_seen_before(panel: Rig, look: str, language: str) -> None:
    """A long title, long words on its keys, no plate, nothing to undo."""
    from companion.screens.kit.prompt_band import PromptBand
    from companion.view.shown import AnswerKey, Price, Prompt, Step

    keys = (
        AnswerKey(answer=1, label="Spend a joker token", note="2 left", prices=(Price(text="free", tone="ok"),)),
        AnswerKey(answer=2, label="Carrosserie", prices=(Price(icon="body", text="−1 carrosserie", tone="warn"),)),
        AnswerKey(label="Rien", why="No points are left for that."),
    )
    steps = tuple(Step(label=f"Step number {n}", state="done", back=9 - n) for n in range(9))
    title = "Which of the many things that may be done here now is to be done?"
    band = PromptBand(print, offers=())
    band.show(Prompt(key="new", n=1, title=title, unit="now 5th", layout="keys", keys=keys, trail=steps))
    checked(panel, band, look, language, 0, 320, None, 160)


def test_a_form_has_room_for_every_field(panel: Rig, look: str, language: str) -> None:
    from companion.screens.kit.band import height
    from companion.screens.kit.prompt_band import PromptBand
    from companion.view.shown import AnswerKey, Field, Prompt

    fields = (
        Field(name="overshot", label="Overshot", value=2, low=0, high=20),
        Field(name="braked", label="Brakes", icon="brakes", low=0, high=3),
        Field(
            name="lane",
            label="Lane",
            kind="choice",
            value=1,
            keys=(AnswerKey(answer=1, label="In"), AnswerKey(label="Out")),
        ),
        Field(name="who", label="Driver", kind="text", value="Ada"),
    )
    prompt = Prompt(key="form", n=1, title="What was seen?", layout="form", fields=fields)
    band = PromptBand(print)
    high = height(prompt)
    band.show(prompt)
    checked(panel, band, look, language, 0, 480 - high, None, high)


@pytest.mark.parametrize(("losses", "sums"), [(0, 0), (1, 1), (3, 1), (2, 2), (6, 3)])
def test_a_card_never_writes_over_its_keys(panel: Rig, look: str, losses: int, sums: int) -> None:
    from companion.screens.gallery.gallery import POOLS
    from companion.screens.kit.ruling_card import RulingCard
    from companion.view.shown import Card, CardLine, Loss, Term

    line = CardLine(text="The car stands across the track and starts again in first gear.", icon="flag", tone="bad")
    card = Card(
        title="A collision that nobody saw coming, with two cars",
        article="13-4, 13-5",
        icon="crash",
        tone="bad",
        sums=((Term(value="12", word="spaces"), Term(value="×"), Term(value="3", word="tendres"), Term(value="= −36")),)
        * sums,
        losses=tuple(Loss(pool=pool, name=pool, built=14, before=9, after=0) for pool in POOLS[:losses]),
        lines=(line,) * 3,
        accept="Retire the car",
        act="out of the race · −36 tyres",
    )
    shown = RulingCard(print)
    shown.show(card)
    checked(panel, shown, look, "en", 548, 48, 252, 432)
    shown = RulingCard(print)
    shown.show(Card(title="Blocked", article="9-1", seq=4))
    checked(panel, shown, look, "fr", 548, 48, 252, 432)


def test_a_long_toast_has_two_lines(panel: Rig, look: str) -> None:
    from companion.screens.kit.toast import ToastView
    from companion.view.shown import Toast as Shown

    toast = ToastView(print)
    text = "Le journal n’a pas pu être écrit : la carte est pleine"
    toast.show(Shown(text=text, tone="bad", icon="storage", action="export", action_label="Exporter"))
    checked(panel, toast, look, "fr", 206, 252, 388, 60)


@pytest.mark.parametrize("lang", ["en", "fr"])
def test_a_toast_says_a_whole_sentence_of_three_lines(panel: Rig, lang: str) -> None:
    from companion.rules.conversation.errors import LogError
    from companion.screens.kit.toast import ToastView
    from companion.view.shown import Toast as Shown
    from companion.wording import Words

    wrong = LogError("held.race", race="Club night", program="companion race", pid="16149", since="08:40")
    toast = ToastView()
    toast.show(Shown(text=Words(lang).error(wrong), tone="bad", icon="triangle"))
    checked(panel, toast, "dark", lang, 200, 250, 388, 60)


def test_a_toast_has_room_and_time_for_all_of_a_long_sentence(panel: Rig) -> None:
    from companion.screens.kit.toast import HIGH, SECONDS, ToastView
    from companion.view.shown import Toast as Shown

    gone: list[int] = []
    toast = ToastView(on_gone=lambda: gone.append(1))
    toast.show(Shown(text="The disk is full.", tone="bad", icon="storage"))
    assert toast.high == HIGH
    panel.stall(SECONDS)
    panel.settle(1)
    assert gone == [1]
    text = "The race goes on in memory until there is room on the card; " * 4
    toast.show(Shown(text=text.strip(), tone="bad", icon="storage", action="export", action_label="Export"))
    assert toast.high > HIGH
    panel.stall(2 * SECONDS)
    panel.settle(1)
    assert gone == [1]
    checked(panel, toast, "dark", "en", 200, 200, 388, round(toast.high))
    assert text.strip() in " ".join(mark.text for mark in toast.marks)


def test_marks_that_stay_have_room_in_the_top_bar(panel: Rig, look: str, language: str) -> None:
    import msgspec

    from companion.screens.gallery import gallery
    from companion.screens.kit.shot_clock import ShotTime
    from companion.screens.kit.theme import theme
    from companion.screens.kit.top_bar import TopBarView
    from companion.view.shown import Price

    theme.language = language
    marks = (Price(text="3 not saved", icon="storage", tone="bad"), Price(text="1 disputed", icon="flag", tone="info"))
    bar = TopBarView(print)
    bar.show(msgspec.structs.replace(gallery.bar(), marks=marks))
    bar.tell(ShotTime(left=-75, of=60))
    checked(panel, bar, look, language, 0, 0, None, 48)


def test_a_thousand_rows_are_few_widgets(panel: Rig, look: str) -> None:
    from companion.screens.kit.rows import Rows, RowView

    class Name(RowView):
        def draw(self, pen: Any, shown: str) -> None:
            pen.text(shown, 12, pen.h / 2, 18)

    told: list[int] = []
    listed = Rows(Name, on_row=told.append)
    listed.show([f"Row {n}" for n in range(1000)])
    checked(panel, listed, look, "en", 0, 48, 300, 312)
    assert len(listed.children[0].children) < 12
    panel.tap(50, 48 + 52 + 20)
    panel.wait(0.3)
    assert told == [1]
    listed.reveal(500)
    panel.settle(5)
    assert any(row.shown == "Row 500" for row in listed.children[0].children)
    panel.drag((50, 300), (50, 100))
    assert told == [1]


def test_a_row_is_revealed_as_soon_as_it_is_there(rig: Rig) -> None:
    from companion.screens.kit.rows import Rows, RowView
    from tests.screens.rig import rows_of

    rows = rig.show(Rows(RowView, high=52), 180, 48, 299, 260)
    rows.show(range(40))
    rows.reveal(30)
    rig.settle(6)
    seen = {row.index: row.to_window(*row.pos)[1] for row in rows_of(rows)}
    assert seen[28] + 52 == pytest.approx(rows.top), "a whole row stands at the top"
    assert rows.y <= seen[30]


def test_a_list_that_has_become_short_stands_at_its_top_at_once(rig: Rig) -> None:
    from companion.screens.kit.rows import Rows, RowView
    from tests.screens.rig import row_of

    rows = rig.show(Rows(RowView), 180, 48, 299, 260)
    rows.show(range(20))
    rig.settle(3)
    rows.scroll_y = 0.0
    rig.settle(3)
    for many in (2, 3):
        rows.show(range(many))
        rig.settle(3)
        first = row_of(rows, 0)
        assert first.to_window(*first.center)[1] == rows.top - 26


def test_a_line_that_is_touched_before_it_is_drawn_waits(rig: Rig) -> None:
    from companion.screens.kit.writing import Writing
    from tests.screens.rig import Finger

    line = Writing()
    line.line.pos, line.line.size = (0, 0), (300, 52)
    finger = Finger(20, 20)
    assert not line.line.on_touch_down(finger)
    assert not line.line.focus


def test_a_line_joins_and_orders_its_letters_while_they_are_written(rig: Rig) -> None:
    from companion.drawing import lettering
    from companion.screens.kit.writing import Writing
    from companion.view.shown import Field

    line = rig.show(Writing(), 20, 20, 300, 80)
    for text, drawn in (("Zoé", False), ("محمد علي", True), ("देवदत्त 7", True), ("山田", True), ("", False)):
        line.show(Field(name="name", label="Name", kind="text", value=text))
        rig.settle()
        for focus in (False, True):
            line.line.focus = focus
            rig.settle()
            assert (text in [mark.text for mark in line.marks if mark.kind == "text"]) is drawn, text
            assert (line.line.foreground_color[3] == 0) is drawn, "only one of the two is seen"
    ends = {text: lettering.ends_at_the_left(text) for text in ("محمد", "محمد 3", "Ali محمد", "محمد Ali", "3", "")}
    assert ends == {"محمد": True, "محمد 3": True, "Ali محمد": True, "محمد Ali": False, "3": False, "": False}


@pytest.mark.parametrize("count", [2, 6])
def test_the_bands_of_a_die_are_read_whole(panel: Rig, look: str, count: int) -> None:
    from companion.screens.kit.prompt_band import PromptBand
    from companion.view.shown import AnswerKey, Plate, Price, Prompt
    from tests.screens.audit import marks

    keys = tuple(
        AnswerKey(answer=[at, at + 8], label=f"{at}–{at + 8}", prices=(Price(icon="handling", text="−1 tenue"),))
        for at in range(3, 3 + count)
    )
    title = "Test de tenue de route : noir"
    band = PromptBand(print)
    band.show(Prompt(key="t", n=1, title=title, layout="bands", keys=keys, plate=Plate(number=31, place=2), chosen=1))
    checked(panel, band, look, "fr", 0, 320, None, 160)
    texts = [one.mark.text for one in marks(band) if one.mark.whole]
    assert {title, *(key.label for key in keys)} <= set(texts)


@pytest.mark.parametrize("defences", ["Heavy Armour (Front) · Jammer", "Blindage lourd avant · Brouilleur"])
def test_what_a_target_carries_against_a_shot_is_read_whole(panel: Rig, look: str, defences: str) -> None:
    from companion.screens.race.attack import AimPanel
    from companion.view.shown import CardLine, Column, Plate
    from companion.view.shown_race import ActionOutcome
    from tests.screens.audit import marks

    aim = AimPanel()
    lines = tuple(CardLine(text="4", icon=word) for word in ("Portée", "Dégâts", "Jetons posés", "En vue"))
    column = Column(pool="points", name="Points", built=18, left=16)
    aim.show(
        ActionOutcome(plate=Plate(number=22, place=1), name="Olga", where="4 derrière", lines=lines, big="1–8",
                      chance="touche, 40 %", columns=(column,), defences=defences)
    )  # fmt: skip
    checked(panel, aim, look, "fr", 595, 48, 205, 272)
    texts = [one.mark for one in marks(aim) if one.mark.kind == "text"]
    assert all(mark.whole for mark in texts)
    assert " ".join(defences.split()) in " ".join(mark.text for mark in texts)
    assert "16" in [mark.text for mark in texts]


def test_what_each_weapon_does_is_read_whole_in_its_line(rig: Rig, language: str) -> None:
    from companion.rules.death.cards import of_kind
    from companion.screens.kit.theme import theme
    from companion.screens.race.attack import TEXT, WeaponText
    from companion.view.race.attack import does
    from companion.view.sight import Sight
    from tests.screens.audit import marks
    from tests.view.watched import a_desk

    theme.language, line = language, WeaponText()
    sight = Sight(a_desk("monaco", rulebook="death"), theme.words)
    said = [does(sight, card.key) for card in of_kind("weapon")]
    assert len(set(said)) > 12
    for text in said:
        line.show(text)
        rig.show(line, 0, 48, 381, TEXT)
        assert [(one.mark.text, one.mark.whole) for one in marks(line) if one.mark.kind == "text"] == [(text, True)]


def test_undo_is_one_word_beside_all_that_it_takes_back(rig: Rig, language: str) -> None:
    """On the narrowest key, with a legend: the pictogram gives way, the word does not break."""
    from companion.screens.kit.key import Key, undo_face
    from companion.screens.kit.theme import theme
    from companion.view.shown import Price, Undo
    from tests.screens.audit import marks

    theme.language, key = language, Key()
    key.show(undo_face(Undo(label="22", prices=(Price(text="−1", icon="cards", tone="warn"),))))
    rig.show(key, 12, 380, 82, 88)
    assert theme.say("undo") in [one.mark.text for one in marks(key) if one.mark.kind == "text"]


def test_prices_get_shorter_from_what_is_enough_to_a_figure_to_a_pictogram(rig: Rig) -> None:
    """In no room is a car's number told in place of what it loses, nor what may be lost as if it were."""
    from companion.screens.kit.key import Face, Key
    from companion.view.shown import Price
    from tests.screens.audit import marks

    risk = Price(text="damage +1 on 82–100", short="+1 on 82–100", icon="damage", tone="warn")
    other = Price(text="9: points −1 on 1–4", short="9: −1 on 1–4", icon="points", tone="warn")
    french = Price(text="dégâts +1 (82–100)", short="+1 (82–100)", icon="damage", tone="warn")
    gone = Price(text="41 et 3\u00a0: tête-à-queue (1–6)", icon="die", tone="bad")
    for wide, prices, told in ((190, (risk,), risk.text), (125, (risk,), risk.short), (80, (risk,), "82–100"),
                               (80, (french,), "82–100"), (80, (gone,), "1–6"),
                               (100, (other, other), "1–4"), (60, (other, other), "")):  # fmt: skip
        key = Key(Face(label="8", prices=prices))
        rig.show(key, 12, 380, wide, 88)
        said = [one.mark.text for one in marks(key) if one.mark.kind == "text"]
        assert said == [*([told] * len(prices) if told else []), "8"], wide


def test_a_pane_is_drawn_only_while_it_is_in_the_window(rig: Rig) -> None:
    """And as soon as it comes, also within what is no pane; once for all that has changed meanwhile."""
    from kivy.uix.scrollview import ScrollView

    from companion.screens.kit.pane import Pane
    from companion.screens.kit.theme import theme

    class Counted(Pane):
        drawn = 0

        def on_parent(self, *_: object) -> None:
            """A kind of its own may do something when it comes."""

        def paint(self, _: Any) -> None:
            self.drawn += 1

    outer, between, inner = Counted(), ScrollView(), Counted()
    between.add_widget(inner)
    outer.add_widget(between)
    rig.settle()
    assert (outer.drawn, inner.drawn) == (0, 0)
    rig.show(outer)
    assert (outer.drawn, inner.drawn) == (1, 1)
    outer.remove_widget(between)
    for theme.look in ("daylight", "dark", "daylight"):
        rig.settle()
    assert (outer.drawn, inner.drawn) == (4, 1)
    outer.add_widget(between)
    rig.settle()
    assert inner.drawn == 2
    outer.remove_widget(between)
    between.remove_widget(inner)
    inner.look_again()
    rig.settle()
    outer.add_widget(inner)
    rig.settle()
    assert inner.drawn == 3
    rig.clear()
    theme.look = "dark"
    rig.settle()
    assert (outer.drawn, inner.drawn) == (4, 3)
    rig.show(outer)
    assert (outer.drawn, inner.drawn) == (5, 4)


def test_no_class_of_the_screens_bears_the_name_of_a_widget_of_kivy() -> None:
    """Kivy lays its own rule on whatever class has a name of its style sheet, and adds attributes that ours lack."""
    style = (Path(kivy.__file__).parent / "data" / "style.kv").read_text(encoding="utf-8")
    named = {
        name.strip("-") for names in re.findall(r"^<([^>]*)>", style, re.MULTILINE) for name in re.split(r"[,@]", names)
    }
    ours = {
        node.name
        for path in Path(screens.__file__).parent.rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.ClassDef)
    }
    assert ours & named == {"Settings"}, "a struct, no widget"
