"""Findings, statuses and exceptions. Each exception is one of Python's own kinds too, so that plain code catches it."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Finding:
    """A fault of an input: an error refuses it; a warning and a notice let it pass."""

    severity: str
    file: str
    line: int
    element: str
    message: str

    def __str__(self):
        place = f"{self.file}:{self.line}: " if self.line else f"{self.file}: " if self.file else ""
        return f"{place}{self.severity}: {self.element + ': ' if self.element else ''}{self.message}"


@dataclass(frozen=True)
class Status:
    """What became of one state: `code` is a word of STATUS_CODES; `value` of `joint` in `argument` breaks the rule."""

    code: str
    column: int
    joint: str
    argument: str
    value: float
    message: str

    def __bool__(self):
        return self.code == "ok"


class Error(Exception):
    """The base of all."""


class InputError(Error, ValueError):
    """A file, a text or a description that makes no model; `findings` has every fault of it."""

    def __init__(self, message, findings=()):
        super().__init__(message, findings)
        self.findings = list(findings)

    def __str__(self):
        return self.args[0]


class OptionError(Error, ValueError):
    """Options that make no sense."""


class TooManyCuts(Error, RuntimeError):
    """Cuts that would leave a module with more than 16 cut joints."""


class StateError(Error, ValueError):
    """A state, or a call, that can't be solved; `status` says why, and so do code, joint, argument and value."""

    def __init__(self, status):
        super().__init__(status)
        self.status = status
        self.code, self.joint, self.argument, self.value = status.code, status.joint, status.argument, status.value

    def __str__(self):
        return self.status.message


class ArgumentError(Error, ValueError):
    """An argument of another value than the call takes."""

    def __init__(self, argument, expected, given):
        super().__init__(argument, expected, given)
        self.argument, self.expected, self.given = argument, expected, given

    def __str__(self):
        return f"{self.argument}: expected {self.expected}; given {self.given}"


class ShapeError(ArgumentError):
    """An array of another shape."""


class ArrayTypeError(ArgumentError, TypeError):
    """No array, or one of another dtype."""


class BusyError(Error, RuntimeError):
    """An object that another thread is in a call of."""

    def __init__(self, kind):
        super().__init__(kind)

    def __str__(self):
        return f"this {self.args[0]} is in a call of another thread; give each thread an object of its own"


class ForkError(Error, RuntimeError):
    """An object that was made before this process was forked off: its threads stayed behind."""

    def __init__(self, kind):
        super().__init__(kind)

    def __str__(self):
        return (f"this {self.args[0]} was made before the fork, and its threads are in the other process; make a new one "
                "here (a Model goes on)")
