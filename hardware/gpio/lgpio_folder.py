"""Gives lgpio a folder for its files while it is imported.

lgpio makes a FIFO called `.lgd-nfy0` in the working directory when it is imported, and fails where it must
not write (systemd starts programs in "/"). With `LG_WD` set it uses that folder instead, but changes the
working directory of the whole process to it: it calls chdir() (lg 0.2.2, lgUtil.c, lguGetWorkDir;
https://github.com/gpiozero/gpiozero/issues/1106, https://github.com/joan2937/lg/issues/22).
"""

from __future__ import annotations

import contextlib
import os
import shutil
import sys
import tempfile
import threading
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

_ONE_AT_A_TIME = threading.Lock()


@contextlib.contextmanager
def lgpio_folder() -> Iterator[None]:
    """Import lgpio inside of this, and make what all its users share; other threads wait.

    `LG_WD` is used where it is set; else lgpio gets a private folder, which is deleted afterwards: the FIFO
    is open at both ends by then and needs no name. Afterwards the working directory is the old one again. (In
    between, relative paths of other threads would lead elsewhere; the program uses absolute ones.) Raises
    `OSError` where no temporary folder can be made.
    """
    with _ONE_AT_A_TIME:
        if "lgpio" in sys.modules:
            yield
            return
        configured = os.environ.get("LG_WD")
        folder = configured or tempfile.mkdtemp(prefix="nimmt-lgpio-")
        # By descriptor: the working directory may have been deleted, and has no name then.
        before = os.open(".", os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        try:
            Path(folder).mkdir(parents=True, exist_ok=True)
            os.environ["LG_WD"] = folder
            yield
        finally:
            os.fchdir(before)
            os.close(before)
            if configured is None:
                os.environ.pop("LG_WD", None)
                shutil.rmtree(folder, ignore_errors=True)
