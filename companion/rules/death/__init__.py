"""The death race: the basic game of one pool, with weapons between its rounds, as changes to the family of dice.

`death` is the book and what it changes of the family, in the order of a race. `state` is its cars with their cards, and
its figures; `cards` the sixty-four cards, whose figures lie in cards.toml. The one pool of points, collisions, and what
cards and the road do to a car on its way are in `hazards`, the phase between the rounds in `attack`.

The arrows go to `dice`, `circuit` and `conversation`; no other rulebook is known here.
"""
