"""The configuration file: its keys, reading it, and what is wrong with it."""
