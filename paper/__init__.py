"""Everything on paper: card labels, badges, the control sheet, the table card, scanner set-up, the test page.

Sheets know the codes and the games of `companion`; of devices and of the program they know nothing. All
measures are millimetres from the upper left corner of the page.
"""
