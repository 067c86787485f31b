"""How often something may be asked for from one address."""

import ipaddress
import time
from collections import OrderedDict
from collections.abc import Callable
from typing import Final

from starlette.requests import HTTPConnection

_ADDRESSES: Final = 4096
"""Rates are kept for this many addresses; the one that was quiet longest is forgotten first."""


class RateLimit:
    """How many requests each address may still make: `burst` at once, and `rate_s` more each second."""

    def __init__(self, rate_s: float, burst: float, now_s: Callable[[], float] = time.monotonic) -> None:
        self._rate_s, self._burst, self._now_s = rate_s, burst, now_s
        self._left: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def allows(self, address: str) -> bool:
        """Whether one more may come from an address; if so, it is counted."""
        now_s = self._now_s()
        left, at_s = self._left.pop(address, (self._burst, now_s))
        left = min(self._burst, left + (now_s - at_s) * self._rate_s)
        allowed = left >= 1
        self._left[address] = (left - 1 if allowed else left, now_s)
        if len(self._left) > _ADDRESSES:
            self._left.popitem(last=False)
        return allowed


def sender_of(request: HTTPConnection) -> str:
    """The network that a request comes from."""
    return network_of(request.client.host) if request.client else ""


def network_of(address: str) -> str:
    """Whose an address is: in IPv6 a single machine has many, all in one network of 64 bits."""
    try:
        found = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return address
    if isinstance(found, ipaddress.IPv6Address):
        if found.ipv4_mapped is not None:  # a socket for both gives IPv4 in this form
            return str(found.ipv4_mapped)
        return str(ipaddress.ip_network((found, 64), strict=False))
    return address
