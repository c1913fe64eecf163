"""The package: conversions, stubs, the page."""

import base64
import hashlib
import inspect
import os
import pathlib
import re
import subprocess
import sys
import zipfile

import kinetree
import numpy as np
import pytest
from kinetree import convert

ROOT = pathlib.Path(__file__).resolve().parents[2]


def quaternion_matrix(x, y, z, w):
    return np.array([[1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
                     [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
                     [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)]])


def test_mujocos_states(models, states):
    model = kinetree.load_model(models / "quadruped.yaml", floating_base=True)
    s = states(model)
    qpos, qvel = convert.to_mujoco(model, s.q, s.v)
    x, y, z, w = s.q[2, 3:7]
    assert np.array_equal(qpos[2, 3:7], [w, x, y, z]) and np.array_equal(qpos[:, 7:], s.q[:, 7:])
    assert np.allclose(qvel[2, :3], quaternion_matrix(x, y, z, w) @ s.v[2, :3])
    assert np.array_equal(qvel[:, 3:], s.v[:, 3:])
    q, v = convert.from_mujoco(model, qpos, qvel)
    assert np.array_equal(q, s.q) and np.allclose(v, s.v)
    joints = list(model.joint_names[::-1])
    q, v = convert.from_mujoco(model, *convert.to_mujoco(model, s.q[0], s.v[0], joints), joints)
    assert np.array_equal(q, s.q[0]) and np.allclose(v, s.v[0])
    with pytest.raises(ValueError, match="no_such"):
        convert.to_mujoco(model, s.q, joints=["no_such"] + joints[1:])


@pytest.mark.parametrize("family", ["random:12:seed=2:joints=planar", "random:12:seed=2:joints=continuous",
                                    "random:12:seed=2:joints=spherical", "random:12:seed=2:floating=1"])
def test_pinocchios_states(states, family):
    model = kinetree.make_model(family)
    s = states(model)
    q, v = convert.to_pinocchio(model, s.q, s.v)
    wide = sum(kind in ("continuous", "planar") for kind in model.joint_types)
    assert q.shape == (5, model.nq + wide)
    back_q, back_v = convert.from_pinocchio(model, q, v)
    turns = (back_q - s.q) / (2 * np.pi)
    assert np.allclose(turns, np.round(turns)) and np.allclose(back_v, s.v)
    with pytest.raises(kinetree.ShapeError):
        convert.to_pinocchio(model, s.q[:, 1:])


def test_planar_velocities_are_in_the_childs_axes():
    model = kinetree.make_model("random:1:seed=1:joints=planar")
    assert model.joint_types == ("planar",)
    q, v = convert.to_pinocchio(model, np.array([0.1, 0.2, np.pi / 2]), np.array([1.0, 0, 3]))
    assert np.allclose(q, [0.1, 0.2, 0, 1]) and np.allclose(v, [0, -1, 3])


@pytest.mark.parametrize("library", ["mujoco", "pinocchio"])
@pytest.mark.parametrize("family", ["random:8:seed=1:joints=planar", "random:8:seed=3:floating=1"])
def test_accelerations_are_rates_and_forces_keep_their_power(states, family, library):
    model = kinetree.make_model(family)
    s = states(model)
    to = getattr(convert, "to_" + library)
    velocity = lambda t: to(model, kinetree.integrate(model, s.q, t * s.v), s.v + t * s.a)[1]
    h = 1e-6
    there = getattr(convert, "accelerations_to_" + library)(model, s.q, s.v, s.a)
    assert np.allclose((velocity(h) - velocity(-h)) / (2 * h), there, atol=1e-7)
    assert np.allclose(getattr(convert, "accelerations_from_" + library)(model, s.q, s.v, there), s.a)
    forces = getattr(convert, "forces_to_" + library)(model, s.q, s.tau)
    assert np.allclose((forces * velocity(0)).sum(1), (s.tau * s.v).sum(1))
    assert np.allclose(getattr(convert, "forces_from_" + library)(model, s.q, forces), s.tau)


def test_forces_on_bodies_of_other_libraries(models, states):
    """Rows of Pinocchio's act in link axes about the link, rows of MuJoCo's in world axes at the centre of mass."""
    model = kinetree.load_model(models / "quadruped.yaml", floating_base=True)
    s = states(model)
    bodies = list(model.body_names)
    there = convert.f_ext_to_pinocchio(model, s.q, s.f_ext)
    swapped = np.concatenate([there[..., 3:], there[..., :3]], axis=-1)
    assert np.allclose(kinetree.add_forces(model, s.q, bodies, swapped, axes="link"), s.f_ext)
    assert np.allclose(convert.f_ext_from_pinocchio(model, s.q, there), s.f_ext)
    there = convert.f_ext_to_mujoco(model, s.q, s.f_ext)
    centres = [(name, tuple(kinetree.inertia_facts(model, name).centre_of_mass)) for name in bodies]
    swapped = np.concatenate([there[..., 3:], there[..., :3]], axis=-1)
    assert np.allclose(kinetree.add_forces(model, s.q, centres, swapped, axes="world_aligned"), s.f_ext)
    assert np.allclose(convert.f_ext_from_mujoco(model, s.q, there), s.f_ext)
    other_way = convert.f_ext_to_mujoco(model, s.q[0], s.f_ext[0], bodies[::-1])
    assert np.allclose(other_way, there[0, ::-1])
    assert np.allclose(convert.f_ext_from_mujoco(model, s.q[0], other_way, bodies[::-1]), s.f_ext[0])


def test_everything_says_what_it_is():
    for name in dir(kinetree):
        thing = getattr(kinetree, name)
        if not name.startswith("_") and (inspect.isclass(thing) or callable(thing)):
            assert thing.__doc__, name
        if inspect.isclass(thing) and thing.__module__.startswith("kinetree"):
            for member, value in vars(thing).items():
                if not member.startswith("_") and not inspect.isclass(value) and (
                        callable(value) or isinstance(value, (property, staticmethod))):
                    assert inspect.getdoc(getattr(thing, member)), f"{name}.{member}"


def test_stubs_have_every_name():
    stub = pathlib.Path(kinetree.__file__).with_name("_kinetree.pyi")
    text = stub.read_text()
    compile(text, stub, "exec")
    for name in kinetree.FUNCTIONS:
        assert re.search(rf"^def {name}\(model: .*\) -> ", text, re.M)
    for name in ("solve", "step", "reset", "plan"):
        assert f"    def {name}(" in text


def test_wheels_stand_alone(tmp_path, monkeypatch):
    """What pip installs: the package of the build folder, every file with its digest, importable from elsewhere."""
    if "KINETREE_BUILD" not in os.environ:
        pytest.skip("KINETREE_BUILD names no build folder")
    monkeypatch.syspath_prepend(str(ROOT / "python"))
    import build_wheel
    wheel = tmp_path / build_wheel.build_wheel(str(tmp_path))
    with zipfile.ZipFile(wheel) as files:
        record = files.read(next(n for n in files.namelist() if n.endswith("/RECORD"))).decode().splitlines()
        for path, digest, size in (line.split(",") for line in record[:-1]):
            data = files.read(path)
            made = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
            assert (digest, size) == ("sha256=" + made, str(len(data)))
        assert sorted(line.split(",")[0] for line in record) == sorted(files.namelist())
        files.extractall(tmp_path / "site")
    program = "import kinetree; print(kinetree.__file__, kinetree.make_model('chain:3').nv)"
    told = subprocess.run([sys.executable, "-c", program], cwd=tmp_path, capture_output=True, text=True,
                          env={**os.environ, "PYTHONPATH": str(tmp_path / "site")})
    assert told.stdout.split() == [str(tmp_path / "site" / "kinetree" / "__init__.py"), "3"]


def test_the_pages_programs_run(tmp_path, monkeypatch, models):
    """Every block of docs/python.md, one after another, in a folder of its own."""
    page = (ROOT / "docs" / "python.md").read_text()
    blocks = re.findall(r"^```python\n(.*?)^```", page, re.M | re.S)
    assert len(blocks) >= 4
    monkeypatch.chdir(ROOT)
    names = {}
    for block in blocks:
        exec(compile(block, "docs/python.md", "exec"), names)
