"""The functions of the table, and those beside it."""

import pathlib
import re

import kinetree
import numpy as np
import pytest
from conftest import FAMILIES

ROOT = pathlib.Path(__file__).resolve().parents[2]
AXES = ("link", "world", "world_aligned")


def arguments_of(name, s, points):
    """Every argument that a function names in its signature."""
    signature = getattr(kinetree, name).__doc__.split("\n")[0]
    width = 6 * len(points) if "points" in signature else s.model.nv
    forces = np.random.default_rng(5).uniform(-1, 1, (len(s.q), 2, width))  # or other directions
    known = {"q": s.q, "v": s.v, "a": s.a, "tau": s.a, "f_ext": s.f_ext, "points": points,
             "parameters": np.ones((len(s.q), 2, len(kinetree.dynamic_parameters(s.model)))),
             **dict.fromkeys(("dq", "dv", "da", "tau_bar", "forces"), forces)}
    return {word: known[word] for word in re.findall(r", (\w+):", signature) if word in known}


def test_every_adapter_of_the_headers_is_there():
    headers = [file.read_text() for file in (ROOT / "include/kinetree").glob("*.hpp")]
    text = "".join(header for header in headers if "Function::" in header)
    names = set(re.findall(r"^Status (\w+)\(const Model& model, Workspace& workspace", text, re.M)) - {"add_forces"}
    assert names and names <= set(kinetree.FUNCTIONS)
    rows = set(re.findall(r"\{Function::(\w+),", (ROOT / "library/function_table.hpp").read_text()))
    other_names = {"compliance": "operational_space_compliance", "inverse_mass": "inverse_mass_product",
                   "delassus": "delassus_product"}
    inside = {"lever_arms"}  # of add_forces; C++ has no adapter either
    inside |= {"forward_dynamics_tangent", "forward_dynamics_cotangent"}  # of ForwardDynamics: push and pull
    assert {other_names.get(row, row) for row in rows - inside} <= set(kinetree.FUNCTIONS)
    for name in kinetree.FUNCTIONS:
        assert "Gives" in getattr(kinetree, name).__doc__


@pytest.mark.parametrize("name", kinetree.FUNCTIONS)
@pytest.mark.parametrize("family", ["tree:2x3", "fourbars:2", "random:10:seed=4:floating=1"])
def test_batches_are_their_states(states, family, name):
    model = kinetree.make_model(family)
    s = states(model, batch=4)
    if name == "forward_dynamics_derivatives" and family.startswith("fourbars"):
        with pytest.raises(kinetree.StateError, match="loop"):
            kinetree.forward_dynamics_derivatives(model, s.q, s.v, s.a)
        return
    function, arguments = getattr(kinetree, name), arguments_of(name, s, [model.link_names[-1], (0, (0.1, 0.2, 0.3))])
    workspace = kinetree.Workspace(model, lanes=1)
    many = function(workspace, **arguments)
    outs = tuple(np.zeros(r.shape) for r in many) if isinstance(many, tuple) else np.zeros(many.shape)
    again = function(model, **arguments, out=outs)
    assert again is outs or all(x is y for x, y in zip(again, outs))
    assert np.allclose(np.concatenate([np.ravel(r) for r in np.atleast_1d(many)] if not isinstance(many, tuple)
                                      else [r.ravel() for r in many]),
                       np.concatenate([r.ravel() for r in (again if isinstance(again, tuple) else (again,))]),
                       rtol=1e-9, atol=1e-9)
    for k in range(4):
        one = function(workspace, **{w: x if w == "points" else x[k] for w, x in arguments.items()})
        for whole, part in zip(many if isinstance(many, tuple) else (many,), one if isinstance(one, tuple) else (one,)):
            assert whole[k].shape == part.shape and np.array_equal(whole[k], part)
    single = {w: x if w == "points" else x.astype(np.float32) for w, x in arguments.items()}
    for low, high in zip(*(x if isinstance(x, tuple) else (x,) for x in (function(model, **single), many))):
        assert low.dtype == np.float32 and np.allclose(low, high, rtol=2e-2, atol=2e-2 * max(1, np.abs(high).max()))


@pytest.mark.parametrize("axes", AXES)
def test_jacobians_are_rates_of_points(models, states, axes):
    model = kinetree.load_model(models / "quadruped.yaml", floating_base=True)
    s = states(model)
    points = [model.link_names[-1], (model.link_names[3], (0.1, -0.2, 0.3))]
    poses, velocities, accelerations = kinetree.point_kinematics(model, s.q, s.v, points, a=s.a, axes=axes)
    assert poses.shape == (5, 2, 3, 4) and velocities.shape == accelerations.shape == (5, 2, 6)
    jacobians = kinetree.jacobians(model, s.q, points, axes)
    assert jacobians.shape == (5, 12, model.nv)
    assert np.allclose((jacobians @ s.v[..., None])[..., 0].reshape(5, 2, 6), velocities)
    rates = kinetree.jacobian_rates(model, s.q, s.v, points, axes=axes).reshape(5, 2, 6)
    assert np.allclose((jacobians @ s.a[..., None])[..., 0].reshape(5, 2, 6) + rates, accelerations)
    if axes == "world_aligned":  # where the point is a moment later
        later = kinetree.poses(model, kinetree.integrate(model, s.q, 1e-6 * s.v), points)
        assert np.allclose((later - poses)[..., 3] / 1e-6, velocities[..., 3:], atol=1e-4)
        rotation = poses[..., :3]
        assert np.allclose(rotation @ np.swapaxes(rotation, -1, -2), np.eye(3))


@pytest.mark.parametrize("axes", AXES)
def test_sparse_jacobians_are_the_columns_of_their_index(models, states, axes):
    model = kinetree.load_model(models / "quadruped.yaml", floating_base=True)
    s = states(model)
    points = [model.link_names[-1], (model.link_names[3], (0.1, -0.2, 0.3)), model.link_names[0]]
    velocity, begin = kinetree.path_velocities(model, points)
    assert begin.shape == (4,) and begin[0] == 0 and begin[-1] == len(velocity)
    assert np.issubdtype(velocity.dtype, np.integer) and np.issubdtype(begin.dtype, np.integer)
    assert all(np.array_equal(x, y) for x, y in zip(
        kinetree.path_velocities(model, kinetree.Points(model, points)), (velocity, begin)))
    for q in (s.q, s.q[0], s.q.astype(np.float32)):
        sparse = kinetree.sparse_jacobians(model, q, points, axes)
        assert sparse.shape == q.shape[:-1] + (6, len(velocity)) and sparse.dtype == q.dtype
        dense = np.zeros(q.shape[:-1] + (18, model.nv), q.dtype)
        for k in range(3):
            dense[..., 6 * k:6 * k + 6, velocity[begin[k]:begin[k + 1]]] = sparse[..., begin[k]:begin[k + 1]]
        assert np.array_equal(dense, kinetree.jacobians(model, q, points, axes))
    assert kinetree.sparse_jacobians(model, s.q, [], axes).shape == (5, 6, 0)
    with pytest.raises(kinetree.ShapeError):
        kinetree.sparse_jacobians(model, s.q, points, axes, out=np.zeros((5, 6, len(velocity) + 1)))
    with pytest.raises(kinetree.StateError) as caught:
        kinetree.sparse_jacobians(model, s.q, [99])
    assert caught.value.code == "no_such_frame"
    with pytest.raises(ValueError, match="99"):
        kinetree.path_velocities(model, [99])


@pytest.mark.parametrize("family", FAMILIES)
def test_lower_mass_matrix_is_the_triangle(states, family):
    model = kinetree.make_model(family)
    s = states(model)
    for q in (s.q, s.q[0], s.q.astype(np.float32)):
        lower = kinetree.lower_mass_matrix(model, q)
        full = kinetree.mass_matrix(model, q)  # with loops symmetric to rounding, and given transposed
        assert np.array_equal(lower, np.tril(np.swapaxes(full, -1, -2)))
        out = np.full(lower.shape, 7, q.dtype)
        assert kinetree.lower_mass_matrix(model, q, out=out) is out and np.array_equal(out, lower)


@pytest.mark.parametrize("family", FAMILIES)
def test_mass_matrix_is_the_energys(states, family):
    model = kinetree.make_model(family)
    s = states(model)
    H = kinetree.mass_matrix(model, s.q)
    n = len(model.independent_velocities)
    assert H.shape == (5, n, n) and np.allclose(H, np.swapaxes(H, 1, 2))
    if n == model.nv:
        kinetic = kinetree.energy(model, s.q, s.v)[:, 0]
        assert np.allclose(np.einsum("bi,bij,bj->b", s.v, H, s.v) / 2, kinetic)
        bias = kinetree.bias_forces(model, s.q, s.v)
        tau = kinetree.inverse_dynamics(model, s.q, s.v, s.a)
        assert np.allclose((H @ s.a[..., None])[..., 0] + bias, tau)
    assert np.array_equal(kinetree.gravity_forces(model, s.q), kinetree.inverse_dynamics(model, s.q))


def test_out_of_a_matrix_in_either_order(arm, states):
    s = states(arm)
    expected = kinetree.jacobians(arm, s.q, arm.link_names[-1])
    columns = np.empty((5, arm.nv, 6)).swapaxes(1, 2)
    rows = np.empty((5, 6, arm.nv))
    for out in (columns, rows):
        assert kinetree.jacobians(arm, s.q, arm.link_names[-1], out=out) is out
        assert np.array_equal(out, expected)


def test_points_are_looked_up_once(arm, states):
    s = states(arm)
    link = arm.link_names[-1]
    points = kinetree.Points(arm, [link, (link, (0, 0, 0.1))])
    assert len(points) == 2 and link in repr(points)
    assert np.array_equal(kinetree.poses(arm, s.q, points), kinetree.poses(arm, s.q, [link, (link, [0, 0, 0.1])]))
    with pytest.raises(kinetree.ArgumentError, match="another"):
        kinetree.poses(kinetree.make_model("chain:7"), s.q, points)
    for bad in ("no_such_link", ["no_such_link"], [(link, (0, 0))], [None], [3.5], None):
        with pytest.raises((ValueError, TypeError)):
            kinetree.poses(arm, s.q, bad)
    with pytest.raises(kinetree.StateError) as caught:
        kinetree.poses(arm, s.q, [99])
    assert caught.value.code == "no_such_frame"


def test_arguments_are_sorted_as_in_python(arm, states):
    s = states(arm)
    tau = kinetree.inverse_dynamics(arm, s.q, s.v, s.a)
    assert np.array_equal(kinetree.inverse_dynamics(a=s.a, q=s.q, model=arm, v=s.v), tau)
    for wrong in ({}, {"q": s.q, "w": s.q}, {"q": s.q, "v": None, "points": []}):
        with pytest.raises(TypeError):
            kinetree.inverse_dynamics(arm, **wrong)
    with pytest.raises(TypeError, match="two values of q"):
        kinetree.inverse_dynamics(arm, s.q, q=s.q)
    with pytest.raises(TypeError, match="a Model or a Workspace"):
        kinetree.mass_matrix(3, s.q)
    with pytest.raises(TypeError):
        kinetree.mass_matrix(arm, s.q, s.q, s.q)
    with pytest.raises(kinetree.ArgumentError, match="axes: expected one of link, world, world_aligned"):
        kinetree.jacobians(arm, s.q, 0, axes="here")
    with pytest.raises(kinetree.ShapeError) as caught:
        kinetree.mass_matrix(arm, s.q, out=np.zeros((5, 7, 6)))
    assert caught.value.argument == "out" and caught.value.given == "(5, 7, 6)"


def test_workspaces_share_a_batch_out(arm, states):
    s = states(arm, batch=300)
    workspace = kinetree.Workspace(arm, threads=2)
    s.q[7] = np.nan
    H = kinetree.mass_matrix(workspace, s.q)
    assert np.flatnonzero(workspace.statuses).tolist() == [7] and np.isnan(H[7]).all()
    assert np.array_equal(np.delete(H, 7, 0), np.delete(kinetree.mass_matrix(arm, s.q), 7, 0))
    with pytest.raises(TypeError, match="grain"):
        kinetree.Workspace(arm, grain=2)


def test_configuration_space(models, states):
    model = kinetree.load_model(models / "quadruped.yaml", floating_base=True)
    s = states(model)
    moved = kinetree.integrate(model, s.q, s.v)
    assert np.allclose(kinetree.difference(model, s.q, moved), s.v)
    half = kinetree.interpolate(model, s.q, moved, 0.5)
    assert np.allclose(kinetree.difference(model, s.q, half), s.v / 2)
    out = s.q.copy()
    assert kinetree.integrate(model, out, s.v, out=out) is out and np.array_equal(out, moved)
    assert np.array_equal(kinetree.integrate(model, s.q[0], s.v[0]), moved[0])
    q = s.q.copy()
    q[:, 3:7] *= 2
    assert kinetree.normalize(model, q) is q and np.allclose(q, s.q)
    assert kinetree.neutral(model).shape == (model.nq,)
    q, v = kinetree.random_state(model, 3)
    assert q.shape == (model.nq,) and np.array_equal(q, kinetree.random_state(model, 3)[0])
    with pytest.raises(kinetree.ShapeError, match="^x: expected"):
        kinetree.integrate(model, s.q, s.q)


def test_forces_are_added(damped, states):
    s = states(damped)
    tau = s.tau.copy()
    assert kinetree.add_passive_forces(damped, s.q, s.v, tau) is tau
    passive = damped.damping * s.v + damped.friction * np.sign(s.v) + damped.stiffness * s.q
    assert damped.damping.all() and np.allclose(tau, s.tau - passive)
    model = kinetree.make_model("chain:3")
    s = states(model)
    forces = np.random.default_rng(2).uniform(-1, 1, (5, 2, 6))
    points = [model.link_names[1], (model.link_names[2], (0.1, 0, 0))]
    f_ext = kinetree.add_forces(model, s.q, points, forces)
    J = kinetree.jacobians(model, s.q, points, "world_aligned")
    expected = np.einsum("bkn,bk->bn", J, forces.reshape(5, 12))
    without, with_forces = (kinetree.inverse_dynamics(model, s.q, s.v, s.a, f) for f in (None, f_ext))
    assert np.allclose(without - with_forces, expected)
    before = f_ext.copy()
    kinetree.add_forces(model, s.q, points, forces, f_ext=f_ext)
    assert np.allclose(f_ext, 2 * before)
    poses = kinetree.poses(model, s.q, points)
    assert np.allclose(kinetree.add_forces(model, None, points, forces, poses=poses), before, atol=1e-13)
    assert np.allclose(kinetree.add_forces(model, None, points, forces[1], poses=poses[1]), before[1], atol=1e-13)
    with pytest.raises(kinetree.ShapeError, match="poses"):
        kinetree.add_forces(model, None, points, forces, poses=poses[:, :1])
    with pytest.raises(kinetree.ShapeError, match="forces"):
        kinetree.add_forces(model, s.q, points, forces[:, :1])


def test_parameters_are_identified(arm, states):
    s = states(arm, batch=200)
    p = kinetree.dynamic_parameters(arm)
    names = kinetree.dynamic_parameter_names(arm)
    Y = kinetree.joint_torque_regressor(arm, s.q, v=s.v, a=s.a)
    assert Y.shape == (200, arm.nv, len(p)) and len(names) == len(p) and names[0] == arm.body_names[0] + ".mass"
    losses = s.tau * 0
    kinetree.add_passive_forces(arm, s.q, s.v, losses)
    tau = kinetree.inverse_dynamics(arm, s.q, s.v, s.a) - losses
    assert np.allclose(Y @ p, tau)
    assert np.allclose(kinetree.joint_torque_regressor_product(arm, s.q, v=s.v, a=s.a, parameters=np.tile(p, (200, 1))), tau)
    back = kinetree.joint_torque_regressor_transpose_product(arm, s.q, v=s.v, a=s.a, tau=tau)
    assert np.allclose(back, np.einsum("bvp,bv->bp", Y, tau))
    base = kinetree.base_parameters(arm)
    W = Y[..., base.columns].reshape(-1, len(base.columns))
    found = np.linalg.lstsq(W, tau.ravel(), rcond=None)[0]
    assert base.dropped < 1e-10 < base.kept and np.allclose(found, base.regrouping @ p)
    assert len(kinetree.base_parameters(Y.reshape(-1, len(p))).columns) == len(base.columns)
    with pytest.raises(TypeError):
        kinetree.base_parameters(np.ma.masked_array(W, W > 0))
    with pytest.raises(ValueError, match="among"):
        kinetree.base_parameters(arm, [4, 2])
