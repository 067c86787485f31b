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


def started(seats: int = 2, **options: Any) -> ProtocolClient:
    client = ProtocolClient()
    assert client.send(new="six", seats=seats, options=options)["ok"]
    return client
