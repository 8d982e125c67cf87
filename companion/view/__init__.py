"""View models: plain typed data for screens, phones, paper and the terminal.

`shown`, `shown_board` and `shown_race` define the shapes. `sight` is what each view is made from: the desk and the
words (`worded` names spaces, `citing` cites articles). `consequences` interprets rulings, `price` the cost of an
answer, `framing` the visible part of the board. `listing` is the model of every table, `formats` writes one as text,
CSV, JSON or HTML, in `markup` that cannot be broken out of.

The folders: `race` is the picture of a race at one moment, `setup` the choices before it, `seats` the drivers and their
hints, `pages` the pages beside and after a race, `phones` the views for phones and wall screens, `events` the views of
tournaments, seasons and trials. Begin with `race`. These modules import the desk, the sheets, the words and the rules;
nothing here draws.
"""
