"""Input without people: players for the demo, scripts of keys and scans, and the pictures of all screens.

Scripted players use the same door as people: they press keys and scan codes, and everything on the way is
real. `players` asks the players of a game what they would do and presses and scans that. `script` performs a
line of text ("12 37 b1 OK hold-R1 +3"). `gallery` uses scripts to reach every screen and keeps its picture;
the tests compare those pictures with the stored ones.
"""
