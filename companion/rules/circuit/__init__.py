"""The board: a circuit as the rules see it, known to the space or to the corner, and the ways along it.

`track` is what there is in the end, with the spaces between two places; `file` says how it is written, and reads it:
`table` what both kinds have, `spaces` and `geometry` a circuit known to the space. `check` finds what is wrong with a
file. `zones` are those of the DRS, `stretches` the distances that are certain on a circuit known to the corner.

`leg` is a displacement and where it can stop; `search` finds every place that a leg reaches, with its price in brakes
and the tests on its way, in one pass over the board.

Begin with `track`, then `leg`. From here the arrows go to `conversation` only.
"""
