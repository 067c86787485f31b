"""Updates of a box that was flashed as an image: one file, written beside the version that runs.

Theory of operation
-------------------
The card has two slots; `firmware.flashed` says which of them U-Boot starts, and how a version is on trial.

An update is a tar file: `manifest.json` with the version and the SHA-256 of each file, `manifest.sig` with
the signature of the manifest, then the files of a slot. It is read twice. First everything is checked, from
names and sizes to the signature and each checksum: an invalid file has changed nothing. Until the signature
is found to be good, root reads it as nobody, and makes nothing of its bytes. Then the slot that does not run
is written, read back from the card and checked again, and only then `nimmt_try` is set.
While a slot is incomplete it holds a file `broken`, and U-Boot passes it over.

Who confirms is not the update itself: `nimmt update --confirm` watches the status of the service, and sets
`nimmt_slot` when it has been well for two minutes. Until then no file is written that the version before
could not read (see `journal.opening` for the journal). `last_update` knows of an update that was tried and
did not stay: the next start tells it at the display.

It plugs in twice: `page` has the row of the menu, and `last_update` what a start tells. `at_table` is all
that the page knows of this: a program of root's writes what somebody chose there.
"""

from firmware.plugins import Part

PART = Part(
    commands={"update": ".command:COMMAND"},
    table=".page:UpdateTable",
    start=".last_update:tell_once",
)
