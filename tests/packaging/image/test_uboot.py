"""What U-Boot reads: its variables, and the choice of a slot, run here by a shell with U-Boot's commands."""

import binascii
import subprocess
from itertools import pairwise
from pathlib import Path

import pytest
from image import uboot
from image.layout import ADDRESSES, ENVIRONMENT_BYTES, SLOT_FILES

from firmware.flashed import uboot_env
from tests.packaging.image.debian_tools import EPOCH, needs

# U-Boot has a small sh. Its commands do here what they do there, with a folder as the card; a kernel or
# an initrd with the content "bad" is one that cannot be read.
COMMANDS = """\
setenv() { name=$1; shift; eval "$name=\\$*"; }
test() { if [ "$1" = -e ]; then [ -e "$CARD/$4" ]; else [ "$@" ]; fi; }
load() {
    [ -s "$CARD/$4" ] && [ "$(cat "$CARD/$4")" != bad ] || return 1
    filesize=$(wc -c <"$CARD/$4"); loaded=$CARD/$4
}
env() {
    case $1 in
        import) setenv "$(cut -d= -f1 <"$loaded")" "$(cut -d= -f2- <"$loaded")" ;;
        export)
            shift 5
            for one; do eval "value=\\$$one"; [ -z "$value" ] || echo "$one=$value"; done >"$CARD/export"
            ;;
    esac
}
fatwrite() { [ -z "$FULL" ] && mv "$CARD/export" "$CARD/$4"; }
fatrm() { rm "$CARD/$3"; }
booti() { [ "$(cat "$loaded")" != unbootable ] || return 1; echo "STARTED $bootargs"; exit 0; }
sleep() { :; }
reset() { echo RESET; exit 0; }
"""


@pytest.fixture
def card(tmp_path: Path) -> Path:
    """A card with two whole slots."""
    for slot in ("a", "b"):
        (tmp_path / slot).mkdir()
        for name in SLOT_FILES:
            (tmp_path / slot / name).write_text(
                "nimmt_cmdline=quiet panic=10\n" if name == "cmdline" else name
            )
    return tmp_path


def started(card: Path, tried: str = "", slot: str = "a", **variables: str) -> str:
    """The slot that our script starts with these variables, or "reset"."""
    given = {"nimmt_slot": slot, "nimmt_try": tried, "CARD": str(card), "FULL": "", **variables}
    given |= {"bootcmd": "start", "bootdelay": "-2"}
    done = subprocess.run(
        ["sh", "-u", "-c", COMMANDS + "devnum= nimmt_args= fdt_addr=0 filesize=\n" + uboot.script()],
        env={"PATH": "/usr/bin:/bin", **given},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    last = done.stdout.splitlines()[-1]
    if last == "RESET":
        return "reset"
    assert last.startswith("STARTED quiet panic=10 nimmt.slot=")
    return last.split("nimmt.slot=")[1].strip()


def kept(card: Path) -> dict[str, str]:
    """The variables that the script has written to the card."""
    file = card / "uboot.env"
    return dict(line.split("=", 1) for line in file.read_text().splitlines()) if file.exists() else {}


def test_a_trial_is_forgotten_before_it_starts(card: Path) -> None:
    assert started(card, tried="b") == "b"
    assert kept(card) == {"bootcmd": "start", "bootdelay": "-2", "nimmt_slot": "a"}


def test_a_trial_that_cannot_be_forgotten_is_not_made(card: Path) -> None:
    assert started(card, tried="b", FULL="yes") == "a"


@pytest.mark.parametrize("name", SLOT_FILES)
def test_a_slot_that_is_not_whole_is_passed_over(card: Path, name: str) -> None:
    (card / "b" / name).unlink()
    assert started(card, tried="b") == "a"
    assert started(card, slot="b") == "a"


def test_two_marks_may_be_wrong_so_both_are_tried_again(card: Path) -> None:
    for slot in ("a", "b"):
        (card / slot / "broken").write_text("its root cannot be mounted\n")
    assert started(card, slot="b") == "reset"
    assert started(card, slot="b") == "b"


def test_a_lost_uboot_env_starts_the_first_slot(card: Path) -> None:
    assert started(card, slot="") == "a"


def test_nothing_is_loaded_over_something_else() -> None:
    mib = 1 << 20
    sizes = {  # what may be there at most
        "script": mib,
        "environment": mib,
        "kernel": 64 * mib,
        "initrd": 32 * mib,
        "unpacked": int(ADDRESSES["UNPACKED_SIZE"], 16),
    }
    places = [(int(ADDRESSES[name.upper()], 16), size) for name, size in sizes.items()]
    qemu_tree = 0x8000000
    places = sorted([*places, (qemu_tree, mib)])
    for (start, size), (following, _) in pairwise(places):
        assert start + size <= following
    assert sum(places[-1]) <= 436 * mib  # a Zero 2 W


def test_a_new_card_starts_our_script_from_its_first_slot() -> None:
    content = uboot.environment()
    assert len(content) == ENVIRONMENT_BYTES
    assert int.from_bytes(content[:4], "little") == binascii.crc32(content[4:])
    found = uboot_env.parsed(content, uboot_env.NAME)
    assert found == uboot.VARIABLES
    assert found["bootdelay"] == "-2"  # nothing on the serial line can stop it
    assert "boot.scr" in found["bootcmd"]
    assert found["nimmt_slot"] == "a"
    assert "nimmt_try" not in found


@needs("mkimage")
def test_the_compiled_script_is_the_same_every_time(tmp_path: Path) -> None:
    made = uboot.boot_script(tmp_path, EPOCH)
    assert made == uboot.boot_script(tmp_path, EPOCH)
    assert made[:4] == b"\x27\x05\x19\x56"
    assert uboot.script().encode() in made
