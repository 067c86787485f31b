"""The phones that may act through the page of the table: paired, listed and forgotten at the display."""

from firmware.plugins import Part

PART = Part(
    table=".table:PairedPhones",
)
