"""Every message that the table sends, declared; JSON, its reading and its schema follow.

What messages hold is described in docs/table-socket.md. What a client sends is in `acts`. An optional part
adds messages of its own: one for each value of `Extension.STATE`, which also stands in the snapshot.
"""

from typing import Any, Final, Literal, TypeAlias

from msgspec import UNSET, UnsetType, convert, defstruct
from msgspec.json import schema_components
from msgspec.structs import fields, replace

from companion.core.codec import learned, to_json
from companion.protocol.snapshot import Count, Localized, Number, Payload, PublicStep, TableSnapshot, sentence
from companion.text.errors import CompanionError
from firmware.config.keys import Problem
from firmware.play.table import installed
from firmware.service.health import Severity
from firmware.table_socket.acts import ACTS, SettingsRequest
from hardware.ports import Light, Signal

Why: TypeAlias = Literal["refused", "changed", "repeated", "busy", "not allowed", "malformed"]
"""Why an act was not accepted."""

NEWEST_STEPS: Final = 12
"""Steps in a snapshot."""


class SocketHello(Payload, tag="hello", tag_field="kind"):
    """The first message. `client` is the number of the connection."""

    protocol: Literal[1]
    program: str
    version: str
    may_act: bool
    client: Number


class PublicChange(Payload):
    """Whose points OK would change on the page in front."""

    seat: Count
    before: int
    after: int


class PublicPage(Payload):
    """The page in front."""

    name: str
    goes_on: bool
    joined: tuple[Number, ...] | None
    changes: tuple[PublicChange, ...]
    refusal: str
    covers: bool = False
    """Whether it lies over the open question, which is answered when it is closed."""
    title: str = ""


class PublicPicture(Payload):
    """The picture of the display, with how bright it is."""

    width: Number
    height: Number
    light: Light
    bits: bytes


class PublicIssue(Payload):
    """Something that is wrong with the device."""

    id: str
    part: str
    severity: Severity
    says: Localized
    fix: Localized
    link: str


class TableEvent(Payload, tag_field="kind"):
    """What is new; `number` counts events."""

    number: Count


class LanguageEvent(TableEvent, tag="language"):
    """The language of what is said, its digits and its calendar."""

    language: str
    digits: str
    calendar: str


class Snapshot(LanguageEvent, tag="snapshot"):
    """Everything; `number` is that of the newest event in it. Values of optional parts stand beside."""

    table: TableSnapshot | None
    steps: tuple[PublicStep, ...]
    """The newest ones that were not undone, the oldest first."""
    page: PublicPage
    notice: str
    picture: PublicPicture
    health: tuple[PublicIssue, ...]


class StepEvent(TableEvent, tag="step"):
    """A step of a match; `match` is its number in the journal."""

    match: Number | None
    step: PublicStep


class SignalEvent(TableEvent, tag="signal"):
    """What the buzzer tells."""

    signal: Signal


class RefusedEvent(TableEvent, tag="refused"):
    """Something was refused; `rule` is None where no rule forbids it."""

    rule: str | None
    fault: Localized
    fix: Localized


class Alive(TableEvent, tag="alive"):
    """The loop of the game turns. `number` is that of the newest event: this is none."""


class TableAnswer(Payload, tag="answer", tag_field="kind"):
    """What came of an act: the steps it led to, or why it was not accepted."""

    id: str
    accepted: bool
    steps: tuple[Number, ...]
    why: Why | UnsetType = UNSET
    rule: str | UnsetType | None = UNSET
    fault: Localized | UnsetType = UNSET
    fix: Localized | UnsetType = UNSET


class SettingsAnswer(Payload, tag="settings", tag_field="kind"):
    """The configuration file as it is, or why it was not changed."""

    id: str
    accepted: bool
    why: Why | UnsetType = UNSET
    fault: Localized | UnsetType = UNSET
    fix: Localized | UnsetType = UNSET
    problems: tuple[Problem, ...] | UnsetType = UNSET
    file: str | UnsetType = UNSET
    text: str | UnsetType = UNSET
    of: str | UnsetType = UNSET
    in_use: bool | UnsetType = UNSET
    can_restart: bool | UnsetType = UNSET


class LineError(Payload, tag="error", tag_field="kind"):
    """A line was no request."""

    fault: str
    fix: str


def _event(name: str, form: Any) -> Any:  # noqa: ANN401 - of any type, a class
    """The event that tells of another value in the snapshot: it has the same name there."""
    return defstruct(f"{name.title()}Event", [(name, form)], bases=(TableEvent,), tag=name)


_Events: TypeAlias = tuple[type[TableEvent], ...]
CHANGES: Final[_Events] = tuple(
    _event(field.name, field.type)
    for field in fields(Snapshot)
    if field.name in ("table", "page", "notice", "picture", "health")
)
EVENTS: Final[_Events] = (StepEvent, *CHANGES, SignalEvent, RefusedEvent, LanguageEvent, Alive)
SENT: Final = (SocketHello, Snapshot, *EVENTS, TableAnswer, SettingsAnswer, LineError)
"""Every message of a table without optional parts."""

_OF_KIND: Final[dict[object, Any]] = {event.__struct_config__.tag: event for event in EVENTS}


def in_english(bad: CompanionError) -> tuple[Localized, Localized]:
    """What is wrong and what to do, for who writes a client."""
    return sentence(bad.fault_text, str), sentence(bad.fix_text, str)


def line(record: Any) -> bytes:  # noqa: ANN401 - a message, or an object
    return to_json(record) + b"\n"


def after(snapshot: Snapshot | None, record: dict[str, Any]) -> Snapshot | None:
    """The snapshot as it is after a message of the table, read from JSON. Raises `ValueError`."""
    kind = record["kind"]
    if kind == "snapshot":
        return convert(record, learned(Snapshot))
    if snapshot is None or kind not in _OF_KIND:
        return snapshot
    event = convert(record, learned(_OF_KIND[kind]))
    if isinstance(event, StepEvent):
        return replace(snapshot, number=event.number, steps=_with(snapshot.steps, event.step))
    new = {name: getattr(event, name) for name in event.__struct_fields__ if hasattr(snapshot, name)}
    return replace(snapshot, **new)


def _with(steps: tuple[PublicStep, ...], step: PublicStep) -> tuple[PublicStep, ...]:
    """The newest steps after one more: an undone one goes."""
    if step.voids is not UNSET:
        return tuple([known for known in steps if known.step != step.voids])
    return (*steps, step)[-NEWEST_STEPS:]


_AT: Final = "#/$defs/"


def schema() -> dict[str, Any]:
    """The schema (2020-12); `sent` and `read` are what the table sends and reads, with what parts add."""
    parts = installed()
    state = [(name, form) for part in parts for name, form in part.STATE.items()]
    whole = defstruct("Snapshot", state, bases=(Snapshot,), tag="snapshot")
    sent = [whole if kind is Snapshot else kind for kind in SENT]
    sent += [_event(name, form) for name, form in state]
    read = [SettingsRequest, *ACTS, *(act for part in parts for act in part.ACTS)]
    found, defined = schema_components([*sent, *read], ref_template=_AT + "{name}")
    # A step either says what it voids, or what happened.
    defined["PublicStep"]["oneOf"] = [{"required": ["voids"]}, {"required": ["events", "because"]}]
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "the table's socket of nimmt-companion, protocol 1",
        "$defs": {
            "sent": {"anyOf": list(found[: len(sent)])},
            "read": {"anyOf": list(found[len(sent) :])},
            **_closed(defined),
        },
        "anyOf": [{"$ref": f"{_AT}sent"}, {"$ref": f"{_AT}read"}],
    }


def _closed(value: Any) -> Any:  # noqa: ANN401 - any part of a schema
    """A schema in which objects have no other keys; readers are more patient, for later versions."""
    if isinstance(value, list):
        return [_closed(part) for part in value]
    if not isinstance(value, dict):
        return value
    closed = {name: _closed(part) for name, part in value.items() if name != "default"}
    return {**closed, "additionalProperties": False} if "properties" in value else closed
