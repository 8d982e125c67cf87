"""Widgets shared by all screens.

Foundations: `pen` and `pane`, with which every widget draws itself (`shapes` belongs to the pen), `canvas` (the
layout in its window), `compose` (declarative panes, and the title bar), `theme` and `eyes` (its contrast), `touch` and
`motion`; `focus`, where buttons and the keyboard act.

For any screen: `key`, `rows`, `listing_pane` (a table, by the kinds of its columns), `finder`, `stepper`,
`field_rows`, `form` and `place_steps`, `writing` with `dock` and `keyboard`, `word` (a text prompt), `confirm`, `menu`,
`empty`, `toast`, `unsaved`, `plate`, `chart`, `foot`. For the race: `top_bar` with `shot_clock` and `weather`;
`prompt_band`, in the `band`, with `pick` and the `trail`; `dashboard` with `wear` and `counters`; `order_strip`,
`ruling_card` and `legend` (the long press).
"""
