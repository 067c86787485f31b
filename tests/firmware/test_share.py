"""The result as a code on the display: read back from the pixels, as a phone does."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
import zxingcpp

from firmware.config.configuration import load
from firmware.scripted.gallery import SCREENS
from tests.firmware.evening import device

if TYPE_CHECKING:
    from pathlib import Path

    from PIL.Image import Image

    from firmware.config.sections import TableOptions

WON = SCREENS["match-end"]


def table_of(*names: str) -> TableOptions:
    """The usual table with players of these names."""
    return replace(load(None).table, names=names)


def read(picture: Image) -> str:
    """What a camera in front of the display reads."""
    large = picture.convert("L").resize((128 * 6, 64 * 6))
    (found,) = zxingcpp.read_barcodes(large)
    return found.text


def test_a_phone_reads_the_result_from_the_display(tmp_path: Path) -> None:
    with device(tmp_path, WON + "R1") as at:
        assert read(at.runtime.app.picture()) == "6 NIMMT 0 P1 0 P2 0 P4 5 P3"
        at.people("OK")
        assert at.page == "match_end"


@pytest.mark.parametrize("name", ["ALEXAND", "آناهیتا"])
def test_a_phone_reads_the_result_of_ten_players_whatever_they_are_called(tmp_path: Path, name: str) -> None:
    everybody = " ".join(f"b{badge}" for badge in range(1, 11))
    script = f"R1 {everybody} OK R3 " + "12 37 43 58 :6NC-NEXT OK " * 3
    with device(tmp_path, script, table=table_of(*(f"{name}{badge}" for badge in range(10)))) as at:
        assert at.page == "match_end"
        at.people("R1")
        assert read(at.runtime.app.picture()).startswith(f"6 NIMMT 0 {name}0 0 {name}1")


def test_names_too_long_for_the_display_give_way_to_badges(tmp_path: Path) -> None:
    with device(tmp_path, WON + "R1", table=table_of(*("ش" * many for many in (40, 41, 42, 43)))) as at:
        assert read(at.runtime.app.picture()) == "6 NIMMT 0 P1 0 P2 0 P4 5 P3"
