"""A machine under QEMU with the devices of our box on it: power switch, wires, and the agent inside.

What runs in it is the matter of `card`, what people do at it of `box`.
"""

import json
import select
import socket
import subprocess
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, Self

from hardware.gpio.wires import Timing
from tests.no_orphan import NO_ORPHAN
from tests.packaging.virtual_pi.i2c_wire import I2cWire
from tests.packaging.virtual_pi.kernel import Kernel
from tests.packaging.virtual_pi.lossy_card import LossyCard
from tests.systemd.trial import PACE, connected

MEMORY_MB: Final = 512  # a Raspberry Pi Zero 2
PATIENCE_S: Final = 120.0
_LOOK_S: Final = 0.1
_HOLD_S: Final = Timing().hold_s
"""The box takes a press that lasts so long for a long one."""
COMMAND_LINE: Final = (
    *("root=/dev/vda", "rw", "console=ttyS0", "quiet", "panic=-1", "no_timer_check", "mitigations=off"),
    *("systemd.show_status=0", "systemd.getty_auto=0"),
)


class NotUp(AssertionError):
    """The machine did not start or did not answer; says what it wrote to its console."""


class NotStarted(NotUp):
    """The machine itself did not start, so nothing is known of what runs in it."""


class PressedTooLong(NotUp):
    """A short press became a long one, which means something else; the box may be right in what it did."""


class Line:
    """JSON lines over a Unix socket that QEMU serves."""

    def __init__(self, place: Path) -> None:
        try:
            self._line = connected(place, 10)
        except TimeoutError:
            raise NotStarted("QEMU does not start") from None
        self._heard = b""

    def say(self, what: dict[str, Any]) -> None:
        self._line.sendall(json.dumps(what).encode() + b"\n")

    def hear(self, within_s: float) -> dict[str, Any]:
        """The next line. Raises `TimeoutError`, and `EOFError` when the machine is off."""
        deadline_s = time.monotonic() + within_s
        while b"\n" not in self._heard:
            left_s = deadline_s - time.monotonic()
            if left_s <= 0 or not select.select([self._line], [], [], left_s)[0]:
                raise TimeoutError
            piece = self._line.recv(65536)
            if not piece:
                raise EOFError
            self._heard += piece
        line, self._heard = self._heard.split(b"\n", 1)
        heard: dict[str, Any] = json.loads(line)
        return heard

    def close(self) -> None:
        self._line.close()


@dataclass
class Machine:
    """A machine that is off; `folder` is for its sockets and what QEMU writes. For one thread."""

    folder: Path
    kernel: Kernel
    card: LossyCard
    wire: I2cWire
    accelerator: str = "tcg,thread=multi,tb-size=512"
    _process: subprocess.Popen[bytes] | None = None
    _lines: dict[str, Line] = field(default_factory=dict)
    _scanner: socket.socket | None = None
    _asked: int = 0
    _came_up: bool = False
    on_at_s: float = 0.0
    """When it was switched on, by `time.monotonic`."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.off()

    # ------------------------------------------------------------------------------------- the switch

    def on(self) -> None:
        """Switch it on; returns at once, while it is still starting."""
        place = self.folder
        self.card.power()
        self.on_at_s = time.monotonic()
        with (place / "qemu.txt").open("wb") as said:
            self._process = subprocess.Popen(
                [*NO_ORPHAN, *self._command()],
                stdin=subprocess.DEVNULL,
                stdout=said,
                stderr=said,
                start_new_session=True,
            )
        self._lines = {name: Line(place / f"{name}.socket") for name in ("agent", "qmp")}
        self._came_up = False
        try:
            self._lines["qmp"].hear(PACE.patient_s(PATIENCE_S))
        except (TimeoutError, EOFError):
            raise NotStarted(f"QEMU does not answer:\n{self.console}") from None
        self.qmp("qmp_capabilities")

    def off(self) -> None:
        """Off at once. What the card has lost is not decided here."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            self._process = None
        for line in self._lines.values():
            line.close()
        self._lines = {}
        if self._scanner is not None:
            self._scanner.close()
            self._scanner = None

    @property
    def console(self) -> str:
        """The end of what it has written to its console, and what QEMU had to say."""
        files = [self.folder / "console.txt", self.folder / "qemu.txt"]
        return "\n".join(file.read_text(errors="replace")[-4000:] for file in files if file.exists())

    # ------------------------------------------------------------------------------- the agent inside

    def wait_up(self, within_s: float = PATIENCE_S) -> None:
        """Wait until the agent inside answers. Raises `NotStarted`."""
        if self._came_up:
            return
        try:
            while "up" not in self._lines["agent"].hear(PACE.patient_s(within_s)):
                pass
        except (TimeoutError, EOFError):
            raise NotStarted(self.console) from None
        self._came_up = True

    def run(self, *words: str, within_s: float = PATIENCE_S) -> tuple[int, str]:
        """Run a command as root; its status and all that it says. `within_s` is enough usually."""
        within_s = PACE.patient_s(within_s)
        return self._ask({"run": words, "within_s": within_s}, within_s)

    def must(self, *words: str, within_s: float = PATIENCE_S) -> str:
        """Run a command that has to succeed; what it says."""
        status, said = self.run(*words, within_s=within_s)
        if status:
            raise NotUp(f"{words} gave {status}:\n{said}")
        return said

    def log(self) -> str:
        """The end of what its system has logged since it was started; of one that is off, its console."""
        try:
            return self.must("journalctl", "--boot", "--no-pager", "--output=short-monotonic", "--lines=500")
        except (NotUp, OSError):
            return self.console

    def press(self, pin: int, for_s: float = 0.1) -> float:
        """Close the switch of a pin (BCM number) for a while; gives how long it really was, in seconds.

        Raises `PressedTooLong` where the machine was so busy that the box took a short press for a long one.
        """
        closed_s = float(self._ask({"press": pin, "for_s": for_s}, PACE.patient_s(PATIENCE_S))[1])
        if for_s < _HOLD_S <= closed_s:
            raise PressedTooLong(f"a key was down for {closed_s} s instead of {for_s} s")
        return closed_s

    def _ask(self, asked: dict[str, Any], within_s: float) -> tuple[int, str]:
        self._asked += 1
        agent = self._lines["agent"]
        agent.say({"id": self._asked, **asked})
        try:
            while (heard := agent.hear(within_s + 30)).get("id") != self._asked:
                pass
        except (TimeoutError, EOFError):
            raise NotUp(f"no answer to {asked}:\n{self.console}") from None
        self._came_up = True
        return heard["status"], heard["said"]

    # ------------------------------------------------------------------------------ what is plugged in

    def plug_scanner(self) -> None:
        """Plug a USB scanner in: a serial converter of FTDI, as far as the kernel can see."""
        if self._scanner is None:
            self._scanner = socket.socket(socket.AF_UNIX)
            self._scanner.connect(str(self.folder / "scanner.socket"))  # before: else QEMU plugs nothing
        self.qmp("device_add", driver="usb-serial", chardev="scanner", id="scanner", bus="usb.0", serial="6N")

    def scanned(self, data: bytes) -> None:
        assert self._scanner is not None
        self._scanner.sendall(data)

    def qmp(self, command: str, **arguments: str) -> Any:
        """Tell QEMU something; its answer."""
        line = self._lines["qmp"]
        line.say({"execute": command, "arguments": arguments})
        while True:
            heard = line.hear(PACE.patient_s(PATIENCE_S))
            if "error" in heard:
                raise NotUp(str(heard["error"]))
            if "return" in heard:
                return heard["return"]

    def _command(self) -> list[str]:
        place = self.folder
        card = f"driver=raw,file.driver=nbd,file.server.type=unix,file.server.path={self.card.place}"
        return [
            *("qemu-system-x86_64", "-nodefaults", "-no-user-config", "-display", "none", "-no-reboot"),
            *("-accel", self.accelerator, "-M", "q35,memory-backend=memory", "-cpu", "max", "-smp", "2"),
            *("-m", str(MEMORY_MB)),
            *("-object", f"memory-backend-memfd,id=memory,size={MEMORY_MB}M,share=on"),
            *("-kernel", str(self.kernel.image), "-initrd", str(self.kernel.initrd)),
            *("-append", " ".join(COMMAND_LINE)),
            *("-chardev", f"file,id=console,path={place / 'console.txt'}", "-serial", "chardev:console"),
            *("-qmp", f"unix:{place / 'qmp.socket'},server=on,wait=off"),
            *("-drive", f"{card},if=none,id=card,cache=writeback", "-device", "virtio-blk-pci,drive=card"),
            *("-device", "virtio-rng-pci"),
            *("-device", "virtio-serial-pci"),
            *("-chardev", f"socket,id=agent,path={place / 'agent.socket'},server=on,wait=off"),
            *("-device", "virtserialport,chardev=agent,name=virtual-pi"),
            *("-chardev", f"socket,id=i2c,path={self.wire.place}"),
            *("-device", "vhost-user-i2c-pci,chardev=i2c,indirect_desc=off,event_idx=off"),
            *("-device", "qemu-xhci,id=usb"),
            *("-chardev", f"socket,id=scanner,path={place / 'scanner.socket'},server=on,wait=off"),
        ]
