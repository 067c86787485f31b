"""The referee for other programs: JSON lines in, JSON lines out. docs/referee.md is its reference."""
