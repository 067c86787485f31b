"""The set-up of a hub as the documentation tells it: its commands and configurations, taken from there."""

import os
import re
import shlex
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.text.errors import CompanionError
from companion.values import replace
from firmware import __version__
from firmware.cli import main as cli
from firmware.config.configuration import parse
from network.hub.certificates import PASSWORDS, make
from network.hub.config import HubOptions
from network.mqtt.config import MqttOptions
from tests.network.hub.servers import working_hub
from tests.network.mqtt.bridged import bridge
from tests.network.mqtt.mosquitto import mosquitto, needs_mosquitto
from tests.patience import PATIENCE_S, comes
from tests.test_docs import FENCED
from tools.release import expected

ROOT = Path(__file__).parents[3]
DOCS = ROOT / "docs"


def blocks(page: str, heading: str, language: str) -> list[str]:
    """The blocks of a language in the section of a page."""
    text = (DOCS / page).read_text().partition(f"\n## {heading}\n")[2].partition("\n## ")[0]
    return [block for of, block in FENCED.findall(text) if of == language]


def typed(block: str) -> Iterator[str]:
    """The commands of a block, without those that install packages, edit files and start services."""
    for line in re.findall(r"^\$ (.*)$", block, re.MULTILINE):
        command = line.replace("sudo ", "")
        if command.split()[0] not in ("apt", "systemctl", "editor"):
            yield command


def run(command: str, folder: Path) -> None:
    """Run a command of the documentation, with its folders below this one."""
    command = re.sub(r"-[og] [\w-]+ ", "", command)  # those users are here only where all of it is installed
    command = command.replace("/usr/share/doc/nimmt-companion/docs", str(DOCS))
    command = command.replace("/etc/", f"{folder}/").replace("broker.local", "localhost")
    if command.startswith("nimmt "):
        assert cli.main(shlex.split(command)[1:]) == 0
    elif command.startswith("cd "):
        os.chdir(command.removeprefix("cd "))
    else:
        subprocess.run(["sh", "-c", command], check=True, timeout=PATIENCE_S)


@needs_mosquitto
def test_a_broker_a_hub_and_a_table_that_are_set_up_as_documented_hear_each_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    etc = tmp_path / "etc"
    for folder in ("mosquitto/conf.d", "nimmt"):
        (etc / folder).mkdir(parents=True)
    broker_set_up, table_set_up = blocks("mqtt.md", "A broker for a club", "console")
    [hub_set_up] = blocks("hub.md", "Set it up", "console")
    for command in (*typed(broker_set_up), *typed(hub_set_up)):
        run(command, etc)
    for taken in ("ca.crt", "passwords/3"):
        shutil.copy(etc / "mosquitto" / taken, tmp_path)
    monkeypatch.chdir(tmp_path)
    for command in typed(table_set_up):
        run(command, etc)
    lines = (etc / "mosquitto/conf.d/nimmt.conf").read_text().replace("/etc/", f"{etc}/").splitlines()
    own = [line for line in lines if line != "listener 8883"]  # there it has a port of its own
    assert len(own) == len(lines) - 1
    [table_toml], [hub_toml] = (
        (text.replace("/etc/", f"{etc}/") for text in blocks(page, "Set it up", "toml"))
        for page in ("mqtt.md", "hub.md")
    )
    table, hub = (
        parse(table_toml, "mqtt.md").section(MqttOptions),
        parse(hub_toml, "hub.md").section(HubOptions),
    )
    assert table.place == hub.place == ("broker.local", 8883)
    login = {name: getattr(table, name) for name in ("user", "password_file", "tls", "ca")}
    with (
        mosquitto(tmp_path, *own) as broker,
        working_hub(tmp_path, replace(hub, broker=f"localhost:{broker.port}")) as running,
        bridge(tmp_path, broker.port, **login),
    ):
        assert comes(lambda: running.intake.tables.box("3") is not None)


def test_who_has_a_password_keeps_it_when_tables_are_added(tmp_path: Path) -> None:
    def made() -> dict[str, str]:
        return {file.name: file.read_text() for file in sorted((tmp_path / PASSWORDS).iterdir())}

    assert make(tmp_path, ["broker.local"], 2) == ["hub", "homeassistant", "1", "2"]
    first, users = made(), (tmp_path / "nimmt.users").read_text()
    assert make(tmp_path, ["other.local", "192.168.1.7"], 3) == ["3"]
    assert {name: word for name, word in made().items() if name != "3"} == first
    assert (tmp_path / "nimmt.users").read_text().startswith(users)
    secret = [
        tmp_path / name
        for name in ("ca.key", "server.key", "nimmt.users", *(f"{PASSWORDS}/{one}" for one in first))
    ]
    assert {file.stat().st_mode & 0o777 for file in secret} == {0o600}
    for name in ("", "broker:8883", "a,IP:1.2.3.4", "two words"):
        with pytest.raises(CompanionError, match="neither a name nor an address"):
            make(tmp_path, [name], 1)
    with pytest.raises(CompanionError, match="cannot be made"):
        make(tmp_path / "ca.crt", ["broker.local"], 1)


def test_what_is_installed_is_in_a_release() -> None:
    [wheel] = re.findall(r"'\./(\S+\.whl)\[hub\]'", (DOCS / "hub.md").read_text())
    assert wheel.replace("VERSION", __version__) in expected(__version__)
    packages = [
        name
        for page in ("hub.md", "camera.md")  # the hub needs all but the package of the camera
        for name in re.findall(r"\./(nimmt-\w+)_\*\.deb", (DOCS / page).read_text())
    ]
    assert {one.partition("_")[0] for one in expected(__version__) if one.endswith(".deb")} == set(packages)
