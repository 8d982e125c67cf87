"""The pieces of every screen: the `pen` and the `pane` they are drawn with (`shapes` are the pen's), the `canvas` in
its window, the `theme` and how `eyes` see it, `touch`, `motion`, and the widgets themselves.

On any screen: `title_bar`, `key`, `tab`, `rows`, `stepper`, `field_rows` and `form`, `value_rows` and `place_steps`,
`writing` with `dock` and `keyboard`, `confirm`, `empty`, `toast`, `unsaved`, `plate`, `line_up`, `chart`, `code`. At
the race: `top_bar` with `shot_clock` and `weather`; `prompt_band`, in the `band`, with `asked`, `answer_face`,
`answer_rows`, `pick` and the `trail`; `dashboard` with `wear` and `counters`; `order_strip`, `turn_order`,
`ruling_card`; `build_side` of the car builder. On the sheet: `sheet_rows`, `car_sheet`; of what was answered
`history_rows`.
"""
