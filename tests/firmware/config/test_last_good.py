"""A broken configuration file does not stop the table."""

import re
from pathlib import Path

import pytest

from firmware.config import configuration
from firmware.config.keys import ConfigError

DOCS = Path(__file__).parents[3] / "docs"


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "nimmt.toml"


@pytest.fixture
def store(tmp_path: Path) -> Path:
    return tmp_path / "state" / "last-good.toml"


def test_a_file_that_works_is_kept_and_one_that_is_broken_or_gone_does_not_stop_the_table(
    file: Path, store: Path
) -> None:
    file.write_text('[table]\nnames = ["Ana"]\n')
    read, error = configuration.load_or_last_good(file, store)
    assert (read.table.names, error) == (("Ana",), None)
    good, inode = store.read_bytes(), store.stat().st_ino
    assert good == file.read_bytes()
    assert [path.name for path in store.parent.iterdir()] == ["last-good.toml"]
    configuration.load_or_last_good(file, store)
    assert store.stat().st_ino == inode  # the card is not written when nothing has changed
    file.write_text('[tabel]\nnames = ["Bo"]\n')
    read, error = configuration.load_or_last_good(file, store)
    assert read.table.names == ("Ana",)
    assert error is not None
    assert [problem.path for problem in error.problems] == ["tabel"]
    file.unlink()
    read, error = configuration.load_or_last_good(file, store)
    assert read.table.names == ("Ana",)
    assert error is not None
    assert store.read_bytes() == good


@pytest.mark.parametrize("kept", [None, "[tabel]\n"])
def test_without_a_usable_copy_the_faults_of_the_file_are_told(
    file: Path, store: Path, kept: str | None
) -> None:
    file.write_text("[screen]\ndim_after_s = -1\n")
    if kept is not None:
        store.parent.mkdir()
        store.write_text(kept)
    with pytest.raises(ConfigError, match=re.escape("screen.dim_after_s")):
        configuration.load_or_last_good(file, store)


def test_a_copy_that_cannot_be_written_does_not_stop_the_table(
    file: Path, store: Path, caplog: pytest.LogCaptureFixture
) -> None:
    file.write_text('[table]\nnames = ["Ana"]\n')
    store.parent.write_text("a file where the folder should be")
    read, error = configuration.load_or_last_good(file, store)
    assert (read.table.names, error) == (("Ana",), None)
    assert "no copy of it could be saved" in caplog.text
