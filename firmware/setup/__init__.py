"""The guided set-up: what was answered, what follows from it, and the file that comes out; see `steps`."""
