"""The table on every screen: a page for phones, desktops and televisions, in a process of its own.

The game's own process has no network. It tells what happens through its Unix socket, and stored matches lie
in the journal, so a page needs nothing else (`firmware.table_socket.link` follows the socket):

    application.py  every address with the permission that it needs, in one table
    middleware.py   what a request passes before: called name, calling page, size, rate; then its language
    permissions.py  and who sends it: a paired phone, that of a host, anybody (bodies.py: what may be sent)
    site.py         what the handlers share: the connection to the table, who watches, phones, stored matches

    watching.py     the table, the television, the display of the box
    host.py         the pages of a paired phone; acts.py what it does, answers.py what it is told of that
    phones.py       pairing a phone, the list of phones; pairing.py keeps them: codes, cookies, their file
    settings.py     the page of settings
    printing.py     sheets as PDF
    records.py      stored matches: pages and files
    decks.py        decks of a camera; camera.py, photo_reader.py read photos of cards without labels

    templates/      the pages as HTML; what moves in them is in static/
    frame.py        renders a page in its language; frame and texts of its script are templates
    view.py         what a page draws of a state, in a language
    live.py         everybody who watches, and the newest view for them (server-sent events)
    job_queue.py      what takes a while: in threads of its own, a portion after the other; files
    certificate.py  the certificate of the encrypted page
    connections.py  how many connections there may be, and how long they may say nothing
    server.py       uvicorn that serves it, encrypted as well at a second port

A hub has templates of its own, behind the same middleware and in the same frame.
Everybody who opens a page may watch and can change nothing. A paired phone scans and presses like a device:
there is no second way into the rules. Texts are told here in the language of the page, from the same
catalogues as those of the display, so the scripts in static/ know no words.
"""

from firmware.plugins import Part

PART = Part(
    commands={"web": ".command:COMMAND"},
    config={"web": ".config:WebOptions"},
)
