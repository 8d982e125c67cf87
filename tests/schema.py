"""What the program says, held against the schema that it prints."""

from __future__ import annotations

import copy
from collections.abc import Mapping
from typing import Any

from jsonschema import Draft202012Validator


class Schema:
    """A schema in which nothing may stand that it does not name."""

    def __init__(self, schema: Mapping[str, Any]) -> None:
        Draft202012Validator.check_schema(schema)
        strict = copy.deepcopy(dict(schema))
        for part in (strict, *strict["$defs"].values()):
            if "properties" in part:
                part["additionalProperties"] = False
        self._validator = Draft202012Validator(strict)

    def check(self, line: Mapping[str, Any]) -> None:
        """Fail where a line, or an answer under its name, is not as the schema has it."""
        wrong = [f"{list(error.absolute_path)}: {error.message[:300]}" for error in self._validator.iter_errors(line)]
        assert not wrong, "\n".join(wrong)
