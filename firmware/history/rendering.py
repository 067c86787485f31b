"""The templates of reports: Jinja2 escapes whatever is put into one. Only reports import this."""

from functools import cache
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from companion.text.sentence import COMMA, in_context


@cache
def templates(*folders: Path) -> Environment:
    """The templates in these folders and in the one beside this file. In a template `t` says texts."""
    environment = Environment(
        loader=FileSystemLoader([*folders, Path(__file__).parent / "templates"]),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,
    )
    environment.globals.update(COMMA=COMMA, in_context=in_context)
    return environment
