"""Finding the scanner: who is there, who answers as a module, from whom a scan comes, which codes it reads.

Nothing is written to a module before the person has agreed.
"""

from collections.abc import Mapping, Sequence
from contextlib import ExitStack, closing
from pathlib import Path
from typing import Any, Final, TypeGuard

from companion.text.sentence import Decimals
from companion.values import Value, replace
from firmware.paper.scanner import SIZES_MM, Trial, trial_of
from firmware.paper.symbols import CodeKind
from firmware.setup.answers import Draft, Finding, device_fault
from firmware.setup.conclusions import differing
from firmware.setup.dialogue import Inbox, Talk
from firmware.setup.machine import ANY_SCANNER, KEYBOARD, MODULES, Machine
from hardware.ports import DeviceFault, Message, Scanned
from hardware.scanner.input_devices import keyboards, looks_like_a_scanner
from hardware.scanner.keyboard_watch import UNKNOWN
from hardware.scanner.serial_line import serial_devices

PLAIN: Final = "serial"
BAUDS: Final = (9600, 115_200, 57_600, 38_400, 19_200, 4800)
"""Tried in turn when data arrives that is not a code."""

_TO_BE_SET: Final = "still to be set"
_ALL: Final = "all"
_NONE: Final = "none"


class Candidate(Value):
    """What may be a scanner, and what is said of it. `ours`: most likely not a keyboard for typing."""

    driver: str
    options: Mapping[str, object]
    says: str
    file: Path | None = None
    """Its device file, without links."""
    ours: bool = True


def ask_scanner(talk: Talk, machine: Machine, draft: Draft) -> Draft:
    """Find it and try it on the test page."""
    none = draft.added("scanner", {}, Finding("scanner", "none: cards are typed"))
    listed = candidates(machine)
    for number, one in enumerate(listed, start=1):
        talk.tell(f"  {number}  {one.says}")
    if not listed:
        talk.tell("No serial device and no keyboard was found.")
        if not talk.yes("Should there be a scanner?", default=False):
            return none
        says = "no scanner is plugged in"
        fix = (
            "plug it in; a scanner on the GPIO pins needs the serial port: sudo raspi-config, "
            "Serial Port: no, yes"
        )
        return draft.added("scanner", {}, Finding("scanner", says, fix))
    names = (_ALL, _NONE, *(str(number) for number in range(1, len(listed) + 1)))
    picked = talk.choose("Which one is the scanner? “all” tries them all", names, _ALL)
    if picked == _NONE:
        return none
    chosen = [one for one in listed if one.ours] if picked == _ALL else [listed[int(picked) - 1]]
    if picked == _ALL and machine.only_a_scan_tells():
        chosen.append(Candidate(ANY_SCANNER, {}, "a keyboard"))
    troubles: list[DeviceFault] = []
    found = _found(talk, machine, chosen, troubles)
    if found is None and (theirs := [one for one in listed if one not in chosen and one.driver == KEYBOARD]):
        found = _a_keyboard(talk, machine, theirs, troubles)
    if found is None:
        says = "no scanner answered, and no code was received"
        fix = "scan the code for “USB serial” in its manual, plug it in again, and repeat the setup"
        missing = (device_fault("scanner", one) for one in troubles)
        return draft.added("scanner", {}, *(missing if troubles else (Finding("scanner", says, fix),)))
    found = _as_sold(machine, found)
    # The driver changes the settings of a module at each start.
    may = _TO_BE_SET not in found.says or talk.yes("Apply these settings now?")
    read, foreign = _tried(talk, machine, found) if may else ((), ())
    settings = differing("scanner", found.driver, found.options, draft.board)
    scanner = Finding("scanner", f"{found.says}")
    return draft.added("scanner", settings, scanner, _judge_trial(read, foreign))


def order(read: Sequence[Trial]) -> str:
    """The command that prints labels for this scanner; empty if nothing was read.

    It is for the best kind of code, the first of `CodeKind`, one size above the smallest that was read.
    """
    for kind in CodeKind:
        sizes = [one.module_mm for one in read if one.code is kind]
        if sizes:
            module_mm = min((size for size in SIZES_MM if size > min(sizes)), default=min(sizes))
            code = "" if kind is CodeKind.DATAMATRIX else f" --code {kind.value}"
            return f"nimmt print cards{code} --module {module_mm:.2f}"
    return ""


def _judge_trial(read: Sequence[Trial], foreign: Sequence[str]) -> Finding:
    """What the test page has told; `foreign` are codes that are not on it."""
    if read:
        sizes = {kind: sorted({one.module_mm for one in read if one.code is kind}) for kind in CodeKind}
        kinds = ", ".join(
            f"{kind.title} {'/'.join(f'{size:.2f}' for size in found)} mm"
            for kind, found in sizes.items()
            if found
        )
        says = f"it reads {kinds}; print with: {order(read)}"
        return Finding("scanner", says, part="test page")
    if foreign:
        says = f"{len(foreign)} codes were received, none from the test page"
        fix = "print it with `nimmt print test-page` at 100 %, and begin with the largest codes"
        return Finding("scanner", says, fix, "test page")
    says = "the test page was not scanned; `nimmt print test-page` creates it"
    return Finding("scanner", says, part="test page")


def candidates(machine: Machine) -> list[Candidate]:
    """Serial devices first: a keyboard is the last choice."""
    found = [
        Candidate(PLAIN, {"port": one.port}, f"{one.says} ({one.port})", one.file)
        for one in serial_devices(machine.root)
    ]
    for one in keyboards(machine.root):
        says = f"the keyboard “{one.name}”, {one.usb}"
        file, is_ours = Path(one.path).resolve(), looks_like_a_scanner(one)
        found.append(Candidate(KEYBOARD, {"device": f"usb:{one.usb}"}, says, file, is_ours))
    return found


def _found(
    talk: Talk, machine: Machine, chosen: Sequence[Candidate], troubles: list[DeviceFault]
) -> Candidate | None:
    """The scanner among these; `troubles` gets those of devices that cannot be used."""
    usable = []
    for one in chosen:
        said = machine.check("scanner", one.driver, one.options)
        if _is_fault(said):
            talk.tell(f"  !! {said.fault}\n     {said.check}")
            troubles.append(said)
            continue
        usable.append(one)
        for name in MODULES if one.driver == PLAIN else ():
            port = one.options["port"]
            talk.tell(f"Checking whether a {name.upper()} answers on {port} ...")
            said = machine.check("scanner", name, one.options)
            if isinstance(said, str):
                talk.tell(f"Found: {said}.")
                return replace(one, driver=name, says=said)
    scanned = _first_scan(talk, machine, usable) if usable else None
    return scanned and replace(scanned, says=f"a code was received from {scanned.says}")


def _first_scan(talk: Talk, machine: Machine, usable: Sequence[Candidate]) -> Candidate | None:
    with Inbox() as inbox, ExitStack() as stack:
        ears = [_Ear(machine, inbox, str(number), one) for number, one in enumerate(usable)]
        for ear in ears:
            stack.callback(ear.close)
            ear.open()
        talk.tell(
            "No scanner module answers. Scan any code now, such as one on a product. Press Enter to give up."
        )
        came: list[Candidate] = []

        def on(name: str, message: Message) -> bool:
            ear = ears[int(name)]
            if isinstance(message, Scanned):
                talk.tell(f"  “{message.text}” from {ear.candidate.says}")
                came.append(ear.candidate)
            elif _is_fault(message):
                talk.tell(f"  !! {message.fault}: {ear.candidate.says}")
                ear.next_speed(talk)
            return bool(came)

        while talk.hear(inbox, on):
            talk.tell("That was typed into the terminal: the scanner works as a keyboard.")
    return came[0] if came else None


def _is_fault(said: object) -> TypeGuard[DeviceFault]:
    """Whether something is wrong. That a keyboard may be the scanner is what is to be found out."""
    return isinstance(said, DeviceFault) and (said.fault, said.check) != UNKNOWN


def _as_sold(machine: Machine, found: Candidate) -> Candidate:
    """The same scanner by the driver for any of them, if that takes it as it is."""
    is_plain = found.driver in (PLAIN, KEYBOARD) and "baud" not in found.options
    if is_plain and found.file is not None and found.file == machine.scanner_by_itself():
        return replace(found, driver=ANY_SCANNER, options={})
    return found


class _Ear:
    """Listens to one candidate, at one baud rate after the other."""

    def __init__(self, machine: Machine, inbox: Inbox, name: str, candidate: Candidate) -> None:
        self.candidate = candidate
        self._machine = machine
        self._post = inbox.of(name)
        self._bauds = iter(BAUDS[1:] if candidate.driver == PLAIN else ())
        self._device: Any = None

    def open(self) -> None:
        self._device = self._machine.make("scanner", self.candidate.driver, self.candidate.options)
        self._device.start(self._post)

    def next_speed(self, talk: Talk) -> None:
        """Listen at the next baud rate, if there is one."""
        baud = next(self._bauds, None)
        if baud is not None:
            self.close()
            self.candidate = replace(self.candidate, options={**self.candidate.options, "baud": baud})
            self.open()
            talk.tell(f"  now at {baud} baud; scan again")

    def close(self) -> None:
        if self._device is not None:
            self._device.close()
            self._device = None


def _a_keyboard(
    talk: Talk, machine: Machine, keys: Sequence[Candidate], troubles: list[DeviceFault]
) -> Candidate | None:
    """A keyboard that is not known as a scanner is used only if the person says so: it may be theirs."""
    for number, one in enumerate(keys, start=1):
        talk.tell(f"  {number}  {one.says}")
    names = (_NONE, *(str(number) for number in range(1, len(keys) + 1)))
    question = "Is one of these the scanner, and not the keyboard that you type on?"
    picked = talk.choose(question, names, _NONE)
    return None if picked == _NONE else _found(talk, machine, [keys[int(picked) - 1]], troubles)


def _tried(talk: Talk, machine: Machine, scanner: Candidate) -> tuple[list[Trial], list[str]]:
    """What the scanner reads of the test page, and the codes that are not on it."""
    read: list[Trial] = []
    foreign: list[str] = []

    def on(_: str, message: Message) -> bool:
        if _is_fault(message):
            talk.tell(f"  !! {message.fault}\n     {message.check}")
        if not isinstance(message, Scanned):
            return False
        one = trial_of(message.text)
        if one is None:
            talk.tell(f"  “{message.text}” is not on the test page")
            foreign.append(message.text)
        else:
            talk.tell(f"  {one.code.title}, {Decimals(one.module_mm, 2)} mm: read")
            read.append(one)
        return False

    with Inbox() as inbox, closing(machine.make("scanner", scanner.driver, scanner.options)) as device:
        device.start(inbox.of("scanner"))
        talk.tell("Scan the test page (`nimmt print test-page`), from the largest code to the smallest.")
        talk.tell("Cover the other codes. Press Enter when no smaller one can be read, or to skip this.")
        while talk.hear(inbox, on):
            pass  # a scanner that is a keyboard types its first code
    return read, foreign
