"""Cards without labels: a camera reads the faces of a deck that it was shown once. See docs/camera.md.

`finding` finds the cards in a picture: the four corners of each, and the card made rectangular. `faces` has
a `Deck`: what each card looked like when it was taught, and which card of the deck a found card is, if any.
`seen` is what it answers. `deck_files` keeps decks in a folder. There are no letters, no model that somebody
trained, and no network.

A wrong card is far worse than a question. So a deck answers with a code only where the card is much more like
one face than like all others; else with the codes that it could be.

cv2 and numpy are imported by `finding` and `faces` only, and these where a camera or a photo is used: a box
without a camera imports neither.
"""

import os

from firmware.plugins import Part

# Cards are small pictures: a second thread would only wait for the first one, and wait busily.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

PART = Part(
    commands={"teach": ".command:COMMAND"},
    config={"camera": ".config:CameraOptions"},
    table=".table:CameraTable",
    check=".check:findings",
)
