"""Many tables over one MQTT broker: what a table says there, what it hears, and the program that does both.

Theory of operation
-------------------
*The journal is the queue, the broker delivers.* Whatever is played is on the disk of the table before anybody
sees it, and is handed over with QoS 1, so nothing is kept twice for a broker that is away. A hub says how
many steps of each match it has stored (`have`); what the broker has lost is sent again from the journal
(`forward`). A step is a match and a number: a repetition is recognised.

*Nothing hidden leaves.* A step is told as the people at the table may see it (`payloads.step_record`).

*The game does not know.* This is a program of its own. It reads the table's socket and the journal, and it
is the only one with a network. Whatever the broker does, a scan takes as long as without it.

    topics.py        the names of the topics
    payloads.py      what is in each message: one class each; a stored step as a message
    records.py       the journal, read for this
    forward.py       what to send next, without a network, a clock or a file
    state.py         the state of the table from its socket
    device.py        who this box is, and how Home Assistant learns of it
    broker.py        the connection (paho-mqtt), for the hub as well
    bridge.py        all of that together
    command.py       `nimmt mqtt`, which runs it, or takes it all back (`--forget`)

A hub imports `topics`, `payloads` and `broker`.
"""
