"""The encrypted page: its certificate, a port of its own, and connections that ask for nothing."""

import hashlib
import http.client
import json
import socket
import ssl
import threading
import time
from contextlib import ExitStack, suppress
from pathlib import Path

import pytest
import zxingcpp

from companion.text.errors import CompanionError
from firmware.config.sections import ScreenOptions
from firmware.display.canvas import Canvas
from firmware.extensions.phones.paired_phones import KnownPhone
from firmware.extensions.phones.table import Certificate as CertificatePage
from firmware.extensions.phones.table import ListPhones, Pairing
from firmware.loop.react import handle_message
from firmware.screens.parts.kinds import Menu
from hardware.ports import Key, KeyPressed
from network.web import certificate as certificates
from network.web import connections, server
from network.web.certificate import LASTS_DAYS, RENEWED_S, OwnCertificate
from tests.firmware.display.read_canvas import ReadCanvas
from tests.firmware.evening import device
from tests.firmware.extensions.phones.at_table import fingerprint_of, open_phones
from tests.network.web.served import QUICK, served
from tests.patience import PATIENCE_S, comes

_DAY_S = 86_400


def test_a_certificate_is_kept_and_renewed_before_it_ends(tmp_path: Path) -> None:
    file, now_s = tmp_path / "folder" / "certificate.pem", [time.time()]
    made = OwnCertificate(file, ("nimmt", "Nimmt.local", "<bad name>"), lambda: now_s[0])
    first, since_s, until_s = made.fingerprint, made.since_s, made.until_s
    assert until_s - since_s == LASTS_DAYS * _DAY_S
    pem = file.read_text()
    der = ssl.PEM_cert_to_DER_cert(pem[pem.index("-----BEGIN CERTIFICATE") :])
    assert first == hashlib.sha256(der).hexdigest().upper()
    assert file.stat().st_mode & 0o777 == 0o600
    assert [one.name for one in file.parent.iterdir()] == [file.name]
    now_s[0] = until_s - RENEWED_S - 1
    assert not made.is_due()
    assert not made.renew()
    assert OwnCertificate(file, ("nimmt",), lambda: now_s[0]).fingerprint == first
    now_s[0] += 1
    assert made.is_due()
    assert made.renew()
    assert made.fingerprint != first
    second, now_s[0] = made.fingerprint, made.since_s
    assert OwnCertificate(file, ("nimmt", "nimmt.local"), lambda: now_s[0]).fingerprint == second
    other = OwnCertificate(file, ("other.local",), lambda: now_s[0])
    assert other.fingerprint != second  # a name was missing
    file.write_text(file.read_text()[:300])  # the power failed while an older version wrote it
    last = OwnCertificate(file, ("other.local",), lambda: now_s[0])
    third, now_s[0] = last.fingerprint, last.since_s - 1  # the clock was ahead when it was made
    assert last.is_due()
    assert last.renew()
    assert last.fingerprint != third


def test_the_display_has_the_fingerprint_after_a_renewal(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(server, "LOOKED_AT_EVERY_S", 0.02)
    ahead_s = [0.0]
    own = OwnCertificate(tmp_path / "certificate.pem", (), lambda: time.time() + ahead_s[0])
    first = own.fingerprint
    with served(tmp_path, certificate=own) as at:
        table = at.table

        def is_told() -> bool:
            table.home()  # the table hears what it is told
            return fingerprint_of(table) == own.fingerprint

        assert comes(is_told)
        ahead_s[0] = own.until_s - time.time()
        assert comes(lambda: own.fingerprint != first)
        ahead_s[0] = 0.0
        assert comes(is_told)


def test_the_display_shows_the_fingerprint_as_a_code_and_in_digits(tmp_path: Path) -> None:
    with device(tmp_path, screen=ScreenOptions(language="fa")) as at:
        fingerprint = hashlib.sha256(b"certificate").hexdigest().upper()
        phones = (KnownPhone("a", "Sara"), KnownPhone("b", "تلفن"))
        handle_message(at.table, ListPhones(kind="act", phones=phones, fingerprint=fingerprint), 0.0)
        handle_message(at.table, ListPhones(kind="act", phones=phones), 0.0)
        page = CertificatePage(fingerprint)
        open_phones(at.table)
        menu = at.table.front
        assert isinstance(menu, Menu)
        assert len(menu.items) == 4
        for key in (Key.DOWN, Key.DOWN, Key.DOWN, Key.OK):
            handle_message(at.table, KeyPressed(key), 0.0)
        assert at.table.front == page
        code, digits = Canvas(128, 64), ReadCanvas()
        at.table.front.draw(code, at.runtime.session)
        [read] = zxingcpp.read_barcodes(code.image().convert("L").resize((512, 256)))
        assert read.text == fingerprint
        handle_message(at.table, KeyPressed(Key.ROW_1), 0.0)
        at.table.front.draw(digits, at.runtime.session)
        groups = [fingerprint[at_ : at_ + 8] for at_ in range(0, 64, 8)]
        lines = [f"{one} {two}" for one, two in zip(groups[::2], groups[1::2], strict=True)]
        assert [words for words in digits.words if words in lines] == lines


def test_the_code_of_the_display_opens_join_where_the_address_of_the_page_is_known(tmp_path: Path) -> None:
    with device(tmp_path) as at:
        address = "http://192.168.178.120:8066"
        handle_message(at.table, ListPhones(kind="act", phones=(), address=address), 0.0)
        open_phones(at.table)
        handle_message(at.table, KeyPressed(Key.OK), 0.0)
        page, canvas = at.table.front, Canvas(128, 64)
        assert isinstance(page, Pairing)
        page.draw(canvas, at.runtime.session)
        [read] = zxingcpp.read_barcodes(canvas.image().convert("L").resize((512, 256)))
        assert read.text == f"{address}/join?code={page.code}"


def test_without_openssl_the_fault_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(certificates, "OPENSSL", str(tmp_path / "nothing"))
    with pytest.raises(CompanionError, match="no certificate"):
        OwnCertificate(tmp_path / "certificate.pem", (), time.time)


def test_a_second_port_answers_encrypted_and_their_phones_are_kept_apart(tmp_path: Path) -> None:
    own = OwnCertificate(tmp_path / "certificate.pem", ("nimmt.local",), time.time)
    with served(tmp_path, certificate=own, table=QUICK) as at:
        der = ssl.PEM_cert_to_DER_cert(ssl.get_server_certificate(("127.0.0.1", at.encrypted_port)))
        assert hashlib.sha256(der).hexdigest().upper() == own.fingerprint
        assert at.ask("GET", "/")[0] == 200
        code = at.code()
        table = at.table
        assert comes(lambda: fingerprint_of(table) == own.fingerprint)
        trusting = ssl.create_default_context(cadata=ssl.DER_cert_to_PEM_cert(der))
        plain, encrypted = f"http://127.0.0.1:{at.port}", f"https://127.0.0.1:{at.encrypted_port}"

        def ask(method: str, path: str, what: object, **headers: str) -> http.client.HTTPResponse:
            connection = http.client.HTTPSConnection("127.0.0.1", at.encrypted_port, context=trusting)
            own_headers = {"Origin": encrypted, "Content-Type": "application/json"}
            connection.request(method, path, json.dumps(what), {**own_headers, **headers})
            answer = connection.getresponse()
            answer.read()
            connection.close()
            return answer

        sent = {"code": code, "name": "phone"}
        assert ask("POST", "/pair", sent, Origin=plain).status == 403  # of the page that anybody can change
        cookie = ask("POST", "/pair", sent).headers["set-cookie"]
        assert cookie.startswith("__Host-nimmt=")
        assert "Secure" in cookie
        cookie = cookie.partition(";")[0]
        key = {"act": "key", "key": "undo"}
        assert ask("POST", "/act", key, Cookie=cookie).status == 200
        assert at.ask("POST", "/act", key, Cookie=cookie)[0] == 403  # it was sent for everybody to read


def test_a_connection_that_asks_for_nothing_is_ended(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connections, "FIRST_S", 0.2)
    own = OwnCertificate(tmp_path / "certificate.pem", (), time.time)
    with served(tmp_path, certificate=own) as at, ExitStack() as slow:
        made = []
        for port in (at.port, at.encrypted_port):
            for sent in (b"", b"G", b"GET / HTTP/1.1\r\nHost: nimmt.local\r\n", b"\x16\x03\x01"):
                made.append(slow.enter_context(socket.create_connection(("127.0.0.1", port))))
                made[-1].sendall(sent)
        assert all(map(_ends, made))
        assert at.ask("GET", "/")[0] == 200


def test_without_a_certificate_the_port_for_encrypted_pages_ends_connections(tmp_path: Path) -> None:
    with served(tmp_path) as at, socket.create_connection(("127.0.0.1", at.encrypted_port)) as one:
        assert _ends(one)


def _ends(connection: socket.socket) -> bool:
    """Whether the other side ends a connection; else a `TimeoutError`."""
    connection.settimeout(PATIENCE_S)
    with suppress(ConnectionResetError):
        while connection.recv(1000):
            pass
    return True


def test_a_connection_with_half_a_request_is_ended(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connections, "NEXT_S", 0.2)
    with served(tmp_path) as at, socket.create_connection(("127.0.0.1", at.port)) as slow:
        slow.sendall(b"GET /manifest.webmanifest HTTP/1.1\r\nHost: localhost\r\n\r\n")
        assert slow.recv(4).startswith(b"HTTP")
        slow.sendall(b"GET / HTTP/1.1\r\n")
        assert _ends(slow)
        watched = at.watch()  # whoever waits for an answer that goes on is not meant
        assert watched.status == 200
        next(iter(watched))
        threading.Event().wait(0.6)
        at.site.live.change()
        next(iter(watched))
        watched.close()
