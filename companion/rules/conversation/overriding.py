"""The mark on a method that rewrites one of its base: the type checker holds that there is one to rewrite."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from typing_extensions import override as override
else:

    def override(method):
        """Marks a method, or a property, as one that rewrites another."""
        inner = getattr(method, "fget", method)
        inner.__override__ = True
        return method
