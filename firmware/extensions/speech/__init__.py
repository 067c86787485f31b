"""A voice for the table, in a process of its own: `nimmt speak`, off by default. docs/speech.md is about it.

It follows the table's socket as any other program does. `moments` says what of the newest events is worth
saying, `phrases` finds the spoken form of each text, and splits it into the pieces that a speaker records.
`voices` makes sound of them: espeak-ng, or a folder of recorded words. `speaking` plays it: the newest
wins, and nothing waits for it. At the table, `at_table` has the row of the menu and the volume.
"""

from firmware.plugins import Part

PART = Part(
    commands={"speak": ".command:COMMAND"},
    sheets={"script": ".script_sheet:SCRIPT"},
    config={"speech": ".config:SpeechOptions"},
    table=".at_table:SpeechTable",
    check=".check:findings",
)
