"""Cards without labels: a camera reads the faces of a deck that it was shown once. See docs/camera.md.

`faces` reads a picture in four steps: `finding` finds the corners of each card, `model` aligns it with the
faces of the deck, `comparing` compares the most similar ones, `deciding` says which card it is, or may be.
`covered` does so for cards that overlap, where `features` proposes them or `rows` says that one is due.
`training` makes the model of the showings of a deck, and `deck_files` keeps these. There are no letters, no
model that somebody trained, and no network. A box without a camera imports neither cv2 nor numpy.
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
