"""The race by lines, for people. `command` is `companion race`, `begin` how a race begins, `session` the dialogue.

What is said: `answers` (and `setting`, what a referee sets), `asides` instead of an answer, `correcting`, `writing` in
whose name. What is shown: `screen`, in `lines`, with `offering` (a question and its prices), `standing` (how the race
stands), `board_text` and `sheet`. `trial` is the timed practice.
"""
