"""Scripted input: players for the demo, scripts of keys and scans, and the pictures of all screens."""
