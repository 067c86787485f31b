"""Which devices the udev rules of the package change."""

import re
from fnmatch import fnmatchcase
from pathlib import Path

import pytest

RULES = (Path(__file__).parents[2] / "systemd/table/usr/lib/udev/rules.d/70-nimmt.rules").read_text()
KEY = re.compile(r'([A-Z]+(?:\{[^}]+\})?)(==|!=|\+=|=)"([^"]*)"')
SCANNERS = {"USB Barcode Scanner": "1a86", "EM2096": "1eab", "2D IMAGER": "26f1", "QR Code Reader": "ffff"}
OTHERS = {"Zigbee 3.0": "10c4", "Arduino Uno": "2341", "HUAWEI Mobile": "12d1", "GNSS Receiver": "1546"}
OTHERS |= {"USB Serial": "1a86", "Kobo eReader": "2237", "Smart Card Reader": "04e6"}


def ruled(facts: dict[str, str]) -> set[str]:
    """What the rules give a device with these facts."""
    after = dict(facts)
    for keys in map(KEY.findall, re.findall("(?m)^[^#].*", RULES)):
        asked = [(after.get(key, ""), sign, value) for key, sign, value in keys if sign in ("==", "!=")]
        if all(
            any(fnmatchcase(of, one) for one in of_.split("|")) is (sign == "==") for of, sign, of_ in asked
        ):
            after |= {key: value for key, sign, value in keys if sign in ("=", "+=")}
    return set(after) - set(facts)


@pytest.mark.parametrize(("product", "vendor"), [*SCANNERS.items(), *OTHERS.items()])
def test_only_a_scanner_gets_its_name_and_is_kept_from_modem_manager(product: str, vendor: str) -> None:
    usb = {"SUBSYSTEM": "usb", "SUBSYSTEMS": "usb", "ATTRS{idVendor}": vendor, "ATTRS{product}": product}
    kept = {"ENV{nimmt_scanner}", "ENV{ID_MM_DEVICE_IGNORE}", "ENV{MTP_NO_PROBE}"}
    tty = usb | {"SUBSYSTEM": "tty", "KERNEL": "ttyACM0"}
    assert ruled(usb) == (kept if product in SCANNERS else set())
    assert ruled(tty) == (kept | {"SYMLINK"} if product in SCANNERS else set())
    assert "SYMLINK" in ruled(tty | {"ENV{nimmt_scanner}": "1"})  # it was chosen
