"""What devices and people have answered, and what follows from it, without a device or a person.

Each free pin of the header is listened to as well, under the name of a key that the board does not have: so a
wire on the wrong pin is found by pressing its key.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from msgspec import Struct, field

from companion.values import Value, replace
from firmware.config.configuration import DEFAULT_DRIVERS, options_of, preset_of
from firmware.config.keys import keys_of
from firmware.config.pins import claims
from hardware.boards import PIN_OF, BoardPreset
from hardware.boards import board as board_named
from hardware.ports import OWN_KEYS, DeviceFault, DeviceRecovered, KeyPressed, Message

_FREE: Final = (4, 5, 6, 12, 13, *range(16, 28))
"""The pins without a fixed function: 2 and 3 are I2C, 14 and 15 serial, 7 to 11 SPI, 0 and 1 for HATs."""

CHIPS: Final = ("ssd1306", "ssd1309", "sh1106")


class BoardSeen(Value):
    """What is on the pins: addresses that answer on I2C bus 1, and whether there is SPI."""

    answering: tuple[int, ...] = ()
    spi: bool = False
    silence: DeviceFault | None = None
    """Why nothing answers on I2C."""


class SetupCheck(Value):
    """One check and its result; only a failed one has a fix. `part` separates several of a section."""

    section: str
    says: str
    fix: str = ""
    part: str = ""

    @property
    def ok(self) -> bool:
        return not self.fix


def device_fault(section: str, trouble: DeviceFault, part: str = "") -> SetupCheck:
    return SetupCheck(section, trouble.fault, trouble.check, part)


class Draft(Value):
    """What the questions so far have come to: the configuration, and the findings."""

    board: BoardPreset | None = None
    """None: no board, this is a laptop or a Raspberry Pi without a display."""
    panels: tuple[Mapping[str, object], ...] = ()
    """The options to try a panel with, the likely ones first."""
    panel: Mapping[str, object] = {}
    """Those that were tried last."""
    tables: Mapping[str, object] = {}
    """`board`, and the sections that are not empty."""
    findings: tuple[SetupCheck, ...] = ()

    def added(self, section: str, settings: Mapping[str, object], *findings: SetupCheck) -> "Draft":
        """The same with what a question has come to; without settings the defaults are right."""
        tables = {**self.tables, section: dict(settings)} if settings else self.tables
        return replace(self, tables=tables, findings=(*self.findings, *findings))


def guess(seen: BoardSeen) -> BoardPreset | None:
    """The likely board for these answers; a panel on SPI never answers, so it comes last."""
    for address, name in ((0x3C, "adafruit-bonnet"), (0x3D, "hand-wired")):
        if address in seen.answering:
            return board_named(name)
    return board_named("waveshare-1.3") if seen.spi else None


def panels(board: BoardPreset, seen: BoardSeen) -> tuple[Mapping[str, object], ...]:
    """The options to try a panel with, the likely ones first."""
    base = dict(board.display)
    if base["bus"] == "i2c" and seen.answering and base["address"] not in seen.answering:
        base["address"] = seen.answering[0]
    elif base["bus"] == "i2c" and not seen.answering and seen.spi and board.name == "hand-wired":
        base = {"chip": base["chip"], "bus": "spi", "rotate": base["rotate"]}
    chips = (base["chip"], *(chip for chip in CHIPS if chip != base["chip"]))
    return tuple({**base, "chip": chip} for chip in chips)


def judge_board(board: BoardPreset | None, seen: BoardSeen) -> SetupCheck:
    """Whether the board that was chosen is there."""
    if board is None:
        return SetupCheck("board", "no board: the terminal is the display")
    bus = board.display["bus"]
    if bus == "i2c" and not seen.answering:
        why = seen.silence
        fix = why.check if why else "check the plug of the panel"
        return SetupCheck("board", f"{board.name}, but nothing answers on I2C", fix)
    if bus == "spi" and not seen.spi:
        says = f"{board.name}, but there is no SPI port"
        return SetupCheck("board", says, "enable it: sudo raspi-config nonint do_spi 0")
    return SetupCheck("board", board.name)


class Contact(Value):
    """Something that people can do to an input: `hears` is the name of the key that is then reported.

    `says` is what people call it, `path` its key in the configuration, `gpios` its pins (a knob has two).
    """

    hears: str
    says: str
    path: str
    gpios: tuple[int, ...]


class KeysSeen(Struct):
    """What the keys did. `listened` are the unassigned pins that are listened to, by the name they report.

    `came` are the keys that were pressed, `strays` the unassigned pins that changed. `troubles` are faults by
    the name in `Contact.hears`, empty for all of them; `over` are those that have ended.
    """

    contacts: Sequence[Contact]
    listened: Mapping[str, int] = {}
    came: set[str] = field(default_factory=set)
    strays: list[int] = field(default_factory=list)
    troubles: dict[str, DeviceFault] = field(default_factory=dict)
    over: set[str] = field(default_factory=set)

    @property
    def complete(self) -> bool:
        """Whether every key was pressed, and nothing is wrong with any."""
        return self.came >= {contact.hears for contact in self.contacts} and set(self.troubles) <= self.over

    def hear(self, message: Message) -> str:
        """Note a message of the keys; gives what to tell of it, if anything."""
        if isinstance(message, KeyPressed):
            return self._pressed(message.key.value, message.press.value)
        if isinstance(message, DeviceFault):
            return self._ill(message.device.partition("/")[2], message)
        if isinstance(message, DeviceRecovered):
            self.over.add(message.device.partition("/")[2])
        return ""

    def _pressed(self, name: str, press: str) -> str:
        for contact in self.contacts:
            if contact.hears == name:
                self.came.add(name)
                return f"{where(contact.gpios)}: {contact.says}, {press}"
        gpio = self.listened.get(name)
        if gpio is None or gpio in self.strays:
            return ""
        self.strays.append(gpio)
        return f"{where((gpio,))}: pressed, but no key is configured there"

    def _ill(self, name: str, trouble: DeviceFault) -> str:
        if name.startswith("encoder_"):
            name = "turn_left" if name == "encoder_a" else "turn_right"
        elif name in self.listened:
            return ""  # an unassigned pin may have any level
        self.troubles[name] = trouble
        self.over.discard(name)
        return f"!! {trouble.fault}\n     {trouble.check}"


def contacts(buttons: Mapping[str, Any]) -> tuple[Contact, ...]:
    """The inputs of keys that are wired like this; the second pin of a key is an input of its own."""
    spare = iter(_spare(buttons))
    found = [
        Contact(name, name.replace("_", " ").upper(), f"buttons.pins.{name}", (gpio,))
        for name, gpio in buttons.get("pins", {}).items()
    ]
    found += [
        Contact(next(spare), f"the second {name.upper()}", f"buttons.also_pins.{name}", (gpio,))
        for name, gpio in buttons.get("also_pins", {}).items()
    ]
    if "encoder_a" in buttons:
        pins = buttons["encoder_a"], buttons["encoder_b"]
        for name, side in (("turn_left", "left"), ("turn_right", "right")):
            found.append(Contact(name, f"the knob to the {side}", "buttons.encoder_a, encoder_b", pins))
    return tuple(found)


def listening(buttons: Mapping[str, Any], others: Iterable[object]) -> tuple[dict[str, Any], dict[str, int]]:
    """The options by which each pin is recognised, and the unassigned pins by the name they report.

    `others` are the options of the devices whose pins are not listened to.
    """
    wanted = contacts(buttons)
    heard = {contact.hears: contact.gpios[0] for contact in wanted if not contact.hears.startswith("turn_")}
    taken = {gpio for contact in wanted for gpio in contact.gpios}
    taken |= {claim.gpio for options in others for claim in claims("", options)}
    spare = [name for name in _spare(buttons) if name not in heard]
    strays = dict(zip(spare, (gpio for gpio in _FREE if gpio not in taken), strict=False))
    rest = {name: value for name, value in buttons.items() if name not in ("pins", "also_pins")}
    return {**rest, "pins": heard | strays}, strays


def where(gpios: Iterable[int]) -> str:
    """Pins as people look for them: "GPIO 26, header pin 37"."""
    return " and ".join(f"GPIO {gpio}, header pin {PIN_OF[gpio]}" for gpio in gpios)


def judge_keys(seen: KeysSeen) -> tuple[SetupCheck, ...]:
    """Each key that was not seen, was held or bounced, and each that was seen on an unassigned pin."""
    if "" in seen.troubles:
        return (device_fault("buttons", seen.troubles[""]),)
    never = [contact for contact in seen.contacts if contact.hears not in seen.came]
    found = [_stray(gpio, never) for gpio in seen.strays]
    if never == list(seen.contacts) and not seen.troubles:
        says = "no key was detected"
        fix = "check that the board sits on all forty pins and that the keys are connected to ground"
        return (*found, SetupCheck("buttons", says, fix))
    found += [finding for contact in seen.contacts for finding in _one(contact, seen)]
    if all(finding.ok for finding in found):
        says = f"all {len(seen.contacts)} of them were detected"
        found.append(SetupCheck("buttons", says))
    return tuple(found)


def _one(contact: Contact, seen: KeysSeen) -> list[SetupCheck]:
    trouble, path = seen.troubles.get(contact.hears), contact.path
    if trouble is not None and contact.hears not in seen.over:
        return [device_fault("buttons", trouble, path)]
    if contact.hears not in seen.came:
        pins = where(contact.gpios)
        says = f"{contact.says} was not detected ({pins})"
        if len(contact.gpios) > 1:
            fix = "check both of its wires, its ground, and that its + gets 3.3 V"
        else:
            pin = PIN_OF[contact.gpios[0]]
            fix = f"check that its wire is on header pin {pin} and its other side on ground"
        return [SetupCheck("buttons", says, fix, path)]
    if trouble is not None and trouble.noisy:
        says = f"{contact.says} was detected, but was noisy before: {trouble.fault}"
        return [SetupCheck("buttons", says, trouble.check, path)]
    return []


def _stray(gpio: int, never: list[Contact]) -> SetupCheck:
    says = f"a key press was detected on {where((gpio,))}, where no key is configured"
    single = [contact for contact in never if len(contact.gpios) == 1]
    if len(single) == 1:
        fix = (
            f"move that wire to header pin {PIN_OF[single[0].gpios[0]]} if it is "
            f"{single[0].says}, or write {single[0].path} = {gpio}"
        )
    else:
        fix = "move that wire to the pin of its key, as shown in docs/wiring.md"
    return SetupCheck("buttons", says, fix, f"GPIO {gpio}")


def _spare(buttons: Mapping[str, Any]) -> list[str]:
    return [key.value for key in OWN_KEYS if key.value not in buttons.get("pins", {})]


def differing(
    section: str, driver: str, options: Mapping[str, object], board: BoardPreset | None
) -> Mapping[str, object]:
    """The keys that a section needs: those that neither the board nor the driver's defaults have.

    Raises `HardwareError` where a library of the driver is not installed.
    """
    preset = preset_of(board).get(section, {}) if board is not None else {}
    if preset.get("driver") != driver:
        preset = {}
    usual: dict[str, Any] = {key.name: key.default for key in keys_of(options_of(section, driver))}
    said = {**usual, **preset}
    wanted = {name: value for name, value in options.items() if said.get(name) != value}
    named = preset.get("driver", DEFAULT_DRIVERS[section]) == driver
    return wanted if named and (preset or not wanted) else {"driver": driver, **wanted}


def without(section: str, board: BoardPreset | None) -> Mapping[str, object]:
    """What a section needs where the device is not there: the driver "none" if the board sets another one."""
    fitted = board is not None and section in preset_of(board)
    return {"driver": "none"} if fitted else {}
