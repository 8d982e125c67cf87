"""The panels that the screens are made for."""

PANELS: tuple[tuple[tuple[int, int], float], ...] = (((800, 480), 1.0), ((1280, 720), 1.5))
"""Pixels, and pixels a dp."""
