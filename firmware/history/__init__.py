"""What was played: matches read back from the journal, and everything that is made of them.

Theory of operation
-------------------
The journal keeps steps and nothing that follows from them. Totals, stories and statistics are computed from
the steps each time they are asked for, by replaying the match through the referee. So they can never
disagree with the journal, and a new statistic covers all the matches that were ever played.

`played_match` replays one match and checks it on the way. All else is made of a `PlayedMatch`: `story` says
what happened turn by turn (`story_text` and `report` print it), `tally` counts for each badge, `chart`
draws the totals (as SVG, as PNG and on the display), `csv_export`, `bgstats` and `log_lines` write what
other programs read. `exported` reads a file of exported matches again. `command_text` says a stored command
as a sentence.

Names are not in the journal: it stores badge numbers. `players` puts the names of the configuration beside
them, so that `erasing` a person means to replace badges and nothing else.

`atomic_file` writes a file completely or not at all. `usb_stick` finds a place on a USB stick.
"""
