"""The result as a code on the display: read back from the pixels, as a phone does."""

import re
from pathlib import Path
from random import Random

import pytest
import zxingcpp
from msgspec.structs import replace
from PIL import Image, ImageDraw, ImageFilter, ImageOps

from firmware.config.configuration import load
from firmware.config.sections import ScreenOptions, TableOptions
from firmware.extensions.phones.table import ListPhones
from tests.examples import TIMES
from tests.firmware.evening import Device, device
from tests.gallery.pictures import SCREENS

WON = SCREENS["match-end"]
PIXELS = {"2.42 inches at 20 cm": 9, "1.3 inches at 16 cm": 6}
"""Pixels of the camera for one of a panel: 55 mm of glass at 20 cm are 1152 pixels, 30 mm at 16 cm 768.

At 20 cm the largest codes on the small panel are read in every second photograph only.
"""
EDGE = 200
PHOTOGRAPHS = 1
KIND = zxingcpp.BarcodeFormats(zxingcpp.BarcodeFormat.QRCode)
"""To look for every kind of code takes ten times as long."""


def table_of(*names: str) -> TableOptions:
    """The usual table with players of these names."""
    return replace(load(None).table, names=names)


def glass(picture: Image.Image, pixel: int) -> Image.Image:
    """The panel in front of a dark housing: each pixel is a lit square with a dark gap around it."""
    lit = picture.convert("1").convert("L").point(lambda light: 235 if light else 12)
    lit = lit.resize((lit.width * pixel, lit.height * pixel), Image.Resampling.NEAREST)
    draw = ImageDraw.Draw(lit)
    for end in range(pixel - 1, lit.width, pixel):
        draw.line((end, 0, end, lit.height), fill=12)
        draw.line((0, end, lit.width, end), fill=12)
    return ImageOps.expand(lit, EDGE, fill=12)


def photographed(picture: Image.Image, pixel: int, seed: int) -> Image.Image:
    """What a hand-held camera makes of it: turned, from the side, out of focus, with noise."""
    chance, seen = Random(seed), glass(picture, pixel)
    seen = seen.rotate(chance.uniform(-8, 8), resample=Image.Resampling.BILINEAR, fillcolor=12)
    wide, high = seen.size
    lean = [chance.uniform(0, 0.04) for _ in range(4)]
    corners = (
        *(lean[0] * wide, lean[0] * high),
        *(lean[1] * wide, high - lean[1] * high),
        *(wide - lean[2] * wide, high),
        *(wide, lean[3] * high),
    )
    seen = seen.transform(seen.size, Image.Transform.QUAD, corners, Image.Resampling.BILINEAR)
    seen = seen.filter(ImageFilter.GaussianBlur(chance.uniform(1.5, 2.5)))
    noise = Image.frombytes("L", seen.size, chance.randbytes(wide * high))
    return Image.blend(seen, noise, 0.15)


def codes_in(picture: Image.Image) -> list[str]:
    return [found.text for found in zxingcpp.read_barcodes(picture, formats=KIND)]


def shown(at: Device) -> str:
    """The code on the large panel, seen from the front."""
    (text,) = codes_in(glass(at.runtime.app.picture(), 9).filter(ImageFilter.GaussianBlur(1.5)))
    return text


def read(at: Device) -> str:
    """What a camera in front of either panel reads: the same in every one of several photographs."""
    picture, text = at.runtime.app.picture(), shown(at)
    for panel, pixel in PIXELS.items():
        for seed in range(max(1, round(PHOTOGRAPHS * TIMES))):
            assert codes_in(photographed(picture, pixel, seed)) == [text], (panel, seed)
    return text


@pytest.mark.slow
def test_a_phone_reads_day_game_winner_and_totals_from_the_display(tmp_path: Path) -> None:
    with device(tmp_path, WON + "R1", table=table_of("Sara", "Max", "Leila", "Ali")) as at:
        day, time = at.runtime.session.about.begun
        assert re.fullmatch(r"\d{4}-\d\d-\d\d \d\d:\d\d UTC([+-]\d\d:\d\d)?", f"{day} {time}")
        assert read(at) == f"6 NIMMT {day} {time} WINNER: SARA 0 / MAX 1 / LEILA 5 / ALI 11"
        at.people("OK")
        assert at.page == "match_end"


@pytest.mark.slow
def test_several_winners_stand_together(tmp_path: Path) -> None:
    with device(tmp_path, SCREENS["tie"] + "R1 OK OK R1") as at:
        assert read(at).endswith("WINNER: P1 0 + P2 0 + P4 0 / P3 5")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("language", "address"),
    [("en", "http://192.168.178.120:8066"), ("fa", "http://[fd00:1234:5678:9abc::12]:8066")],
)
def test_the_code_leads_to_the_match_on_the_page_where_phones_reach_it(
    tmp_path: Path, language: str, address: str
) -> None:
    with device(tmp_path, WON, screen=ScreenOptions(language=language)) as at:
        at.give(ListPhones(kind="act", phones=(), address=address))
        nothing = ListPhones(kind="act", phones=())  # it tells nothing of the page
        at.give(nothing)
        at.people("R1")
        assert read(at) == f"{address}/records/{at.runtime.session.match_id}"
        at.people("R1")
        assert "192.168" not in shown(at)
        at.give(ListPhones(kind="act", phones=(), address=""))
        at.people("OK R1")
        assert "/records/" not in shown(at)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["ALEXAND", "آناهیتا"])
def test_a_phone_reads_the_result_of_ten_players_whatever_they_are_called(tmp_path: Path, name: str) -> None:
    everybody = " ".join(f"b{badge}" for badge in range(1, 11))
    script = f"R1 {everybody} OK R3 R1 " + "12 37 43 58 :6NC-NEXTK OK " * 3 + "R1 OK OK R1"
    with device(tmp_path, script, table=table_of(*(f"{name}{badge}" for badge in range(10)))) as at:
        assert at.page == "share"
        assert f"WINNER: {name}0 0 + {name}1 0" in read(at)


@pytest.mark.slow
def test_names_too_long_for_the_display_give_way_to_badges(tmp_path: Path) -> None:
    with device(tmp_path, WON + "R1", table=table_of(*("ش" * many for many in (40, 41, 42, 43)))) as at:
        assert read(at).endswith("WINNER: P1 0 / P2 1 / P3 5 / P4 11")
