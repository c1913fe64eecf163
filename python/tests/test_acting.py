"""Forces beside a caller's own: springs between points, tables over time; what their formulas give."""

import json
import pickle

import kinetree
import numpy as np
import pytest

SPRING = {"name": "spring", "between": [{"body": "world"}, {"body": "ball"}], "stiffness": 100.0, "length": 0.5,
          "damping": 3.0, "force": 2.0}
BALL = {"name": "ball", "gravity": [0, 0, 0], "bodies": [{
    "name": "ball", "parent": "world", "joint": {"name": "fall", "type": "prismatic", "axis": [0, 0, 1]},
    "inertial": {"mass": 1, "inertia": [1, 1, 1, 0, 0, 0]}}]}


@pytest.fixture
def ball():
    return kinetree.Description.from_dict(BALL).model()


@pytest.fixture
def springs(ball):
    return kinetree.PointForces(ball, [SPRING])


def test_tensions_are_the_formulas(ball, springs):
    q, v = np.array([[0.8], [0.4], [-0.6]]), np.array([[0.1], [-0.2], [0.3]])
    length, rate = np.abs(q[:, 0]), np.sign(q[:, 0]) * v[:, 0]
    tension = 100 * (length - 0.5) + 3 * rate + 2
    assert np.allclose(springs.tensions(q, v)[:, 0], np.stack([length, rate, tension], 1))
    f_ext = springs.add(q, v)
    assert np.allclose(f_ext[:, 5], -np.sign(q[:, 0]) * tension) and np.allclose(f_ext[:, :5], 0)
    twice = springs.add(q, v, f_ext)
    assert twice is f_ext and np.allclose(f_ext[:, 5], -2 * np.sign(q[:, 0]) * tension)
    assert np.allclose(springs.potential(length[:, None]), 50 * (length - 0.5)**2 + 2 * length)
    assert np.isclose(springs.potential([0.8]), 50 * 0.09 + 1.6)
    assert springs.tensions(q.astype(np.float32), v.astype(np.float32)).dtype == np.float32
    assert springs.names == ["spring"] and len(springs) == 1 and "ball" in repr(springs)
    with pytest.raises(kinetree.StateError, match='force "spring": its two points coincide'):
        springs.add(np.zeros(1), np.zeros(1))
    q[1] = 0
    assert np.isnan(springs.add(q, v)[1]).all() and np.isfinite(springs.add(q, v)[[0, 2]]).all()


def test_a_models_file_keeps_its_springs(tmp_path, models, ball, springs):
    beside = tmp_path / "springs.yaml"
    beside.write_text(json.dumps({"forces": [SPRING]}))
    (tmp_path / "plain.yaml").write_text(ball.text())
    model = kinetree.load_model(tmp_path / "plain.yaml", loops_from=beside)
    (tmp_path / "ball.yaml").write_text(model.text())
    said = kinetree.Description.from_dict({**BALL, "forces": [SPRING]})
    again = (pickle.loads(pickle.dumps(model)), kinetree.load_model(tmp_path / "ball.yaml"), said.model())
    for one in (model, *again):
        assert one.point_forces.names == ["spring"] and one.point_forces.forces == springs.forces
    assert ball.point_forces is None and len(kinetree.PointForces(model)) == 1 and len(kinetree.PointForces(ball)) == 0
    assert pickle.loads(pickle.dumps(springs)).forces == springs.forces
    assert kinetree.PointForces(ball, springs.forces).forces == springs.forces
    with pytest.raises(kinetree.ArgumentError, match="another model"):
        kinetree.Simulation(model, points=springs)
    for wrong, words in (({**SPRING, "between": [{"body": "world"}, {"body": "bell"}]}, "bell"), ({**SPRING, "stiffness": -1}, "stiffness"),
                         ({**SPRING, "color": 1}, "color")):
        with pytest.raises(kinetree.InputError, match=words):
            kinetree.PointForces(ball, [wrong])
    with pytest.raises(TypeError, match="PointForces"):
        kinetree.Simulation(ball, points=[SPRING])
    assert len(kinetree.load_model(models / "andrews_squeezer.yaml").point_forces) > 0


def swings(time):
    """A ball on SPRING without its damper, from 0.8 m at rest: x'' = -100 (x - 0.48)."""
    return 0.48 + 0.32 * np.cos(10 * time), -3.2 * np.sin(10 * time)


@pytest.mark.parametrize("integrator,error", [("adaptive", 1e-8), ("rk4", 1e-7), ("semi_implicit_euler", 2e-2)])
def test_springs_act_in_motion(ball, integrator, error):
    points = kinetree.PointForces(ball, [{**SPRING, "damping": 0}])
    simulation = kinetree.Simulation(ball, integrator, points=points)
    simulation.reset([0.8])
    simulation.advance_to(0.2)
    assert np.allclose([simulation.q[0], simulation.v[0]], swings(0.2), atol=error)
    if integrator == "adaptive":
        assert simulation.joint_reactions("world_aligned")[0, 5] == pytest.approx(0, abs=1e-9)  # the joint is free there
        return
    rollouts = kinetree.Rollouts(ball, 3, integrator=integrator, external_forces=True)
    rollouts.reset([0.8])
    rollouts.step(steps=200, points=points)
    assert np.allclose(rollouts.q, simulation.q, rtol=0, atol=1e-12)
    with pytest.raises(kinetree.ArgumentError, match="external_forces=True"):
        kinetree.Rollouts(ball, 3).step(points=points)
    path = kinetree.rollout(ball, np.array([0.8]), np.zeros(1), np.zeros((3, 200, 1)), integrator=integrator, points=points)
    assert np.array_equal(path.q[:, -1], rollouts.q)


def test_a_spring_without_direction_is_named(ball, springs):
    simulation = kinetree.Simulation(ball, points=springs)
    with pytest.raises(kinetree.StateError, match='force "spring"') as caught:
        simulation.step(0.1)
    assert caught.value.argument == "length" and simulation.time == 0
    rollouts = kinetree.Rollouts(ball, 2, external_forces=True)
    rollouts.reset(np.array([[0.0], [1.0]]))
    rollouts.step(steps=3, points=springs)
    assert [kinetree.STATUS_CODES[k] for k in rollouts.statuses] == ["not_finite", "ok"]


def test_passive_forces_always_act(damped, states):
    arm = damped
    s = states(arm, batch=1)
    own, asked = kinetree.Simulation(arm, passive=True, slow=1e-3), kinetree.Simulation(arm)
    passive = lambda time, q, v: kinetree.add_passive_forces(arm, q, v, np.zeros(arm.nv), slow=1e-3)
    for simulation, forces in ((own, None), (asked, passive)):
        simulation.reset(s.q[0], s.v[0])
        simulation.advance_to(0.05, forces)
    assert np.array_equal(own.q, asked.q)
    still = kinetree.Simulation(arm)
    still.reset(s.q[0], s.v[0])
    still.advance_to(0.05)
    assert not np.allclose(own.v, still.v, atol=1e-6)


@pytest.fixture
def drives(ball):
    """A ramp of 4 N/s until 0.5 s, a jump there, 1 N from then on."""
    return kinetree.Drives(ball, [kinetree.Drive("fall", [0.0, 0.5, 0.5], [0.0, 2.0, 1.0])])


def test_tables_over_time(ball, drives):
    times = np.array([-1, 0.25, 0.5, 2])
    assert np.allclose(drives.forces(times), [[0], [1], [1], [1]])
    held = kinetree.Drives(ball, [kinetree.Drive(0, [0, 1], [3, 5], held=True)])
    assert np.allclose(held.forces([0.0, 0.9, 1.0])[:, 0], [3, 3, 5])
    again = pickle.loads(pickle.dumps(drives))
    assert np.array_equal(again.forces(times), drives.forces(times)) and len(again) == 1
    for wrong, words in ((("fall", [], []), "no times"), (("fall", [1.0, 0.0], [1.0, 1.0]), "ascending"),
                         (("fall", [0.0], [1.0, 1.0]), "as many"), (("rise", [0.0], [1.0]), "rise"),
                         ((7, [0.0], [1.0]), "7"), (("fall", [0.0], [np.nan]), "finite")):
        with pytest.raises(ValueError, match=words):
            kinetree.Drives(ball, [kinetree.Drive(*wrong)])
    with pytest.raises(kinetree.ArrayTypeError):
        kinetree.Drives(ball, [kinetree.Drive("fall", [None], [1.0])])


def velocity(time):
    """The ball's under `drives`."""
    return np.where(time < 0.5, 2 * time**2, time)


@pytest.mark.parametrize("integrator,error", [("adaptive", 1e-13), ("rk4", 1e-12), ("semi_implicit_euler", 3e-3)])
def test_tables_drive_motions(ball, drives, integrator, error):
    times = np.linspace(0.1, 1, 10)
    simulation = kinetree.Simulation(ball, integrator, step=1e-3, drives=drives)
    _, v = simulation.path(times)
    assert np.allclose(v[:, 0], velocity(times), atol=error)
    if integrator == "adaptive":
        steps = simulation.steps
        simulation.reset()
        simulation.step(1.0)
        assert abs(simulation.v[0] - 1) < error and simulation.steps <= steps
        assert abs(simulation.work - 0.5) < 1e-9  # a jump is not integrated over
        return
    rollouts = kinetree.Rollouts(ball, 4, 1e-3, integrator, threads=2)
    rollouts.reset(time=np.array([0.0, 0.25, 0.499, 0.7]))
    begun = rollouts.time.copy()
    rollouts.step(steps=500, drives=drives)
    assert np.allclose(rollouts.v[:, 0], velocity(begun + 0.5) - velocity(begun), atol=error)
