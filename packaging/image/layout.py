"""What the card looks like: names, sizes and identities. The same values are in the box's own program."""

from pathlib import Path
from typing import Final

HERE: Final = Path(__file__).parent
SUITE: Final = "trixie"
ARCH: Final = "arm64"

MIB: Final = 1 << 20
SECTOR: Final = 512
START: Final = MIB
"""Where the first partition begins."""
BOOT_SIZE: Final = 512 * MIB
"""Two slots of at most 200 MB each, the firmware, and room for the next years."""
DATA_SIZE: Final = 256 * MIB
"""The box complains below 100 MB; it takes the rest of the card at its first start."""

# Fixed, so that the same parts give the same bytes. Cards differ in their machine-id, from the first start.
BOOT_LABEL: Final = "NIMMT"
BOOT_ID: Final = 0x6E696D74
DATA_LABEL: Final = "nimmt-data"
DATA_UUID: Final = "6e696d6d-7400-4000-8000-000000000001"
DATA_HASH_SEED: Final = "6e696d6d-7400-4000-8000-000000000002"
DISK_ID: Final = 0x6E696D74

SLOT_FILES: Final = ("cmdline", "initrd", "kernel", "root.sfs")
"""What a slot needs to start. An update brings the same files."""

ENVIRONMENT_BYTES: Final = 0x4000
"""CONFIG_ENV_SIZE of Debian's U-Boot for the Raspberry Pi."""

TREES: Final = (
    "bcm2837-rpi-3-a-plus",
    "bcm2837-rpi-3-b",
    "bcm2837-rpi-3-b-plus",
    "bcm2837-rpi-cm3-io3",
    "bcm2837-rpi-zero-2-w",
    "bcm2711-rpi-4-b",
    "bcm2711-rpi-400",
    "bcm2711-rpi-cm4-io",
)
"""The device trees of the boards that Debian's kernel starts from a card."""

OVERLAYS: Final = ("nimmt-card", "nimmt-i2c", "nimmt-spi", "nimmt-uart")

ADDRESSES: Final = {
    "SCRIPT": "2400000",
    "ENVIRONMENT": "2600000",
    "KERNEL": "4000000",
    "INITRD": "a000000",
    "UNPACKED": "10000000",
    "UNPACKED_SIZE": "4000000",
}
"""Where U-Boot puts things, in hexadecimal without 0x, by the names that its script has for them.

Not its usual places: there an unpacked kernel of 38 MB reaches into script and initrd. A Zero 2 W has 436 MB
for them, and QEMU lays its device tree to 0x8000000.
"""
