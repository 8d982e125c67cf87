"""The board on the touchscreen: a circuit's shape as geometry, and the widgets that draw it."""
