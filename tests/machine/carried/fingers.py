"""A touchscreen of ten fingers, made in the guest by uinput: `fingers.py PIPE WIDE HIGH NAME`.

It is there as long as this runs; each line written to the pipe that it makes is a tap: `x y`, in parts of the panel
from its top left, and after them, if anything, the seconds that the finger stays.

Runs in the guest, with Debian's python3-evdev.
"""

from __future__ import annotations

import os
import sys
import time

from evdev import AbsInfo, UInput, ecodes  # type: ignore[import-not-found]

NAME = " ".join(sys.argv[4:])
WIDE, HIGH = int(sys.argv[2]), int(sys.argv[3])
"""What the panel tells of its own size."""

AXES = [
    (code, AbsInfo(value=0, min=0, max=most, fuzz=0, flat=0, resolution=0))
    for code, most in (
        (ecodes.ABS_X, WIDE - 1), (ecodes.ABS_Y, HIGH - 1), (ecodes.ABS_MT_SLOT, 9), (ecodes.ABS_MT_TRACKING_ID, 65535),
        (ecodes.ABS_MT_POSITION_X, WIDE - 1), (ecodes.ABS_MT_POSITION_Y, HIGH - 1),
    )
]  # fmt: skip

panel = UInput(
    {ecodes.EV_KEY: [ecodes.BTN_TOUCH], ecodes.EV_ABS: AXES},
    name=NAME, input_props=[ecodes.INPUT_PROP_DIRECT],
)  # fmt: skip
os.mkfifo(sys.argv[1])
told = os.fdopen(os.open(sys.argv[1], os.O_RDWR))  # for writing too: it has no end when a writer goes
print("there", flush=True)
for number, line in enumerate(told):
    x, y, stays = [float(word) for word in line.split()] + [0.1] * (len(line.split()) < 3)
    at = (ecodes.ABS_MT_POSITION_X, round(x * (WIDE - 1))), (ecodes.ABS_MT_POSITION_Y, round(y * (HIGH - 1)))
    for code, value in ((ecodes.ABS_MT_SLOT, 0), (ecodes.ABS_MT_TRACKING_ID, number), *at):
        panel.write(ecodes.EV_ABS, code, value)
    panel.write(ecodes.EV_KEY, ecodes.BTN_TOUCH, 1)
    panel.syn()
    time.sleep(stays)
    for (
        code,
        value,
    ) in at:  # no finger lies still: Linux keeps the same place twice to itself, and who reads anew has none
        panel.write(ecodes.EV_ABS, code, value - 1 if value else 1)
    panel.write(ecodes.EV_ABS, ecodes.ABS_MT_TRACKING_ID, -1)
    panel.write(ecodes.EV_KEY, ecodes.BTN_TOUCH, 0)
    panel.syn()
    print("tapped", flush=True)
