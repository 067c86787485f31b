"""Optional parts of the box. Each plugs in by entry points, and the box works without any of them.

`firmware.extending` says what an extension can bring; docs/extending.md has an example.
"""
