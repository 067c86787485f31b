"""Tests of the image that need a tool of Debian are skipped where it is missing, and name its package."""

import pytest
from image.commands import missing

EPOCH = 1_790_000_000


def needs(*programs: str) -> pytest.MarkDecorator:
    packages = missing(programs)
    return pytest.mark.skipif(bool(packages), reason=f"not on this machine: apt install {' '.join(packages)}")
