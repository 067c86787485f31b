"""A box as a table of a tournament: its seats, its hands, the result that players confirm.

`table` plugs into the table, `round` is what the journal knows, `pages` are its pages. `print_sheets` prints
who sits where, and the results.
"""
