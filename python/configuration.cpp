// The functions outside the table: points on links, the configuration space, forces.

#include <pybind11/numpy.h>
#include <pybind11/stl.h>

#include <kinetree/configuration.hpp>
#include <kinetree/forces.hpp>

#include "python/arrays.hpp"
#include "python/bindings.hpp"
#include "python/errors.hpp"
#include "python/joint_forces.hpp"
#include "python/models.hpp"
#include "python/points.hpp"
#include "python/words.hpp"

namespace kinetree::python {
namespace {

LinkPoint point_from(py::handle given, const Model& model) {
  py::handle link = given;
  std::array<double, 3> offset{};
  if (PyTuple_Check(given.ptr()) && PyTuple_GET_SIZE(given.ptr()) == 2) {
    link = PyTuple_GET_ITEM(given.ptr(), 0);
    try {
      offset = py::cast<std::array<double, 3>>(py::handle(PyTuple_GET_ITEM(given.ptr(), 1)));
    } catch (const py::cast_error&) {
      raise_value("points", "an offset of 3 numbers", py::repr(PyTuple_GET_ITEM(given.ptr(), 1)));
    }
  }
  if (PyUnicode_Check(link.ptr())) return {frame_index(model, py::cast<std::string>(link)), offset};
  if (PyLong_Check(link.ptr()) && !PyBool_Check(link.ptr())) return {py::cast<int>(link), offset};
  raise_type("points", "names or indices of links, or pairs of such and an offset", py::repr(given));
}

/// A function of q and one more argument, with a result: integrate, difference, interpolate.
template <class Call>
py::object of_two(const ModelObject& m, const char* const (&names)[2], py::handle first, py::handle second,
                  py::ssize_t second_rows, py::ssize_t result_rows, py::handle out, Call&& call) {
  const Model& model = m.model();
  Array array = Array::of(names[0], first, "an array of shape (nq,) or (batch, nq)");
  const States states = states_of(names[0], array, model.nq());
  return in_scalar(states, [&](auto scalar) {
    using T = decltype(scalar);
    const Input<T> x(names[0], std::move(array), states, model.nq()), y(names[1], second, states, second_rows);
    Output<T> result("out", out, states, {{result_rows}, {0}});
    Status status;
    {
      Guard guard;
      const Released released(guard, "");
      status = call(model, x.columns(), y.columns(), result.columns());
    }
    raise_bad(status, states.one, model);
    return result.finish();
  });
}

py::object random_state(const ModelObject& m, std::uint64_t seed, const std::optional<py::ssize_t>& batch) {
  if (batch && *batch < 0) raise_value("batch", "a number of states", std::to_string(*batch));
  const States states{!batch, batch.value_or(1), true};
  Output<double> q("q", py::none(), states, {{m.model().nq()}, {0}}),
      v("v", py::none(), states, {{m.model().nv()}, {0}});
  const Status status = boundary::random_state(m.model(), seed, q.columns(), v.columns());
  raise_bad(status, states.one, m.model());
  return py::make_tuple(q.finish(), v.finish());
}

py::object add_passive_forces(const ModelObject& m, py::handle q, py::handle v, py::handle tau, double slow) {
  return add_to_joint_forces(m.model(), q, v, tau,
                             [&](const States&, const auto& at, const auto& rate, const auto& sum) {
                               return boundary::add_passive_forces(m.model(), at, rate, sum, slow);
                             });
}

/// Forces of shape (points, 6) with all numbers of a state in one row.
Array flat(py::handle forces, const States& states, py::ssize_t points) {
  const std::string expected = shape_text(states.expected({points, 6}));
  Array array = Array::of("forces", forces, "an array of shape " + expected);
  if (array.sizes() != states.expected({points, 6})) raise_shape("forces", expected, array.sizes());
  const Sizes row = states.expected({6 * points});
  return Array::of("forces", array.object().attr("reshape")(py::cast(row)), expected);
}

/// The same at points whose poses (points, 3, 4) are known.
py::object add_at_poses(const Model& model, py::handle poses, const std::vector<LinkPoint>& points, py::handle forces,
                        py::handle f_ext) {
  const auto count = static_cast<py::ssize_t>(points.size());
  const std::string expected = "(" + std::to_string(count) + ", 3, 4), or a batch of it";
  const Array given = Array::of("poses", poses, "an array of shape " + expected);
  const int axes = given.dimensions();
  if (!given.is_double() && !given.is_float()) raise_dtype("poses", "float64 or float32", given.dtype());
  if (axes < 3 || axes > 4 || given.size(axes - 3) != count || given.size(axes - 2) != 3 || given.size(axes - 1) != 4)
    raise_shape("poses", expected, given.sizes());
  const States states{axes == 3, axes == 3 ? 1 : given.size(0), given.is_double()};
  // columns are those of [R p], one after another
  const py::object columns =
      given.object().attr("swapaxes")(-1, -2).attr("reshape")(py::cast(states.expected({12 * count})));
  return in_scalar(states, [&](auto scalar) {
    using T = decltype(scalar);
    const Input<T> at("poses", columns, states, 12 * count);
    const Input<T> f_in("forces", flat(forces, states, count), states, 6 * count);
    Output<T> sum("f_ext", f_ext, states, {{py::ssize_t{6} * model.body_count()}, {0}});
    f_ext.is_none() ? sum.clear() : sum.read();
    raise_bad(boundary::add_forces(model, points, at.columns(), f_in.columns(), sum.columns()), states.one, model);
    return sum.finish();
  });
}

py::object add_forces(ModelObject& m, py::handle q, py::handle points, py::handle forces, const std::string& axes,
                      py::handle f_ext, py::handle poses) {
  const Model& model = m.model();
  if (!poses.is_none()) {
    if (!q.is_none() || axes != "world_aligned") raise_value("poses", "them without q, in world_aligned axes", "both");
    return add_at_poses(model, poses, ListedPoints(points.ptr(), model).list(), forces, f_ext);
  }
  const ListedPoints listed(points.ptr(), model);
  const auto chosen = value_of_word<Axes>(axes);
  if (!chosen) raise_value("axes", "one of " + list_of<Axes>(), axes);
  Array first = Array::of("q", q, "an array of shape (nq,) or (batch, nq)");
  const States states = states_of("q", first, model.nq());
  const auto count = static_cast<py::ssize_t>(listed.list().size());
  return in_scalar(states, [&](auto scalar) {
    using T = decltype(scalar);
    const Input<T> q_in("q", std::move(first), states, model.nq());
    const Input<T> f_in("forces", flat(forces, states, count), states, 6 * count);
    Output<T> sum("f_ext", f_ext, states, {{py::ssize_t{6} * model.body_count()}, {0}});
    f_ext.is_none() ? sum.clear() : sum.read();
    std::unique_ptr<Workspace> workspace = m.take();
    const Status status =
        boundary::add_forces(model, *workspace, q_in.columns(), listed.list(), *chosen, f_in.columns(), sum.columns());
    m.give_back(std::move(workspace));
    raise_bad(status, states.one, model);
    return sum.finish();
  });
}

}  // namespace

std::vector<LinkPoint> points_from(py::handle given, const Model& model) {
  std::vector<LinkPoint> points;
  if (!PyList_Check(given.ptr())) return {point_from(given, model)};
  for (const py::handle one : given) points.push_back(point_from(one, model));
  return points;
}

ListedPoints::ListedPoints(PyObject* given, const Model& model) {
  if (given == nullptr) return;
  if (!py::isinstance<PointsObject>(given)) {
    own_ = points_from(given, model);
    return;
  }
  object_ = &py::cast<const PointsObject&>(given);
  if (&object_->model.data() != &model.data()) raise_value("points", "points of this model", "those of another one");
}

void bind_configuration(py::module_& module) {
  using M = const ModelObject&;
  py::class_<PointsObject>(module, "Points", "Points on links, looked up once: Points(model, points).")
      .def(py::init([](M m, const py::object& points) {
             return PointsObject{m.model(), points_from(points, m.model())};
           }),
           py::arg("model"), py::arg("points"))
      .def("__len__", [](const PointsObject& p) { return p.points.size(); })
      .def("__repr__", [](const PointsObject& p) {
        std::string text = "<kinetree.Points";
        for (const LinkPoint& one : p.points) text += " " + std::string(p.model.frame_name(one.link));
        return text + ">";
      });

  const auto out = py::arg("out") = py::none();
  module.def(
      "neutral",
      [](M m) {
        const std::vector<double> q = boundary::neutral(m.model());
        return py::array_t<double>(static_cast<py::ssize_t>(q.size()), q.data());
      },
      py::arg("model"), "The neutral configuration, (nq,): joints at zero, loops and couplings closed.");
  module.def("random_state", &random_state, py::arg("model"), py::arg("seed") = 0, py::arg("batch") = py::none(),
             "Random q (nq,) or (batch, nq) and v, equal on every machine for a seed; within limits, loops closed.");
  module.def(
      "random_configuration",
      [](const ModelObject& m, std::uint64_t seed) {
        return py::object(py::cast<py::tuple>(random_state(m, seed, std::nullopt))[0]);
      },
      py::arg("model"), py::arg("seed") = 0, "The q (nq,) of random_state.");
  module.def(
      "integrate",
      [](M m, py::handle q, py::handle x, py::handle o) {
        return of_two(m, {"q", "x"}, q, x, m.model().nv(), m.model().nq(), o,
                      [](auto&... all) { return boundary::integrate(all...); });
      },
      py::arg("model"), py::arg("q"), py::arg("x"), out,
      "The configuration that a motion x, velocity times time (nv), reaches from q.");
  module.def(
      "difference",
      [](M m, py::handle from, py::handle to, py::handle o) {
        return of_two(m, {"start", "end"}, from, to, m.model().nq(), m.model().nv(), o,
                      [](auto&... all) { return boundary::difference(all...); });
      },
      py::arg("model"), py::arg("start"), py::arg("end"), out,
      "The x (nv) that integrate takes from one configuration to another.");
  module.def(
      "interpolate",
      [](M m, py::handle from, py::handle to, double part, py::handle o) {
        return of_two(
            m, {"start", "end"}, from, to, m.model().nq(), m.model().nq(), o,
            [&](auto& model, auto& a, auto& b, auto& r) { return boundary::interpolate(model, a, b, part, r); });
      },
      py::arg("model"), py::arg("start"), py::arg("end"), py::arg("part"), out,
      "The configurations on the way from one to another: part 0 is the start, 1 the end.");
  module.def(
      "normalize",
      [](M m, py::handle q) {
        Array first = Array::of("q", q, "an array of shape (nq,) or (batch, nq)");
        const States states = states_of("q", first, m.model().nq());
        return in_scalar(states, [&](auto scalar) {
          Output<decltype(scalar)> made("q", q, states, {{m.model().nq()}, {0}});
          made.read();
          raise_bad(boundary::normalize(m.model(), made.columns()), states.one, m.model());
          return made.finish();
        });
      },
      py::arg("model"), py::arg("q"), "Brings quaternions of any length to unit length, in place.");
  module.def(
      "add_passive_forces", &add_passive_forces, py::arg("model"), py::arg("q"), py::arg("v"), py::arg("tau"),
      py::arg("slow") = 0.0,
      "Adds damping, friction and springs of the model's joints to tau, in place; slow (rad/s, m/s): the law has\n"
      "tanh(v / slow) for sign(v).");
  module.def(
      "add_forces", &add_forces, py::arg("model"), py::arg("q"), py::arg("points"), py::arg("forces"),
      py::arg("axes") = "world_aligned", py::arg("f_ext") = py::none(), py::arg("poses") = py::none(),
      "Adds forces (points, 6), moment (Nm), then force (N), at points of links to f_ext (6 bodies,), in place;\n"
      "without f_ext to zeros. poses: of the points, where they are known (`poses`, `point_kinematics`); q is None "
      "then.");
}

}  // namespace kinetree::python
