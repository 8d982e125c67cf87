"""Things drawn without a screen: for Kivy, for paper and for codes alike.

`icons` are the pictograms as paths, `coverage` reads them and makes pictures of them. `paints` are the cars' colours
and the shapes of their plates. `typefaces` are the fonts (in `fonts`), `fitting` a text made to fit, `lettering`
pictures of words.

From here no arrow goes to any other room.
"""
