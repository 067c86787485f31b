"""Reading what strangers have made without the rights of root."""

import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any, Final

NOBODY: Final = 65534
"""The user and group that own nothing: Debian Policy, 9.2.2."""


@contextmanager
def without_rights() -> Iterator[None]:
    """Be nobody while the block runs, all threads of this process; who is not root stays who it is.

    Raises `OSError`.
    """
    if os.geteuid():
        yield
        return
    group, groups = os.getegid(), os.getgroups()
    os.setgroups(())
    try:
        os.setegid(NOBODY)
        os.seteuid(NOBODY)
        yield
    finally:
        os.seteuid(0)
        os.setegid(group)
        os.setgroups(groups)


def of_nobody() -> Mapping[str, Any]:
    """Arguments for `subprocess.run`: a program of root's is then one of nobody's, for good."""
    return {} if os.geteuid() else {"user": NOBODY, "group": NOBODY, "extra_groups": ()}
