#!/usr/bin/env python3
"""Times Python's calls beside the same calls of C++, in turn: what a call costs more, and how many states go through.

usage: PYTHONPATH=build/release/python python3 python/beside/beside.py PROGRAM [OPTIONS]

PROGRAM: build/release/python/kinetree_beside (target kinetree_beside). Both sides run on one core and are told apart by
the processor time that each takes, since other programs may have the core in between. A round reads one side and then
the other, the next round in the other order; a ratio is the median over rounds of those within one. Two starts of one program
differ by up to 5 %, so both are started anew several times.
"""

import argparse
import json
import os
import pathlib
import subprocess
import sys
import time

import kinetree
import numpy as np

MODELS = pathlib.Path(__file__).resolve().parents[2] / "configs" / "models"
DT = 2e-4  # as the other program has it


class States:
    def __init__(self, model, count):
        self.q, self.v = kinetree.random_state(model, 1, count)
        self.v *= 0.1  # so that no motion diverges
        self.tau, self.a = 0.1 * self.v, np.empty_like(self.v)


class Python:
    def __init__(self, model, threads):
        self.model, self.threads, self.kept = model, threads, {}

    def once(self, key, make):
        if key not in self.kept:
            self.kept = {key: make()}
        return self.kept[key]

    def solve(self, states, calls, words=True):
        def make():
            s = States(self.model, states)
            if states == 1:
                s.q, s.v, s.tau, s.a = s.q[0], s.v[0], s.tau[0], s.a[0]
            return kinetree.ForwardDynamics(self.model, algorithm="ab", threads=self.threads).solve, s
        solve, s = self.once(states, make)
        q, v, tau, a = s.q, s.v, s.tau, s.a
        solve(q, v, tau, out=a)  # the other program had the caches
        begun = time.process_time()
        if words:
            for _ in range(calls):
                solve(q, v, tau, out=a)
        else:
            for _ in range(calls):
                solve(q, v, tau, None, a)
        return time.process_time() - begun

    def own(self, states, calls):
        def make():
            varying = kinetree.Varying(self.model).add("inertia")
            dynamics = kinetree.ForwardDynamics(varying, algorithm="ab", threads=self.threads)
            return dynamics, States(self.model, states), np.tile(varying.nominal(), (states, 1))
        dynamics, s, parameters = self.once(("own", states), make)
        q, v, tau, a = s.q, s.v, s.tau, s.a
        dynamics.with_parameters(parameters).solve(q, v, tau, out=a)
        begun = time.process_time()
        for _ in range(calls):
            dynamics.with_parameters(parameters).solve(q, v, tau, out=a)
        return time.process_time() - begun

    def rollouts(self, count, steps, feed):
        def make():
            s = States(self.model, count)
            tau = s.tau if feed == "constant" else np.repeat(s.tau[:, None], steps, axis=1)
            return kinetree.Rollouts(self.model, count, DT, algorithm="ab", threads=self.threads), s, tau
        rollouts, s, tau = self.once((count, steps, feed), make)
        rollouts.reset(s.q, s.v)
        begun = time.process_time()
        rollouts.step(tau, steps)
        return time.process_time() - begun


class Cpp:
    def __init__(self, program, name, threads):
        self.process = subprocess.Popen([program, name, str(threads)], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        text=True)

    def ask(self, *words):
        self.process.stdin.write(" ".join(map(str, words)) + "\n")
        self.process.stdin.flush()
        return float(self.process.stdout.readline())


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
    """All parts of one model, by a fresh pair of programs: {what: (readings, 2)}, and how many calls a reading has."""
    name = str(MODELS / f"{short}.yaml") if ":" not in short else short
    model = kinetree.make_model(name) if ":" in short else kinetree.load_model(name)
    python, cpp = Python(model, a.threads), Cpp(a.program, name, a.threads)
    found = {}
    if "calls" in a.part:
        for words in (True, False):
            found["one state, " + ("out= by keyword" if words else "by position")] = (
                in_turn(lambda: python.solve(1, 5000, words), lambda: cpp.ask("solve", 1, 5000), a.rounds), 5000)
    if "batches" in a.part and ":" not in short:
        for states in (256, 1024, 4096):
            calls = max(2, 20000 // states)
            found[f"batch of {states}"] = (in_turn(lambda: python.solve(states, calls),
                                                   lambda: cpp.ask("solve", states, calls), a.rounds), calls)
    if "own" in a.part and ":" not in short:
        calls = 8
        found["batch of 1024, own inertias"] = (in_turn(lambda: python.own(1024, calls),
                                                        lambda: cpp.ask("own", 1024, calls), a.rounds), calls)
    if "rollouts" in a.part and ":" not in short:
        for feed, words in (("constant", "constant forces"), ("fed", "forces of each step")):
            found[f"1024 x 1000 steps, {words}"] = (in_turn(lambda: python.rollouts(1024, 1000, feed),
                                                            lambda: cpp.ask("rollouts", 1024, 1000, feed),
                                                            max(2, a.rounds // 10)), 1)
    return found


def told(short, what, starts, calls):
    """Medians over all rounds of all starts, and the ratio of the least times."""
    pairs = np.concatenate(starts)
    python, cpp = pairs.min(axis=0) / calls * 1e6
    if what.startswith("one state"):
        more = np.quantile((pairs[:, 0] - pairs[:, 1]) / calls * 1e6, [0.25, 0.5, 0.75])
        return (f"{short:10} {what:36} {more[1]:.2f} us more ({more[0]:.2f} to {more[2]:.2f}), least times "
                f"{python - cpp:.2f}; C++ {cpp:.2f} us")
    low, middle, high = np.quantile(pairs[:, 1] / pairs[:, 0], [0.25, 0.5, 0.75])
    return (f"{short:10} {what:36} {middle:.3f} of C++'s speed ({low:.3f} to {high:.3f}), least times "
            f"{cpp / python:.3f}; C++ {cpp:.0f} us")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("--rounds", type=int, default=30)
    parser.add_argument("--starts", type=int, default=5, help="of both programs anew: each has its own luck with memory")
    parser.add_argument("--core", type=int, default=max(os.sched_getaffinity(0)))
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--part", choices=["calls", "batches", "own", "rollouts"], nargs="+",
                        default=["calls", "batches", "own", "rollouts"])
    parser.add_argument("--model", choices=["chain:1", "arm7", "quadruped", "humanoid"], nargs="+",
                        default=["chain:1", "arm7", "quadruped", "humanoid"])
    parser.add_argument("--once", action="store_true", help=argparse.SUPPRESS)  # one start, for this program itself
    a = parser.parse_args()
    if a.threads == 1:
        os.sched_setaffinity(0, {a.core})  # the other program inherits it
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
