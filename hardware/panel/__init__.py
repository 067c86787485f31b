"""Displays: the thread that brings pictures to a panel, and which part of a picture has to be sent.

Theory of operation
-------------------
*The newest picture wins.* `PanelDisplay.draw` keeps one picture, the newest. Its thread takes that one when
the panel is free. When the program draws faster than the bus can carry, pictures in between are skipped;
nothing piles up, and what is shown is never older than one transfer. `settle` waits until the panel has
caught up: it compares how often something was asked for with how far the thread has come.

*What the thread does in one step* (`PanelDisplay.work`): open the panel if it is not open; show the picture
if it is another one than the last; set the brightness if it is another one; refresh if the panel has been
idle for long. Any error closes the panel and starts the pause before the next attempt. A panel that was
opened again gets everything again, because it may have lost power. The step is a method of its own, so that a
test can call it with a clock of its own and without a thread.

*Why there is a refresh.* A panel whose supply voltage drops for a moment forgets its setup and its picture,
and on SPI nothing comes back that would show it. So setup and picture are sent again once a minute: where the
panel has failed before, and while the light is dimmed because nobody plays, as nobody does at a dark panel.
During play at a sound panel once in ten minutes is enough.

*How a partial update is found* (`partial_update`). A controller keeps the picture as pages: strips eight
pixels high, one byte for each column of a strip. The picture is packed the same way, and compared byte by
byte with what was sent last. In each page the differing bytes make runs; two runs are joined where the bytes
between them are not more than it takes to open another window (10 bytes on an SSD1306, 7 on an SH1106). Where
the controller has windows over several pages, a run is joined with a window that ends on the page above if
that saves bytes. If the result is not shorter than the whole picture, the whole picture is sent. A changed
number takes 5 ms instead of 93.

*What is sent first.* A new page takes 10 ms. Its title comes first, then the largest window, which is what is
new on it: the card, the number, the list. The order costs no byte.

*Why the memory of the panel is sometimes unknown.* What was sent is remembered only after the last byte was
acknowledged. A write that fails half way leaves the panel in an unknown state, and the next picture is sent
as a whole. A command that was cut off still waits for its arguments, so opening begins with two
no-operations.

`terminal_blocks` makes characters of pixels, for the display in a terminal.
"""
