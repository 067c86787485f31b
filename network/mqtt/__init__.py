"""Many tables over one MQTT broker: what a table says there, what it hears, and the program that does both.

Theory of operation
-------------------
*The journal is the queue.* Whatever is played is on the disk of the table before anybody sees it. So nothing
is kept twice for a broker that is away: a hub says how far it has come with each match (`have`), and the
table sends what is missing, after a second or after a night. A step is a match and a number; a repetition is
recognised, a gap is filled (`forward`).

*A history has a seal.* Each step that is sent carries a seal over all steps before it (`payloads.next_seal`),
so a box that comes back with an older journal, or with another history of the same match, is noticed and
named. Nothing is merged.

*Nothing hidden leaves.* A step is told as the people at the table may see it (`payloads.step_record`), and
the seal is over that, not over what the journal has: a checksum over a hidden card would tell the card.

*The game does not know.* This is a program of its own. It reads the table's socket and the journal, and it
is the only one with a network. Whatever the broker does, a scan takes as long as without it.

    topics.py        the names of the topics
    payloads.py      what is in each message: one class each; a stored step as a message, and its seal
    records.py       the journal, read for this
    forward.py       what to send next: store and forward, without a network, a clock or a file
    state.py         the state of the table from its socket
    device.py        who this box is, and how Home Assistant learns of it
    broker.py        the connection (paho-mqtt), for the hub as well
    bridge.py        all of that together
    command.py       `nimmt mqtt`, which runs it, or takes it all back (`--forget`)

A hub imports `topics`, `payloads` and `broker`.
"""
