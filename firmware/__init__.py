"""The program: from devices to the referee and back to the display.

The packages, from the ground up; each may import what stands before it, and nothing that stands behind it:

- `translation`: templates and facts become the sentences that people read
- `config`: the configuration file
- `journal`: every match on disk, before anybody sees it
- `display`: drawing
- `history`: matches read back from the journal, and all that is made of them
- `setup`: the guided set-up
- `session`: the match at this table, and what people did to it, whatever device it came through
- `screens`: one page for each question that the display can show
- `play`: the loop, the table of the screens, and which screen belongs to which state
- `service`: the installed service and everything that keeps it alive
- `commands`, `cli`: what is typed behind `nimmt`

The rules of the games are in `companion`, the devices in `hardware`: this package names no game and no
driver.
"""

__version__ = "1.0.0"
