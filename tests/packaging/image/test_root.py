"""The root of the box, as far as it can be told without making one: what it must not hold, what it keeps."""

import stat
from pathlib import Path

import pytest
from image import kernel, root


@pytest.fixture
def box(tmp_path: Path) -> Path:
    """A root with what a fresh Debian has."""
    for name, text in {
        "etc/machine-id": "",
        "etc/shadow": "root:*:20000:0:99999:7:::\nnimmt:!*:20000::::::\n",
        "etc/shadow-": "older",
        "etc/ssh/ssh_config": "Host *\n",
        "usr/lib/python3/dist-packages/one/__pycache__/one.cpython-313.pyc": "",
        "usr/lib/nimmt-companion/lib/python3.13/site-packages/one.py": "",
        "usr/lib/nimmt-companion/lib/python3.11/site-packages/one.py": "",
        "var/log/apt/history.log": "today",
        "var/cache/ldconfig/aux-cache": "today",
    }.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    return tmp_path


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("etc/machine-id", "0123456789abcdef0123456789abcdef\n", "a machine-id"),
        ("etc/ssh/ssh_host_ed25519_key", "key", "the key ssh_host_ed25519_key"),
        ("etc/shadow", "root:$y$j9T$x:20000::::::\n", "an open account, root"),
        ("etc/shadow", "root::20000::::::\n", "an open account, root"),
        ("var/lib/systemd/random-seed", "seed", "a random seed"),
    ],
)
def test_what_every_card_would_have_alike_is_found(box: Path, name: str, text: str, said: str) -> None:
    assert list(root.secrets(box)) == []
    (box / name).parent.mkdir(parents=True, exist_ok=True)
    (box / name).write_text(text)
    assert list(root.secrets(box)) == [said]


def test_what_differs_each_time_is_removed_and_the_program_stays(box: Path) -> None:
    root.remove(box)
    kept = {str(path.relative_to(box)) for path in box.rglob("*") if path.is_file()}
    assert kept == {
        "etc/machine-id",
        "etc/shadow",
        "etc/ssh/ssh_config",
        "usr/lib/python3/dist-packages/one/__pycache__/one.cpython-313.pyc",
        "usr/lib/nimmt-companion/lib/python3.13/site-packages/one.py",
    }


def test_a_module_is_kept_with_all_that_it_needs() -> None:
    needs = {
        "kernel/drivers/usb/serial/ftdi_sio.ko.xz": ["kernel/drivers/misc/helper.ko.xz"],
        "kernel/drivers/misc/helper.ko.xz": ["kernel/drivers/misc/deeper.ko.xz"],
        "kernel/drivers/misc/deeper.ko.xz": [],
        "kernel/sound/usb/snd-usb-audio.ko.xz": [],
    }
    assert kernel.chosen(needs) == set(needs) - {"kernel/sound/usb/snd-usb-audio.ko.xz"}


def test_only_our_own_files_become_roots(box: Path, tmp_path: Path) -> None:
    ours = Path(tmp_path, "ours")
    for name, mode in (("etc/ssh/ours", 0o644), ("usr/lib/table/grow", 0o755)):
        (ours / name).parent.mkdir(parents=True, exist_ok=True)
        (ours / name).write_text("")
        (ours / name).chmod(mode)
    (ours / "usr/lib/table/link").symlink_to("grow")
    (ours / "etc/ssh").chmod(0o700)
    (box / "etc/ssh").chmod(0o755)
    (box / "etc/shadow").chmod(0o640)
    owners: list[tuple[str, int, int]] = []
    with pytest.MonkeyPatch.context() as patch:  # who runs the tests may not be root
        patch.setattr("os.chown", lambda to, *who, **_: owners.append((str(to.relative_to(box)), *who)))
        root.lay(ours, box)
    assert sorted(owners) == [
        ("etc/ssh/ours", 0, 0),
        ("usr/lib/table/grow", 0, 0),
        ("usr/lib/table/link", 0, 0),
    ]
    assert stat.S_IMODE((box / "usr/lib/table/grow").stat().st_mode) == 0o755
    assert (box / "usr/lib/table/link").readlink() == Path("grow")
    assert [stat.S_IMODE((box / name).stat().st_mode) for name in ("etc/ssh", "etc/shadow")] == [0o755, 0o640]


def test_no_program_gives_more_rights_than_its_user_has(box: Path) -> None:
    modes = {"usr/bin/su": 0o4755, "usr/bin/chage": 0o2755, "usr/bin/true": 0o755, "usr/bin/dbus": 0o4754}
    for name, mode in modes.items():
        (box / name).parent.mkdir(exist_ok=True)
        (box / name).touch()
        (box / name).chmod(mode)
    (box / "var/mail").mkdir()
    (box / "var/mail").chmod(0o2775)
    (box / "usr/bin/link").symlink_to("/usr/bin/su")
    root.without_setuid(box)
    assert {name: stat.S_IMODE((box / name).stat().st_mode) for name in modes} == {
        name: mode & 0o777 for name, mode in modes.items()
    }
    assert stat.S_IMODE((box / "var/mail").stat().st_mode) == 0o2775
