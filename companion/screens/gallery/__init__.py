"""Developers' sheets: all components (`gallery`) and colours (`colour_sheet`).

`examples` has the content of the gallery.
"""
