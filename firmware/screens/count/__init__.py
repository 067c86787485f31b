"""Pages for counting: hands, piles, points, a check of the table."""
