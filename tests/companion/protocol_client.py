"""A program that talks to the referee in a test: requests and answers are checked against the schema."""

import json
from typing import Any

from jsonschema import Draft202012Validator

from companion.protocol.messages import schema
from companion.protocol.referee import Referee

SCHEMA = schema()
ANSWER = Draft202012Validator({**SCHEMA, "anyOf": [{"$ref": "#/$defs/answer"}]})
REQUEST = Draft202012Validator({**SCHEMA, "anyOf": [{"$ref": "#/$defs/request"}]})


class ProtocolClient:
    """A program that sends requests; every answer is checked against the schema."""

    def __init__(self, referee: Referee | None = None) -> None:
        self.referee = referee or Referee()

    def send(self, **request: Any) -> dict[str, Any]:
        REQUEST.validate(request)
        return self.raw(json.dumps(request).encode())

    def raw(self, line: bytes) -> dict[str, Any]:
        answer: dict[str, Any] = json.loads(json.dumps(self.referee.answer(line)))
        ANSWER.validate(answer)
        return answer

    def fault(self, line: str | bytes) -> dict[str, Any]:
        """A line that must be refused and change nothing."""
        before = self.referee.answer(b'{"show": true}')
        answer = self.raw(line.encode() if isinstance(line, str) else line)
        assert answer["ok"] is False
        assert answer["fault"]
        assert answer["fix"]
        assert self.referee.answer(b'{"show": true}') == before
        return answer


class ProtocolMatch:
    """A match through the machine interface; `last` is the newest answer that was no refusal."""

    def __init__(self, game: str, seats: int, **options: Any) -> None:
        self._client = ProtocolClient()
        self.last = self._client.send(new=game, seats=seats, options=options)

    def send(self, **request: Any) -> dict[str, Any]:
        answer = self._client.send(**request)
        if answer["ok"]:
            self.last = answer
        return answer

    def order(self, record: dict[str, Any]) -> list[dict[str, Any]] | None:
        """The events of an order, or None if it was refused."""
        answer = self.send(do=record)
        return list(answer["events"]) if answer["ok"] else None

    def adopt(self, position: dict[str, Any]) -> list[dict[str, Any]]:
        """The events of a table that is set up."""
        answer = self.send(position=position)
        assert answer["ok"], answer
        return list(answer["events"])

    @property
    def state(self) -> dict[str, Any]:
        """The state, with the points of a deal that was just scored."""
        scored = [event["points"] for event in self.last["events"] if event["kind"] == "deal_scored"]
        return {**self.last["state"], **({"points": scored[0]} if scored else {})}

    @property
    def asked(self) -> list[str]:
        return [ask["verb"] for ask in self.last["asks"]]


def started(seats: int = 2, **options: Any) -> ProtocolClient:
    client = ProtocolClient()
    assert client.send(new="six", seats=seats, options=options)["ok"]
    return client
