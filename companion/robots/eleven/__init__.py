"""Robots for 11 nimmt!. A hand or a pile is one number, with a bit for every card; card 1 is bit 0."""
