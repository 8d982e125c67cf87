"""Pieces of circuits as text, of which boards for tests are made."""

from __future__ import annotations

RIGHT_HANDER = """
[[section]]
corner = "Only"
stops = 1
shortest = 3
longest = 7
inside = "right"
left = "> > > ^ > > >"
middle = "> > ^ > >"
right = "^ ^ ^"
bend = 360
"""

STRAIGHT = """
[[section]]
stagger = [2, 1, 0]
left = "17>"
middle = "17* ^"
right = "18< ^"
"""
"""A straight after it."""
