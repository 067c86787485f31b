"""Pages of a turn: the question that is open, the ruling, what is wrong with a card."""
