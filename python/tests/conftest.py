"""What the tests share: models of the repository, and the command where it is built."""

import os
import pathlib

import numpy as np
import pytest

import kinetree

MODELS = pathlib.Path(__file__).resolve().parents[2] / "configs" / "models"
FAMILIES = ["chain:1", "chain:6", "tree:2x4", "random:10:seed=4:floating=1", "fourbars:2", "geared:3"]


@pytest.fixture(scope="session")
def models():
    return MODELS


@pytest.fixture(scope="session")
def command():
    path = os.environ.get("KINETREE_COMMAND", "")
    if not os.path.exists(path):
        pytest.skip("KINETREE_COMMAND names no command")
    return path


class States:
    """A batch of states of a model, closed where it has loops."""

    def __init__(self, model, batch=5, seed=1):
        self.model = model
        self.q, self.v = kinetree.random_state(model, seed, batch)
        random = np.random.default_rng(seed)
        self.tau = random.uniform(-1, 1, (batch, model.nv))
        self.a = random.uniform(-1, 1, (batch, model.nv))
        self.f_ext = random.uniform(-1, 1, (batch, 6 * model.body_count))


@pytest.fixture
def states():
    return States


@pytest.fixture
def arm(models):
    return kinetree.load_model(models / "arm7.yaml")


@pytest.fixture
def ball():
    """A ball that falls along z."""
    return kinetree.Description.from_dict({
        "name": "ball", "bodies": [{
            "name": "ball", "parent": "world", "joint": {"name": "fall", "type": "prismatic", "axis": [0, 0, 1]},
            "inertial": {"mass": 1, "inertia": [1, 1, 1, 0, 0, 0]}}]}).model()


@pytest.fixture
def damped():
    """Two links in a row whose joints have passive forces."""
    link = lambda name, parent, **passive: {
        "name": name, "parent": parent, "inertial": {"mass": 1, "com": [0, 0, -0.3], "inertia": [0.1, 0.1, 0.1, 0, 0, 0]},
        "joint": {"name": name + "_joint", "type": "revolute", "axis": [0, 1, 0], "origin": {"xyz": [0, 0, -0.5]}, **passive}}
    return kinetree.Description.from_dict({"name": "damped", "bodies": [
        link("upper", "world", damping=0.7, friction=0.2), link("lower", "upper", damping=0.3, stiffness=2.0)]}).model()
