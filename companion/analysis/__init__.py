"""A race read again from its log: who was lucky, and what each decision cost, in turns and in chances to win.

`reckoning` goes through the answers one by one with the champion's table beside it, so that the luck and the mistakes
of a driver add up to all that became of the race; `findings` is what came of it, as plain data.
"""
