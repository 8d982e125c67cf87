"""The race at the terminal, in lines of text.

`command` is `companion race`, `begin` sets a race up, and `session` is its dialogue. Input is read by `answers` and,
for commands in place of an answer, by `asides`; `prompts` has the words that every prompt accepts. Output is printed by
`screen` through `lines`, with `board_text` and `sheet`. `trial` is the timed practice.
"""
