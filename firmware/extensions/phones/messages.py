"""What the page that lets phones act tells the table through its socket."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, ClassVar, Final

from companion.text.errors import quoted
from firmware.extensions.phones.paired_phones import KnownPhone, known
from firmware.play.extension import SocketAct
from firmware.table_socket.acts import MalformedLine, read_code
from firmware.table_socket.forms import CODE, STRING, list_of, object_of
from hardware.ports import ExtensionMessage

if TYPE_CHECKING:
    from collections.abc import Mapping

_FINGERPRINT: Final = re.compile(r"(?:[0-9A-F]{64})?")
_ADDRESS: Final = re.compile(r"(?:https?://[A-Za-z0-9.:\[\]-]{1,60})?")


class CodeTyped(ExtensionMessage, frozen=True):
    """Somebody typed the code that the display shows, or another one, on a device that wants to be let in."""

    IS_INPUT: ClassVar[bool] = True
    code: str


class PhonesTold(ExtensionMessage, frozen=True):
    """The page that lets phones in tells which there are.

    `fingerprint` is that of the page's certificate, 64 hexadecimal digits, or empty; `address` where phones
    find the page, such as http://192.168.1.20:8066, or empty. None: it is not told.
    """

    phones: tuple[KnownPhone, ...]
    fingerprint: str | None = None
    address: str | None = None


def _read_code(record: Mapping[str, Any]) -> CodeTyped:
    return CodeTyped(read_code(record, "code"))


def _read_phones(record: Mapping[str, Any]) -> PhonesTold:
    given, fingerprint = record.get("phones"), record.get("fingerprint")
    phones = known(given)
    if not isinstance(given, list) or len(phones) != len(given):
        raise MalformedLine("'phones' is no list of phones", 'use up to 20 of {"id": "...", "name": "..."}')
    if fingerprint is not None and (
        not isinstance(fingerprint, str) or not _FINGERPRINT.fullmatch(fingerprint)
    ):
        raise MalformedLine(f"'fingerprint' is {quoted(fingerprint)}", "use 64 hexadecimal digits, or none")
    address = record.get("address")
    if address is not None and (not isinstance(address, str) or not _ADDRESS.fullmatch(address)):
        raise MalformedLine(
            f"'address' is {quoted(address)}", "use one such as http://192.168.1.20:8066, or none"
        )
    return PhonesTold(phones, fingerprint, address)


_PHONES: Final = {"phones": list_of(object_of({"id": STRING, "name": STRING}))}

ACTS: Final[Mapping[str, SocketAct]] = {
    "pair": SocketAct(_read_code, {"code": CODE}),
    "phones": SocketAct(_read_phones, _PHONES, {"fingerprint": STRING, "address": STRING}, owned=True),
}
