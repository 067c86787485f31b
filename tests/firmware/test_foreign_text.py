"""Text files as other programs save them are read at every entrance."""

import io
import json
from pathlib import Path
from unicodedata import name

import pytest

from companion.protocol.referee import Referee
from firmware.bounded_file import read_secret
from firmware.commands.referee import _lines
from firmware.config.configuration import load
from firmware.config.keys import ConfigError
from firmware.kiosk.counts import Counts
from tests.firmware.past_evenings import Evenings

NAMES = ("Jörg", "لیلا", "Zo\N{COMBINING DIAERESIS}e")
SAVED = {  # what comes first, the encoding, the end of a line
    "Notepad": ("\ufeff", "utf-8", "\r\n"),
    "Notepad, Unicode": ("\ufeff", "utf-16-le", "\r\n"),
    "Notepad, big endian": ("\ufeff", "utf-16-be", "\r\n"),
    "iconv -t UTF-16LE": ("", "utf-16-le", "\n"),
    "iconv -t UTF-16BE": ("", "utf-16-be", "\n"),
    "unix2dos": ("", "utf-8", "\r\n"),
    "unix2mac": ("", "utf-8", "\r"),
    "a mark for each of two editors": ("\ufeff\ufeff", "utf-8", "\n"),
    "files put together": ("\ufeff\ufeff", "utf-16", "\n"),
}


@pytest.mark.parametrize("editor", SAVED)
def test_every_entrance_reads_what_any_editor_saves(editor: str, tmp_path: Path) -> None:
    mark, encoding, end = SAVED[editor]
    file, evenings = tmp_path / "file", Evenings(tmp_path / "here", ["score-put-right"])

    def save(text: str) -> bytes:
        file.write_bytes(content := (mark + text.replace("\n", end)).encode(encoding))
        return content

    save("# „Grüße“\n[table]\nnames = [“{}”, «{}», ‘{}’]\n".format(*NAMES))
    assert load(file).table.names == NAMES
    save(evenings.said("export"))
    assert "match 1: 6 NIMMT!" in Evenings(tmp_path / "there", ()).said("import", str(file))
    file.chmod(0o600)
    save("sëcret\n")
    assert read_secret(str(file)) == "sëcret"
    save("day,visitors\n2026-11-29,7\n")
    assert Counts(file).of("2026-11-29")["visitors"] == 7
    if end != "\r":  # a request ends with LF
        asked = save('{"hello": true}\n{"new": "six", "seats": 2, "names": ["Jörg", "Ana"]}\n')
        hello, new = [json.loads(Referee().reply(line)) for line in _lines(io.BytesIO(asked))]
        assert hello["ok"]
        assert new["state"]["names"] == ["Jörg", "Ana"]


@pytest.mark.parametrize("encoding", ["iso-8859-1", "cp1256", "mac-roman"])
def test_what_is_no_text_is_named_by_line_and_character(encoding: str, tmp_path: Path) -> None:
    (file := tmp_path / "table").write_bytes('[table]\nnames = ["é"]\n'.encode(encoding))
    with pytest.raises(ConfigError, match="file is not UTF-8 text in line 2, character 11"):
        load(file)


@pytest.mark.parametrize("sign", ["“", "«", "۲", "\N{NO-BREAK SPACE}", "\N{RIGHT-TO-LEFT MARK}"])
def test_a_sign_that_no_configuration_has_is_named_also_where_nobody_sees_it(
    sign: str, tmp_path: Path
) -> None:
    (file := tmp_path / "table").write_text(f"[table]\nchoice_s = {sign}1\n")
    with pytest.raises(ConfigError, match=f"in line 2, character 12 .*{name(sign)}"):
        load(file)
