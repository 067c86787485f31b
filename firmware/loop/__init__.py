"""The running device: the loop, and who answers an action.

Theory of operation
-------------------
*Those who may answer stand in one list.* A message of a device is first for a part that takes all of them,
such as a kiosk; a message of an optional part is for that part. What players do becomes an action
(`firmware.session.actions`): a card, a badge, a key, a control code, an answer that came from elsewhere.
`react` asks in this order: the optional parts, the views that open on every page, the page in front (of a
scan also those below it), and then what the action means everywhere. A card that nobody has answered
becomes a command of the game (`firmware.play.cards`), and the referee rules on it. The loop draws when its
queue is empty: in a burst of scans each is ruled on and stored, and the last is drawn.

*Who watches gets values.* `handle_message` and `tick` leave what has come of them in `Table.happened`: steps,
refusals, signals. The loop hands that over with each look (`App.observe`). A program beside the box posts an
`Act`, which says for which moment it is meant; what came of it is handed over in the same way.

*One thread owns the match.* Session, table and pages are used by the loop's thread alone. Devices have
threads, but they only post messages. So there is no lock around the match, messages are answered in the
order in which they came, and the same messages with the same times always give the same pictures. That is
why no time is read here: `handle_message` and `tick` are given it, and a test says what time it is.

`runtime` puts configuration, devices, session and loop together and closes them in the opposite order.
"""
