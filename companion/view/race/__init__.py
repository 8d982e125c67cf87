"""The picture of a race at one moment: all that the race screen shows.

`race` puts it together from `prompt` (the question) with `titles`, `keys` (its answers), `landings` (spaces by their
outcomes), `form`, `risk` and `rolls` (what may follow) and `steps`; `card` (rulings), `board`, `dashboard` with
`counters` and `extras`, `order`, `toast`; and what has a place of its own: `queue` (tests), `attack`, `pits`,
`weather`, `building` (a car), `seen` (corner sheets), `sections`, `contest`, `hand` (the race of cards).

Begin with `race`. From here the arrows go to the shapes and the sight of `view`, and on.
"""
