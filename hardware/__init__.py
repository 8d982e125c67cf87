"""Buttons, lamps and the die-roller: what turns a press into an answer and a ruling into light. It knows no rule."""
