"""The running device: the loop, who answers an action, and which page the match needs.

Theory of operation
-------------------
*A table is a value.* All that changes is one frozen `Table`: the match and what the journal has noted
(`Table.state`), the open pages, the line over them, whose card comes next, which keys are held. What
belongs to it (`Pages`, `TurnClock`, `ChoiceClock`) is a value as well, with methods that give another one.

*First decide, then do.* `react(table, action, now_s)` gives another table and a list of effects: what is to
be stored, which signals are given, what those who watch are told. It stores, sounds and draws nothing. The
controller carries the effects out. It stores them first, all or nothing, with one sync; only then the new
table takes the place of the old one, and the signals sound. If the disk refuses, the new table is thrown
away, the old one stays, and `react` is asked what to tell people about that. The loop draws when its queue
is empty: in a burst of scans each is ruled on and stored, and the last is drawn.

*Those who may answer stand in one list.* A message of a device is first for a kiosk, if the box is one; a
message of an optional part is for that part. What players do becomes an action
(`firmware.session.actions`): a card, a badge, a key, a control code, an answer that came from elsewhere.
`react` asks in this order: the optional parts, the views that open on every page, the page in front (of a
scan also those below it), and then what the action means everywhere. A card that nobody has answered
becomes a command of the game, and the referee rules on it. A `Reaction` lasts as long as one action is
answered. It is the controller of the pages: what they call on it changes its table, or adds an effect.

*The page beneath is computed, the pages on top are stored.* With nothing open, the page is a function of
the match (`flow.base_page`, or what an optional part puts in its place): its newest step and its open
question say which one. It is computed whenever it is needed and kept nowhere, so undo, redo, corrections and
a restart all lead to the right page without code for it. What players have opened on top - a menu, a
refusal, the standings, a list with its cursor moved - is in `Table.pages`, and it is lost when the power
fails, as it should be. So are the set-up page while there is no match, and which results were acknowledged:
no step of the match says that players have looked at it.

*Who watches gets values.* `hear` and `tick` leave what has come of them in `happened`: steps, refusals,
signals. The loop hands that over with each look (`App.observe`). A program beside the box posts an `Act`,
which says for which moment it is meant; what came of it is handed over in the same way (`effects`).

*One thread owns the match.* Session, controller and pages are used by the loop's thread alone. Devices have
threads, but they only post messages. So there is no lock around the match, messages are answered in the
order in which they came, and the same messages with the same times always give the same pictures. That is
why no time is read here: `hear` and `tick` are told it, and a test says what time it is.

*Optional parts plug in.* An `Extension` may answer an action before any page does, put a page beneath all
others, add lines to the menu and words to the table's socket. The table is given to each of its methods; a
part keeps only what no table needs to know, such as a thread and what it was asked. Nothing else names a
part.

`runtime` puts configuration, devices, session and loop together and closes them in the opposite order.
"""
