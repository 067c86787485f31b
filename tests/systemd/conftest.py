from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.systemd.box import Box, box


@pytest.fixture
def at(tmp_path: Path) -> Iterator[Box]:
    with box(tmp_path) as made:
        yield made
