"""The mechanism in 3D: a page in a frame, for notebooks and browsers."""

import base64
import html
import json
import re
import struct
import subprocess

import kinetree
import numpy as np
import pytest


def scene_of(text):
    return json.loads(re.search(r'<script type="application/json" id="scene">(.*?)</script>', text, re.S)[1])


def times_of(text):
    return np.frombuffer(base64.b64decode(scene_of(text)["frames"]["times"]), np.float32)


def test_a_page_is_the_commands(command, arm, models, tmp_path):
    subprocess.run([command, "show", str(models / "arm7.yaml"), "--3d", "--out", str(tmp_path)], check=True,
                   capture_output=True)
    page = arm.show()
    assert scene_of(page.text) == scene_of((tmp_path / "mechanism.html").read_text())
    assert scene_of(arm.show(kinetree.neutral(arm) + 0.5).text)["frames"] != scene_of(page.text)["frames"]


def test_a_notebook_gets_a_frame(command, arm, tmp_path):
    page = arm.show(height=300)
    frame = page._repr_html_()
    inside = re.fullmatch(r'<iframe srcdoc="([^"]*)" width="100%" height="300" style="border: 0" sandbox="allow-scripts">'
                          "</iframe>", frame)
    assert html.unescape(inside[1]) == page.text and "arm7" in repr(page)
    page.save(tmp_path / "arm.html")
    assert (tmp_path / "arm.html").read_text() == page.text


def test_a_motion_plays(command, arm):
    path = kinetree.rollout(arm, kinetree.neutral(arm), np.ones(arm.nv), np.zeros((1, 60, arm.nv)), every=10)
    page = arm.show(path.q[0], every=0.01)
    assert np.allclose(times_of(page.text), 0.01 * np.arange(6))
    assert times_of(arm.show(path.q[0, :1]).text).tolist() == [0]


def test_meshes_are_found_beside_the_models_file(command, tmp_path):
    corners = np.eye(4)[:, :3]
    triangles = [(0, 2, 1), (0, 1, 3), (0, 3, 2), (1, 2, 3)]
    facets = b"".join(struct.pack("<12fH", 0, 0, 0, *corners[list(t)].ravel(), 0) for t in triangles)
    (tmp_path / "robot" / "meshes").mkdir(parents=True)
    (tmp_path / "robot" / "meshes" / "arm.stl").write_bytes(bytes(80) + struct.pack("<I", len(triangles)) + facets)
    file = tmp_path / "robot" / "arm.urdf"
    file.write_text("""<robot name="r"><link name="base"/><link name="arm"><inertial><mass value="1"/>
<inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>
<visual><geometry><mesh filename="package://robot/meshes/arm.stl"/></geometry></visual></link>
<joint name="j" type="continuous"><parent link="base"/><child link="arm"/><axis xyz="0 0 1"/></joint></robot>""")
    with_mesh = scene_of(kinetree.load_model(file).show().text)
    (tmp_path / "robot" / "meshes" / "arm.stl").unlink()
    without = scene_of(kinetree.load_model(file).show().text)
    assert "arm.stl" in str(without["notes"]) and "arm.stl" not in str(with_mesh["notes"])


WRONG = [(np.zeros(6), "shape"), (np.zeros((0, 7)), "one row"), (np.zeros((1, 2, 7)), "shape"), ("q", "numbers"),
         (np.full(7, np.nan), "finite"), (np.ma.masked_array(np.zeros(7), False), "mask"), ([None] * 7, "numbers"),
         (np.zeros(7, "datetime64[s]"), "numbers"), (np.zeros(7, bool), "numbers"), ([[0], [0, 1]], "numbers")]


@pytest.mark.parametrize("q,words", WRONG, ids=[str(k) for k in range(len(WRONG))])
def test_wrong_positions_are_named(arm, q, words):
    with pytest.raises(kinetree.ArgumentError, match=words) as caught:
        arm.show(q)
    assert caught.value.argument == "q"
