"""A browser that the tests of a worker share: a start of it takes seconds."""

from collections.abc import Iterator

import pytest

from tests.network.web.browser import Browser, browser


@pytest.fixture(scope="session")
def _chromium() -> Iterator[Browser]:
    with browser() as made:
        yield made


@pytest.fixture
def chromium(_chromium: Browser) -> Iterator[Browser]:
    """A browser with one empty tab that knows nothing of other tests."""
    yield _chromium
    _chromium.leave()
