"""What is chosen before a race.

`first_page` is where it begins, `new_race` what rulebooks, figures and circuits are called and offered; `draft` is what
was chosen so far and the setup that comes of it; `standing` a position to go on from, and `places` where a car may be
put by hand.

Begin with `draft`. From here the arrows go to the picture of a `race` and to the shapes of `view`.
"""
