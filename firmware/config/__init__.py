"""The configuration: one TOML file, read and checked as a whole.

Theory of operation
-------------------
A key is a field of a struct. `sections` has the structs that are not about a device; the options of
a device are the `Options` of its driver. A field declared with `option(...)` carries its description and
its limits, so that one declaration serves the reader, `nimmt config keys` and docs/configuration.md
(`keys`, `doc`).

Reading never stops at the first fault. `keys` notes every problem with the key, the value that came and
the values that would do; `configuration.parse` raises one `ConfigError` with all of them, so that people
correct a file once and not key by key. Only then is a `Config` made, which is frozen.

A board (`hardware.boards`) fills in the options of display, keys and buzzer. Keys in the file replace those
of the board one by one, as long as the section keeps the board's driver.

A faulty file does not stop the table. Each configuration that worked is copied, and a file
that cannot be used is replaced by that copy, with a message. What counts as "worked" is that the file could
be read: devices that do not answer are faults of a device, not of the file.

`pins` finds a GPIO that two drivers use. It reads the options by their names, so that a driver need not
declare its pins a second time.
"""
