"""Every call that takes arrays refuses what only looks like numbers: None within, dates, objects, masked arrays."""

import kinetree
import numpy as np
import pytest
from kinetree import convert

LOOKS = {
    "masked": lambda shape: np.ma.masked_array(np.zeros(shape), mask=True),
    "dates": lambda shape: np.zeros(shape, "datetime64[s]"),
    "spans": lambda shape: np.zeros(shape, "timedelta64[s]"),
    "objects": lambda shape: np.full(shape, None),
    "list": lambda shape: np.full(shape, None).tolist(),
    "bool": lambda shape: np.zeros(shape, bool),
    "text": lambda shape: np.full(shape, "0"),
}


def calls(arm):
    """Name, shape of the argument, and the call that takes it."""
    q, v = kinetree.random_state(arm, 1, 2)
    n, width = arm.nv, 6 * arm.body_count
    rollouts, simulation = kinetree.Rollouts(arm, 2, external_forces=True), kinetree.Simulation(arm)
    bar = kinetree.load_model("configs/models/four_bar.yaml")
    bar_q, bar_v = kinetree.random_state(bar, 1, 2)
    link = arm.link_names[-1]
    yield "step", (2, n), lambda x: rollouts.step(x)
    yield "step", (2, 1, n), lambda x: rollouts.step(x)
    yield "step f_ext", (2, width), lambda x: rollouts.step(f_ext=x)
    yield "step target", (2, n), lambda x: rollouts.step(target=x, kp=np.ones(n))
    yield "step kp", (2, n), lambda x: rollouts.step(target=q, kp=x)
    yield "step kd", (2, n), lambda x: rollouts.step(kd=x)
    yield "reset q", (2, n), lambda x: rollouts.reset(x)
    yield "reset v", (2, n), lambda x: rollouts.reset(q, x)
    yield "rollout", (2, 3, n), lambda x: kinetree.rollout(arm, q, v, x)
    yield "rollout q0", (2, n), lambda x: kinetree.rollout(arm, x, v, np.zeros((2, 3, n)))
    yield "Simulation.reset", (n,), lambda x: simulation.reset(x)
    yield "Simulation forces", (n,), lambda x: simulation.step(0.01, x)
    yield "push", (2, 3, n), lambda x: kinetree.ForwardDynamics(arm).push(q, v, v, x)
    yield "integrate", (2, n), lambda x: kinetree.integrate(arm, q, x)
    yield "add_forces", (2, 1, 6), lambda x: kinetree.add_forces(arm, q, link, x)
    yield "normalize", (2, n), lambda x: kinetree.normalize(arm, x)
    yield "close", (bar.nq,), lambda x: kinetree.close(bar, x)
    yield "loop_forces", (2, bar.nq), lambda x: kinetree.loop_forces(bar, x, bar_v, bar_v)
    yield "constraint_errors", (2, bar.nq), lambda x: kinetree.constraint_errors(bar, x)
    yield "spanning", (2, bar.nq), lambda x: kinetree.spanning_velocities(bar, x, np.zeros((2, 1)))
    for name in ("to_mujoco", "to_pinocchio", "from_mujoco", "from_pinocchio"):
        yield name, (2, n), lambda x, name=name: getattr(convert, name)(arm, x, v)
    for name in ("f_ext_to_mujoco", "f_ext_to_pinocchio"):
        yield name, (2, width), lambda x, name=name: getattr(convert, name)(arm, q, x)
        yield name, (2, n), lambda x, name=name: getattr(convert, name)(arm, x, np.zeros((2, width)))
    for name in ("f_ext_from_mujoco", "f_ext_from_pinocchio"):
        yield name, (2, arm.body_count, 6), lambda x, name=name: getattr(convert, name)(arm, q, x)


@pytest.mark.parametrize("look", LOOKS)
def test_what_only_looks_like_numbers(arm, models, monkeypatch, look):
    monkeypatch.chdir(models.parents[1])
    for name, shape, call in calls(arm):
        call(np.zeros(shape))  # else the call below may fail of something else
        with pytest.raises((kinetree.ArgumentError, TypeError)):
            call(LOOKS[look](shape))
            pytest.fail(f"{name} took {look}")


@pytest.mark.parametrize("made", ["ForwardDynamics", "Workspace", "Varying", "Simulation", "PointForces"])
def test_no_model_is_no_model(made):
    with pytest.raises(TypeError):
        getattr(kinetree, made)(None)


def test_arguments_in_place_of_a_model(arm):
    for call in (lambda: kinetree.Rollouts(None, 2), lambda: kinetree.ComputedTorque(None, np.zeros(7), 1.0),
                 lambda: kinetree.Drives(None, [kinetree.Drive(0, [0], [0])]), lambda: kinetree.random_state(None),
                 lambda: kinetree.mass_matrix(None, np.zeros(7)), lambda: kinetree.Points(None, ["link_7"]),
                 lambda: arm.description.attached(None), lambda: kinetree.rollout(None, *[np.zeros((2, 7))] * 2, np.zeros((2, 1, 7)))):
        with pytest.raises((TypeError, AttributeError)):
            call()
    for dt in (0, -1, np.inf, np.nan):
        with pytest.raises(kinetree.ArgumentError, match="dt"):
            kinetree.Rollouts(arm, 2, dt)
