"""What U-Boot reads: its variables, and the script that chooses a slot."""

from pathlib import Path
from typing import Final

from firmware.flashed import uboot_env
from image.commands import run
from image.layout import ADDRESSES, ENVIRONMENT_BYTES, HERE

SCRIPT: Final = HERE / "boot/boot.cmd"
VARIABLES: Final = {
    # Whichever number this board gives to its card. -2: nothing on the serial line stops it.
    "bootcmd": (
        "for devnum in 0 1; do "
        f"if load mmc ${{devnum}}:1 {ADDRESSES['SCRIPT']} boot.scr; "
        f"then source {ADDRESSES['SCRIPT']}; fi; done; reset"
    ),
    "bootdelay": "-2",
    "nimmt_slot": "a",
}
"""An own uboot.env replaces all variables of U-Boot, so it has to hold what starts our script."""


def environment() -> bytes:
    return uboot_env.written(dict(sorted(VARIABLES.items())), ENVIRONMENT_BYTES)


def script() -> str:
    """The text of our script, with the addresses in it."""
    text = SCRIPT.read_text()
    for name, value in {**ADDRESSES, "ENVIRONMENT_BYTES": f"{ENVIRONMENT_BYTES:x}"}.items():
        text = text.replace(f"@{name}@", value)
    return text


def boot_script(work: Path, epoch: int) -> bytes:
    """The content of boot.scr; `work` is a folder for the time being."""
    source, made = work / "boot.cmd", work / "boot.scr"
    source.write_text(script())
    kind = ("-A", "arm64", "-T", "script", "-C", "none", "-n", "nimmt")
    run("mkimage", *kind, "-d", source, made, epoch=epoch)
    return made.read_bytes()
