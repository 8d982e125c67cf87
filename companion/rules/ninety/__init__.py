"""The race of cards over sections: nobody rolls, everybody plays cards, and corners are fought for.

`ninety` is the book: it lists its chapters, each an object of its own in the file of the same name, and runs a race
from step to step; what every one of them sees says `chapter`. In the order of a race: `preparing` before it, the
`turn` of a driver with `pits`, `strategies`, `hand` (what is held), `chart` (a car), `checks`, `moving` and what
passing costs, `trajectories` with late braking; `contests`, `order`, `bots`, which drive without cards, and the
`finish`. Beside the race `position` and the `referee`. `state` is the race as plain data, `figures` what is counted
with, `asking` the lists of what it asks and rules, `circuit` are the sections, `cards` a card as people type it, `deck`
a deck for a table that has none; `setup` reads a setup or a position.

The arrows go to `circuit` and `conversation` only.
"""
