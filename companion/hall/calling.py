"""A table's call for the referee, in the language of each reader."""

from __future__ import annotations

from companion.desk import RaceDesk
from companion.hall.wire import Call
from companion.sheets.log import now
from companion.wording import LANGUAGES, Words


def call_of(desk: RaceDesk) -> Call:
    """Return a call about the question that is open on a desk."""
    asks, asked = {}, desk.asked
    if asked is not None:
        names = {car.number: car.driver for car in desk.public().cars}
        asks = {lang: Words(lang, desk.rulebook.name).question(asked, names) for lang in LANGUAGES}
    return Call(desk.history.log_id, desk.seq, desk.n, now(), asks=asks)
