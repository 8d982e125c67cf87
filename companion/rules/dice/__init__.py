"""The family of dice and gears, by the steps of a turn: what every one of its rulebooks does, and the competition
itself.

`state` is the race as plain data, `figures` what is counted with, `questions` what is asked. `formula_de` is a race
from the first box to the flag; it stands on one file for each idea: `preparing` and `grid` before the race, `order`
of play, `gears`, `moving` with `landings`, `driving`, `slipstream`, `overshooting` and `blocking`, `tests`
(collisions, walls, dangers, engines), `tyres`, `weather`, `pits`. On a corner sheet `sightings`, `stretches` and
`unseen` take the place of the search. `competition` is the French championship's rules, the reference.

Begin with `formula_de`. The arrows go to `circuit` and `conversation`.
"""
