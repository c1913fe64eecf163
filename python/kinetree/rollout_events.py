"""Events of Rollouts: signs that change between one step and the next."""

import numpy as np

from .errors import ArgumentError, ArrayTypeError
from .numbers import numbers

_DIRECTIONS = {"rising": -1, "falling": 1, "both": 0}  # the sign that a zero has, which it must leave


class Watch:
    """Called after each step: ends motions at events, or lets their `act` change states.

    States that have ended are put back where they stood, since all of Rollouts take steps together.
    """

    def __init__(self, rollouts, events, happened):
        self.rollouts, self.events, self.happened = rollouts, list(events), happened
        for event in self.events:
            if event.direction not in _DIRECTIONS:
                raise ArgumentError("direction", "one of both, rising, falling", repr(event.direction))
        self.signs = [self.sign_of(event, self.of_zero(event, 0.0)) for event in self.events]
        self.stands = np.zeros(rollouts.count, bool)  # those that have ended
        self.q, self.v, self.time = rollouts.q.copy(), rollouts.v.copy(), rollouts.time.copy()

    def sign_of(self, event, of_zero):
        r = self.rollouts
        value = numbers("value", event.value(r.time, r.q, r.v), (r.count,))
        return np.where(value == 0, of_zero, np.sign(value))

    def __call__(self):
        r = self.rollouts
        if self.stands.any():
            r.reset(self.q[self.stands], self.v[self.stands], self.stands, self.time[self.stands])
        before, self.signs = self.signs, [self.sign_of(event, self.of_zero(event, signs))
                                          for event, signs in zip(self.events, self.signs)]
        acted = np.zeros(r.count, bool)
        for index, event in enumerate(self.events):
            to = -_DIRECTIONS[event.direction]
            now = self.signs[index]
            changed = (before[index] * now < 0) & ~self.stands & (r.statuses == 0)
            if to:
                changed &= now == to
            if changed.any():
                self.happens(index, event, changed)
                acted |= changed
        if acted.any():  # where `act` led to is where the next step begins
            for index, event in enumerate(self.events):
                again = self.sign_of(event, self.of_zero(event, self.signs[index]))
                self.signs[index] = np.where(acted, again, self.signs[index])

    @staticmethod
    def of_zero(event, before):
        return float(_DIRECTIONS[event.direction]) or before

    def happens(self, index, event, rows):
        r = self.rollouts
        stops = np.ones(rows.sum(), bool)
        if event.act is not None:
            q, v, time = r.q[rows], r.v[rows], r.time[rows]
            goes_on = event.act(time, q, v)
            stops = ~self.answer(goes_on, len(q))
            r.reset(q, v, rows, time)
        ended = np.flatnonzero(rows)[stops]
        self.happened[ended] = index
        self.stands[ended] = True
        for kept, now in ((self.q, r.q), (self.v, r.v), (self.time, r.time)):
            kept[ended] = now[ended]

    @staticmethod
    def answer(given, count):
        """Which go on."""
        if given is None:
            return np.ones(count, bool)
        array = np.asarray(given)
        if array.dtype != bool or array.shape not in ((), (count,)):
            raise ArrayTypeError("act", f"nothing, a bool or ({count},) of bool from it", repr(given))
        return np.broadcast_to(array, count).copy()
