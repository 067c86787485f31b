"""The table in front of people: its state, and what can be done at it.

Theory of operation
-------------------
*There is one table.* `Table` (`table`) has the match and what the journal has noted (`session`), and all else
that changes (`state`, a frozen value): the open pages, the line over them, whose card comes next, which keys
are held. Pages, optional parts, a kiosk and programs are all given this table, and call its verbs.

*Verbs change memory, and gather the rest.* What is to be stored, sounded and told is gathered in
`Table.effects` while one action is answered. `Table.transaction` stores it at the end, all or nothing, with
one sync; only then the signals sound, and those who watch are told. If the disk refuses, state and session
are what they were.

*The page beneath is computed, the pages on top are stored.* With nothing open, the page is a function of
the match (`firmware.screens.flow`, or what an optional part puts in its place): its newest step and its open
question say which one. It is computed whenever it is needed and kept nowhere, so undo, redo, corrections and
a restart all lead to the right page without code for it. What players have opened on top - a menu,
the standings, a list with its cursor moved - is in `TableState.pages`, and it is lost when the power
fails, as it should be. So are the set-up page while there is no match, and which results were acknowledged:
no step of the match says that players have looked at it.

*The table knows no page by name.* It holds pages (`AnyPage`), and asks for those that come by themselves
(`Screens`), such as the explanation of a refusal; the pages lie above it, and import it.

*Optional parts plug in.* An `Extension` may answer an action before any page does, put a page beneath all
others, add lines to the menu and words to the table's socket. The table is given to each of its methods; a
part keeps only what no table needs to know, such as a thread and what it was asked. Nothing else names a
part. A kiosk is one as well.
"""
