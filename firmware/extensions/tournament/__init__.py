"""A box as a table of a tournament: its seats, its hands, the result that players confirm."""
