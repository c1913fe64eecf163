#include "engine/io/mjcf_equalities.hpp"

#include <string>

#include "engine/scalar/number_text.hpp"

namespace kinetree::inline inner {
namespace {

class Equalities {
 public:
  explicit Equalities(MjcfReading& r) : r_(r) {}

  void read() {
    int inactive = 0, taken = 0;
    const bool off = r_.compiled->opt.disableflags & (mjDSBL_EQUALITY | mjDSBL_CONSTRAINT);
    for (int e = 0; e < r_.compiled->neq; ++e) {
      if (off || !r_.compiled->eq_active[e])
        ++inactive;
      else
        equality(e), ++taken;
    }
    if (inactive > 0) r_.left_out("equality", inactive, "they are not active in the file");
    if (taken > 0)
      r_.say(Severity::notice, r_.xml.first("equality"), "<equality>",
             "holds exactly here (" + std::to_string(taken) +
                 "), where MuJoCo's are soft: solref and solimp are left out");
  }

 private:
  std::string equality_called(int e) const {
    const char* name = mj_id2name(r_.compiled, mjOBJ_EQUALITY, e);
    return name ? name : "equality_" + std::to_string(e);
  }

  void equality(int e) {
    const std::string name = equality_called(e);
    const int type = r_.compiled->eq_type[e], one = r_.compiled->eq_obj1id[e], two = r_.compiled->eq_obj2id[e];
    const mjtNum* data = r_.compiled->eq_data + mjNEQDATA * e;
    const auto line_of = [&](const char* tag) { return r_.xml.line(std::string("equality/") + tag, name); };
    if (type == mjEQ_CONNECT || type == mjEQ_WELD) {
      LoopDescription loop;
      loop.name = name;
      loop.first.body = r_.body_name[at(one)];
      loop.second.body = r_.body_name[at(two)];
      if (type == mjEQ_CONNECT) {  // data: the point in either body
        loop.type = "spherical";
        loop.first.frame.xyz = three(data);
        loop.second.frame.xyz = three(data + 3);
      } else {  // data: the point in the second body, and the second body's frame there in the first
        loop.type = "weld";
        loop.first.frame = placement(three(data + 3), data + 6);
        loop.second.frame.xyz = three(data);
      }
      loop.line = line_of(type == mjEQ_CONNECT ? "connect" : "weld");
      r_.reading.description.loops.push_back(std::move(loop));
    } else if (type == mjEQ_JOINT) {
      const int line = line_of("joint");
      couple(name, line, data, combination(one), two < 0 ? Combination{} : combination(two));
    } else if (type == mjEQ_TENDON) {
      const int line = line_of("tendon");
      for (const int t : {one, two})
        if (t >= 0 && r_.compiled->wrap_type[r_.compiled->tendon_adr[t]] != mjWRAP_JOINT)
          return r_.say(
              Severity::error, line, "equality " + in_quotes(name),
              "couples a spatial tendon, which is not linear in joint positions; take it out or make it inactive");
      couple(name, line, data, tendon(one), two < 0 ? Combination{} : tendon(two));
    } else {
      r_.say(Severity::error, 0, "equality " + in_quotes(name),
             "is of a type that has no counterpart here; known are connect, weld, joint and tendon");
    }
  }

  /// A linear combination of joint positions, and its value at qpos0.
  struct Combination {
    std::vector<CouplingDescription::Term> terms;
    double zero = 0;
  };
  Combination combination(int j) const {
    return {{{r_.joint_name[at(j)], 1}}, r_.compiled->qpos0[r_.compiled->jnt_qposadr[j]]};
  }
  Combination tendon(int t) const {
    Combination sum;
    for (int w = r_.compiled->tendon_adr[t]; w < r_.compiled->tendon_adr[t] + r_.compiled->tendon_num[t]; ++w) {
      const int j = r_.compiled->wrap_objid[w];
      sum.terms.push_back({r_.joint_name[at(j)], r_.compiled->wrap_prm[w]});
      sum.zero += r_.compiled->wrap_prm[w] * r_.compiled->qpos0[r_.compiled->jnt_qposadr[j]];
    }
    return sum;
  }

  /// MuJoCo's y - y0 = c0 + c1 (x - x0), as y - c1 x = c0 + y0 - c1 x0.
  void couple(const std::string& name, int line, const mjtNum* c, const Combination& y, const Combination& x) {
    if (!x.terms.empty() && (c[2] != 0 || c[3] != 0 || c[4] != 0)) {
      std::string text;
      for (int k = 0; k < 5; ++k) text += (k ? " " : "") + number_text(c[k], 6);
      return r_.say(Severity::error, line, "equality " + in_quotes(name),
                    "its polycoef " + in_quotes(text) +
                        " is not linear, which couplings are; set the last three to 0 or make it inactive");
    }
    CouplingDescription coupling{name, y.terms, c[0] + y.zero, line};
    const auto add = [&](const CouplingDescription::Term& term) {  // a joint may be in both tendons
      for (auto& other : coupling.terms)
        if (other.joint == term.joint) return void(other.coefficient -= c[1] * term.coefficient);
      coupling.terms.push_back({term.joint, -c[1] * term.coefficient});
    };
    if (!x.terms.empty() && c[1] != 0) {
      for (const auto& term : x.terms) add(term);
      coupling.offset -= c[1] * x.zero;
    }
    r_.reading.description.couplings.push_back(std::move(coupling));
  }

  MjcfReading& r_;
};

}  // namespace

void read_equalities(MjcfReading& r) { Equalities(r).read(); }

}  // namespace kinetree::inline inner
