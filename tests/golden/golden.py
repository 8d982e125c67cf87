"""Golden races: whole races as text that a person can read and check, and that replay line by line.

    setup {...}                           the setup, as JSON over several lines, up to a lone }
    round 1: changeable, dry              at the start of each round the sky, the surface and the danger spaces,
    | car 3 Héloïse, 20:left:16, ...      and how every car stands, in the order of play
    car 3, roll gear_1: 2                 a question and the answer given, as JSON
        move  3  6-2-1  at=...            what was ruled: kind, car, article, points lost or won, facts by name
    = 1. car 3, finished, ...             the result

Empty lines and lines that begin with # are comments. What they say was worked out by hand from the rulebook and the
circuit's file.

    python -m tests.golden.golden check FILE...
    python -m tests.golden.golden record FILE [--seed N]

`record` plays the answers of the file again for as long as they answer the same questions and are legal, then goes on
with a driver of its own, and writes the file anew; a comment is kept if the line that it stands above still exists.
To begin a new race, give it a file that holds a setup and nothing else; to change one, change an answer first.
"""

from __future__ import annotations

import argparse
import difflib
import json
import re
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from typing import Any, Final, NamedTuple

from companion.circuits import board
from companion.drivers.cards import HeuristicCardDriver
from companion.drivers.chance import RandomDriver
from companion.drivers.sensible import HeuristicDriver
from companion.rules.circuit.track import Track
from companion.rules.conversation.asking import Asked, Json, Question, Ruling
from companion.rules.conversation.conversation import Conversation
from companion.rules.conversation.errors import BadAnswer
from companion.rules.dice.formula_de import FormulaDe
from companion.rules.dice.state import RaceState
from companion.rules.ninety.circuit import SectionTrack
from companion.rules.ninety.ninety import Ninety
from companion.rules.rulebooks import begin

HERE: Final = Path(__file__).parent
CONTEXT: Final = 4
"""Lines shown before and after the first difference."""
TURN: Final = re.compile(r"round|=|car \d+, (start|gear)\b")
"""Lines with an empty one above them."""


class Line(NamedTuple):
    """One line that is no comment, its number in the file, and the comment lines above it."""

    number: int
    text: str
    above: list[str]


class Golden:
    """A golden race as its file has it. Raises ValueError for a file without a whole setup."""

    def __init__(self, text: str) -> None:
        rows = text.splitlines()
        first = next((n for n, row in enumerate(rows) if row.startswith("setup ")), None)
        if first is None or "}" not in rows:
            raise ValueError("A golden race begins with a setup: setup {, its fields, and a lone } at the end.")
        last = rows.index("}")
        self.head, self.opening = rows[:first], rows[first : last + 1]
        said = [row for row in self.opening if not row.startswith("#")]
        self.setup: dict[str, Json] = json.loads("\n".join(said).removeprefix("setup"))
        self.lines: list[Line] = []
        self.tail: list[str] = []
        for number, row in enumerate(rows[last + 1 :], last + 2):
            if row.startswith("#"):
                self.tail.append(row)
            elif row.strip():
                self.lines.append(Line(number, row, self.tail))
                self.tail = []

    @property
    def answers(self) -> list[tuple[str, Json]]:
        """Every question with its answer."""
        rows = (line.text.partition(": ") for line in self.lines if line.text.startswith("car "))
        return [(asked, json.loads(answer)) for asked, _, answer in rows]


# -- a race as lines


class Open(NamedTuple):
    """A question as the file writes it, as it reads answers, as the world sees it; and the race."""

    words: str
    question: Question[Any]
    asked: Asked
    race: RaceState


def played(setup: dict[str, Json], give: Callable[[Open], Json]) -> Iterator[str]:
    """The lines of a race whose questions `give` answers."""
    rulebook: Any = begin(setup, board(setup["track"]))
    talk = Conversation(rulebook)
    yield from map(ruled, talk.opening)
    round_ = 0
    while (question := talk.question) is not None and (asked := talk.asked) is not None:
        if asked.round != round_:
            round_ = asked.round
            yield from standing(rulebook)
        matter = "" if asked.what == asked.ask else asked.what
        words = f"car {asked.car}, {asked.ask} {matter}".rstrip()
        answer = give(Open(words, question, asked, rulebook.race))
        rulings = talk.answer(answer)
        yield f"{words}: {json.dumps(answer, ensure_ascii=False)}"
        yield from map(ruled, rulings)
    for row in rulebook.result():
        facts = [f"{name} {row[name]}" for name in ("laps", "points", "cause") if name in row]
        yield f"= {row['place'] or '-'}. car {row['car']}, {row['status']}, {', '.join(facts)}"


def ruled(ruling: Ruling) -> str:
    """A ruling as a line: kind, car, article, points lost or won, facts by name."""
    wear = [f"{points:+d} {pool}" for pool, points in ruling.wear.items()]
    facts = [f"{name}={plain(ruling.facts[name])}" for name in sorted(ruling.facts)]
    car = "-" if ruling.car is None else ruling.car
    return f"    {ruling.kind:<11} {car:>2}  {ruling.article:<10} {'  '.join([*wear, *facts])}".rstrip()


def plain(value: Json) -> str:
    """A fact as text: a word as it is, anything else as JSON without spaces."""
    if isinstance(value, str) and re.fullmatch(r"[\w:/-]+", value):
        return value
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def in_sections(rulebook: Ninety) -> Iterator[str]:
    """How a race of sections stands at the start of a turn: section by section, each from the head of its line."""
    yield f"round {rulebook.race.round}: of {rulebook.race.laps}"
    for number in range(len(rulebook.track.sections)):
        for car in rulebook.order.queue(number):
            parts = [f"| section {number + 1}", f"car {car.number} {car.driver}".rstrip(), f"lap {car.lap}"]
            if not car.bot:
                parts += ["/".join(str(points) for points in car.wear.values()), car.strategy, f"check {car.check}"]
            yield ", ".join([*parts, f"fuel {car.fuel}", *(["stopped"] * (car.stops > 0))])


def standing(rulebook: FormulaDe | Ninety) -> Iterator[str]:
    """How the race stands at the start of a round."""
    if isinstance(rulebook, Ninety):
        yield from in_sections(rulebook)
        return
    race = rulebook.race
    sky = f"{race.sky}{' for good' if race.fixed else ''}"
    sky += ", wet conditions" * getattr(race, "wet_conditions", False)
    yield f"round {race.round}: {sky}, {race.surface}" + "".join(f", danger {space}" for space in race.dangers)
    first = race.move.car if race.move is not None else None
    for number in sorted(rulebook.to_play(), key=lambda number: number != first):
        car = rulebook.car(number)
        wear = "/".join(str(car.wear[pool]) for pool in race.pools)
        parts = [f"| car {number} {car.driver}".rstrip(), f"{car.at}", f"lap {car.lap}", f"gear {car.gear}", wear]
        parts.append(f"{car.tyres} {car.tyre_laps}")
        parts += [f"{car.stops} made"] * (car.stops > 0)
        kers = getattr(car, "kers", 0)
        parts += [f"kers {kers}"] * (kers > 0)
        yield ", ".join(
            [*parts, *([car.status] * (car.status != "racing")), *([f"stop {car.stop}"] * (car.stop != ""))]
        )


# -- checking


def differs(golden: Golden) -> str:
    """The first difference between a golden race and the same answers given today, shown with its surroundings;
    empty if there is none."""
    answers = iter(golden.answers)
    wrong = ""

    def give(now: Open) -> Json:
        wanted, answer = next(answers, ("", None))
        if wanted != now.words:
            raise LookupError
        return answer

    today: list[str] = []
    try:
        for row in played(golden.setup, give):
            today.append(row)
    except LookupError:
        wrong = "The race asks something else here.\n"
    except BadAnswer as refused:
        wrong = f"The answer here is refused: {refused}\n"
    lines = [line.text for line in golden.lines]
    if lines == today and not wrong:
        return ""
    same = next((n for n, (a, b) in enumerate(zip(lines, today, strict=False)) if a != b), min(len(lines), len(today)))
    where = golden.lines[same].number if same < len(lines) else golden.lines[-1].number + 1
    start, end = max(0, same - CONTEXT), same + CONTEXT + 1
    diff = difflib.unified_diff(lines[start:end], today[start:end], "the file", "today", n=CONTEXT, lineterm="")
    return f"Line {where}: {wrong}" + "\n".join(diff)


# -- recording


class Eventful:
    """A sensible driver with bad luck and moments of recklessness, so that much happens in a race."""

    UNLUCKY: Final = {"handling": 0.2, "collision": 0.15, "engine": 0.25, "wall": 0.3}

    def __init__(self, track: Track, seed: int) -> None:
        self.random = Random(seed)
        self.sensible, self.chance = HeuristicDriver(track, seed), RandomDriver(track, seed)

    def answer(self, asked: Asked, race: RaceState) -> Json:
        """Mostly what a sensible driver would say; the dice are loaded."""
        luck = self.random.random()
        if asked.ask == "test" and luck < self.UNLUCKY.get(asked.what, 0):
            return self.random.randint(1, (asked.fields or {}).get("loses_to", 1))
        if asked.what == "weather":
            return self.random.randint(8, 12) if race.round == 0 else self.weather(race)
        if asked.ask == "start" and luck < 0.3:
            return self.random.choice((1, 20))
        if asked.ask == "roll" and asked.faces and asked.faces[-1] in (20, 30) and luck < 0.3:
            return asked.faces[-1]
        if asked.ask in ("gear", "landing") and luck < 0.02:
            return self.chance.answer(asked, race)
        if asked.ask == "slipstream" and luck < 0.8:
            taken = [option for option in asked.options or [] if option.answer and "out" not in option.facts]
            return self.random.choice(taken or asked.options or []).answer
        if asked.ask == "landing" and luck < 0.5 and (tows := self.behind(asked, race)):
            return self.random.choice(tows)
        return self.sensible.answer(asked, race)

    def behind(self, asked: Asked, race: RaceState) -> list[Json]:
        """The stops that cost nothing, straight behind another car, where a slipstream may offer itself."""
        track = self.sensible.track
        taken = {track.ids.get(car.at or "") for car in race.cars if car.gear >= 4 and car.standing}
        free = [option.answer for option in asked.options or [] if option.answer and not option.wear]
        return [answer for answer in free if track.ahead[track.ids[answer["space"]]] in taken]

    def weather(self, race: RaceState) -> int:
        """A sky that seldom settles."""
        faces = {"sun": (13, 20), "changeable": (8, 12), "rain": (1, 7)}
        skies = [sky for sky in faces if sky != race.drawn or sky == "changeable"]
        return self.random.randint(*faces[self.random.choice(skies)])


def record(golden: Golden, seed: int) -> tuple[str, int]:
    """The text of a race: the answers of the file as far as they go, then a driver's; and how many of them held."""
    track = board(golden.setup["track"])
    driver: Any = HeuristicCardDriver(track, seed) if isinstance(track, SectionTrack) else Eventful(track, seed)
    answers = iter(golden.answers)
    kept, following = 0, True

    def give(now: Open) -> Json:
        nonlocal kept, following
        wanted, answer = next(answers, ("", None)) if following else ("", None)
        following = wanted == now.words and legal(now.question, answer)
        kept += following
        return answer if following else driver.answer(now.asked, now.race)

    return commented(golden, list(played(golden.setup, give))), kept


def legal(question: Question[Any], answer: Json) -> bool:
    """Whether a question takes an answer."""
    try:
        question.read(answer)
    except BadAnswer:
        return False
    return True


def commented(golden: Golden, today: list[str]) -> str:
    """Today's lines with the comments of the file, each above the line that it stood above, if that still exists."""
    above: dict[int, list[str]] = {}
    lines = [line.text for line in golden.lines]
    for a, b, size in difflib.SequenceMatcher(None, lines, today, autojunk=False).get_matching_blocks():
        above |= {b + i: golden.lines[a + i].above for i in range(size)}
    rows = [*golden.head, *golden.opening]
    for number, row in enumerate(today):
        if TURN.match(row) and not (number and row[0] == today[number - 1][0] == "="):
            rows.append("")
        rows += [*above.get(number, []), row]
    return "\n".join([*rows, *golden.tail]) + "\n"


def main(arguments: list[str] | None = None) -> int:
    """Checks golden races, or records one."""
    parser = argparse.ArgumentParser(prog="python -m tests.golden.golden", description="Golden races.")
    commands = parser.add_subparsers(dest="command", required=True)
    checking = commands.add_parser("check", help="replay races and show the first difference")
    checking.add_argument("files", nargs="+", type=Path)
    recording = commands.add_parser("record", help="play a file's answers again and write the race anew")
    recording.add_argument("file", type=Path)
    recording.add_argument("--seed", type=int, default=0)
    given: Any = parser.parse_args(arguments)
    if given.command == "check":
        found = {file: differs(Golden(file.read_text(encoding="utf-8"))) for file in given.files}
        for file, difference in found.items():
            print(f"{file}: {difference or 'the same, line by line'}")
        return int(any(found.values()))
    golden = Golden(given.file.read_text(encoding="utf-8"))
    text, kept = record(golden, given.seed)
    given.file.write_text(text, encoding="utf-8")
    lost = sum(len(line.above) for line in golden.lines) - sum(len(line.above) for line in Golden(text).lines)
    print(f"{given.file}: {kept} of {len(golden.answers)} answers kept, {lost} lines of comment lost")
    return 0


if __name__ == "__main__":
    sys.exit(main())
