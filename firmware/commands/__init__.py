"""One file per command of `nimmt`."""
