"""The referee: cards, rules, rulings, matches.

Standard library only; no clock, no chance, no input or output.
"""
