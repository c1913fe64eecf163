"""States of other libraries, both ways. Their formulas stand in docs/conventions.md; here they run on whole batches.

`joints`: the other library's joints in its own order, by name; without it joints stand in the model's order. Arrays are
(n,) or (batch, n).
"""

import numpy as np

from ._kinetree import JOINT_TYPES
from .numbers import numbers

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
        nq, nv = JOINT_TYPES[kind]
        q, v = model.q_starts[body], model.v_starts[body]
        yield kind, slice(q, q + nq), slice(v, v + nv)


def _checked(name, array, size):
    return numbers(name, array, (size,), ("batch", size))


def _rows_of_bodies(name, array, model, bodies):
    count = model.body_count if bodies is None else len(bodies)
    return numbers(name, array, (count, 6), ("batch", count, 6))


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


def _each(model, q, x, joints, change):
    """x (nv) joint by joint through change(kind, q, x), in the other library's order."""
    parts = [change(kind, q[..., in_q], x[..., in_v], in_v) for kind, in_q, in_v in _joints(model, joints)]
    return np.concatenate(parts, axis=-1)


def _each_back(model, q, x, joints, change):
    made, at = np.empty_like(x), 0
    for kind, in_q, in_v in _joints(model, joints):
        width = in_v.stop - in_v.start
        made[..., in_v] = change(kind, q[..., in_q], x[..., at:at + width], in_v)
        at += width
    return made


def forces_to_mujoco(model, q, tau, joints=None):
    """qfrc of joint forces tau: those of free joints in world axes."""
    q, tau = _checked("q", q, model.nq), _checked("tau", tau, model.nv)
    return _each(model, q, tau, joints, lambda kind, at, x, _: _free(False)(kind, at, x))


def forces_from_mujoco(model, q, qfrc, joints=None):
    """tau of MuJoCo's qfrc_applied, say; q is kinetree's."""
    q, qfrc = _checked("q", q, model.nq), _checked("qfrc", qfrc, model.nv)
    return _each_back(model, q, qfrc, joints, lambda kind, at, x, _: _free(True)(kind, at, x))


def _free_acceleration(v, back):
    """What a free joint's acceleration becomes in MuJoCo at velocities v, or what MuJoCo's becomes here."""
    def change(kind, at, x, in_v):
        if kind != "floating":
            return x
        moved = v[..., in_v]
        turning = np.cross(moved[..., 3:], moved[..., :3])
        linear = _rotated(at[..., 3:], x[..., :3], True) - turning if back else _rotated(at[..., 3:], x[..., :3] + turning)
        return np.concatenate([linear, x[..., 3:]], axis=-1)
    return change


def accelerations_to_mujoco(model, q, v, a, joints=None):
    """qacc of accelerations a = dv/dt: of free joints the rate of the linear velocity in world axes, R (a + w x v)."""
    q, v, a = _checked("q", q, model.nq), _checked("v", v, model.nv), _checked("a", a, model.nv)

    return _each(model, q, a, joints, _free_acceleration(v, False))


def accelerations_from_mujoco(model, q, v, qacc, joints=None):
    """a of MuJoCo's qacc; q and v are kinetree's."""
    q, v, qacc = _checked("q", q, model.nq), _checked("v", v, model.nv), _checked("qacc", qacc, model.nv)

    return _each_back(model, q, qacc, joints, _free_acceleration(v, True))


def accelerations_to_pinocchio(model, q, v, a, joints=None):
    """Pinocchio's a: those of planar joints are rates of velocities in the child's axes."""
    q, v, a = _checked("q", q, model.nq), _checked("v", v, model.nv), _checked("a", a, model.nv)

    def change(kind, at, x, in_v):
        if kind != "planar":
            return x
        rate, moved = v[..., in_v][..., 2:3], v[..., in_v]
        x0, y0 = x[..., 0:1] + rate * moved[..., 1:2], x[..., 1:2] - rate * moved[..., 0:1]
        x0, y0 = _turned(-at[..., 2:3], x0, y0)
        return np.concatenate([x0, y0, x[..., 2:]], axis=-1)
    return _each(model, q, a, joints, change)


def accelerations_from_pinocchio(model, q, v, a, joints=None):
    """a of Pinocchio's; q and v are kinetree's."""
    q, v, a = _checked("q", q, model.nq), _checked("v", v, model.nv), _checked("a", a, model.nv)

    def change(kind, at, x, in_v):
        if kind != "planar":
            return x
        rate, moved = v[..., in_v][..., 2:3], v[..., in_v]
        x0, y0 = _turned(at[..., 2:3], x[..., 0:1], x[..., 1:2])
        return np.concatenate([x0 - rate * moved[..., 1:2], y0 + rate * moved[..., 0:1], x[..., 2:]], axis=-1)
    return _each_back(model, q, a, joints, change)


def forces_to_pinocchio(model, q, tau, joints=None):
    """Pinocchio's tau: forces of planar joints in the child's axes."""
    q, tau = _checked("q", q, model.nq), _checked("tau", tau, model.nv)
    return _each(model, q, tau, joints, lambda kind, at, x, _: _planar(-1)(kind, at, x))


def forces_from_pinocchio(model, q, tau, joints=None):
    """tau of Pinocchio's; q is kinetree's."""
    q, tau = _checked("q", q, model.nq), _checked("tau", tau, model.nv)
    return _each_back(model, q, tau, joints, lambda kind, at, x, _: _planar(1)(kind, at, x))


def _bodies(model, bodies):
    names = list(model.body_names)
    return np.arange(len(names)) if bodies is None else np.array([names.index(name) for name in bodies], int)


def _rotations(model, q):
    from . import poses
    return poses(model, np.ascontiguousarray(_checked("q", q, model.nq), float), list(model.body_names))[..., :3]


def f_ext_to_pinocchio(model, q, f_ext, bodies=None):
    """Forces on bodies (bodies, 6) as Pinocchio's f_ext has them: force, then moment, in each body's own axes.

    f_ext: (6 bodies,) or (batch, 6 bodies), as ForwardDynamics.solve has it. bodies: their names in the other order.
    Pinocchio's list begins with the universe: pin.Force(row[:3], row[3:]) for each row go behind a zero.
    """
    f = _checked("f_ext", f_ext, 6 * model.body_count).reshape(np.shape(f_ext)[:-1] + (model.body_count, 6))
    own = np.einsum("...bji,...bkj->...bki", _rotations(model, q), f.reshape(f.shape[:-1] + (2, 3)))
    return own[..., ::-1, :].reshape(f.shape)[..., _bodies(model, bodies), :]


def f_ext_from_pinocchio(model, q, forces, bodies=None):
    """f_ext of rows (bodies, 6) of force and moment in each body's own axes; q is kinetree's."""
    forces = _rows_of_bodies("forces", forces, model, bodies)
    own = np.zeros(forces.shape[:-2] + (model.body_count, 2, 3))
    own[..., _bodies(model, bodies), :, :] = forces.reshape(forces.shape[:-1] + (2, 3))[..., ::-1, :]
    world = np.einsum("...bij,...bkj->...bki", _rotations(model, q), own)
    return world.reshape(forces.shape[:-2] + (6 * model.body_count,))


def _arms(model, q):
    """From bodies' origins to their centres of mass, world axes."""
    from . import inertia_facts
    centres = np.array([inertia_facts(model, name).centre_of_mass for name in model.body_names])
    return np.einsum("...bij,bj->...bi", _rotations(model, q), centres)


def f_ext_to_mujoco(model, q, f_ext, bodies=None):
    """Forces on bodies (bodies, 6) as MuJoCo's xfrc_applied has them: force, then moment about the centre of mass, world
    axes. Its first row, the world's, is left out: data.xfrc_applied[1:] = ..."""
    f = _checked("f_ext", f_ext, 6 * model.body_count).reshape(np.shape(f_ext)[:-1] + (model.body_count, 6))
    moment = f[..., :3] - np.cross(_arms(model, q), f[..., 3:])
    return np.concatenate([f[..., 3:], moment], axis=-1)[..., _bodies(model, bodies), :]


def f_ext_from_mujoco(model, q, xfrc, bodies=None):
    """f_ext of rows (bodies, 6) of xfrc_applied without the world's; q is kinetree's."""
    xfrc = _rows_of_bodies("xfrc", xfrc, model, bodies)
    made = np.zeros(xfrc.shape[:-2] + (model.body_count, 6))
    made[..., _bodies(model, bodies), :] = xfrc
    moment = made[..., 3:] + np.cross(_arms(model, q), made[..., :3])
    return np.concatenate([moment, made[..., :3]], axis=-1).reshape(xfrc.shape[:-2] + (6 * model.body_count,))
