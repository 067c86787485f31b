"""How a driver declares what can be configured; reading and checking files is not done here.

A driver has a frozen dataclass `Options` whose fields are made with `option`. The names,
types, limits and documents in it are all that the configuration reader and the
documentation know about the driver.
"""

from __future__ import annotations

from dataclasses import field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping

_REQUIRED: Any = object()


def option(
    about: str,
    default: Any = _REQUIRED,  # noqa: ANN401 - the field's annotation says the type
    *,
    low: float | None = None,
    high: float | None = None,
    among: tuple[Any, ...] = (),
) -> Any:  # noqa: ANN401
    """One configurable field: `about` with its unit, inclusive limits or the values that will do.

    Field types understood by the reader: bool, int, float, str, tuple[int, ...],
    tuple[str, ...], dict[str, int], dict[str, str], and each of them `| None`.
    """
    metadata: Mapping[str, Any] = {"about": about, "low": low, "high": high, "among": among}
    if default is _REQUIRED:
        return field(metadata=metadata)
    if isinstance(default, dict):
        return field(default_factory=lambda: dict(default), metadata=metadata)
    return field(default=default, metadata=metadata)
