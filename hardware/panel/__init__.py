"""Panels: what is drawn in the background, which part of the picture changed, and what a bus says."""
