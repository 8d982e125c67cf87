"""The family of dice and gears: a rulebook as a book of chapters, and the competition itself.

`formula_de` is the book: it lists its chapters, each an object of its own, and runs a race from step to step. What a
`chapter` sees says that file: the race, the circuit, the figures and the other chapters by name, such as
`self.book.order.leader()`, as far as the head of its own file lists them; it holds no state, the race is the state.
Before the race: `setup`, `box` for what both games of the box share, and `one_pool` where one pool of points pays for
all. In it: `order` of play and of the finish, and the `turn` of a car in the fifteen steps of article 6-3. What the
steps need: `gears`, `moving` with the `offers` of a landing, `slipstream`, `corners`, `wear`, `tyres`, `tests`,
`collisions` and blocking, `pits`, `weather`; `outlook` is what all of these say of a stop before it is chosen; on a
corner sheet `sheet` takes the place of the search. Beside the race the `referee` with his word. `state` is the race as
plain data, `figures` what is counted with, `questions` what is asked.

`variants` are rules that a table switches on, alone or together. `competition` is the French championship's rules, the
reference.

Begin with `formula_de`, then `turn`. The arrows go to `circuit` and `conversation`.
"""
