"""The drivers: one file for each kind of device.

Theory of operation
-------------------
A driver is a class with `Options`, made with one instance of them, and it has the methods of its port
(`hardware.ports`). Each file begins with what is special about its device; the class says how to wire it and
how to configure it, with an example that runs.

To add a driver, write its file and its line in `hardware.registry`; in a package of your own, an entry point
takes the place of that line. What to derive from:

- a display: `hardware.panel.display.Panel`, wrapped by a `PanelDisplay`;
- a scanner: `hardware.scanner.source.Source`, wrapped by a `SourceScanner`;
- anything else: `hardware.background.BackgroundDevice`, which asks for three methods.

Rules that hold for all of them. A constructor opens nothing and starts nothing: a safe start makes each
device to see whether it can be made. `start` returns within 50 ms. A device that is absent is a fault and not
an error. `close` frees everything, and may come at any time and from any thread. A time, a pin or a size has
its unit in its name. Errors of libraries are caught where the library is called, and become a `HardwareError`
whose text a person at the table can use.

A driver that needs other hardware than is at hand is tested over a simulated one: `hardware.simulation`.
"""
