"""Loops and couplings: closing, errors, modes, forces, independent coordinates, facts."""

import inspect
import pathlib
import re

import kinetree
import numpy as np
import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]


@pytest.fixture
def bar(models):
    return kinetree.load_model(models / "four_bar.yaml")


def test_what_is_open_closes(bar):
    crank = bar.independent_joints[0]
    q = np.tile(kinetree.neutral(bar), (4, 1))
    q[:, bar.q_index(crank)] += [0, 0.1, 0.2, 0.3]
    v = np.random.default_rng(0).uniform(-1, 1, (4, bar.nv))
    kept_q, kept_v = q.copy(), v.copy()
    closed_q, closed_v = kinetree.close(bar, q, v, held=crank)
    assert np.array_equal(q, kept_q) and np.array_equal(v, kept_v)
    for entry, old, new in ((bar.q_index(crank), q, closed_q), (bar.v_index(crank), v, closed_v)):
        assert np.array_equal(old[:, entry], new[:, entry])
    errors, rates = kinetree.constraint_errors(bar, closed_q, closed_v)
    assert errors.shape == (4, len(kinetree.constraint_rows(bar)))
    assert np.abs(errors).max() < 1e-10 and np.abs(rates).max() < 1e-10
    assert np.abs(kinetree.constraint_errors(bar, q[3])).max() > 1e-3
    held = kinetree.velocities_of(bar, [crank])
    again = kinetree.close(bar, q, v, held=held, out=(q, v))
    assert again[0] is q and np.array_equal(q, closed_q) and np.array_equal(v, closed_v)
    single = kinetree.close(bar, kept_q[2].astype(np.float32), held=[crank])
    assert single[0].dtype == np.float32 and np.allclose(single[0], closed_q[2], atol=1e-5)


def test_what_contradicts_is_named(bar):
    q = kinetree.neutral(bar)
    q[bar.q_index(bar.independent_joints[0])] += 0.3
    with pytest.raises(kinetree.StateError) as caught:
        kinetree.close(bar, q, held=list(bar.joint_names))
    error = caught.value
    assert (error.code, error.argument) == ("not_closed", "held") and set(error.contradicting) <= set(bar.joint_names)
    assert error.contradicting
    workspace = kinetree.Workspace(bar)
    batch, _ = kinetree.close(workspace, np.array([kinetree.neutral(bar), q]), held=list(bar.joint_names))
    assert np.isfinite(batch[0]).all() and np.isnan(batch[1]).all()
    assert [kinetree.STATUS_CODES[s] for s in workspace.statuses] == ["ok", "not_closed"]
    for bad in (["no_such_joint"], 3.5, [None], [99]):
        with pytest.raises((ValueError, TypeError)):
            kinetree.close(bar, q, held=bad)


def test_other_modes(bar):
    q = kinetree.neutral(bar)
    crank = bar.q_index(bar.independent_joints[0])
    modes = kinetree.assembly_modes(bar, q, most=5)
    assert len(modes) == 2 and np.allclose(modes[:, crank], q[crank])
    assert np.abs(kinetree.constraint_errors(bar, modes)).max() < 1e-8 and not np.allclose(modes[0], modes[1], atol=0.1)


@pytest.mark.parametrize("file", ["four_bar", "geared_humanoid"])
def test_independent_coordinates(models, states, file):
    model = kinetree.load_model(models / f"{file}.yaml")
    s = states(model)
    independent = model.independent_velocities
    X = kinetree.spanning_matrix(model, s.q)
    assert X.shape == (5, model.nv, len(independent))
    v_R = s.v[:, independent]
    assert np.allclose(kinetree.spanning_velocities(model, s.q, v_R), s.v)
    assert np.allclose(kinetree.independent_forces(model, s.q, s.tau), np.einsum("bij,bi->bj", X, s.tau))
    a = kinetree.ForwardDynamics(model, algorithm="ab").solve(s.q, s.v, s.tau)
    assert np.allclose(kinetree.spanning_accelerations(model, s.q, s.v, a[:, independent]), a)
    M = kinetree.mass_matrix(model, s.q)
    h = kinetree.independent_bias_forces(model, s.q, v=s.v)
    tau_R = kinetree.independent_forces(model, s.q, s.tau)
    assert np.allclose(np.einsum("bij,bj->bi", M, a[:, independent]) + h, tau_R, rtol=1e-8, atol=1e-8)
    assert np.allclose(kinetree.independent_inverse_dynamics(model, s.q, s.v, a), tau_R, rtol=1e-8, atol=1e-8)
    parts = kinetree.independent_gravity_forces(model, s.q) + kinetree.independent_coriolis_forces(model, s.q, s.v)
    assert np.allclose(parts, h, rtol=1e-8, atol=1e-8)
    assert np.array_equal(X[2], kinetree.spanning_matrix(model, s.q[2], independent=independent))
    with pytest.raises(TypeError, match="needs v_R"):
        kinetree.spanning_velocities(model, s.q)
    with pytest.raises(kinetree.ShapeError, match="v_R"):
        kinetree.spanning_velocities(model, s.q, np.zeros((5, len(independent) + 1)))
    with pytest.raises(TypeError, match="no argument w"):
        kinetree.spanning_matrix(model, s.q, w=1)


def test_every_function_of_independent_coordinates_is_there():
    header = (ROOT / "include/kinetree/independent.hpp").read_text()
    names = set(re.findall(r"^Status (\w+)\(", header, re.M))
    assert len(names) >= 8
    for name in names:
        assert "Gives" in inspect.getdoc(getattr(kinetree, name)), name


def test_forces_of_loops(bar, states):
    s = states(bar)
    a = kinetree.ForwardDynamics(bar, algorithm="ab").solve(s.q, s.v, s.tau)
    wrenches = kinetree.loop_forces(bar, s.q, s.v, a, s.tau, axes="world")
    assert wrenches.shape == (5, len(kinetree.loop_facts(bar)), 2, 6)
    assert np.allclose(wrenches[:, :, 0], -wrenches[:, :, 1], atol=1e-8)
    # the tree, cut open, moves the same under these wrenches
    loop = kinetree.loop_facts(bar)[0]
    assert {loop.first, loop.second} <= set(bar.link_names) | {"world"}
    f_ext = kinetree.add_forces(bar, s.q, [n for n in (loop.first, loop.second) if n != "world"],
                                wrenches[:, 0][:, [n != "world" for n in (loop.first, loop.second)]], axes="world")
    assert np.allclose(kinetree.inverse_dynamics(bar, s.q, s.v, a, f_ext), s.tau, atol=1e-7)


def test_joints_and_couplings_transmit(arm, states):
    s = states(arm)
    a = kinetree.ForwardDynamics(arm, algorithm="ab").solve(s.q, s.v, s.tau)
    reactions = kinetree.joint_reactions(arm, s.q, s.v, a, s.tau, axes="world")
    assert reactions.shape == (5, arm.body_count, 6)
    tip = kinetree.joint_reactions(arm, s.q[0], np.zeros(arm.nv), np.zeros(arm.nv),
                                   kinetree.gravity_forces(arm, s.q[0]), axes="world_aligned")[-1]
    assert np.allclose(tip[3:], [0, 0, 9.81 * kinetree.inertia_facts(arm, arm.body_names[-1]).mass])
    gears = kinetree.make_model("geared:3")
    g = states(gears)
    a = kinetree.ForwardDynamics(gears, algorithm="ab").solve(g.q, g.v, g.tau)
    forces = kinetree.coupling_forces(gears, g.q, g.v, a, g.tau)
    couplings = kinetree.coupling_facts(gears)
    assert forces.shape == (5, len(couplings))
    needed = kinetree.inverse_dynamics(gears, g.q, g.v, a) - g.tau
    for k, coupling in enumerate(couplings):
        for term in coupling.terms:
            needed[:, gears.v_index(term.joint)] -= term.coefficient * forces[:, k]
    assert np.allclose(needed, 0, atol=1e-8)


def test_facts(models, arm):
    joint = kinetree.joint_parameters(arm, arm.joint_names[2])
    assert (joint.name, joint.type, joint.body) == (arm.joint_names[2], arm.joint_types[2], 2)
    assert joint.lower.shape == (1,) and joint.lower[0] == arm.lower_limits[joint.q_index]
    total = sum(kinetree.inertia_facts(arm, name).mass for name in arm.body_names)
    assert kinetree.total_mass(arm) == pytest.approx(total)
    inertia = kinetree.inertia_facts(arm, arm.body_names[1]).inertia
    assert inertia.shape == (3, 3) and np.array_equal(inertia, inertia.T)
    with pytest.raises(ValueError, match="no_such"):
        kinetree.joint_parameters(arm, "no_such")
    gears = kinetree.make_model("geared:2")
    one, two = (t.joint for t in kinetree.coupling_facts(gears)[0].terms)
    ratio = kinetree.ratio(gears, one, two)
    assert ratio and kinetree.ratio(gears, two, one) == pytest.approx(1 / ratio)
    assert kinetree.ratio(arm, arm.joint_names[0], arm.joint_names[1]) is None
