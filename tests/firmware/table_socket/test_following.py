"""Who follows the table knows what the people at it see: as much, and no more."""

import base64
from pathlib import Path
from random import Random
from typing import Any

import pytest
from PIL import Image

from companion.core.codec import encode
from companion.core.codes import badge_code
from companion.protocol.snapshot import public_view, state
from companion.text.codec import decode_text
from companion.text.sentence import say
from firmware.commands.players import SimulatedGroup
from firmware.extensions.phones.table import Pairing
from firmware.extensions.robots.pages import GivenCard
from firmware.screens.parts.numbers import dial_card
from firmware.service.health import Issue, Severity
from firmware.text.translation import Translator
from hardware.ports import ChoiceMade, KeyPressed
from tests.firmware.evening import EXAMPLE_1, FOUR, ROWS, device
from tests.firmware.table_socket.at_table import Client, RunningTable, started_again, table
from tests.firmware.table_socket.test_protocol import validator, validators_of_sent

pytestmark = pytest.mark.slow


def assert_knows_all(client: Client, at: RunningTable) -> None:
    """What a client was told leads to what one is told that comes now."""
    fresh = at.client()
    client.until(lambda: client.number == fresh.number)
    assert client.snapshot == fresh.snapshot


@pytest.mark.parametrize(("game", "seats"), [("six", 5), ("eleven", 3), ("ciao", 3), ("score", 2)])
def test_events_lead_to_a_new_snapshot_and_keep_to_the_schema(tmp_path: Path, game: str, seats: int) -> None:
    read, heard = validator("read"), list[dict[str, Any]]()
    with table(tmp_path) as at:
        client, players = at.client(), SimulatedGroup(game, seats, Random(2))
        played = at.device.table
        heard += [client.hello, dict(client.known)]
        at.issues.append(Issue("scanner", Severity.WARNING, say("it is away"), say("plug it in")))
        for _ in range(32):
            message = players.next(played)
            assert message is not None
            if isinstance(message, KeyPressed):
                act = {"act": "key", "key": message.key.value, "press": message.press.value}
            elif isinstance(message, ChoiceMade):
                act = {"act": "answer", "choice": message.choice}
            else:
                act = {"act": "scan", "code": message.text}
            read.validate({"kind": "act", "id": "1", **act})
            heard.append(answer := client.act(**act))
            assert answer["accepted"] or answer["why"] == "repeated"
            client.until(lambda: client.known["page"]["name"] == played.front.NAME)
            match = at.device.runtime.session.match
            if match is not None:
                client.until_step(match.steps)
                names = client.known["table"]["state"]["names"]
                assert client.known["table"]["state"] == encode(public_view(state(match, tuple(names))))
        assert_knows_all(client, at)
        steps = [event["step"]["step"] for event in client.events if event["kind"] == "step"]
        assert steps == list(range(1, at.device.match.steps + 1))
        heard += [client.act("type", text="103"), client.act("type"), client.act("key", key="undo")]
        heard += [*client.events, dict(at.client().known)]
    sent = validators_of_sent()
    assert {"hello", "snapshot", "answer", "page", "picture", "health", "step", "table", "signal"} <= {
        said["kind"] for said in heard
    }
    for said in heard:
        sent[said["kind"]].validate(said)


def test_a_match_that_is_left_is_told_and_the_next_one_has_its_own_steps(tmp_path: Path) -> None:
    with table(tmp_path, FOUR + ROWS, made=started_again) as at:
        client = at.client()
        client.act("key", key="row_4")
        client.until(lambda: client.known["table"] is None)
        assert_knows_all(client, at)
        client.act("key", key="row_1")
        for badge in (1, 2):
            client.act("scan", code=badge_code(badge))
        for key in ("ok", "row_1", "row_1"):
            client.act("key", key=key)
        for card in (12, 37, 43, 58, 14, 44):
            assert client.act("type", text=str(card))["accepted"]
        assert_knows_all(client, at)


def test_a_text_is_told_with_its_facts_and_in_the_language_of_the_table(tmp_path: Path) -> None:
    with table(tmp_path, EXAMPLE_1) as at:
        client = at.client()
        line = client.known["table"]["lines"][0]
        assert line["label"] == "14"
        says = line["because"]["says"]
        translate = Translator("de")
        translate.naming = lambda seat: f"Spieler {seat}"
        assert translate.say(decode_text(says)) != says["says"]
        assert Translator().say(decode_text(says)) == says["says"]
        assert line["because"]["source"].startswith("6 nimmt! rulebook")


def test_the_names_of_the_players_are_in_the_sentences(tmp_path: Path) -> None:
    with table(tmp_path, FOUR) as at:
        client = at.client()
        assert client.act("name", badge=2, name="سارا")["accepted"]
        client.until(lambda: client.known["table"]["players"][1]["name"] == "سارا")
        assert client.known["table"]["state"]["names"] == ["P1", "سارا", "P3", "P4"]
        assert not client.act("name", badge=3, name="سارا")["accepted"]
        assert client.act("name", badge=2, name="")["accepted"]
        client.until(lambda: client.known["table"]["players"][1]["name"] == "P2")


def test_the_picture_is_that_of_the_display(tmp_path: Path) -> None:
    with table(tmp_path, EXAMPLE_1) as at:
        client = at.client()
        client.act("key", key="why")
        client.until(lambda: client.known["page"]["name"] == "why")
        picture = client.known["picture"]
        bits = base64.b64decode(picture["bits"])
        told = Image.frombytes("1", (picture["width"], picture["height"]), bits)
    shown = at.device.runtime.devices["display"].frames[-1].copy()
    for drawn in (told, shown):
        drawn.paste(0, (126, 62, 128, 64))  # the dot of the heartbeat
    assert told.tobytes() == shown.tobytes()


@pytest.mark.parametrize(
    ("script", "page"), [("R3 R1 R3 R1 OK OK R3 R1 R1", "dial"), ("R2 R1 R3 R1 OK OK R2 R1", "dial")]
)
def test_no_picture_leaves_the_device_of_what_one_person_alone_may_see(
    tmp_path: Path, script: str, page: str
) -> None:
    with table(tmp_path, script) as at:
        client = at.client()
        assert client.known["page"]["name"] == page
        assert not any(base64.b64decode(client.known["picture"]["bits"]))
        client.act("key", key="undo", press="short")
        client.until(lambda: client.known["page"]["name"] == "dealt_hand")
        client.until(lambda: any(base64.b64decode(client.known["picture"]["bits"])))


def test_a_card_for_one_player_and_the_code_for_a_phone_are_secret_pages(tmp_path: Path) -> None:
    with device(tmp_path, EXAMPLE_1) as at:
        session = at.runtime.session
        assert GivenCard("gR").is_secret(session)
        assert Pairing("123456").is_secret(session)
        assert not at.table.front.is_secret(session)
        at.do(dial_card)
        assert not at.table.front.is_secret(session)
