from collections.abc import Iterator
from pathlib import Path

import pytest

from hardware.simulation.scanner_line import ScannerLine
from tests.hardware.device_setup import Letters


@pytest.fixture
def letters() -> Letters:
    return Letters()


@pytest.fixture
def line(tmp_path: Path) -> Iterator[ScannerLine]:
    line = ScannerLine(tmp_path)
    yield line
    line.close()
