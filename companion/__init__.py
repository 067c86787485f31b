"""The referee: cards, rules, rulings, matches.

Standard library only; no clock, no randomness, no input or output.
"""
