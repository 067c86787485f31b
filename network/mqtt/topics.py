"""The names of the topics: `nimmt/<table>/<name>`, one level for the table and one for what it is about.

The name of a table is also the name by which it logs in at the broker, so that the broker can see to it that
nobody writes below the topic of another table.
"""

import re
from typing import Final

ROOT: Final = "nimmt"

ONLINE: Final = "online"
"""From the table, retained, also its last will: `payloads.Online`."""
STATE: Final = "state"
"""From the table, retained: `payloads.State`."""
EVENT: Final = "event"
"""From the table, each step of a match: `payloads.Event`."""
RESULT: Final = "result"
"""From the table, retained: `payloads.Result`."""
REGISTERED: Final = "registered"
"""From the table, retained: `payloads.Registered`."""
HAVE: Final = "have"
"""From a hub, retained: `payloads.Have`."""
SEATS: Final = "seats"
"""From a hub, retained: `payloads.Seats`; an empty message takes it away."""
PRESS: Final = "press"
"""From anybody who may press a key, if the table allows it: `payloads.Press`."""

OF_THE_TABLE: Final = (ONLINE, STATE, EVENT, RESULT, REGISTERED)
"""What a table says."""
FOR_THE_TABLE: Final = (HAVE, SEATS, PRESS)
"""What a table hears."""

HOME_ASSISTANT: Final = "homeassistant"
HOME_ASSISTANT_STATUS: Final = f"{HOME_ASSISTANT}/status"

_NAME: Final = re.compile(r"[a-z0-9][a-z0-9-]{0,31}")


def is_table_name(text: str) -> bool:
    """Whether a table can have this name: letters from a to z, digits and hyphens, up to 32."""
    return _NAME.fullmatch(text) is not None


def table_topic(table: str, name: str) -> str:
    return f"{ROOT}/{table}/{name}"


def every_table(name: str) -> str:
    """The filter for the same topic of every table."""
    return table_topic("+", name)


def of_table(topic: str) -> tuple[str, str] | None:
    """The table and the name of a topic; None for one that no table has."""
    match topic.split("/"):
        case [root, table, name] if root == ROOT and name in (*OF_THE_TABLE, *FOR_THE_TABLE):
            return (table, name) if is_table_name(table) else None
    return None


def discovery_topic(table: str) -> str:
    """Where Home Assistant learns of a table."""
    return f"{HOME_ASSISTANT}/device/nimmt-{table}/config"
