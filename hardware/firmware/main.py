"""The Pico's main program; copy it next to the folder `firmware`."""

from firmware.pico import run

run()
