"""Who answers in a race, and what is said to those who do.

`programs` drives the program's seats; `hint` is what a champion would answer, `odds` what the order may come to, and
`guide` what is said to whoever drives a first lap.

Begin with `programs`. From here the arrows go to the drivers, to what was chosen in the `setup`, and to `view`.
"""
