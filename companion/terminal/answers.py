"""Parsing of typed answers."""

from __future__ import annotations

import functools
import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Final, TypeVar

from companion.rules.conversation.asking import Asked, Json, Option
from companion.rules.conversation.errors import BadAnswer
from companion.rules.conversation.kinds import CHART, POOLS
from companion.rules.conversation.text import folded
from companion.rules.ninety.circuit import SectionTrack
from companion.strict_json import NotJson, read
from companion.view.setup.places import places
from companion.view.worded import BoardWords
from companion.wording import Words
from companion.wording.filling import Names

if TYPE_CHECKING:
    from companion.rules.public import Board

BY_SPACE: Final = ("landing", "slipstream", "kers", "clutch", "place")
"""Questions whose answers are spaces to stop on."""
LONGEST_SPACE: Final = 4
"""The most words that `space_named` takes: après le virage 3."""
COUNTS: Final = (
    "overshot", "blocked", "brakes", "soft", "dangers", "walls", "to_box", "beside", "ahead", "order", "line",
)  # fmt: skip
"""Details that may follow a place on a corner sheet."""
OF_CARS: Final = ("beside", "ahead", "order")
"""Details that name cars, by number or driver."""


def plain(text: str) -> str:
    """Return a text without case and accents, its words separated by single blanks."""
    letters = "".join(c if c.isalnum() else " " for c in folded(text))
    return " ".join(letters.split())


def is_by_value(asked: Asked) -> bool:
    """Return True if a number typed is the answer itself, as of a gear, and not its place in the list."""
    return any(type(option.answer) is int for option in asked.options or [])


def is_number(text: str) -> bool:
    """Return True if the text is a whole number of at most 18 digits.

    The superscript ² of French keyboards is no digit.
    """
    return text.isdecimal() and len(text) < 19


def car_at_head(said: str, names: Names, *, whole: bool = False) -> tuple[int, str] | None:
    """Return the car that a text begins with, by number or driver, and the rest of the text; None if it names none.

    A driver is called by the full name, by a word of it or, unless `whole`, by the beginning of one, as long as only
    one driver is called so.
    """
    parts = said.split()
    if parts and is_number(parts[0]):
        return int(parts[0]), " ".join(parts[1:])
    called = {car: plain(name) for car, name in names.items()}
    for length in range(len(parts), 0, -1):
        wanted = plain(" ".join(parts[:length]))
        found = [car for car, name in called.items() if wanted and name == wanted]
        if length == 1 and wanted:
            found = found or [car for car, name in called.items() if wanted in name.split()]
            if not found and not whole:
                found = [car for car, name in called.items() if any(one.startswith(wanted) for one in name.split())]
        if len(found) == 1:
            return found[0], " ".join(parts[length:])
    return None


def cars_named(said: str, names: Names, words: Words) -> list[int]:
    """Return the cars that a text lists, by number or driver. Raises BadAnswer for a word that names none."""
    cars: list[int] = []
    rest = said.replace(",", " ").strip()
    while rest:
        if (found := car_at_head(rest, names)) is None:
            raise which_car(rest.split()[0], names, words)
        cars.append(found[0])
        rest = found[1]
    return cars


def which_car(said: str, names: Names, words: Words, kind: str = "which_car") -> BadAnswer:
    """Return the error for a text that names no car of the race, or several; `kind` is the sentence for none."""
    wanted = plain(said)
    called = [name for name in map(plain, names.values()) if wanted and f" {wanted}" in f" {name}"]
    return BadAnswer(
        "which_car.several" if len(called) > 1 else kind,
        said=said[:40],
        cars=[words.number(car, names) for car in names],
    )


def same_driver(words: Words, name: str, names: Names) -> str:
    """Return that several cars have a driver of one name, with their numbers; "" if they have not."""
    cars = [car for car, driver in names.items() if plain(name) and plain(driver) == plain(name)]
    return words.say("same_driver", count=len(cars), name=name, cars=cars) if len(cars) > 1 else ""


def typed(text: str, asked: Asked, words: Words, names: Names | None = None) -> Json:
    """Parse the typed answer to a question; with `names`, cars may be called by their drivers.

    The rules decide whether it is legal. Raises BadAnswer if the text is unclear or ambiguous.
    """
    text = text.strip()
    if (written := _parse_json(text)) is not None:
        return written
    if asked.bands is not None and (band := _band(text)) is not None:
        return band
    if asked.ask == "practice" and not is_number(text):
        skies = [Option(sky) for sky in asked.fields or {}]
        named = _by_name(text, asked, skies, words)
        return text if named is None else named.answer
    options = asked.options or []
    if asked.ask == "front" and names:
        car, rest = car_at_head(text, names) or (0, "")
        if rest or all(option.answer != car for option in options):
            raise _none_of_these(text, asked, words, names)
        return car
    if asked.faces is not None or is_by_value(asked):
        number = number_of(text)
        named = _by_name(text, asked, options, words, names) if number is None else None
        given = number if named is None else named.answer
        if any(option.answer is None for option in options) and all(option.answer != given for option in options):
            raise _none_of_these(text, asked, words, names)
        if number is None and named is None:
            raise BadAnswer("number_wanted", said=text[:40])
        return given
    if is_number(text) and int(text) > len(options) and (asked.fields or {}).get("by") == "factor":
        return int(text)  # of a card nothing else counts
    if "cards" in (asked.fields or {}) and re.match(r"[sdge]\d", text.casefold()):
        return text  # a card as it is written, or several with commas
    if "cards" in (asked.fields or {}) and not options:
        raise BadAnswer("card_wanted", said=text[:40], by=(asked.fields or {}).get("by", ""))
    if is_number(text) and asked.ask != "setup":
        return _at(int(text), options, words)
    if asked.ask in BY_SPACE and (found := _by_space(text, options, words)):
        return found.answer
    if asked.ask == "setup":
        return _at(int(text), options, words) if is_number(text) else _points(text, asked, words)
    if asked.ask == "saw" and (seen := _parse_reading(text, options, asked, words, names)) is not None:
        return seen
    if asked.ask == "chart" and (chart := _chart(text)) is not None:
        return chart
    if (named := _by_name(text, asked, options, words, names)) is not None:
        return named.answer
    if asked.ask == "chart":
        raise BadAnswer("chart_wanted", example=chart_example(asked))
    if asked.ask == "repair":
        return _points(text, asked, words)
    raise BadAnswer("unclear", said=text[:40], most=len(options))


def forced(text: str, asked: Asked, words: Words, names: Names | None = None) -> Json:
    """Parse an answer that the referee forces, legal or not.

    It may be a space that is not offered, followed by the brakes spent; anything else is parsed as by `typed`.
    """
    text = text.strip()
    if asked.ask in BY_SPACE and (named := place_at_head(parts := text.split(), words)) is not None:
        spent = re.search(r"\d+", " ".join(parts[named[1] :]))
        return {"space": named[0], "brakes": int(spent.group()) if spent else 0, "soft": 0}
    return typed(text, asked, words, names)


def _none_of_these(text: str, asked: Asked, words: Words, names: Names | None) -> BadAnswer:
    """Return the error for a text that is none of the options, with their names."""
    listed = [words.option(asked.ask, option.answer, names) for option in asked.options or []]
    return BadAnswer("number_wanted.listed", said=text[:40], listed=listed)


def _parse_json(text: str) -> Json | None:
    """Return the answer written as JSON, an object, a list or a text; None if it is not."""
    if text[:1] not in ("{", "[", '"'):
        return None
    try:
        return read(text.encode("utf-8"))
    except NotJson:
        return None


def number_of(text: str) -> int | None:
    """Return the number that a text is, such as "3", "3rd" or "−1"; None if it is none."""
    found = re.fullmatch(r"([-−+]?)(\d{1,6})(?:st|nd|rd|th|re|er|e|eme|ème)?", text.casefold())
    if found is None:
        return None
    return -int(found.group(2)) if found.group(1) in ("-", "−") else int(found.group(2))


def _band(text: str) -> list[int] | None:
    """Return the faces of a band such as "5-20" or "5 à 20"; None if it is not one."""
    found = re.fullmatch(r"(\d{1,2})\s*(?:-|–|to|à|a|\.\.)\s*(\d{1,2})", text.casefold())
    return [int(found.group(1)), int(found.group(2))] if found is not None else None


def _at(number: int, options: Sequence[Option], words: Words) -> Json:
    if not 1 <= number <= len(options):
        raise BadAnswer("no_such_number", number=number, most=len(options))
    return options[number - 1].answer


def _by_name(
    text: str, asked: Asked, options: Sequence[Option], words: Words, names: Names | None = None
) -> Option | None:
    """Return the option that a word or its beginning names; None if none or several match.

    Names are matched in the reader's language and as the log writes them.
    """
    wanted = plain(text)
    if not wanted:
        return None
    known = [(option, plain(words.option(asked.ask, option.answer, names))) for option in options]
    known += [(option, plain(option.answer)) for option in options if isinstance(option.answer, str)]
    bare = {None: ("no", "non", "none", "null"), True: ("yes", "oui", "true")}
    known += [
        (option, word) for option in options for one, said in bare.items() if option.answer is one for word in said
    ]
    for exact in (True, False):
        found = [option for option, name in known if (name == wanted if exact else name.startswith(wanted))]
        if found and all(option is found[0] for option in found):
            return found[0]
    return None


def _by_space(text: str, options: Sequence[Option], words: Words) -> Option | None:
    """Return the option that stops on a space; None if the text names no space.

    Spaces are typed as 5:left:3, 5:gauche:3, 5 l 3 or 5l3; pit:2, box:1. Raises BadAnswer if no option or several stop
    there.
    """
    wanted = space_named(text, words)
    if wanted is None:
        return None
    found = [
        (place, option)
        for place, option in enumerate(options, 1)
        if isinstance(option.answer, dict) and option.answer["space"] == wanted
    ]
    if not found:
        raise BadAnswer("not_reached", space=wanted)
    if len(found) > 1:
        ways = [f"{place} ({words.cost(option.wear)})" for place, option in found]
        raise BadAnswer("several_ways", space=wanted, ways=ways)
    return found[0][1]


def space_named(text: str, words: Words) -> str | None:
    """Return the id of the space that a text names; None if it names none."""
    found = re.fullmatch(r"(\d+)\s*[: ]?\s*([a-z]+(?:[- ][a-z]+)?)\s*[: ]?\s*(\d+)", _bare(text))
    if found:
        section, lane, number = found.groups()
        lane = lane.replace(" ", "-")
        lanes = {key: (key, _bare(name)) for key, name in words.words_of("lane").items()}
        for exact in (True, False):
            for key, names in lanes.items():
                if any(lane == name if exact else name.startswith(lane) for name in names):
                    return f"{section}:{key}:{number}"
        return None
    found = re.fullmatch(r"([a-z ]+?)\s*:?\s*(\d+)", _bare(text))
    if found:
        for key, name in words.words_of("where").items():
            if found.group(1) in (key, _bare(name)):
                return f"{key}:{found.group(2)}"
    return None


def place_at_head(parts: Sequence[str], words: Words, track: Board | None = None) -> tuple[str, int] | None:
    """Return the place that a text begins with, and how many of its words name it; None if it names none.

    With the `track`, each of its places is also called as the screens show it.
    """
    known = _places_said(track, words.lang, words.rulebook) if track is not None else {}
    longest = max([LONGEST_SPACE, *(said.count(" ") + 1 for said in known)])
    for length in range(min(len(parts), longest), 0, -1):
        said = " ".join(parts[:length])
        if (place := known.get(plain(said)) or space_named(said, words)) is not None:
            return place, length
    return None


@functools.lru_cache(maxsize=8)
def _places_said(track: Board, lang: str, rulebook: str) -> Mapping[str, str]:
    """Return the places of a circuit by what they are called.

    On a corner sheet the straight between the last corner and the first is two places, before the line and past it.
    """
    words = BoardWords(lang, rulebook, track)
    known = {plain(words.place(place)): place for place in places(track)}
    if isinstance(track, SectionTrack) or track.known == "space":
        return known
    count = len(track.corners)
    for number in range(1, count + 1):
        for where in ("corner", "after"):
            known |= dict.fromkeys(_names_of(where, str(number), words), f"{where}:{number}")
    last = [*_names_of("after", str(count), words), *_phrases("last", words)]
    return known | _around_line(last, f"after:{count}", "after:0", words)


V = TypeVar("V")


def _around_line(last: Sequence[str], before: V | None, past: V, words: Words) -> dict[str, V]:
    """Return the places on the straight with the line by their names; `last` are those of the one before the line."""
    over, short = past_line_names(words), _phrases("before_line", words)
    known = dict.fromkeys([*over, *(f"{one} {line}" for one in last for line in over)], past)
    if before is not None:
        known |= dict.fromkeys([*last, *short, *(f"{one} {line}" for one in last for line in short)], before)
    return known


def _names_of(where: str, number: str, words: Words) -> list[str]:
    """Return what a place of a corner sheet is called: "after corner 3", "after c 3"."""
    called = [plain(words.word("where", where)), *_phrases(where, words)]
    called += [name.replace("virage", "v").replace("corner", "c") for name in called]
    return [f"{name} {number}".strip() for name in called]


def past_line_names(words: Words) -> list[str]:
    """Return what the place past the line is called on a corner sheet."""
    return [plain(words.say("past_line")), *_phrases("line", words)]


def _phrases(key: str, words: Words) -> list[str]:
    """Return what is understood as well for a place, or for a side of the line."""
    return [plain(one) for one in words.words_of("where_also").get(key, "").split(",") if one]


def _bare(text: str) -> str:
    return folded(text.strip())


def pools_named(words: Words) -> dict[str, str]:
    """Return the pools by each of their names."""
    names: dict[str, str] = {}
    for table in ("pool", "pool_one", "pool_short"):
        for pool, name in words.words_of(table).items():
            names[plain(name)] = pool
            names[pool] = pool
    return names


def _chart(text: str) -> Json | None:
    """Return the car chart typed as "12 6 4" or "12/6/4"; None if it is not one.

    The three numbers are tyres, cards and damage.
    """
    numbers = plain(text).split()
    if len(numbers) != len(CHART) or not all(is_number(number) for number in numbers):
        return None
    return {name: int(number) for name, number in zip(CHART, numbers, strict=True)}


def chart_example(asked: Asked) -> str:
    """Return a car chart that a question offers, as it is typed."""
    return next((" ".join(str(one.answer[name]) for name in CHART) for one in asked.options or []), "")


def _points(text: str, asked: Asked, words: Words) -> Json:
    """Return the points by pool that were typed.

    Either "6 3 3 3 3 2" in the order of the sheet, or "tyres 6 brakes 3". Raises BadAnswer for anything else.
    """
    pools = (*POOLS, "stand") if asked.ask == "setup" else POOLS
    parts = plain(text).split()
    if parts and all(is_number(part) and len(part) < 4 for part in parts) and len(parts) >= len(POOLS):
        if len(parts) > len(pools):
            raise _points_wanted(asked, words)
        return {pool: int(count) for pool, count in zip(pools, parts, strict=False)}
    names = pools_named(words)
    points: dict[str, int] = {}
    name: list[str] = []
    for part in parts:
        if is_number(part) and name:
            pool = next((names[known] for known in names if known.startswith(" ".join(name))), None)
            if pool is None or len(part) > 3:
                raise _points_wanted(asked, words)
            points[pool] = int(part)
            name = []
        else:
            name.append(part)
    if name or not points:
        raise _points_wanted(asked, words)
    return points


def _points_wanted(asked: Asked, words: Words) -> BadAnswer:
    """Return the error for points that are not written so, with an example that the question offers."""
    points: dict[str, int] = next((one.answer for one in asked.options or [] if one.answer), {})
    called = {**words.words_of("pool_short"), **words.words_of("pool")}  # points for repairs have only a short name
    named = " ".join(f"{called[pool]} {count}" for pool, count in points.items())
    whole = asked.ask == "setup" and set(POOLS) <= set(points)
    numbers = " ".join(str(points[pool]) for pool in (*POOLS, "stand") if pool in points) if whole else ""
    return BadAnswer("points_wanted", numbers=numbers, named=named)


def _parse_reading(
    text: str, options: Sequence[Option], asked: Asked, words: Words, names: Names | None
) -> Json | None:
    """Return what the table reports on a corner sheet; None if no place is named.

    A place, by number or name, and the details of the stop: "corner 3 overshot 2".
    """
    parts = text.replace(",", " ").split()
    shown = {plain(words.offered("saw", option)): option.answer for option in reversed(options)}
    here = [option.answer["in"] for option in options if "line" not in option.answer]
    across = [one.answer for one in options if "line" in one.answer and one.answer["in"] in here]
    past = shown.get(plain(words.say("past_line"))) or next(iter(across), None)
    spoken = [str(place) for place in (asked.fields or {})["in"]]
    for place in spoken:  # where a car is in it without a word of the line
        where, _, number = place.rpartition(" ") if place[-1].isdecimal() else (place, "", "")
        for name in (plain(place), *_names_of(where.split(" ")[0], number, words)):
            shown.setdefault(name, {"in": place})
    if past is not None:  # between the last corner and the first
        number = past["in"].rpartition(" ")[2]
        last = [*_names_of("after", number, words), *_phrases("last", words)]
        before = {"in": past["in"]} if "line" in past else None
        shown = _around_line(last, before, past, words) | shown
    for length in range(len(parts), 0, -1):
        wanted = plain(" ".join(parts[:length]))
        if wanted in shown and not is_number(wanted):
            return {**shown[wanted], **details(" ".join(parts[length:]), words, asked, names)}
    if parts and is_number(parts[0]):
        chosen = _at(int(parts[0]), options, words)
        return {**chosen, **details(" ".join(parts[1:]), words, asked, names)}
    return None


def can_happen(asked: Asked | None) -> list[str]:
    """Return the details that may follow a place in this race; all of them without a question."""
    fields = (asked.fields if asked is not None else None) or dict.fromkeys(COUNTS, True)
    return [name for name in COUNTS if fields.get(name) and fields[name] != [0, 0]]


def details(text: str, words: Words, asked: Asked | None = None, names: Names | None = None) -> dict[str, Json]:
    """Return the details of a stop on a corner sheet, such as "overshot 2 beside 3 5 line" or "beside Bob".

    Raises BadAnswer for an unknown word, or a word without its number or car.
    """
    known = {plain(word): key for key, word in words.words_of("seen").items()} | {key: key for key in COUNTS}
    also = {plain(word): key for key, more in words.words_of("seen_also").items() for word in more.split(",")}
    known |= also
    crossed = past_line_names(words)
    begun = [name for name in known if name not in also]
    seen: dict[str, Json] = {}
    key, rest = "", plain(text)
    while rest:
        if line := next((one for one in crossed if f"{rest} ".startswith(f"{one} ")), ""):
            _check_told(key, seen, words)
            key, rest, seen["line"] = "line", rest.removeprefix(line).lstrip(), True
            continue
        part, _, after = rest.partition(" ")
        if several := next((word for word in also if " " in word and rest.startswith(f"{word} ")), ""):
            part, after = several, rest.removeprefix(several).lstrip()
        if is_number(part) and key:
            value, rest = int(part), after
        elif (found := _detail_car(key, rest, known, names or {})) is not None:
            value, rest = found
        else:
            named = known.get(part) or next((known[name] for name in begun if name.startswith(part)), "")
            if not named and key in OF_CARS and names:
                raise which_car(part, names, words)
            _check_told(key, seen, words)
            if not named:
                can = [words.word("seen", one) for one in can_happen(asked)]
                raise BadAnswer("seen_wanted", said=part[:40], known=can)
            key, rest = named, after
            if key == "line":
                seen["line"] = True
            continue
        seen[key] = [*seen.get(key, []), value] if key in ("beside", "order") else value
    _check_told(key, seen, words)
    return seen


def _detail_car(key: str, text: str, known: Mapping[str, str], names: Names) -> tuple[int, str] | None:
    """Return the car that a text begins with where a detail names cars, and the rest; None for a word of its own."""
    word = text.partition(" ")[0]
    if key not in OF_CARS or word in known:
        return None
    return car_at_head(text, names, whole=any(name.startswith(word) for name in known))


def _check_told(key: str, seen: Mapping[str, Json], words: Words) -> None:
    """Raise BadAnswer for a detail that lacks its number or car."""
    if key not in ("", "line", *seen):
        raise BadAnswer("seen_number", said=words.word("seen", key), car=key in OF_CARS)
