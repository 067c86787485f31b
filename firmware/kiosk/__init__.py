"""A box for strangers in a shop, at a convention, in a museum: it attracts, teaches, plays a deal, and waits.

Theory of operation
-------------------
*The way of a key press.* A kiosk is an optional part of the table (`firmware.play.table.Extension`). Every
message is given to `Kiosk.intercept` first, and the kiosk answers all of them. While the attract loop runs,
the first key or scan ends it: `first_page` or the card that was shown comes on top, with a tone. After that a
message becomes an action as at a table, and the page in front answers it. What it does not answer is told by
a tone and a line. Nothing goes on to the table itself: there lie the menu of the owner, the match of the
table and its journal, which no stranger may reach.

*Pages are like those of the table* (`firmware.screens`): `visitor` here and the `lesson` there hold what
visitors see. They ask for what they need by the same verbs of the table: the start page of an ordinary box
opens the lesson, too.

*A deal* in which the box plays the other seats comes from an optional part (`Extension.deal`). Without one,
visitors learn and look on.

*The operator* holds OK and UNDO, and types the PIN (`operator`). Once the owner is in, the kiosk takes no
message: the box answers as at a table, on a journal of its own, until the owner has gone.

*Nothing of it is stored.* The deals of visitors are values in memory. What is stored are the counts
(`counts`): one line a day, without any name.

*Time ends everything.* `Kiosk.tick` moves the attract loop on, asks who is there when nothing was done for a
while, and goes back to the attract loop. No key does that.
"""
