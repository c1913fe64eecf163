"""Studies and sweeps by the command; results as tables."""

import os
import signal
import sys
import threading
import time

import kinetree
import numpy as np
import pytest

SWEEP = {"name": "small", "states": 2, "repetitions": 2, "seconds": 0.001,
         "runs": [{"models": ["chain:4"], "algorithms": ["ab", "crb"]}]}


def test_a_sweep_is_a_table(command, tmp_path):
    results = kinetree.sweep(SWEEP, out=tmp_path / "kept")
    assert sorted(results["algorithm"]) == ["ab", "crb"] and (results["median_ns"] > 0).all()
    assert results["threads"].dtype.kind == "i" and results["holds"].dtype == bool
    assert results.where(algorithm="crb")["model"].tolist() == ["chain:4"]
    assert "small" in repr(results) and "<table>" in results._repr_html_() and results.context["kinetree"]
    again = kinetree.load_results(tmp_path / "kept")
    assert again.text == results.text and np.array_equal(again["median_ns"], results["median_ns"])
    try:
        import pandas  # noqa: F401
        assert len(results.frame()) == 2
    except ImportError:
        pass
    with pytest.raises(RuntimeError, match="no_such_key"):
        kinetree.sweep({**SWEEP, "no_such_key": 1})


def test_a_study_is_interrupted(command, arm):
    timer = threading.Timer(1.0, os.kill, (os.getpid(), signal.SIGINT))
    begun = time.monotonic()
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        kinetree.study(arm, seconds=60)
    timer.join()
    assert time.monotonic() - begun < 30


def test_answers_are_a_studys(tmp_path):
    text = {"sweep": "s", "cases": [{"threads": 1, "x": None}, {"threads": 2, "x": 0.5}],
            "answers": [{"question": "Which?", "answer": "ab"}], "fitness": {"fit": True}}
    results = kinetree.Results(text)
    assert results.answers == {"Which?": "ab"} and results.fit
    assert np.isnan(results["x"][0]) and results["x"][1] == 0.5 and "Which?" in results._repr_html_()


def test_the_command_is_of_this_version(command, monkeypatch, tmp_path):
    assert kinetree.command() == command
    other = tmp_path / "kinetree"
    other.write_text(f"#!{sys.executable}\nprint('kinetree 99.0, of another time')\n")
    other.chmod(0o755)
    monkeypatch.setenv("KINETREE_COMMAND", str(other))
    with pytest.raises(RuntimeError, match="99.0"):
        kinetree.command()
