"""Simulations: integrators, forces of Python, events, interrupts."""

import os
import signal
import threading

import kinetree
import numpy as np
import pytest


@pytest.mark.parametrize("integrator,error", [("adaptive", 1e-9), ("rk4", 1e-9), ("semi_implicit_euler", 1e-2)])
def test_a_fall_is_the_formulas(ball, integrator, error):
    simulation = kinetree.Simulation(ball, integrator)
    simulation.reset([2.0], [1.0])
    q = simulation.q
    simulation.advance_to(1.0)
    assert simulation.time == 1 and abs(q[0] - (2 + 1 - 9.81 / 2)) < error and abs(simulation.v[0] - (1 - 9.81)) < error
    simulation.step(0.5, forces=[9.81])
    assert abs(simulation.v[0] - (1 - 9.81)) < error and simulation.steps > 0
    with pytest.raises(ValueError):
        q[0] = 0


def test_a_hard_damper_takes_the_stiff_integrator_few_evaluations(ball):
    try:
        simulation = kinetree.Simulation(ball, "stiff")
    except ValueError as error:
        assert "libsundials-dev" in str(error)
        return
    simulation.advance_to(1.0, forces=lambda time, q, v: -1e4 * v)
    assert abs(simulation.v[0] + 9.81e-4) < 1e-12 and simulation.evaluations < 3000


def test_forces_of_python(arm):
    seen = []

    def hold(time, q, v):
        seen.append(time)
        return kinetree.gravity_forces(arm, q) - 5 * v

    simulation = kinetree.Simulation(arm)
    simulation.advance_to(0.1, hold)
    assert np.allclose(simulation.q, kinetree.neutral(arm), atol=1e-9) and len(seen) == simulation.evaluations
    pushed = np.zeros(6 * arm.body_count)
    pushed[-1] = 1.0
    simulation.advance_to(0.2, lambda time, q, v: (hold(time, q, v), pushed))
    assert np.abs(simulation.v).max() > 1e-4
    for wrong, error in ((lambda *_: np.zeros(3), kinetree.ShapeError), (lambda *_: "x", kinetree.ArrayTypeError),
                         (lambda *_: 1 / 0, ZeroDivisionError), (np.zeros(3), kinetree.ShapeError)):
        at = simulation.time
        with pytest.raises(error):
            simulation.step(0.1, wrong)
        assert simulation.time == at
    with pytest.raises(kinetree.StateError) as caught:
        simulation.step(0.1, lambda *_: np.full(arm.nv, np.nan))
    assert caught.value.code == "not_finite"


def test_events_end_and_change_the_motion(ball):
    simulation = kinetree.Simulation(ball)
    simulation.reset([1.0])
    bounces = []

    def bounce(time, q, v):
        bounces.append(time)
        v *= -0.5

    simulation.watch([kinetree.Event(value=lambda time, q, v: q[0], direction="falling", act=bounce)])
    simulation.advance_to(1.0)
    falls = np.sqrt(2 / 9.81)
    assert np.allclose(bounces[:2], [falls, 2 * falls], atol=1e-8)
    assert simulation.energy_set == pytest.approx(-9.81 * (1 - 1 / 16) if len(bounces) == 2 else simulation.energy_set)
    simulation.reset([1.0])
    simulation.watch([kinetree.Event(value=lambda time, q, v: q[0], direction="falling")])
    times = np.linspace(0.01, 1, 100)
    q, v = simulation.path(times)
    assert len(q) == (times < falls).sum() and np.allclose(q[:, 0], 1 - 9.81 / 2 * times[:len(q)]**2)
    assert simulation.happened == (0,) and simulation.time == pytest.approx(falls, abs=1e-8)
    simulation.watch([kinetree.Event(value=lambda time, q, v: 1 / 0)])
    with pytest.raises(ZeroDivisionError):
        simulation.step(0.1)
    with pytest.raises(kinetree.ArgumentError, match="direction"):
        simulation.watch([kinetree.Event(value=lambda *_: 0.0, direction="up")])


def test_loops_stay_closed(models):
    bar = kinetree.load_model(models / "four_bar.yaml")
    simulation = kinetree.Simulation(bar)
    q = kinetree.neutral(bar)
    q[bar.q_index(bar.independent_joints[0])] += 0.2
    with pytest.raises(kinetree.StateError, match="breaks the constraints"):
        simulation.reset(q)
    simulation.assemble(q)
    energy = sum(simulation.energy())
    simulation.advance_to(0.3)
    assert simulation.closure_error() < 1e-8 and sum(simulation.energy()) == pytest.approx(energy, abs=1e-7)
    hold = kinetree.ComputedTorque(bar, simulation.q, rate=20.0)
    simulation.reset(simulation.q)
    simulation.advance_to(0.6, hold)
    assert np.allclose(simulation.q, hold.pose, atol=1e-6)
    assert hold.torques(simulation.q, simulation.v).shape == (bar.nv,)
    assert simulation.limit()[0] in bar.joint_names and "four" in repr(simulation)


def test_what_holds_a_mechanism_together(models):
    """Bits of the functions of a state, at the accelerations that the forces give."""
    bar = kinetree.load_model(models / "four_bar.yaml")
    simulation = kinetree.Simulation(bar)
    tau = np.zeros(bar.nv)
    tau[bar.v_index(bar.independent_joints[0])] = 0.3
    simulation.advance_to(0.1, tau)
    a = kinetree.ForwardDynamics(bar).solve(simulation.q.copy(), simulation.v.copy(), tau)
    state = (bar, simulation.q.copy(), simulation.v.copy(), a, tau)
    for axes in ("link", "world"):
        assert np.allclose(simulation.loop_forces(axes, tau), kinetree.loop_forces(*state, axes=axes), atol=1e-9)
        assert np.allclose(simulation.joint_reactions(axes, tau), kinetree.joint_reactions(*state, axes=axes), atol=1e-9)
    assert not np.allclose(simulation.loop_forces("link"), simulation.loop_forces("link", tau), atol=1e-6)
    with pytest.raises(kinetree.ArgumentError, match="axes"):
        simulation.loop_forces("here")
    geared = kinetree.make_model("geared:3")
    assert kinetree.Simulation(geared).coupling_forces().shape == (len(kinetree.coupling_facts(geared)),)


def test_calls_are_interrupted(arm):
    simulation = kinetree.Simulation(arm)
    seen = []
    timer = threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT))
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        simulation.advance_to(1e9, progress=lambda now, to: seen.append(now))
    timer.join()
    assert seen and simulation.time > 0
    simulation.step(1e-3)


def test_wrong_arguments(arm):
    for keywords in ({"integrator": "euler"}, {"step": 0}, {"tolerance": -1}, {"no_such": 1}):
        with pytest.raises((ValueError, TypeError)):
            kinetree.Simulation(arm, **keywords)
    simulation = kinetree.Simulation(arm)
    with pytest.raises(kinetree.ShapeError, match="q"):
        simulation.reset(np.zeros(3))
    with pytest.raises(kinetree.StateError):
        simulation.step(-1)
    with pytest.raises(kinetree.ArgumentError, match="ascend"):
        simulation.path([0.2, 0.1])
