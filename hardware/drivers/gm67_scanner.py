"""A scanner module of the GM67 family on a serial port, by pyserial. Its packets: `hardware.scanner.ssi`.

The module sends each code in a packet with a checksum and waits for an acknowledge; without one it sends the
packet again. So a bad wire loses no card and plays none twice. The driver looks for the module at each of its
speeds, and sets it up to send packets. It writes to the module's memory only what differs, or, where the
module does not tell its settings, after bare text has come.
"""

import time
from collections.abc import Callable, Mapping
from math import inf
from typing import Annotated, Final

from hardware.errors import sentence
from hardware.options import option
from hardware.ports import Scanned
from hardware.scanner import ssi
from hardware.scanner.module import ANSWER_S, AnsweringModule, ModuleOptions, ModuleSource
from hardware.scanner.source import SourceScanner

KEEP: Final = "keep"

SELDOM_S: Final = 5.0
"""The pause between two times of setting a module up again, where `look_every_s` does not say one."""

_TRIES: Final = 3
_NAMES: Final = {
    ssi.PACKETS: sentence("packets"),
    ssi.DATA_FORMAT: sentence("the bare code"),
    ssi.TRIGGER: sentence("the trigger"),
}


class Gm67Scanner(SourceScanner):
    """A module of the GM67 family.

    Wiring of a module on the header: TX to GPIO 15 (pin 10), RX to GPIO 14 (pin 8), 5 V to pin 2, ground to
    pin 6. Its signals must be 3.3 V.

    ```toml
    [scanner]
    driver = "gm67"
    port = "/dev/ttyAMA0"
    ```

    ```python
    from hardware.drivers.gm67_scanner import Gm67Scanner

    scanner = Gm67Scanner(Gm67Scanner.Options(port="/dev/ttyAMA0"))
    print(scanner.check())  # a GM67 (V1.3.05) at /dev/ttyAMA0, 9600 baud; set up
    scanner.start(print)  # Scanned(text='42', at_s=81203.114)
    ```
    """

    class Options(ModuleOptions, frozen=True):
        """The port of the module, and its settings."""

        trigger: Annotated[
            str,
            option(
                "when it reads: sensor after a change in front of its window, continuous all the time, "
                "manual and pulse when its key is pressed; keep leaves the setting unchanged; any other "
                "value is written at each start to a module that does not report its settings",
                among=(KEEP, *ssi.TRIGGERS),
            ),
        ] = KEEP

    def __init__(self, options: Options, now_s: Callable[[], float] = time.monotonic) -> None:
        super().__init__(ModuleSource(_Gm67, options, now_s), now_s)


Options = Gm67Scanner.Options


class _Gm67(AnsweringModule[ssi.Packet]):
    """A GM67 on an open port. Its scans are acknowledged."""

    NAME = "GM67"
    _version = ""
    _bare_text = False  # something came that may be a code outside of a packet
    _owed = False  # a packet was refused, and will be sent again
    _set_up_at_s = -inf  # not before this time is it set up again

    def _new_stream(self) -> ssi.SsiStream:
        return ssi.SsiStream()

    def listen(self, scanned: Callable[[Scanned], None]) -> None:
        super().listen(scanned)
        self._owed = self._bare_text = False

    def _take(self, one: ssi.Packet | ssi.Broken | ssi.UnframedBytes) -> ssi.Packet | None:
        match one:
            case ssi.Packet(ssi.DECODE_DATA | ssi.LONG_DECODE_DATA):
                self._take_scan(one)
            case ssi.Packet():
                return one
            case ssi.Broken():
                self.rejected += 1
                self._owed = True
                self.port.write(ssi.packet(ssi.NAK, bytes((ssi.RESEND,))))
            case ssi.UnframedBytes(text):
                self._bare_text = self._bare_text or text
                self.rejected += not text
        return None

    def _take_scan(self, scan: ssi.Packet) -> None:
        self.port.write(ssi.packet(ssi.ACK))
        owed, self._owed = self._owed, False
        # Sent again, and not because we refused it: either our acknowledge got lost, and the card was played
        # already, or it was scanned before this program listened.
        if self._scanned is None or (scan.status & ssi.SENT_AGAIN and not owed):
            return
        if text := ssi.text_of(scan):
            self._send_on(Scanned(text, scan.at_s))
        else:
            self.rejected += 1

    def attend(self) -> bool:
        if not self._bare_text or self._now_s() < self._set_up_at_s:
            return False
        # Not for all noise that looks like a code: this may write to the module's memory.
        self._set_up_at_s = self._now_s() + (self._options.look_every_s or SELDOM_S)
        self._bare_text = False
        self._write(unless_known=self._wanted())
        return True

    def ask(self, command: bytes, within_s: float = ANSWER_S) -> ssi.Packet | None:
        self.port.write(ssi.WAKE)
        self.wait_quiet(ssi.WAKE_S)
        for _ in range(_TRIES):
            answer = super().ask(command, within_s)
            if answer is None or (answer.opcode, answer.data) != (ssi.NAK, bytes((ssi.RESEND,))):
                return answer
        return None

    def answers(self, within_s: float = ANSWER_S) -> bool:
        """Whether it answers; a refusal is an answer as well."""
        answer = self.ask(ssi.packet(ssi.REVISION), within_s)
        if answer is not None and answer.opcode == ssi.REPLY_REVISION:
            text = bytes(one for one in answer.data if 0x20 <= one <= 0x7E)  # noqa: PLR2004 - printable ASCII
            self._version = text.decode("ascii").strip()
        return answer is not None

    def verify(self) -> bool:
        if not self.answers() and not self.answers():  # once more: it may have been busy with a code
            raise self._silent()
        return True

    def described(self) -> tuple[str, str]:
        wanted = self._wanted()
        found = self._parameters(wanted)
        wrong = tuple(_NAMES[key] for key, value in wanted.items() if key in found and found[key] != value)
        state = sentence("set up" if found else "does not report its settings")
        if wrong:
            state = sentence("still to be set: {what}", what=wrong)
        return f"{self.NAME} ({self._version})" if self._version else self.NAME, state

    def set_up(self) -> None:
        self._write({key: value for key, value in self._wanted().items() if key == ssi.TRIGGER})

    def _wanted(self) -> dict[int, int]:
        wanted = {ssi.PACKETS: 1, ssi.DATA_FORMAT: 0}
        if self._options.trigger != KEEP:
            wanted[ssi.TRIGGER] = ssi.TRIGGERS[self._options.trigger]
        return wanted

    def _parameters(self, numbers: Mapping[int, int]) -> Mapping[int, int]:
        """The values of these parameters; empty where it does not tell, which not every module does."""
        answer = self.ask(ssi.packet(ssi.PARAM_REQUEST, bytes(numbers)))
        return ssi.parameters_of(answer) if answer is not None and answer.opcode == ssi.PARAM_SEND else {}

    def _write(self, unless_known: Mapping[int, int]) -> None:
        """Write the parameters that differ; of those whose value is unknown, `unless_known`."""
        wanted = self._wanted()
        found = self._parameters(wanted)
        wrong = {key: value for key, value in wanted.items() if key in found and found[key] != value}
        wrong |= {key: value for key, value in unless_known.items() if key not in found}
        for key, value in wrong.items():
            answer = self.ask(ssi.parameter(key, value))
            if answer is None:
                raise self._silent()
            if answer.opcode != ssi.ACK:
                raise self._refused(_NAMES[key])
