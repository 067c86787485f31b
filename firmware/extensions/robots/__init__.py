"""Robots at the table, and deals of visitors with robots: what they think, when they answer, their pages."""
