"""The table on every screen: a page for phones, desktops and televisions, in a process of its own.

The game's own process has no network. It tells what happens through its Unix socket, and stored matches lie
in the journal, so a page needs nothing else (`firmware.table_socket.link` follows the socket):

    site.py       the addresses of all pages in one table, and what is answered at each
    door.py       what every request must pass: the called name, the calling page, its size, how many
    templates/    the pages as HTML; what moves in them is in static/
    frame.py      renders a page in its frame, in its language
    pages.py      the titles of pages, and the texts of their scripts
    settings.py   the page of settings
    records.py    the pages and files of stored matches
    in_turn.py    what takes a while: in threads of its own, a portion after the other; files
    view.py       what a page draws of a state, in a language
    live.py       everybody who watches, and the newest view for them (server-sent events)
    pairing.py    which phones may act: the code on the display, cookies, the list of them
    hosting.py    acts of a paired phone
    certificate.py the certificate of the encrypted page
    server.py     uvicorn that serves it, encrypted as well at a second port

A hub has templates of its own, behind the same door and in the same frame.
Everybody who opens a page may watch and can change nothing. A paired phone scans and presses like a device:
there is no second way into the rules. Texts are told here in the language of the page, from the same
catalogues as those of the display, so the scripts in static/ know no words.
"""
