#!/usr/bin/env python3
"""Times Python's calls beside the same calls of C++, in turn: what a call costs more, and how many states go through.

usage: PYTHONPATH=build/release/python python3 python/beside/beside.py LIBRARY [OPTIONS]

LIBRARY: build/release/python/kinetree_beside.so (target kinetree_beside), loaded here, so that both sides work on one
core and on the same arrays. They are told apart by the processor time that each takes. A round reads one side and then the
other, the next round in the other order; a ratio is the median over rounds of those within one. Where the two sides'
objects come to lie in memory is luck, up to some percent, so both are made anew in several processes.
"""

import argparse
import ctypes
import json
import os
import pathlib
import subprocess
import sys
import time

import kinetree
import numpy as np

MODELS = pathlib.Path(__file__).resolve().parents[2] / "configs" / "models"
DT = 2e-4  # at which a falling humanoid moves as it should for 1,000 steps; at 1e-3 it diverges


class States:
    def __init__(self, model, count, own=None):
        self.count = count
        self.q, self.v = kinetree.random_state(model, 1, count)
        self.v *= 0.1  # so that no motion diverges
        self.tau, self.a = 0.1 * self.v, np.empty_like(self.v)
        self.parameters = None if own is None else np.tile(own.nominal(), (count, 1))


class Python:
    def __init__(self, model, threads):
        self.model, self.options = model, {"algorithm": "ab", "threads": threads}
        self.varying = kinetree.Varying(model).add("inertia")
        self.plain = kinetree.ForwardDynamics(model, **self.options)
        self.own = kinetree.ForwardDynamics(self.varying, **self.options)

    def solve(self, s, calls, words=True):
        q, v, tau, a = (x[0] if s.count == 1 else x for x in (s.q, s.v, s.tau, s.a))
        if s.parameters is not None:
            dynamics, parameters = self.own, s.parameters
            call = lambda: dynamics.with_parameters(parameters).solve(q, v, tau, out=a)
            return self.timed(call, calls)
        solve = self.plain.solve
        solve(q, v, tau, out=a)  # the other side had the caches
        begun = time.process_time()
        if words:
            for _ in range(calls):
                solve(q, v, tau, out=a)
        else:
            for _ in range(calls):
                solve(q, v, tau, None, a)
        return time.process_time() - begun

    def timed(self, call, calls):
        call()
        begun = time.process_time()
        for _ in range(calls):
            call()
        return time.process_time() - begun

    def rollouts(self, s):
        return kinetree.Rollouts(self.model if s.parameters is None else self.varying, s.count, DT, **self.options)

    def steps(self, rollouts, s, tau, steps):
        if s.parameters is not None:
            rollouts.set_parameters(s.parameters)
        rollouts.reset(s.q, s.v)
        begun = time.process_time()
        rollouts.step(tau, steps)
        return time.process_time() - begun


class Cpp:
    def __init__(self, library, name, threads):
        self.library = ctypes.CDLL(library)
        number, whole, array = ctypes.c_double, ctypes.c_int, ctypes.c_void_p
        for function, result, *arguments in (
                ("of", array, ctypes.c_char_p, whole), ("rollouts", array, array, whole, whole),
                ("solve", number, array, whole, whole, array, array, array, array, array),
                ("steps", number, array, number, whole, array, array, array, whole, array)):
            f = getattr(self.library, "beside_" + function)
            f.restype, f.argtypes = result, arguments
        self.side = self.library.beside_of(name.encode(), threads)
        assert self.side

    def solve(self, s, calls):
        return self.library.beside_solve(self.side, s.count, calls, *map(place, (s.q, s.v, s.tau, s.parameters, s.a)))

    def rollouts(self, s):
        return self.library.beside_rollouts(self.side, s.count, s.parameters is not None)

    def steps(self, rollouts, s, tau, steps):
        return self.library.beside_steps(rollouts, DT, steps, place(s.q), place(s.v), place(tau), tau.ndim == 3,
                                         place(s.parameters))


def place(array):
    return None if array is None else array.ctypes.data


def in_turn(python, cpp, rounds):
    """Readings of both, (rounds, 2)."""
    python(), cpp()  # first calls allocate
    pairs = []
    for k in range(rounds):
        if k % 2:
            c, p = cpp(), python()
        else:
            p, c = python(), cpp()
        pairs.append((p, c))
    return np.array(pairs)


def measure(short, a):
    """All parts of one model, by sides made anew: {what: (readings, calls in each)}."""
    name = str(MODELS / f"{short}.yaml") if ":" not in short else short
    model = kinetree.make_model(name) if ":" in short else kinetree.load_model(name)
    python, cpp = Python(model, a.threads), Cpp(a.library, name, a.threads)
    found = {}

    def solves(what, s, calls, **how):
        found[what] = in_turn(lambda: python.solve(s, calls, **how), lambda: cpp.solve(s, calls), a.rounds), calls

    def rolls(what, s, fed):
        steps = a.steps
        tau = np.repeat(s.tau[:, None], steps, axis=1) if fed else s.tau
        one, two = python.rollouts(s), cpp.rollouts(s)
        found[f"{s.count} x {steps} steps, {what}"] = (
            in_turn(lambda: python.steps(one, s, tau, steps), lambda: cpp.steps(two, s, tau, steps), a.rolls), 1)

    if "calls" in a.part:
        for words in (True, False):
            solves("one state, " + ("out= by keyword" if words else "by position"), States(model, 1), 5000, words=words)
    if ":" in short:
        return found
    if "batches" in a.part:
        for states in (64, 256, 1024, 4096):
            solves(f"batch of {states}", States(model, states), max(2, 20000 // states))
    if "own" in a.part:
        solves("batch of 1024, own inertias", States(model, 1024, python.varying), 8)
        rolls("own inertias", States(model, 1024, python.varying), False)
    if "rollouts" in a.part:
        rolls("constant forces", States(model, 1024), False)
        rolls("forces of each step", States(model, 1024), True)
    return found


def told(short, what, starts, calls):
    """The median over all rounds of all starts, quartiles, the starts' own medians, and the ratio of the least times."""
    pairs = np.concatenate(starts)
    python, cpp = pairs.min(axis=0) / calls * 1e6
    if what.startswith("one state"):
        more = np.quantile((pairs[:, 0] - pairs[:, 1]) / calls * 1e6, [0.25, 0.5, 0.75])
        return (f"{short:10} {what:36} {more[1]:.2f} us more ({more[0]:.2f} to {more[2]:.2f}), least times "
                f"{python - cpp:.2f}; C++ {cpp:.2f} us")
    low, middle, high = np.quantile(pairs[:, 1] / pairs[:, 0], [0.25, 0.5, 0.75])
    medians = [np.median(s[:, 1] / s[:, 0]) for s in map(np.array, starts)]
    return (f"{short:10} {what:36} {middle:.3f} of C++'s speed ({low:.3f} to {high:.3f}; starts {min(medians):.3f} to "
            f"{max(medians):.3f}), least times {cpp / python:.3f}; C++ {cpp:.0f} us")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("library")
    parser.add_argument("--rounds", type=int, default=30)
    parser.add_argument("--rolls", type=int, default=3, help="rounds of rollouts")
    parser.add_argument("--steps", type=int, default=1000, help="of rollouts")
    parser.add_argument("--starts", type=int, default=5, help="processes, in each of which both sides are made anew")
    parser.add_argument("--core", type=int, default=max(os.sched_getaffinity(0)))
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--part", choices=["calls", "batches", "own", "rollouts"], nargs="+",
                        default=["calls", "batches", "own", "rollouts"])
    parser.add_argument("--model", choices=["chain:1", "arm7", "quadruped", "humanoid"], nargs="+",
                        default=["chain:1", "arm7", "quadruped", "humanoid"])
    parser.add_argument("--once", action="store_true", help=argparse.SUPPRESS)  # one start, for this program itself
    a = parser.parse_args()
    if a.threads == 1:
        os.sched_setaffinity(0, {a.core})
    if a.once:
        print(json.dumps({what: (pairs.tolist(), calls) for what, (pairs, calls) in measure(a.model[0], a).items()}))
        return
    for short in a.model:
        starts = [json.loads(subprocess.run([sys.executable, __file__, *sys.argv[1:], "--once", "--model", short], check=True,
                                            stdout=subprocess.PIPE).stdout) for _ in range(a.starts)]
        for what, (_, calls) in starts[0].items():
            print(told(short, what, [start[what][0] for start in starts], calls), flush=True)


if __name__ == "__main__":
    main()
