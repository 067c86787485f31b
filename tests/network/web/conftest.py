"""The application of the page, and a table with its page."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from network.web.application import application
from network.web.site import SiteSetup, TableSite
from tests.network.web.served import QUICK, Served, served

if TYPE_CHECKING:
    from starlette.types import ASGIApp


@pytest.fixture
def app(tmp_path: Path) -> ASGIApp:
    """The application without a table; it may be called `table.example`."""
    setting = SiteSetup(
        tmp_path / "t.sock", tmp_path / "j.sqlite", tmp_path / "phones.json", ("table.example",)
    )
    return application(TableSite(setting))


@pytest.fixture
def at(tmp_path: Path) -> Iterator[Served]:
    with served(tmp_path, table=QUICK) as made:
        yield made
