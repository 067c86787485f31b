from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.network.hub.at_hub import AtHub, at_hub


@pytest.fixture
def hub(tmp_path: Path) -> Iterator[AtHub]:
    made = at_hub(tmp_path)
    yield made
    made.store.close()
