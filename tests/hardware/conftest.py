import pytest

from tests.hardware.device_setup import Letters


@pytest.fixture
def letters() -> Letters:
    return Letters()
