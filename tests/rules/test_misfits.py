"""What the types of a setup refuse is found, and nothing else is."""

from typing import Any

import msgspec
import pytest
from msgspec import inspect

from companion.rules.conversation.typed import misfits
from companion.rules.dice.competition import Competition
from companion.rules.dice.state import Car
from tests.french import told_in_french

VALUES: list[Any] = [
    None, True, 0, 5, -1, 2.0, 10**25, "", "sun", "out", [], [1], ["a"], [[1, 2]], {}, {"tyres": 1}, {"tyres": 1.0},
    [{}],
]  # fmt: skip
RACE, FIGURES = Competition.race_type, Competition.figures_type


def fields(kind: Any) -> list[str]:
    struct = inspect.type_info(kind)
    assert isinstance(struct, inspect.StructType)
    return [field.encode_name for field in struct.fields if field.encode_name != "move"]


CASES: list[tuple[Any, dict[str, Any]]] = [
    *((RACE, {"laps": 3, "cars": [{"car": 1}], name: value}) for name in fields(RACE) for value in VALUES),
    *((RACE, {"laps": 3, "cars": [{"car": 1, name: value}]}) for name in fields(Car) for value in VALUES),
    *((FIGURES, {name: value}) for name in fields(FIGURES) for value in VALUES),
]


def test_every_value_of_a_wrong_kind_and_no_other_is_a_misfit() -> None:
    refused = 0
    for kind, said in CASES:
        try:
            msgspec.convert(said, kind)
        except msgspec.ValidationError:
            refused += 1
            told_in_french(next(misfits(kind, said, "The race")))
        else:
            assert not list(misfits(kind, said, "The race")), said
    assert len(CASES) > refused > 500


@pytest.mark.parametrize("name", ["laps", "cars"])
def test_what_is_missing_is_a_misfit(name: str) -> None:
    said = {"laps": 3, "cars": [{"car": 1}]}
    del said[name]
    assert [str(told).split(" wants ")[0] for told in misfits(RACE, said, "The race")] == [f"The race: {name}"]
