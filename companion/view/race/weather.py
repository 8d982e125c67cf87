"""Changes of weather and their effect on each compound, and a circuit's weather chart."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from companion.rules.circuit.track import WeatherChart
from companion.rules.conversation.asking import Ruling
from companion.rules.conversation.kinds import Surface
from companion.rules.dice.pits import Pits
from companion.rules.public import on_track
from companion.view.shown import AnswerKey, Card, Fact, SkyTurn
from companion.view.sight import Sight
from companion.wording import Words, capital
from companion.wording.filling import face


def skies(sight: Sight, bands: Iterable[AnswerKey]) -> tuple[SkyTurn, ...]:
    """Return the sky for each band of the weather die; empty for another die."""
    asked = sight.asked
    if asked is None or asked.what != "weather" or sight.ahead is None:
        return ()
    found = []
    for band in bands:
        ruling = _weather_ruling(sight.ahead.foresee([band.answer])[0].rulings)
        if ruling is not None:
            found.append(_turn(sight, ruling, sight.race.sky, sight.race.surface, band.label))
    return tuple(found)


def card(sight: Sight) -> Card | None:
    """Return the card of a sky drawn during the race; None for the first sky."""
    ruling = _weather_ruling(sight.told)
    before = _skies(sight)[-2:-1] if ruling is not None else []
    if ruling is None or not any(before):
        return None
    surface = next((one.facts["surface"] for one in sight.told if one.kind == "surface"), None)
    was: Surface = sight.race.surface
    if surface is not None:
        was = "dry" if surface == "wet" else "wet"  # a ruling on it says only what it has become
    return Card(
        title=sight.say("sky.title"),
        article=ruling.article,
        cited=sight.cited(ruling.article),
        icon=str(ruling.facts["sky"]),
        tone="info",
        sky=_turn(sight, ruling, before[0], was),
        seq=sight.entry,
    )


def chart_of(weather: WeatherChart, words: Words) -> tuple[tuple[str, str, str], ...]:
    """Return each sky of a chart: pictogram, name and faces."""
    found = []
    for sky in ("rain", "changeable", "sun"):
        low, high = getattr(weather, sky)
        found.append((sky, capital(words.word("sky", sky)), face([low, high])))
    return tuple(found)


def _weather_ruling(rulings: Sequence[Ruling]) -> Ruling | None:
    return next((ruling for ruling in reversed(rulings) if ruling.kind == "weather"), None)


def _skies(sight: Sight) -> list[str]:
    """Return every sky of the race so far, the present one last."""
    begun = sight.desk.history.beginning
    found = [str(begun.setup.get("sky", ""))] if begun is not None else [""]
    for item in sight.desk.history.items:
        found += [str(ruling.facts["sky"]) for ruling in item.rulings if ruling.kind == "weather"]
        if item.event.change and "sky" in item.event.change:
            found.append(str(item.event.change["sky"]))
    return found


def _turn(sight: Sight, ruling: Ruling, before: str, surface: Surface, label: str = "") -> SkyTurn:
    sky = str(ruling.facts["sky"])
    return SkyTurn(
        label=label,
        before=before,
        before_name=sight.words.word("sky", before).capitalize() if before else "",
        icon=sky,
        name=sight.words.word("sky", sky).capitalize(),
        facts=tuple(_facts(sight, surface, ruling.facts.get("surface") or surface, bool(ruling.facts.get("fixed")))),
    )


def _facts(sight: Sight, before: Surface, after: Surface, fixed: bool) -> Iterable[Fact]:
    """Yield the track before and after, and, if it changes, the effect of new tyres by compound."""
    if not after:
        return
    word = {surface: sight.words.word("surface", surface) for surface in (before, after)}
    if before == after or not before:
        key = "sky.fixed" if fixed else "sky.stays" if before else "sky.track_is"
        yield Fact(label=sight.say("sky.track"), value=sight.say(key, surface=after))
        return
    yield Fact(label=sight.say("sky.track"), before=word[before], value=word[after], tone="info")
    alike: dict[Fact, list[str]] = {}
    book = sight.book
    for compound in book.pits.compounds() if "tyres" in book.car_values and isinstance(book.pits, Pits) else ():
        (spaces, factor), (old, old_factor) = (on_track(book, compound, surface) for surface in (after, before))
        said = sight.say("sky.set", spaces=spaces, factor=factor if factor != old_factor else 0)
        fact = Fact(value=said, tone="warn" if spaces > old else "ok" if spaces < old else "plain")
        alike.setdefault(fact, []).append(sight.words.word("tyres", compound))
    for fact, names in alike.items():
        yield Fact(label=", ".join(names).capitalize(), value=fact.value, tone=fact.tone)
