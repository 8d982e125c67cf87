"""The pieces of every screen: the pen and the pane they are drawn with, the theme, touches, and the widgets
themselves.
"""
