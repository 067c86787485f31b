"""How a test starts a program that would go on by itself if the tests were killed."""

from typing import Final

NO_ORPHAN: Final = ("setpriv", "--pdeathsig", "KILL", "--")
"""Before the words of a command: Linux kills it when the thread that started it ends.

A device that was left behind would open its port again and again; as the ports of the tests are pseudo
terminals with small numbers, it would sooner or later hold the scanner of another test.
"""
