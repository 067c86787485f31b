"""Which device a configured port means, which a machine offers: pyserial over a simulated /dev and /sys."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from serial.tools.list_ports import comports

from hardware.drivers.serial_scanner import SerialScanner
from hardware.errors import HardwareError
from hardware.ports import DeviceFault, DeviceRecovered
from hardware.scanner.serial_line import AUTO, LINK, device_file
from hardware.simulation.scanner_line import ScannerLine, SimulatedUsbSerial
from tests.hardware.device_setup import SOON_S, Letters


@pytest.fixture
def usb(tmp_path: Path) -> Iterator[SimulatedUsbSerial]:
    with SimulatedUsbSerial(tmp_path / "machine") as usb:
        yield usb


def test_a_path_is_taken_as_it_is() -> None:
    by_id = "/dev/serial/by-id/usb-Honeywell_1900-if00"
    assert device_file(by_id, comports) == by_id


def test_a_usb_id_is_found_whatever_number_the_kernel_gave(
    usb: SimulatedUsbSerial, line: ScannerLine
) -> None:
    usb.plug("ttyUSB0", line.path, vendor=0x10C4, product=0xEA60)
    place = usb.plug("ttyACM3", line.path, vendor=0x6666, product=0x7777)
    assert device_file("usb:6666:7777", comports) == place
    assert device_file("USB:6666:7777", comports) == place
    usb.unplug("ttyACM3")
    with pytest.raises(HardwareError, match="no USB serial device 6666:7777") as caught:
        device_file("usb:6666:7777", comports)
    assert "lsusb" in caught.value.check


def test_the_only_usb_serial_device_is_the_scanner(
    usb: SimulatedUsbSerial, line: ScannerLine, tmp_path: Path
) -> None:
    nowhere = str(tmp_path / "no-link")
    with pytest.raises(HardwareError, match="no USB serial device is plugged in"):
        device_file(AUTO, comports, nowhere)
    place = usb.plug("ttyACM0", line.path, vendor=0x6666, product=0x7777)
    assert device_file(AUTO, comports, nowhere) == place


def test_of_two_usb_serial_devices_none_is_guessed(
    usb: SimulatedUsbSerial, line: ScannerLine, tmp_path: Path
) -> None:
    usb.plug("ttyACM0", line.path, vendor=0x6666, product=0x7777, text="Virtual COM")
    usb.plug("ttyUSB0", line.path, vendor=0x10C4, product=0xEA60, text="CP2102")
    with pytest.raises(HardwareError, match=r"usb:10c4:ea60 .*, usb:6666:7777 "):
        device_file(AUTO, comports, str(tmp_path / "no-link"))
    assert device_file(AUTO, comports, line.path) == line.path
    scanner = usb.plug("ttyACM7", line.path, vendor=0x1A86, product=0x7523, text="QR Barcode Reader")
    assert {device_file(port, comports, str(tmp_path / "no-link")) for port in (AUTO, LINK)} == {scanner}


@pytest.mark.parametrize("port", ["", "usb:", "usb:66:77", "usb:6666", "usb:6666:7777:1", "USB:zzzz:7777"])
def test_a_port_that_cannot_be_meant_is_told_before_anything_is_opened(port: str) -> None:
    with pytest.raises(ValueError, match="port"):
        SerialScanner.Options(port=port)


def test_a_usb_scanner_is_found_again_under_another_number(
    usb: SimulatedUsbSerial, line: ScannerLine
) -> None:
    usb.plug("ttyACM0", line.path, vendor=0x6666, product=0x7777)
    letters = Letters()
    scanner = SerialScanner(SerialScanner.Options(port="usb:6666:7777"))
    scanner.start(letters.post)
    assert scanner.wait_listening(SOON_S)
    line.unplug()
    usb.unplug("ttyACM0")
    assert letters.next(DeviceFault).fault == "no USB serial device 6666:7777 is plugged in"
    assert letters.nothing()
    line.plug()
    usb.plug("ttyACM1", line.path, vendor=0x6666, product=0x7777)
    letters.next(DeviceRecovered)
    line.scan("42")
    assert letters.texts(1) == ["42"]
    scanner.close()
