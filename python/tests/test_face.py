"""The public headers beside the package: what C++ has is there in Python, by its name or by the one listed here."""

import pathlib
import pickle
import re

import kinetree
import pytest

INCLUDE = pathlib.Path(__file__).resolve().parents[2] / "include" / "kinetree"

# Free functions that go by another name; (reason) where Python has no need of one.
FUNCTIONS = {
    "advance_to": "Simulation.advance_to", "as_loaded": "Model.description", "attached": "Description.attached",
    "contradicting": "(StateError.contradicting of close)", "facts_of": "JOINT_TYPES", "frame_index": "Model.link_index",
    "has_axis": "(descriptions are checked)", "has_error": "InputError", "has_tolerance": "(integrators go by words)",
    "independent_joints": "Model.independent_joints", "independent_velocities": "Model.independent_velocities",
    "is_revolute": "Model.joint_types", "joint_type_named": "JOINT_TYPES", "load_calibration": "Calibration.from_file",
    "locked": "Description.locked", "loop_type_named": "LOOP_TYPES", "make_description": "Description.from_family",
    "name_of": "(types and statuses are words)", "position_count": "JOINT_TYPES",
    "read_calibration": "Calibration.from_text", "read_mjcf": "read_model", "read_mjcf_text": "Description.from_text",
    "read_sdf": "read_model", "read_sdf_text": "Description.from_text", "read_urdf": "read_model",
    "read_urdf_text": "Description.from_text", "read_yaml": "read_model", "read_yaml_text": "Description.from_text",
    "save_calibration": "Calibration.save", "sub_model": "Description.sub_model",
    "to_string": "(str of a Finding)", "to_text": "Calibration.text", "velocity_count": "JOINT_TYPES",
    "with_loops_from": "Description.with_loops_from", "with_loops_from_text": "Description.with_loops_from",
    "without": "Description.without", "yaml_text": "Description.text",
}

# Classes that hold data or options: dicts, keywords, tuples and dataclasses stand for them.
CLASSES = {
    "Attachment": "Description.attached", "Bandwidth": "Calibration.numbers", "Bandwidths": "Calibration.numbers",
    "BaseParameters": "facts.BaseParameters", "BodyDescription": "words.Body", "Columns": "(arrays)",
    "ConstraintRow": "facts.ConstraintRow", "CouplingDescription": "words.Coupling", "CouplingFacts": "facts.CouplingFacts",
    "Energy": "energy", "IncludedFile": "(findings have the files)", "InertiaFacts": "facts.InertiaFacts",
    "InertialDescription": "words.Inertial", "JointDescription": "words.Joint", "JointFacts": "JOINT_TYPES",
    "JointNumber": "words.Joint", "JointParameters": "facts.JointParameters", "JointPositions": "(a dict)",
    "KeptParameters": "(Rollouts keep theirs)",
    "LimitsDescription": "words.Limits", "LinkInertia": "facts.LinkInertia", "LinkPoint": "Points",
    "LinkPoints": "Points", "LoadOptions": "load_model", "LoopDescription": "words.Loop", "LoopFacts": "facts.LoopFacts",
    "MaterialDescription": "facts.Material", "MessageCost": "Calibration.numbers", "Messages": "Calibration.numbers",
    "MimicDescription": "words.Coupling", "Options": "ForwardDynamics", "PassiveDescription": "words.Joint",
    "PathVelocities": "path_velocities",
    "Placement": "words.Place", "PointForceDescription": "words.PointForce",
    "Reading": "read_model", "RolloutColumns": "(arrays of Rollouts.step)",
    "RolloutOptions": "Rollouts", "SchedulingCost": "Calibration.numbers", "SensorDescription": "facts.Sensor",
    "ShapeDescription": "facts.Shape", "SimulationOptions": "Simulation", "StepLimit": "Simulation.limit",
    "WorkspaceOptions": "Workspace",
}

# Methods likewise.
METHODS = {
    "Calibration.in_lanes": "Calibration.numbers", "Calibration.of": "Calibration.numbers",
    "ComputedTorque.control": "(a Simulation takes the object)", "Drives.add": "Drives.forces",
    "Drives.go_on_from": "Drives.forces", "ForwardDynamics.modules": "(for programs of the project)",
    "ForwardDynamics.with": "ForwardDynamics.with_parameters", "InputError.findings": "(an attribute)",
    "Model.body_name": "Model.body_names", "Model.data": "(the library's own)", "Model.frame_count": "Model.link_names",
    "Model.frame_name": "Model.link_names", "Model.joint_name": "Model.joint_names",
    "Model.joint_type": "Model.joint_types", "Model.parent": "Model.parents", "PointForces.count": "PointForces.__len__",
    "PointForces.message": "(StateError's)", "Status.message": "(an attribute)", "Status.ok": "Status.__bool__",
    "Varying.data": "(the library's own)", "Varying.row_name": "Varying.row_names",
    "Workspace.space": "(the library's own)", "Workspace.with": "Workspace.with_parameters",
}


def text_of(file):
    """A header's declarations without comments and without what stands behind its adapters."""
    text = re.sub(r"namespace boundary \{.*?\n\}  // namespace boundary\n", "", file.read_text(), flags=re.S)
    return re.sub(r"//[^\n]*", "", text)


def face():
    """Names of free functions, and of classes with their public methods."""
    functions, classes = set(), {}
    for file in sorted(INCLUDE.glob("*.hpp")) + sorted((INCLUDE / "simulation").glob("*.hpp")):
        text = text_of(file)
        functions.update(re.findall(r"^(?:KINETREE_EXPORT |inline |constexpr )[^\n;={]*?\b(\w+)\(", text, re.M))
        functions.update(re.findall(r"^template <[^\n]*>\n(?:[\w:<> ]+ )(\w+)\(", text, re.M))
        found = re.findall(r"^(class|struct)(?: KINETREE_EXPORT)?(?: \[\[nodiscard\]\])? (\w+)[^;\n]*\{\n(.*?)^\};", text,
                           re.M | re.S)
        for kind, name, body in found:
            if kind == "class":
                body = body.partition(" public:\n")[2].partition("\n private:")[0]
            methods = re.findall(r"^  (?! |return)[\w:<>&*\[\] ,]+? [&*]?(\w+)\([^\n]*", body, re.M)
            behind = {m for m in methods if m.endswith(("_columns", "_")) or m in ("take", "forces_now")}  # of adapters
            classes[name] = set(methods) - behind - {name, "operator", "bool"}
    return functions - {"of_each_type", "size"}, classes


def is_there(path):
    thing = kinetree
    for word in path.split("."):
        thing = getattr(thing, word, None)
    return thing is not None or path.startswith("(")


def test_what_cpp_has_python_has():
    functions, classes = face()
    assert {"mass_matrix", "load_model", "point_kinematics", "ratio"} <= functions and len(functions) > 70
    assert {"Model", "Simulation", "Rollouts"} <= set(classes) and "q_index" in classes["Model"]
    lost = {f for f in functions if not is_there(FUNCTIONS.get(f, f))}
    lost |= {c for c in classes if not is_there(CLASSES.get(c, c))}
    lost |= {f"{c}.{m}" for c, methods in classes.items() if c not in CLASSES for m in methods
             if not is_there(METHODS.get(f"{c}.{m}", f"{c}.{m}"))}
    assert not lost


def test_the_lists_name_what_is_there():
    functions, classes = face()
    methods = {f"{c}.{m}" for c, of in classes.items() for m in of}
    assert set(FUNCTIONS) <= functions and set(CLASSES) <= set(classes) and set(METHODS) <= methods
    for names in (FUNCTIONS, CLASSES, METHODS):
        for name, python in names.items():
            assert is_there(python) and not is_there(name), name  # one that has its own name by now leaves the list


def test_types_of_joints_and_loops():
    words = (INCLUDE / "joint_type.hpp").read_text()
    assert kinetree.JOINT_TYPES["floating"] == (7, 6) and len(kinetree.JOINT_TYPES) == 10
    assert all(f'"{word}"' in words for word in (*kinetree.JOINT_TYPES, *kinetree.LOOP_TYPES))


def test_all_findings_of_a_file(tmp_path):
    file = tmp_path / "two.urdf"
    file.write_text('<robot name="two"><link name="a"><inertial><mass value="-1"/></inertial></link><link name="a"/></robot>')
    description, findings = kinetree.read_model(file)
    assert isinstance(description, kinetree.Description) and findings
    assert all(isinstance(f, kinetree.Finding) and f.file == str(file) for f in findings)
    with pytest.raises(kinetree.InputError):
        kinetree.load_model(file)


def test_a_models_parts(arm):
    model = kinetree.Description.from_dict({
        "name": "box", "bodies": [{
            "name": "box", "parent": "world", "joint": {"name": "slide", "type": "prismatic", "axis": [0, 0, 1]},
            "inertial": {"mass": 1}, "visuals": [{"type": "box", "size": [1, 2, 3], "xyz": [0, 0, 0.5],
                                                  "material": {"name": "red", "rgba": [1, 0, 0, 1]}}]}],
        "sensors": [{"name": "imu", "type": "imu", "link": "box", "xyz": [0, 0.1, 0]}]}).model()
    shape, = model.visuals("box")
    assert (shape.type, shape.size, shape.xyz) == ("box", (1, 2, 3), (0, 0, 0.5)) and shape.material.rgba == (1, 0, 0, 1)
    assert model.collisions("box") == [] and model.sensors[0].name == "imu" and model.sensors[0].xyz == (0, 0.1, 0)
    with pytest.raises(ValueError, match="lid"):
        model.visuals("lid")
    assert model.body_of_joint("slide") == model.body_of_link("box") == model.body_of_position(0) == 0
    assert arm.body_of_velocity(arm.nv - 1) == arm.body_count - 1
    with pytest.raises(IndexError):
        arm.body_of_position(arm.nq)
    with pytest.raises(ValueError):
        arm.body_of_joint("no_such_joint")


def test_joints_are_locked_where_they_stand(arm, states):
    q = states(arm, batch=1).q[0]
    joints = list(arm.joint_names[2:4])
    lock = kinetree.joint_positions(arm, q, joints)
    assert lock == {name: [q[arm.q_index(name)]] for name in joints}
    rest = arm.description.locked(lock).model()
    link = arm.link_names[-1]
    others = [arm.q_index(name) for name in rest.joint_names]
    assert rest.nv == arm.nv - 2
    assert abs(kinetree.poses(rest, q[others], link) - kinetree.poses(arm, q, link)).max() < 1e-12
    assert kinetree.random_configuration(arm, 1).tolist() == q.tolist()
    assert kinetree.names_family("chain:8") and not kinetree.names_family("arm7.yaml")
    assert kinetree.quaternion_from_rpy((0, 0, 3.141592653589793)) == pytest.approx((0, 0, 1, 0), abs=1e-15)


def test_loops_and_formats_beside(tmp_path, models):
    bar = kinetree.load_model(models / "four_bar.yaml")
    words, loops = bar.text().split("loops:", 1)
    (tmp_path / "tree.yaml").write_text(words)
    (tmp_path / "loops.yaml").write_text("loops:" + loops)
    for model in (kinetree.load_model(tmp_path / "tree.yaml", loops_from=tmp_path / "loops.yaml"),
                  kinetree.Description.from_file(tmp_path / "tree.yaml").with_loops_from(tmp_path / "loops.yaml").model()):
        assert [f.name for f in kinetree.loop_facts(model)] == [f.name for f in kinetree.loop_facts(bar)]
    ball = '<mujoco><worldbody><body name="b"><joint name="j"/><geom size="1" mass="1"/></body></worldbody></mujoco>'
    assert kinetree.Description.from_text(ball, "mjcf").model().joint_names == ("j",)
    with pytest.raises(kinetree.ArgumentError, match="format"):
        kinetree.Description.from_text(ball, "xml")


def test_base_parameters_are_sums(arm):
    base = kinetree.base_parameters(arm)
    names = kinetree.dynamic_parameter_names(arm)
    texts = base.texts(names)
    assert len(texts) == len(base.columns) and len(names) == kinetree.dynamic_parameter_count(arm)
    assert all(names[column] in text for column, text in zip(base.columns, texts))
    assert any(" + " in text or " - " in text for text in texts)
    with pytest.raises(kinetree.ShapeError):
        base.texts(names[1:])


def test_calibrations(tmp_path):
    ours = kinetree.calibration()
    text = kinetree.Calibration().text()
    changed = kinetree.Calibration.from_text(re.sub(r"^ab .*$", "ab 0.25", text, flags=re.M))
    assert changed.numbers["ab"] == 0.25 and changed != kinetree.Calibration()
    changed.save(str(tmp_path / "kept"))
    assert kinetree.Calibration.from_file(str(tmp_path / "kept")) == changed == pickle.loads(pickle.dumps(changed))
    try:
        kinetree.use_calibration(changed)
        assert kinetree.calibration() == changed and kinetree.calibration_source() == "the program"
    finally:
        kinetree.use_calibration(ours)
    with pytest.raises(kinetree.InputError):
        kinetree.Calibration.from_text("ab fast")
    with pytest.raises(kinetree.ArgumentError):
        kinetree.measured_calibration(0)
