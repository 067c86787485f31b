"""Optional parts of the box. Each plugs in by entry points, and the box works without any of them.

`firmware/play/table.py` says what a part does at a table; docs/extending.md has an example.
"""
