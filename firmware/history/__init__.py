"""What can be told and handed out of the matches in a journal; nothing here plays, and nothing is kept twice.

`past` is a match that is read back, everything else is made of it, each time anew: `story` what
happened turn by turn, `tally` numbers per badge, `chart` the totals as lines, `report` a page for
paper and phones, `plays`, `bgstats` and `log_lines` what other programs read. `whole_file` and
`stick` are where it goes. `erasing` makes the journal forget a person.
"""
