"""Views of a race for phones and wall screens.

`phone` is the page of a driver or a spectator, with `classified` after the race and `replay` to watch it again.

Begin with `phone`. These modules import the picture of a `race`, its `seats`, and `view`.
"""
