"""The touchscreen: Kivy, and nothing else. What is shown comes from `view` as plain data.

`widgets` are the pieces, with the pen and the pane that they are drawn with, the theme and the touches. `board` draws
circuits. `app` is the app itself: which screen is open, the race that is open in it (`playing`, `seat`), sounds,
lights, settings. `race` is the race screen, `setup` the way to a race, `commissioner` what goes on around races,
`pages` every other screen, `gallery` the developers' sheets of components and colours.

The arrows go from `pages` and `race` to `app`, `board` and `widgets`.
"""
