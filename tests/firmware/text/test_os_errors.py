"""What the operating system says is told in the language of people."""

import errno
import os
from pathlib import Path

import pytest

from firmware.bounded_file import read_bounded
from firmware.text.os_errors import reason_of


def test_a_reason_that_is_not_known_is_told_as_the_system_does() -> None:
    assert str(reason_of(OSError(errno.EXDEV, os.strerror(errno.EXDEV)))) == os.strerror(errno.EXDEV)
    assert str(reason_of(OSError("odd"))) == "odd"


def test_what_is_no_file_of_this_size_is_told(tmp_path: Path) -> None:
    long, pipe = tmp_path / "long", tmp_path / "pipe"
    long.write_bytes(bytes(3000))
    os.mkfifo(pipe)
    for path, said in (
        (long, "it is larger than 2 kB"),
        (pipe, "it is not a file"),
        (tmp_path, "it is a folder"),
        (tmp_path / "a\0b", "that is not a path"),
        (long / "in it", "a part of its path is not a folder"),
    ):
        with pytest.raises(OSError, match=r".") as caught:
            read_bounded(path, 2000)
        assert str(reason_of(caught.value)) == said
    link = tmp_path / "link"
    link.symlink_to(long)
    with pytest.raises(OSError, match="it is a link"):
        read_bounded(link, 3000, follow=False)
    assert read_bounded(link, 3000) == bytes(3000)
