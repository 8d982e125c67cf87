"""The board on the touchscreen: the widgets that draw a circuit's shape, which is in `drawing`.

`view` is the board of any circuit: known to the space a `map`, known to the corner a `strip`, of sections `sections`.
`whole` is one that is seen whole, `overview` a small picture.

A map: `stage` and `scenery` never change, `car` is a car, `marked` what is marked for the moment. What stands beside
the road: `labels`. `journey` is the way to another part of it, `fingers` what a finger means.
"""
