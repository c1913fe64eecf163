"""Products of derivatives: against the matrices of derivatives, differences and each other; directions as numpy has
them, read and written where they lie."""

import tracemalloc

import kinetree
import numpy as np
import pytest

FAMILIES = ["chain:1", "tree:2x3", "random:10:seed=4:floating=1", "geared:3"]
COUNT = 3


class Directions:
    def __init__(self, s, count=COUNT):
        random = np.random.default_rng(7)
        self.dq, self.dv, self.dtau, self.bar = random.uniform(-1, 1, (4, len(s.q), count, s.model.nv))


def solved(s):
    dynamics = kinetree.ForwardDynamics(s.model)
    return dynamics, dynamics.solve(s.q, s.v, s.tau, s.f_ext)


def near(x, y, tolerance=1e-11):
    assert x.shape == y.shape
    assert np.abs(x - y).max() <= tolerance * max(1, np.abs(y).max())


@pytest.mark.parametrize("family", FAMILIES)
def test_push_and_pull_are_products_with_the_matrices(states, family):
    s = states(kinetree.make_model(family))
    d = Directions(s)
    dynamics, a = solved(s)
    da_dq, da_dv, da_dtau = kinetree.forward_dynamics_derivatives(s.model, s.q, s.v, s.tau, f_ext=s.f_ext)
    rows = lambda J, x: np.einsum("bij,bdj->bdi", J, x)
    da = dynamics.push(s.q, s.v, a, d.dq, d.dv, d.dtau, f_ext=s.f_ext)
    near(da, rows(da_dq, d.dq) + rows(da_dv, d.dv) + rows(da_dtau, d.dtau))
    near(dynamics.push(s.q, s.v, a, dv=d.dv, f_ext=s.f_ext), rows(da_dv, d.dv))  # directions left out are zero
    bars = dynamics.pull(s.q, s.v, a, d.bar, s.f_ext)
    for bar, J in zip(bars, (da_dq, da_dv, da_dtau)):
        near(bar, rows(np.swapaxes(J, 1, 2), d.bar))
    one = np.eye(s.model.nv)
    near(dynamics.push(s.q[0], s.v[0], a[0], one, f_ext=s.f_ext[0]), da_dq[0].T)  # row k is along direction k
    assert not dynamics.statuses.any()


@pytest.mark.parametrize("family", FAMILIES)
def test_products_of_inverse_dynamics(states, family):
    s = states(kinetree.make_model(family))
    d = Directions(s)
    dtau = kinetree.inverse_dynamics_tangent(s.model, s.q, s.v, s.a, d.dq, d.dv, d.dtau, s.f_ext)
    q_bar, v_bar, a_bar = kinetree.inverse_dynamics_cotangent(s.model, s.q, s.v, s.a, d.bar, s.f_ext)
    product = lambda x, y: np.einsum("bdi,bdi->bd", x, y)
    near(product(d.bar, dtau), product(q_bar, d.dq) + product(v_bar, d.dv) + product(a_bar, d.dtau))
    step = 1e-6

    def tau(sign):
        h = sign * step
        q = kinetree.integrate(s.model, s.q, h * d.dq[:, 0])
        return kinetree.inverse_dynamics(s.model, q, s.v + h * d.dv[:, 0], s.a + h * d.dtau[:, 0], s.f_ext)

    near(dtau[:, 0], (tau(1) - tau(-1)) / (2 * step), 1e-6)


@pytest.mark.parametrize("axes", ["link", "world", "world_aligned"])
def test_masses_and_contacts(models, states, axes):
    model = kinetree.load_model(models / "quadruped.yaml", floating_base=True)
    s = states(model)
    points = [model.link_names[-1], (model.link_names[3], (0.1, -0.2, 0.3))]
    H = kinetree.mass_matrix(model, s.q)
    forces = Directions(s).dtau
    near(kinetree.inverse_mass_product(model, s.q, forces), np.swapaxes(np.linalg.solve(H, np.swapaxes(forces, 1, 2)),
                                                                        1, 2), 1e-9)
    J = kinetree.jacobians(model, s.q, points, axes=axes)
    for rows, kept in (("all", list(range(12))), ("linear", [3, 4, 5, 9, 10, 11])):
        Jk, n = J[:, kept], len(kept)
        D = Jk @ np.linalg.solve(H, np.swapaxes(Jk, 1, 2))
        one = np.broadcast_to(np.eye(n), (5, n, n))
        near(kinetree.delassus_product(model, s.q, points, one, axes=axes, rows=rows), D, 1e-9)
        damped = kinetree.delassus_product(model, s.q[0], points, one[0, 0], axes, rows, 0.5)
        near(damped, D[0, 0] + 0.5 * one[0, 0], 1e-9)
    with pytest.raises(kinetree.ArgumentError, match="rows: expected one of all, linear"):
        kinetree.delassus_product(model, s.q, points, one, rows="some")
    for damping in ("much", True, [1.0]):
        with pytest.raises(kinetree.ArgumentError, match="damping: expected a number"):
            kinetree.delassus_product(model, s.q, points, one, damping=damping)
    with pytest.raises(kinetree.StateError, match="damping"):
        kinetree.delassus_product(model, s.q, points, one, rows="linear", damping=np.inf)


def test_shapes_are_one_direction_or_many(arm, states):
    s = states(arm)
    d = Directions(s)
    dynamics, a = solved(s)
    without = lambda *given: dynamics.push(s.q, s.v, a, *given)
    every = without(d.dq, d.dv, d.dtau)
    first = without(*(x[:, 0] for x in (d.dq, d.dv, d.dtau)))
    assert every.shape == (5, COUNT, 7) and first.shape == (5, 7)
    near(first, every[:, 0])
    near(without(d.dq[:, :1], d.dv[:, :1], d.dtau[:, :1]), every[:, :1])
    some = dynamics.push(s.q[1], s.v[1], a[1], d.dq[1], d.dv[1], d.dtau[1])
    assert some.shape == (COUNT, 7)
    near(some, every[1])
    assert dynamics.push(s.q[1], s.v[1], a[1], d.dq[1, 0]).shape == (7,)
    assert without(d.dq[:, :0], d.dv[:, :0]).shape == (5, 0, 7)
    assert dynamics.push(s.q[:0], s.v[:0], a[:0], d.dq[:0]).shape == (0, COUNT, 7)
    bars = dynamics.pull(s.q, s.v, a, d.bar[:, 0])
    assert [b.shape for b in bars] == [(5, 7)] * 3
    single = [x.astype(np.float32) for x in (s.q, s.v, a, d.dq)]
    low = dynamics.push(*single)
    assert low.dtype == np.float32
    near(low.astype(float), dynamics.push(*(x.astype(float) for x in single)), 1e-3)
    assert dynamics.push(list(s.q[0]), list(s.v[0]), list(a[0]), [[0.0] * 7] * 2).shape == (2, 7)


def test_results_go_where_the_caller_says(arm, states):
    s = states(arm)
    d = Directions(s)
    dynamics, a = solved(s)
    out = np.empty_like(d.dq)
    where = out.ctypes.data
    assert dynamics.push(s.q, s.v, a, d.dq, out=out) is out and out.ctypes.data == where
    assert np.array_equal(out, dynamics.push(s.q, s.v, a, d.dq))
    outs = tuple(np.empty_like(d.bar) for _ in range(3))
    bars = dynamics.pull(s.q, s.v, a, d.bar, out=outs)
    assert all(x is y for x, y in zip(bars, outs))
    for x, y in zip(outs, dynamics.pull(s.q, s.v, a, d.bar)):
        assert np.array_equal(x, y)
    wide = np.full((5, COUNT, 20), 7.0)  # no place that the library can write: through a copy
    assert np.array_equal(dynamics.push(s.q, s.v, a, d.dq, out=wide[:, :, 3:10]), out)
    assert (wide[:, :, :3] == 7).all() and (wide[:, :, 10:] == 7).all()
    with pytest.raises(kinetree.StateError) as caught:
        dynamics.push(s.q, s.v, a, d.dq, out=d.dq)
    assert caught.value.code == "shared_memory"
    for wrong in (np.empty((5, 7)), np.empty((COUNT, 7)), np.empty(d.dq.shape, np.float32), 3):
        with pytest.raises(kinetree.ArgumentError, match="^out: expected"):
            dynamics.push(s.q, s.v, a, d.dq, out=wrong)
    with pytest.raises(kinetree.ArgumentError, match="a tuple of 3 arrays"):
        dynamics.pull(s.q, s.v, a, d.bar, out=out)


def layouts(x):
    batch, count, n = x.shape
    wide = np.zeros((batch, count + 2, n))
    wide[:, 1:-1] = x
    packed = np.zeros((batch, count), np.dtype([("mark", "u1"), ("x", "f8", (n,))]))
    packed["x"] = x
    yield np.asfortranarray(x)
    yield wide[:, 1:-1]
    yield packed["x"]
    yield np.ascontiguousarray(x[::-1, ::-1])[::-1, ::-1]
    yield np.ascontiguousarray(x[:, :, ::-1])[:, :, ::-1]


def test_layouts_are_what_they_are_in_numpy(arm, states):
    s = states(arm)
    d = Directions(s)
    dynamics, a = solved(s)
    expected = dynamics.push(s.q, s.v, a, d.dq, d.dv)
    for dq, dv in zip(layouts(d.dq), layouts(d.dv)):
        assert np.array_equal(dq, d.dq)
        assert np.array_equal(dynamics.push(s.q, s.v, a, dq, dv), expected)
    alike = np.broadcast_to(d.dq[0], d.dq.shape)
    assert np.array_equal(dynamics.push(s.q, s.v, a, alike), dynamics.push(s.q, s.v, a, alike.copy()))
    thin = np.broadcast_to(np.float64(0.5), (2, 7))
    assert np.array_equal(dynamics.push(s.q[0], s.v[0], a[0], thin), dynamics.push(s.q[0], s.v[0], a[0], thin.copy()))


def test_directions_are_not_copied(arm, states):
    s = states(arm, batch=2000)
    d = Directions(s, count=8)
    dynamics, a = solved(s)
    out = np.empty_like(d.dq)
    block = np.zeros((2000, 8, 10))
    block[:, :, 2:9] = d.dq
    dynamics.push(s.q, s.v, a, d.dq, out=out)
    tracemalloc.start()  # numpy tells it of every array that it makes
    try:
        for dq in (d.dq, block[:, :, 2:9]):
            tracemalloc.reset_peak()
            before = tracemalloc.get_traced_memory()[0]
            dynamics.push(s.q, s.v, a, dq, out=out)
            assert tracemalloc.get_traced_memory()[1] - before < out.nbytes / 10
        tracemalloc.reset_peak()
        before = tracemalloc.get_traced_memory()[0]
        dynamics.push(s.q, s.v, a, np.asfortranarray(d.dq), out=out)
        assert tracemalloc.get_traced_memory()[1] - before > out.nbytes  # the measure sees a copy
    finally:
        tracemalloc.stop()


WRONG = [
    (np.zeros((5, 8)), r"expected shape \(5, 7\) or \(5, directions, 7\); given \(5, 8\)"),
    (np.zeros((4, 7)), r"given \(4, 7\)"),
    (np.zeros((5, 2, 8)), r"given \(5, 2, 8\)"),
    (np.zeros((4, 2, 7)), r"given \(4, 2, 7\)"),
    (np.zeros((5, 2, 7, 1)), r"given \(5, 2, 7, 1\)"),
    (np.zeros(7), r"given \(7,\)"),
    (np.zeros(()), r"given \(\)"),
    (np.zeros((5, 2, 7), np.float32), "float32"),
    (np.zeros((5, 2, 7), int), "int64"),
    (np.zeros((5, 2, 7), "datetime64[s]"), "datetime64"),
    (np.ma.masked_array(np.zeros((5, 2, 7)), False), "mask"),
    ([[[None] * 7] * 2] * 5, "object"),
    ("dq", "str"),
]


@pytest.mark.parametrize("given,words", WRONG, ids=[str(k) for k in range(len(WRONG))])
def test_wrong_directions_are_named(arm, states, given, words):
    s = states(arm)
    dynamics, a = solved(s)
    for name, call in (("dq", lambda: dynamics.push(s.q, s.v, a, given)),
                       ("a_bar", lambda: dynamics.pull(s.q, s.v, a, given)),
                       ("da", lambda: kinetree.inverse_dynamics_tangent(arm, s.q, s.v, a, da=given)),
                       ("forces", lambda: kinetree.inverse_mass_product(arm, s.q, given))):
        with pytest.raises(kinetree.ArgumentError, match=words) as caught:
            call()
        assert caught.value.argument == name


def test_directions_are_equally_many(arm, states):
    s = states(arm)
    d = Directions(s)
    dynamics, a = solved(s)
    with pytest.raises(kinetree.ShapeError, match=r"^dv: expected shape \(5, 3, 7\); given \(5, 2, 7\)"):
        dynamics.push(s.q, s.v, a, d.dq, d.dv[:, :2])
    with pytest.raises(kinetree.ShapeError, match=r"^dtau: expected shape \(5, 7\); given \(5, 3, 7\)"):
        dynamics.push(s.q, s.v, a, d.dq[:, 0], dtau=d.dtau)
    with pytest.raises(TypeError, match="give one of dq, dv, dtau"):
        dynamics.push(s.q, s.v, a)
    with pytest.raises(TypeError, match="give one of dq, dv, da"):
        kinetree.inverse_dynamics_tangent(arm, s.q, s.v, a)
    with pytest.raises(TypeError, match="needs forces"):
        kinetree.inverse_mass_product(arm, s.q)


def test_states_that_fail_are_told(arm, states):
    s = states(arm)
    d = Directions(s)
    dynamics, a = solved(s)
    good = dynamics.push(s.q, s.v, a, d.dq)
    s.q[2] = np.nan
    bad = dynamics.push(s.q, s.v, a, d.dq)
    assert np.flatnonzero(dynamics.statuses).tolist() == [2] and np.isnan(bad[2]).all()
    assert np.array_equal(np.delete(bad, 2, 0), np.delete(good, 2, 0))
    with pytest.raises(kinetree.StateError) as caught:
        dynamics.pull(s.q[2], s.v[2], a[2], d.bar[2])
    assert caught.value.code == "not_finite"
    workspace = kinetree.Workspace(arm, threads=2)
    bars = kinetree.inverse_dynamics_cotangent(workspace, s.q, s.v, s.a, d.bar)
    assert np.flatnonzero(workspace.statuses).tolist() == [2] and all(np.isnan(b[2]).all() for b in bars)


def test_loops_are_refused_or_held(states):
    model = kinetree.make_model("fourbars:2")
    s = states(model)
    d = Directions(s)
    dynamics, a = solved(s)
    for call in (lambda: dynamics.push(s.q, s.v, a, d.dq), lambda: dynamics.pull(s.q, s.v, a, d.bar)):
        with pytest.raises(kinetree.StateError) as caught:
            call()
        assert caught.value.code == "state_dependent_loop"
    near(kinetree.inverse_mass_product(model, s.q, d.dtau[:, 0]),
         dynamics.solve(s.q, s.v, s.tau + d.dtau[:, 0]) - dynamics.solve(s.q, s.v, s.tau), 1e-9)


def test_a_gradient_is_that_of_differences(models):
    """The cost of a rollout by forces, through its steps and back."""
    model = kinetree.load_model(models / "arm7.yaml")
    dynamics = kinetree.ForwardDynamics(model)
    random, dt, steps = np.random.default_rng(3), 1e-2, 20
    tau = random.uniform(-1, 1, (steps, model.nv))

    def cost(tau):
        q, v = kinetree.neutral(model), np.zeros(model.nv)
        path = []
        for t in tau:
            a = dynamics.solve(q, v, t)
            path.append((q, v, a))
            v = v + dt * a
            q = kinetree.integrate(model, q, dt * v)
        return 0.5 * q @ q, q, path

    _, q_bar, path = cost(tau)
    v_bar, gradient = np.zeros(model.nv), np.empty_like(tau)
    for k in reversed(range(steps)):
        v_bar = v_bar + dt * q_bar  # q' = q + dt v', v' = v + dt a
        from_q, from_v, gradient[k] = dynamics.pull(*path[k], dt * v_bar)
        q_bar, v_bar = q_bar + from_q, v_bar + from_v
    direction = random.uniform(-1, 1, tau.shape)
    h = 1e-5
    difference = (cost(tau + h * direction)[0] - cost(tau - h * direction)[0]) / (2 * h)
    assert np.sum(gradient * direction) == pytest.approx(difference, rel=1e-7)
