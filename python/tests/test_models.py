"""Models: files, families, descriptions, findings, pickles."""

import copy
import pickle

import kinetree
import numpy as np
import pytest

URDF = """<robot name="two"><link name="base"/>
<link name="arm"><inertial><mass value="{mass}"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>
</link>
<joint name="turn" type="continuous"><parent link="base"/><child link="arm"/><axis xyz="0 0 1"/></joint></robot>"""


def test_facts_of_a_file(models):
    model = kinetree.load_model(models / "quadruped.yaml", floating_base=True)
    assert model.nq == model.nv + 1 and model.body_count == len(model.joint_names) == len(model.parents)
    assert model.q_starts[model.joint_names.index(model.joint_names[3])] == model.q_index(model.joint_names[3])
    assert model.damping.shape == (model.nv,) and model.lower_limits.shape == (model.nq,)
    assert repr(model) == f"<kinetree.Model 'quadruped', {model.body_count} bodies, nq {model.nq}, nv {model.nv}>"
    with pytest.raises(ValueError):
        model.damping[0] = 1


def test_every_format_is_read(models, tmp_path):
    urdf = tmp_path / "two.urdf"
    urdf.write_text(URDF.format(mass=1))
    assert kinetree.load_model(urdf).joint_names == ("turn",)
    assert kinetree.load_model(str(urdf), ignore_mimic=True).nv == 1
    mjcf = tmp_path / "one.xml"
    mjcf.write_text('<mujoco><worldbody><body><joint name="swing" type="hinge" axis="0 1 0"/>'
                    '<geom type="sphere" size=".1" mass="1"/></body></worldbody></mujoco>')
    assert kinetree.load_model(mjcf).joint_names == ("swing",)
    sdf = tmp_path / "one.sdf"
    sdf.write_text('<sdf version="1.7"><model name="m"><link name="l"><inertial><mass>1</mass></inertial></link>'
                   '</model></sdf>')
    assert kinetree.load_model(sdf).nv == 6


def test_faults_come_as_findings(tmp_path):
    file = tmp_path / "bad.urdf"
    file.write_text(URDF.format(mass=-1))
    with pytest.raises(kinetree.InputError) as caught:
        kinetree.load_model(file)
    finding = next(f for f in caught.value.findings if f.severity == "error")
    assert finding.line == 2 and "arm" in finding.element and "-1" in finding.message
    assert str(finding) in str(caught.value)
    assert isinstance(caught.value, ValueError)
    again = pickle.loads(pickle.dumps(caught.value))
    assert again.findings == caught.value.findings and str(again) == str(caught.value)
    with pytest.raises(kinetree.InputError, match="nowhere.urdf"):
        kinetree.load_model("nowhere.urdf")
    with pytest.raises(kinetree.InputError):
        kinetree.make_model("no_such_family:3")


def test_descriptions_are_put_together(arm):
    description = arm.description
    joint = arm.joint_names[2]
    assert description.locked({joint: 0.3}).model().nv == arm.nv - 1
    assert description.model(lock={joint: None}).nv == arm.nv - 1
    twice = description.attached(description, xyz=[1, 0, 0], prefix="second_").model()
    assert twice.nv == 2 * arm.nv and "second_" + joint in twice.joint_names
    link = arm.body_names[3]
    assert description.sub_model(link).model().nv + description.without(link).model().nv == arm.nv
    with pytest.raises(kinetree.InputError, match="no_such_joint"):
        description.locked({"no_such_joint": 0.3})


def test_descriptions_are_made_of_dicts(models):
    yaml_text = kinetree.load_model(models / "arm6.yaml").text()
    yaml = pytest.importorskip("yaml")
    words = yaml.safe_load(yaml_text)
    words["name"] = "of_a_dict"
    model = kinetree.Description.from_dict(words).model()
    assert model.name == "of_a_dict" and model.nv == 6
    with pytest.raises(kinetree.InputError):
        kinetree.Description.from_dict({"name": "empty", "no_such_word": 1})


@pytest.mark.parametrize("name", ["arm7", "four_bar", "geared_humanoid", "quadruped"])
def test_pickles_move_the_same(models, states, name):
    model = kinetree.load_model(models / f"{name}.yaml")
    other = pickle.loads(pickle.dumps(model))
    assert other.joint_names == model.joint_names and other.link_names == model.link_names
    s = states(model)
    one, two = (kinetree.ForwardDynamics(m, algorithm="ab").solve(s.q, s.v, s.tau) for m in (model, other))
    assert np.array_equal(one, two)
    assert copy.copy(model) is model and copy.deepcopy(model) is model
    assert pickle.loads(pickle.dumps(model.description)).model().joint_names == model.joint_names


def test_picture_names_every_body(models):
    from xml.etree import ElementTree
    model = kinetree.load_model(models / "humanoid.yaml")
    svg = model._repr_svg_()
    ElementTree.fromstring(svg)
    assert svg.count("<rect") == model.body_count + 1
    assert model.joint_names[-1] in svg and "<svg" in model._repr_html_()
