"""The match at this table and the actions of its players, whatever device they came through.

Theory of operation
-------------------
*One state.* All that changes in a session is one frozen `SessionState`: the match, what the journal has
noted, the devices that do not work, the language. It is replaced as a whole, never modified: a page that
was drawn from it, or the board before a step, stays as it was.

*Disk first.* What changes the match or a note goes through `StateStore.store`: it appends to the journal,
which returns when it is on the disk, and only then replaces the state. If the journal cannot be written, an
error is raised and nothing has changed. In a `transaction`, as while the table answers an action, all of it
is stored at the end.

*What is open is a note in the journal.* Which match is open, who has joined for the next one and which
matches are suspended are notes beside the steps (`table_notes`). After a restart `resume` replays the open
match from its steps; there is no second copy of its state that could differ.

*Journal and configuration stay inside.* Pages see a session. It has a method for each purpose instead of
the two things themselves, so what a page can do is what can be read here. `session` holds the match; its
parts are the notes with the names of the players (`table_notes`), what there is to tell of the match and of
those before it (`matches`) and the care of the journal (`journal_care`).

`actions` turns messages of devices into actions: the same action for a key, for its code on the control
sheet, and for a player's own key.
"""
