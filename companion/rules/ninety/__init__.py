"""The race of cards over sections: nobody rolls, everybody plays cards, and corners are fought for.

`ninety` is a race turn by turn; `state` is its race as plain data, `procedure` what its rules stand on, `asking` the
lists of what it asks and rules. `circuit` are the sections, `cards` a card as people type it, `deck` a deck for a
table that has none, `hand` what is held. In the order of a turn: `preparing` before the race, `pits`, `strategies`,
`moving` and what passing costs, `checks`, `contests`, `trajectories` with late braking, `order`. `chart` is a car,
`bots` drive without cards, `setup` reads a setup or a position.

The arrows go to `circuit` and `conversation` only.
"""
