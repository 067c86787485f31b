"""Scanners: framing of codes, serial ports, the protocols of scanner modules, keyboards."""
