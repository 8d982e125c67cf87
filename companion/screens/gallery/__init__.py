"""The developers' sheets: `gallery` has every component in all of its states, by `examples`, and `colour_sheet` every
colour of both looks.
"""
