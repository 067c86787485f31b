"""Where lgpio leaves its files while it is loaded; GPIO itself is not known here.

lgpio makes a FIFO called `.lgd-nfy0` in the working directory when it is imported, and fails in one
that it may not write (systemd's "/"). With `LG_WD` set it goes there instead, and takes the whole process
along: it calls chdir() (lg 0.2.2, lgUtil.c, lguGetWorkDir;
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
    """Import lgpio, and set up what all its users share, inside of this; the others wait for you.

    `LG_WD` is respected where it is set; else lgpio gets a private folder, which is gone afterwards: the
    FIFO is open at both ends by then and needs no name. The working directory is the old one again
    afterwards. (Code in another thread that uses a relative path meanwhile would miss: paths are absolute.)
    Raises `OSError` where there is no room for temporary files.
    """
    with _ONE_AT_A_TIME:
        if "lgpio" in sys.modules:
            yield
            return
        given = os.environ.get("LG_WD")
        folder = given or tempfile.mkdtemp(prefix="nimmt-lgpio-")
        # By descriptor: the folder we are in may have no name any more.
        home = os.open(".", os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        try:
            Path(folder).mkdir(parents=True, exist_ok=True)
            os.environ["LG_WD"] = folder
            yield
        finally:
            os.fchdir(home)
            os.close(home)
            if given is None:
                os.environ.pop("LG_WD", None)
                shutil.rmtree(folder, ignore_errors=True)
