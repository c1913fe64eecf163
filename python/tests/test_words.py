"""Descriptions built of words with attributes, and taken apart into them."""

import copy
import dataclasses
import pickle
import re

import kinetree
import numpy as np
import pytest
from kinetree import words
from kinetree.words import Body, Coupling, End, Inertial, Joint, Limits, Loop, Mechanism, Place, PointForce, Shape

FILES = ["arm7", "four_bar", "geared_humanoid", "quadruped", "flyball_governor", "humanoid"]


def swing():
    return Mechanism("swing", bodies=[
        Body("seat", "world", Joint("pivot", "revolute", axis=np.array([0, 1, 0])),
             Inertial(np.float32(30), com=(0, 0, -2), inertia=[1, 1, 1, 0, 0, 0]))])


def test_words_are_those_of_a_dict():
    of_dict = kinetree.Description.from_dict({"name": "swing", "bodies": [
        {"name": "seat", "parent": "world", "joint": {"name": "pivot", "type": "revolute", "axis": [0, 1, 0]},
         "inertial": {"mass": 30, "com": [0, 0, -2], "inertia": [1, 1, 1, 0, 0, 0]}}]})
    assert swing().description().text() == of_dict.text() == kinetree.Description.from_dict(swing()).text()
    mixed = Mechanism("swing", bodies=[{**swing().bodies[0].given()}])
    assert mixed.description().text() == of_dict.text()


@pytest.mark.parametrize("name", FILES)
def test_descriptions_come_back_to_the_bit(models, name):
    description = kinetree.Description.from_file(models / f"{name}.yaml")
    apart = description.words()
    assert apart.description().text() == description.text()
    assert copy.deepcopy(apart).description().text() == pickle.loads(pickle.dumps(apart)).description().text()


def test_what_is_changed_is_in_the_model(models, states):
    arm = kinetree.load_model(models / "arm7.yaml")
    apart = arm.description.words()
    joint = arm.joint_names[2]
    apart.joint(joint).damping = 0.75
    apart.joint(joint).limits = Limits(lower=-np.inf, upper=2)
    apart.body(arm.body_names[4]).inertial.mass *= 2
    other = apart.model()
    assert other.damping[other.v_index(joint)] == 0.75 and other.upper_limits[other.q_index(joint)] == 2
    assert other.lower_limits[other.q_index(joint)] == -np.inf
    mass = lambda model: kinetree.inertia_facts(model, arm.body_names[4]).mass
    assert mass(other) == 2 * mass(arm)
    assert arm.description.words().joint(joint).damping is None  # a copy was changed


def test_every_word_of_the_format_is_an_attribute():
    """The reader's own lists, which it names where a word is none of them."""
    body = {"name": "b", "parent": "world", "joint": {"name": "j", "type": "fixed"}}
    ends = [{"body": "b"}, {"body": "world"}]
    wrong = {"slip": 1}
    loop = {"name": "l", "type": "weld", "between": ends}
    force = {"name": "f", "between": ends}
    texts = {
        Mechanism: wrong, Body: {"bodies": [{**body, **wrong}]}, Joint: {"bodies": [{**body, "joint": {"type": "fixed", **wrong}}]},
        Place: {"bodies": [{**body, "joint": {"type": "fixed", "origin": wrong}}]},
        Limits: {"bodies": [{**body, "joint": {"type": "fixed", "limits": wrong}}]},
        Inertial: {"bodies": [{**body, "inertial": {"mass": 1, **wrong}}]},
        Shape: {"bodies": [{**body, "visuals": [wrong]}]},
        words.Material: {"bodies": [{**body, "visuals": [{"type": "box", "material": wrong}]}]},
        Loop: {"loops": [{**loop, **wrong}]}, End: {"loops": [{**loop, "between": [{**ends[0], **wrong}, ends[1]]}]},
        Coupling: {"couplings": [{"name": "c", **wrong}]},
        PointForce: {"forces": [{**force, **wrong}]},
        words.Point: {"forces": [{**force, "between": [{**ends[0], **wrong}, ends[1]]}]},
        words.Sensor: {"sensors": [{"name": "s", **wrong}]}}
    kinds = {kind for kind in vars(words).values() if isinstance(kind, type) and issubclass(kind, words.Words)}
    assert kinds - {words.Words} == set(texts)
    for kind, text in texts.items():
        with pytest.raises(kinetree.InputError) as caught:
            kinetree.Description.from_dict(text)
        told = next(f.message for f in caught.value.findings if '"slip"' in f.message)
        known = re.search(r"known are (.*)", told)[1].split(", ")
        assert set(known) == {f.name for f in dataclasses.fields(kind)}, kind


def test_slips_are_told():
    with pytest.raises(AttributeError, match="dampin"):
        swing().bodies[0].joint.dampin = 1
    with pytest.raises(TypeError, match="dampin"):
        Joint("pivot", dampin=1)
    with pytest.raises(kinetree.ArgumentError, match="pivot"):
        swing().joint("pivott")
    with pytest.raises(kinetree.InputError, match="axis"):
        Mechanism("none", bodies=[Body("b", "world", Joint("j", "revolute"))]).model()


@pytest.mark.parametrize("axis,where", [
    (np.ma.masked_array([0, 1, 0], mask=[0, 0, 1]), "axis"), (np.zeros(3, "datetime64[s]"), "axis"),
    (np.full(3, None), "axis"), ([0, object(), 0], r"axis\[1\]"), ({1, 2}, "axis"), (1 + 2j, "axis")])
def test_what_has_no_word_is_named(axis, where):
    wrong = swing()
    wrong.bodies[0].joint.axis = axis
    with pytest.raises(kinetree.ArgumentError, match=rf"^words\.bodies\[0\]\.joint\.{where}: "):
        wrong.description()


@pytest.mark.parametrize("given", [None, [], "name: swing", 3])
def test_a_description_is_made_of_a_dict_or_a_mechanism(given):
    with pytest.raises(TypeError, match="Mechanism"):
        kinetree.Description.from_dict(given)


def test_they_show_what_is_given():
    assert repr(Joint("pivot", "revolute", axis=[0, 1, 0])) == "Joint(name='pivot', type='revolute', axis=[0, 1, 0])"
    assert repr(Body("seat")) == "Body(name='seat')"
    assert set(dir(Joint())) >= {"name", "damping", "limits"}  # what completion offers


def test_springs_are_words_too(ball):
    spring = PointForce("spring", between=[words.Point("world", xyz=np.array([0, 0, 1.0])), words.Point("ball")], stiffness=2)
    of_dict = {"name": "spring", "between": [{"body": "world", "xyz": [0, 0, 1]}, {"body": "ball"}], "stiffness": 2}
    q, v = np.array([0.25]), np.array([0.0])
    both = [kinetree.PointForces(ball, [one]).tensions(q, v) for one in (spring, of_dict)]
    assert np.array_equal(both[0], both[1]) and np.asarray(both[0]).size
