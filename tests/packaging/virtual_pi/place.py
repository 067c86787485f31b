"""Where the virtual Pi stands: what is made once for all runs, how it is run here, how long it may take."""

import subprocess
import tempfile
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from tests.packaging.virtual_pi.box import Box
from tests.packaging.virtual_pi.card import card
from tests.packaging.virtual_pi.kernel import Kernel, kernel
from tests.systemd.trial import PACE
from tests.whole.scripted import Evening, evening

CACHE: Final = Path("build/virtual-pi")
INTERPRETED: Final = "tcg,thread=multi,tb-size=512"


class TimeIsUp(Exception):
    """The runs have taken as long as they may, or somebody wants them to end."""


@dataclass(frozen=True, slots=True)
class Place:
    """Everything a run needs; `until_s` is the end by `time.monotonic`, `stop` an earlier one."""

    kernel: Kernel
    image: Path
    accelerator: str
    until_s: float
    stop: threading.Event

    @contextmanager
    def box(self, seed: int) -> Iterator[tuple[Box, Evening]]:
        """A box that is off, fresh from the shop, and an evening for it. Nothing is left of it afterwards.

        Of one that has failed the last picture is left in the cache, as failed.png, and in failed.log what
        was scanned and pressed, and what the machine logged.
        """
        with tempfile.TemporaryDirectory(prefix="nimmt-pi-", dir="/var/tmp") as place:
            folder = Path(place)
            with Box(folder, self.kernel, self.image, seed, self.accelerator) as box:
                plan = evening(box.config, folder, seed)
                box.expect(plan)
                try:
                    yield box, plan
                except (AssertionError, TimeIsUp):
                    box.seen().save(CACHE / "failed.png")
                    told = "\n".join((*box.acts, box.machine.log()))
                    (CACHE / "failed.log").write_text(told, "utf-8")
                    raise

    def look_at_clock(self) -> None:
        """Raises `TimeIsUp`."""
        if self.stop.is_set() or time.monotonic() > self.until_s:
            raise TimeIsUp


def furnish(suite: str, debs: Sequence[Path], minutes: float) -> Place:
    """Make or find kernel and card. The minutes begin when that is done, and are longer on a busy machine."""
    made = kernel(suite, CACHE)
    image = card(suite, debs, made, CACHE)
    return Place(
        made, image, _accelerator(), time.monotonic() + PACE.patient_s(60 * minutes), threading.Event()
    )


def _accelerator() -> str:
    """KVM where QEMU can really use it; a file named /dev/kvm does not say so."""
    tried = subprocess.run(
        [
            *("qemu-system-x86_64", "-nodefaults", "-display", "none", "-M", "q35", "-cpu", "max"),
            *("-accel", "kvm", "-m", "32", "-qmp", "stdio"),
        ],
        input=b'{"execute": "qmp_capabilities"}\n{"execute": "quit"}\n',
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        check=False,
        timeout=PACE.patient_s(30),
    )
    return INTERPRETED if tried.returncode else "kvm"
