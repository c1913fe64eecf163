#include <algorithm>
#include <cmath>
#include <kinetree/varying.hpp>
#include <limits>
#include <stdexcept>

#include "engine/model/appearance.hpp"
#include "engine/model/loops.hpp"
#include "engine/model/model_data.hpp"
#include "engine/model/placement.hpp"
#include "engine/model/rigid_body_check.hpp"
#include "engine/scalar/index.hpp"
#include "engine/scalar/number_text.hpp"
#include "library/kept_parameters.hpp"
#include "library/varying_data.hpp"

namespace kinetree {
namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();

[[noreturn]] void refuse(const std::string& why) { throw std::invalid_argument("varying: " + why); }

constexpr const char* word(Parameter what) {
  constexpr const char* words[]{"inertia", "armature", "damping", "friction", "stiffness", "gravity"};
  return words[static_cast<std::size_t>(what)];
}
constexpr const char* entry_words[inertia_numbers]{"mass",       "first moment x", "first moment y", "first moment z",
                                                   "inertia xx", "inertia yy",     "inertia zz",     "inertia xy",
                                                   "inertia xz", "inertia yz"};
/// As statuses call it.
constexpr const char* status_word(int entry) { return entry == 0 ? "mass" : entry < 4 ? "first moment" : "inertia"; }

RigidInertia<double> of_rows(const double* rows) {
  RigidInertia<double> a;
  for (int k = 0; k < inertia_numbers; ++k) number_of_inertia(a, k) = rows[k];
  return a;
}

bool is_own_link(const ModelData& m, int frame) {
  const int body = m.frames[at(frame)].body;
  return m.body_frame[at(body)] == frame;
}

/// Numbers of a transform that are zero or one but for rounding, so that rows which play no part in a number are left
/// out of its sum.
Transform<double> rounded(Transform<double> X) {
  for (double* e = &X.E.xx; e != &X.E.xx + 9; ++e)
    if (const double whole = std::round(*e); std::abs(*e - whole) < 1e-15) *e = whole;
  const double length = std::sqrt(dot(X.r, X.r));
  for (double* x : {&X.r.x, &X.r.y, &X.r.z})
    if (std::abs(*x) < 1e-15 * length) *x = 0;
  return X;
}

void check_rigid(const RigidInertia<double>& a) {
  std::string fault;
  if (!(a.mass >= 0)) {
    fault = "mass " + number_text(a.mass) + ", which must be >= 0";
  } else if (const InertiaVerdict verdict = check_inertia(a); verdict.severity == Severity::error) {
    fault = verdict.message;
  }
  if (!fault.empty()) throw std::invalid_argument("inertia of a link: " + fault);
}

bool same(const Transform<double>& a, const Transform<double>& b) {
  return std::equal(&a.E.xx, &a.E.xx + 9, &b.E.xx) && std::equal(&a.r.x, &a.r.x + 3, &b.r.x);
}
bool same(RigidInertia<double> a, RigidInertia<double> b) {
  for (int k = 0; k < inertia_numbers; ++k)
    if (number_of_inertia(a, k) != number_of_inertia(b, k)) return false;
  return true;
}

/// Where another model differs in what does not vary: a clause; empty: nowhere.
std::string difference(const Varying::Data& d, const Model& other) {
  const ModelData &m = d.model.data(), &o = other.data();
  if (m.parent != o.parent || m.joint_type != o.joint_type || m.frames.size() != o.frames.size() ||
      m.body_frame != o.body_frame || m.loops.size() != o.loops.size() || m.couplings.size() != o.couplings.size())
    return "has other joints, links or loops";
  for (std::size_t f = 0; f < m.frames.size(); ++f)
    if (m.frames[f].name != o.frames[f].name || m.frames[f].body != o.frames[f].body ||
        !same(m.frames[f].X_frame_body, o.frames[f].X_frame_body))
      return "has link \"" + o.frames[f].name + "\" elsewhere";
  const auto varies = [&d](Parameter what, int index) {
    return std::ranges::any_of(d.entries, [&](const auto& e) { return e.what == what && e.index == index; });
  };
  for (int i = 0; i < d.model.body_count(); ++i) {
    if (!same(m.link[at(i)].X_tree, o.link[at(i)].X_tree)) return "has joint \"" + o.joint_name[at(i)] + "\" elsewhere";
    if (!varies(Parameter::inertia, m.body_frame[at(i)]) && !same(m.link[at(i)].I, o.link[at(i)].I))
      return "has another inertia of link \"" + std::string(other.body_name(i)) + "\", which does not vary";
    for (int v = m.v_index[at(i)]; v < m.v_index[at(i + 1)]; ++v)
      if (m.armature[at(v)] != o.armature[at(v)] && !varies(Parameter::armature, i))
        return "has another armature of joint \"" + o.joint_name[at(i)] + "\", which does not vary";
  }
  return m.gravity != o.gravity && !varies(Parameter::gravity, -1) ? "has another gravity, which does not vary" : "";
}

/// Appends the rows of one link, joint or gravity.
class Addition {
 public:
  Addition(Varying::Data& d, Parameter what) : d_(d), m_(d.model.data()), what_(what) {}

  void link(int frame) {
    if (!begin(frame)) return;
    const int body = m_.frames[at(frame)].body;
    const bool own = is_own_link(m_, frame);
    RigidInertia<double> nominal;
    if (own) nominal = congruence(inverse(rounded(m_.frames[at(frame)].X_frame_body)), m_.link[at(body)].I);
    for (int k = 0; k < inertia_numbers; ++k) row(status_word(k), body, -infinite, number_of_inertia(nominal, k));
  }
  void joint(int body) {
    if (!begin(body)) return;
    std::vector<int>& row_of = d_.row_of[at(static_cast<int>(what_))];
    row_of.resize(at(m_.v_index.back()), -1);
    const Model& model = d_.model;
    for (int v = m_.v_index[at(body)]; v < m_.v_index[at(body + 1)]; ++v) {
      row_of[at(v)] = static_cast<int>(d_.rows.size());
      const double nominal = what_ == Parameter::armature   ? m_.armature[at(v)]
                             : what_ == Parameter::damping  ? model.damping()[at(v)]
                             : what_ == Parameter::friction ? model.friction()[at(v)]
                                                            : model.stiffness()[at(v)];
      row(word(what_), body, 0, nominal);
    }
  }
  void gravity() {
    if (!begin(-1)) return;
    for (const double g : m_.gravity) row("gravity", -1, -infinite, g);
  }

 private:
  bool begin(int index) {
    for (const Varying::Data::Entry& e : d_.entries)
      if (e.what == what_ && e.index == index) return false;
    d_.entries.push_back({what_, index, static_cast<int>(d_.rows.size())});
    return true;
  }
  void row(const char* name, int body, double least, double nominal) {
    d_.rows.push_back({name, body, least, infinite, what_ == Parameter::inertia});
    d_.nominal.push_back(nominal);
  }

  Varying::Data& d_;
  const ModelData& m_;
  Parameter what_;
};

/// The index that an Entry has of a name.
int index_named(const Model& model, Parameter what, std::string_view of) {
  if (what == Parameter::gravity) {
    if (!of.empty()) refuse("gravity is the model's; leave out \"" + std::string(of) + "\"");
    return -1;
  }
  if (what != Parameter::inertia) return model.body_of_joint(of);
  const int frame = frame_named(model.data(), of);
  if (model.data().frames[at(frame)].body < 0)
    refuse("link \"" + std::string(of) + "\" is fixed to the ground, and its inertia plays no part; leave it out");
  return frame;
}

}  // namespace

Varying::Varying(Model model) : data_(std::make_shared<const Data>(Data{std::move(model)})) {}

Varying& Varying::add(Parameter what, std::string_view of) {
  auto changed = std::make_shared<Data>(*data_);
  Addition addition(*changed, what);
  const Model& m = changed->model;
  if (what == Parameter::gravity) {
    static_cast<void>(index_named(m, what, of));
    addition.gravity();
  } else {
    for (int body = 0; of.empty() && body < m.body_count(); ++body)
      what == Parameter::inertia ? addition.link(m.data().body_frame[at(body)]) : addition.joint(body);
    if (!of.empty())
      what == Parameter::inertia ? addition.link(index_named(m, what, of)) : addition.joint(index_named(m, what, of));
  }
  data_ = std::move(changed);
  return *this;
}

Varying& Varying::bound(int row, double least, double most) {
  if (row < 0 || row >= rows())
    refuse("there is no row " + std::to_string(row) + "; rows are numbered 0 to " + std::to_string(rows() - 1));
  const double own = data_->nominal[at(row)];
  if (!(least <= own && own <= most))
    refuse("bounds " + number_text(least) + " and " + number_text(most) + " leave out the model's own " +
           row_name(row) + ", " + number_text(own) + "; give a least and a most around it");
  auto changed = std::make_shared<Data>(*data_);
  changed->rows[at(row)].least = least, changed->rows[at(row)].most = most;
  data_ = std::move(changed);
  return *this;
}

int Varying::rows() const { return static_cast<int>(data_->rows.size()); }

int Varying::row(Parameter what, std::string_view of) const {
  if (of.empty() && what != Parameter::gravity)
    refuse(std::string(word(what)) + " stands in rows of each " + (what == Parameter::inertia ? "link" : "joint") +
           "; name one");
  const int index = index_named(model(), what, of);
  for (const Data::Entry& e : data_->entries)
    if (e.what == what && e.index == index) return e.row;
  refuse(std::string(word(what)) + (of.empty() ? "" : " of \"" + std::string(of) + "\"") +
         " does not vary; add it first");
}

std::string Varying::row_name(int row) const {
  const Data::Entry* of = nullptr;
  for (const Data::Entry& e : data_->entries)
    if (e.row <= row) of = &e;
  if (of == nullptr || row >= rows()) refuse("there is no row " + std::to_string(row));
  const int k = row - of->row;
  const std::string number = " " + std::to_string(k + 1);
  if (of->what == Parameter::inertia)
    return std::string(entry_words[k]) + " of link \"" + std::string(model().frame_name(of->index)) + "\"";
  if (of->what == Parameter::gravity) return std::string("gravity ") + "xyz"[k];
  return word(of->what) + std::string(velocity_count(model().joint_type(of->index)) > 1 ? number : "") +
         " of joint \"" + std::string(model().joint_name(of->index)) + "\"";
}

std::span<const double> Varying::nominal_numbers() const { return data_->nominal; }
std::vector<double> Varying::column_of(const Model& other, std::ptrdiff_t place) const {
  if (const std::string why = difference(*data_, other); !why.empty())
    refuse("model \"" + other.name() + "\"" +
           (place < 0 ? " " : ", number " + std::to_string(place) + " of the list, ") + why +
           "; give one of the structure of \"" + model().name() + "\"");
  Data own{other};
  for (const Data::Entry& e : data_->entries) {
    Addition addition(own, e.what);
    e.what == Parameter::inertia   ? addition.link(e.index)
    : e.what == Parameter::gravity ? addition.gravity()
                                   : addition.joint(e.index);
  }
  return own.nominal;
}
const Model& Varying::model() const { return data_->model; }

namespace {

/// A copy without gaps.
template <class T>
Columns<const T> copied(const Columns<const T>& from, std::vector<T>& to) {
  to.resize(static_cast<std::size_t>(from.rows * from.columns));
  for (std::ptrdiff_t k = 0; k < from.columns; ++k)
    std::copy_n(from.data + k * from.stride, from.rows, to.data() + k * from.rows);
  return {to.data(), from.rows, from.columns, from.rows};
}

}  // namespace

KeptParameters::KeptParameters(std::unique_ptr<Data> data) : data_(std::move(data)) {}
KeptParameters::KeptParameters(const Columns<const double>& parameters) : data_(std::make_unique<Data>()) {
  data_->in_double = copied(parameters, data_->copy_in_double);
}
KeptParameters::KeptParameters(const Columns<const float>& parameters) : data_(std::make_unique<Data>()) {
  data_->in_float = copied(parameters, data_->copy_in_float);
}
KeptParameters::~KeptParameters() = default;
KeptParameters::KeptParameters(KeptParameters&&) noexcept = default;
KeptParameters& KeptParameters::operator=(KeptParameters&&) noexcept = default;

std::array<double, 10> inertia_rows(const LinkInertia& given) {
  RigidInertia<double> a = rigid_inertia({given.mass, {.xyz = given.centre_of_mass}, given.inertia});
  check_rigid(a);
  std::array<double, 10> rows{};
  for (int k = 0; k < inertia_numbers; ++k) rows[at(k)] = number_of_inertia(a, k);
  return rows;
}

LinkInertia link_inertia(const std::array<double, 10>& rows) {
  const RigidInertia<double> a = of_rows(rows.data());
  check_rigid(a);
  const Symmetric3<double> I = about_com(a);
  LinkInertia result{a.mass, {}, {I.xx, I.yy, I.zz, I.xy, I.xz, I.yz}};
  if (a.mass > 0) result.centre_of_mass = {a.h.x / a.mass, a.h.y / a.mass, a.h.z / a.mass};
  return result;
}

inline namespace inner {
namespace {

/// Lists what kernels read, number by number.
class Forms {
 public:
  explicit Forms(const Varying::Data& d) : d_(d), m_(d.model.data()), own_(std::make_shared<OwnNumbers>()) {}

  std::shared_ptr<const OwnNumbers> run() {
    own_->rows = d_.rows;
    links_.resize(at(d_.model.body_count()));
    for (const Varying::Data::Entry& e : d_.entries)
      if (e.what == Parameter::inertia) links_[at(m_.frames[at(e.index)].body)].push_back(&e);
    for (int body = 0; body < d_.model.body_count(); ++body) inertia(body);
    for (const Varying::Data::Entry& e : d_.entries) {
      if (e.what == Parameter::armature)
        for (int v = m_.v_index[at(e.index)]; v < m_.v_index[at(e.index + 1)]; ++v)
          alone(OwnNumbers::Kind::rotor, v, e.row + v - m_.v_index[at(e.index)], 1);
      for (int axis = 0; e.what == Parameter::gravity && axis < 3; ++axis)
        alone(OwnNumbers::Kind::gravity, axis, e.row + axis, -1);  // the ground accelerates upwards
    }
    own_->set_nominal(d_.nominal);
    return own_;
  }

 private:
  /// The numbers of a body of which a link varies.
  void inertia(int body) {
    const std::vector<const Varying::Data::Entry*>& links = links_[at(body)];
    if (links.empty()) return;
    RigidInertia<double> rest;
    if (std::ranges::none_of(links, [this](const auto* e) { return is_own_link(m_, e->index); }))
      rest = m_.link[at(body)].I;
    for (int k = 0; k < inertia_numbers; ++k) {
      for (const Varying::Data::Entry* e : links) terms(*e, k);
      own_->numbers.push_back({OwnNumbers::Kind::inertia, body, k, number_of_inertia(rest, k), last()});
    }
    OwnNumbers::Body b{body};
    if (links.size() == 1 && is_own_link(m_, links.front()->index))
      b.by_screw = find_screw(rounded(m_.frames[at(links.front()->index)].X_frame_body), links.front()->row, b);
    own_->bodies.push_back(b);
  }
  /// Whether X is a screw about z and then an exchange of axes, which the third column shows, since the screw keeps z.
  static bool find_screw(const Transform<double>& X, int row, OwnNumbers::Body& b) {
    const std::array<std::array<double, 3>, 3> E{
        {{X.E.xx, X.E.xy, X.E.xz}, {X.E.yx, X.E.yy, X.E.yz}, {X.E.zx, X.E.zy, X.E.zz}}};
    std::size_t z = 0;
    while (z < 2 && E[z][2] == 0) ++z;
    const double sign = E[z][2];
    if (std::abs(sign) != 1 || X.r.x != 0 || X.r.y != 0) return false;
    b.axis = static_cast<int>(z), b.against = sign < 0, b.row = row;
    const std::size_t x = (z + 1) % 3;
    b.screw = {E[x][0], E[x][1], X.r.z};
    return true;
  }
  /// What a link's rows give to number k of its body.
  void terms(const Varying::Data::Entry& e, int k) {
    const Transform<double> X = rounded(m_.frames[at(e.index)].X_frame_body);
    for (int r = 0; r < inertia_numbers; ++r) {
      RigidInertia<double> unit;
      number_of_inertia(unit, r) = 1;
      RigidInertia<double> moved = congruence(X, unit);
      if (const double factor = number_of_inertia(moved, k); factor != 0) own_->terms.push_back({e.row + r, factor});
    }
  }
  void alone(OwnNumbers::Kind kind, int index, int row, double factor) {
    own_->terms.push_back({row, factor});
    own_->numbers.push_back({kind, index, 0, 0, last()});
  }
  int last() const { return static_cast<int>(own_->terms.size()); }

  const Varying::Data& d_;
  const ModelData& m_;
  std::shared_ptr<OwnNumbers> own_;
  std::vector<std::vector<const Varying::Data::Entry*>> links_;  ///< over bodies: those that vary
};

}  // namespace

Declared declared(const Varying& varying) {
  const Varying::Data& d = varying.data();
  auto m = std::make_shared<ModelData>(d.model.data());
  m->may_split.assign(m->may_split.size(), false);  // numbers are written to whole bodies
  for (const Varying::Data::Entry& e : d.entries) {
    if (e.what == Parameter::inertia) {
      const int body = m->frames[at(e.index)].body;
      m->allows_cuts[at(body)] = false;
      m->may_cut[at(body)] = false;
      for (const int child : m->children_of(body)) m->may_cut[at(child)] = false;
    } else if (e.what == Parameter::armature) {
      m->may_cut[at(e.index)] = false;
      for (int v = m->v_index[at(e.index)]; v < m->v_index[at(e.index + 1)]; ++v)
        if (m->armature[at(v)] == 0) m->armature[at(v)] = 1;  // stands for any: columns have their own
    }
  }
  std::call_once(d.found.once, [&d] { d.found.own = Forms(d).run(); });
  return {Model(std::move(m)), d.found.own};
}

template <class T>
void write_numbers(const OwnNumbers& own, const T* numbers, ModelData& model) {
  for (std::size_t b = 0; b < own.bodies.size(); ++b) model.link[at(own.bodies[b].body)].I = own.inertia(b, numbers);
  for (std::size_t n = inertia_numbers * own.bodies.size(); n < own.numbers.size(); ++n) {
    const OwnNumbers::Number& number = own.numbers[n];
    const double row = static_cast<double>(numbers[own.terms[at(number.last_term - 1)].row]);  // its only one
    (number.kind == OwnNumbers::Kind::rotor ? model.armature[at(number.index)] : model.gravity[at(number.index)]) = row;
  }
}
template void write_numbers(const OwnNumbers&, const double*, ModelData&);
template void write_numbers(const OwnNumbers&, const float*, ModelData&);

}  // namespace inner

}  // namespace kinetree
