"""The table on every screen: a page for phones, desktops and televisions, in a process of its own.

The game's own process has no network. It tells what happens through its Unix socket, and stored matches lie
in the journal, so a page needs nothing else (`firmware.table_socket.link` follows the socket):

    view.py       what a page draws of a state, in a language
    live.py       everybody who watches, and the newest view for them (server-sent events)
    door.py       what every request must pass: the called name, the calling page, its size, how many
    pages.py      the pages: a frame of HTML each; what moves in them is in static/
    watching.py   the addresses of the pages that everybody may see
    acting.py     the addresses of those for paired phones; settings.py has the page of settings
    stored.py     the addresses of stored matches; records.py has their pages and files
    site.py       the table that all of them share
    pairing.py    which phones may act: the code on the display, cookies, the list of them
    hosting.py    acts of a paired phone
    application.py all of that as one application
    connections.py limits: how many connections, and for how long without asking for anything
    certificate.py the certificate of the encrypted page
    server.py     uvicorn that serves it, encrypted as well at a second port

Everybody who opens a page may watch and can change nothing. A paired phone scans and presses like a device:
there is no second way into the rules. Texts are told here in the language of the page, from the same
catalogues as those of the display, so the scripts in static/ know no words.
"""
