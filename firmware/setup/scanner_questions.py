"""Finding the scanner: who is there, who answers as a module, from whom a scan comes, which codes it reads.

Nothing is written to a module before the person has agreed.
"""

from collections.abc import Mapping, Sequence
from contextlib import ExitStack, closing
from typing import Any, Final

from companion.text.sentence import Decimals, say
from companion.values import Value, replace
from firmware.paper import trial
from firmware.paper.trial import Trial
from firmware.setup.answers import Answers, ScannerSeen, Trouble
from firmware.setup.dialogue import Inbox, Talk
from firmware.setup.machine import KEYBOARD, MODULES, Machine
from firmware.text.translation import text_of
from hardware.ports import DeviceFault, Message, Scanned
from hardware.scanner.input_devices import keyboards, looks_like_a_scanner
from hardware.scanner.serial_ports import serial_devices

PLAIN: Final = "serial"
BAUDS: Final = (9600, 115_200, 57_600, 38_400, 19_200, 4800)
"""Tried in turn when data arrives that is not a code."""

_TO_BE_SET: Final = "still to be set"
_ALL: Final = "all"
_NONE: Final = "none"


class Candidate(Value):
    """What may be a scanner. `ours`: most likely not a keyboard for typing."""

    driver: str
    options: Mapping[str, object]
    says: str
    ours: bool = True


def ask_scanner(talk: Talk, machine: Machine, answers: Answers) -> Answers:
    """Find it and try it on the test page."""
    listed = candidates(machine)
    for number, one in enumerate(listed, start=1):
        talk.tell(say("  {number}  {says}", number=number, says=one.says))
    if not listed:
        talk.tell(say("No serial device and no keyboard was found."))
        there = talk.yes(say("Should there be a scanner?"), default=False)
        return replace(answers, scanner=ScannerSeen(there=there))
    names = (_ALL, _NONE, *(str(number) for number in range(1, len(listed) + 1)))
    picked = talk.choose(say("Which one is the scanner? “all” tries them all"), names, _ALL)
    if picked == _NONE:
        return replace(answers, scanner=ScannerSeen(there=False, listed=len(listed)))
    chosen = [one for one in listed if one.ours] if picked == _ALL else [listed[int(picked) - 1]]
    seen = _found(talk, machine, chosen)
    others = [one for one in listed if one not in chosen]
    if not seen.driver and others:
        seen = _a_keyboard(talk, machine, others, seen)
    seen = replace(seen, listed=len(listed))
    if seen.driver and _may_be_set_up(talk, seen):
        seen = _tried(talk, machine, seen)
    return replace(answers, scanner=seen)


def candidates(machine: Machine) -> list[Candidate]:
    """Serial devices first: a keyboard is the last choice."""
    found = [
        Candidate(PLAIN, {"port": one.port}, f"{one.says} ({one.port})")
        for one in serial_devices(machine.root)
    ]
    for one in keyboards(machine.root):
        says = f"the keyboard “{one.name}”, {one.usb}"
        found.append(Candidate(KEYBOARD, {"device": f"usb:{one.usb}"}, says, looks_like_a_scanner(one)))
    return found


def _found(talk: Talk, machine: Machine, chosen: Sequence[Candidate]) -> ScannerSeen:
    troubles, usable = [], []
    for one in chosen:
        said = machine.check("scanner", one.driver, one.options)
        if isinstance(said, Trouble):
            talk.tell(say("  !! {fault}: {fix}", fault=said.fault, fix=said.fix))
            troubles.append(said)
            continue
        usable.append(one)
        for name in MODULES if one.driver == PLAIN else ():
            port = one.options["port"]
            talk.tell(say("Checking whether a {name} answers on {port} ...", port=port, name=name.upper()))
            said = machine.check("scanner", name, one.options)
            if isinstance(said, str):
                talk.tell(say("Found: {says}.", says=said))
                return ScannerSeen(driver=name, options=one.options, says=said)
    if usable and (scanned := _first_scan(talk, machine, usable)) is not None:
        says = f"a code was received from {scanned.says}"
        return ScannerSeen(driver=scanned.driver, options=scanned.options, says=says)
    return ScannerSeen(troubles=tuple(troubles))


def _first_scan(talk: Talk, machine: Machine, usable: Sequence[Candidate]) -> Candidate | None:
    with Inbox() as inbox, ExitStack() as stack:
        ears = [_Ear(machine, inbox, str(number), one) for number, one in enumerate(usable)]
        for ear in ears:
            stack.callback(ear.close)
            ear.open()
        talk.tell(
            say(
                "No scanner module answers. Scan any code now, such as one on a product. Press Enter to give "
                "up."
            )
        )
        came: list[Candidate] = []

        def on(name: str, message: Message) -> bool:
            ear = ears[int(name)]
            if isinstance(message, Scanned):
                talk.tell(say("  “{text}” from {says}", text=message.text, says=ear.candidate.says))
                came.append(ear.candidate)
            elif isinstance(message, DeviceFault):
                talk.tell(say("  !! {fault}: {says}", fault=text_of(message.fault), says=ear.candidate.says))
                ear.next_speed(talk)
            return bool(came)

        typed = talk.hear(inbox, on)
        if typed:
            talk.tell(say("That was typed into the terminal: the scanner works as a keyboard."))
    return came[0] if came else None


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
            talk.tell(say("  now at {baud} baud; scan again", baud=baud))

    def close(self) -> None:
        if self._device is not None:
            self._device.close()
            self._device = None


def _a_keyboard(talk: Talk, machine: Machine, others: Sequence[Candidate], seen: ScannerSeen) -> ScannerSeen:
    """A keyboard that is not known as a scanner is used only if the person says so: it may be theirs."""
    keys = [one for one in others if one.driver == KEYBOARD]
    if not keys:
        return seen
    for number, one in enumerate(keys, start=1):
        talk.tell(say("  {number}  {says}", number=number, says=one.says))
    names = (_NONE, *(str(number) for number in range(1, len(keys) + 1)))
    question = say("Is one of these the scanner, and not the keyboard that you type on?")
    picked = talk.choose(question, names, _NONE)
    if picked == _NONE:
        return seen
    found = _found(talk, machine, [keys[int(picked) - 1]])
    return found if found.driver else replace(seen, troubles=(*seen.troubles, *found.troubles))


def _may_be_set_up(talk: Talk, seen: ScannerSeen) -> bool:
    """Whether the driver may change the module's settings, which it does at each start."""
    return _TO_BE_SET not in seen.says or talk.yes(say("Apply these settings now?"))


def _tried(talk: Talk, machine: Machine, seen: ScannerSeen) -> ScannerSeen:
    read: list[Trial] = []
    foreign: list[str] = []

    def on(_: str, message: Message) -> bool:
        if isinstance(message, DeviceFault):
            talk.tell(say("  !! {fault}: {fix}", fault=text_of(message.fault), fix=text_of(message.check)))
        if not isinstance(message, Scanned):
            return False
        one = trial.read(message.text)
        if one is None:
            talk.tell(say("  “{text}” is not on the test page", text=message.text))
            foreign.append(message.text)
        else:
            talk.tell(
                say("  {title}, {size} mm: read", title=one.code.title, size=Decimals(one.module_mm, 2))
            )
            read.append(one)
        return False

    with Inbox() as inbox, closing(machine.make("scanner", seen.driver, seen.options)) as device:
        device.start(inbox.of("scanner"))
        talk.tell(say("Scan the test page (`nimmt print test-page`), from the largest code to the smallest."))
        talk.tell(say("Cover the other codes. Press Enter when no smaller one can be read, or to skip this."))
        talk.hear(inbox, on)
    return replace(seen, read=tuple(read), foreign=tuple(foreign))
