"""The race of cards over sections: nobody rolls, everybody plays cards, and corners are fought for.

`ninety` is the book: it lists its chapters, runs a race from step to step, and reads a setup. `turn` is a driver's turn
and all that moves cars; `hand` what cards do in the hand, on a car's chart and in checks; `position` the preparing
before a race, and how one may stand. `state` is the race as plain data, `figures` what it counts with, `circuit` the
sections, `cards` a card as people type it.

The arrows go to `circuit` and `conversation` only.
"""
