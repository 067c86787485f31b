"""Scanners: from bytes, packets or keys to codes, and the ports that they come from.

Theory of operation
-------------------
*A scanner is a thread that reads.* `source.SourceScanner` opens a `Source`, calls its `read` again and again,
and posts each code in the moment its last byte arrives: people wait for it. The thread blocks in the kernel,
so an idle scanner costs nothing, and `close` ends the wait with `interrupt`. A line that is lost is opened
again after 50 ms, then more and more rarely up to once a second: a pulled plug is back before the next card.

*Half a code is worse than none.* "10" is a card, and so is "104". So a code counts only when its end has come
(`framing`): an end character, or, for scanners that send none, a silence of 0.1 s. A line that breaks off is
dropped. After any byte that no code has, everything is dropped until the line has been silent, because
between two bytes of noise there may be something that looks like a card.

*What was scanned while nobody listened does not count.* A card that was read during a restart was perhaps
played by hand meanwhile. So opening a line ends with dropping what has arrived, until the line was silent for
50 ms. Only then `wait_listening` is true.

*Unreadable is a fault as well.* One bad line is dirt on a card. Three in a row without a code between them
are another speed or a loose wire, and are reported while reading goes on; the next good code ends the
fault.

*At which speed.* A scanner on a serial line sends at a speed of its own, and read at another one its codes
are noise. So `speed` tries one usual speed after the other until a code arrives. A few characters of noise
may look like text, so only a whole code settles the speed, and nothing before it counts.

*A scanner that acts as a keyboard* is read as keys and not as characters (`input_devices`),
and taken for the program alone: otherwise its codes would be typed into the console too.

*Which port.* `/dev/ttyACM0` may be `/dev/ttyACM1` tomorrow. `serial_line` finds what the configuration means
now, each time the port is opened.

`terminal_input` is for tables without a scanner: it makes scans and presses of what is typed.
"""
