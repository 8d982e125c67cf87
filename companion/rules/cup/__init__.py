"""The cup: three laps by house rules with KERS and DRS, as changes to the family of dice.

`cup` is its head and lists the chapters that it has otherwise, each in the file of the same name. Its great idea is
told here: a pool at 0 is harmless until it must pay and cannot, and only then the penalty falls. `wear` has the idea
itself; what it brings stands beside the rule that it changes: what may be staked in `gears`, where a move is cut short
in `landings` and `moving`, who spins in `corners` and `blocking`, how a spin ends in `turn`. `slipstream` is DRS,
`kers` a chapter that only the cup has, `pits` the two columns in which cars wait to leave, with full stops and quick
ones, `order` their phase after the track, `weather` its own sky, `preparing` the grid in phases and the teams,
`tyres` the two compounds, `finish` turn one after the flag. `state` is what its cars carry.

The arrows go to `dice`, `circuit` and `conversation`; no other rulebook is known here.
"""
