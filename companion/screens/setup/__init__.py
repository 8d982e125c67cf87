"""Setup of a race: `new_race` with its steps (`step`), and the car builder (`build`).

It starts on a single page (`first`). The steps: `rules`, `circuit`, `drivers`, `grid` (also a season's), `cards` (also
those of street drivers), `start`.
"""
