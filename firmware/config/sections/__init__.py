"""The sections of the configuration that do not describe a device: a file for each, with its keys and limits.

The devices have their own options (see `hardware.registry`). What a key *does* is decided where it is used;
a section only defines its allowed values.
"""
