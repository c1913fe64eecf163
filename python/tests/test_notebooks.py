"""The notebooks of docs/notebooks run, say what is true, and stand in their pages."""

import html
import pathlib
import re

import pytest
from notebooks import cells, run

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


@pytest.mark.parametrize("notebook", NOTEBOOKS, ids=[n.stem for n in NOTEBOOKS])
def test_its_page_has_its_code(notebook):
    """What the target kinetree_notebooks wrote: of the notebook as it is now, without an error or a path of a machine."""
    page = notebook.with_suffix(".html").read_text(encoding="utf-8")
    text = html.unescape(re.sub(r"<[^>]*>", "", page.partition("<main>")[2]))
    for number, code in cells(notebook):
        assert code in text, f"cell {number} has changed: build the target kinetree_notebooks"
    assert "Traceback" not in text and not re.search(r"(?<![\w.])/(home|root|work|tmp|usr)/", page)
    assert "<script" not in page and "https://cdnjs" not in page and len(page) < 300_000
