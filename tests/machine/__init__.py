"""A table's disk when the power is cut: `recording` notes what goes to it, `writes` makes of that the disk after a cut,
`cuts` tries thousands of them and `test_cuts` a few. `host` is the machine it runs on, `__main__` the command.
"""
