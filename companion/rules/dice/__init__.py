"""The family of dice and gears: a rulebook as a book of chapters, and the competition itself.

`formula_de` is the book: it lists its chapters, each an object of its own in the file of the same name, and runs a race
from step to step. A `chapter` holds no state, for the race is the state; it sees the race, the circuit, the figures and
the other chapters by name, such as `self.book.order.leader()`. Before the race: `preparing` and `grid`. In it: `order`
of play, and the `turn` of a car, which reads from top to bottom in the fifteen steps of article 6-3. What the steps
need: `starts`, `gears`, `landings` with their `offers`, `moving`, `slipstream`, `corners`, `blocking`, `wear`, `tyres`,
`tests`, `collisions`, `pits`, `weather`; on a corner sheet `sheet` takes the place of the search. At the end `finish`.
Beside the race: `position`, which says how it may stand, and the `referee` with his word. `state` is the race as plain
data, `figures` what is counted with, `questions` what is asked. `competition` is the French championship's rules, the
reference.

Begin with `formula_de`, then `turn`. The arrows go to `circuit` and `conversation`.
"""
