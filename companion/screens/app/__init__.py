"""The app: which screen is open, the race that is open in it, and everything beside the screen.

`launch` settles what Kivy reads, `connectors` chooses the screen to draw on, `devices` reads what Linux says of
touchscreens and mice, `app` opens screens by name (each is a `screen`; `visits` lists them, and what each is opened
with), `playing` keeps the open race, `seat` runs its desk in a thread and hands out pictures of it, `phones` has its
pages while they are open, `hall` carries it to race control, `analysing` what races came to; `recording` keeps the
record of trials, a tournament or a season that is open. `telling` is the toast, `failing` what happens when a screen
fails, `steady` what is still kept as a picture. `settings`, `signing`, `disk` and `stick` are what is kept, `signals`,
`sound`, `loudspeaker` (on which card) and `voice` eyes and ears, `backlight` how bright the panel is, `sleep` when it
is dim or black, `plugged` touchscreens, mice and keyboards as they come and go, `beside` buttons, lamps and roller,
`rolls` what becomes of each roll, `service` the service manager with its watchdog. `pictures` takes every screen as a
picture (`snapshot`), from the moments in `scenes`. `style.kv` is what Kivy reads of styles.
"""
