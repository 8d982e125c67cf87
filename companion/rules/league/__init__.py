"""The league: two laps, one car for all, over a season, as changes to the family of dice.

`league` is its head and lists the chapters that it has otherwise, each in the file of the same name. `pits` is a lane
for any number of cars with stops that take their own turns, `weather` a ladder, `preparing` one car for all and how
large a season is, `finish` a place for everybody; who is out is off at once (`wear`), which `corners` and `blocking`
mark. `state` is what its race knows besides: who is at home, the last race.

The arrows go to `dice`, `circuit` and `conversation`; no other rulebook is known here.
"""
