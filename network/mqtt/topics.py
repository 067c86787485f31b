"""The names of the topics: `nimmt/<table>/<name>`, one level for the table and one for what it is about.

The name of a table is also the name by which it logs in at the broker, so that the broker can see to it that
nobody writes below the topic of another table. What is published on each: `payloads.OF_TOPIC`, docs/mqtt.md.
"""

import re
from typing import Final

ROOT: Final = "nimmt"

ONLINE: Final = "online"
STATE: Final = "state"
EVENT: Final = "event"
RESULT: Final = "result"
REGISTERED: Final = "registered"
HAVE: Final = "have"
SEATS: Final = "seats"
PRESS: Final = "press"

RETAINED: Final = (STATE, RESULT, REGISTERED, ONLINE)
OF_THE_TABLE: Final = (*RETAINED, EVENT)
FOR_THE_TABLE: Final = (HAVE, SEATS, PRESS)

NAME: Final = re.compile(r"[a-z0-9][a-z0-9-]{0,31}")
"""Of a table."""


def table_topic(table: str, name: str) -> str:
    """The topic of a table; with `+` as the table the filter for every table."""
    return f"{ROOT}/{table}/{name}"


def of_table(topic: str) -> tuple[str, str] | None:
    """The table and the name of a topic; None for one that no table has."""
    match topic.split("/"):
        case [root, table, name] if root == ROOT and name in (*OF_THE_TABLE, *FOR_THE_TABLE):
            return (table, name) if NAME.fullmatch(table) else None
    return None


def discovery_topic(prefix: str, client: str) -> str:
    """Where Home Assistant learns of a box, whatever its table is called."""
    return f"{prefix}/device/{client}/config"
