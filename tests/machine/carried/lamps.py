"""Writes down what the pins of the simulated chip are set to, as they change: `lamps.py FOLDER PIN...`, where FOLDER is
the chip's own and holds a `sim_gpioN/value` for each pin. A line is the seconds, the pin and its value.

Runs in the guest.
"""

from __future__ import annotations

import os
import sys
import time

pins = {int(pin): os.open(f"{sys.argv[1]}/sim_gpio{pin}/value", os.O_RDONLY) for pin in sys.argv[2:]}
known: dict[int, bytes] = {}
while True:
    for pin, file in pins.items():
        now = os.pread(file, 1, 0)
        if now != known.get(pin):
            known[pin] = now
            print(f"{time.monotonic():.3f} {pin} {now.decode()}", flush=True)
    time.sleep(0.01)
