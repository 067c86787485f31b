"""The budgets of the product, measured, each beside its limit and its floor; nothing is repaired here."""
