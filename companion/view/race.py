"""The race screen put together: all that it shows at one moment."""

from __future__ import annotations

from companion.rules.conversation.asking import Option
from companion.view import card, price, weather
from companion.view.attack import attack, seen
from companion.view.board import board
from companion.view.contest import contest
from companion.view.dashboard import dashboard
from companion.view.order import order
from companion.view.pits import lane, pits
from companion.view.prompt import prompt
from companion.view.queue import bands, tests
from companion.view.shown import Prompt
from companion.view.shown_race import RaceShown
from companion.view.sight import Sight
from companion.view.toast import toast
from companion.view.top import top


def race(sight: Sight) -> RaceShown:
    """All that the race screen shows."""
    asks = prompt(sight)
    key = asks.keys[asks.chosen] if asks.chosen >= 0 else None
    option = _option(sight, asks)
    wear = option.wear if option is not None else {}
    foreseen = card.before(sight, key) if key is not None else None
    if key is not None and key.accept and sight.ahead is not None and sight.asked is not None:
        own = [ruling for ruling in sight.ahead.to_the_end(key.answer) if ruling.car == sight.asked.car]
        wear = price.summed(own)
    given = (card.after(sight) or weather.card(sight)) if foreseen is None else None
    return RaceShown(
        top=top(sight),
        order=order(sight),
        prompt=asks,
        board=board(sight, asks),
        dashboard=dashboard(sight, wear),
        card=foreseen or given,
        tests=tests(sight, asks.keys),
        skies=weather.skies(sight, bands(sight.asked, asks.keys)),
        attack=attack(sight, asks),
        aim=seen(sight),
        pits=pits(sight),
        lane=lane(sight),
        contest=contest(sight),
        toast=toast(sight) if given is None and sight.asked is not None else None,
    )


def _option(sight: Sight, asks: Prompt) -> Option | None:
    """The offered answer that is selected."""
    answer = asks.keys[asks.chosen].answer if asks.chosen >= 0 else None
    return next((option for option in sight.options if asks.chosen >= 0 and option.answer == answer), None)
