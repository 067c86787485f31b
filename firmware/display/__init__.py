"""Drawing: a canvas of 128x64 pixels, the fonts, and the pictures that stand while no game runs.

Theory of operation
-------------------
A screen draws its whole picture each time, on a new `Canvas`. It never asks what was drawn before: the
panel finds out what has changed (`hardware.panel.partial_update`). The same screen and the same session
give the same bits, which is what the tests compare with stored pictures.

A canvas has two kinds of places. Places of the layout (a title, a body line, a footer, a card) raise
ValueError for a text that is too wide, so that the tests find it. Free drawing (an icon, a line, a filled
field) is cut at the edge.

The fonts are our own. They are in `fonts`, in the format BDF, which editors of fonts know; `glyphs` reads
them when they are first needed.
Widths are counted in columns of 6 pixels: 21 columns fit across the display.

`status_pictures` draws what is shown before the game, after it, and when it has failed. It imports neither
the referee nor the journal, so that the first picture is there within a second of the start of the machine.
"""
