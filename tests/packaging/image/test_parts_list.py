"""The parts list: what SPDX 2.3 asks of a document, and that nothing is missing from it."""

import json
import re
from pathlib import Path

import pytest
from image import parts_list
from image.lock import Package

from tests.packaging.image.debian_tools import EPOCH

SITE = "usr/lib/nimmt-companion/lib/python3.13/site-packages"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A root with three libraries and a font."""
    for name, version, said in (
        ("pillow", "12.0.0", "License-Expression: MIT-CMU"),
        ("luma.oled", "3.16", "License: MIT License"),
        ("odd", "1+x", "License: a text\n of two lines"),
    ):
        folder = tmp_path / SITE / f"{name}-{version}.dist-info"
        folder.mkdir(parents=True)
        (folder / "METADATA").write_text(f"Metadata-Version: 2.4\nName: {name}\nVersion: {version}\n{said}\n")
    (tmp_path / SITE / "firmware").mkdir()
    (tmp_path / SITE / "firmware/letters.ttf").write_bytes(b"letters")
    return tmp_path


def test_the_list_is_what_spdx_asks_for_and_everything_is_in_it(root: Path) -> None:
    packages = [Package("libc6", "2.41-12"), Package("u-boot-rpi", "1:2025.01-3+deb13u1")]
    parts = [*parts_list.debian(packages), *parts_list.libraries(root), *parts_list.fonts(root)]
    made = parts_list.document("image", "1.2.3", parts, EPOCH)
    assert made == parts_list.document("image", "1.2.3", reversed(parts), EPOCH)
    document = json.loads(made)
    found = {(part["name"], part["versionInfo"], part["licenseDeclared"]) for part in document["packages"]}
    assert found >= {
        ("image", "1.2.3", "NOASSERTION"),
        ("libc6", "2.41-12", "NOASSERTION"),
        ("pillow", "12.0.0", "MIT-CMU"),
        ("luma.oled", "3.16", "MIT"),
        ("odd", "1+x", "NOASSERTION"),
    }
    assert "letters.ttf" in {name for name, *_ in found}
    assert document["spdxVersion"] == "SPDX-2.3"
    assert document["dataLicense"] == "CC0-1.0"
    assert document["SPDXID"] == "SPDXRef-DOCUMENT"
    assert re.fullmatch(r"[a-z]+:[^#\s]+", document["documentNamespace"])
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", document["creationInfo"]["created"])
    assert all(re.fullmatch(r"Tool: \S+", who) for who in document["creationInfo"]["creators"])
    identities = [part["SPDXID"] for part in document["packages"]]
    assert len(set(identities)) == len(identities)
    for part in document["packages"]:
        assert re.fullmatch(r"SPDXRef-[A-Za-z0-9.-]+", part["SPDXID"])
        assert {"name", "downloadLocation", "filesAnalyzed", "licenseConcluded", "copyrightText"} <= set(part)
        for other in part.get("externalRefs", []):
            assert other["referenceCategory"] == "PACKAGE-MANAGER"
            assert re.fullmatch(r"pkg:(deb/debian|pypi)/[a-z0-9.+-]+@[^\s:+~]+", other["referenceLocator"])
