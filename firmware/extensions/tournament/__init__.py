"""A box as a table of a tournament: its seats, its hands, the result that players confirm.

`table` plugs into the table, `round` is what the journal knows, `pages` are its pages. `print_sheets` prints
who sits where, and the results.
"""

from firmware.plugins import Part

PART = Part(
    sheets={"results": ".print_sheets:RESULTS", "seating": ".print_sheets:SEATING"},
    table=".table:SeatedTournament",
)
