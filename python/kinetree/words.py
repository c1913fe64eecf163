"""The words of descriptions with attributes: what a mechanism is built of in Python, and what one is taken apart into.

Names, units and meanings are those of the YAML format (docs/using.md). What is None, or an empty list, is left out.
`Description.from_dict` reads a Mechanism, which may have plain dicts in it; its findings say what is missing or wrong.
"""

import json
import math
from dataclasses import dataclass, field, fields
from typing import Dict, List, Optional, Sequence, Union, get_args, get_type_hints

import numpy as np

from .errors import ArgumentError
from .numbers import numbers

Numbers = Union[float, Sequence[float]]


class Words:
    """What all have in common. An attribute that the format has not can't be set."""

    __slots__ = ()

    def given(self):
        """Its attributes that are not left out, a dict."""
        all_of_them = ((f.name, getattr(self, f.name)) for f in fields(self))
        return {name: value for name, value in all_of_them if not (value is None or isinstance(value, (list, dict)) and not value)}

    def __repr__(self):
        return f"{type(self).__name__}({', '.join(f'{name}={value!r}' for name, value in self.given().items())})"


def word(kind):
    """A dataclass without other attributes, which shows what is given."""
    return dataclass(slots=True, repr=False, eq=False)(kind)


@word
class Place(Words):
    """Where a frame stands in another."""

    xyz: Optional[Sequence[float]] = None  # m
    rpy: Optional[Sequence[float]] = None  # rad, about fixed axes, as in URDF; or
    quat: Optional[Sequence[float]] = None  # w, x, y, z


@word
class Limits(Words):
    """What a joint can do: data for the caller."""

    lower: Optional[Numbers] = None  # rad, m
    upper: Optional[Numbers] = None
    velocity: Optional[Numbers] = None  # rad/s, m/s, of magnitudes
    effort: Optional[Numbers] = None  # Nm, N, of magnitudes


@word
class Joint(Words):
    """The joint that carries a body."""

    name: Optional[str] = None
    type: Optional[str] = None  # one of kinetree.JOINT_TYPES
    axis: Optional[Sequence[float]] = None  # in the joint frame, of any length
    axis2: Optional[Sequence[float]] = None  # of universal joints
    pitch: Optional[float] = None  # m/rad, of helical joints
    origin: Optional[Place] = None  # of the joint frame in the parent body
    armature: Optional[float] = None  # kg m², kg
    damping: Optional[Numbers] = None  # Nm s/rad, N s/m
    friction: Optional[Numbers] = None  # Nm, N
    stiffness: Optional[Numbers] = None  # Nm/rad, N/m
    reference: Optional[Numbers] = None  # where the spring is at rest, as in q
    limits: Optional[Limits] = None


@word
class Inertial(Words):
    """A body's mass properties."""

    mass: Optional[float] = None  # kg
    com: Optional[Sequence[float]] = None  # m, in the body frame
    inertia: Optional[Sequence[float]] = None  # kg m²: xx, yy, zz, xy, xz, yz about the centre of mass
    quat: Optional[Sequence[float]] = None  # w, x, y, z: the inertia's axes in the body's


@word
class Material(Words):
    """How a shape looks."""

    name: Optional[str] = None
    rgba: Optional[Sequence[float]] = None  # 0 to 1 each
    texture: Optional[str] = None  # path or URI


@word
class Shape(Words):
    """A shape on a link, for pictures or contacts."""

    type: Optional[str] = None  # box, sphere, cylinder, capsule, ellipsoid, plane or mesh
    size: Optional[Numbers] = None  # m; of a mesh its scales
    mesh: Optional[str] = None  # path or URI
    name: Optional[str] = None
    xyz: Optional[Sequence[float]] = None  # m, in the link's frame
    rpy: Optional[Sequence[float]] = None  # rad; or
    quat: Optional[Sequence[float]] = None  # w, x, y, z
    material: Optional[Material] = None


@word
class Body(Words):
    """A body and the joint that carries it."""

    name: Optional[str] = None
    parent: Optional[str] = None  # a body's name, or world
    joint: Optional[Joint] = None
    inertial: Optional[Inertial] = None  # None: massless
    visuals: List[Shape] = field(default_factory=list)
    collisions: List[Shape] = field(default_factory=list)


@word
class End(Words):
    """Where a loop joint stands on a body."""

    body: Optional[str] = None  # a name, or world
    xyz: Optional[Sequence[float]] = None  # m
    rpy: Optional[Sequence[float]] = None  # rad; or
    quat: Optional[Sequence[float]] = None  # w, x, y, z


@word
class Loop(Words):
    """A joint that closes a loop."""

    name: Optional[str] = None
    type: Optional[str] = None  # what stays free, one of kinetree.LOOP_TYPES
    axis: Optional[Sequence[float]] = None  # in both frames
    axis2: Optional[Sequence[float]] = None  # of universal loops
    between: List[End] = field(default_factory=list)  # two


@word
class Coupling(Words):
    """A sum of polynomials of joint positions that equals an offset."""

    name: Optional[str] = None
    terms: Dict[str, Numbers] = field(default_factory=dict)  # joint: factors of the first to fourth power
    offset: Optional[float] = None  # rad, m


@word
class Point(Words):
    """A point on a body."""

    body: Optional[str] = None  # a name, or world
    xyz: Optional[Sequence[float]] = None  # m


@word
class PointForce(Words):
    """A spring, a damper or a constant force between two points."""

    name: Optional[str] = None
    between: List[Point] = field(default_factory=list)  # two
    stiffness: Optional[float] = None  # N/m
    length: Optional[float] = None  # m, at rest
    damping: Optional[float] = None  # N s/m
    force: Optional[float] = None  # N


@word
class Sensor(Words):
    """A sensor and where it sits."""

    name: Optional[str] = None
    type: Optional[str] = None  # any word
    link: Optional[str] = None  # a body's name, or world
    xyz: Optional[Sequence[float]] = None  # m
    rpy: Optional[Sequence[float]] = None  # rad; or
    quat: Optional[Sequence[float]] = None  # w, x, y, z


@word
class Mechanism(Words):
    """A whole mechanism, to build and to change; `description` and `model` make of it what it says then."""

    name: Optional[str] = None
    bodies: List[Body] = field(default_factory=list)  # in any order
    gravity: Optional[Sequence[float]] = None  # m/s²; None: 0, 0, -9.81
    loops: List[Loop] = field(default_factory=list)
    couplings: List[Coupling] = field(default_factory=list)
    forces: List[PointForce] = field(default_factory=list)
    sensors: List[Sensor] = field(default_factory=list)
    independent: List[str] = field(default_factory=list)  # joints
    assembled: Dict[str, Numbers] = field(default_factory=dict)  # joint: positions near where loops close

    def body(self, name):
        """The body of a name. Raises ArgumentError where there is none."""
        return _named("body", self.bodies, name)

    def joint(self, name):
        """The joint of a name, whichever body it carries."""
        return _named("joint", [body.joint for body in self.bodies if body.joint is not None], name)

    def description(self):
        """Its Description. Raises InputError, whose findings say what is wrong."""
        from ._kinetree import Description
        return Description.from_dict(self)

    def model(self, **options):
        """Its Model; options as Description.model has them."""
        return self.description().model(**options)


def _named(what, all_of_them, name):
    found = next((one for one in all_of_them if one.name == name), None)
    if found is None:
        raise ArgumentError("name", f"a {what}: {', '.join(str(one.name) for one in all_of_them)}", repr(name))
    return found


def made(kind, words):
    """A dict of the format's words as the class that has them for attributes."""
    hints = get_type_hints(kind)

    def value_of(hint, value):
        part = next((one for one in get_args(hint) if isinstance(one, type) and issubclass(one, Words)), None)
        if part is None:
            return value
        return [made(part, one) for one in value] if isinstance(value, list) else made(part, value)

    return kind(**{name: value_of(hints[name], value) for name, value in words.items()})


def plain(value, where="words"):
    """As JSON has it: arrays as lists, what is no number in YAML's words. Raises where it has no words for a value."""
    if isinstance(value, Words):
        value = value.given()
    if isinstance(value, dict):
        return {str(key): plain(one, f"{where}.{key}") for key, one in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(one, f"{where}[{k}]") for k, one in enumerate(value)]
    if isinstance(value, np.ndarray):
        return plain(numbers(where, value).tolist(), where)
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, float) and not math.isfinite(value):
        return ".nan" if math.isnan(value) else ".inf" if value > 0 else "-.inf"
    if value is None or isinstance(value, (str, bool, int, float)):
        return value
    raise ArgumentError(where, "numbers, texts, lists, dicts or kinetree.words", type(value).__name__)


def text_of(words):
    """As JSON, which is YAML."""
    return json.dumps(plain(words), ensure_ascii=False)
