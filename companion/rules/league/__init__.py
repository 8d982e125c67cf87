"""The league: two laps, one car for all, over a season, as changes to the family of dice.

`league` is its head, `state` what its race knows besides (who is at home, the last race), `pits` a lane for any
number of cars with stops that take their own turns, `season` how large a season is.

The arrows go to `dice`, `circuit` and `conversation`; no other rulebook is known here.
"""
