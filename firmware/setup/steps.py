"""The steps of the set-up as data: from the answers to the findings and the settings.

How the answers are got is in `questions` and `scanner_questions`; `config_file` makes the file of the
settings.

Each free pin of the header is listened to as well, under the name of a key that the board does not have: so a
wire on the wrong pin is found by pressing its key.
"""

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final

from companion.text.sentence import Text, say
from companion.values import Value
from firmware.config.configuration import DEFAULT_DRIVERS, options_of, preset_of
from firmware.config.keys import keys_of
from firmware.config.pins import claims
from firmware.paper.symbols import CodeKind
from firmware.paper.trial import SIZES_MM, Trial
from firmware.setup.answers import (
    Answers,
    BoardSeen,
    Contact,
    Finding,
    KeysSeen,
    PictureLook,
    device_fault,
)
from hardware.boards import PIN_OF, Board
from hardware.boards import board as board_named
from hardware.ports import OWN_KEYS

_FREE: Final = (4, 5, 6, 12, 13, *range(16, 28))
"""The pins without a fixed function: 2 and 3 are I2C, 14 and 15 serial, 7 to 11 SPI, 0 and 1 for HATs."""


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
    heard = {one.hears: one.gpios[0] for one in wanted if not one.hears.startswith("turn_")}
    taken = {gpio for one in wanted for gpio in one.gpios}
    taken |= {claim.gpio for one in others for claim in claims("", one)}
    spare = [name for name in _spare(buttons) if name not in heard]
    strays = dict(zip(spare, (gpio for gpio in _FREE if gpio not in taken), strict=False))
    rest = {name: value for name, value in buttons.items() if name not in ("pins", "also_pins")}
    return {**rest, "pins": heard | strays}, strays


def where(gpios: Iterable[int]) -> str:
    """Pins as people look for them: "GPIO 26, header pin 37"."""
    return " and ".join(f"GPIO {gpio}, header pin {PIN_OF[gpio]}" for gpio in gpios)


def judge_keys(answers: Answers) -> tuple[Finding, ...]:
    """Each key that was not seen, was held or bounced, and each that was seen on an unassigned pin."""
    seen = answers.keys
    if seen is None:
        return ()
    if not seen.there:
        return (Finding("buttons", ok=True, says=say("none")),)
    if "" in seen.troubles:
        return (device_fault("buttons", seen.troubles[""]),)
    never = [one for one in seen.contacts if one.hears not in seen.came]
    found = [_stray(gpio, never) for gpio in seen.strays]
    if never == list(seen.contacts) and not seen.troubles:
        says = say("no key was detected")
        fix = say("check that the board sits on all forty pins and that the keys are connected to ground")
        return (*found, Finding("buttons", ok=False, says=says, fix=fix))
    found += [finding for one in seen.contacts for finding in _one(one, seen)]
    if all(one.ok for one in found):
        count = len(seen.contacts)
        return (
            *found,
            Finding("buttons", ok=True, says=say("all {count} of them were detected", count=count)),
        )
    return tuple(found)


def _one(contact: Contact, seen: KeysSeen) -> list[Finding]:
    trouble, path = seen.troubles.get(contact.hears), contact.path
    if trouble is not None and contact.hears not in seen.over:
        return [device_fault("buttons", trouble, path)]
    if contact.hears not in seen.came:
        pins = where(contact.gpios)
        says = say("{key} was not detected ({pins})", key=contact.says, pins=pins)
        if len(contact.gpios) > 1:
            fix = say("check both of its wires, its ground, and that its + gets 3.3 V")
        else:
            pin = PIN_OF[contact.gpios[0]]
            fix = say("check that its wire is on header pin {pin} and its other side on ground", pin=pin)
        return [Finding("buttons", ok=False, says=says, fix=fix, part=path)]
    if trouble is not None and trouble.noisy:
        fix = say("{fix}", fix=trouble.fix)
        says = say("{key} was detected, but was noisy before: {fault}", key=contact.says, fault=trouble.fault)
        return [Finding("buttons", ok=False, says=says, fix=fix, part=path)]
    return []


def _stray(gpio: int, never: list[Contact]) -> Finding:
    says = say("a key press was detected on {pin}, where no key is configured", pin=where((gpio,)))
    single = [one for one in never if len(one.gpios) == 1]
    if len(single) == 1:
        fix = say(
            "move that wire to header pin {pin} if it is {key}, or write {path} = {gpio}",
            pin=PIN_OF[single[0].gpios[0]],
            key=single[0].says,
            path=single[0].path,
            gpio=gpio,
        )
    else:
        fix = say("move that wire to the pin of its key, as shown in docs/wiring.md")
    return Finding("buttons", ok=False, says=says, fix=fix, part=f"GPIO {gpio}")


def _spare(buttons: Mapping[str, Any]) -> list[str]:
    return [key.value for key in OWN_KEYS if key.value not in buttons.get("pins", {})]


CHIPS: Final = ("ssd1306", "ssd1309", "sh1106")


class Step(Value):
    """One question. `section` is the part of the configuration that it decides, "board" for the first line.

    `judge` gives the findings, `settings` the values to write: none if the defaults are right.
    """

    section: str
    title: Text
    judge: Callable[[Answers], tuple[Finding, ...]]
    settings: Callable[[Answers], Mapping[str, object]]


# ------------------------------------------------------------------------------------------- the board


def guess(seen: BoardSeen) -> Board | None:
    """The likely board for these answers; a panel on SPI never answers, so it comes last."""
    for address, name in ((0x3C, "adafruit-bonnet"), (0x3D, "hand-wired")):
        if address in seen.answering:
            return board_named(name)
    return board_named("waveshare-1.3") if seen.spi else None


def panels(seen: BoardSeen) -> tuple[Mapping[str, object], ...]:
    """The options to try a panel with, the likely ones first; none if there is no board."""
    if seen.chosen is None:
        return ()
    base = dict(seen.chosen.display)
    if base["bus"] == "i2c" and seen.answering and base["address"] not in seen.answering:
        base["address"] = seen.answering[0]
    elif base["bus"] == "i2c" and not seen.answering and seen.spi and seen.chosen.name == "hand-wired":
        base = {"chip": base["chip"], "bus": "spi", "rotate": base["rotate"]}
    chips = (base["chip"], *(chip for chip in CHIPS if chip != base["chip"]))
    return tuple({**base, "chip": chip} for chip in chips)


def _judge_board(answers: Answers) -> tuple[Finding, ...]:
    seen = answers.board
    if seen.chosen is None:
        return (Finding("board", ok=True, says=say("no board: the terminal is the display")),)
    bus = seen.chosen.display["bus"]
    if bus == "i2c" and not seen.answering:
        why = seen.silence
        fix = say("{fix}", fix=why.fix) if why else say("check the plug of the panel")
        says = say("{board}, but nothing answers on I2C", board=seen.chosen.name)
        return (Finding("board", ok=False, says=says, fix=fix),)
    if bus == "spi" and not seen.spi:
        says = say("{board}, but there is no SPI port", board=seen.chosen.name)
        fix = say("enable it: sudo raspi-config nonint do_spi 0")
        return (Finding("board", ok=False, says=says, fix=fix),)
    return (Finding("board", ok=True, says=say("{board}", board=seen.chosen.name)),)


def _board_settings(answers: Answers) -> Mapping[str, object]:
    return {"board": answers.board.chosen.name} if answers.board.chosen else {}


# ------------------------------------------------------------------------------------------- the display


def _judge_display(answers: Answers) -> tuple[Finding, ...]:
    if answers.board.chosen is None:
        return ()
    right = _shown(answers)
    if right is not None:
        says = say("the picture is correct with the controller {chip}", chip=right["chip"])
        return (Finding("display", ok=True, says=says),)
    trouble = next((one.trouble for one in answers.display if one.trouble is not None), None)
    if trouble is not None:
        return (device_fault("display", trouble),)
    tried = say("{chips}", chips=", ".join(str(one.options["chip"]) for one in answers.display))
    return (
        Finding(
            "display",
            ok=False,
            says=say("the picture was not seen with any of {chips}", chips=tried),
            fix=say(
                "check the panel's power supply and its RES wire; the shop's description names the controller"
            ),
        ),
    )


def _display_settings(answers: Answers) -> Mapping[str, object]:
    right = _shown(answers)
    return {} if right is None else differing("display", "oled", right, answers.board.chosen)


def _shown(answers: Answers) -> Mapping[str, object] | None:
    """The options with which the person saw the picture, with the right rotation."""
    for one in answers.display:
        if one.look is PictureLook.RIGHT:
            return one.options
        if one.look is PictureLook.UPSIDE_DOWN:
            return {**one.options, "rotate": (int(str(one.options.get("rotate", 0))) + 2) % 4}
    return None


# ------------------------------------------------------------------------------------------- keys, buzzer


def _keys_settings(answers: Answers) -> Mapping[str, object]:
    without = answers.keys is not None and not answers.keys.there
    return {"driver": "none"} if without and _fitted(answers, "buttons") else {}


def _judge_buzzer(answers: Answers) -> tuple[Finding, ...]:
    seen = answers.buzzer
    if seen is None:
        return ()
    if not seen.there:
        return (Finding("buzzer", ok=True, says=say("none: every signal is also shown on the display")),)
    if seen.heard:
        says = say("heard on GPIO {pin} ({kind})", pin=seen.options["pin"], kind=seen.options["kind"])
        return (Finding("buzzer", ok=True, says=says),)
    if seen.trouble is not None:
        return (device_fault("buzzer", seen.trouble),)
    says = say("nothing was heard on GPIO {pin}", pin=seen.options["pin"])
    fix = say(
        "check its two wires; swap them if it is marked +; a buzzer that draws much current needs a "
        "transistor"
    )
    return (Finding("buzzer", ok=False, says=says, fix=fix),)


def _buzzer_settings(answers: Answers) -> Mapping[str, object]:
    seen = answers.buzzer
    if seen is None or not seen.there:
        return {"driver": "none"} if _fitted(answers, "buzzer") else {}
    return differing("buzzer", "gpio", seen.options, answers.board.chosen)


# ------------------------------------------------------------------------------------------- the scanner


def order(read: tuple[Trial, ...]) -> str:
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


def _judge_scanner(answers: Answers) -> tuple[Finding, ...]:
    seen = answers.scanner
    if seen is None:
        return ()
    if not seen.there:
        return (Finding("scanner", ok=True, says=say("none: cards are typed")),)
    if not seen.driver:
        troubles = tuple(device_fault("scanner", one) for one in seen.troubles)
        return troubles or (_no_scanner(seen.listed),)
    found = Finding("scanner", ok=True, says=say("{says}", says=seen.says))
    return (found, _judge_trial(seen.read, seen.foreign))


def _no_scanner(listed: int) -> Finding:
    if listed:
        says = say("no scanner answered, and no code was received")
        fix = say("scan the code for “USB serial” in its manual, plug it in again, and repeat the setup")
    else:
        says = say("no scanner is plugged in")
        fix = say(
            "plug it in; a scanner on the GPIO pins needs the serial port: sudo raspi-config, Serial "
            "Port: no, yes"
        )
    return Finding("scanner", ok=False, says=says, fix=fix)


def _judge_trial(read: tuple[Trial, ...], foreign: tuple[str, ...]) -> Finding:
    if read:
        sizes = {kind: sorted({one.module_mm for one in read if one.code is kind}) for kind in CodeKind}
        kinds = tuple(
            say("{title} {sizes} mm", title=kind.title, sizes="/".join(f"{size:.2f}" for size in found))
            for kind, found in sizes.items()
            if found
        )
        says = say("it reads {kinds}; print with: {order}", kinds=kinds, order=order(read))
        return Finding("scanner", ok=True, part="test page", says=says)
    if foreign:
        says = say("{count} codes were received, none from the test page", count=len(foreign))
        fix = say("print it with `nimmt print test-page` at 100 %, and begin with the largest codes")
        return Finding("scanner", ok=False, part="test page", says=says, fix=fix)
    says = say("the test page was not scanned; `nimmt print test-page` creates it")
    return Finding("scanner", ok=True, part="test page", says=says)


def _scanner_settings(answers: Answers) -> Mapping[str, object]:
    seen = answers.scanner
    if seen is None or not seen.driver:
        return {}
    return differing("scanner", seen.driver, seen.options, answers.board.chosen)


# ------------------------------------------------------------------------------------------- settings


def differing(
    section: str, driver: str, options: Mapping[str, object], board: Board | None
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


def _fitted(answers: Answers, section: str) -> bool:
    return answers.board.chosen is not None and section in preset_of(answers.board.chosen)


STEPS: Final = (
    Step("board", say("What is connected to the pins?"), _judge_board, _board_settings),
    Step("display", say("The display"), _judge_display, _display_settings),
    Step("buttons", say("The keys"), judge_keys, _keys_settings),
    Step("scanner", say("The scanner"), _judge_scanner, _scanner_settings),
    Step("buzzer", say("The buzzer"), _judge_buzzer, _buzzer_settings),
)
"""In the order of the questions."""


def findings(answers: Answers) -> tuple[Finding, ...]:
    """All findings, in the order of the steps."""
    return tuple(one for step in STEPS for one in step.judge(answers))


def tables(answers: Answers) -> dict[str, object]:
    """The configuration from these answers: `board`, and the sections that are not empty."""
    made: dict[str, object] = {}
    for step in STEPS:
        settings = step.settings(answers)
        if step.section == "board":
            made.update(settings)
        elif settings:
            made[step.section] = dict(settings)
    return made
