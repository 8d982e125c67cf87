"""Every component, on both panels, in both looks and both languages: whole, apart, readable, large enough."""

from __future__ import annotations

import ast
import itertools
import re
from pathlib import Path
from typing import Any

import kivy
import pytest
from kivy.core.window import Window
from kivy.uix.scrollview import ScrollView
from msgspec.structs import replace

from companion import screens
from companion.drawing import lettering
from companion.rules.conversation.errors import LogError
from companion.rules.death.cards import of_kind
from companion.screens.gallery import colour_sheet, gallery
from companion.screens.gallery.gallery import RaceFrame
from companion.screens.kit import band as bands
from companion.screens.kit.counters import Counters
from companion.screens.kit.dashboard import DashboardView
from companion.screens.kit.key import Face, Key, undo_face
from companion.screens.kit.order_strip import OrderStrip
from companion.screens.kit.pane import Pane
from companion.screens.kit.pen import Pen
from companion.screens.kit.prompt_band import PromptBand, TurnOrder
from companion.screens.kit.rows import Rows, RowView
from companion.screens.kit.ruling_card import RulingCard
from companion.screens.kit.theme import NAME, theme
from companion.screens.kit.toast import SECONDS, ToastView
from companion.screens.kit.writing import SafeTextInput, Writing
from companion.screens.race.attack import TEXT, AimPanel, WeaponText
from companion.view.race.attack import does
from companion.view.shown import (
    AnswerKey,
    Card,
    CardLine,
    Column,
    Counter,
    Dashboard,
    Field,
    GearCell,
    InTurn,
    Loss,
    Plate,
    Price,
    Prompt,
    Row,
    Step,
    Term,
    Toast,
    Undo,
)
from companion.view.shown_race import ActionOutcome
from companion.view.sight import Sight
from companion.wording import Words
from tests.screens.audit import audit, in_both_looks, marks, texts
from tests.screens.rig import Finger, Rig
from tests.screens.ui import Ui
from tests.view.watched import a_desk

QUESTIONS = ("gear", "roll", "ten", "black", "landing", "words")


def checked(rig: Rig, widget: Any, look: str, language: str, *place: float | None) -> Any:
    """A widget shown, and audited."""
    theme.look, theme.language = look, language
    rig.show(widget, *place)
    assert audit(widget) == []
    return widget


def asked(rig: Rig, prompt: Prompt, look: str = "dark", language: str = "en", wide: float | None = None) -> PromptBand:
    """A question's band at the foot of the window, audited."""
    band, high = PromptBand(print), bands.height(prompt)
    band.show(prompt)
    return checked(rig, band, look, language, 0, 480 - high, wide, high)


@pytest.mark.parametrize("question", QUESTIONS)
def test_the_race_frame_is_sound(panel: Rig, language: str, question: str) -> None:
    frame = checked(panel, RaceFrame(question, ruling=question == "landing"), "dark", language)
    assert in_both_looks(frame) == []
    assert len(texts(frame)) > 30


@pytest.mark.parametrize("density", [1.0, 1.5])
def test_the_gallery_is_sound(rig: Rig, language: str, density: float) -> None:
    rig.window((round(gallery.SHEET[0] * density), round(gallery.SHEET[1] * density)), density)
    assert in_both_looks(checked(rig, gallery.Gallery(), "dark", language)) == []


@pytest.mark.parametrize("density", [1.0, 1.5])
def test_the_sheet_of_colours_is_sound(rig: Rig, look: str, language: str, density: float) -> None:
    rig.window((round(colour_sheet.SHEET[0] * density), round(colour_sheet.SHEET[1] * density)), density)
    theme.look, theme.language = look, language
    sheet = rig.show(colour_sheet.Colours())
    assert [seen.mark.text for seen in marks(sheet) if seen.mark.kind == "text" and not seen.mark.whole] == []


def test_a_stop_on_a_key_is_green(rig: Rig, look: str) -> None:
    frame = checked(rig, RaceFrame("landing"), look, "en")
    tones = {seen.mark.text: seen.mark.colour for seen in marks(frame)}
    assert tones["Stop 2/2"] == theme.hex("ok")
    assert tones["Over 1"] == theme.hex("hi")


def test_look_and_language_change_while_it_is_shown(rig: Rig, bare: Ui) -> None:
    rig.show(RaceFrame("roll"))
    before = rig.pixels()
    theme.look, theme.language = "daylight", "fr"
    rig.settle()
    assert bare.sees("Annuler", "Tour")
    assert not bare.sees("Undo")
    bare.audit()
    assert rig.pixels() != before
    theme.look, theme.language = "dark", "en"
    rig.settle()
    assert rig.pixels() == before


def rows(count: int, names: tuple[str, ...] = ("",), playing: int = 0) -> tuple[Row, ...]:
    """A running order of so many cars."""
    return tuple(
        Row(position=at + 1, plate=Plate(number=99 - at, place=at), code=name[:3].upper(), name=name, gear="G4",
            lap="L12", gap=f"+{at * 40}" if at else "Leader", playing=at == playing)
        for at, name in zip(range(count), itertools.cycle(names), strict=False)
    )  # fmt: skip


def test_of_twenty_cars_the_one_that_plays_is_third(panel: Rig, bare: Ui, look: str) -> None:
    def places() -> list[int]:
        return [int(word.text) for word in bare.words() if word.box.x < 30 and word.text.isdigit()]

    strip = OrderStrip(on_tap=lambda: None)
    strip.show(rows(20, ("Ån", "Œuf", "Дима", "山田", ""), playing=12))
    checked(panel, strip, look, "en", 0, 48, 200, 272)
    assert places() == list(range(11, 21))
    for many, playing, last in ((20, 19, 20), (20, 5, 13), (1, 0, 1)):
        strip.show(rows(many, playing=playing))
        panel.settle()
        assert places() == list(range(max(1, last - 9), last + 1))


NAMES = (
    "", "Alexandra-Wilhelmina von Hohenlohe", "Šćepán Ødegård-Łukasiewicz Ñandú",
    "Κωνσταντίνος Παπαδόπουλος", "Владимир Константинопольский", "山田太郎",
)  # fmt: skip


@pytest.mark.parametrize("name", NAMES)
def test_a_dashboard_for_every_name(panel: Rig, look: str, name: str) -> None:
    shown = DashboardView(on_tap=lambda: None)
    shown.show(replace(gallery.board(), name=name, position="P20"))
    checked(panel, shown, look, "fr", 586, 48, 214, 272)


def test_a_dashboard_of_another_game(panel: Rig, look: str) -> None:
    """One pool of twenty points, eight gears, no extras; and then a small one."""
    gears = tuple(GearCell(gear=gear, state="allowed", word="−1", tone="warn") for gear in range(1, 9))
    column = Column(pool="body", name="Body", built=20, left=9, cost=3)
    shown = DashboardView()
    for more in ({"gears": gears, "columns": (column,)}, {}):
        shown.show(Dashboard(plate=Plate(number=1, place=13), name="Ada", **more))
        checked(panel, shown, look, "en", 586, 48, 214, 272)


@pytest.mark.parametrize("layout", ["landing", "keys", "list", "die"])
@pytest.mark.parametrize("count", [0, 1, 2, 5, 9, 17])
def test_any_number_of_answers_has_room(panel: Rig, bare: Ui, layout: Any, count: int) -> None:
    """Those that have no room at once come one page later."""
    price = (Price(icon="tyres", text="−4", tone="warn"),)
    keys = tuple(
        AnswerKey(answer=place, label="ABCDEFGHIJKLMNOPQRST"[place], note="Over 2", prices=price)
        for place in range(count)
    )
    asked(panel, Prompt(key="q", n=1, title="Choose something", layout=layout, keys=keys))
    seen = bare.lines()
    for _ in range(count):
        if bare.offers(icon="forward"):
            bare.tap(icon="forward")
            seen |= bare.lines()
    assert {key.label for key in keys} <= seen
    assert theme.say("undo") in seen


@pytest.mark.parametrize("count", [4, 6])
def test_beside_a_card_landings_have_keys_with_every_figure_of_their_costs(
    panel: Rig, bare: Ui, language: str, count: int
) -> None:
    """As in the race's frame: a card of 252 dp at the right, and the menu in the bar above."""
    dear = tuple(Price(icon=pool, text=f"−{points}", tone="warn") for points, pool in enumerate(("tyres", "brakes"), 1))
    note = {"en": "Blocked 2", "fr": "Voie stands"}[language] if count == 4 else "Over 1"
    keys = tuple(AnswerKey(answer=at, label="ABCDEF"[at], note=note, prices=dear, accept=True) for at in range(count))
    asked(panel, Prompt(key="q", n=1, title="Choose a space", layout="landing", keys=keys, chosen=0), "dark", language,
          548)  # fmt: skip

    def letters() -> str:
        return "".join(word.text for word in bare.words() if word.text in "ABCDEF")

    said = [word.text for word in bare.words()]
    assert (letters(), said.count("−1"), said.count("−2")) == ("ABCD", 4, 4)
    assert not bare.offers(icon="more")
    if count > 4:
        bare.tap(icon="forward")
        assert letters() == "AEF", "what Accept applies is seen"
        bare.tap(icon="forward")
        assert letters() == "ABCD"
        assert bare.is_chosen("A")


@pytest.mark.parametrize("count", [8, 10, 16, 27])
def test_many_short_answers_are_white_keys_in_two_rows(panel: Rig, bare: Ui, look: str, count: int) -> None:
    keys = (
        AnswerKey(answer=0, label="Stand 1", why="pris par 14", plate=Plate(number=14, place=2)),
        *(AnswerKey(answer=n, label="Missiles à tête chercheuse", note="1–20 devant") for n in range(1, count)),
    )
    prompt = Prompt(key="q", n=1, title="Quelle carte ?", layout="list", keys=keys)
    asked(panel, prompt, look, "fr")
    assert bands.height(prompt) < bands.BAND_LIST
    barred, *free = bare.places("14 Stand 1") + bare.places("Missiles")
    assert len(free) == (count - 1 if count <= bands.GRID else bands.GRID - 2)
    assert len({y for _, y in free}) == 2
    assert [panel.colour(x, y - 28) == theme.hex("pri") for x, y in (barred, free[0])] == [False, True]


def test_a_code_of_three_wide_signs_is_whole_in_the_running_order(panel: Rig) -> None:
    row = Row(position=1, plate=Plate(number=27, place=7), code="김민수", name="", gear="G3", lap="L1", gap="+13")
    strip = OrderStrip()
    strip.show((row,))
    checked(panel, strip, "dark", "en", 0, 48, 200, 272)
    seen = {one.mark.text: one.mark.whole for one in marks(strip) if one.mark.kind == "text"}
    assert seen["김민수"]
    assert {"G", "3", "+13"} <= set(seen)


def test_the_order_of_a_turn_keeps_who_is_asked_where_it_is_cut(panel: Rig, bare: Ui, look: str, language: str) -> None:
    """Also where others come first who have not played yet, as in a contest."""
    order = TurnOrder()
    order.show(tuple(InTurn(plate=Plate(number=n, place=n), state="now" if n == 7 else "to_come") for n in range(10)))
    checked(panel, order, look, language, 12, 320, 160, 54)
    said = [word.text for word in bare.words()]
    plates = [text for text in said if text.isdigit()]
    assert "7" in plates
    assert f"+{10 - len(plates)}" in said


def test_damage_for_good_stands_beside_the_figure(panel: Rig, look: str, language: str) -> None:
    """The lock lies on no part of it, however narrow the counter is."""
    damage = Counter(icon="damage", label="Damage", value=4, of=5, kept=2, tone="warn")
    for wide in (232, 340):
        counters = Counters()
        counters.show((damage, damage, damage))
        checked(panel, counters, look, language, 12, 100, wide, 76)
        ends = [one.box.x + one.box.w for one in marks(counters) if one.mark.text == "/5"]
        locks = [one.box.x for one in marks(counters) if one.mark.icon == "lock"]
        assert len(ends) == len(locks) == 3
        assert all(lock > end for end, lock in zip(ends, locks, strict=True)), (ends, locks)
        panel.clear()


def test_a_question_never_seen_before(panel: Rig, look: str, language: str) -> None:
    """A long title, long words on its keys, no plate, nothing to undo."""
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
    lanes = AnswerKey(answer=1, label="In"), AnswerKey(label="Out")
    fields = (
        Field(name="overshot", label="Overshot", value=2, low=0, high=20),
        Field(name="braked", label="Brakes", icon="brakes", low=0, high=3),
        Field(name="lane", label="Lane", kind="choice", value=1, keys=lanes),
        Field(name="who", label="Driver", kind="text", value="Ada"),
    )
    asked(panel, Prompt(key="form", n=1, title="What was seen?", layout="form", fields=fields), look, language)


@pytest.mark.parametrize(("losses", "sums"), [(0, 0), (1, 1), (3, 1), (2, 2), (6, 3)])
def test_a_card_never_writes_over_its_keys(panel: Rig, look: str, losses: int, sums: int) -> None:
    line = CardLine(text="The car stands across the track and starts again in first gear.", icon="flag", tone="bad")
    terms = Term(value="12", word="spaces"), Term(value="×"), Term(value="3", word="tendres"), Term(value="= −36")
    card = Card(
        title="A collision that nobody saw coming, with two cars",
        article="13-4, 13-5",
        icon="crash",
        tone="bad",
        sums=(terms,) * sums,
        losses=tuple(Loss(pool=pool, name=pool, built=14, before=9, after=0) for pool in gallery.POOLS[:losses]),
        lines=(line,) * 3,
        accept="Retire the car",
        act="out of the race · −36 tyres",
    )
    for said, language in ((card, "en"), (Card(title="Blocked", article="9-1", seq=4), "fr")):
        shown = RulingCard(print)
        shown.show(said)
        checked(panel, shown, look, language, 548, 48, 252, 432)
        panel.clear()


@pytest.mark.parametrize("said", ["card", "lock"])
def test_a_toast_says_a_sentence_of_two_lines_and_a_whole_one_of_three(panel: Rig, language: str, said: str) -> None:
    text, more = "Le journal n’a pas pu être écrit : la carte est pleine", {"action_label": "Exporter"}
    if said == "lock":
        wrong = LogError("held.race", race="Club night", program="companion race", pid="16149", since="08:40")
        text, more = Words(language).error(wrong), {}
    toast = ToastView(print)
    toast.show(Toast(text=text, tone="bad", icon="storage", action="export", **more))
    checked(panel, toast, "dark", language, 200, 250, 388, 60)
    assert in_both_looks(toast) == []


def test_a_toast_has_room_and_time_for_all_of_a_long_sentence(panel: Rig, ui: Ui) -> None:
    long = ("The race goes on in memory until there is room on the card; " * 4).strip()
    for text, stays in (("The disk is full.", False), (long, True)):
        ui.app.tell(Toast(text=text, tone="bad", icon="storage", action="export", action_label="Export"))
        ui.calm()
        assert ui.sees(text)
        ui.audit()
        for times, seen in ((1, stays), (4, False)):
            panel.stall(times * SECONDS)
            panel.settle(2)
            assert ui.sees(text) == seen


def test_marks_that_stay_have_room_in_the_top_bar(
    panel: Rig, bare: Ui, look: str, language: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    texts = "3 not saved", "1 disputed", "a word that has no room", "and one more"
    bar = replace(gallery.bar(), marks=tuple(Price(text=text, icon="flag", tone="info") for text in texts))
    monkeypatch.setattr(gallery, "bar", lambda: bar)
    checked(panel, RaceFrame("roll"), look, language)
    assert bare.sees("3 not saved")


DRAWN: set[str] = set()
"""What the rows of these tests have drawn."""


class Name(RowView):
    """A row that says what it is given."""

    def draw(self, pen: Pen, shown: str) -> None:
        DRAWN.add(shown)
        pen.text(shown, 12, pen.h / 2, 18)


def test_of_a_thousand_rows_only_those_are_drawn_that_are_seen(panel: Rig, bare: Ui, look: str) -> None:
    told: list[int] = []
    listed = Rows(Name, on_row=told.append)
    listed.show([f"Row {n}" for n in range(1000)])
    DRAWN.clear()
    checked(panel, listed, look, "en", 0, 48, 300, 312)
    assert {f"Row {n}" for n in range(6)} <= DRAWN
    assert len(DRAWN) < 12
    bare.tap("Row 1")
    assert bare.scroll()
    bare.tap("Row 9")
    panel.drag((50, 300), (50, 100))
    assert told == [1, 9]


def test_a_row_is_revealed_as_soon_as_it_is_there(rig: Rig, bare: Ui) -> None:
    keys = tuple(AnswerKey(answer=n, label=f"Whichever {n} it is, over the line") for n in range(40))
    asked(rig, Prompt(key="q", n=1, title="Which?", layout="list", keys=keys, chosen=30))
    assert bare.is_chosen("Whichever 30 it is, over the line")
    first = bare.box("Whichever 29 it is, over the line")
    top = 480 - bands.BAND_LIST + bands.KEYS_TOP
    assert (first.y + first.h / 2 - top) % 52 == pytest.approx(26, abs=2), "whole rows"


def test_a_list_that_has_become_short_stands_at_its_top_at_once(rig: Rig, bare: Ui) -> None:
    listed = rig.show(Rows(Name), 180, 48, 299, 260)
    listed.show([f"Row {n}" for n in range(20)])
    rig.settle()
    while bare.scroll():
        pass
    for many in (2, 3):
        listed.show([f"Row {n}" for n in range(many)])
        rig.settle()
        first = bare.box("Row 0")
        assert first.y + first.h / 2 == pytest.approx(48 + 26, abs=1)


def test_a_line_that_is_touched_before_it_is_drawn_waits(rig: Rig) -> None:
    line = SafeTextInput(size=(300, 52), size_hint=(None, None))
    Window.add_widget(line)
    Finger(20, 20).down()  # there is no line yet to put a cursor into
    rig.settle()


def test_a_line_joins_and_orders_its_letters_while_they_are_written(rig: Rig, bare: Ui) -> None:
    line = rig.show(Writing(), 20, 20, 300, 80)
    for text, drawn in (("Zoé", False), ("محمد علي", True), ("देवदत्त 7", True), ("山田", True)):
        line.show(Field(name="name", label="Name", kind="text", value=text))
        for x in (700, 150):  # it is written in as it was touched last
            rig.tap(x, 74)
            rig.settle()
            assert (text in texts(line)) is drawn, text
            assert [word.text for word in bare.words()].count(text) == 1, "only one of the two is seen"
    ends = {text: lettering.ends_at_the_left(text) for text in ("محمد", "محمد 3", "Ali محمد", "محمد Ali", "3", "")}
    assert ends == {"محمد": True, "محمد 3": True, "Ali محمد": True, "محمد Ali": False, "3": False, "": False}


@pytest.mark.parametrize("count", [2, 6])
def test_the_bands_of_a_die_are_read_whole(panel: Rig, look: str, count: int) -> None:
    keys = tuple(
        AnswerKey(answer=[at, at + 8], label=f"{at}–{at + 8}", prices=(Price(icon="handling", text="−1 tenue"),))
        for at in range(3, 3 + count)
    )
    title, plate = "Test de tenue de route : noir", Plate(number=31, place=2)
    band = asked(panel, Prompt(key="t", n=1, title=title, layout="bands", keys=keys, plate=plate, chosen=1), look, "fr")
    whole = {one.mark.text for one in marks(band) if one.mark.whole}
    assert {title, *(key.label for key in keys)} <= whole


@pytest.mark.parametrize("defences", ["Heavy Armour (Front) · Jammer", "Blindage lourd avant · Brouilleur"])
def test_what_a_target_carries_against_a_shot_is_read_whole(panel: Rig, bare: Ui, look: str, defences: str) -> None:
    aim = AimPanel()
    lines = tuple(CardLine(text="4", icon=word) for word in ("Portée", "Dégâts", "Jetons posés", "En vue"))
    column = Column(pool="points", name="Points", built=18, left=16)
    aim.show(
        ActionOutcome(plate=Plate(number=22, place=1), name="Olga", where="4 derrière", lines=lines, big="1–8",
                      chance="touche, 40 %", columns=(column,), defences=defences)
    )  # fmt: skip
    checked(panel, aim, look, "fr", 595, 48, 205, 272)
    assert all(one.mark.whole for one in marks(aim) if one.mark.kind == "text")
    assert bare.sees(defences, "16")


def test_what_each_weapon_does_is_read_whole_in_its_line(rig: Rig, language: str) -> None:
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
    theme.language, key = language, Key()
    key.show(undo_face(Undo(label="22", prices=(Price(text="−1", icon="cards", tone="warn"),))))
    rig.show(key, 12, 380, 82, 88)
    assert theme.say("undo") in texts(key)


def test_prices_get_shorter_from_what_is_enough_to_a_figure_to_a_pictogram(rig: Rig) -> None:
    """In no room is a car's number told in place of what it loses, nor what may be lost as if it were."""
    risk = Price(text="damage +1 on 82–100", short="+1 on 82–100", icon="damage", tone="warn")
    other = Price(text="9: points −1 on 1–4", short="9: −1 on 1–4", icon="points", tone="warn")
    french = Price(text="dégâts +1 (82–100)", short="+1 (82–100)", icon="damage", tone="warn")
    gone = Price(text="41 et 3\u00a0: tête-à-queue (1–6)", icon="die", tone="bad")
    for wide, prices, told in ((190, (risk,), risk.text), (125, (risk,), risk.short), (80, (risk,), "82–100"),
                               (80, (french,), "82–100"), (80, (gone,), "1–6"),
                               (100, (other, other), "1–4"), (60, (other, other), "")):  # fmt: skip
        key = Key(Face(label="8", prices=prices))
        rig.show(key, 12, 380, wide, 88)
        assert texts(key) == [*([told] * len(prices) if told else []), "8"], wide


def test_a_pane_is_drawn_only_while_it_is_in_the_window(rig: Rig) -> None:
    """And as soon as it comes, also within what is no pane; once for all that has changed meanwhile."""

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


@pytest.mark.parametrize(("icon", "high"), [("play", 72), ("", 50)])
def test_the_lines_of_a_low_key_keep_off_its_edges_and_off_one_another(
    rig: Rig, bare: Ui, icon: str, high: float
) -> None:
    rig.show(Key(Face(label="Try it", note="a guided lap", icon=icon, size=NAME)), 20, 20, 160, high)
    label, note = bare.box("Try it"), bare.box("a guided lap")
    assert min(label.y - 20, 20 + high - note.y - note.h) >= 5, (label, note)
    assert note.y + note.h / 2 - label.y - label.h / 2 > 16, (label, note)
