"""The race screen. `race` is the screen and how it is divided for each question, `meant` what a touch means.

What it is made of beside the widgets: `attack`, `ask_band`, `card` (a card that is typed), `coach`, `contest`, `form`,
`hint`, `landings` (spaces by their outcomes), `order`, `pits`, `pools`, `push` (what to do for
the program's cars), `queue` (tests), `risk` (tests that an answer leads to), `seen` (corner sheets), `word` (a line
written), `menu`.
"""
