"""The set-up of a hub as the documentation tells it: its commands and configurations, taken from there."""

import os
import pwd
import re
import shlex
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from sqlalchemy.exc import OperationalError

from companion.text.errors import CompanionError
from firmware import __version__
from firmware.cli import main as cli
from firmware.config.configuration import parse
from network.hub.certificates import PASSWORDS, make
from network.hub.config import HubOptions, broker_of
from network.hub.store import Store
from network.mqtt.config import MqttOptions
from tests.network.hub.servers import Postgres, needs_postgres, postgres, working_hub
from tests.network.mqtt.bridged import bridge
from tests.network.mqtt.mosquitto import mosquitto, needs_mosquitto
from tests.patience import PATIENCE_S, comes
from tests.test_docs import FENCED, PAGES
from tools.release import expected

ROOT = Path(__file__).parents[3]
DOCS = ROOT / "docs"
OWN = pwd.getpwuid(os.getuid()).pw_name


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
    assert (table.host, hub.broker) == ("broker.local", "broker.local:8883")
    with (
        mosquitto(tmp_path, *own) as broker,
        working_hub(tmp_path, broker_of(f"localhost:{broker.port}", hub)) as running,
        bridge(tmp_path, broker.port, **{name: getattr(table, name) for name in OF_THE_TABLE}),
    ):
        assert comes(lambda: running.intake.tables.box("3") is not None)


OF_THE_TABLE = ("user", "password_file", "tls", "ca")


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


@pytest.fixture
def debian(monkeypatch: pytest.MonkeyPatch) -> Iterator[Postgres]:
    """A PostgreSQL as Debian installs it, where programs look for it."""
    with tempfile.TemporaryDirectory(prefix="nimmt-") as name:
        Path(name).chmod(0o755)
        with postgres(Path(name), as_on_debian=True) as running:
            for key, value in running.environ.items():
                monkeypatch.setenv(key, value)
            yield running


def as_postgres(block: str, server: Postgres) -> None:
    """Run the commands of a block that the user of PostgreSQL runs; the service is who runs this test."""
    for command in typed(block):
        user, _, rest = command.removeprefix("-u ").partition(" ")
        assert user == "postgres"
        program, *words = shlex.split(rest.replace("nimmt-hub", OWN))
        server.run(program, *words, typed=f"{WORD}\n" * 2)


WORD = "f1sh and chips"
POSTGRESQL = [blocks("hub.md", "PostgreSQL", language) for language in ("console", "toml")]


@needs_postgres
def test_the_documented_database_is_used_without_a_password_on_its_own_machine(debian: Postgres) -> None:
    (commands, *_), (toml, _) = POSTGRESQL
    as_postgres(commands, debian)
    with closing(Store(parse(toml, "hub.md").section(HubOptions).database)) as store, store.reading() as db:
        assert db.engine.dialect.name == "postgresql"


@needs_postgres
def test_the_documented_database_of_another_machine_asks_for_a_password_from_a_file(
    debian: Postgres, tmp_path: Path
) -> None:
    (_, commands, keep), (_, toml) = POSTGRESQL
    as_postgres(commands, debian)
    url = parse(toml, "hub.md").section(HubOptions).database

    def here(text: str) -> str:
        text = text.replace("db.local", "127.0.0.1").replace("5432", str(debian.port))
        return text.replace("nimmt-hub", OWN).replace("/etc/nimmt", str(tmp_path))

    for word in ("wrong", WORD):
        [command] = typed(keep.replace("PASSWORD", word).replace("-o nimmt-hub ", ""))
        subprocess.run(["sh", "-c", here(command)], check=True, timeout=PATIENCE_S)
        if word == WORD:
            Store(here(url)).close()
        else:
            with pytest.raises(OperationalError, match="password authentication failed"):
                Store(here(url))


def test_the_program_is_installed_from_a_release_and_no_index_is_asked_for_its_name() -> None:
    asked = [
        (page.name, line)
        for page in PAGES
        for line in page.read_text().splitlines()
        if re.search(r"pip install.*nimmt[-_]companion(?!-VERSION)", line) or "nimmt-companion[" in line
    ]
    assert asked == []
    [wheel] = re.findall(r"'\./(\S+\.whl)\[hub\]'", (DOCS / "hub.md").read_text())
    assert wheel.replace("VERSION", __version__) in expected(__version__)
    packages = [
        name
        for page in ("hub.md", "camera.md")  # the hub needs all but the package of the camera
        for name in re.findall(r"\./(nimmt-\w+)_\*\.deb", (DOCS / page).read_text())
    ]
    assert {one.partition("_")[0] for one in expected(__version__) if one.endswith(".deb")} == set(packages)
