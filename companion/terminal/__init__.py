"""The race by lines, for people. `command` is `companion race`, `begin` how a race begins, `session` the dialogue.

What is said: `answers`, and `asides` instead of an answer: corrections, what a referee sets, in whose name; `prompts`
are the words that every question takes. What is shown: `screen`, in `lines`, with `board_text` and `sheet`. `trial` is
the timed practice.
"""
