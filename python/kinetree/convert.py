"""States of other libraries, both ways. Their formulas stand in docs/conventions.md; here they run on whole batches.

`joints`: the other library's joints in its own order, by name; without it joints stand in the model's order. Arrays are
(n,) or (batch, n).
"""

import numpy as np

# entries of q and of v per joint, where they are not one and one
_SIZES = {"cylindrical": (2, 2), "universal": (2, 2), "spherical": (4, 3), "planar": (3, 3), "floating": (7, 6)}
_PINOCCHIO_Q = {"continuous": 2, "planar": 4}


def _rotated(quaternion, vectors, back=False):
    """R of unit quaternions x y z w times vectors, or its transpose."""
    axis, w = quaternion[..., :3], quaternion[..., 3:]
    axis = -axis if back else axis
    across = np.cross(axis, vectors)
    return vectors + 2 * (w * across + np.cross(axis, across))


def _turned(angle, x, y):
    return np.cos(angle) * x - np.sin(angle) * y, np.sin(angle) * x + np.cos(angle) * y


def _joints(model, joints):
    """(type, slice of q, slice of v) in the other library's order."""
    names = list(model.joint_names)
    if joints is not None and sorted(joints) != sorted(names):
        odd = sorted(set(joints) ^ set(names))
        raise ValueError(f"joints: expected the model's {len(names)} joints in another order; these differ: "
                         + ", ".join(odd))
    for name in names if joints is None else joints:
        body = names.index(name)
        kind = model.joint_types[body]
        nq, nv = _SIZES.get(kind, (1, 1))
        q, v = model.q_starts[body], model.v_starts[body]
        yield kind, slice(q, q + nq), slice(v, v + nv)


def _checked(name, array, size):
    array = np.asarray(array)
    if array.ndim not in (1, 2) or array.shape[-1] != size:
        from .errors import ShapeError
        raise ShapeError(name, f"shape ({size},) or (batch, {size})", str(array.shape))
    return array


def _to(model, q, v, joints, q_of, v_of):
    q, v = _checked("q", q, model.nq), None if v is None else _checked("v", v, model.nv)
    positions, velocities = [], []
    for kind, in_q, in_v in _joints(model, joints):
        positions.append(q_of(kind, q[..., in_q]))
        if v is not None:
            velocities.append(v_of(kind, q[..., in_q], v[..., in_v]))
    together = np.concatenate(positions, axis=-1)
    return together if v is None else (together, np.concatenate(velocities, axis=-1))


def _from(model, q, v, joints, sizes, q_of, v_of):
    rows = list(_joints(model, joints))
    counts = [sizes.get(kind, in_q.stop - in_q.start) for kind, in_q, _ in rows]
    q = _checked("q", q, sum(counts))
    v = None if v is None else _checked("v", v, model.nv)
    made_q = np.empty(q.shape[:-1] + (model.nq,), q.dtype)
    made_v = None if v is None else np.empty_like(v)
    at_q = at_v = 0
    for (kind, in_q, in_v), count in zip(rows, counts):
        made_q[..., in_q] = q_of(kind, q[..., at_q:at_q + count])
        at_q += count
        if v is not None:
            width = in_v.stop - in_v.start
            made_v[..., in_v] = v_of(kind, made_q[..., in_q], v[..., at_v:at_v + width])
            at_v += width
    return made_q if v is None else (made_q, made_v)


def _w_first(kind, q):
    if kind == "spherical":
        return np.roll(q, 1, axis=-1)
    return np.concatenate([q[..., :3], np.roll(q[..., 3:], 1, axis=-1)], axis=-1) if kind == "floating" else q


def _w_last(kind, q):
    if kind == "spherical":
        return np.roll(q, -1, axis=-1)
    return np.concatenate([q[..., :3], np.roll(q[..., 3:], -1, axis=-1)], axis=-1) if kind == "floating" else q


def _free(back):
    def convert(kind, q, v):
        if kind != "floating":
            return v
        return np.concatenate([_rotated(q[..., 3:], v[..., :3], back), v[..., 3:]], axis=-1)
    return convert


def to_mujoco(model, q, v=None, joints=None):
    """qpos, or (qpos, qvel): quaternions w first, linear velocities of free joints in world axes."""
    return _to(model, q, v, joints, _w_first, _free(False))


def from_mujoco(model, qpos, qvel=None, joints=None):
    """q, or (q, v), of MuJoCo's qpos and qvel."""
    return _from(model, qpos, qvel, joints, {}, _w_last, _free(True))


def _circle(kind, q):
    if kind not in ("continuous", "planar"):
        return q
    return np.concatenate([q[..., :-1], np.cos(q[..., -1:]), np.sin(q[..., -1:])], axis=-1)


def _angle(kind, q):
    if kind not in ("continuous", "planar"):
        return q
    return np.concatenate([q[..., :-2], np.arctan2(q[..., -1:], q[..., -2:-1])], axis=-1)


def _planar(sign):
    def convert(kind, q, v):
        if kind != "planar":
            return v
        x, y = _turned(sign * q[..., 2:3], v[..., 0:1], v[..., 1:2])
        return np.concatenate([x, y, v[..., 2:]], axis=-1)
    return convert


def to_pinocchio(model, q, v=None, joints=None):
    """Pinocchio's q, or (q, v): continuous joints as cosine and sine, planar velocities in the child's axes."""
    return _to(model, q, v, joints, _circle, _planar(-1))


def from_pinocchio(model, q, v=None, joints=None):
    """q, or (q, v), of Pinocchio's; angles of continuous joints come back within a turn."""
    return _from(model, q, v, joints, _PINOCCHIO_Q, _angle, _planar(1))
