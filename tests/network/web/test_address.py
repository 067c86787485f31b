"""Where other machines find the page: told to the table, whose code of a result leads there."""

import socket
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from network.web.server import address_for_others, listening
from tests.network.web.served import served
from tests.patience import comes


@pytest.mark.parametrize(
    ("at", "found"),
    [
        ("127.0.0.1", ""),
        ("192.168.1.20", "http://192.168.1.20:8066"),
        ("fd00::20", "http://[fd00::20]:8066"),
    ],
)
def test_a_page_on_one_address_is_found_there_unless_only_this_machine_has_it(at: str, found: str) -> None:
    listener: Any = SimpleNamespace(getsockname=lambda: (at, 8066))
    assert address_for_others(listener) == found


class _Outwards(socket.socket):
    """A socket of a machine that has one network, or none."""

    network = "192.168.7.5"

    def connect(self, _address: object, /) -> None:
        if not self.network:
            raise OSError(101, "Network is unreachable")

    def getsockname(self) -> tuple[str, int]:
        return self.network, 40_000


def test_a_page_on_every_address_is_found_at_that_of_the_network(monkeypatch: pytest.MonkeyPatch) -> None:
    [listener] = listening("0.0.0.0", [0], {})  # noqa: S104 - nobody connects to it
    with listener:
        port = listener.getsockname()[1]
        monkeypatch.setattr(socket, "socket", _Outwards)
        assert address_for_others(listener) == f"http://192.168.7.5:{port}"
        monkeypatch.setattr(_Outwards, "network", "")
        assert address_for_others(listener) == ""


def test_the_table_is_told_of_it_and_of_another_one_after_the_next_step(tmp_path: Path) -> None:
    addresses = ["http://192.168.7.5:8066"]
    with served(tmp_path, address=lambda: addresses[-1]) as at:
        session = at.session

        def is_told() -> bool:
            at.table.home()  # the table hears what it is told
            return session.state.match_address(1) == f"{addresses[-1]}/records/1"

        assert comes(is_told)
        addresses.append("http://10.0.0.9:8066")
        players = at.begin("six", 3)
        assert at.next(players)
        assert comes(lambda: (at.next(players), is_told())[1])  # also once the match is over
