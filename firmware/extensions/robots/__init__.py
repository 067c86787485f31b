"""Robots at a table, and deals of visitors with robots.

`table.RobotsTable` plugs in: it lets robots think (`thinking`, in a thread of its own) and answer, and shows
its `pages` in place of those for people. `seats` says which robots sit here, what they hold, what one has
done, and which of their cards were scanned wrong.

`deal` is a deal of visitors with robots in memory: `VisitorDeal.advance` lets the robots answer until a
visitor is asked. Its pages show one thing at a time: on some a visitor answers (`deal_questions`, where it
begins and which page comes next), others show what happened (`deal_results`).

The players themselves are in `companion.robots`.
"""
