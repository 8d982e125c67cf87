"""What an explanation of an answer says beside its price."""

from __future__ import annotations

import pytest

from companion.desk.ahead import Ahead
from companion.view.pages import legend
from companion.view.race.race import race
from companion.view.sight import Sight
from companion.wording import Words
from tests.view.watched import a_desk

SOFT = {
    "en": [
        "Dry: −2 for a space too far; −2 after a lap, −3 later",
        "Wet: −2 for a space too far; −2 after a lap, −3 later",
        "Wet: slides 3 spaces where it owes a stop",
        "Dry: a space more a turn in the set’s first lap",
    ],
    "fr": [
        "Sec : −2 par case de trop, −2 après un tour, −3 ensuite",
        "Mouillé : −2 par case de trop, −2 après un tour, −3 ensuite",
        "Mouillé : glissent de 3 cases où un arrêt est dû",
        "Sec : une case de plus par coup, au 1er tour du train",
    ],
}


@pytest.mark.parametrize("lang", SOFT)
@pytest.mark.parametrize("slide", [3, 5])
def test_a_compound_is_explained_in_figures(lang: str, slide: int) -> None:
    """By those of the table."""
    desk = a_desk(many=1, options={"slide_soft": slide})
    while desk.asked is not None and desk.asked.ask != "tyres":
        desk.answer(desk.asked.options[0].answer if desk.asked.options else 12, by="table")
    sight = Sight(desk, Words(lang, "competition"), ahead=Ahead(desk))
    key = next(key for key in race(sight).prompt.keys if key.answer == "soft")
    lines = [line.text.replace("\u00a0", " ") for line in legend.of_key(sight, key).lines]
    assert lines == [
        line.replace("3 spaces", f"{slide} spaces").replace("3 cases", f"{slide} cases") for line in SOFT[lang]
    ]


@pytest.mark.parametrize(
    ("lang", "said"),
    [
        ("en", "Dry: −2 for a space too far; −3 after a lap, no car can pay later"),
        ("fr", "Sec\u00a0: −2 par case de trop, −3 après un tour, trop cher ensuite"),
    ],
)
def test_a_price_that_no_car_can_pay_is_no_figure(lang: str, said: str) -> None:
    desk = a_desk(many=1, options={"super_soft": True})
    while desk.asked is not None and desk.asked.ask != "tyres":
        desk.answer(desk.asked.options[0].answer if desk.asked.options else 12, by="table")
    sight = Sight(desk, Words(lang, "competition"), ahead=Ahead(desk))
    key = next(key for key in race(sight).prompt.keys if key.answer == "super_soft")
    assert legend.of_key(sight, key).lines[0].text == said
