"""An evening of many tables: what they tell a broker, kept in a database and shown on pages.

Theory of operation
-------------------
A table tells its steps (package `mqtt`), and tells them again until it hears that they are kept. So the
journal of the table is the queue, and a hub needs none: what it has not stored comes again.

    intake.py          messages in, in batches: stored, then confirmed, then folded, then shown
    reports.py         messages sorted by what they are; what tables say of themselves beside their steps
    store.py           the batch in one transaction: which steps follow, which are known, which contradict
    schema.py          the tables of the database
    matches.py         the matches as the referee has them, one step after the other; what each amounts to
    faults.py          what people have to know: two boxes with one name, another history, a wrong clock
    evening.py         which tables there are, and who plays at them; the standing of the evening
    view.py            what the pages draw of tables and matches
    director.py        who may act: browsers that were paired with the code that the hub prints; their log
    tournament.py      the tournament of the evening; tournament_pages.py has its pages
    pages.py           the pages as HTML
    site.py            the address of each page, in the frame of those of `web`
    server.py          broker, intake in its thread and pages together, behind the door of `web`
    simulated.py       boxes at which nobody sits
    demo.py            a whole evening on one machine, with a broker and simulated boxes

One thread, that of the intake, writes. It stores a batch in one transaction and says only afterwards how far
each match has come (`have`, a retained message). A hub that is killed at any moment loses nothing: what was
not stored was not confirmed, and comes again; what was stored is recognised by match and number of the step.

Several hubs may share a broker and a database. Each message of a table goes to one of them; a row of the
database for each match is locked while its steps are stored, so they agree on what follows what. What one hub
has stored, the others hear by the same `have`, and read it from the database.
"""
