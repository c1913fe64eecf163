// Generated families, each by a text: word, sizes, key=value.
//   chain:N         N equal links of 1 kg and 0.5 m, revolute axes x, y, z in turn, each joint turned 0.3 rad about z
//   tree:BxD        complete B-ary tree of D levels of the same links, (B^D - 1)/(B - 1) bodies, the first hinged to the world
//   star:AxN        A chains of N such links around the world
//   comb:N          a chain of N links, each with a side chain of ceil(log2 N) links
//   random:N:seed=K N moving bodies: random topology, joint types, placements and physically valid inertias
// Keys: ratio=R (chain, tree, star, comb: masses alternate 1 and R kg; random: log-uniform in 1 .. R, default 10);
// joints=revolute|prismatic|...|mixed (default revolute; random: mixed); seed=K; for random also branching=B (children at
// most, default 3), floating=1 (the base floats), special=1 (thin rods, massless bodies between joints, merged links,
// gravity in any direction).
#include <charconv>
#include <cmath>
#include <map>

#include <kinetree/model/model.hpp>
#include <kinetree/model/random.hpp>

namespace kinetree {
namespace {

struct Text {
  std::string word, sizes;
  std::map<std::string, std::string> keys;
};

[[noreturn]] void refuse(std::string_view family, const std::string& message) {
  throw InputError({{Severity::error, std::string(family), 0, "family", message}});
}

Text parse(std::string_view family) {
  Text text;
  std::string_view rest = family;
  const auto take = [&] {
    const auto end = rest.find(':');
    const std::string part(rest.substr(0, end));
    rest = end == std::string_view::npos ? std::string_view{} : rest.substr(end + 1);
    return part;
  };
  text.word = take();
  text.sizes = take();
  while (!rest.empty()) {
    const std::string part = take();
    const auto equals = part.find('=');
    if (equals == std::string::npos || equals == 0) refuse(family, "\"" + part + "\" is not key=value");
    if (!text.keys.emplace(part.substr(0, equals), part.substr(equals + 1)).second)
      refuse(family, "the key \"" + part.substr(0, equals) + "\" stands twice");
  }
  return text;
}

template <class T>
T parse_number(std::string_view family, const std::string& text, const std::string& what, T low, T high) {
  T value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || !(value >= low && value <= high))
    refuse(family, what + " is \"" + text + "\"; give a number from " + std::to_string(low) + " to " + std::to_string(high));
  return value;
}

/// One link: a rod-like box of mass m along x, its centre of mass at half its length.
InertialDescription equal_link(double m, double length) {
  InertialDescription i;
  i.mass = m;
  i.frame.xyz = {length / 2, 0.02, -0.01};
  i.inertia = {0.005 * m, m * (length * length / 12 + 0.004), m * (length * length / 12 + 0.003), 0.0005 * m, -0.0003 * m, 0.0002 * m};
  return i;
}

std::array<double, 4> random_quaternion(Random& r) {
  std::array<double, 4> q{};
  double norm = 0;
  do {
    norm = 0;
    for (double& x : q) x = r.uniform(-1, 1), norm += x * x;
  } while (norm > 1 || norm < 0.05);
  for (double& x : q) x /= std::sqrt(norm);
  return q;
}

Numbers3 random_direction(Random& r) {
  Numbers3 a{};
  double norm = 0;
  do {
    norm = 0;
    for (double& x : a) x = r.uniform(-1, 1), norm += x * x;
  } while (norm > 1 || norm < 0.05);
  for (double& x : a) x /= std::sqrt(norm);
  return a;
}

class Family {
 public:
  Family(std::string_view family, const LoadOptions& options) : family_(family), options_(options), text_(parse(family)) {}

  Description make() {
    d_.name = std::string(family_);
    d_.file = d_.name;
    const std::string& w = text_.word;
    if (w == "random") return random();
    ratio_ = key("ratio", 1.0, 1e-9, 1e9);
    joints_ = joints("revolute");
    Random r(static_cast<std::uint64_t>(key<int>("seed", 0, 0, 1 << 30)));
    random_ = &r;
    if (w == "chain") {
      const int n = size(text_.sizes, "N", 10000000);
      for (int i = 0; i < n; ++i) add(i - 1);
    } else if (w == "tree") {
      const auto [b, levels] = pair("BxD");
      std::int64_t count = 0, level = 1;
      for (int k = 0; k < levels; ++k, level *= b)
        if ((count += level) > 10000000) refuse(family_, "more than 10000000 bodies");
      for (std::int64_t i = 0; i < count; ++i) add(i == 0 ? -1 : static_cast<int>((i - 1) / b));
    } else if (w == "star") {
      const auto [arms, n] = pair("AxN");
      if (static_cast<std::int64_t>(arms) * n > 10000000) refuse(family_, "more than 10000000 bodies");
      for (int a = 0; a < arms; ++a)
        for (int i = 0; i < n; ++i) add(i == 0 ? -1 : a * n + i - 1);
    } else if (w == "comb") {
      const int n = size(text_.sizes, "N", 1000000);
      const int side = n > 1 ? static_cast<int>(std::ceil(std::log2(n))) : 1;
      for (int i = 0, main = -1; i < n; ++i) {
        main = add(main);
        for (int k = 0, tip = main; k < side; ++k) tip = add(tip);
      }
    } else {
      refuse(family_, "unknown family \"" + w + "\"; known are chain, tree, star, comb, random");
    }
    no_more_keys();
    if (options_.floating_base) float_first();
    return std::move(d_);
  }

 private:
  int size(const std::string& text, const std::string& what, int high) { return parse_number<int>(family_, text, what, 1, high); }
  std::pair<int, int> pair(const std::string& what) {
    const auto x = text_.sizes.find('x');
    if (x == std::string::npos) refuse(family_, "\"" + text_.sizes + "\" is not " + what);
    return {size(text_.sizes.substr(0, x), what, 1000000), size(text_.sizes.substr(x + 1), what, 1000000)};
  }
  template <class T>
  T key(const std::string& name, T otherwise, T low, T high) {
    const auto k = text_.keys.find(name);
    if (k == text_.keys.end()) return otherwise;
    const T value = parse_number<T>(family_, k->second, name, low, high);
    text_.keys.erase(k);
    return value;
  }
  std::string joints(const std::string& otherwise) {
    const auto k = text_.keys.find("joints");
    if (k == text_.keys.end()) return otherwise;
    const std::string value = k->second;
    text_.keys.erase(k);
    if (value != "mixed" && (!joint_type_named(value) || value == "fixed"))
      refuse(family_, "joints is \"" + value + "\"; give a joint type that moves, or mixed");
    return value;
  }
  void no_more_keys() {
    for (const auto& [name, value] : text_.keys) refuse(family_, "unknown key \"" + name + "\"; see the list of families");
  }

  std::string type_of_next() {
    if (joints_ != "mixed") return joints_;
    const int k = random_->below(20);
    static constexpr const char* types[20] = {"revolute", "revolute", "revolute", "revolute", "revolute", "revolute", "continuous",
                                              "prismatic", "prismatic", "prismatic", "helical", "helical", "cylindrical", "cylindrical",
                                              "universal", "universal", "spherical", "spherical", "planar", "floating"};
    return types[k];
  }

  /// A body on body `parent` (-1: the world); returns its index.
  int add(int parent) {
    const int i = static_cast<int>(d_.bodies.size());
    BodyDescription b;
    b.name = "b" + std::to_string(i);
    b.parent = parent < 0 ? "world" : "b" + std::to_string(parent);
    b.joint.name = "j" + std::to_string(i);
    b.joint.type = type_of_next();
    b.joint.axis = {i % 3 == 0 ? 1.0 : 0.0, i % 3 == 1 ? 1.0 : 0.0, i % 3 == 2 ? 1.0 : 0.0};
    b.joint.pitch = 0.1;
    b.joint.axis2 = Numbers3{b.joint.axis[2], b.joint.axis[0], b.joint.axis[1]};
    b.joint.origin.xyz = {parent < 0 ? 0 : 0.5, 0, 0};
    b.joint.origin.quaternion = {0, 0, std::sin(0.15), std::cos(0.15)};
    b.inertial = equal_link(i % 2 == 0 ? 1.0 : ratio_, 0.5);
    d_.bodies.push_back(std::move(b));
    return i;
  }

  void float_first() {
    d_.bodies[0].joint.type = "floating";
    d_.bodies[0].joint.name = "floating_base";
  }

  Description random() {
    const int n = size(text_.sizes, "N", 1000000);
    Random r(0x9e37u + static_cast<std::uint64_t>(key<int>("seed", 0, 0, 1 << 30)) * 7919u);
    random_ = &r;
    ratio_ = key("ratio", 10.0, 1.0, 1e12);
    joints_ = joints("mixed");
    const int branching = key<int>("branching", 3, 1, 1000000);
    const bool floating = key<int>("floating", 0, 0, 1) == 1 || options_.floating_base;
    const bool special = key<int>("special", 0, 0, 1) == 1;
    no_more_keys();
    if (special) {
      const Numbers3 g = random_direction(r);
      d_.gravity = {9.81 * g[0], 9.81 * g[1], 9.81 * g[2]};
    }
    // how deep the tree is likely to be: new bodies hang from one of the last `reach` that have room
    const int reach = 1 + r.below(r.below(3) == 0 ? n : 5);
    std::vector<int> children, moving;  // over moving bodies: children so far, index in the description
    for (int k = 0; k < n; ++k) {
      int parent = -1;
      for (int tries = 0; tries < 64 && k > 0; ++tries) {
        const int candidate = k - 1 - r.below(std::min(reach, k));
        if (children[static_cast<std::size_t>(candidate)] < branching) {
          parent = candidate;
          break;
        }
      }
      if (parent < 0 && k > 0) parent = k - 1;
      if (parent >= 0) ++children[static_cast<std::size_t>(parent)];
      children.push_back(0);
      random_body(parent < 0 ? -1 : moving[static_cast<std::size_t>(parent)], moving, k, special);
    }
    if (floating) float_first();
    if (special) clothe_tips();
    return std::move(d_);
  }

  void random_body(int parent, std::vector<int>& moving, int k, bool special) {
    Random& r = *random_;
    const int i = add(parent);
    moving.push_back(i);
    BodyDescription& b = d_.bodies[static_cast<std::size_t>(i)];
    b.name = "b" + std::to_string(i), b.joint.name = "j" + std::to_string(i);
    b.joint.axis = random_direction(r);
    b.joint.axis2 = random_direction(r);
    b.joint.pitch = r.uniform(-0.5, 0.5);
    b.joint.origin.xyz = {r.uniform(-0.5, 0.5), r.uniform(-0.5, 0.5), r.uniform(-0.5, 0.5)};
    b.joint.origin.quaternion = random_quaternion(r);
    const double m = std::exp(r.uniform(0, std::log(ratio_)));
    InertialDescription in;
    in.mass = m;
    in.frame.xyz = {r.uniform(-0.3, 0.3), r.uniform(-0.3, 0.3), r.uniform(-0.3, 0.3)};
    in.frame.quaternion = random_quaternion(r);
    // principal moments of a box, whose squared sides are positive, so that the triangle inequality holds
    const double x = r.uniform(0.05, 0.5), y = r.uniform(0.05, 0.5), z = r.uniform(0.05, 0.5);
    in.inertia = {m * (y * y + z * z) / 12, m * (x * x + z * z) / 12, m * (x * x + y * y) / 12, 0, 0, 0};
    b.inertial = in;
    if (!special) return;
    const int kind = r.below(8);
    if (kind == 0 && k > 0) {  // a thin rod along its x
      b.inertial->inertia = {0, m * x * x / 12, m * x * x / 12, 0, 0, 0};
      if (b.joint.type != "prismatic") b.joint.type = "revolute";
    } else if (kind == 1 && k > 0) {  // a massless body between joints; clothe_tips gives it mass if nothing hangs from it
      b.inertial.reset();
      b.joint.type = "revolute";
    } else if (kind == 2) {  // a link behind a fixed joint, merged later
      BodyDescription extra;
      extra.name = "f" + std::to_string(i);
      extra.parent = b.name;
      extra.joint.name = "w" + std::to_string(i);
      extra.joint.type = "fixed";
      extra.joint.origin.xyz = {r.uniform(-0.2, 0.2), r.uniform(-0.2, 0.2), r.uniform(-0.2, 0.2)};
      extra.joint.origin.quaternion = random_quaternion(r);
      extra.inertial = in;
      extra.inertial->mass = 0.3 * m;
      for (double& v : extra.inertial->inertia) v *= 0.3;
      d_.bodies.push_back(std::move(extra));
    }
  }

  /// Massless bodies must carry inertia in every direction of their joint: those from which no body of full inertia hangs
  /// by a revolute joint, or whose child is massless too, get mass again.
  void clothe_tips() {
    std::vector<int> heavy(d_.bodies.size(), 0);
    std::map<std::string, std::size_t> index;
    for (std::size_t k = 0; k < d_.bodies.size(); ++k) index[d_.bodies[k].name] = k;
    for (std::size_t k = d_.bodies.size(); k-- > 0;) {
      BodyDescription& b = d_.bodies[k];
      const bool rod = b.inertial && b.inertial->inertia[0] == 0;
      if (!b.inertial && heavy[k] < 2) b.inertial = equal_link(1.0, 0.3);
      if (b.parent == "world" || !b.inertial || rod) continue;
      const std::size_t p = index[b.parent];
      // one revolute child leaves five directions, two leave all
      heavy[p] += b.joint.type == "fixed" ? 2 : b.joint.type == "revolute" || b.joint.type == "continuous" ? 1 : 0;
    }
  }

  std::string_view family_;
  const LoadOptions& options_;
  Text text_;
  Description d_;
  double ratio_ = 1;
  std::string joints_;
  Random* random_ = nullptr;
};

}  // namespace

bool names_family(std::string_view text) {
  for (std::string_view word : {"chain:", "tree:", "star:", "comb:", "random:"})
    if (text.substr(0, word.size()) == word) return true;
  return false;
}

Description make_description(std::string_view family, const LoadOptions& options) { return Family(family, options).make(); }

}  // namespace kinetree
