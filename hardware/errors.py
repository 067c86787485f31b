"""The error of devices that fail. Wrong plays and wrong files have errors of their own."""


class HardwareError(OSError):
    """A device is absent, or does not do what its data sheet says.

    `device` is the name people use for it ("scanner", "display"), `fault` says what was
    seen, `check` what a person can do about it. It is an `OSError`, so that code which
    only knows the standard library can catch it as well.
    """

    def __init__(self, device: str, fault: str, check: str) -> None:
        super().__init__(f"{device}: {fault} ({check})")
        self.device = device
        self.fault = fault
        self.check = check
