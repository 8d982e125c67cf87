"""What phones and walls show of a race.

`phone` is the page of a driver or a spectator, with `classified` once the race is over and `replay` to see it again.

Begin with `phone`. From here the arrows go to the picture of a `race`, its `seats`, and to `view`.
"""
