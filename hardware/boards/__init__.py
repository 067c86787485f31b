"""Boards that need no soldering, and the hand-wired one: their pins, their wiring and the drawings of it.

Theory of operation
-------------------
A board is data: options for the drivers of display, buttons and buzzer, by the names that the configuration
uses (`boards`). `board = "hand-wired"` in a configuration fills them in, and keys in the file replace them
one by one. So a board has no code, and a board of your own is a configuration file.

The same data make the documentation. `wiring` computes from them which wire goes to which pin of the 40-pin
header, and adds what no option can change: the pins of the buses, power and ground. `wiring_picture` draws
that as SVG for docs/wiring.md. A test draws every board again and compares, so a drawing cannot differ from
what the drivers use.

GPIO numbers are BCM numbers, as the drivers take them; pins of the header are counted from 1, as on the
board. The `source` of each board names where its pins were found: a wrong pin may damage a Raspberry Pi.
"""
