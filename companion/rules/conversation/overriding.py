"""Marks for the type checker alone.

`override` stands on a method that rewrites one of its base, so that there must be one to rewrite; type variables with a
default spare a house rule its type parameters.
"""

from __future__ import annotations

import typing
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from typing_extensions import TypeVar as TypeVar
    from typing_extensions import override as override
else:

    def override(method):
        """Mark a method, or a property, as one that rewrites another."""
        inner = getattr(method, "fget", method)
        inner.__override__ = True
        return method

    def TypeVar(name, *, bound, default):  # noqa: N802
        """Make a type variable; `default` is for the type checker."""
        return typing.TypeVar(name, bound=bound)
