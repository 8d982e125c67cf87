"""The board on the touchscreen: widgets that draw a circuit laid out in `drawing`.

`view` is the board of any circuit: a `map` of one known to the space, a `strip` of one known to the corner, `sections`
of a board of sections. `whole` is the base of boards that are always fully visible, `overview` a small picture.

In a map `scenery` is what never changes, `car` is a car, `marked` the temporary marks, and `labels` the notes beside
the road. `journey` animates cars and view, `fingers` interprets touches.
"""
