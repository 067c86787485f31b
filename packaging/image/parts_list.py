"""What is inside the image, as an SPDX 2.3 list: Debian's packages, libraries, fonts, our version."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime
from email.parser import HeaderParser
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from image.layout import ARCH

if TYPE_CHECKING:
    from image.lock import Package

_LIBRARIES: Final = "usr/lib/nimmt-companion/lib"
_OWN: Final = "nimmt-companion"
_BUNDLED: Final = re.compile(r"(.+)-[0-9a-f]{8}\.?(.*)\.so\.?(.*)")
"""The name, a checksum, and the version before or behind the ending."""
_FONTS: Final = (".bdf", ".ttf", ".otf")
_UNKNOWN: Final = "NOASSERTION"
_LICENCE: Final = re.compile(r"[A-Za-z0-9.+-]+(?: (?:AND|OR|WITH) [A-Za-z0-9.+-]+)*")
"""Expressions that SPDX can read. What a library writes instead, such as "BSD License", is not one."""
_WORDS: Final = {"MIT License": "MIT", "BSD": _UNKNOWN, "Apache 2.0": "Apache-2.0"}


@dataclass(frozen=True, slots=True)
class Item:
    """One thing inside: `url` is a package URL such as pkg:pypi/pillow@12, `licence` an SPDX expression."""

    kind: str
    name: str
    version: str
    licence: str = _UNKNOWN
    url: str = ""

    @property
    def identity(self) -> str:
        return "SPDXRef-" + re.sub(r"[^A-Za-z0-9.]+", "-", f"{self.kind}-{self.name}-{self.version}")


def debian(packages: Iterable[Package]) -> list[Item]:
    """The parts that are packages of Debian. Their licences are in /usr/share/doc/NAME/copyright."""
    urls = {deb: f"pkg:deb/debian/{deb.name}@{_escaped(deb.version)}?arch={ARCH}" for deb in packages}
    return [Item("debian", deb.name, deb.version, url=url) for deb, url in urls.items() if deb.name != _OWN]


def libraries(root: Path) -> list[Item]:
    """The Python libraries in our package, and the program itself; `root` is the root of the box."""
    found = []
    for file in sorted((root / _LIBRARIES).glob("python3.*/site-packages/*.dist-info/METADATA")):
        metadata = HeaderParser().parsestr(file.read_text(encoding="utf-8"))
        name, version = str(metadata["Name"]), str(metadata["Version"])
        licence = str(metadata.get("License-Expression") or metadata.get("License") or "").strip()
        licence = _WORDS.get(licence, licence)
        if not _LICENCE.fullmatch(licence):
            licence = _UNKNOWN
        url = f"pkg:pypi/{name.lower().replace('_', '-')}@{_escaped(version)}" if name != _OWN else ""
        found.append(Item("python", name, version, licence, url))
    return found


def bundled(root: Path) -> list[Item]:
    """What these libraries have brought along, by the names of its files: FFmpeg with OpenCV, say."""
    files = (root / _LIBRARIES).glob("python3.*/site-packages/*.libs/*")
    named = sorted({found.groups() for file in files if (found := _BUNDLED.fullmatch(file.name))})
    return [Item("bundled", name, version or ending) for name, version, ending in named]


def fonts(root: Path) -> list[Item]:
    """The letters in our package, each file by its hash."""
    files = {file.name: file for file in sorted((root / _LIBRARIES).rglob("*")) if file.suffix in _FONTS}
    return [
        Item("font", name, hashlib.sha256(file.read_bytes()).hexdigest()[:16]) for name, file in files.items()
    ]


def document(name: str, version: str, parts: Iterable[Item], epoch: int) -> bytes:
    """The list as JSON; the same parts give the same bytes."""
    listed = sorted(parts, key=lambda part: part.identity)
    content = [_described(part) for part in listed]
    seal = hashlib.sha256(json.dumps(content).encode()).hexdigest()[:32]
    image = "SPDXRef-image"
    packages = [
        {
            **_described(Item("image", name, version)),
            "SPDXID": image,
            "primaryPackagePurpose": "OPERATING-SYSTEM",
        },
        *content,
    ]
    relations = [("SPDXRef-DOCUMENT", "DESCRIBES", image)]
    relations += [(image, "CONTAINS", part.identity) for part in listed]
    metadata = {
        "spdxVersion": "SPDX-2.3",
        "dataLicense": "CC0-1.0",
        "SPDXID": "SPDXRef-DOCUMENT",
        "name": f"{name}-{version}",
        "documentNamespace": f"urn:nimmt-companion:{name}:{version}:{seal}",
        "creationInfo": {
            "created": datetime.fromtimestamp(epoch, UTC).strftime("%Y-%m-%dT%H:%M:%SZ"),
            "creators": ["Tool: nimmt-companion-image"],
        },
        "packages": packages,
        "relationships": [
            {"spdxElementId": element, "relationshipType": kind, "relatedSpdxElement": other}
            for element, kind, other in relations
        ],
    }
    return json.dumps(metadata, indent=1).encode() + b"\n"


def _described(part: Item) -> dict[str, Any]:
    described: dict[str, Any] = {
        "SPDXID": part.identity,
        "name": part.name,
        "versionInfo": part.version,
        "downloadLocation": _UNKNOWN,
        "filesAnalyzed": False,
        "licenseConcluded": _UNKNOWN,
        "licenseDeclared": part.licence,
        "copyrightText": _UNKNOWN,
    }
    if part.url:
        other = {
            "referenceCategory": "PACKAGE-MANAGER",
            "referenceType": "purl",
            "referenceLocator": part.url,
        }
        described["externalRefs"] = [other]
    return described


def _escaped(version: str) -> str:
    return version.replace("%", "%25").replace("+", "%2B").replace(":", "%3A").replace("~", "%7E")
