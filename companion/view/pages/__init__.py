"""Pages beside and after a race.

`home` is the start page; `history` lists answers to go back to, `override` the referee's changes, `legend` explains
keys and symbols. `sheet` is the race sheet, `after` the statistics, `analysis` luck and mistakes, `comparison` the
differences of two rulebooks.

Begin with `sheet`. These modules import the picture of a `race`, its `seats` and `setup`, and `view`.
"""
