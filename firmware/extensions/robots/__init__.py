"""Robots at a table, and deals of visitors with robots.

`table.RobotsTable` plugs in: it lets robots think (`thinking`, in a thread of its own) and answer, and shows
its `pages` in place of those for people. `seats` says which robots sit here, what they hold, and
what one has done.

`deal` is a deal of visitors with robots in memory: `VisitorDeal.advance` lets the robots answer until a
visitor is asked. `deal_pages` shows one thing at a time, what is asked or what happened, and says which comes
next.

The players themselves are in `companion.robots`.
"""

from firmware.plugins import Part

PART = Part(
    commands={"review": ".review:COMMAND"},
    options={"demo.robots": ".config:DEMO"},
    config={"kiosk.robots": ".config:RobotOptions"},
    table=".table:RobotsTable",
    report=".review:section",
)
