"""The notebooks of docs/notebooks run, and say what is true."""

import pathlib

import pytest
from notebooks import run

FOLDER = pathlib.Path(__file__).resolve().parents[2] / "docs" / "notebooks"
NOTEBOOKS = sorted(FOLDER.glob("*.ipynb"))


def test_there_are_five():
    assert [n.name[0] for n in NOTEBOOKS] == list("12345")


@pytest.mark.parametrize("notebook", NOTEBOOKS, ids=[n.stem for n in NOTEBOOKS])
def test_it_runs(notebook, request, monkeypatch):
    if notebook.stem.startswith("5"):
        request.getfixturevalue("command")
    monkeypatch.setenv("MPLBACKEND", "agg")
    run(notebook)
