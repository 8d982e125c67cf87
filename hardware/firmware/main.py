"""What a Pico runs when it is switched on; it lies beside the folder `firmware`."""

from firmware.pico import run

run()
