"""What the tests of played matches share."""

import pytest

from tests.firmware.past_evenings import Evenings


@pytest.fixture(scope="module")
def evenings(tmp_path_factory: pytest.TempPathFactory) -> Evenings:
    """Every stored match, for tests that change nothing."""
    return Evenings(tmp_path_factory.mktemp("evenings"))
