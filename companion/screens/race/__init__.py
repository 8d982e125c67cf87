"""The race screen.

Start with `race`, the screen and its layout for each kind of question. Every touch becomes an intent
(`view.race.intents`), and `controller` does what it means; `state` is what it holds, `around` what it asks of the app.

The panels used only here are `attack`, `ask_band`, `card` (typing in a card), `coach`, `contest`, `form`, `hint`,
`landings` (spaces grouped by outcome), `order`, `pits`, `pools`, `push` (moving the program's cars on the table),
`queue` (tests), `risk` (the tests that an answer leads to) and `seen` (corner sheets).
"""
