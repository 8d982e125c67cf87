"""Buttons, lamps and the die-roller.

They turn presses into answers, and rulings into light. Nothing here knows the rules.
"""
