"""What is read beside a race and after it.

`home` is where one begins; `history` the answers to go back to, `override` the referee's word, `legend` what a key or a
symbol means. `sheet` is the race sheet, `after` what the race was, `analysis` who was lucky; `comparison`
how two rulebooks differ.

Begin with `sheet`. From here the arrows go to the picture of a `race`, its `seats` and `setup`, and to `view`.
"""
