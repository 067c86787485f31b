"""An evening of many tables: what they tell a broker, kept in a database and shown on pages.

Theory of operation
-------------------
A table tells its steps over a broker (package `mqtt`), which keeps them for a hub that is away. The hub
acknowledges a message once it is on disk. Its journal is where a table finds again whatever was lost.

    intake.py          messages in, in batches: stored, then acknowledged, folded, shown
    reports.py         messages sorted by what they are; what tables say of themselves beside their steps
    store.py           the batch in one transaction: which steps follow, which are known
    schema.py          the tables of the database
    matches.py         the matches as the referee has them, one step after the other; what each amounts to
    faults.py          what people have to know: two boxes with one name, a restored journal, a wrong clock
    evening.py         which tables there are, and who plays at them; the standing of the evening
    view.py            what the pages draw of tables and matches
    director.py        who may act: browsers that were paired with the code that the hub prints; their log
    tournament.py      the tournament of the evening; tournament_pages.py has its pages
    site.py            what all pages share: their frame, who may act, who watches
    pages.py           the pages of tables, matches and directors, from the templates beside it
    server.py          broker, intake in its thread and pages together, behind the middleware of `web`
    demo.py            a whole evening on one machine, with a broker and boxes at which nobody sits

One thread, that of the intake, writes. It stores a batch in one transaction, then acknowledges its messages,
and says how many steps of each match there are (`have`, a retained message). So a hub can be killed at any
moment: what was not stored comes again, and what was stored is recognised by match and number of the step.
"""

from firmware.plugins import Part

PART = Part(
    commands={"hub": ".command:COMMAND"},
    config={"hub": ".config:HubOptions"},
)
