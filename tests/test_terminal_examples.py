"""Every example that the terminal shows is an answer which the open question accepts."""

from __future__ import annotations

import re
from collections.abc import Callable
from random import Random
from typing import Any

import pytest

from companion import circuits
from companion.desk import RaceDesk
from companion.drivers.cards import RandomCardDriver
from companion.drivers.chance import RandomDriver
from companion.rules.conversation.asking import Json
from companion.rules.ninety.circuit import SectionTrack
from companion.rules.rulebooks import begin
from companion.terminal.answers import details, typed
from companion.terminal.asides import change_typed
from companion.terminal.screen import RacePrinter
from companion.terminal.session import TerminalSession
from companion.wording import LANGUAGES, Words

SHOWN = {"en": r"Here for example: (.+)", "fr": r"Ici par exemple\s: (.+)"}
BESIDES = {"en": r"such as (.+?) \(Enter", "fr": r"par exemple (.+?) \(Entrée"}
SET = {"en": r"(?m)^ *override (.*?) +set ", "fr": r"(?m)^ *forcer (.*?) +fixer "}
SET_TOO = {"en": r"override ([a-z].*?)[,.](?= |$)", "fr": r"forcer ([a-zé].*?)[,.](?= |$)"}
WRITTEN = {
    "points": {"en": (r"like (.+?), or", r"such as (.+?)\."), "fr": (r"s’écrivent (.+?), ou", r"par exemple (.+?)\.")},
    "chart": {"en": (r"such as (.+?),", r"cards damage: (.+)"), "fr": (r"comme (.+?),", r"cartes dégâts\s: (.+)")},
}
"""What is said of a chart, and of points typed otherwise than they are written."""


class Looking(RacePrinter):
    """A terminal at which `type_it` types after it has read what was printed since."""

    def __init__(self, words: Words, type_it: Callable[[str, str], str | None]) -> None:
        super().__init__(words)
        self.type_it, self.printed = type_it, ""

    def line(self, *parts: str | tuple[str, str]) -> None:
        self.printed += "".join(part if isinstance(part, str) else part[0] for part in parts) + "\n"

    def ask(self, prompt: str) -> str | None:
        printed, self.printed = self.printed, ""
        return self.type_it(" ".join(prompt.split()), printed)


def shown_examples(
    rulebook: str, track: str, seed: int, lang: str, most: int, options: dict[str, Json]
) -> list[tuple[str, str, str]]:
    """Play a race by chance and ask for help at every prompt; the question, the prompt and the example of each."""
    board, words, random = circuits.board(track), Words(lang, rulebook), Random(seed)
    setup: dict[str, Any] = {"rulebook": rulebook, "track": track, "cars": [{"car": n + 1} for n in range(4)]}
    setup["options"] = options
    book = begin(setup, board)  # type: ignore[arg-type]
    desk = RaceDesk(book, setup=setup)
    driver = RandomCardDriver(board, seed) if isinstance(board, SectionTrack) else RandomDriver(board, seed)
    found: list[tuple[str, str, str]] = []
    state = {"at": -1, "step": 0}

    def accepted(answer: Json) -> None:
        desk.conversation.fork(desk.rulebook.clone(), desk.n).answer(answer)

    def overrides(printed: str, pattern: str, prompt: str) -> None:
        for example in re.findall(pattern, printed):
            change = change_typed(example.split(), words, str, desk.rulebook, desk.names)
            assert change is not None, example
            desk.conversation.fork(desk.rulebook.clone(), desk.n).override(change)
            found.append(("override", prompt, example))

    def type_it(prompt: str, printed: str) -> str | None:
        asked = desk.asked
        if asked is None or desk.n > most:
            overrides(printed, SET[lang], "help")
            state["over"] = state.get("over", 0) + 1
            return "help" if state["over"] == 1 else "quit"
        if state["at"] != desk.n:
            state.update(at=desk.n, step=0)
        state["step"] += 1
        if state["step"] == 1:
            if asked.ask == "chart":
                example = re.search(WRITTEN["chart"][lang][1], printed)
                assert example is not None, printed
                accepted(typed(example.group(1), asked, words))
            return "help"
        if state["step"] == 2:
            example = re.search(SHOWN[lang], printed)
            assert example is not None, (asked, printed)
            found.append((asked.ask, "", example.group(1)))
            accepted(typed(example.group(1), asked, words))
            overrides(printed, SET[lang], "help")
            if asked.ask == "saw":
                state["place"] = random.randrange(len(asked.options or [])) if asked.options else -1
                if asked.options:
                    return str(state["place"] + 1)
            if asked.ask in ("setup", "chart", "repair"):
                return "tyres"
            return "override" if lang == "en" else "forcer"
        if state["step"] == 3 and asked.ask in ("setup", "chart", "repair"):
            said = " ".join(printed.split())
            for pattern in WRITTEN["chart" if asked.ask == "chart" else "points"][lang]:
                if (written := re.search(pattern, said)) is not None:
                    found.append((asked.ask, "refused", written.group(1)))
                    accepted(typed(written.group(1), asked, words))
        elif state["step"] == 3 and not (asked.ask == "saw" and asked.options):
            overrides(" ".join(printed.split()), SET_TOO[lang], "override")
        if state["step"] == 3 and asked.ask == "saw" and asked.options:
            place = (asked.options or [])[state["place"]].answer
            if besides := re.search(BESIDES[lang], prompt):
                found.append((asked.ask, "besides", besides.group(1)))
                accepted({**place, **details(besides.group(1), words)})
            return "help"
        if state["step"] == 4 and asked.ask == "saw" and asked.options:
            assert not re.search(SHOWN[lang], printed), "the example of another prompt"
            return "undo"
        return words_of(driver.answer(asked, desk.rulebook.race))  # type: ignore[arg-type]

    TerminalSession(desk, Looking(words, type_it)).run()
    return found


def words_of(answer: Json) -> str:
    import msgspec

    return msgspec.json.encode(answer).decode()


BOX: dict[str, Json] = {"construction": True, "weather": True, "tyres": True, "stop_technical": True}


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize(
    ("rulebook", "track", "options"),
    [
        ("beginner", "monza", {}), ("beginner", "monaco", {"highest_gear": 4}),
        ("formula-d", "monza", {"weather": True, "teams": True}), ("formula-d", "monaco", BOX),
        ("competition", "monza", {}), ("competition", "monaco", {}), ("cup", "spa", {}), ("cup", "copper-basin", {}),
        ("league", "imola", {}), ("league", "monaco", {}), ("death", "copper-basin", {}),
        ("ninety", "saltmarsh", {"charts": [[11, 7, 4], [13, 5, 4]]}),
    ],
)  # fmt: skip
def test_every_example_that_the_terminal_shows_is_accepted(
    rulebook: str, track: str, options: dict[str, Json], lang: str
) -> None:
    """At every question, of answers and of overrides, in help, in prompts and in what is said of a wrong answer."""
    found = [one for seed in range(2) for one in shown_examples(rulebook, track, seed, lang, 90, options)]
    assert len(found) > 90
    for prompt in ("help", "override"):
        assert any(ask == "override" and where == prompt for ask, where, _ in found), prompt
    asks = {ask for ask, _, _ in found}
    assert {ask for ask, where, _ in found if where == "refused"} == asks & {"setup", "chart", "repair"}
    if "saw" in asks:
        told = [example for ask, prompt, example in found if ask == "saw" and not prompt]
        happened = sum(bool(re.search(r"\d .*\d", example)) for example in told)
        assert happened > len(told) / 2, "most examples of a move say something that happened"
        assert sum(prompt == "besides" for _, prompt, _ in found) > 10
