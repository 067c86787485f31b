"""The lowest layers that real drivers stand on, simulated: buses, pins, lines, panels."""
