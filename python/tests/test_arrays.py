"""Arrays: what is read in place, what is copied, what is refused and by which words."""

import tracemalloc

import kinetree
import numpy as np
import pytest


@pytest.fixture
def call(arm, states):
    s = states(arm, batch=6)
    dynamics = kinetree.ForwardDynamics(arm, algorithm="ab")
    expected = dynamics.solve(s.q, s.v, s.tau)
    return dynamics, s, expected


def test_results_go_where_the_caller_says(call):
    dynamics, s, expected = call
    out = np.empty_like(s.v)
    where = out.ctypes.data
    assert dynamics.solve(s.q, s.v, s.tau, out=out) is out and out.ctypes.data == where
    assert np.array_equal(out, expected)
    wide = np.full((6, 20), 7.0)
    block = wide[:, 3:10]
    dynamics.solve(s.q, s.v, s.tau, out=block)
    assert np.array_equal(block, expected) and (wide[:, :3] == 7).all() and (wide[:, 10:] == 7).all()


def test_contiguous_arrays_are_not_copied(arm, states):
    s = states(arm, batch=20000)
    dynamics = kinetree.ForwardDynamics(arm, algorithm="ab")
    out = np.empty_like(s.v)
    wide = np.empty((20000, 12))
    wide[:, 2:9] = s.q
    tracemalloc.start()  # numpy tells it of every array that it makes
    for q in (s.q, wide[:, 2:9], np.broadcast_to(s.q[0], s.q.shape)):
        tracemalloc.reset_peak()
        before = tracemalloc.get_traced_memory()[0]
        dynamics.solve(q, s.v, s.tau, out=out)
        assert tracemalloc.get_traced_memory()[1] - before < s.q.nbytes / 10
    tracemalloc.reset_peak()
    before = tracemalloc.get_traced_memory()[0]
    dynamics.solve(np.asfortranarray(s.q), s.v, s.tau, out=out)
    assert tracemalloc.get_traced_memory()[1] - before > s.q.nbytes  # the measure sees a copy
    tracemalloc.stop()


def strided(array):
    """The same numbers in other layouts."""
    rows, n = array.shape
    packed = np.zeros(rows, np.dtype([("mark", "u1"), ("x", "f8", (n,))]))
    packed["x"] = array
    every_other = np.zeros((2 * rows, 2 * n))
    every_other[::2, ::2] = array
    yield np.asfortranarray(array)
    yield packed["x"]
    yield every_other[::2, ::2]
    yield np.ascontiguousarray(array[::-1])[::-1]
    yield np.ascontiguousarray(array[:, ::-1])[:, ::-1]
    yield np.ascontiguousarray(array.T).T


def test_layouts_are_what_they_are_in_numpy(call):
    dynamics, s, expected = call
    for q, v, tau in zip(strided(s.q), strided(s.v), strided(s.tau)):
        assert np.array_equal(q, s.q)
        assert np.array_equal(dynamics.solve(q, v, tau), expected)
    for out in strided(np.zeros_like(s.v)):
        out.flags.writeable = True
        assert dynamics.solve(s.q, s.v, s.tau, out=out) is out
        assert np.array_equal(out, expected)


def test_broadcast_arrays(call):
    dynamics, s, _ = call
    tau = np.broadcast_to(s.tau[2], s.tau.shape)
    assert np.array_equal(dynamics.solve(s.q, s.v, tau), dynamics.solve(s.q, s.v, tau.copy()))
    q, v = np.broadcast_to(s.q[1], s.q.shape), np.broadcast_to(s.v[1], s.v.shape)
    assert np.array_equal(dynamics.solve(q, v, tau), dynamics.solve(q.copy(), v.copy(), tau.copy()))
    one = np.broadcast_to(np.float64(0.5), 7)  # every number the same one
    assert np.array_equal(dynamics.solve(one, one, one), dynamics.solve(*[np.full(7, 0.5)] * 3))
    field = np.zeros((3, 1, 7))[1]
    assert dynamics.solve(field, field, field).shape == (1, 7)


def test_one_state_and_no_state(call):
    dynamics, s, expected = call
    assert dynamics.solve(s.q[0], s.v[0], s.tau[0]).shape == (7,)
    assert dynamics.solve(s.q[:0], s.v[:0], s.tau[:0]).shape == (0, 7)
    assert np.array_equal(dynamics.solve(s.q[:1], s.v[:1], s.tau[:1])[0], dynamics.solve(s.q[0], s.v[0], s.tau[0]))
    assert np.allclose(dynamics.solve(list(s.q[0]), tuple(s.v[0]), [0] * 7),
                       dynamics.solve(s.q[0], s.v[0], np.zeros(7)), rtol=0, atol=0)


def test_float32(call):
    dynamics, s, expected = call
    q, v, tau = (x.astype(np.float32) for x in (s.q, s.v, s.tau))
    a = dynamics.solve(q, v, tau)
    assert a.dtype == np.float32
    assert np.allclose(a, dynamics.solve(*(x.astype(float) for x in (q, v, tau))), rtol=1e-3, atol=1e-3)


WRONG = [
    (None, "NoneType"),
    (3.0, "float"),
    ("arm", "str"),
    (object(), "object"),
    (np.zeros((6, 8)), r"\(6, 8\)"),
    (np.zeros((5, 7)), r"\(5, 7\)"),
    (np.zeros((6, 7, 1)), r"\(6, 7, 1\)"),
    (np.zeros(()), r"\(\)"),
    (np.zeros(7), "broadcast_to"),
    (np.zeros((6, 7), np.float32), "float32"),
    (np.zeros((6, 7), np.float16), "float16"),
    (np.zeros((6, 7), int), "int64"),
    (np.zeros((6, 7), bool), "bool"),
    (np.zeros((6, 7), complex), "complex128"),
    (np.zeros((6, 7), ">f8"), ">f8"),
    (np.zeros((6, 7), object), "object"),
    (np.zeros((6, 7), "datetime64[s]"), "datetime64"),
    (np.full((6, 7), None), "object"),
    (np.ma.masked_array(np.zeros((6, 7)), False), "mask"),
    ([[0.0] * 7] * 5 + [[None] * 7], "object"),
    ([["x"] * 7] * 6, "<U1"),
]


@pytest.mark.parametrize("name", ["v", "tau", "f_ext"])
@pytest.mark.parametrize("given,words", WRONG, ids=[str(k) for k in range(len(WRONG))])
def test_wrong_arguments_are_named(call, name, given, words):
    dynamics, s, _ = call
    if name == "f_ext" and (given is None or words == "broadcast_to"):
        return  # left out; and of another width
    arguments = {"q": s.q, "v": s.v, "tau": s.tau, name: given}
    with pytest.raises(kinetree.ArgumentError, match=words) as caught:
        dynamics.solve(**arguments)
    assert caught.value.argument == name and str(caught.value).startswith(name + ": expected ")


@pytest.mark.parametrize("given,words", [w for w in WRONG if w[0] is not None and not isinstance(w[0], list)
                                         and w[1] not in (r"\(5, 7\)", "broadcast_to", "float32")])
def test_wrong_q(call, given, words):
    dynamics, s, _ = call
    with pytest.raises(kinetree.ArgumentError, match=words) as caught:
        dynamics.solve(given, s.v, s.tau)
    assert caught.value.argument == "q"


@pytest.mark.parametrize("given,words", WRONG, ids=[str(k) for k in range(len(WRONG))])
def test_wrong_out(call, given, words):
    dynamics, s, expected = call
    if given is None:
        return
    with pytest.raises(kinetree.ArgumentError):
        dynamics.solve(s.q, s.v, s.tau, out=given)


def test_out_may_be_written_and_is_no_input(call):
    dynamics, s, expected = call
    with pytest.raises(kinetree.ArgumentError, match="read"):
        dynamics.solve(s.q, s.v, s.tau, out=np.broadcast_to(np.zeros(7), (6, 7)))
    with pytest.raises(kinetree.StateError) as caught:
        dynamics.solve(s.q, s.v, s.tau, out=s.v)
    assert caught.value.code == "shared_memory"
    with pytest.raises(TypeError):
        dynamics.solve(s.q, s.v)
    with pytest.raises(TypeError):
        dynamics.solve(s.q, s.v, s.tau, no_such=1)
