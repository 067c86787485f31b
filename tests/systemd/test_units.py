"""What is installed beside the program: units, rules and drop-ins, tried with the tools that read them."""

import re
import shlex
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path

import pytest

from firmware.cli.main import INSTALLED, INSTALLED_STATE, parser
from firmware.config.configuration import BOARD_NAMES, load, parse
from firmware.service.clock import Clock
from firmware.service.crashes import QUICK_S, TOO_MANY
from firmware.service.machine import WATCHDOG_LIMIT_S, Sources
from firmware.service.status import OF_THE_SERVICE
from firmware.service.watchdog import BEAT_S
from firmware.text.translation import ASK
from network.web.config import INSTALLED_FOLDER, WebOptions, phones_file
from tests.patience import PATIENCE_S

TREE = Path(__file__).parents[2] / "systemd/table"
LIB = TREE / "usr" / "lib"
UNITS = sorted(LIB.glob("systemd/system/*.service"))
GAME = LIB / "systemd/system/nimmt-companion.service"
SANDBOX = LIB / "systemd/system/nimmt-.service.d/sandbox.conf"
OTHERS = {name: TREE.with_name(name) / "usr/lib" for name in ("web", "mqtt", "hub")}

every_unit = pytest.mark.parametrize("unit", UNITS, ids=lambda path: path.name)
EXPOSURE = dict.fromkeys((unit.name for unit in UNITS), 15) | {f"nimmt-{name}.service": 20 for name in OTHERS}
"""How much a unit may touch at most, in tenths of the scale of `systemd-analyze security`."""


def settings(*files: Path) -> dict[str, list[str]]:
    """The lines of the files, by key; systemd lets a key come more than once."""
    found: dict[str, list[str]] = {}
    for file in files:
        for line in file.read_text().splitlines():
            if "=" in line and not line.startswith("#"):
                key, _, value = line.partition("=")
                found.setdefault(key, []).append(value)
    return found


def tool(name: str) -> str:
    found = shutil.which(name)
    if found is None:
        pytest.skip(f"{name} is not on this machine (apt install systemd)")
    return found


def run(command: Sequence[str]) -> tuple[int, str]:
    done = subprocess.run(
        command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False, timeout=PATIENCE_S
    )
    return done.returncode, done.stdout


def release() -> int:
    _, said = run([tool("systemd-analyze"), "--version"])
    return int(re.search(r"systemd (\d+)", said)[1])  # type: ignore[index]


def installed(place: Path, trees: Sequence[Path], programs: Sequence[str]) -> Path:
    """A machine on which these trees are installed, beside them only programs and the targets of systemd."""
    for tree in trees:
        shutil.copytree(tree, place, symlinks=True, dirs_exist_ok=True)
    for target in Path("/usr/lib/systemd/system").glob("*.target"):
        shutil.copy(target, place / "usr/lib/systemd/system")
    for program in (place / name for name in programs):
        program.parent.mkdir(parents=True, exist_ok=True)
        program.write_text("#!/bin/sh\n")
        program.chmod(0o755)
    return place


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    trees = [TREE.with_name(name) for name in ("table", *OTHERS)]
    return installed(tmp_path_factory.mktemp("root"), trees, ["usr/bin/nimmt", "usr/bin/grep"])


def looked_at(root: Path, unit: str, *beside: str, tenths: int) -> None:
    """A unit of this root has no line that systemd does not understand, and is no more exposed than so."""
    analyze = tool("systemd-analyze")
    assert run([analyze, "--man=no", f"--root={root}", "verify", unit, *beside]) == (0, "")
    if release() < 250:
        pytest.skip("this systemd-analyze cannot look at files: it needs version 250")
    command = [analyze, "security", "--no-pager", "--offline=true", f"--root={root}"]
    status, said = run([*command, f"--threshold={tenths}", unit])
    assert "Overall exposure level" in said
    assert status == 0, said


@pytest.mark.parametrize("unit", EXPOSURE)
def test_systemd_understands_a_unit_and_finds_that_it_may_touch_little(root: Path, unit: str) -> None:
    socket = ["nimmt-web.socket"] if unit == "nimmt-web.service" else []
    looked_at(root, unit, *socket, tenths=EXPOSURE[unit])


@pytest.mark.parametrize("name", OTHERS)
def test_what_other_machines_reach_has_no_device_and_touches_little_of_the_game(name: str) -> None:
    units = OTHERS[name] / "systemd/system"
    unit, sandbox = units / f"nimmt-{name}.service", units / f"nimmt-{name}.service.d" / SANDBOX.name
    found = settings(unit, sandbox)  # which stands in the place of that of the game, for it has its name
    assert not found.keys() & {"DeviceAllow", "SupplementaryGroups"}
    assert found["PrivateDevices"] == ["yes"]
    assert found["ProtectSystem"] == ["strict"]
    page_writes = [str(INSTALLED_FOLDER), f"-{INSTALLED_STATE}/decks", f"-{Clock().folder}/offered"]
    network, writes = (["yes"], page_writes) if name == "web" else (None, None)
    assert (found.get("PrivateNetwork"), found.get("ReadWritePaths")) == (network, writes)
    if name == "hub":
        assert found["InaccessiblePaths"] == [f"-{INSTALLED_STATE}"]
        assert found["User"] == ["nimmt-hub"]
        assert "u nimmt-hub " in (OTHERS[name] / "sysusers.d/nimmt-hub.conf").read_text()
    else:
        assert INSTALLED_STATE in found["ReadOnlyPaths"][0].split()
        assert "STATE_DIRECTORY" not in " ".join(found["Environment"])  # the command takes that of the game
    assert settings(unit).keys() & settings(sandbox).keys() <= {"Environment"}
    _, *words = shlex.split(found["ExecStart"][0])
    given = parser().parse_args(words)
    assert (given.command, given.config) == (name, INSTALLED)


def test_the_page_listens_where_the_configuration_says_and_has_a_folder_for_decks() -> None:
    options = load(None).section(WebOptions)
    ports = settings(OTHERS["web"] / "systemd/system/nimmt-web.socket")["ListenStream"]
    assert list(map(int, ports)) == [options.port, options.tls_port]
    folders = (OTHERS["web"] / "tmpfiles.d/nimmt-web.conf").read_text().splitlines()
    assert f"d {INSTALLED_STATE}/decks 0750 nimmt nimmt -" in folders


def test_phones_are_listed_where_the_page_may_write(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("network.web.config.INSTALLED_FOLDER", tmp_path)
    journal = Path(INSTALLED_STATE) / "journal.sqlite"
    assert phones_file({"STATE_DIRECTORY": INSTALLED_STATE}, journal).parent == tmp_path
    assert phones_file({"STATE_DIRECTORY": "/tmp/else"}, journal).parent == Path("/tmp/else")  # noqa: S108
    assert phones_file({}, journal).parent == journal.parent


def test_only_the_package_of_the_camera_lets_the_game_use_cameras() -> None:
    camera = TREE.with_name("camera") / "usr/lib"
    found = settings(camera / "systemd/system/nimmt-companion.service.d/camera.conf")
    assert found.keys() == {"DeviceAllow", "SupplementaryGroups", "ReadWritePaths"}
    assert "char-video4linux rw" in found["DeviceAllow"]
    assert found["SupplementaryGroups"] == ["video"]
    assert "video" not in SANDBOX.read_text()
    assert "videodev" in (camera / "modules-load.d/nimmt-camera.conf").read_text().split()


@every_unit
def test_a_unit_calls_the_program_with_words_that_it_knows(unit: Path) -> None:
    calls = [
        shlex.split(call.lstrip("-"))
        for key, called in settings(unit).items()
        if key.startswith("Exec") and key != "ExecCondition"
        for call in called
    ]
    assert calls
    for program, *words in calls:
        assert program == "/usr/bin/nimmt"
        given = parser().parse_args(words)
        if given.command == "run":
            assert given.config == INSTALLED


@every_unit
def test_a_unit_leaves_the_sandbox_alone_and_waits_for_no_network(unit: Path) -> None:
    found = settings(unit)
    # A drop-in is read after the unit; only the environment is added to.
    assert found.keys() & settings(SANDBOX).keys() <= {"Environment"}
    for key in ("After", "Wants", "Requires", "BindsTo", "Requisite"):
        assert "network" not in " ".join(found.get(key, []))


def test_it_is_started_again_for_ever_and_knows_how_often_it_has_died() -> None:
    found = settings(GAME)
    assert found["Restart"] == ["always"]
    assert found["StartLimitIntervalSec"] == ["0"]
    assert found["RuntimeDirectoryPreserve"] == ["restart"]  # the count is there
    # Three deaths by the watchdog, with the starts between them, count as quick.
    slowest_s = float(found["WatchdogSec"][0]) + float(found["RestartSec"][0]) + 15
    assert TOO_MANY * slowest_s < QUICK_S
    assert found["Type"] == ["notify"]
    assert float(found["WatchdogSec"][0]) >= 3 * BEAT_S


def test_the_folders_are_those_that_the_program_means() -> None:
    found = settings(GAME, SANDBOX)
    assert found["RuntimeDirectory"] == [OF_THE_SERVICE.parent.name]
    environment = " ".join(found["Environment"]).split()
    assert "/var/lib/" + found["StateDirectory"][0] == INSTALLED_STATE
    assert f"STATE_DIRECTORY={INSTALLED_STATE}" in environment
    installed = load(TREE / "etc/nimmt/nimmt.toml")
    assert installed.journal.place({"STATE_DIRECTORY": INSTALLED_STATE}).parent == Path(INSTALLED_STATE)
    assert (TREE / INSTALLED.relative_to("/")).is_file()
    assert installed.screen.language == ASK


@pytest.mark.parametrize("board", BOARD_NAMES)
def test_one_line_of_the_installed_configuration_makes_it_that_of_a_board(board: str) -> None:
    text = (TREE / "etc/nimmt/nimmt.toml").read_text()
    assert f'"{board}"' in text
    assert (
        parse(re.sub(r"^# board = .*$", f'board = "{board}"', text, flags=re.MULTILINE), board).board == board
    )


def test_a_device_that_is_plugged_in_later_is_of_a_class_that_is_known_at_the_start() -> None:
    built_in = {"gpiochip", "ttyAMA", "ttyS", "input"}
    of_module = {"i2c-dev": "i2c", "spidev": "spi", "usbserial": "ttyUSB", "cdc_acm": "ttyACM"}
    modules = settings_lines(LIB / "modules-load.d/nimmt.conf")
    allowed = {line.removeprefix("char-").split()[0] for line in settings(SANDBOX)["DeviceAllow"]}
    assert allowed == built_in | {of_module[module] for module in modules}


def settings_lines(file: Path) -> list[str]:
    return [line for line in file.read_text().splitlines() if line and not line.startswith(("#", "//"))]


def test_the_hardware_watchdog_is_left_to_the_owner_and_can_be_counted_by_the_hardware() -> None:
    (offered,) = TREE.rglob("*watchdog.conf")
    assert "etc" not in offered.relative_to(TREE).parts
    assert "system.conf.d" not in offered.relative_to(TREE).parts
    assert offered.name == Sources().watchdog_wanted.name
    assert 0 < int(settings(offered)["RuntimeWatchdogSec"][0]) <= WATCHDOG_LIMIT_S


def test_the_box_may_switch_the_machine_off_and_nothing_else() -> None:
    rule = (TREE / "usr/share/polkit-1/rules.d/60-nimmt.rules").read_text()
    assert set(re.findall(r'"(org\.[\w.-]+)"', rule)) == {
        "org.freedesktop.login1.power-off",
        "org.freedesktop.login1.power-off-multiple-sessions",
        "org.freedesktop.login1.reboot",
        "org.freedesktop.login1.reboot-multiple-sessions",
    }
    assert 'subject.user == "nimmt"' in rule
