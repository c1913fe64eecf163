#!/usr/bin/env python3
"""Reads the public headers' adapters of the table of functions, and writes them as a C++ table.

usage: adapters.py adapters.hpp HEADER...

An adapter is `Status NAME(...)` whose body calls evaluate(Function::ROW, ...), or evaluate(OfIndependent::ROW, ...).
Python gets a function NAME for each, with the header's comment, so that a function that C++ has needs no line of its own
in Python.
"""

import re
import sys

ADAPTER = re.compile(r"((?:^///[^\n]*\n)+)template <[^\n]*>\nStatus (\w+)\([^;]*?\)\s*\{\n(.*?)^\}\n", re.M | re.S)
ARGUMENTS = ("v", "a", "tau", "f_ext", "points", "axes", "coordinates", "linear", "damping")


def sentence(comment):
    return "\n".join(line[4:] for line in comment.splitlines())


def adapters(text):
    before = {}  # what overloads say that call another of their name
    for comment, name, body in ADAPTER.findall(text):
        if f"return {name}(" in body:
            before[name] = sentence(comment) + "\n\n"
            continue
        rows = re.findall(r"Function::(\w+)", body)
        if rows:
            given = set(re.findall(r"\.(\w+) = ", body))
            unknown = given - set(ARGUMENTS) - {"q", "results", "directions"}  # what all have, and the table knows
            if unknown:
                sys.exit(f"{name} passes {', '.join(sorted(unknown))}, which python/adapters.py and python/functions.cpp "
                         "do not hand on; add it to Adapter::Argument, to Parameter and to ARGUMENTS")
            yield name, rows[0], [a for a in ARGUMENTS if a in given], before.get(name, "") + sentence(comment)


def of_independent(text):
    """(name, row, whether it takes v, what it calls x, whether it takes f_ext, comment), the fullest of each name."""
    table = {}
    for comment, name, body in ADAPTER.findall(text):
        rows = re.findall(r"OfIndependent::(\w+)", body)
        if rows:
            given = dict(re.findall(r"\.(\w+) = input<S>\((\w+)\)", body))
            f_ext = "f_ext" in given or table.get(name, [0] * 4)[3]
            texts = table[name][4] + "\n\n" if name in table else ""
            table[name] = [rows[0], "v" in given, given.get("x", ""), f_ext, texts + sentence(comment)]
    return table


def merged(found):
    """One entry per name; another row under a name that is taken goes by the row's name."""
    table = {}
    for name, row, arguments, text in found:
        if name in table and table[name][0] != row:
            name = row
        if name not in table:
            table[name] = (row, [], [])
        _, all_arguments, texts = table[name]
        all_arguments += [a for a in arguments if a not in all_arguments]
        texts.append(text)
    return table


def main(out, files):
    found = [entry for file in files for entry in adapters(open(file, encoding="utf-8").read())]
    lines = ["// made by python/adapters.py of the public headers: a row per function that Python has", "#pragma once",
             '#include "python/adapter.hpp"', "namespace kinetree::python {", "inline constexpr Adapter adapters[] = {"]
    for name, (row, arguments, texts) in merged(found).items():
        given = " | ".join(f"Adapter::{a}" for a in arguments) or "0"
        text = "\n\n".join(texts)
        lines.append(f'  {{"{name}", boundary::Function::{row}, {given}, R"doc({text})doc"}},')
    lines += ["};", "inline constexpr IndependentAdapter independent_adapters[] = {"]
    for name, (row, v, x, f_ext, text) in [e for file in files
                                           for e in of_independent(open(file, encoding="utf-8").read()).items()]:
        lines.append(f'  {{"{name}", boundary::OfIndependent::{row}, {str(v).lower()}, "{x}", {str(bool(f_ext)).lower()}, '
                     f'R"doc({text})doc"}},')
    lines += ["};", "}  // namespace kinetree::python", ""]
    with open(out, "w", encoding="utf-8") as file:
        file.write("\n".join(lines))


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2:])
