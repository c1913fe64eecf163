"""Every choice of a solver."""

from types import SimpleNamespace


class Plan(SimpleNamespace):
    """Every choice of ForwardDynamics, in its options' words; ForwardDynamics(model, plan=...) makes it again."""
