"""The program on the Pi: wiring, one loop, screens, journal, commands; rules and drivers live next door."""

__version__ = "0.1.0"
