"""The section `[socket]`: who may follow the table from other programs."""

from __future__ import annotations

from typing import Annotated

from companion.values import Value
from hardware.options import option


class SocketOptions(Value):
    """Which programs may follow the table ([table-socket.md](table-socket.md)), and act on it."""

    on: Annotated[
        bool,
        option(
            "whether other programs of this machine can follow the table, through the socket `table.sock` "
            "beside the journal, or in `/run/nimmt` for the service"
        ),
    ] = True
    group: Annotated[
        str,
        option(
            "the group whose members may follow the table, besides the user of the game; if empty, the group "
            "of that user"
        ),
    ] = ""
    act_group: Annotated[
        str,
        option(
            "the group whose members may also act on the table, as with keys and a scanner, besides the user "
            "of the game and root; to connect, they need `group` as well"
        ),
    ] = ""
