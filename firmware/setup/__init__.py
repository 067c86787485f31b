"""The guided set-up (`nimmt setup`): from questions to a configuration that works.

Theory of operation
-------------------
Asking and deciding are apart. `questions` and `scanner_questions`
talk to a person and to the devices; what they bring back are plain values (`answers`). `steps` decides from
the answers, without a device or a person: which board is likely, what to try next, what the findings are. So
every decision can be tested with answers alone.

`dialogue` is the conversation in a terminal: it prints, asks, and waits for a line or for something that a
device posts, whichever comes first. `machine` makes the devices that are tried. A `Finding` is what the
person reads at the end, and `config_file` writes the configuration, keeping what an existing file says
about other things.
"""
