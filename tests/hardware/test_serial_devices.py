"""Which serial devices a machine offers as a scanner, by its files alone."""

from pathlib import Path

from hardware.scanner.serial_ports import SerialDevice, serial_devices
from hardware.simulation.scanner_line import SimulatedUsbSerial


def test_a_device_is_listed_once_by_the_name_that_outlives_its_plug(tmp_path: Path) -> None:
    usb = SimulatedUsbSerial(tmp_path)
    for name in ("linked", "by id", "by usb", "of the header"):
        (tmp_path / name).touch()
    usb.plug("ttyACM0", str(tmp_path / "linked"), vendor=0x1111, product=0x2222)
    (tmp_path / "dev/nimmt-scanner").symlink_to("ttyACM0")
    usb.plug("ttyACM1", str(tmp_path / "by id"), vendor=0x3333, product=0x4444)
    by_id = tmp_path / "dev/serial/by-id/usb-Honeywell_1900-if00"
    by_id.parent.mkdir(parents=True)
    by_id.symlink_to("../../ttyACM1")
    usb.plug("ttyUSB0", str(tmp_path / "by usb"), vendor=0x10C4, product=0xEA60)
    (tmp_path / "dev/ttyAMA0").symlink_to(tmp_path / "of the header")
    assert serial_devices(tmp_path) == [
        SerialDevice(str(tmp_path / "dev/nimmt-scanner"), "the link of the udev rule"),
        SerialDevice(str(by_id), "Honeywell_1900-if00"),
        SerialDevice("usb:10c4:ea60", "ttyUSB0, 10c4:ea60"),
        SerialDevice(str(tmp_path / "dev/ttyAMA0"), "the pins of the header"),
    ]


def test_a_link_that_leads_nowhere_is_no_device(tmp_path: Path) -> None:
    (tmp_path / "dev").mkdir()
    (tmp_path / "dev/nimmt-scanner").symlink_to("ttyACM9")
    assert serial_devices(tmp_path) == []
