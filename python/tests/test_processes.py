"""Threads, forks, pickles to other processes, and memory over many calls."""

import gc
import multiprocessing
import os
import resource
import threading
import time

import kinetree
import numpy as np
import pytest


def test_two_threads_solve_while_python_runs(arm, states):
    """Seen from Python while both calls last: each has written its first state and not its last."""
    s = states(arm, batch=1)
    batch = 60000
    q, v, tau = (np.broadcast_to(x[0], (batch, 7)) for x in (s.q, s.v, s.tau))
    outs = [np.empty((batch, 7)) for _ in range(2)]
    dynamics = [kinetree.ForwardDynamics(arm, algorithm="crb", lanes=1) for _ in range(2)]

    def both_under_way():
        for out in outs:
            out.fill(np.nan)
        threads = [threading.Thread(target=d.solve, args=(q, v, tau), kwargs={"out": out})
                   for d, out in zip(dynamics, outs)]
        for thread in threads:
            thread.start()
        seen = 0
        while any(t.is_alive() for t in threads):
            seen += all(np.isfinite(out[0, 0]) and np.isnan(out[-1, 0]) for out in outs)
        for thread in threads:
            thread.join()
        return seen

    assert any(both_under_way() > 0 for _ in range(20))
    assert np.array_equal(outs[0], outs[1]) and np.isfinite(outs[0]).all()


def test_one_object_takes_one_call_at_a_time(arm):
    rollouts = kinetree.Rollouts(arm, 64)
    begun, refused = threading.Event(), []

    def intrude(done, of):
        begun.set()
        if refused:
            raise StopIteration

    def long_call():
        try:
            rollouts.step(steps=10**9, progress=intrude)
        except StopIteration:
            pass

    thread = threading.Thread(target=long_call)
    thread.start()
    begun.wait()
    while not refused:
        try:
            rollouts.step()
        except kinetree.BusyError as error:
            refused.append(str(error))
    thread.join()
    assert "Rollouts" in refused[0] and "another thread" in refused[0]


def test_a_model_serves_many_threads(arm, states):
    s = states(arm, batch=50)
    expected = kinetree.mass_matrix(arm, s.q)
    wrong = []

    def work():
        for _ in range(50):
            if not np.array_equal(kinetree.mass_matrix(arm, s.q), expected):
                wrong.append(1)

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


def accelerations(model, q, v, tau, executor="team"):
    return kinetree.ForwardDynamics(model, algorithm="ab", executor=executor, threads=2).solve(q, v, tau)


@pytest.mark.parametrize("method", ["fork", "spawn"])
def test_models_go_to_other_processes(arm, states, method):
    s = states(arm, batch=100)
    expected = accelerations(arm, s.q, s.v, s.tau)
    with multiprocessing.get_context(method).Pool(1) as pool:
        assert np.array_equal(pool.apply(accelerations, (arm, s.q, s.v, s.tau)), expected)


@pytest.mark.parametrize("executor", ["team", "tbb", "openmp"])
def test_objects_do_not_outlive_a_fork(arm, states, executor):
    """The library's threads stay behind: objects made before say so, new ones of the same model solve."""
    s = states(arm, batch=200)
    dynamics = kinetree.ForwardDynamics(arm, algorithm="ab", executor=executor, threads=2)
    workspace, rollouts, simulation = kinetree.Workspace(arm), kinetree.Rollouts(arm, 2), kinetree.Simulation(arm)
    expected = dynamics.solve(s.q, s.v, s.tau)
    child = os.fork()
    if child == 0:
        refused = 0
        for call in (lambda: dynamics.solve(s.q, s.v, s.tau), lambda: kinetree.mass_matrix(workspace, s.q),
                     rollouts.step, rollouts.reset, lambda: simulation.step(0.1)):
            try:
                call()
            except kinetree.ForkError as error:
                refused += "before the fork" in str(error)
        right = np.array_equal(accelerations(arm, s.q, s.v, s.tau, executor), expected)
        right &= np.array_equal(kinetree.mass_matrix(arm, s.q), kinetree.mass_matrix(kinetree.Workspace(arm), s.q))
        right &= np.isfinite(rollouts.q).all()
        os._exit(0 if right and refused == 5 else 1)
    assert os.waitpid(child, 0)[1] == 0
    assert np.array_equal(dynamics.solve(s.q, s.v, s.tau), expected)


sanitized = pytest.mark.skipif("asan" in os.environ.get("LD_PRELOAD", ""), reason="sanitizers keep freed memory, and take long")


@sanitized
def test_no_memory_is_lost(arm, states):
    s = states(arm, batch=2)
    dynamics = kinetree.ForwardDynamics(arm)
    link = arm.link_names[-1]
    bad = np.zeros((2, 6))
    rollouts = kinetree.Rollouts(arm, 2)

    def calls(count):
        for _ in range(count):
            dynamics.solve(s.q, s.v, s.tau)
            dynamics.statuses
            kinetree.jacobians(arm, s.q, [(link, (0, 0, 1))], axes="world")
            kinetree.point_kinematics(arm, s.q, s.v, link)
            kinetree.integrate(arm, s.q, s.v)
            rollouts.q
        for _ in range(count // 20):
            rollouts.step(s.tau, 2, every=1)
            for fail in (lambda: dynamics.solve(bad, s.v, s.tau), lambda: kinetree.mass_matrix(arm, bad),
                         lambda: dynamics.solve(s.q[0] * np.nan, s.v[0], s.tau[0])):
                with pytest.raises(ValueError):
                    fail()

    calls(2000)
    gc.collect()
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    calls(18000)  # more than 1e5 in all
    gc.collect()
    grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before  # KiB
    assert grown < 1500  # 16 bytes lost in each call


@sanitized
def test_a_million_calls_lose_nothing(arm, states):
    s = states(arm, batch=1)
    q, v, tau, out = s.q[0], s.v[0], s.tau[0], np.empty(arm.nv)
    dynamics = kinetree.ForwardDynamics(arm, algorithm="ab", threads=1)
    for count in (10_000, 1_000_000):
        before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        for _ in range(count):
            dynamics.solve(q, v, tau, out=out)
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 1000  # KiB: a byte lost in each call


@sanitized
def test_two_threads_get_two_processors(arm, states):
    """Together they take more processor time than time goes by, which no lock between them would let them."""
    if len(os.sched_getaffinity(0)) < 2:
        pytest.skip("two processors are needed")
    s = states(arm, batch=5000)
    dynamics = [kinetree.ForwardDynamics(arm, algorithm="ab", threads=1) for _ in range(2)]
    outs = [np.empty_like(s.v) for _ in range(2)]

    def processors_used():
        threads = [threading.Thread(target=d.solve, args=(s.q, s.v, s.tau), kwargs={"out": out})
                   for d, out in zip(dynamics, outs)]
        begun, used = time.perf_counter(), time.process_time()
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        return (time.process_time() - used) / (time.perf_counter() - begun)

    assert any(processors_used() > 1.2 for _ in range(500))  # other programs may have them for a while
