"""Robots at a table, and deals of visitors with robots.

`table.RobotsTable` plugs in: it lets robots think (`thinking`, in a thread of its own) and answer, and shows
its pages in place of those for people. `seats` says which robots sit here and what they hold, `moves` reads
what one has done from the match, `scan_faults` notes cards that were scanned wrong.

`visitors` is a deal of visitors with robots in memory: `Deal.advance` lets the robots answer until a visitor
is asked. Its pages show one thing at a time: on some a visitor answers (`deal_questions`), others show what
happened (`deal_results`); `deal_flow` says which one comes next.

The players themselves are in `companion.robots`.
"""
