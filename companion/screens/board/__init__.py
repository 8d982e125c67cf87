"""The board on the touchscreen: a circuit's shape as geometry, and the widgets that draw it.

`view` is the board of any circuit: known to the space a `map`, known to the corner a `strip`, of sections `sections`.
`whole` is one that is seen whole, `overview` a small picture.

The shape: `road` (the centre line, which `closing` closes), `spaces`, `lines`, `drawing`. A map: `stage` and `scenery`
never change, `car` is a car, `marked` what is marked for the moment. What stands beside the road: `labels` and where
they are (`notes`). `framing` is what part is looked at, `journey` the way there, `fingers` what a finger means.
"""
