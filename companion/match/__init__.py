"""A match of any game: its commands, its position, its log, and the reasons for its end.

A match is the fold of its log. `match` has `Match`, the value; `commands` what people can do in every
match (undo, end, join, leave); `position` what has been reached; `log` writes and reads JSON lines.
"""
