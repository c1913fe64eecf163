"""Measurements from Python: `study` and `sweep` run the command `kinetree` of this build and load its results.json.

They measure the command, not Python: its threads, its checks and its verdicts are those of docs/reading-the-report.md.
"""

import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import tempfile

import numpy as np

from ._kinetree import Model, __version__

ROWS = ("model", "label", "algorithm", "executor", "threads", "batch", "lanes", "median_ns", "low_ns", "high_ns",
        "speedup", "efficiency", "predicted_ns", "error", "holds")


def command():
    """The path of the command: $KINETREE_COMMAND, what was built or installed with this package, or on the PATH.

    Raises FileNotFoundError where there is none, and RuntimeError where it is of another version.
    """
    here = pathlib.Path(__file__).resolve().parent
    places = [os.environ.get("KINETREE_COMMAND", ""), here / "bin" / "kinetree", here.parents[1] / "bench" / "kinetree",
              shutil.which("kinetree") or ""]
    found = next((str(p) for p in places if str(p) and os.access(p, os.X_OK) and os.path.isfile(p)), None)
    if found is None:
        raise FileNotFoundError("the command kinetree is not there: build it (cmake --build --preset release --target "
                                "kinetree_command), then install the package again, or name it in KINETREE_COMMAND")
    told = subprocess.run([found, "--version"], capture_output=True, text=True, check=True).stdout
    if told.split(",")[0] != f"kinetree {__version__}":
        raise RuntimeError(f"{found} is {told.strip()}, this package {__version__}; KINETREE_COMMAND names another")
    return found


def _column(values):
    """An array of a column: numbers, words, or what is not alike."""
    if all(isinstance(v, bool) for v in values):
        return np.array(values, bool)
    numbers = [v for v in values if v is not None]
    if numbers and all(isinstance(v, (int, float)) and not isinstance(v, bool) for v in numbers):
        whole = len(numbers) == len(values) and all(isinstance(v, int) for v in numbers)
        return np.array(values, int) if whole else np.array([np.nan if v is None else v for v in values], float)
    if all(isinstance(v, str) for v in values):
        return np.array(values)
    column = np.empty(len(values), object)
    column[:] = values
    return column


class Results(dict):
    """The cases of a results.json, a dict of arrays: one entry per case in each; times are ns per state.

    Numbers that a case has not are NaN. `answers`: a study's questions and answers; `fit` and `fitness`: whether it may
    be read; `context`: machine and build; `text`: all of results.json.
    """

    def __init__(self, text):
        cases = text.get("cases", [])
        names = list(dict.fromkeys(name for case in cases for name in case))
        super().__init__({name: _column([case.get(name) for case in cases]) for name in names})
        self.text = text
        self.context, self.fitness = text.get("context", {}), text.get("fitness", {})
        self.fit = bool(self.fitness.get("fit", False))
        self.answers = {a["question"]: a["answer"] for a in text.get("answers", [])}

    def frame(self):
        """The cases as pandas' DataFrame; needs pandas."""
        import pandas
        return pandas.DataFrame({name: list(column) for name, column in self.items()})

    def where(self, **values):
        """The cases that have these values, as a dict of arrays: where(algorithm="ab", threads=1)."""
        keep = np.ones(len(self), bool) if not self else np.ones(len(next(iter(self.values()))), bool)
        for name, value in values.items():
            keep &= self[name] == value
        return {name: column[keep] for name, column in self.items()}

    def plot(self, x="threads", y="median_ns", by="label", axes=None, **values):
        """Draws y against x, a line for each `by`, of the cases that `where(**values)` gives; gives matplotlib's axes."""
        if axes is None:
            import matplotlib.pyplot
            axes = matplotlib.pyplot.gca()
        chosen = self.where(**values)
        for line in dict.fromkeys(chosen[by].tolist()):
            mine = chosen[by] == line
            order = np.argsort(chosen[x][mine], kind="stable")
            axes.plot(chosen[x][mine][order], chosen[y][mine][order], marker="o", label=str(line))
        axes.set_xlabel(x), axes.set_ylabel(y)
        if y.endswith("_ns"):
            axes.set_yscale("log")  # algorithms differ by decades
        axes.legend()
        return axes

    def __repr__(self):
        cases = len(next(iter(self.values()), ()))
        return f"<kinetree.Results of '{self.text.get('sweep', '')}': {cases} cases, {'' if self.fit else 'not '}fit>"

    def _repr_html_(self):
        from html import escape
        told = "".join(f"<p><b>{escape(q)}</b><br>{escape(a)}</p>" for q, a in self.answers.items())
        rows = [name for name in ROWS if name in self]
        cell = lambda v: escape(f"{v:.4g}" if isinstance(v, float) else str(v))
        lines = zip(*(self[name].tolist() for name in rows))
        table = "".join("<tr>" + "".join(f"<td>{cell(v)}</td>" for v in line) + "</tr>" for line in lines)
        head = "".join(f"<th>{name}</th>" for name in rows)
        return f"<p>{escape(self.fitness.get('sentence', ''))}</p>{told}<table><tr>{head}</tr>{table}</table>"


def load_results(path):
    """The Results of a results.json, or of the folder that it stands in."""
    path = pathlib.Path(path)
    with open(path / "results.json" if path.is_dir() else path, encoding="utf-8") as file:
        return Results(json.load(file))


def run_command(words, show=False, environment=None):
    """Runs the command; an interrupt goes on to it, and it ends before the exception passes."""
    told = None if show else subprocess.PIPE
    process = subprocess.Popen([command(), *map(str, words)], stdout=told, stderr=subprocess.STDOUT if told else None,
                               text=True, start_new_session=True, env=environment)
    try:
        text, _ = process.communicate()
    except BaseException:
        process.send_signal(signal.SIGINT)
        try:
            process.wait(5)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        raise
    if process.returncode:
        raise RuntimeError(f"kinetree {words[0]} ended with {process.returncode}: {(text or '').strip()}")


def _measured(words, out, show):
    if out is not None:
        run_command([*words, "--out", out], show)
        return load_results(out)
    with tempfile.TemporaryDirectory() as folder:
        run_command([*words, "--out", folder], show)
        return load_results(folder)


def study(model, *, seconds=60, threads=None, out=None, show=False):
    """How one mechanism scales on this machine: Results, whose `answers` are sentences.

    model: a Model, a file or a family. threads: numbers of threads to try. out: a folder that keeps report.html,
    results.json and results.csv. show: print what the command says. Interruptible; nothing is left then.
    """
    options = ["--seconds", seconds, *(["--threads", *threads] if threads else [])]
    if not isinstance(model, Model):
        return _measured(["study", os.fspath(model), *options], out, show)
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder) / (re.sub(r"[^\w.-]", "_", model.name) + ".yaml")  # the study is called by it
        file.write_text(model.text(), encoding="utf-8")
        return _measured(["study", file, *options], out, show)


def sweep(sweep, *, out=None, only=(), show=False):
    """Times algorithms on models: Results. sweep: a file, or a dict in the words of sweep files (docs/using.md).

    only: runs of the file to measure. out and show: as `study` has them.
    """
    options = [word for run in only for word in ("--only", run)]
    if not isinstance(sweep, dict):
        return _measured(["sweep", os.fspath(sweep), *options], out, show)
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder) / "sweep.yaml"
        file.write_text(json.dumps(sweep), encoding="utf-8")  # JSON is YAML
        return _measured(["sweep", file, *options], out, show)
