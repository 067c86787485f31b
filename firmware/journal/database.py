"""Connections to SQLite that distrust their file, and report damage as an error of SQLite."""

from __future__ import annotations

import sqlite3
from functools import partial
from typing import Any, Final

_READ_TEXT: Final = partial(str, encoding="utf-8", errors="replace")


class Database(sqlite3.Connection):
    """A connection for `sqlite3.connect(..., factory=Database)`.

    SQLite quotes the file in its messages: the name of a table, a statement of the schema. Python decodes
    them strictly, so that one flipped bit there raises `UnicodeDecodeError`, which is no `sqlite3.Error`.

    The schema of a file is not trusted (https://www.sqlite.org/pragma.html#pragma_trusted_schema), and cells
    are checked when a page is read. A damaged text is read as another one, whose seal is then wrong.
    """

    def __init__(self, *arguments: Any, **options: Any) -> None:  # noqa: ANN401 - as sqlite3 has them
        super().__init__(*arguments, **options)
        self.text_factory = _READ_TEXT
        super().execute("PRAGMA trusted_schema = OFF")
        super().execute("PRAGMA cell_size_check = ON")

    def execute(self, sql: str, parameters: Any = (), /) -> sqlite3.Cursor:  # noqa: ANN401 - as sqlite3 has it
        """Like that of `sqlite3.Connection`, but raises nothing else for a damaged file than for others."""
        try:
            return super().execute(sql, parameters)
        except UnicodeDecodeError as error:
            damage = sqlite3.DatabaseError("its schema makes no sense")
            damage.sqlite_errorcode = sqlite3.SQLITE_CORRUPT
            raise damage from error
