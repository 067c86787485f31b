"""The page with as many threads and processes as its unit allows, counted by the kernel."""

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.network.web.served import Served
from tests.patience import comes

UNITS = Path(__file__).parents[3] / "systemd"
UNIT = UNITS / "web/usr/lib/systemd/system/nimmt-web.service.d/sandbox.conf"
GROUPS = [Path("/sys/fs/cgroup/pids"), Path("/sys/fs/cgroup")]


@contextmanager
def group_of(tasks: int) -> Iterator[Path]:
    """A group of processes that has at most so many tasks, as systemd makes one for a unit."""
    groups = next((groups for groups in GROUPS if (groups / "cgroup.procs").exists()), None)
    if groups is None or os.geteuid() != 0:
        pytest.skip("the kernel counts tasks for root only, where it has the controller pids")
    group = groups / f"nimmt-test-{os.getpid()}"
    try:
        group.mkdir()
        (group / "pids.max").write_text(str(tasks))
    except OSError as error:
        pytest.skip(f"the kernel counts no tasks here: {error}")
    try:
        yield group
    finally:
        assert comes(lambda: not (group / "cgroup.procs").read_text())
        group.rmdir()


def test_the_tasks_of_the_unit_are_enough_for_whatever_is_asked(at: Served) -> None:
    at.play_to(10)
    [tasks] = re.findall(r"^TasksMax=(\d+)$", UNIT.read_text(), re.MULTILINE)
    words = ["web", "--table", str(at.box.path), "--journal", str(next(at.folder.glob("*.sqlite")))]
    with group_of(int(tasks)) as group:
        into = f'echo $$ > {group}/cgroup.procs; exec "$@"'
        program = [sys.executable, "-m", "firmware.cli", *words, "--port", "0"]
        environ = os.environ | {"STATE_DIRECTORY": str(at.folder)}
        with subprocess.Popen(
            ["sh", "-c", into, "sh", *program], stdout=subprocess.PIPE, env=environ
        ) as running:
            assert running.stdout is not None
            try:
                at.port = int(running.stdout.readline().split(b":")[2].split(b"/")[0])
                paths = ("/join", "/live?language=en", "/records/1", "/records")

                def status(number: int) -> int:
                    client = f"127.0.0.{1 + number % 4}"
                    path = paths[number % len(paths)]
                    method = "HEAD" if path.startswith("/live") else "GET"
                    return at.ask(method, path, client=client, Cookie="nimmt_host=x")[0]

                with ThreadPoolExecutor(60) as pool:
                    answers = set(pool.map(status, range(300)))
            finally:
                running.terminate()
    assert answers <= {200, 429, 503}
    assert 200 in answers
