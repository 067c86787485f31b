"""The page of the update: what stands on it at each stage, and what OK does there."""

from pathlib import Path

import pytest
from msgspec.structs import replace

from companion.text.errors import CompanionError
from companion.text.sentence import say
from firmware.config.configuration import load
from firmware.config.sections import SIZES
from firmware.display.canvas import Canvas
from firmware.extensions.update import page
from firmware.extensions.update.at_table import DriveUpdates, UpdateStage, UpdateState
from firmware.extensions.update.page import UpdateTable
from firmware.play.table import Item
from firmware.screens.parts.kinds import NotNow
from firmware.text.translation import LANGUAGES
from tests.firmware.evening import Device, SimulatedPower, choose_in_menu, device
from tests.firmware.flashed.flashed_card import FlashedCard

REFUSED = UpdateState(
    UpdateStage.REFUSED,
    refused=CompanionError(
        say("the signature of the update is wrong: it was not made for this box, or was changed"),
        say("use the file as it was published"),
    ),
)
STAGES = [
    *(UpdateState(stage, "0.10.11", 57) for stage in UpdateStage if stage is not UpdateStage.REFUSED),
    REFUSED,
]
OLDER = UpdateState(UpdateStage.FOUND, "0.10.11~rc1", of=12, older_than="0.10.11")


class GivenUpdates(DriveUpdates):
    """Updates in the state that the test gives them."""

    def __init__(self, now: UpdateState | None = None) -> None:
        self.now, self.done = now or UpdateState(UpdateStage.NONE), list[str]()

    def search(self) -> None:
        self.done.append("search")

    def install(self) -> None:
        self.done.append("install")

    def state(self) -> UpdateState:
        return self.now


def offered(at: Device) -> list[str]:
    """The rows of the menu that this part offers now."""
    rows: list[Item] = []
    part = at.table.extension(UpdateTable)
    at.do(lambda table: rows.extend(part.menu(table)))
    return [str(label) for label, does in rows if not isinstance(does, NotNow)]


def test_ok_does_what_the_stage_offers(tmp_path: Path) -> None:
    with device(tmp_path) as at:
        updates, power = GivenUpdates(), SimulatedPower()
        at.table.extension(UpdateTable).updates = updates
        at.table.power = power
        choose_in_menu(at, "UPDATE")
        assert (at.page, updates.done) == ("update", ["search"])
        for seen, then in zip(STAGES, ([], ["search"], ["install"], [], [], ["search"]), strict=True):
            updates.now, updates.done[:] = seen, []
            at.people("OK OK OK" if seen.stage is UpdateStage.REFUSED else "OK")
            assert updates.done[:1] == then, seen
            assert power.asked == (["restart"] if seen.stage is UpdateStage.WRITTEN else [])
            power.asked.clear()
        at.people("UNDO")
        assert at.page == "start"


def test_an_older_version_is_asked_about(tmp_path: Path) -> None:
    with device(tmp_path) as at:
        at.table.extension(UpdateTable).updates = updates = GivenUpdates(OLDER)
        choose_in_menu(at, "UPDATE")
        updates.done.clear()
        at.people("OK")
        assert (at.page, updates.done) == ("confirm", [])
        at.people("UNDO")
        assert (at.page, updates.done) == ("update", [])
        at.people("OK OK")
        assert (at.page, updates.done) == ("update", ["install"])


def test_it_is_offered_between_matches_only(tmp_path: Path) -> None:
    with device(tmp_path) as at:
        at.table.extension(UpdateTable).updates = GivenUpdates()

        def is_offered() -> bool:
            return "UPDATE" in offered(at)

        assert is_offered()
        at.people("R1 b1 b2 b3 OK R1 R1 12 37 43 58")
        assert at.runtime.session.match is not None
        assert not is_offered()


def test_a_box_that_was_flashed_and_may_restart_offers_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    flashed = FlashedCard(tmp_path / "card")
    monkeypatch.setattr(page, "BootPartition", lambda: flashed.card)
    with device(tmp_path) as at:
        assert offered(at) == []
        at.table.power = SimulatedPower()
        assert offered(at) == ["UPDATE"]
        monkeypatch.setattr(at.table.extension(UpdateTable), "updates", None)
        (flashed.folder / "cmdline").write_text("quiet")
        assert offered(at) == []


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("language", [key for key, one in LANGUAGES.items() if one.complete])
def test_every_stage_has_room_in_every_language(tmp_path: Path, language: str, size: str) -> None:
    with device(tmp_path, screen=replace(load(None).screen, language=language, size=size)) as at:
        at.table.extension(UpdateTable).updates = updates = GivenUpdates(REFUSED)
        at.people("hold-OK")
        labels = at.table.front.labels(at.table.session)  # type: ignore[attr-defined]
        at.people("DOWN " * labels.index(at.runtime.session.translate("UPDATE")) + "OK")
        assert at.page == "update"
        for seen in (*STAGES, OLDER):
            updates.now = seen
            assert any(at.runtime.app.picture(Canvas()).tobytes())
        at.people("OK")
        assert at.page == "confirm"
        assert any(at.runtime.app.picture(Canvas()).tobytes())
