"""Things drawn without a screen: for Kivy, for paper and for codes alike.

`icons` are the pictograms as paths, `coverage` makes smooth pictures of them. `paints` are the cars' colours
and the shapes of their plates. `typefaces` are the fonts (in `fonts`), `fitting` a text made to fit, `lettering`
pictures of words.

A circuit's shape: `road` (the centre line, which `closing` closes), `spaces`, `lines`, and all of it, `circuit`.
`notes` says where something stands beside the road.

From here arrows go to the circuits of the rules only.
"""
