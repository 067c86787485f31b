"""What the device says in one line for a moment, over whatever page is in front."""

from contextlib import closing
from pathlib import Path

import pytest
from PIL.Image import Image

from companion.text.sentence import say
from companion.values import replace
from firmware.commands.doctor import findings
from firmware.config.sections import JournalOptions
from firmware.display.canvas import Canvas
from firmware.journal.errors import JournalError
from firmware.journal.reader import JournalReader
from firmware.loop.react import handle_message
from hardware.scanner.input_devices import Keyboard
from tests.firmware.evening import EXAMPLE_1, FOUR, ROWS, Device, device

LINE = (20, 1, 108, 8)  # left, upper, right, lower, where the notice stands


def said(text: str) -> bytes:
    """What a notice looks like: in the place of the title, where it covers neither rows nor keys."""
    canvas = Canvas()
    canvas.text_centre(64, 1, text)
    return line(canvas.image())


def line(picture: Image) -> bytes:
    return picture.crop(LINE).tobytes()


def test_a_notice_can_be_read_and_goes_by_itself(tmp_path: Path) -> None:
    with device(tmp_path, EXAMPLE_1) as at:
        at.people("UNDO UNDO")
        assert at.table.notice == "UNDONE: 61"
        assert line(at.runtime.app.picture()) == said("UNDONE: 61")
        at.people("+5")
        assert line(at.runtime.app.picture()) != said("UNDONE: 61")


def test_what_is_said_about_a_question_does_not_stand_over_the_next_one(tmp_path: Path) -> None:
    with device(tmp_path, FOUR + ROWS + "5 44 61 15 OK") as at:
        assert at.table.notice == "CHOOSE ONE FIRST"
        at.people("R2")
        assert at.page == "choose_player"
        assert at.table.notice == ""


def test_a_card_that_cannot_be_stored_is_refused_with_the_reason_and_changes_nothing_of_what_is_open(
    tmp_path: Path,
) -> None:
    with device(tmp_path, FOUR + ROWS + "14 LEFT") as at:
        journal, away = tmp_path / "journal.sqlite", tmp_path / "away"
        journal.rename(away)
        at.people("44")
        assert "was not saved" in str(at.table.refusal[0])
        away.rename(journal)
        at.people("OK")
        assert (at.page, at.match.steps) == ("standings", 5)
        at.people("44")
        assert (at.page, at.match.steps) == ("collecting", 6)


def test_to_which_keyboard_a_scanner_is_set_is_known_after_a_restart_until_it_is_set_back(
    tmp_path: Path,
) -> None:
    french, other = Keyboard("", "Scanner", "1a2b:3c4d"), Keyboard("", "Reader", "1a2b:3c4e")
    bottle, layout = "$))^#*!###(#!", "AZERTY keys: set the scanner to a US keyboard"

    def scan(at: Device, keyboard: Keyboard, pressed: str) -> tuple[str, ...]:
        handle_message(at.table, keyboard.scanned(pressed, 0.0), at.table.now_s)
        return tuple(map(str, at.table.refusal))

    with device(tmp_path, "") as at:
        assert scan(at, french, bottle)[1] == "scan a card, or type its number"
        scan(at, french, "^NC6P)#W")
        assert scan(at, french, bottle) == ("unknown code: 400638133393", layout)
    for pressed, known in (("6NC-P03Z", "AZERTY"), ("6NC-P04A", "")):
        with device(tmp_path, "") as at:
            assert at.runtime.session.notes.layouts == {"Scanner 1a2b:3c4d": known}
            found = findings(
                replace(at.table.config, journal=JournalOptions(path=str(tmp_path / "journal.sqlite")))
            )
            said = [finding.says for finding in found if finding.device == "scanner" and finding.fix]
            assert [line.partition(" keys")[0] for line in said] == (
                ["Scanner 1a2b:3c4d sends AZERTY"] if known else []
            )
            assert (layout in scan(at, french, bottle)) is bool(known)
            assert layout not in scan(at, other, bottle[1:])
            scan(at, french, pressed)


def test_a_journal_that_cannot_be_read_at_the_start_is_read_later_and_nothing_is_lost(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object) -> None:
        raise JournalError(say("the disk reports an error"), say("check it"))

    with device(tmp_path, EXAMPLE_1):
        pass
    with monkeypatch.context() as meanwhile:
        meanwhile.setattr(JournalReader, "notes", broken)
        at = Device(tmp_path)
        with closing(at.runtime):
            at.people(FOUR)
            assert at.refused is not None
            meanwhile.undo()
            at.people("+1")
            assert (at.table.session.match_id, at.match.steps) == (1, 8)
            at.table.home()
            at.people("UNDO")
            assert at.match.steps == 9
