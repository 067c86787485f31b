"""The server outlives every client, and keeps to those that may be there."""

import json
import os
import socket
import stat
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from companion.text.errors import CompanionError
from firmware.table_socket import server
from firmware.table_socket.access import (
    OF_THE_SERVICE,
    Peer,
    SocketListener,
    may_act,
    peer_of,
    place,
    reachable,
)
from firmware.table_socket.acts import LONGEST_LINE
from firmware.table_socket.client import TableClient
from tests.firmware.evening import FOUR, ROWS
from tests.firmware.table_socket.at_table import table
from tests.patience import PATIENCE_S, comes

pytestmark = pytest.mark.slow


def plain(path: Path) -> socket.socket:
    """A connection that reads only what it wants to."""
    connection = socket.socket(socket.AF_UNIX)
    connection.settimeout(PATIENCE_S)
    connection.connect(str(path))
    return connection


def said(connection: socket.socket) -> list[str]:
    """The kinds of all that was said until the end of the connection."""
    came = b""
    with suppress(ConnectionResetError):  # it was ended before all that was sent had been read
        while more := connection.recv(65536):
            came += more
    return [json.loads(line)["kind"] for line in came.splitlines()]


def test_rubbish_ends_its_own_connection_only(tmp_path: Path) -> None:
    with table(tmp_path, FOUR + ROWS) as at:
        good = at.client()
        with plain(at.path) as bad:
            bad.sendall(b'{"kind":"act","act":"type","text":"14","id":"\\ud800"}\n')
            bad.sendall(b"\xff\xfe{{{\n[]\nnull\n" * 20)
            assert set(said(bad)) == {"hello", "snapshot", "error"}
        with plain(at.path) as endless:
            endless.sendall(b"x" * (LONGEST_LINE + 1))
            assert set(said(endless)) <= {"hello", "snapshot"}
        with plain(at.path) as deep:
            deep.sendall(b"[" * (LONGEST_LINE - 1) + b"\n")
            good.act("type", text="14")
        assert good.act("type", text="44")["accepted"]


def test_a_client_that_reads_nothing_misses_events_and_is_dropped(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(server, "PATIENCE_S", 0.5)
    monkeypatch.setattr(server, "MOST_QUEUED_BYTES", 6_000)
    with table(tmp_path, FOUR + ROWS) as at:
        good, slow = at.client(), plain(at.path)
        slow.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1)
        clients = at.socket._clients
        assert comes(lambda: len(clients) == 2)
        while len(clients) == 2:
            assert good.act("key", key="right")["accepted"]
        assert good.act("key", key="right")["accepted"]
        slow.close()


def test_a_client_that_was_slow_gets_a_snapshot_instead_of_what_it_missed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(server, "MOST_QUEUED_BYTES", 6_000)
    with table(tmp_path, FOUR + ROWS) as at:
        good, slow = at.client(), plain(at.path)
        clients = at.socket._clients
        assert comes(lambda: 2 in clients and not clients[2].behind)
        behind = clients[2]
        while not behind.behind:
            good.act("key", key="right")
        lines, numbers = slow.makefile("rb"), list[int]()
        while True:
            record = json.loads(lines.readline())
            if record["kind"] == "snapshot":
                if numbers:
                    break
                numbers.append(record["number"])
            elif "number" in record and record["kind"] != "alive":
                assert record["number"] == numbers[-1] + 1  # up to the gap, nothing is missing
                numbers.append(record["number"])
        assert record["number"] > numbers[-1]
        good.act("key", key="right")
        assert record["table"] == good.known["table"]
        lines.close()
        slow.close()


def test_too_many_connections_are_turned_away(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(server, "MOST_CLIENTS", 2)
    with table(tmp_path) as at:
        first, second = at.client(), at.client()
        with plain(at.path) as third:
            assert said(third) == ["error"]
        second.close()
        assert comes(lambda: len(at.socket._clients) == 1)
        assert at.client().act("key", key="ok")["accepted"]
        assert first.act("key", key="undo")["accepted"]


def test_who_may_act() -> None:
    here = os.geteuid()
    assert may_act(Peer(1, here, frozenset()), None)
    assert may_act(Peer(1, 0, frozenset()), None)
    assert not may_act(Peer(1, here + 1, frozenset({5})), None)
    assert not may_act(Peer(1, here + 1, frozenset({5})), 6)
    assert may_act(Peer(1, here + 1, frozenset({5, 6})), 6)


def test_the_kernel_says_who_has_connected() -> None:
    one, other = socket.socketpair()
    with one, other:
        peer = peer_of(one)
    assert (peer.pid, peer.user) == (os.getpid(), os.geteuid())
    assert peer.groups == {os.getegid(), *os.getgroups()}


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can become somebody else")
def test_another_user_reads_with_the_group_of_the_file_and_acts_with_that_of_the_configuration() -> None:
    script = (
        "import json, socket, sys; s = socket.socket(socket.AF_UNIX); s.connect(sys.argv[1])\n"
        's.sendall(b\'{"kind":"act","id":"1","act":"key","key":"ok"}\\n\')\n'
        "for line in s.makefile('rb'):\n"
        "    if (said := json.loads(line))['kind'] == 'answer': print(said.get('why', 'done')); break\n"
    )

    def result(*groups: int) -> str:
        words = ["setpriv", "--reuid=54321", "--regid=54321", f"--groups={','.join(map(str, groups))}"]
        done = subprocess.run(
            [*words, "/usr/bin/python3", "-c", script, str(path)], capture_output=True, text=True, check=False
        )
        return done.stdout.strip() or done.stderr.strip().rpartition("\n")[2]

    # Not in tmp_path: each start of pytest closes the folder of all runs to others.
    with TemporaryDirectory() as folder, table(Path(folder)) as at:
        at.socket._actors = 54323
        Path(folder).chmod(0o755)
        path = at.path
        os.chown(path, -1, 54322)
        assert "Permission denied" in result(54323)
        assert result(54322) == "not allowed"
        assert result(54322, 54323) == "done"


def test_the_file_is_for_the_group_and_goes_with_the_program(tmp_path: Path) -> None:
    with table(tmp_path) as at:
        assert stat.S_IMODE(at.path.stat().st_mode) == 0o660
        assert [one.name for one in tmp_path.glob("*.sock*")] == ["table.sock"]
    assert not list(tmp_path.glob("*sock*"))


def test_a_file_that_a_dead_program_has_left_is_replaced(tmp_path: Path) -> None:
    path = tmp_path / "table.sock"
    dead = f"import socket; s = socket.socket(socket.AF_UNIX); s.bind({str(path)!r}); s.listen()"
    subprocess.run([sys.executable, "-c", dead], check=True)
    assert path.is_socket()
    with table(tmp_path) as at:
        assert at.client().known["page"]["name"] == "start"


def test_two_programs_do_not_take_each_others_place(tmp_path: Path) -> None:
    path = tmp_path / "table.sock"
    first = SocketListener(path)
    with pytest.raises(OSError, match="another program serves a table there"):
        SocketListener(path)
    assert path.is_socket()
    first.close()
    path.write_text("no socket", encoding="utf-8")
    with pytest.raises(OSError, match="no socket"):
        SocketListener(path)
    assert path.read_text(encoding="utf-8") == "no socket"


def test_a_program_removes_no_file_but_its_own(tmp_path: Path) -> None:
    path = tmp_path / "table.sock"
    first = SocketListener(path)
    path.unlink()
    second = SocketListener(path)
    first.close()
    assert path.is_socket()
    second.close()
    assert not path.exists()


def test_the_place_is_in_memory_for_a_service_and_else_beside_the_journal(tmp_path: Path) -> None:
    journal = tmp_path / "journal.sqlite"
    assert place({"RUNTIME_DIRECTORY": "/run/nimmt:/run/other"}, journal) == OF_THE_SERVICE
    assert place({"XDG_RUNTIME_DIR": "/run/user/1"}, journal) == tmp_path / "table.sock"


def test_a_path_of_any_length_will_do(tmp_path: Path) -> None:
    folder = tmp_path / ("long" * 40)
    folder.mkdir()
    with table(folder) as at:
        assert at.client().known["table"] is None
    with reachable(tmp_path) as address:
        assert address == str(tmp_path)


def test_where_nobody_plays_the_client_says_so(tmp_path: Path) -> None:
    with pytest.raises(CompanionError, match="no table answers at"):
        TableClient(tmp_path / "table.sock")
