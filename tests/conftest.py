"""How every test runs: nobody waits for a fast machine, and a build server repeats its examples."""

from __future__ import annotations

import os
import signal
from typing import TYPE_CHECKING

from hypothesis import HealthCheck, settings

if TYPE_CHECKING:
    import pytest

# A shared machine may be slow at any moment; how fast the product is, is measured by `make bench`.
settings.register_profile("house", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("server", settings.get_profile("house"), derandomize=True, database=None)
settings.load_profile("server" if os.environ.get("CI") else "house")

# What a script starts in the background ignores Ctrl-C and hands that on to all that it starts itself (POSIX,
# "Signals and Error Handling" of the shell): the programs of the tests would not hear it.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_addoption(parser: pytest.Parser) -> None:
    """`--rewrite-pictures` makes the screens' stored pictures anew; look at them before they are kept."""
    parser.addoption("--rewrite-pictures", action="store_true", help="make tests/pictures anew")
