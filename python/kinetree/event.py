"""Events of a Simulation."""

from dataclasses import dataclass
from typing import Any, Callable, Optional


@dataclass(frozen=True)
class Event:
    """A moment at which `value(time, q, v)` changes its sign: the height of a foot, the way left to a limit.

    direction: both, rising or falling. act(time, q, v) is called there and may change its arrays q and v in place, as an
    impact does; the motion ends there where it gives False, and without `act`. tolerance (s): by how much the step may
    end after the change of sign. Functions that raise end the call, and the exception passes.
    """

    value: Callable[[float, Any, Any], float]
    direction: str = "both"
    act: Optional[Callable[[float, Any, Any], Optional[bool]]] = None
    tolerance: float = 1e-9
