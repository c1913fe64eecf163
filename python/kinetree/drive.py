"""Tables of joint forces over time."""

from dataclasses import dataclass
from typing import Union

import numpy as np


@dataclass(frozen=True, eq=False)
class Drive:
    """A joint force over time. Before the first time it is the first number, after the last one the last.

    velocity: a joint with one degree of freedom, or an entry of v. times (s) ascend; one that stands twice is a jump.
    forces: Nm or N, one a time. held: each number holds until the next time; else the force is linear between.
    """

    velocity: Union[str, int]
    times: np.ndarray
    forces: np.ndarray
    held: bool = False
