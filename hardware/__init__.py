"""The devices: display, keys, scanner and buzzer, and a simulated counterpart of each.

Theory of operation
-------------------
*A port says what a device can do* (`ports`), a driver does it with one kind of device (`drivers`), and the
program knows the ports only. The configuration names a driver, `registry` finds it, and `Options` says what
can be configured. A device that a table does not have is a driver as well, one that does nothing.

*No driver waits, and no driver raises into the game.* A bus may take 93 ms for a picture, and a loose wire
may make it fail at any byte. So each device has a thread of its own. What the program calls (`start`, `draw`,
`give`) leaves a note for that thread and returns at once. What the thread calls is one function, `post`,
which puts a message into the program's queue. Nothing else connects the two. A picture or a tone may
therefore be lost, but a match is never held up.

*A fault is a message.* What goes wrong in a device's thread is posted as a `DeviceFault` with two sentences:
what was seen, and what a person can do. The thread then closes the device and tries again, for ever, with
pauses that grow. The same fault is posted once, and its end once (`background.FaultReporter`): a scanner that
is unplugged for an hour is one message, not thousands. `check`, which the doctor calls to look at a device
once, does raise, and so do mistakes: a pin that is used twice, a picture of the wrong size, a second start.

*Three classes hold this machinery, and a driver is what remains.* A display driver is a `panel.display.Panel`
of five methods under a `PanelDisplay`; a scanner driver is a `scanner.source.Source` under a `SourceScanner`;
keys and the buzzer derive from `background.BackgroundDevice`, as `SourceScanner` does. The thread itself, how
it is started and closed and what it posts, is a `background.DeviceThread` in all of them.

*Two clocks.* `at_s` in a message and all pauses are of the monotonic clock: it never goes back, so it can
order two presses and measure a pause. It is passed in as `now_s`, and a test turns it by hand. Keys need
another one: the kernel's time stamp of an edge, in whole nanoseconds, which is older than the moment in which
the program hears of the edge. The time of day is not used here: most Raspberry Pis do not know it until they
are online, and then it jumps.

*What is simulated is below the libraries.* Tests and benchmarks run the real drivers over the real luma,
gpiozero and pyserial; only the lowest layer (a bus, a chip, a tty) is ours. See `simulation`.

Who imports whom: `drivers` import `scanner`, `panel` and `gpio`, and these import `ports` and `background`.
Never the other way round, and no driver imports another one. Device libraries are imported when a device is
opened, so nobody pays for the library of a device that is not there.
"""
