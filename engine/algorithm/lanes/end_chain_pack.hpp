#pragma once
// An end chain, its modules in packs, and the chain of boundary constraint forces between all of them.

#include <kinetree/options.hpp>

#include "engine/algorithm/lanes/module_pack.hpp"
#include "engine/model/model_data.hpp"
#include "engine/model/tree.hpp"
#include "engine/partition/end_chains.hpp"
#include "engine/partition/make_modules.hpp"
#include "engine/partition/parts_in_halves.hpp"

namespace kinetree::inline inner {

/// P: the pack. One: the scalar of the rest of the tree and of the forces between modules.
template <class P, class One>
class EndChainPack final : public LaneParts<One> {
 public:
  using T = typename P::Number;

  /// `width`: modules in a pack; lanes left over repeat the last.
  EndChainPack(const SplitModel& halves, const EndChain& chain, int width, bool refined)
      : first_(base_of(halves, chain, 0)),
        parent_(halves.model->parent[at(first_)]),
        width_(width),
        chain_(chain_of(halves.model->joint_type[at(first_)], chain.modules())),
        modules_(make_modules(chain_, {.grain = 1, .elimination = Elimination::leaves_first})),
        e_(modules_),
        through_(modules_.modules.size()),
        at_base_(through_.size()),
        tip_x_(through_.size()),
        tip_a_(through_.size()),
        lambda_(at(modules_.lambda_count)) {
    for (int pack = 0; pack < chain.packs; ++pack)
      packs_.emplace_back(*halves.model, pack_of(halves, chain, width, pack), next_place(chain), refined);
  }

  void expect_external_forces() override {
    for (Pack& pack : packs_) pack.expect_external_forces();
    rotation_.resize(through_.size());
  }

  void compose(int index, const State<One>& state) override {
    if (index < 0) return;
    Pack& pack = packs_[at(index)];
    pack.compose(state);
    take_apart(pack.through(), width_, [&](int lane) -> MotionMap<One>& { return through_[module(index, lane)]; });
  }
  void hand_down(int index, const Context<One>& x, const Kinematics<One>& tree) override {
    if (index >= 0) return;
    at_base_[0] = velocity_of(tree, parent_);
    for (std::size_t k = 1; k < at_base_.size(); ++k)
      at_base_[k] = through_[k - 1].X * at_base_[k - 1] + through_[k - 1].w;
    if (x.state.f_ext == nullptr) return;
    rotation_[0] = rotation_of(tree, parent_);
    for (std::size_t k = 1; k < rotation_.size(); ++k) rotation_[k] = through_[k - 1].X.E * rotation_[k - 1];
  }

  /// Velocities go with it: nothing else reads them, and here they are still in the cache.
  void articulate(int index, const Context<One>& x, const Kinematics<One>&, ArticulatedBody<One>& tree) override {
    if (index < 0) return rake(x, tree);
    Pack& pack = packs_[at(index)];
    put_together(pack.k.v[0], [&](int lane) -> const Motion<One>& { return at_base_[module(index, lane)]; });
    if (x.state.f_ext)
      put_together(pack.k.R[0], [&](int lane) -> const Matrix3<One>& { return rotation_[module(index, lane)]; });
    pack.velocities();
    articulate_modules(pack.dial(), 0);
    take_matrix(index);
    take_vector(index);
  }

  void accelerate(int index, const Context<One>& x, const std::vector<Motion<One>>& a, RightSide side) override {
    if (index < 0) return find_forces(inboard(a, side == RightSide::problem ? x.ground_acceleration : Motion<One>{}));
    const Dial<P> d = packs_[at(index)].dial();
    put_forces(index, e_.lambda, d.e.lambda, true);
    accelerate_modules(d, side, 0);
    const auto tip = at(packs_[at(index)].tip());
    const auto at_tip = [&](std::vector<Motion<One>>& tips) {
      return [this, &tips, index](int lane) -> Motion<One>& { return tips[module(index, lane)]; };
    };
    take_apart(d.b.a[tip], width_, at_tip(tip_a_));
    if (side == RightSide::residual) take_apart(d.f.change[tip], width_, at_tip(tip_x_));
  }

  void close(int index, const Context<One>& x, const std::vector<Motion<One>>& answer,
             const std::vector<Motion<One>>& a, RightSide side, bool last) override {
    if (index < 0) return;
    Pack& pack = packs_[at(index)];
    const Dial<P> d = pack.dial();
    put_tips(index, tip_a_, inboard(answer, x.ground_acceleration), d.b.a[0]);
    if (side == RightSide::residual) put_tips(index, tip_x_, inboard(a, Motion<One>{}), d.f.change[0]);
    close_joints(d, side, 0);
    if (last) return pack.store(x.state);
    for (int i = 0; i < pack.rows(); ++i)
      for (int lane = 0; lane < width_; ++lane)
        lambda_[at(modules_.cuts[module(index, lane)].lambda + i)] = One(d.f.lambda[at(i)].lane(lane));
  }

  void correct(int index, const Context<One>& x, ArticulatedBody<One>& tree, std::vector<Force<One>>& f_up) override {
    if (index < 0) return rake_refinement(x, tree, f_up);
    const Dial<P> d = packs_[at(index)].dial();
    put_forces(index, lambda_, d.f.lambda, false);
    correct_modules(d, 0);
    take_vector(index);
  }

  int singular_body(int index) const override { return index < 0 ? -1 : packs_[at(index)].singular_body(); }
  int idle_body() const override {
    for (const Pack& pack : packs_)
      if (const int body = pack.idle_body(); body >= 0) return body;
    return -1;
  }
  Status loop_fault() const override {
    for (const Pack& pack : packs_)
      if (const Status fault = pack.loop_fault(); !fault.ok()) return fault;
    return {};
  }

  std::size_t bytes() const override {
    return sizeof(*this) +
           bytes_of(chain_, modules_, e_, packs_, through_, at_base_, tip_x_, tip_a_, rotation_, lambda_);
  }

 private:
  using Pack = ModulePack<P, One>;

  std::size_t module(int pack, int lane) const { return at(pack * width_ + std::min(lane, width_ - 1)); }
  static P same(const One& number) { return P(to_double(number)); }

  /// The modules as a chain of bodies, of which only the joints are looked at.
  static ModelData chain_of(JointType type, int count) {
    ModelData modules;
    modules.v_index.push_back(0);
    for (int k = 0; k < count; ++k) {
      modules.parent.push_back(k - 1);
      modules.joint_type.push_back(type);
      modules.v_index.push_back((k + 1) * velocity_count(type));
    }
    modules.may_cut.assign(modules.parent.size(), true), modules.allows_cuts = modules.may_cut;
    modules.may_split.assign(modules.parent.size(), false);
    connect(modules);
    return modules;
  }

  /// What the chain hangs from has, or the ground.
  Motion<One> inboard(const std::vector<Motion<One>>& over_bodies, const Motion<One>& ground) const {
    return parent_ < 0 ? ground : over_bodies[at(parent_)];
  }

  /// What is at the tip of the module before; of the first module what the chain hangs from has.
  void put_tips(int index, const std::vector<Motion<One>>& tips, const Motion<One>& inboard, Motion<P>& all) const {
    put_together(all, [&](int lane) -> const Motion<One>& {
      const std::size_t k = module(index, lane);
      return k == 0 ? inboard : tips[k - 1];
    });
  }

  /// Every module's own system; the last's is that of its base alone.
  void take_matrix(int index) {
    const P* numbers = packs_[at(index)].dial().e.matrix.data();
    with_rows(packs_[at(index)].rows(), [&](auto rows) {
      const int n = 2 * rows;
      for (int lane = 0; lane < width_; ++lane) {
        const Step& step = step_of(index, lane);
        One* to = e_.matrix.data() + step.matrix;
        const auto take = [&](int size) KINETREE_INLINE_LAMBDA {
          for (int i = 0; i < size; ++i)
            for (int j = 0; j <= i; ++j) to[i * size + j] = One(numbers[i * n + j].lane(lane));
        };
        step.size == n ? take(n) : take(step.size);
      }
    });
  }
  void take_vector(int index) {
    const P* numbers = packs_[at(index)].dial().e.vector.data();
    for (int lane = 0; lane < width_; ++lane) {
      const Step& step = step_of(index, lane);
      for (int i = 0; i < step.size; ++i) e_.vector[step.vector + at(i)] = One(numbers[i].lane(lane));
    }
  }
  const Step& step_of(int index, int lane) const {
    return modules_.steps[at(modules_.modules[module(index, lane)].step)];
  }

  void rake(const Context<One>& x, ArticulatedBody<One>& tree) {
    for (const Step& step : modules_.steps)
      if (step.module < 0) eliminate_matrix(modules_, e_, step), eliminate_vector(modules_, e_, step);
    const Dial<P> d = packs_[0].dial();
    const Step& root = modules_.steps.back();
    const int n = root.size;
    for (int i = 0; i < n * n; ++i)
      d.e.matrix[packs_[0].closing().matrix + at(i)] = same(e_.matrix[root.matrix + at(i)]);
    dial_detail::rake_matrix(d, packs_[0].closing());
    rake_bias(x, tree, dial_detail::active(d, Pack::base));
    take_apart(d.b.P_up[d.x.slot(Pack::base)], 1,
               [&](int) -> ArticulatedInertia<One>& { return tree.P_up[x.slot(first_)]; });
  }
  void rake_refinement(const Context<One>& x, ArticulatedBody<One>& tree, std::vector<Force<One>>& f_up) {
    for (const Step& step : modules_.steps)
      if (step.module < 0) eliminate_vector(modules_, e_, step);
    const Dial<P> d = packs_[0].dial();
    rake_bias(x, tree, Force<P>{});
    const Force<P> f =
        dial_detail::active(d, Pack::base) + dial_detail::constraint(d, d.x.modules->cuts[0], d.f.lambda);
    take_apart(transpose_times(d.k.X_up[Pack::base], f), 1, [&](int) -> Force<One>& { return f_up[at(first_)]; });
  }
  void rake_bias(const Context<One>& x, ArticulatedBody<One>& tree, const Force<P>& f) {
    const Dial<P> d = packs_[0].dial();
    const Step& root = modules_.steps.back();
    for (int i = 0; i < root.size; ++i)
      d.e.vector[packs_[0].closing().vector + at(i)] = same(e_.vector[root.vector + at(i)]);
    dial_detail::rake_vector(d, packs_[0].closing(), f);
    take_apart(d.b.z_up[d.x.slot(Pack::base)], 1, [&](int) -> Force<One>& { return tree.z_up[x.slot(first_)]; });
  }

  /// The forces between modules; `a`: the acceleration of what the chain hangs from.
  void find_forces(const Motion<One>& a) {
    const Dial<P> d = packs_[0].dial();
    Motion<P> all;
    put_together(all, [&](int) -> const Motion<One>& { return a; });
    close_group(d, packs_[0].closing(), all);
    for (int i = 0; i < packs_[0].rows(); ++i)
      e_.lambda[at(modules_.cuts[0].lambda + i)] = One(d.e.lambda[at(i)].lane(0));
    for (std::size_t s = modules_.steps.size(); s-- > 0;)
      if (modules_.steps[s].module < 0) back_substitute(modules_, e_, modules_.steps[s]);
  }

  /// The forces of the modules' base joints, if wanted, and of those of the next modules; none behind the last.
  void put_forces(int index, const std::vector<One>& from, std::vector<P>& to, bool bases) {
    const int rows = packs_[at(index)].rows();
    const One none[6]{}, *base[P::width], *next[P::width];
    for (int lane = 0; lane < P::width; ++lane) {
      const std::size_t k = module(index, lane);
      base[lane] = &from[at(modules_.cuts[k].lambda)];
      next[lane] = k + 1 < modules_.cuts.size() ? &from[at(modules_.cuts[k + 1].lambda)] : none;
    }
    for (int i = 0; i < rows; ++i) {
      const auto of = [&](const One* const* force) {
        return side_by_side<P>([&](std::size_t lane) { return static_cast<T>(to_double(force[lane][i])); });
      };
      if (bases) to[at(i)] = of(base);
      to[at(rows + i)] = of(next);
    }
  }

  int first_, parent_, width_;
  ModelData chain_;
  Modules modules_;
  CutSystem<One> e_;
  std::vector<Pack> packs_;
  // over modules
  std::vector<MotionMap<One>> through_;
  std::vector<Motion<One>> at_base_, tip_x_, tip_a_;
  std::vector<Matrix3<One>> rotation_;
  std::vector<One> lambda_;  ///< of the answer so far
};

}  // namespace kinetree::inline inner
