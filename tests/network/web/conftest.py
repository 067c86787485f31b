"""A table with its page, and a browser."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.network.web.browser import Browser, browser
from tests.network.web.served import QUICK, Served, served


@pytest.fixture
def at(tmp_path: Path) -> Iterator[Served]:
    with served(tmp_path, table=QUICK) as made:
        yield made


@pytest.fixture
def chromium() -> Iterator[Browser]:
    with browser() as made:
        yield made
