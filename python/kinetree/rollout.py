"""One call for a batch of rollouts."""

from typing import NamedTuple

import numpy as np

from ._kinetree import Rollouts
from .numbers import numbers


class Trajectory(NamedTuple):
    """States after every `every` steps, and what became of each rollout (0 is ok; see STATUS_CODES)."""

    q: np.ndarray  # (batch, steps // every, nq)
    v: np.ndarray  # (batch, steps // every, nv)
    time: np.ndarray  # (steps // every,), s
    statuses: np.ndarray  # (batch,), uint8
    happened: np.ndarray  # (batch,), the index of the event that ended it; -1: none did


def rollout(model, q0, v0, tau, dt=1e-3, *, every=1, f_ext=None, target=None, kp=None, kd=None, passive=False, slow=0.0,
            progress=None, points=None, drives=None, events=None, integrator="semi_implicit_euler", **options):
    """Moves a batch of states by joint forces tau, (batch, steps, nv), and gives a Trajectory.

    q0: (nq,) or (batch, nq); v0: (nv,) or (batch, nv). f_ext, target, kp, kd, passive, slow, progress,
    points, drives and events: as
    Rollouts.step has them. options: of ForwardDynamics. A state that fails keeps its last good numbers from there on.
    """
    tau = numbers("tau", tau, ("batch", "steps", model.nv))
    batch, steps, _ = tau.shape
    rollouts = Rollouts(model, batch, dt, integrator, f_ext is not None or points is not None, **options)
    rollouts.reset(q0, v0)
    q, v = rollouts.step(tau, steps, f_ext, target, kp, kd, passive, slow, every, progress, points, drives,
                         events)
    return Trajectory(q, v, dt * every * np.arange(1, steps // every + 1), rollouts.statuses,
                      rollouts.happened.copy())
