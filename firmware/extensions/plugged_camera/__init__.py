"""A camera that is plugged in and not in use: the menu offers it, on every box, and says what is missing."""

from firmware.plugins import Part

PART = Part(table=".table:PluggedCamera")
