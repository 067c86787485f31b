"""What was played: matches read back from the journal, and everything that is made of them.

Theory of operation
-------------------
The journal keeps steps, and with each match its tally: what its steps amount to in numbers
(`companion.core.tally`), as the referee counted it when they were stored. `stored_matches` gives the
matches of a journal with the names of their players; lists, `statistics` for each badge and `results`
only add tallies.

All else is computed from the steps when it is asked for. `played_match` replays one match and checks it on
the way, and the rest is made of a `PlayedMatch`: `story` says what happened turn by turn (`report`
prints it as HTML), `results` what was remarkable, `chart` draws the totals (as SVG),
`spreadsheets`, `bgstats` and `exported` write what other programs read; `exported` reads it again.
`command_text` says a stored command as a sentence.

Names are not in the journal: it stores badge numbers. `players` puts the names of the configuration beside
them, so that `erasing` a person means to replace badges and nothing else.

What may take long is done in `portions`, between which the caller may do something else: a match is read and
statistics are counted in this way.

`usb_stick` finds a place on a USB stick.
"""
