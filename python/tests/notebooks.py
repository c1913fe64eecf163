"""Runs the code of notebooks (.ipynb) without Jupyter: cells one after another, in the notebook's own folder.

usage: notebooks.py FILE...
"""

import json
import os
import pathlib
import sys


def cells(file):
    """(number, code) of the cells that have code."""
    text = json.loads(pathlib.Path(file).read_text(encoding="utf-8"))
    assert text["nbformat"] == 4
    for number, cell in enumerate(text["cells"]):
        if cell["cell_type"] == "code":
            assert not cell["outputs"] and cell["execution_count"] is None, f"{file}: clear the outputs of cell {number}"
            yield number, "".join(cell["source"])


def run(file):
    """The names that a notebook leaves. Exceptions name the file and the cell."""
    names, before = {"__name__": "__main__"}, os.getcwd()
    file = pathlib.Path(file).resolve()
    os.chdir(file.parent)
    try:
        for number, code in cells(file):
            exec(compile(code, f"{file.name}, cell {number}", "exec"), names)
    finally:
        os.chdir(before)
    return names


if __name__ == "__main__":
    for path in sys.argv[1:]:
        run(path)
