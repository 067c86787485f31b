"""The guided set-up (`nimmt setup`): from questions to a configuration that works.

Theory of operation
-------------------
Each question is a function that talks to a person and to the devices, and adds what it has come to, the
settings of a section and findings, to a `Draft`. This, and what needs neither a device nor a person is in
`conclusions`, and can be tested with values alone: which board is likely, what to try next, what is wrong
with the keys, which settings differ from the defaults.

`dialogue` is the conversation in a terminal: it prints, asks, and waits for a line or for something that a
device posts, whichever comes first. `machine` makes the devices that are tried. A `Finding` is what the
person reads at the end, and `config_file` writes the configuration, keeping what an existing file says
about other things.
"""
