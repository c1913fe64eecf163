"""Forward dynamics: bits of the command, options, plans, statuses."""

import json
import pickle
import subprocess

import kinetree
import numpy as np
import pytest
from conftest import FAMILIES

OPTIONS = [{"algorithm": "ab"}, {"algorithm": "crb", "factorization": "dense"}, {"algorithm": "cfa", "refinements": 2},
           {"algorithm": "modular", "grain": 2, "elimination": "leaves_first"}, {}]


@pytest.mark.parametrize("options", OPTIONS, ids=[str(o.get("algorithm")) for o in OPTIONS])
@pytest.mark.parametrize("family", ["chain:6", "tree:2x3"])
def test_bits_are_the_commands(command, tmp_path, states, family, options):
    model = kinetree.make_model(family)
    s = states(model, batch=1)
    file = tmp_path / "states.json"
    file.write_text(json.dumps({"states": [{"q": list(s.q[0]), "v": list(s.v[0]), "tau": list(s.tau[0])}]}))
    words = [w for key, value in options.items() for w in ("--" + key, str(value).replace("_", "-"))]
    told = subprocess.run([command, "solve", family, "--states", str(file), *words], capture_output=True, check=True,
                          text=True)
    expected = json.loads(told.stdout)["accelerations"][0]
    assert np.array_equal(kinetree.ForwardDynamics(model, **options).solve(s.q[0], s.v[0], s.tau[0]), expected)


@pytest.mark.parametrize("family", FAMILIES)
def test_inverse_dynamics_gives_the_forces_back(states, family):
    model = kinetree.make_model(family)
    s = states(model)
    dynamics = kinetree.ForwardDynamics(model, threads=2)
    a = dynamics.solve(s.q, s.v, s.tau, f_ext=s.f_ext)
    assert not dynamics.statuses.any()
    tau = kinetree.inverse_dynamics(model, s.q, s.v, a, s.f_ext)
    if len(model.independent_velocities) == model.nv:
        assert np.allclose(tau, s.tau, rtol=1e-9, atol=1e-9)
    assert not np.allclose(a, dynamics.solve(s.q, s.v, s.tau))


def test_options_are_the_tables(arm):
    for word in ("algorithm", "executor", "threads", "lanes", "grain", "leaves_first"):
        assert word in kinetree.ForwardDynamics.__doc__
    with pytest.raises(TypeError, match="no option algoritm; options are algorithm, executor"):
        kinetree.ForwardDynamics(arm, algoritm="ab")
    with pytest.raises(kinetree.ArgumentError, match="algorithm: expected one of automatic, ab"):
        kinetree.ForwardDynamics(arm, algorithm="fast")
    for bad in (-7, 5000, 2**80, 1.5, True, "2", None):
        with pytest.raises(ValueError, match="threads"):
            kinetree.ForwardDynamics(arm, threads=bad)
    with pytest.raises(kinetree.OptionError, match="grain 3 has no effect with algorithm cfa"):
        kinetree.ForwardDynamics(arm, algorithm="cfa", grain=3)
    with pytest.raises(TypeError):
        kinetree.ForwardDynamics("chain:3")


WORDS = [("modular", "cuts", ("paths", "main", "all")), ("modular", "elimination", ("cyclic", "leaves_first")),
         ("cfa", "formulation", ("direct", "literal")), ("crb", "factorization", ("sparse", "dense")),
         ("ab", "loops", ("embed", "multipliers"))]


@pytest.mark.parametrize("algorithm,option,words", WORDS)
def test_every_word_gets_through(algorithm, option, words):
    model = kinetree.make_model("fourbars:2")
    for word in words:
        assert getattr(kinetree.ForwardDynamics(model, algorithm=algorithm, **{option: word}).plan(), option) == word
    for given in ("leaves-first", "leaves_first"):  # as the command has it, and as Python has it
        assert kinetree.ForwardDynamics(model, algorithm="cfa", elimination=given).plan().elimination == "leaves_first"
    numbers = {"threads": 2, "lanes": 2, "refinements": 3, "grain": 4}
    plan = kinetree.ForwardDynamics(kinetree.make_model("chain:40"), algorithm="modular", **numbers).plan()
    assert (plan.one_threads, plan.lanes, plan.refinements, plan.grain) == (2, 2, 3, 4)


def test_plans_are_made_again(arm, states):
    s = states(arm)
    one = kinetree.ForwardDynamics(arm, algorithm="modular", grain=2, elimination="leaves_first")
    plan = one.plan()
    assert (plan.algorithm, plan.grain, plan.elimination) == ("modular", 2, "leaves_first")
    assert pickle.loads(pickle.dumps(plan)) == plan and "grain=2" in repr(plan)
    two = kinetree.ForwardDynamics(arm, plan=plan)
    assert two.plan() == plan
    assert np.array_equal(one.solve(s.q, s.v, s.tau), two.solve(s.q, s.v, s.tau))
    three = pickle.loads(pickle.dumps(one))
    assert three.plan() == plan and np.array_equal(three.solve(s.q, s.v, s.tau), one.solve(s.q, s.v, s.tau))
    plan.algorithm = "automatic"
    with pytest.raises(kinetree.OptionError):
        kinetree.ForwardDynamics(arm, plan=plan)
    with pytest.raises(TypeError):
        kinetree.ForwardDynamics(arm, plan=two.plan(), threads=2)
    assert "modular" in repr(one)


def test_bits_do_not_depend_on_threads(arm, states):
    s = states(arm, batch=200)
    one = kinetree.ForwardDynamics(arm, algorithm="ab").solve(s.q, s.v, s.tau)
    for executor in ("team", "tbb", "openmp"):
        two = kinetree.ForwardDynamics(arm, algorithm="ab", executor=executor, threads=2)
        assert np.array_equal(two.solve(s.q, s.v, s.tau), one)


def test_states_that_fail_are_told_one_by_one(models, states):
    model = kinetree.load_model(models / "quadruped.yaml", floating_base=True)
    s = states(model, batch=6)
    dynamics = kinetree.ForwardDynamics(model, algorithm="ab")
    good = dynamics.solve(s.q, s.v, s.tau)
    s.q[2, 3:7] *= 1.5
    s.v[4, 8] = np.nan
    a = dynamics.solve(s.q, s.v, s.tau)
    codes = [kinetree.STATUS_CODES[k] for k in dynamics.statuses]
    assert codes == ["ok", "ok", "not_normalized", "ok", "not_finite", "ok"]
    fine = dynamics.statuses == 0
    assert np.array_equal(a[fine], good[fine]) and np.isnan(a[~fine]).all()
    status = dynamics.status(2)
    assert not status and (status.joint, status.argument) == (model.joint_names[0], "q")
    assert status.value == pytest.approx(1.5)
    with pytest.raises(IndexError):
        dynamics.status(6)
    with pytest.raises(kinetree.StateError, match="norm") as caught:
        dynamics.solve(s.q[2], s.v[2], s.tau[2])
    assert (caught.value.code, caught.value.joint) == ("not_normalized", model.joint_names[0])
    assert pickle.loads(pickle.dumps(caught.value)).status == caught.value.status
