"""Help and reference of the protocol, generated from its own definitions.

`summary` is for `companion referee --help`, `documentation` for `--reference`.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Final

from companion.desk.session import CODES, VERSION, Event, Hello, Saved, Standing
from companion.protocol.by_lines import COMMANDS, LineReferee
from companion.protocol.fields import Line
from companion.protocol.session_lines import SESSION_COMMANDS
from companion.rules.conversation.figures import Figure
from companion.rules.dice.questions import ALL_ASKS
from companion.rules.ninety.cards import FORM
from companion.rules.ninety.ninety import SECTION_ASKS

TURN: Final[Sequence[Line]] = (
    {
        "setup": {
            "rulebook": "beginner", "track": "monaco", "to_play": [7, 9],
            "cars": [
                {"car": 7, "driver": "Ada", "at": "2:left:5", "gear": 3},
                {"car": 9, "driver": "Bob", "at": "2:middle:3", "gear": 3},
            ],
        }
    },
    {"answer": 1},
    {"answer": 1},
    {"answer": {"space": "2:left:6", "brakes": 0, "soft": 0}},
    {"quit": True},
)  # fmt: skip
"""Lines in for one turn of a car: a position, then gear, die and space."""


def summary() -> str:
    """Return the short help: the commands, and one whole turn."""
    out = ["A line asks for one of these:", ""]
    out += _wrapped(", ".join((*COMMANDS, *SESSION_COMMANDS)), "  ")
    out += ["", "A whole turn: > is what your program says, < what it is told.", ""]
    referee = LineReferee()
    for said in TURN:
        line = json.dumps(said)
        out += _wrapped(f"> {line}", "    ", first="  ")
        for told in referee.say(line.encode()):
            out += _wrapped(f"< {json.dumps(told, ensure_ascii=False)}", "    ", first="  ")
    return "\n".join(out)


def _wrapped(text: str, indent: str, first: str | None = None) -> list[str]:
    import textwrap

    return textwrap.wrap(
        text, 79, initial_indent=indent if first is None else first, subsequent_indent=indent, break_long_words=False,
        break_on_hyphens=False,
    )  # fmt: skip


def documentation() -> str:
    """Return the reference: commands, questions, answers, figures, types and codes."""
    out = ["In, one JSON object a line:", ""]
    for name, (others, does) in COMMANDS.items():
        keys = f" (with {', '.join(others)})" if others else ""
        out += _paragraph(name, does + keys)
    out += [
        "",
        "Out, for every line in: rulings and what was to be shown, and then exactly one",
        "question, result or error.",
        "",
        '  {"ruling": {"car", "article", "text", "kind", "wear", "counts",',
        '              "left", "facts"}}',
        '  {"state": {...}}  {"sheet": {...}}  {"order": [3, 1, 2]}',
        '  {"correction": {"kept", "dropped", "asks", "changes", "change", "left"}}',
        '  {"hand_over": {"car", "driver", "roll", "text"}}',
        '  {"question": {"n", "ask", "car", "text", "article", "round", "what", "kind",',
        '                "options", "faces", "bands", "fields", "suggested"}}',
        '  {"consequences": [{"answer", "car", "wear", "stop", "overshot", "missing",',
        '                    "offers", "tests", "outcomes", "unhurt", "calm",',
        '                    "expected", "rulings", "ends", "beyond"}, ...]}',
        '  {"odds": {"3": [0.6, 0.3, 0.1], ...}}',
        '  {"hint": {"answer", "text", "turns", "other", "gain"}}',
        '  {"push": {"car", "text", "waits"}}: what the table does on the board for a',
        "              car that the program drives; waits: before the next one drives",
        '  {"result": [{"place", "car", "laps", "status", "points", "cause"}, ...]}',
        '    in a race for teams with "team", "team_place" and "team_points"',
        '  {"error": "one sentence; nothing has changed", "choices"}',
        "",
        "An option is an answer as it must be written, with what it costs and brings:",
        '  {"answer": 2, "wear": {"gearbox": -1}, "facts": {...}}',
        "The facts of a landing: moved, the spaces driven, slid of them by the slide;",
        "corner, with stops made of its number, or overshot, the spaces beyond; blocked,",
        "the spaces lost; tests, the danger spaces and walls in driving order, such as",
        '["5:left:1", "wall:4:right:5"]; finish, spin or out, with its cause.',
        "Where the answers are a range there are faces instead (a die); of a test there",
        "are bands as well. Who does not know the face answers with a band or a part of",
        "one, such as [5, 20], which is kept so, in the facts too. Where an answer",
        "has several parts, fields say what each may be. What a correction took away and",
        "may be given again is suggested.",
        "",
        "The wear of a ruling are points gained or lost by pool, counts whatever else is",
        "counted: kers, stand (repair points), tokens of a weapon (tokens:blobber), what",
        "is left of a card (stock:slip-mines). Left is what they hold after it. A move",
        "has the spaces rolled, slid and taken by soft tyres, less those braked and",
        "blocked; it may be cut short, or lengthened by a card or by what the pits give.",
        "",
        "A test (and whatever else chance decides) has the kind of the ruling in which it",
        "ends: collision, handling, wall, engine, ...; one that is lost may be ruled as a",
        "hit, with that kind as its why.",
        "",
        "The consequences of an answer reach to where the table has a choice again, or to",
        "the end of the turn; what is left out is nothing, or certain. Offers are what it",
        "opens, such as a slipstream; what has unless comes if those offers are declined",
        "(and a target is in sight). Likelihoods are fractions, [1, 20] for 1 in 20:",
        "",
        "  wear        what it costs and gives its car even if all goes well",
        "  stop        the stop that it makes: [corner, stops made, of so many]; overshot",
        "              and missing: spaces beyond corners, most stops missing",
        '  tests       {"kind", "ask", "article", "chance", "car", "other", "at",',
        '              "unless", "parts": [{"first", "last", "chance", "wear", "out",',
        '              "spun", "kinds"}]}: how likely it is rolled, by whom, with',
        "              whom, where; by faces (of a card: factors) what they cost at once",
        "              by car, who is out by what cause",
        '  outcomes    {"chance", "wear", "out", "spun"}: all of it together, by car',
        "  unhurt      how likely the car loses no more than wear; calm: nobody does",
        "  expected    points by car and pool on average",
        '  rulings     {"ruling", "chance", "unless"}: what may be ruled, without faces',
        '  ends        {"ask", "chance", "car", "what", "first"}: what is asked then',
        "  beyond      how likely a way is that was not followed to its end: where too",
        "              many tests come in a row the least likely ways are left",
        "",
        "Where the disk takes nothing, because it is full or may not be written, nothing",
        'is accepted, and the error has choices: "stop" (quit) or "memory". To go on in',
        'memory, send the same line again with "memory": true; it is asked once a race.',
        'From then on the last line of every reply has "unsaved", the number of entries',
        "that wait for room on the disk, until they are written.",
        "",
        "Questions (ask), and their answers:",
        "",
    ]
    for name, (asks, answers) in ALL_ASKS.items():
        out += _paragraph(name, f"{asks}: {answers}")
    out += ["", "In ninety, the race of cards, where a card is written " + FORM.partition(":")[0], ""]
    out += _paragraph("a card", FORM.partition(": ")[2])
    for name, (asks, answers) in SECTION_ASKS.items():
        out += _paragraph(name, f"{asks}: {answers}")
    return "\n".join([*out, *_setups(), *_session()])


def _session() -> list[str]:
    """Return the reference of the session: commands, types and codes."""
    out = ["", f"This is version {VERSION}. A line may ask as well for", ""]
    for name, (others, does) in SESSION_COMMANDS.items():
        out += _paragraph(name, does + (f" (with {', '.join(others)})" if others else ""))
    out += [
        "",
        "A line may have an id, which every line that answers it has too. An error has",
        "a code. While no race is open the last line is a question of null. To whoever",
        "has subscribed, rulings come inside events, with their texts; a question whose",
        "options are a hand that the seat may not see has none. What answers subscribe",
        "begins with the events since that entry; then comes the standing, with all that",
        "is known of the race and its cars. The types, field by field; a field that has",
        "its default is left out of an event:",
        "",
    ]
    for kind in (Hello, Event, Standing, Saved):
        fields = ", ".join(f"{name}: {said}" for name, said in kind.__annotations__.items())
        out += _paragraph(kind.__name__.lower(), fields)
    out += [
        "",
        "  The text of a ruling comes with it. known is all that may be known of the race",
        "  and its cars.",
        "",
    ]
    out += ["Codes of errors:", ""]
    for code, says in CODES.items():
        out += _paragraph(code, says)
    return out


def _setups() -> list[str]:
    """Return the reference of setups and positions."""
    from companion.rules.dice.competition import Competition
    from companion.rules.ninety.ninety import Ninety
    from companion.rules.rulebooks import RULEBOOKS

    out = [
        "",
        "A setup; of all but track and cars what is left out is asked, or has a default:",
        "",
        '  {"setup": {"rulebook": "competition", "track": "monaco", "laps": 3, "lang",',
        '             "sky": "sun" | "changeable" | "rain", "surface": "dry" | "wet",',
        '             "cars": [{"car": 1, "driver", "team", "box", "tyres",',
        '                       "wear": {"tyres": 6, "brakes": 3, "gearbox": 3,',
        '                                "body": 3, "engine": 3, "handling": 2},',
        '                       "stand": 2, "worn": {"tyres": 2}}, ...],',
        '             "options": {"points": [10, 6, 4, 3, 2, 1]}}}',
        "",
        'By formula-d with the option street "street": {"1": "Jack Owens"} gives cars',
        "their cards; who has none there is asked.",
        "",
        '"worn" are points that a car lacks from the race before: they come off at the',
        "start, whatever it is built with, down to 1 point in each pool.",
        "",
        "With to_play, the numbers of the cars that still play this round, in order, it",
        "is a position: the race begins in the middle and nothing of its preparation is",
        "asked; [] begins a new round. In ninety they play by their places, whatever",
        "their order in the list. A car may then also have",
        "",
    ]
    where = '"5:left:3", "pit:4", "box:4", null off the board; on a corner sheet "corner:3", "after:3", "after:0"'
    where += ' (past the line); in the race of cards "section:1" (the first past the line)'
    out += _paragraph("at", f"where it stands: {where}")
    out += _paragraph("gear, lap", "its gear; how often it has crossed the line")
    out += _paragraph("stops", "those made in its corner")
    out += _paragraph("status", "grid, racing, stalled, spun, wreck, coasting, pit, box, out or finished")
    out += _paragraph("tyre_laps", "the age of its tyres, in laps")
    out += [
        "",
        'and the setup "dangers" (a list of spaces) and "round". {"show": "state"}',
        "prints a position with all else that it takes to go on exactly, such as",
        "built, arrived, coast, stop and due: keep it, mail it, and begin from it. In",
        'the middle of a turn it says "whole": false: the race would go on from the',
        "turn's next question only.",
        "",
        "Figures and switches (options), their values, articles and rulings:",
        "",
    ]
    usual = list(Competition.listed())
    out += map(_figure, usual)
    for rulebook in RULEBOOKS.values():
        own = [figure for figure in rulebook.listed() if figure not in usual]
        if rulebook is Ninety:
            out += ["", f"In {Ninety.name}, which has its own only; laps are its turns, and deck is the number"]
            out += ["of a deck that the program keeps, 0 with cards on the table:"]
        elif own:
            out += ["", f"In {rulebook.name}:"]
        if own:
            out += ["", *_added(rulebook.race_type), *map(_figure, own)]
    return out


def _added(race: type) -> list[str]:
    """Return the fields of a rulebook's race and cars that its family does not have."""
    from companion.rules.dice.competition import Competition

    out = []
    for (whose, own), family in zip(_fields(race).items(), _fields(Competition.race_type).values(), strict=True):
        added = [name for name in own if name not in family and name not in ("section", "line")]
        added += ["point"] * ("line" in own)  # and `at`, which all cars have, says the section
        out += _paragraph(whose, "may also have " + ", ".join(added)) if added else []
    return [*out, ""] if out else []


def _fields(race: type) -> dict[str, list[str]]:
    """Return the field names of a race and of its cars."""
    from msgspec import inspect

    fields = {field.name: field.type for field in inspect.type_info(race).fields}  # type: ignore[attr-defined]
    return {"setup": list(fields), "car": [field.name for field in fields["cars"].item_type.fields]}


def _figure(figure: Figure) -> str:
    value = json.dumps(figure.value, separators=(",", ":"))
    said = f"({figure.article}{', proposed' if figure.proposed else ''})"
    line = f"  {figure.name:<24} {value}"
    if len(line) > 79:
        line = f"  {figure.name}\n    {value}"
    return f"{line} {said}" if len(line) + len(said) < 80 else f"{line}\n{' ' * 27}{said}"


def _paragraph(name: str, text: str, width: int = 79) -> list[str]:
    import textwrap

    return textwrap.wrap(
        text,
        width,
        initial_indent=f"  {name:<11} ",
        subsequent_indent=" " * 14,
        break_long_words=False,
        break_on_hyphens=False,
    )
