"""The death race: the basic game of one pool, with weapons between its rounds, as changes to the family of dice.

`death` is its head and lists the chapters that it has otherwise, each in the file of the same name, and those that it
has besides. `state` is its cars with their cards, `cards` the sixty-four of them (their figures lie in cards.toml),
`preparing` how they are dealt or picked. `wear` is the one pool, and the spin at 0; a point a space is paid in
`landings`, `moving`, `corners` and `blocking`. In a move: `gadgets` by the driver's own will, `bodywork` what cards do
by themselves, `tyre_tricks`, `wreckage` what lies on the road. Between the rounds, which `order` ends: `attack` is the
phase, `aiming` the question, `reach` what is in range and sight, `shots` whether it hits, `weapons` what a hit does,
`mines`.

The arrows go to `dice`, `circuit` and `conversation`; no other rulebook is known here.
"""
