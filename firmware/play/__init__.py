"""The running device: the loop, the controller of the screens, and which page the match needs.

Theory of operation
-------------------
*The way of a scan.* A driver reads a code in a thread of its own and posts a `Scanned` to the queue of
`app`. The loop takes it out and hands it to the controller (`hear`). `firmware.session.actions` turns it
into an action: a card, a badge, a key, a control code. The page in front may answer the action
(`Page.handle`). If it does not, the action means what it means everywhere, and a card is proposed to the
match as an answer to the open question. The referee allows or refuses. What is allowed is written to the
journal and synced, and only then becomes the match (`Session.propose`). `feedback` computes what is heard
and seen of it, the controller does that, and the loop draws when its queue is empty: in a burst of scans
each is ruled on and stored, and the last one is drawn.

*The page beneath is computed, the pages on top are stored.* With nothing open, the page is a function of
the match (`flow.base_page`, or what an optional part puts in its place): its newest step and its open
question say which one. It is computed whenever it is needed and kept nowhere, so undo, redo, corrections and
a restart all lead to the right page without code for it. What players have opened on top - a menu, a
refusal, the standings, a list with its cursor moved - is the `PageStack`, and it is lost when the power
fails, as it should be. Two more things are stored: the set-up page while there is no match, and which
results were acknowledged (`SeenResults`), as no step of the match says that players have looked at it.

*One thread owns the match.* Session, controller and pages are used by the loop's thread alone. Devices have
threads, but they only post messages. So there is no lock around the match, messages are answered in the
order in which they came, and the same messages with the same times always give the same pictures. That is
why no time is read here: `hear` and `tick` are told it, and a test says what time it is.

*The controller has a part for each thing.* `PageStack` holds the open pages, `TurnInput` says what a card or
a badge means in the turn that is played, `Extension` what optional parts add, `usual_answers` what a key or a
code means on every page, `Brightness` how bright the display is, `SeenResults` what people have seen,
`TableMachine` what pages may do with the machine. Each has the state that it needs; nobody else writes it.

*Optional parts plug in.* An `Extension` may answer an action before any page does, put a page beneath all
others, add lines to the menu and words to the table's socket. The controller names none of them.

*Times of a turn are one value.* `TurnClock` holds whose badge came before a card, when the ruling appeared
and how long a card has been awaited. Only `TurnInput` replaces it.

`runtime` puts configuration, devices, session and loop together and closes them in the opposite order.
"""
