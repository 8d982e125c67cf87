"""The checks of the machine that the table runs on: what is there, what is wrong, and what to do about it.

Each check is a function from a `machine` (its files below a root, its commands, its user) to one of `findings`:
`display` for what people see, touch and hear, `parts` for the box of buttons and the die-roller, `system` for radio,
clock, power and versions, `disk` for where the races lie. `examination` runs them all within a time limit, `text` has
their sentences, `report` the file that a person sends. Nothing here needs a display or Kivy.
"""
