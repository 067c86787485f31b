"""Robots for 6 nimmt!."""
