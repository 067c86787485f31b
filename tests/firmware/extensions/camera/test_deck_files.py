import io
from pathlib import Path

import msgspec
import numpy as np
import pytest
from PIL import Image

from companion.core.codes import card_code
from companion.text.errors import CompanionError
from firmware.extensions.camera import deck_files
from firmware.extensions.camera.faces import TaughtDeck
from firmware.extensions.camera.finding import FACE_HEIGHT_PX, FACE_WIDTH_PX

CODES = [card_code("6N", number) for number in (1, 2, 104)]


def deck(name: str = "Verein ü/..") -> TaughtDeck:
    made, chance = TaughtDeck(name, "six", 2), np.random.default_rng(1)
    for code in CODES:
        faces = chance.integers(0, 255, (2, FACE_HEIGHT_PX, FACE_WIDTH_PX, 3)).astype(np.uint8)
        made.learn(code, list(faces))
    return made


def test_a_deck_is_loaded_as_it_was_saved(tmp_path: Path) -> None:
    kept = deck()
    deck_files.save(tmp_path / "decks", kept)
    assert deck_files.names(tmp_path / "decks") == [kept.name]
    same = deck_files.load(tmp_path / "decks", kept.name)
    assert (same.name, same.game, same.box, same.codes) == (kept.name, "six", 2, kept.codes)
    assert [same.showings(code) for code in CODES] == [kept.showings(code) for code in CODES]
    assert [header.game for header in deck_files.headers(tmp_path / "decks")] == ["six"]


def broken() -> list[tuple[str, bytes]]:
    whole = deck_files.packed(deck())
    first, _, rest = whole.partition(b"\n")
    head = msgspec.json.decode(first)

    def with_head(**changes: object) -> bytes:
        return msgspec.json.encode({**head, **changes}) + b"\n" + rest

    large = io.BytesIO()
    Image.new("RGB", (FACE_WIDTH_PX * 8, FACE_HEIGHT_PX)).save(large, "JPEG")
    bomb = msgspec.json.encode({**head, "cards": [[CODES[0], [large.tell()]]]}) + b"\n" + large.getvalue()
    return [
        ("nothing", b""),
        ("no line", b"\x00" * 1000),
        ("cut off", whole[:-10]),
        ("more behind", whole + b"x"),
        ("another format", with_head(format="nimmt deck 9")),
        ("a name of two lines", with_head(name="a\nb")),
        ("no box", with_head(box=0)),
        ("a size below 0", with_head(cards=[[CODES[0], [-1, len(rest) + 1]]])),
        ("no pictures", first + b"\n" + b"x" * len(rest)),
        ("a larger picture", bomb),
    ]


@pytest.mark.parametrize("content", [each for _, each in broken()], ids=[name for name, _ in broken()])
def test_a_file_of_a_stranger_that_is_no_deck_is_refused(content: bytes, tmp_path: Path) -> None:
    file = tmp_path / "strange.deck"
    file.write_bytes(content)
    with pytest.raises(CompanionError, match="holds no deck"):
        deck_files.load(tmp_path, file.stem)
    assert list(deck_files.headers(tmp_path)) == [] or content.startswith(b'{"format":"nimmt deck 1"')


def test_a_larger_file_is_not_even_read(tmp_path: Path) -> None:
    file = tmp_path / "large.deck"
    file.write_bytes(b"x" * (deck_files.MOST_BYTES + 1))
    with pytest.raises(CompanionError, match="larger"):
        deck_files.load(tmp_path, file.stem)
