"""Numbers of each state's own: masses that double want forces that double, whatever takes them."""

import pickle

import kinetree
import numpy as np
import pytest


@pytest.fixture
def varying(arm):
    return kinetree.Varying(arm).add("inertia").add("armature").add("damping")


@pytest.fixture
def scaled(varying):
    """Five states, the k-th with k + 1 times the model's inertias and rotors."""
    return np.outer(np.arange(1.0, 6.0), varying.nominal())


def damping_of(varying):
    return slice(varying.row("damping", varying.model.joint_names[0]), None)


def test_rows_have_places_and_names(arm, varying):
    bodies = arm.body_count
    assert varying.rows == 10 * bodies + 2 * arm.nv and len(varying.row_names) == varying.rows
    assert varying.row("armature", arm.joint_names[0]) == 10 * bodies and "armature" in varying.row_names[10 * bodies]
    assert np.array_equal(varying.numbers_of(arm), varying.nominal()) and varying.model is arm
    assert np.array_equal(varying.numbers_of([arm, arm]), [varying.nominal()] * 2)
    with pytest.raises(kinetree.ArgumentError, match="a list of models"):
        varying.numbers_of([arm, None])
    with pytest.raises(ValueError, match="number 1 of the list"):
        varying.numbers_of([arm, kinetree.make_model("chain:3")])
    with pytest.raises(kinetree.ArgumentError, match="inertia, armature"):
        varying.add("colour")
    with pytest.raises(ValueError, match="elbow"):
        varying.add("inertia", "elbow")


def test_forces_grow_with_masses(varying, scaled, states):
    s = states(varying.model)
    factor = np.arange(1.0, 6.0)[:, None]
    workspace = kinetree.Workspace(varying)
    tau = kinetree.inverse_dynamics(workspace.with_parameters(scaled), s.q, s.v, s.a)
    assert np.allclose(tau, factor * kinetree.inverse_dynamics(workspace, s.q, s.v, s.a))  # the model's own, without
    dynamics = kinetree.ForwardDynamics(varying)
    assert np.allclose(dynamics.with_parameters(scaled).solve(s.q, s.v, tau), s.a)
    one = dynamics.with_parameters(scaled[3]).solve(s.q[3], s.v[3], tau[3])
    assert np.allclose(one, s.a[3])
    da = dynamics.with_parameters(scaled).push(s.q, s.v, s.a, dtau=s.tau)
    assert np.allclose(da, dynamics.push(s.q, s.v, s.a, dtau=s.tau) / factor)
    M = kinetree.mass_matrix(workspace.with_parameters(scaled.astype(np.float32)), s.q.astype(np.float32))
    assert np.allclose(M, factor[:, :, None] * kinetree.mass_matrix(varying.model, s.q), rtol=1e-4, atol=1e-5)


def test_reactions_and_independent_forces_grow_with_masses(models, states):
    plain = kinetree.load_model(models / "four_bar.yaml")
    own = kinetree.Varying(plain).add("inertia").add("armature")
    factor = np.arange(1.0, 6.0)[:, None]
    workspace = kinetree.Workspace(own)
    for dtype in (np.float64, np.float32):
        s = states(plain)
        q, v, a, tau = (x.astype(dtype) for x in (s.q, s.v, s.a, factor * s.tau))
        P = (factor * own.nominal()).astype(dtype)
        tolerance = 1e-9 if dtype == np.float64 else 1e-3
        heavy = kinetree.joint_reactions(workspace.with_parameters(P), q, v, a, tau)
        light = kinetree.joint_reactions(plain, s.q, s.v, s.a, s.tau)
        assert np.allclose(heavy, factor[:, :, None] * light, rtol=tolerance, atol=tolerance * np.abs(heavy).max())
        forces = kinetree.independent_gravity_forces(workspace.with_parameters(P), q)
        assert np.allclose(forces, factor * kinetree.independent_gravity_forces(plain, s.q), rtol=tolerance,
                           atol=tolerance * np.abs(forces).max())


def test_rollouts_keep_them(varying, scaled, states):
    s = states(varying.model)
    factor = np.arange(1.0, 6.0)[:, None]
    scaled[:, damping_of(varying)] = factor  # in ratio to the masses too
    theirs, own = kinetree.Rollouts(varying, 5), kinetree.Rollouts(varying, 5)
    for rollouts in (theirs, own):
        rollouts.reset(s.q, s.v)
    theirs.set_parameters(np.tile(scaled[0], (5, 1)))
    own.set_parameters(scaled)
    own.set_parameters(scaled[4], state=4)
    assert np.array_equal(own.parameters, scaled)
    theirs.step(s.tau, 20, passive=True)
    own.step(factor * s.tau, 20, passive=True)
    assert np.allclose(own.q, theirs.q, rtol=0, atol=1e-9)
    undamped = kinetree.Rollouts(varying, 5)
    undamped.reset(s.q, s.v)
    undamped.step(s.tau, 20, passive=True)
    assert not np.allclose(undamped.q, theirs.q, rtol=0, atol=1e-9)  # so damping was read


def test_passive_forces_are_of_each(varying, scaled, states):
    s = states(varying.model)
    scaled[:, damping_of(varying)] = np.arange(1.0, 6.0)[:, None]
    tau = np.zeros_like(s.v)
    varying.add_passive_forces(scaled, s.q, s.v, tau)
    own = np.zeros_like(s.v)
    kinetree.add_passive_forces(varying.model, s.q, s.v, own)
    undamped = scaled.copy()
    undamped[:, damping_of(varying)] = 0
    rest = np.zeros_like(s.v)
    varying.add_passive_forces(undamped, s.q, s.v, rest)
    assert np.allclose(tau, rest - np.arange(1.0, 6.0)[:, None] * s.v)


def test_what_is_wrong_is_told(arm, varying, scaled, states):
    s = states(arm)
    dynamics = kinetree.ForwardDynamics(varying)
    with pytest.raises(kinetree.ShapeError, match="parameters"):
        dynamics.with_parameters(scaled[:, 1:])
    with pytest.raises(kinetree.Error):
        dynamics.with_parameters(scaled[:2]).solve(s.q, s.v, s.tau)
    with pytest.raises(TypeError, match="Varying"):
        kinetree.ForwardDynamics(arm).with_parameters(scaled)
    with pytest.raises(TypeError, match="Varying"):
        kinetree.Rollouts(arm, 5).set_parameters(scaled)
    for call in (dynamics.solve, lambda *given: kinetree.inverse_dynamics(workspace, *given)):
        workspace = kinetree.Workspace(varying).with_parameters(scaled.astype(np.float32))
        with pytest.raises(kinetree.ArrayTypeError, match="parameters: expected dtype float64"):
            dynamics.with_parameters(scaled.astype(np.float32))
            call(s.q, s.v, s.tau)
    scaled[2, 0] = -1
    a = dynamics.with_parameters(scaled).solve(s.q, s.v, s.tau)
    assert np.isnan(a[2]).all() and not np.isnan(np.delete(a, 2, 0)).any()
    assert kinetree.STATUS_CODES[dynamics.statuses[2]] == "not_rigid"
    varying.bound(varying.row("armature", arm.joint_names[0]), 0, 10)
    varying.add("gravity")  # too late for what is made
    assert np.isfinite(dynamics.with_parameters(scaled[0]).solve(s.q[0], s.v[0], s.tau[0])).all()
    with pytest.raises(TypeError, match="pickled"):
        pickle.dumps(dynamics)


def test_inertias_go_both_ways(arm, states):
    link = arm.body_names[2]
    varying = kinetree.Varying(arm).add("inertia", link)
    own = kinetree.link_inertia(varying.nominal())
    facts = kinetree.inertia_facts(arm, link)
    assert np.isclose(own.mass, facts.mass) and np.allclose(own.centre_of_mass, facts.centre_of_mass)
    assert np.allclose(own.inertia, facts.inertia)
    rows = kinetree.inertia_rows(own.mass, own.centre_of_mass, own.inertia)
    assert np.allclose(rows, varying.nominal(), rtol=1e-12, atol=1e-15)
    six = own.inertia[[0, 1, 2, 0, 0, 1], [0, 1, 2, 1, 2, 2]]
    assert np.array_equal(kinetree.inertia_rows(own.mass, list(own.centre_of_mass), six), rows)
    ball = kinetree.inertia_rows(2.0, [0, 0, 0.1])  # a point mass: Steiner's term alone
    assert np.allclose(ball, [2, 0, 0, 0.2, 0.02, 0.02, 0, 0, 0, 0])
    s = states(arm, batch=1)
    loaded = kinetree.ForwardDynamics(varying).with_parameters(rows + ball).solve(s.q[0], s.v[0], s.tau[0])
    payload = kinetree.Description.from_dict({"name": "payload", "bodies": [{
        "name": "ball", "parent": "world", "joint": {"type": "fixed"},
        "inertial": {"mass": 2, "com": [0, 0, 0.1]}}]})
    welded = arm.description.attached(payload, link=link).model()
    assert np.allclose(loaded, kinetree.ForwardDynamics(welded).solve(s.q[0], s.v[0], s.tau[0]), rtol=1e-9)
    for wrong in ((-1.0,), (1.0, [0, 0]), (1.0, [0, 0, 0], np.triu(np.ones((3, 3)))), (1.0, [0, 0, 0], [-1] + [0] * 5),
                  (1.0, [0, 0, None])):
        with pytest.raises((ValueError, TypeError)):
            kinetree.inertia_rows(*wrong)
    with pytest.raises(ValueError):
        kinetree.link_inertia(-rows)
