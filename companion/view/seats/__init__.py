"""The drivers in a race, and their hints.

`programs` plays the program's seats; `hint` gives a champion's answer, `odds` the chances of each car, and `guide` the
lessons of a guided lap. `at_table` adds all that to the picture of the race.

Begin with `programs`. These modules import the drivers, the choices of `setup`, and `view`.
"""
