"""The mechanism in 3D for a notebook: the page of `kinetree show --3d`, in a frame of its own."""

import json
import os
import pathlib
import tempfile
from html import escape

import numpy as np

from .errors import ShapeError
from .numbers import finite, numbers
from .studies import run_command


class Page:
    """A page of HTML with everything in it (1 MB and more): a notebook shows it, `save` keeps it; `text` is its text."""

    def __init__(self, name, text, height):
        self.name, self.text, self.height = name, text, height

    def save(self, file):
        """Writes the page to a file, for a browser."""
        pathlib.Path(file).write_text(self.text, encoding="utf-8")

    def _repr_html_(self):
        # the page's scripts run in the frame alone: they see nothing of the notebook
        return (f'<iframe srcdoc="{escape(self.text, quote=True)}" width="100%" height="{self.height}" '
                'style="border: 0" sandbox="allow-scripts"></iframe>')

    def __repr__(self):
        return f"<kinetree.Page of '{self.name}': the last line of a notebook's cell shows it, save(file) keeps it>"


def _mesh_folders(file):
    """Where meshes of a model's file are looked for: its folder and those above."""
    folder = pathlib.Path(file).absolute().parent
    return [str(place) for place in (folder, *folder.parents)]


def show(model, q=None, *, every=0.02, height=520):
    """The mechanism in 3D, to turn: a Page, which a notebook shows where it is a cell's last line.

    q: a configuration (nq,); without it the one where the model is assembled. (rows, nq) plays a motion whose rows are
    `every` s apart. height: of the frame, in pixels. The page is made by the command `kinetree`, as studies are, and
    needs nothing else: no network, and no IPython where `save(file)` keeps it. Shapes are those of the model's file,
    else frames and bones; meshes are looked for beside that file.
    """
    states = None if q is None else np.atleast_2d(finite("q", numbers("q", q, (model.nq,), ("rows", model.nq)))).tolist()
    if states == []:
        raise ShapeError("q", "one row at least", str(np.shape(q)))
    with tempfile.TemporaryDirectory() as folder:
        place = pathlib.Path(folder)
        (place / "model.yaml").write_text(model.text(), encoding="utf-8")
        words = ["show", place / "model.yaml", "--3d", "--out", folder]
        if states is not None:
            (place / "states.json").write_text(json.dumps({"states": [{"q": row} for row in states]}), encoding="utf-8")
            words += ["--states", place / "states.json"]
            if len(states) > 1:
                words += ["--every", float(every)]
        places = _mesh_folders(model.description.file) + [os.environ.get("ROS_PACKAGE_PATH", "")]
        run_command(words, environment={**os.environ, "ROS_PACKAGE_PATH": os.pathsep.join(filter(None, places))})
        return Page(model.name, (place / "mechanism.html").read_text(encoding="utf-8"), height)
