"""The commands of `nimmt`: each is a function of the words typed that gives the exit status, and a `Command`.

`firmware.cli.main` reads the words that were typed and imports only the file of the command that was called:
a start on a small Raspberry Pi spends most of its time on imports. A command prints to standard output what
was asked for and raises `CompanionError` for what it cannot do; `firmware.cli.main` prints that error.
"""
