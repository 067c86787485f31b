"""The journal: every match on disk, before anybody sees what was played.

Theory of operation
-------------------
The journal is one SQLite file with three tables: `match` (what was agreed, as JSON, how many steps there are,
and the tally: what they amount to), `step` (one record for each step of a match, numbered from 1) and `note`
(one row: how many matches there are, and a few JSON values that outlive a match, such as which match is
open). It knows no game: to the journal a record is JSON.

*What a saved step promises.* A step is written in one transaction with one sync, before the program changes
what it has in memory and before the display shows it. SQLite runs with a write-ahead log and `synchronous =
FULL`: a commit appends to the log and waits until the disk says that the log is on it. After a power cut
SQLite finds the log and reads as far as the last whole commit. So a step that anybody has seen is still
there, and a step is never there in part. `synchronous = NORMAL`, which is SQLite's usual advice, does not
sync at each commit: the last steps would be lost.

*Why the log is moved by hand.* Moving the log into the file (a checkpoint) costs three syncs. SQLite would
do it during a commit, while people wait for a ruling. `Journal.checkpoint` does it when nobody waits.

*What happens after an error of the disk.* Linux reports a failed sync once and may drop the data that it
could not write; a second sync then succeeds although the data are gone. So a connection that has met such
an error is not used again: the next call checks the file and opens a new one. A step whose sync failed was
refused, although it may be in the log: the log is emptied of it before anything else (see `store`).

*Why each row has a seal.* SQLite checks the structure of its pages, but not their content (see `rows`).

*What a start reads.* The tables, the notes and the newest match: as much after ten thousand matches as after
one. The rest is checked when it is read, and in quiet moments.

*Who may write.* One process, which holds `<name>.lock`. SQLite's own locks let two writers take turns, and
each of them would number its own steps. Readers need no lock (`JournalReader`).

*What is never done.* A file that cannot be used is renamed, never deleted. A journal of an older version is
copied before it is migrated. A journal of a newer version is renamed and not changed; `nimmt restore` of a
newer program brings it back. While a version is on trial, a journal of another format is not touched at all:
a copy of it is used (`opening`).

The modules, from the bottom: `errors` says what went wrong and what to do. `rows` has what is stored, with
the seals, and reads and writes single rows. `file` locks, connects, renames and replaces files. `reader`
reads matches and checks whole journals. `migrations` brings older journals up to date; `opening` decides what
becomes of what a start finds. `store` is the journal as others use it, `copies` backs up and restores.
"""
