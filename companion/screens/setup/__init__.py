"""The way to a race: `new_race` with its steps, each a kind of `step`, and the car builder (`build`).

The steps: `rules`, `circuit`, `drivers`, `grid` (of a season `season`), `cards`, `start`.
"""
