"""The way to a race: `new_race` with its steps, each a kind of `step`, and the car builder (`build`).

It begins on one page (`first`). The steps: `rules`, `circuit`, `drivers`, `grid` (of a season `season`), `cards`,
`street`, `start`.
"""
