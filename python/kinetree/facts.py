"""What a model is made of: what the functions `joint_parameters`, `inertia_facts`, `loop_facts` and others give."""

from dataclasses import dataclass
from typing import List, Optional, Tuple

import numpy as np


@dataclass(frozen=True, eq=False)
class JointParameters:
    """A joint that moves. Arrays have a number per degree of freedom in the order of v, or per position in that of q."""

    name: str
    type: str
    parent: str  # links; `world` is the ground
    child: str
    body: int
    q_index: int  # its first entry in q
    v_index: int  # its first entry in v
    armature: np.ndarray  # kg m² (kg)
    damping: np.ndarray  # Nm s/rad (N s/m)
    friction: np.ndarray  # Nm (N)
    stiffness: np.ndarray  # Nm/rad (N/m)
    spring_reference: np.ndarray  # positions
    lower: np.ndarray  # positions; infinite: none
    upper: np.ndarray
    velocity_limit: np.ndarray  # rad/s (m/s), of magnitudes; infinite: none
    effort_limit: np.ndarray  # Nm (N), of magnitudes; infinite: none


@dataclass(frozen=True, eq=False)
class InertiaFacts:
    """A rigid body, links that are fixed to it among it, in the axes of its own link."""

    link: str
    mass: float  # kg
    centre_of_mass: np.ndarray  # (3,), m, from the link's origin
    inertia: np.ndarray  # (3, 3), kg m², about the centre of mass


@dataclass(frozen=True, eq=False)
class LoopFacts:
    """A loop joint."""

    name: str
    type: str  # what stays free
    first: str  # links; `world` is the ground
    second: str
    at_first: np.ndarray  # (3,), m: where its frame stands on the first link
    at_second: np.ndarray
    rows: int  # scalar constraints that are held


@dataclass(frozen=True)
class CouplingTerm:
    """coefficient * position + powers of the position, of one joint."""

    joint: str
    coefficient: float
    powers: Tuple[float, ...]  # factors of the second to fourth power


@dataclass(frozen=True)
class CouplingFacts:
    """A sum of terms that equals an offset (rad or m)."""

    name: str
    terms: List[CouplingTerm]
    offset: float


@dataclass(frozen=True)
class ConstraintRow:
    """What one number of constraint_errors belongs to."""

    constraint: str
    coupling: bool  # else a loop
    what: str  # of a loop, such as "its distance along x", in its first frame; of a coupling "its sum"
    length: bool  # whether errors are in m; else in rad


@dataclass(frozen=True, eq=False)
class BaseParameters:
    """Y p = Y[:, columns] @ (regrouping @ p): what joint forces depend on, and no more."""

    columns: np.ndarray  # (rank,), of Y, ascending
    regrouping: np.ndarray  # (rank, P)
    kept: float  # the smallest pivot that counted, beside the largest
    dropped: float  # the largest that did not

    def texts(self, names):
        """Each as a sum of parameters, by their names: 'link_2.mx + 0.316 link_3.mass - ...'."""
        from ._kinetree import texts_of
        return texts_of(self.columns, self.regrouping, list(names))


@dataclass(frozen=True)
class Material:
    """How a shape looks; what the file does not say is empty."""

    name: str
    rgba: Optional[Tuple[float, ...]]  # 0 to 1 each
    texture: str  # path or URI


@dataclass(frozen=True)
class Shape:
    """A shape on a link, for pictures or contacts."""

    name: str
    type: str  # box, sphere, cylinder, capsule, ellipsoid, plane or mesh
    size: Tuple[float, ...]  # m, as docs/using.md has them; of a mesh its three scales
    mesh: str  # path or URI
    xyz: Tuple[float, ...]  # m, in the link's frame
    quaternion: Tuple[float, ...]  # x, y, z, w
    material: Optional[Material]


@dataclass(frozen=True)
class Sensor:
    """A sensor and where it sits."""

    name: str
    type: str  # the format's own word
    link: str
    xyz: Tuple[float, ...]  # m, in the link's frame
    quaternion: Tuple[float, ...]  # x, y, z, w


@dataclass(frozen=True, eq=False)
class LinkInertia:
    """A rigid body's inertia as people state it; `inertia_rows` makes the ten rows of it that a Varying takes."""

    mass: float  # kg
    centre_of_mass: np.ndarray  # (3,), m, from the link's origin
    inertia: np.ndarray  # (3, 3), kg m², about the centre of mass, in the link's axes
