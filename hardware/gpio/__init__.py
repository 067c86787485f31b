"""Pins: debouncing, gestures of keys, knobs, and noise on a wire."""
