"""Many tables over one MQTT broker: what a table publishes, what it receives, and the program that does both.

Theory of operation
-------------------
*The journal is the queue, the broker delivers.* Every step is on the disk of the table before it is seen,
and is published with QoS 1, so nothing is kept twice for a broker that is away. A hub publishes how many
steps of each match it has stored (`have`); what the broker has lost is sent again from the journal
(`forward`). A step is identified by match and number, so a repetition is recognised.

*Nothing hidden leaves.* A step is published as the people at the table may see it (`payloads.step_record`).

*The game does not know.* This is a program of its own. It reads the table's socket and the journal, and it
is the only one with a network. Whatever the broker does, a scan takes as long as without it.

`bridge` is that program, `forward` decides what it sends next. A hub imports `topics`, `payloads`, `broker`.
"""

from firmware.plugins import Part

PART = Part(
    commands={"mqtt": ".command:COMMAND"},
    config={"mqtt": ".config:MqttOptions"},
    table="firmware.extensions.broker:BesideBroker",
)
