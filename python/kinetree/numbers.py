"""What Python's part of the package takes for an array of numbers: as the compiled part does, and lists of integers."""

import numpy as np

from .errors import ArgumentError, ArrayTypeError, ShapeError


def numbers(name, given, *shapes):
    """`given` as floats. Raises where it is no array of numbers (None, dates, objects, booleans, a masked array), or has
    none of the shapes: tuples of sizes, which are words where any size will do."""
    if isinstance(given, np.ma.MaskedArray):
        raise ArrayTypeError(name, "an array without a mask", "a masked array; `filled` gives its numbers")
    try:
        array = np.asarray(given)
    except ValueError:
        raise ArrayTypeError(name, "an array of numbers", "a list that is none") from None
    if array.dtype.kind not in "fiu":
        raise ArrayTypeError(name, "an array of numbers", "None" if given is None else f"one of {array.dtype}")
    fits = lambda shape: len(shape) == array.ndim and all(a == b or not isinstance(a, int)
                                                          for a, b in zip(shape, array.shape))
    if shapes and not any(map(fits, shapes)):
        words = " or ".join(f"({', '.join(map(str, s))}{',' if len(s) == 1 else ''})" for s in shapes)
        raise ShapeError(name, f"shape {words}", str(array.shape))
    return array if array.dtype.kind == "f" else array.astype(float)


def finite(name, array):
    """The same array. Raises where a number is infinite or none."""
    if not np.isfinite(array).all():
        raise ArgumentError(name, "finite numbers", "infinite ones or NaN")
    return array
