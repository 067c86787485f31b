"""A card with two slots, and what U-Boot would start."""

import json
from dataclasses import dataclass, field
from pathlib import Path

from firmware.flashed import uboot_env
from firmware.flashed.slots import BootPartition

CONTENT = {
    "cmdline": b"quiet panic=10",
    "initrd": b"initrd" * 900,
    "kernel": b"kernel" * 5000,
    "root.sfs": bytes(range(256)) * 9000,
}


@dataclass
class FlashedCard:
    """The first partition in a folder; slot a runs and is confirmed, slot b holds an older version."""

    folder: Path
    mounted: list[str] = field(default_factory=list)
    free: int = 10_000_000

    def __post_init__(self) -> None:
        self.boot = self.folder / "boot"
        for slot, version in (("a", "0.8.0"), ("b", "0.7.0")):
            (self.boot / slot).mkdir(parents=True)
            for name, one in CONTENT.items():
                (self.boot / slot / name).write_bytes(one[: len(one) // 2])
            (self.boot / slot / "manifest.json").write_text(json.dumps({"version": version}))
        self.set_env({"bootcmd": "load mmc 0:1 0xa000000 boot.scr", "nimmt_slot": "a"})
        self.runs("a")

    @property
    def mark(self) -> Path:
        return self.folder / "on-trial"

    @property
    def version_file(self) -> Path:
        return self.folder / "version"

    @property
    def env(self) -> Path:
        return self.boot / "uboot.env"

    def set_env(self, variables: dict[str, str]) -> None:
        self.env.write_bytes(uboot_env.written(variables, 0x4000))

    def runs(self, slot: str) -> None:
        """Start this slot, as the initrd does."""
        (self.folder / "cmdline").write_text(f"console=tty0 nimmt.slot={slot} ro\n")
        self.version_file.write_text(f"{self.card.version(slot)}\n")
        self.mark.unlink(missing_ok=True)
        if f"nimmt_slot={'ab'.replace(slot, '')}\0".encode() in self.env.read_bytes():
            self.mark.touch()

    @property
    def card(self) -> BootPartition:
        return BootPartition(
            self.boot,
            self.folder / "cmdline",
            self.mark,
            self.version_file,
            lambda _, how: self.mounted.append(how),
            lambda _: self.free,
            lambda _: self.mounted.append("repaired"),
        )

    def u_boot_starts(self) -> str:
        """As the boot script does: the slot on trial once, else the confirmed one, else the other."""
        try:
            variables = uboot_env.read(self.env)
        except uboot_env.BadEnvironment:
            variables = {}
        confirmed = variables.get("nimmt_slot") or "a"
        for slot in (variables.get("nimmt_try", ""), confirmed, "ab".replace(confirmed, "")):
            folder = self.boot / slot
            if slot and not (folder / "broken").exists() and all((folder / one).is_file() for one in CONTENT):
                return slot
        raise AssertionError("nothing starts")

    def restart(self) -> str:
        """Start once more; U-Boot clears the trial first."""
        slot = self.u_boot_starts()
        variables = uboot_env.read(self.env)
        if variables.pop("nimmt_try", ""):
            self.set_env(variables)
        self.runs(slot)
        return slot

    def slot(self, name: str) -> dict[str, bytes]:
        return {file.name: file.read_bytes() for file in (self.boot / name).iterdir()}

    def whole(self) -> dict[str, bytes]:
        return {
            str(file.relative_to(self.boot)): file.read_bytes()
            for file in self.boot.rglob("*")
            if file.is_file()
        }
