"""Rollouts: steps, views, resets of some, records, gains, interrupts."""

import os
import signal
import threading

import kinetree
import numpy as np
import pytest


@pytest.fixture
def quadruped(models):
    return kinetree.load_model(models / "quadruped.yaml", floating_base=True)


def explicit(model, q, v, tau, dt, passive=False):
    """The same steps of a mechanism without floating joints, one by one in numpy."""
    dynamics = kinetree.ForwardDynamics(model, algorithm="ab")
    for k in range(tau.shape[1]):
        forces = tau[:, k].copy()
        if passive:
            kinetree.add_passive_forces(model, q, v, forces)
        v = v + dt * dynamics.solve(q, v, forces)
        q = kinetree.integrate(model, q, dt * v)
    return q, v


def test_steps_are_those_of_the_formula(arm, states):
    s = states(arm, batch=7)
    tau = np.random.default_rng(0).uniform(-1, 1, (7, 5, arm.nv))
    rollouts = kinetree.Rollouts(arm, 7, dt=2e-3, algorithm="ab")
    rollouts.reset(s.q, s.v)
    q_kept, v_kept = rollouts.step(tau, 5, every=1)
    q, v = explicit(arm, s.q, s.v, tau, 2e-3)
    assert np.allclose(rollouts.q, q, rtol=0, atol=1e-12) and np.allclose(rollouts.v, v, rtol=0, atol=1e-9)
    assert np.array_equal(q_kept[:, -1], rollouts.q) and np.array_equal(v_kept[:, -1], rollouts.v)
    assert np.allclose(q_kept[:, 1], explicit(arm, s.q, s.v, tau[:, :2], 2e-3)[0], rtol=0, atol=1e-12)
    assert np.allclose(rollouts.time, 0.01)


@pytest.mark.parametrize("integrator", ["semi_implicit_euler", "rk4"])
def test_bits_depend_on_neither_threads_nor_pieces(quadruped, states, integrator):
    batch, steps = 150, 12
    s = states(quadruped, batch=batch)
    tau = np.random.default_rng(0).uniform(-1, 1, (batch, steps, quadruped.nv))
    made = [kinetree.Rollouts(quadruped, batch, 1e-3, integrator, threads=threads) for threads in (1, 2, 2)]
    for rollouts in made:
        rollouts.reset(s.q, s.v)
    q, v = made[0].step(tau, steps, every=3)
    q2, v2 = made[1].step(tau, steps, every=3)
    assert q.shape == (batch, 4, quadruped.nq) and np.array_equal(q, q2) and np.array_equal(v, v2)
    for k in range(steps):
        made[2].step(tau[:, k])
    assert np.array_equal(made[2].q, q[:, -1]) and np.array_equal(made[2].v, v[:, -1])
    assert np.array_equal(made[0].q, q[:, -1])


def test_views_follow_the_motion(arm):
    rollouts = kinetree.Rollouts(arm, 4)
    q, where = rollouts.q, rollouts.q.ctypes.data
    before = q.copy()
    rollouts.step(np.ones(arm.nv), steps=10)
    assert not np.array_equal(q, before) and rollouts.q.ctypes.data == where and np.array_equal(q, rollouts.q)
    with pytest.raises(ValueError):
        q[0, 0] = 1
    del rollouts
    assert np.isfinite(q).all()  # the view keeps the object


def test_some_begin_anew(arm, states):
    s = states(arm, batch=6)
    rollouts = kinetree.Rollouts(arm, 6)
    rollouts.reset(s.q, s.v)
    rollouts.step(steps=3)
    moved = rollouts.q.copy()
    mask = np.array([0, 1, 0, 0, 1, 0], bool)
    rollouts.reset(s.q[mask], s.v[mask], mask, time=5)
    assert np.array_equal(rollouts.q[mask], s.q[mask]) and np.array_equal(rollouts.q[~mask], moved[~mask])
    assert (rollouts.time[mask] == 5).all() and np.allclose(rollouts.time[~mask], 3e-3)
    rollouts.reset(mask=~mask)
    assert np.array_equal(rollouts.q[0], kinetree.neutral(arm)) and (rollouts.v[~mask] == 0).all()
    rollouts.reset(s.q[0], np.broadcast_to(s.v[1], s.v.shape))
    assert (rollouts.q == s.q[0]).all() and (rollouts.v == s.v[1]).all()
    for bad in (np.ones(5, bool), np.ones(6), [True] * 6 + [False], "all"):
        with pytest.raises(kinetree.ArgumentError, match="mask"):
            rollouts.reset(mask=bad)
    with pytest.raises(kinetree.ShapeError, match="q: expected"):
        rollouts.reset(s.q, mask=mask)
    s.q[3, 2] = np.inf
    with pytest.raises(kinetree.StateError) as caught:
        rollouts.reset(s.q, s.v)
    assert caught.value.status.column == 3


def test_each_has_its_own_time(arm):
    rollouts = kinetree.Rollouts(arm, 3)
    rollouts.reset(time=np.array([0.0, 1.0, 2.0]))
    rollouts.step(steps=2)
    assert np.allclose(rollouts.time, [0.002, 1.002, 2.002])
    mask = np.array([True, False, True])
    rollouts.reset(mask=mask, time=rollouts.time[mask])
    assert np.allclose(rollouts.time, [0.002, 1.002, 2.002]) and (rollouts.q[mask] == kinetree.neutral(arm)).all()
    with pytest.raises(kinetree.ShapeError, match="time"):
        rollouts.reset(mask=mask, time=np.zeros(3))


def test_events_end_motions(ball):
    heights = np.array([0.1, 0.5, 2.0])
    rollouts = kinetree.Rollouts(ball, 3, 1e-3, "rk4", threads=2)
    rollouts.reset(heights[:, None])
    ground = kinetree.Event(lambda time, q, v: q[:, 0], "falling")
    q, v = rollouts.step(steps=500, every=100, events=[ground])
    falls = np.sqrt(2 * heights / 9.81)
    assert rollouts.happened.tolist() == [0, 0, -1]
    late = rollouts.time[:2] - falls[:2]
    assert (late >= 0).all() and (late <= 1.0001e-3).all() and np.isclose(rollouts.time[2], 0.5)
    assert np.array_equal(q[:, -1], rollouts.q) and (q[0, 1:] == rollouts.q[0]).all()  # it stands there
    assert np.allclose(rollouts.v[:, 0], -9.81 * rollouts.time)
    with pytest.raises(ValueError):
        rollouts.happened[0] = 3
    path = kinetree.rollout(ball, heights[:, None], np.zeros((3, 1)), np.zeros((3, 500, 1)), integrator="rk4",
                            events=[ground])
    assert np.array_equal(path.q[:, -1], q[:, -1]) and path.happened.tolist() == [0, 0, -1]
    rollouts.step(steps=10)  # the next call moves all of them
    assert (rollouts.q[:2] < q[:2, -1]).all() and rollouts.happened.tolist() == [-1, -1, -1]


def test_events_change_motions(ball):
    seen = []

    def bounce(time, q, v):
        seen.append(len(q))
        v *= -0.5

    rollouts = kinetree.Rollouts(ball, 2, 1e-4, "rk4")
    rollouts.reset(np.array([[0.1], [5.0]]))
    ground = kinetree.Event(lambda time, q, v: q[:, 0], "falling", act=bounce)
    rollouts.step(steps=4000, events=[ground])
    # bounces follow at 1, 2, 2.5, 2.75, 2.875, ... times 0.143 s, each half as fast as the last
    assert set(seen) == {1} and len(seen) >= 4 and rollouts.happened.tolist() == [-1, -1]
    assert np.allclose(rollouts.time, 0.4) and np.isclose(rollouts.q[1, 0], 5 - 9.81 * 0.08)
    assert abs(rollouts.q[0, 0]) < 0.005  # without bounces it would be at -0.68
    one_way = kinetree.Event(lambda time, q, v: q[:, 0] - 1, "falling", act=lambda time, q, v: q[:, 0] > 10)
    rollouts.reset(np.array([[1.1], [5.0]]))
    rollouts.step(steps=2000, events=[one_way])
    assert rollouts.happened.tolist() == [0, -1]
    rollouts.reset(np.array([[0.5], [0.5]]), np.array([[1.0], [-1.0]]))
    both = [kinetree.Event(lambda time, q, v: q[:, 0] - 0.5, "rising"),
            kinetree.Event(lambda time, q, v: q[:, 0] - 0.5, "falling")]
    rollouts.step(steps=1, events=both)  # a value of zero has the sign that it leaves
    assert rollouts.happened.tolist() == [0, 1]
    rollouts.reset(np.array([[0.5], [0.5]]), np.array([[1.0], [-1.0]]))
    either = [kinetree.Event(lambda time, q, v: q[:, 0] - 0.5)]
    rollouts.step(steps=1000, events=either)  # one of either sign begins with what it has first
    assert rollouts.happened.tolist() == [-1, -1] and (rollouts.q[0] > 0.5).all()
    rollouts.step(steps=2000, events=either)
    assert rollouts.happened.tolist() == [0, -1]


def test_wrong_events_are_told(ball):
    rollouts = kinetree.Rollouts(ball, 2)
    value = lambda time, q, v: q[:, 0] - 1e-6
    for event, error in ((kinetree.Event(lambda *_: np.zeros(3)), kinetree.ShapeError),
                         (kinetree.Event(lambda *_: None), kinetree.ArrayTypeError),
                         (kinetree.Event(value, "up"), kinetree.ArgumentError),
                         (kinetree.Event(lambda *_: 1 / 0), ZeroDivisionError)):
        with pytest.raises(error):
            rollouts.step(events=[event])
    rollouts.reset(np.full((2, 1), 1e-5))
    with pytest.raises(kinetree.ArrayTypeError, match="act"):
        rollouts.step(steps=5, events=[kinetree.Event(value, "falling", act=lambda *_: np.zeros(2))])
    rollouts.reset()
    rollouts.step()


def test_events_are_interrupted(ball):
    rollouts = kinetree.Rollouts(ball, 2)
    seen = []
    timer = threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT))
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        rollouts.step(steps=10**8, events=[kinetree.Event(lambda time, q, v: time + 1)],
                      progress=lambda done, of: seen.append(done))
    timer.join()
    assert len(seen) >= 2 and seen[0] > 1  # not at every step


def test_those_that_fail_stop_alone(quadruped, states):
    rollouts = kinetree.Rollouts(quadruped, 4)
    tau = np.zeros((4, quadruped.nv))
    tau[2, 8] = np.inf
    rollouts.step(tau, 5)
    assert np.flatnonzero(rollouts.statuses).tolist() == [2]
    assert rollouts.status(2).code == "not_finite" and rollouts.status(2).joint
    assert rollouts.time[2] == 0 and np.allclose(rollouts.time[[0, 1, 3]], 5e-3)
    rollouts.reset(mask=rollouts.statuses != 0)
    assert not rollouts.statuses.any()


def test_gains_and_passive_forces(arm, states):
    s = states(arm, batch=3)
    kp, kd = np.full(arm.nv, 30.0), np.linspace(1, 2, arm.nv)
    by_gains, by_hand = (kinetree.Rollouts(arm, 3, algorithm="ab") for _ in range(2))
    for rollouts in (by_gains, by_hand):
        rollouts.reset(s.q, s.v)
    by_gains.step(s.tau, 4, target=np.zeros(arm.nq), kp=kp, kd=kd, passive=True)
    for _ in range(4):
        tau = s.tau + kp * kinetree.difference(arm, by_hand.q, np.zeros_like(s.q)) - kd * by_hand.v
        by_hand.step(kinetree.add_passive_forces(arm, by_hand.q, by_hand.v, tau))
    assert np.allclose(by_gains.q, by_hand.q, rtol=0, atol=1e-13)
    with pytest.raises(kinetree.ArgumentError, match="kp"):
        by_gains.step(target=s.q)


def test_forces_on_bodies(arm, states):
    s = states(arm, batch=3)
    rollouts = kinetree.Rollouts(arm, 3, external_forces=True)
    rollouts.reset(s.q, s.v)
    rollouts.step(s.tau, f_ext=s.f_ext)
    a = kinetree.ForwardDynamics(arm).solve(s.q, s.v, s.tau, s.f_ext)
    assert np.allclose(rollouts.v, s.v + 1e-3 * a)
    with pytest.raises(kinetree.ArgumentError, match="external_forces=True"):
        kinetree.Rollouts(arm, 3).step(f_ext=s.f_ext)


def test_one_call(arm, states):
    s = states(arm, batch=5)
    tau = np.broadcast_to(s.tau[:, None], (5, 20, arm.nv))
    path = kinetree.rollout(arm, s.q, s.v, tau, dt=1e-3, every=5, threads=2)
    assert path.q.shape == (5, 4, arm.nq) and path.v.shape == (5, 4, arm.nv)
    assert np.allclose(path.time, [5e-3, 1e-2, 1.5e-2, 2e-2]) and not path.statuses.any()
    rollouts = kinetree.Rollouts(arm, 5)
    rollouts.reset(s.q, s.v)
    rollouts.step(s.tau, 20)
    assert np.array_equal(rollouts.q, path.q[:, -1])
    with pytest.raises(kinetree.ShapeError, match="tau"):
        kinetree.rollout(arm, s.q, s.v, s.tau)


def test_wrong_arguments(arm, models):
    rollouts = kinetree.Rollouts(arm, 4)
    for bad in (np.zeros(6), np.zeros((3, 7)), np.zeros((4, 2, 7)), np.zeros((4, 3, 7, 1)), np.zeros(7, np.float32),
                np.zeros(7, int), "none", np.ma.zeros(7)):
        with pytest.raises(kinetree.ArgumentError, match="tau"):
            rollouts.step(bad, steps=3)
    for steps, every in ((0, 0), (-1, 0), (3, 4), (3, -1)):
        with pytest.raises(kinetree.ArgumentError):
            rollouts.step(steps=steps, every=every)
    for keywords in ({"dt": 0}, {"dt": np.nan}, {"integrator": "adaptive"}, {"integrator": "stiff"}, {"integrator": "euler"}):
        with pytest.raises(kinetree.ArgumentError):
            kinetree.Rollouts(arm, 4, **keywords)
    with pytest.raises(ValueError):
        kinetree.Rollouts(arm, 0)
    with pytest.raises(ValueError, match="loop"):
        kinetree.Rollouts(kinetree.load_model(models / "four_bar.yaml"), 4)


def test_progress_and_interrupts(arm):
    rollouts = kinetree.Rollouts(arm, 64)
    seen = []
    rollouts.step(steps=100, progress=lambda done, of: seen.append((done, of)))
    assert seen[-1] == (100, 100) and seen == sorted(set(seen))

    class Enough(Exception):
        pass

    def stop(done, of):
        raise Enough

    with pytest.raises(Enough):
        rollouts.step(steps=10**9, progress=stop)
    begin = rollouts.time[0]
    timer = threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT))
    timer.start()
    with pytest.raises(KeyboardInterrupt):  # a call of days, else
        rollouts.step(steps=10**9)
    timer.join()
    assert rollouts.time[0] > begin
    rollouts.reset()
    rollouts.step()  # it takes calls as before
