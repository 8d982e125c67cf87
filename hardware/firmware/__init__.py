"""The firmware of the die-roller, for a Raspberry Pi Pico.

All modules except `pico` and `segments` also run on a computer.
"""
