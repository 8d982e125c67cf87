"""The cup: three laps by house rules with KERS and DRS, as changes to the family of dice.

`cup` is its head. `state` is what its cars carry, `preparing` the compounds and the grid in phases, `weather` its own
sky. `wear` is the idea that changes most: a pool at 0 is harmless until it must pay and cannot, and only then the
penalty falls. `boosts` are DRS and KERS, `pits` a full stop or a quick one by the die, `pit_grid` the two columns in
which cars wait to leave.

The arrows go to `dice`, `circuit` and `conversation`; no other rulebook is known here.
"""
