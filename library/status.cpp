#include <algorithm>
#include <initializer_list>
#include <kinetree/model.hpp>
#include <kinetree/status.hpp>
#include <string_view>

#include "engine/model/idle_directions.hpp"
#include "engine/model/loops.hpp"
#include "engine/model/model_data.hpp"
#include "engine/scalar/index.hpp"
#include "engine/scalar/number_text.hpp"

namespace kinetree {

namespace {

/// The aggregate a body stands in.
const Aggregate& aggregate_around(const Model& model, int body) {
  return model.data().aggregates[at(model.data().aggregate_of[at(body)])];
}

/// The numbers of freedoms of its branches: `1 freedom`, `1 or 2 freedoms`.
std::string freedoms_of(const Aggregate& a) {
  std::string text;
  for (const RegularRank& r : a.ranks) text += (text.empty() ? "" : " or ") + std::to_string(a.velocities - r.rank);
  return text == "1" ? count_of(1, "freedom") : text + " freedoms";
}

/// Names in quotes behind their kind, in the singular or the plural: `loops "a", "b"`.
template <class List>
std::string named(const char* kind, const std::vector<int>& which, const List& list) {
  std::string names;
  for (const int k : which) names += (names.empty() ? " \"" : ", \"") + list[at(k)].name + "\"";
  return kind + (which.size() == 1 ? names : "s" + names);
}

/// The loops and couplings of the aggregate a body stands in.
std::string constraints_around(const Model& model, int body) {
  const Aggregate& a = aggregate_around(model, body);
  std::string names;
  if (!a.loops.empty()) names += named("loop", a.loops, model.data().loops);
  if (!a.couplings.empty())
    names += (names.empty() ? "" : ", ") + named("coupling", a.couplings, model.data().couplings);
  return names;
}

/// What is wrong with them. One constraint is named first; several, which may be many, are listed after the reason.
std::string of_constraints(const Model& model, int body, const std::string& reason) {
  const Aggregate& a = aggregate_around(model, body);
  const std::string names = constraints_around(model, body);
  return a.loops.size() + a.couplings.size() == 1 ? names + ": " + reason : reason + " (" + names + ")";
}

bool is_one_of(std::string_view word, std::initializer_list<std::string_view> words) {
  return std::ranges::find(words, word) != words.end();
}

/// Whether nothing but loops or couplings makes some motion of a joint move inertia.
bool is_idle_untied(const Model& model, int body) {
  if (body < 0 || aggregate_of(model.data(), body) < 0) return false;
  const std::vector<IdleDirection> idle = idle_directions(model.data(), true);
  return std::ranges::any_of(idle, [&](const IdleDirection& found) { return found.body == body; });
}

/// In brackets: the sizes of the arguments that most calls have.
std::string sizes_of_states(const Model& model) {
  return " (q takes " + std::to_string(model.nq()) + " rows, v, tau and a " + std::to_string(model.nv()) + ", f_ext " +
         std::to_string(6 * model.body_count()) + "; each takes a column per state)";
}

/// What is wrong, whichever the column.
std::string reason(const Status& s, const Model& model) {
  const auto& [code, column, body, value, argument, expected, columns] = s;
  const auto number = [](double x) { return number_text(x, 6); };
  const std::string joint = body >= 0 ? "joint \"" + std::string(model.joint_name(body)) + "\"" : "";
  const std::string the_body = body >= 0 ? "body \"" + std::string(model.body_name(body)) + "\" on " + joint : "";
  switch (code) {
    case StatusCode::ok:
      return "ok";
    case StatusCode::wrong_size:
      return std::string(argument) + " has " +
             count_of(static_cast<std::ptrdiff_t>(value), columns ? "column" : "row") + "; " +
             std::to_string(expected) + (expected == 1 ? " is" : " are") + " expected" +
             (is_one_of(argument, {"q", "v", "tau", "a", "f_ext"}) ? sizes_of_states(model) : "");
    case StatusCode::not_positive:
      if (is_one_of(argument, {"length"}))
        return "the two points of force " + std::to_string(expected) +
               " (the first is 0) coincide, so that it has no direction; keep them apart";
      return std::string(argument) + " is " + number(value) +
             (is_one_of(argument, {"steps"}) ? "; give a whole number above 0" : "; give a finite number above 0");
    case StatusCode::not_finite:
      if (*argument == '\0')
        return "the result is not finite though the state is: numbers too large for this precision";
      return argument +
             (body < 0 ? ""
                       : std::string(" of ") +
                             (is_one_of(argument, {"f_ext", "mass", "first moment", "inertia"}) ? the_body : joint)) +
             " is " + number(value) + (body < 0 ? "; give a finite number" : "; give finite numbers");
    case StatusCode::not_normalized:
      if (value == 0) return joint + ": the quaternion is zero, which is no rotation; give one of norm 1";
      return joint + ": the quaternion's norm is " + number(value) + "; normalize it within 1e-6 (1e-4 in float)";
    case StatusCode::singular_loop: {
      const Aggregate& a = aggregate_around(model, body);
      const std::string freedoms = freedoms_of(a);
      if (!(value > 1e-4))
        return of_constraints(model, body,
                              "the constraints lose rank in this configuration (smallest pivot " + number(value) +
                                  " of the largest" +
                                  (a.branches() ? "; regular are " + freedoms + ", on different branches" : "") +
                                  "), so more than one motion is possible and accelerations are not determined");
      return of_constraints(
          model, body,
          "in this state the constraints contradict the " + freedoms +
              (freedoms == "1 freedom" ? " that was" : " that were") +
              " counted when the model was built: positions or velocities break a constraint, or these positions are "
              "on another branch, to be named under `assembled`");
    }
    case StatusCode::other_branch:
      return of_constraints(
          model, body,
          "in this configuration the constraints leave " + count_of(static_cast<std::ptrdiff_t>(value), "freedom") +
              ", where the model is assembled " + std::to_string(aggregate_around(model, body).freedoms) +
              ", whose independent coordinates this result is in: name this branch under `assembled`");
    case StatusCode::not_closed:
      if (is_one_of(argument, {"held"}))
        return of_constraints(model, body,
                              joint +
                                  " is held where the constraints can't be closed: nothing that may move brings them "
                                  "nearer to first order, and they stay open by " +
                                  number(value) + " (m or rad); hold it elsewhere, or hold fewer joints");
      if (*argument != '\0')
        return of_constraints(
            model, body,
            std::string(argument) + " breaks the constraints by " + number(value) +
                (is_one_of(argument, {"v"}) ? " of 1 + |v|" : " (m or rad; of couplings a part of their terms)") +
                ", and 1e-8 is allowed; give a state that they allow, or let Simulation::assemble look for one near "
                "by");
      return of_constraints(model, body,
                            "from here no closed configuration is found, the nearest is off by " + number(value) +
                                " (m or rad); start closer to one that closes, or take shorter steps");
    case StatusCode::step_too_small:
      return "the step came down to " + number(value) + " s and still misses the tolerance; loosen it, or look for a " +
             "force that jumps or grows without bound";
    case StatusCode::change_point:
      if (*argument != '\0')
        return of_constraints(
            model, body,
            "from here on the mechanism passes a change point, where motions cross, and at this tolerance the one that "
            "goes on is lost in rounding; the tightest tolerance that passes here is " +
                number_text(value, 2));
      return of_constraints(
          model, body,
          "from here the constraints would take " + number(value) +
              " of the largest speed or kinetic energy away in one step, more than is allowed: at a change point, "
              "where "
              "motions cross, the one that goes on is lost in rounding; take another start or tolerance, elsewhere "
              "shorter steps");
    case StatusCode::diverged:
      return joint + ": the motion diverges at " + number(value) +
             " s: in the step from there its numbers outgrow all bounds; take shorter steps, or look for a force that "
             "drives it on";
    case StatusCode::state_dependent_loop:
      return of_constraints(
          model, body,
          "what the constraints ask of velocities depends on the positions, and derivatives through it "
          "are not there yet; gears and other linear couplings are: take differences of accelerations");
    case StatusCode::singular:
      return joint +
             ": the inertia it moves is singular in this configuration, to rounding, so no acceleration is determined" +
             (is_idle_untied(model, body)
                  ? "; by multipliers that is so in every configuration, since without " +
                        constraints_around(model, body) + " nothing resists it: take embed for `loops`"
                  : "");
    case StatusCode::not_rigid:
      return the_body + ": the column's own numbers are no rigid body's, with what is fixed to it: " +
             (is_one_of(argument, {"mass"}) ? "the mass is " + number(value) + "; give one >= 0"
                                            : "the least moment about the centre of mass is " + number(value) +
                                                  "; give moments >= 0 there (rows have them about the link's origin)");
    case StatusCode::out_of_bounds:
      return "the column's own " + std::string(argument) +
             (body < 0 ? "" : " of " + (is_one_of(argument, {"mass", "first moment", "inertia"}) ? the_body : joint)) +
             " is " + number(value) +
             ", outside the bounds that Varying has for it: keep within, or declare wider ones";
    case StatusCode::too_large:
      return "the mass matrix would take " + number(value) + " GB; take ab, modular or cfa";
    case StatusCode::cut_needs_double:
      return joint +
             ": there, or through its link, the plan cuts, and a link beside the cut is so light against those that it "
             "carries, or so thin, that float may lose the constraint force in rounding; take ab, or double";
    case StatusCode::other_model:
      return "the workspace was made for another model; make one for this";
    case StatusCode::no_such_frame:
      return "there is no frame " + number(value) + ": the model's links are numbered 0 to " +
             std::to_string(static_cast<int>(model.data().frames.size()) - 1) + ", take the number from frame_index";
    case StatusCode::no_such_column:
      return "there is no column " + number(value) + ": columns are numbered 0 to " + std::to_string(expected - 1);
    case StatusCode::shared_memory:
      return "the result shares memory with an input, or its columns with each other: give it memory of its own";
  }
  return "";
}

}  // namespace

std::string Status::message(const Model& model) const {
  return (column > 0 && !ok() ? "column " + std::to_string(column) + ": " : "") + reason(*this, model);
}

}  // namespace kinetree
