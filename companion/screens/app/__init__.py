"""The app: the open screen, the open race, and all services around them.

`launch` prepares Kivy, `connectors` chooses the display, `devices` reads touchscreens and mice from Linux, `app` opens
screens by name (each is a `screen`; `visits` lists them with their parameters), `playing` holds the open race, `seat`
runs its desk in a thread and publishes pictures of it, `phones` serves its pages, `hall` connects it to race control,
`analysing` runs analyses, `recording` holds the open record of trials, a tournament or a season. `telling` is the
toast, `failing` handles screens that fail, `cached_screen` caches a screen as a picture. `settings`, `signing`, `disk`
and `stick` are about storage; `signals`, `sound` (with the sound card) and `voice` about lights and sounds; `backlight`
is the brightness, `sleep` dims the screen, `pauses` collects garbage and imports while nobody waits, `hotplug` follows
touchscreens, mice and keyboards as they come and go, `table_hardware` connects buttons, lamps and the roller and
handles each roll, `service` notifies the service manager and its watchdog. `pictures` takes a picture of every screen
(`snapshot`). `style.kv` is Kivy's style file.
"""
