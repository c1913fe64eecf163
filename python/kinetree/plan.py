"""Every choice of a solver."""

from types import SimpleNamespace


class Plan(SimpleNamespace):
    """Every choice that ForwardDynamics made; ForwardDynamics(model, plan=...) makes the same. Words as options have them."""
