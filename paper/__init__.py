"""Everything on paper: card labels, badges, the control sheet, the table card, scanner set-up, the test page.

Sheets use the codes and the games of `companion`; they know nothing of devices or of the program. All
measures are millimetres from the upper left corner of the page.
"""
