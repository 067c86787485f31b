"""Which version is older: as Debian says, whose packages the box is made of."""

from itertools import pairwise

from firmware.flashed.versions import is_older

RISING = (
    "0.1.0",
    "0.9.0",
    "0.9.1",
    "0.10.0~dev1",
    "0.10.0~rc1",
    "0.10.0~rc2",
    "0.10.0~rc10",
    "0.10.0",
    "0.10.0a",
    "0.10.0+deb1",
    "0.10.0.1",
    "1.0~~",
    "1.0~",
    "1.0",
    "2.0.0",
    "10.0.0",
)


def test_versions_rise_and_none_is_older_than_itself() -> None:
    for older, newer in pairwise(RISING):
        assert is_older(older, newer), (older, newer)
        assert not is_older(newer, older)
    assert not is_older("1.0", "1.00")
    assert not is_older("1.00", "1.0")
