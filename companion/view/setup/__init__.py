"""The choices before a race.

`first_page` is the quick start, `new_race` the steps with rulebooks, figures and circuits; `draft` holds the choices
and makes the setup; `standing` edits a position to start from, `places` the place of a car in it.

Begin with `draft`. These modules import the picture of a `race` and the shapes of `view`.
"""
