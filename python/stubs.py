#!/usr/bin/env python3
"""Writes type stubs of the compiled module from the signatures in its docstrings, which editors and mypy read.

usage: stubs.py FOLDER    FOLDER/kinetree holds the package; the stub is FOLDER/kinetree/_kinetree.pyi
"""

import importlib
import inspect
import pathlib
import re
import sys

NAMES = [(r"kinetree\._kinetree\.", ""), (r"\bhandle\b", "object"),
         (r"os\.PathLike", "Union[str, os.PathLike[str]]"), (r"(float|int)\[\d+\]", r"\1"),
         (r"= <[^>]*>|= inf\b", "= ..."), (r"(?<!\.)\barray\b", "numpy.ndarray"), (r"std::\w+", "object"),
         (r"numpy\.ndarray\[[^\]]*\]", "numpy.ndarray"), (r": ([\w.]+) = None", r": Optional[\1] = None"),
         (r"-> object", "-> Any")]


def clean(signature):
    for pattern, name in NAMES:
        signature = re.sub(pattern, name, signature)
    try:
        compile(f"def {signature}: ...", "stub", "exec")
    except SyntaxError:
        return signature.split("(")[0] + "(*args: Any, **kwargs: Any) -> Any"
    return signature


def functions(name, thing, indent, static=False):
    text = inspect.getdoc(thing) or ""
    found = re.findall(rf"^(?:\d+\. )?({name}\(.*\) -> .*)$", text, re.M)[:1]
    if inspect.isfunction(thing):  # of the package's Python part
        found = [f"{name}{inspect.signature(thing)} -> Any"]
    found = found or [f"{name}(*args: Any, **kwargs: Any) -> Any"]
    mark = f"{indent}@staticmethod\n" if static else ""
    return f"{mark}{indent}def {clean(found[0])}: ...\n"


def members(kind):
    lines = []
    for name, thing in sorted(vars(kind).items()):
        if name == "__init__" and not (thing.__doc__ or "").startswith("__init__("):
            continue  # other functions make it
        if isinstance(thing, property):
            told = re.search(r"-> (.+)", thing.fget.__doc__ or "")
            kind_of = clean(f"{name}() -> {told[1]}").split("-> ")[1] if told else "Any"
            lines.append(f"    @property\n    def {name}(self) -> {kind_of}: ...\n")
        elif isinstance(thing, staticmethod):
            lines.append(functions(name, thing.__func__, "    ", True))
        elif callable(thing) and (not name.startswith("_") or name in ("__init__", "__len__")):
            lines.append(functions(name, thing, "    "))
    return lines or ["    ...\n"]


def stub(module):
    lines = ["# made by python/stubs.py\nimport os\n",
             "from typing import Any, Dict, Iterable, List, Optional, Tuple, Union\n\nimport numpy\n\n",
             "__version__: str\nFUNCTIONS: Tuple[str, ...]\nJOINT_TYPES: Dict[str, Tuple[int, int]]\nLOOP_TYPES: Tuple[str, ...]\nSTATUS_CODES: Tuple[str, ...]\n\n"]
    for name, thing in sorted(vars(module).items()):
        if inspect.isclass(thing):
            lines += [f"class {name}:\n", *members(thing), "\n"]
        elif callable(thing) and not name.startswith("_"):
            lines.append(functions(name, thing, ""))
    return "".join(lines)


if __name__ == "__main__":
    folder = pathlib.Path(sys.argv[1])
    sys.path.insert(0, str(folder))
    module = importlib.import_module("kinetree._kinetree")
    (folder / "kinetree" / "_kinetree.pyi").write_text(stub(module), encoding="utf-8")
