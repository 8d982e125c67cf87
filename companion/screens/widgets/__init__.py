"""The pieces of every screen: the `pen` and the `pane` they are drawn with (`shapes` are the pen's), the `canvas` in
its window, `compose` by which panes declare themselves, the `theme` and how `eyes` see it, `touch`, `motion`, and the
widgets.

On any screen: `title_bar`, `key`, `rows`, `finder`, `stepper`, `field_rows`, `form` and `place_steps`, `writing` with
`dock` and `keyboard`, `confirm`, `menu`, `empty`, `toast`, `unsaved`, `plate`, `chart`, the `foot`. At the race:
`top_bar` with `shot_clock` and `weather`; `prompt_band`, in the `band`, with `pick` and the `trail`; `dashboard` with
`wear` and `counters`; `order_strip`, `ruling_card` and `legend` (what is held).
"""
