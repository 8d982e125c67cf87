"""The touchscreen, in Kivy; its content comes from `view` as plain data.

`kit` has the components, with pen, pane, theme and touches. `board` draws circuits. `app` is the app itself: the
open screen, the open race (`playing`, `seat`), sounds, lights, settings. `race` is the race screen, `setup` the setup
of a race, `events` everything around races, `pages` all other screens, `gallery` the developers' sheets of
components and colours.

Imports go from `pages` and `race` to `app`, `board` and `kit`.
"""
