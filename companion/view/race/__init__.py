"""The picture of a race at one moment: the contents of the race screen.

`race` assembles it from `prompt` (the question) with `titles`, `keys` (its answers), `landings` (spaces by outcome),
`form`, `risk` and `rolls` (what may follow) and `steps`; `card` (rulings), `board`, `dashboard` with `counters` and
`extras`, `order`, `toast`; and the special areas `queue` (tests), `attack`, `pits`, `weather`, `building` (a car),
`seen` (corner sheets), `sections`, `contest`, `hand` (the race of cards). `intents` is what people can mean on that
screen, `drafts` the answers that they put together step by step, `menu` its menu.

Begin with `race`. These modules import the shapes and the sight of `view`.
"""
