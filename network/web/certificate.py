"""The machine's own certificate, for `[web] tls = "own"`: made once, kept, and renewed before it ends.

Nobody vouches for it, so a browser warns of it once. Whoever wants to be sure compares the fingerprint that
the browser tells with the one on the display: nobody in the network can change that.

openssl makes it. It is small, and on the box already, where it checks the signatures of updates; a Python
library that makes certificates brings ten megabytes of compiled code. Python itself can only use one.
"""

import hashlib
import re
import ssl
import subprocess
from collections.abc import Callable, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from companion.text.errors import CompanionError
from firmware.bounded_file import keep

OPENSSL: Final = "/usr/bin/openssl"

LASTS_DAYS: Final = 397
"""Some browsers take no certificate of a server that lasts much more than a year."""

RENEWED_S: Final = 30 * 86_400
"""So long before its end it is renewed."""

_NAME: Final = re.compile(r"[a-z0-9-]+(?:\.[a-z0-9-]+)*")
_MAX_NAMES: Final = 50
_OPENSSL_S: Final = 300  # it needs less than a second of a processor: only one that hangs takes so long

_REQUEST: Final = """\
[req]
prompt = no
distinguished_name = name
x509_extensions = server
[name]
CN = nimmt
[server]
basicConstraints = critical, CA:FALSE
keyUsage = critical, digitalSignature
extendedKeyUsage = serverAuth
subjectAltName = {names}
"""


class OwnCertificate:
    """The certificate in a file, with its key. Blocks; raises `CompanionError` where none can be made.

    `names` are those of the machine. `now_s` is the time of day, in seconds since 1970.
    """

    def __init__(self, file: Path, names: Sequence[str], now_s: Callable[[], float]) -> None:
        self._file = file
        self._names = _usable(names)
        self._now_s = now_s
        self.context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        """For whoever serves; connections that begin after a renewal have the new certificate."""
        self.context.minimum_version = ssl.TLSVersion.TLSv1_2
        self.fingerprint = ""
        """SHA-256 of the certificate as browsers show it: 64 hexadecimal digits, in capitals."""
        self.since_s, self.until_s = 0.0, 0.0
        """From when until when it counts, in seconds since 1970."""
        self.renew()

    def is_due(self) -> bool:
        """Whether it is about to end, or does not count yet: then the clock was wrong when it was made."""
        return not self.since_s <= self._now_s() < self.until_s - RENEWED_S

    def renew(self) -> bool:
        """Make a new one if there is none, it is about to end, or a name is missing; whether one was made."""
        is_made = not self._serves()
        try:
            if is_made:
                self._make()
                self._read_dates()
            pem = self._file.read_text()
            self.context.load_cert_chain(self._file)
        except (OSError, ValueError) as bad:  # ssl.SSLError is an OSError
            raise CompanionError(f"the page has no certificate: {bad}", "install openssl") from bad
        der = ssl.PEM_cert_to_DER_cert(pem[pem.index("-----BEGIN CERTIFICATE-----") :])
        self.fingerprint = hashlib.sha256(der).hexdigest().upper()
        return is_made

    def _serves(self) -> bool:
        """Whether the kept one can be used for some time."""
        try:
            names = self._read_dates()
            ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER).load_cert_chain(self._file)
        except (OSError, ValueError):
            return False
        return not self.is_due() and names >= set(self._names)

    def _read_dates(self) -> set[str]:
        """Note the dates of the kept one; gives its names. Raises `OSError`, `ValueError`."""
        told = openssl("x509", "-in", str(self._file), "-noout", "-dates", "-ext", "subjectAltName")
        dates = dict(re.findall(r"^(notBefore|notAfter)=(.+)$", told, re.MULTILINE))
        since, until = dates.get("notBefore", ""), dates.get("notAfter", "")
        self.since_s, self.until_s = ssl.cert_time_to_seconds(since), ssl.cert_time_to_seconds(until)
        return set(re.findall(r"DNS:([^,\s]+)", told))

    def _make(self) -> None:
        folder = self._file.parent
        folder.mkdir(parents=True, exist_ok=True)
        alternatives = ", ".join([*(f"DNS:{name}" for name in self._names), "IP:127.0.0.1", "IP:::1"])
        with TemporaryDirectory(prefix=".certificate.", dir=folder) as made:  # nobody else may look into it
            request, key, certificate = (Path(made) / name for name in ("request", "key", "certificate"))
            request.write_text(_REQUEST.format(names=alternatives))
            openssl(
                *("req", "-x509", "-new", "-config", str(request), "-days", str(LASTS_DAYS), "-nodes"),
                *("-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256"),
                *("-keyout", str(key), "-out", str(certificate)),
            )
            keep(key.read_bytes() + certificate.read_bytes(), self._file)


def _usable(names: Sequence[str]) -> list[str]:
    """The names that can stand in a certificate, each once; at least one."""
    found = dict.fromkeys(name.lower() for name in (*names, "localhost"))
    return [name for name in found if _NAME.fullmatch(name)][:_MAX_NAMES]


def openssl(*words: str) -> str:
    """What openssl says. Raises `OSError` where it is missing, takes too long, or says no."""
    try:
        done = subprocess.run(  # noqa: S603 - no word comes from outside
            [OPENSSL, *words], capture_output=True, text=True, timeout=_OPENSSL_S, check=False
        )
    except subprocess.TimeoutExpired as late:
        raise OSError(str(late)) from late
    if done.returncode:
        raise OSError(done.stderr.strip().rpartition("\n")[2] or "openssl")
    return done.stdout
