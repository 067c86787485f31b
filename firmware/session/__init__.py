"""The match at this table and the actions of its players, whatever device they came through.

Theory of operation
-------------------
*Disk first.* `Session` is the only one that changes the match. It lets the referee rule on a command,
appends the step to the journal, which returns when it is on the disk, and only then replaces the match in
memory. If the journal cannot be written, an error is raised and nothing has changed. So whatever players
have seen is still there after a power cut, and no code has to bring two states together.

*The match is a value.* It is replaced, never modified: a page that was drawn from it, or the board before a
step, stays as it was. `lookback` uses that to find the moment of a match at which the table looked as it
does now.

*What is open is a note in the journal.* Which match is open, who has joined for the next one and which
matches are suspended are notes beside the steps (`table_notes`). After a restart `resume` replays the open
match from its steps; there is no second copy of its state that could differ.

*Journal and configuration stay inside.* Pages see a session. It has a method for each purpose instead of
the two things themselves, so what a page can do is what can be read here. `session` holds the match; its
parts are the names of the players (`player_names`), what there is to tell of the match (`about_match`) and
the care of the journal (`journal_care`). `earlier_matches` lists those that are over or suspended.

`actions` turns messages of devices into actions: the same action for a key, for its code on the control
sheet, and for a player's own key. `switch` is the power switch of the machine and the countdown before it.
"""
