"""Drawing: fonts, a canvas of pixels, and the pictures that stand while no game runs."""
