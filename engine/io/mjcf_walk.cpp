#include "engine/io/mjcf_walk.hpp"

#include <algorithm>
#include <utility>

#include "engine/io/mjcf_check.hpp"
#include "engine/io/mjcf_parts.hpp"
#include "engine/model/included_lines.hpp"

namespace kinetree::inline inner {
namespace {

using Class = MjcfDefaults::Class;

class Walk {
 public:
  Walk(MjcfReading& r, MjcfModel& model, std::vector<std::unique_ptr<MjcfSource>>& sources, IncludeGuard& guard,
       int& lines, int most)
      : r_(r), m_(model), sources_(sources), guard_(guard), lines_(lines), most_made_(most) {}

  void run() {
    const MjcfSource& file = *sources_.front();
    m_.uses.push_back({&file, {}, 0, 0});
    for (const MjcfElement& section : file.document.root().children)
      if (section.tag() == "worldbody") inside(section, file, {0, {}, &file.defaults.main(), {}, 1});
    m_.uses.front().end_body = static_cast<int>(m_.bodies.size());
  }

 private:
  static constexpr int deepest = 500;

  /// Where an element stands: in which body and frame of it, and by what names and defaults.
  struct Place {
    int body;
    MjcfPose frame;
    const Class* defaults;
    MjcfNaming naming;
    int depth;
  };

  /// Replicas and attached models may make much from little.
  bool enough(const MjcfElement& e, const Place& place) {
    made_ += 1 + static_cast<int>((place.naming.prefix.size() + place.naming.suffix.size()) / 64);
    if (made_ > most_made_ && !full_)
      r_.refuse(e, "makes more than " + std::to_string(most_made_) +
                       " elements with what stands before it, which is "
                       "the limit; make the model smaller");
    full_ = full_ || made_ > most_made_;
    return full_;
  }

  void inside(const MjcfElement& e, const MjcfSource& source, const Place& place) {
    if (place.depth > deepest)
      return r_.refuse(e, "elements nest deeper than " + std::to_string(deepest) + "; close them");
    for (const MjcfElement& c : e.children) {
      if (enough(c, place)) return;
      element(c, source, place);
    }
  }

  void element(const MjcfElement& e, const MjcfSource& source, const Place& place) {
    const std::string_view tag = e.tag();
    if (tag == "body") return body(e, source, place);
    if (tag == "frame") return frame(e, source, place);
    if (tag == "replicate") return replicate(e, source, place);
    if (tag == "attach") return attach(e, source, place);
    if (tag == "composite" || tag == "flexcomp")
      return r_.refuse(e,
                       "makes bodies by rules of MuJoCo's own; let MuJoCo write the model out (mj_saveLastXML), and "
                       "read that");
    const Class& defaults = source.defaults.of(r_, e, "class", *place.defaults);
    const MjcfView view{e, defaults.of(tag)};
    const std::string name = named(e, place);
    if (tag == "joint" || tag == "freejoint") return joint(view, name, source, place);
    if (tag == "geom") return geom(view, name, source, place);
    if (tag == "inertial") return inertial(view, source, place);
    double half = 0;
    if (tag == "site" && !name.empty())
      m_.sites[name] = {place.body, place.frame * read_placed(r_, view, source.compiler.angles, half)};
    if (tag == "camera" && !name.empty())
      m_.cameras[name] = {place.body, place.frame * read_pose(r_, view, source.compiler.angles)};
  }

  /// Replicas are noted: what names one of them in the file means each.
  std::string named(const MjcfElement& e, const Place& place) {
    const char* name = e.attribute("name");
    if (!name) return {};
    if (!place.naming.suffix.empty()) m_.replicas[place.naming.prefix + name].push_back(place.naming.suffix);
    return place.naming(name);
  }

  void body(const MjcfElement& e, const MjcfSource& source, const Place& place) {
    const MjcfView view{e};
    const int number = static_cast<int>(m_.bodies.size());
    MjcfBody body;
    body.name = named(e, place);
    body.line = e.line();
    body.parent = place.body;
    body.pose = place.frame * read_pose(r_, view, source.compiler.angles);
    body.mocap = r_.flag(view, "mocap", false);
    body.source = &source;
    double up = 0;
    if (r_.number(view, "gravcomp", up) && up != 0 && m_.compensated++ == 0) m_.first_compensated = body.line;
    if (body.mocap && place.body != 0)
      r_.refuse(e, "is a mocap body inside another; MuJoCo wants it in the world, without joints");
    if (!body.name.empty()) m_.body_called.emplace(body.name, number);
    m_.bodies.push_back(std::move(body));
    const Class& defaults = source.defaults.of(r_, e, "childclass", *place.defaults);
    inside(e, source, {number, {}, &defaults, place.naming, place.depth + 1});
    const MjcfBody& made = m_.bodies[at(number)];
    if (made.mocap && !made.joints.empty()) r_.refuse(e, "is a mocap body with a joint; take one of the two away");
  }

  void frame(const MjcfElement& e, const MjcfSource& source, const Place& place) {
    Place inner = place;
    inner.frame = place.frame * read_pose(r_, {e}, source.compiler.angles);
    inner.defaults = &source.defaults.of(r_, e, "childclass", *place.defaults);
    ++inner.depth;
    inside(e, source, inner);
  }

  void joint(const MjcfView& view, const std::string& name, const MjcfSource& source, const Place& place) {
    if (place.body == 0) return r_.refuse(view.element, "stands in the world, which does not move; put it in a body");
    MjcfJoint joint = read_joint(r_, view, source.compiler, place.frame);
    joint.name = name;
    joint.body = place.body;
    MjcfBody& body = m_.bodies[at(place.body)];
    if (joint.kind == MjcfJointKind::free && (body.parent != 0 || !body.joints.empty()))
      return r_.refuse(view.element, body.parent != 0
                                         ? "is a free joint inside another body; MuJoCo has them at the top level alone"
                                         : "is a free joint beside another joint; a body has one or the other");
    if (!body.joints.empty() && m_.joints[at(body.joints.front())].kind == MjcfJointKind::free)
      return r_.refuse(view.element, "stands beside a free joint; a body has one or the other");
    const int number = static_cast<int>(m_.joints.size());
    if (!name.empty()) m_.joint_called.emplace(name, number);
    body.joints.push_back(number);
    m_.joints.push_back(std::move(joint));
  }

  void geom(const MjcfView& view, const std::string& name, const MjcfSource& source, const Place& place) {
    if (place.body == 0 && m_.ground_geoms++ == 0) m_.first_ground_geom = view.element.line();
    if (place.body == 0 && name.empty()) return;
    std::optional<MjcfGeom> geom = read_geom(r_, view, source, place.frame);
    if (!geom) return;
    geom->name = name;
    geom->body = place.body;
    const int number = static_cast<int>(m_.geoms.size());
    if (!name.empty()) m_.geom_called.emplace(name, number);
    m_.bodies[at(place.body)].geoms.push_back(number);
    m_.geoms.push_back(*std::move(geom));
  }

  void inertial(const MjcfView& view, const MjcfSource& source, const Place& place) {
    MjcfBody& body = m_.bodies[at(place.body)];
    if (place.body == 0) return r_.refuse(view.element, "stands in the world, which has no inertia");
    if (body.given) return r_.refuse(view.element, "is the second of its body; give one");
    body.given = read_inertial(r_, view, source.compiler);
  }

  // ---- many from one

  /// MuJoCo's own order: each copy stands at the sum of the offsets, turned as those before it, and is turned by its
  /// number times `euler`; names end in `sep` and the number, with as many digits as the count has.
  void replicate(const MjcfElement& e, const MjcfSource& source, const Place& place) {
    const MjcfView view{e};
    double count = 0, by[3] = {0, 0, 0};
    Eigen::Vector3d offset(0, 0, 0);
    if (!r_.number(view, "count", count) || !(count >= 0) || count > most_made_)
      return r_.refuse(e, "has no count from 0 to " + std::to_string(most_made_) + "; give count=\"...\"");
    r_.numbers(view, "offset", offset.data(), 3, 3);
    r_.numbers(view, "euler", by, 3, 3);
    const std::string separator = e.attribute("sep") ? e.attribute("sep") : "";
    const auto copies = static_cast<int>(count);
    const std::size_t digits = std::to_string(copies).size();
    MjcfPose stands;
    Place inner = place;
    inner.defaults = &source.defaults.of(r_, e, "childclass", *place.defaults);
    ++inner.depth;
    for (int k = 0; k < copies && !full_; ++k) {
      const std::string number = std::to_string(k);
      const double turned[3] = {k * by[0], k * by[1], k * by[2]};
      stands.turn = turn_by_euler(turned, source.compiler.angles);
      inner.frame = place.frame * stands;
      inner.naming.suffix = separator + std::string(digits - number.size(), '0') + number + place.naming.suffix;
      inside(e, source, inner);
      stands.at += stands.turn * offset;
    }
  }

  void attach(const MjcfElement& e, const MjcfSource& source, const Place& place) {
    const char *model = e.attribute("model"), *body = e.attribute("body"), *prefix = e.attribute("prefix");
    const auto found = source.models.find(std::string_view(model ? model : ""));
    if (found == source.models.end())
      return r_.refuse(e, "model " + in_quotes(model ? model : "") +
                              " is no model of this file; give the name of one "
                              "in <asset>");
    const MjcfElement& named = *found->second;
    Description& whole = r_.reading.description;
    const IncludedFile* const here = file_of_line(whole, named.line());
    const std::string includer = here ? here->file : whole.file;
    const char* const file = named.attribute("file");
    const Include include{file ? file : "", source.folder / (file ? file : ""), named.xml->GetLineNum()};
    std::string text;
    if (guard_.enough() || !guard_.enter(include, includer, text)) return;
    sources_.push_back(std::make_unique<MjcfSource>());
    MjcfSource& other = *sources_.back();
    if (other.document.read(text, include.file.string(), guard_, whole, lines_, r_.reading.findings)) {
      other.folder = include.file.parent_path();
      check_words(r_, other.document.root());
      other.read(r_);
      Place inner = place;
      inner.naming.prefix += prefix ? prefix : "";
      ++inner.depth;
      const int first = static_cast<int>(m_.bodies.size());
      bool met = false;
      for (const MjcfElement& section : other.document.root().children)
        if (section.tag() == "worldbody" && !met) met = put(section, body, other, other.defaults.main(), inner);
      if (!met) r_.refuse(e, "body " + in_quotes(body ? body : "") + " is no body of the model " + in_quotes(model));
      m_.uses.push_back({&other, inner.naming, first, static_cast<int>(m_.bodies.size())});
    }
    guard_.leave();
  }

  /// Puts the body of that name, or without one all of the world, at `place`; whether it was found.
  bool put(const MjcfElement& e, const char* name, const MjcfSource& source, const Class& around, Place& place) {
    place.defaults = &around;
    if (!name) return inside(e, source, place), true;
    for (const MjcfElement& c : e.children) {
      const char* own = c.tag() == "body" ? c.attribute("name") : nullptr;
      if (own && std::string_view(own) == name) return body(c, source, place), true;
      if (!c.children.empty() && put(c, name, source, source.defaults.of(r_, c, "childclass", around), place))
        return true;
      place.defaults = &around;
    }
    return false;
  }

  MjcfReading& r_;
  MjcfModel& m_;
  std::vector<std::unique_ptr<MjcfSource>>& sources_;
  IncludeGuard& guard_;
  int& lines_;
  const int most_made_;
  int made_ = 0;
  bool full_ = false;
};

}  // namespace

void read_bodies(MjcfReading& r, MjcfModel& model, std::vector<std::unique_ptr<MjcfSource>>& sources,
                 IncludeGuard& guard, int& lines, int most) {
  Walk(r, model, sources, guard, lines, most).run();
}

}  // namespace kinetree::inline inner
