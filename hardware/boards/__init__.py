"""Boards that need no soldering: their pins, their wiring and its drawings."""
