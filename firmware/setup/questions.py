"""Asks about board, display, keys, scanner and buzzer while using the devices."""

from collections.abc import Mapping
from contextlib import closing
from typing import Any, Final

from msgspec.structs import replace
from PIL.Image import Image

from companion.text.sentence import BULL
from firmware.config.configuration import choose
from firmware.config.keys import ConfigError
from firmware.display.canvas import Canvas
from firmware.display.glyphs import LARGE
from firmware.setup.conclusions import (
    Draft,
    KeysSeen,
    SetupCheck,
    contacts,
    device_fault,
    differing,
    guess,
    judge_board,
    judge_keys,
    listening,
    panels,
    without,
)
from firmware.setup.config_file import as_toml
from firmware.setup.dialogue import Inbox, Talk
from firmware.setup.machine import System
from hardware.boards import BOARDS
from hardware.errors import HardwareError
from hardware.ports import DeviceFault, Light, Message, Signal
from hardware.scanner.keyboard_watch import UNKNOWN

_DRAWN_S: Final = 30.0  # a panel that does not answer says so long before
_UPSIDE_DOWN: Final = "upside-down"
_NO_BOARD: Final = "none"


def ask_board(talk: Talk, machine: System, draft: Draft) -> Draft:
    """Ask which board it is; the default comes from the devices that answer."""
    seen = machine.look()
    if seen.answering:
        there = ", ".join(f"0x{address:02X}" for address in seen.answering)
        talk.tell(f"A display answers on I2C at {there}.")
    elif seen.spi:
        talk.tell("Nothing answers on I2C. There is an SPI port, but SPI displays never answer.")
    elif seen.silence is not None:
        talk.tell(f"No display answers: {seen.silence.fault}.")
    for number, kind in enumerate(BOARDS, start=1):
        talk.tell(f"  {number}  {kind.about}")
    talk.tell(f"  {len(BOARDS) + 1}  none of these: a laptop, or a Raspberry Pi without a display")
    likely = guess(seen)
    names = [*(str(number) for number in range(1, len(BOARDS) + 2))]
    usual = str(BOARDS.index(likely) + 1 if likely else len(names))
    picked = int(talk.choose("Which one is it?", names, usual))
    board = BOARDS[picked - 1] if picked <= len(BOARDS) else None
    draft = draft.added("", {}, judge_board(board, seen))
    if board is None:
        return draft
    return replace(draft, board=board, panels=panels(board, seen), tables={"board": board.name})


def ask_display(talk: Talk, machine: System, draft: Draft) -> Draft:
    """Draw the test picture with one controller after the other until the person sees it."""
    for number, options in enumerate(draft.panels, start=1):
        draft, right = replace(draft, panel=options), dict(options)
        seen = _try_panel(talk, machine, options, number)
        if isinstance(seen, DeviceFault):  # another controller would not answer either
            return draft.added("display", {}, device_fault("display", seen))
        if seen == "no":
            continue
        if seen == _UPSIDE_DOWN:
            right["rotate"] = (int(str(options.get("rotate", 0))) + 2) % 4
        says = f"the picture is correct with the controller {right['chip']}"
        settings = differing("display", "oled", right, draft.board)
        return draft.added("display", settings, SetupCheck("display", says))
    if draft.board is None:
        return draft
    tried = ", ".join(str(options["chip"]) for options in draft.panels)
    says = f"the picture was not seen with any of {tried}"
    fix = "check the panel's power supply and its RES wire; the shop's description names the controller"
    return draft.added("display", {}, SetupCheck("display", says, fix))


def trial_picture(number: int, width_px: int = 128, height_px: int = 64) -> Image:
    """A frame on the outermost pixels, the head of a bull, and the number of the attempt.

    A panel with the wrong controller loses the frame at one side, or shows noise there.
    """
    canvas = Canvas(width_px, height_px)
    canvas.frame(0, 0, width_px, height_px, sharp=True)
    canvas.text_centre(width_px // 2, (height_px - LARGE.capital_px) // 2, f"{BULL} {number}", LARGE)
    return canvas.image()


def _try_panel(talk: Talk, machine: System, options: Mapping[str, object], number: int) -> str | DeviceFault:
    """What the person answers: "yes", "upside-down" or "no"."""
    checked = machine.check("display", "oled", options)
    if isinstance(checked, DeviceFault):
        talk.tell(f"The display was not found: {checked.fault}.")
        return checked
    with closing(Inbox()) as inbox, closing(machine.make("display", "oled", options)) as display:
        display.start(inbox.post)
        display.draw(trial_picture(number, display.width_px, display.height_px))
        display.light(Light.FULL)
        if not display.settle(_DRAWN_S):
            return _trouble_in(inbox)
        talk.tell(f"A test picture was sent to it, with the controller {options['chip']}.")
        question = f"Do you see a bull's head, the number {number}, and a complete frame around them?"
        return talk.choose(question, ("yes", _UPSIDE_DOWN, "no"), "yes")


def _trouble_in(inbox: Inbox) -> DeviceFault:
    while (message := inbox.next()) is not None:
        if isinstance(message, DeviceFault):
            return message
    fault, check = "the display does not accept a picture", "check its wires and the speed of its bus"
    return DeviceFault("display", fault, check)


def ask_keys(talk: Talk, machine: System, draft: Draft) -> Draft:
    """Let the user press every key, and report each pin as it changes."""
    board = draft.board
    if board is None or not board.buttons or not talk.yes("Are there keys or a knob?"):
        none = SetupCheck("buttons", "none")
        return draft.added("buttons", without("buttons", board), none)
    others = [choose("display", "oled", draft.panel).options]
    if board.buzzer:
        others.append(choose("buzzer", "gpio", board.buzzer).options)
    return draft.added("buttons", {}, *judge_keys(_press_each(talk, machine, board.buttons, others)))


def _press_each(talk: Talk, machine: System, buttons: Mapping[str, Any], others: list[object]) -> KeysSeen:
    """What came from the keys; `others` are the options of the devices on other pins."""
    options, listened = listening(buttons, others)
    seen = KeysSeen(contacts(buttons), listened)
    try:
        device = machine.make("buttons", "gpio", options)
    except HardwareError as bad:
        seen.troubles[""] = DeviceFault("buttons", bad.fault, bad.check)
        return seen

    def on(message: Message) -> bool:
        if said := seen.hear(message):
            talk.tell(f"  {said}")
        if seen.complete:
            talk.tell("Those were all of them.")
        return seen.complete

    with closing(Inbox()) as inbox, closing(device):
        device.start(inbox.post)
        talk.tell("Press each key once, and turn the knob both ways. Press Enter when you are done.")
        talk.hear(inbox, on)
    return seen


_SCANNERS: Final[Mapping[str, tuple[str, Mapping[str, object]]]] = {
    "usb": ("auto", {}),
    "pins": ("serial", {"port": "/dev/ttyAMA0"}),
}


def ask_scanner(talk: Talk, machine: System, draft: Draft) -> Draft:
    """Ask where it is plugged in. The drivers find out what it is, and at which speed it sends."""
    usual = _NO_BOARD if draft.board is None else "usb"
    picked = talk.choose("Where is the scanner plugged in?", (*_SCANNERS, _NO_BOARD), usual)
    if picked == _NO_BOARD:
        return draft.added("scanner", {}, SetupCheck("scanner", "none: cards are typed"))
    driver, options = _SCANNERS[picked]
    settings = differing("scanner", driver, options, draft.board)
    checked = machine.check("scanner", driver, options)
    if isinstance(checked, str):
        return draft.added("scanner", settings, SetupCheck("scanner", checked))
    if (checked.fault, checked.check) == UNKNOWN:
        says = "any scanner on USB; the first code tells which keyboard it is"
        return draft.added("scanner", settings, SetupCheck("scanner", says))
    return draft.added("scanner", settings, device_fault("scanner", checked))


def ask_buzzer(talk: Talk, machine: System, draft: Draft) -> Draft:
    """Sound it, first as configured and then as the other kind, until the person hears it."""
    board, section = draft.board, "buzzer"
    says = "none: every signal is also shown on the display"
    none = draft.added(section, without(section, board), SetupCheck(section, says))
    options = {} if board is None else dict(board.buzzer) or _asked_pin(talk, draft)
    if not options:
        return none
    usual = str(options["kind"])
    for kind in (usual, "active" if usual == "tonal" else "tonal"):
        options["kind"] = kind
        checked = machine.check(section, "gpio", options)
        if isinstance(checked, DeviceFault):
            talk.tell(f"The buzzer cannot be used: {checked.fault}.")
            return draft.added(section, _of_buzzer(draft, options), device_fault(section, checked))
        came = _sound(talk, machine, options)
        if came == "yes":
            says = f"heard on GPIO {options['pin']} ({kind})"
            return draft.added(section, _of_buzzer(draft, options), SetupCheck(section, says))
        if came == _NO_BOARD:
            return none
    says = f"nothing was heard on GPIO {options['pin']}"
    fix = (
        "check its two wires; swap them if it is marked +; a buzzer that draws much current "
        "needs a transistor"
    )
    settings = _of_buzzer(draft, {**options, "kind": usual})
    return draft.added(section, settings, SetupCheck(section, says, fix))


def _of_buzzer(draft: Draft, options: Mapping[str, object]) -> Mapping[str, object]:
    return differing("buzzer", "gpio", options, draft.board)


def _sound(talk: Talk, machine: System, options: Mapping[str, object]) -> str:
    with closing(Inbox()) as inbox, closing(machine.make("buzzer", "gpio", options)) as buzzer:
        buzzer.start(inbox.post)
        while True:
            buzzer.give(Signal.TAKING)
            talk.tell(f"Three tones are sent to GPIO {options['pin']}.")
            came = talk.choose("Did you hear them?", ("yes", "no", "again", _NO_BOARD), "yes")
            if came != "again":
                return came


def _asked_pin(talk: Talk, draft: Draft) -> dict[str, object]:
    """The pin of a buzzer that the board does not have; empty for none."""
    while True:
        came = talk.ask("Is a piezo wired to a free pin? Its GPIO number, or none", _NO_BOARD)
        if came.lower() in (_NO_BOARD, "no", "n"):
            return {}
        try:
            options = {"pin": int(came), "kind": "tonal"}
            as_toml({**draft.tables, "buzzer": _of_buzzer(draft, options)}, "", {})
        except ConfigError as bad:
            talk.tell(f"That pin cannot be used: {bad.problems[0]}")
        except ValueError:
            talk.tell("That is not a GPIO number. For example, header pin 12 is GPIO 18.")
        else:
            return options
