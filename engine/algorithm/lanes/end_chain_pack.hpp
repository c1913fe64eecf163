#pragma once
// A pack of an end chain's modules, and the boundary constraint forces between them.

#include <algorithm>

#include "engine/algorithm/lanes/module_pack.hpp"
#include "engine/model/model_data.hpp"
#include "engine/partition/end_chains.hpp"
#include "engine/partition/part_modules.hpp"
#include "engine/partition/parts_in_halves.hpp"

namespace kinetree::inline inner {

/// P: the pack. One: the scalar of the rest of the tree and of the forces between modules.
template <class P, class One>
class EndChainPack final : public LaneParts<One> {
 public:
  using T = typename P::Number;

  /// `width`: modules in a pack; lanes left over repeat the last.
  EndChainPack(const SplitModel& halves, const EndChain& chain, int width, int pack, bool refined)
      : width_(width),
        pack_(*halves.model, pack_of(halves, chain, width, pack), next_place(chain), refined),
        chain_(chain_of_bases(halves, chain, pack + 1 < chain.packs ? width + 1 : width)),
        modules_(modules_of_pack(chain_, pack + 1 == chain.packs)),
        e_(modules_),
        through_(at(width)),
        at_base_(at(width)),
        tip_x_(at(width)),
        tip_a_(at(width)),
        lambda_(at(modules_.lambda_count)) {}

  void expect_external_forces() override {
    pack_.expect_external_forces();
    rotation_.resize(through_.size());
  }

  void compose(const Dial<One>& d, VelocityScan<One>& scan, int index) override {
    pack_.compose(d.x.state);
    take_apart(pack_.through(), width_, [&](int lane) -> MotionMap<One>& { return through_[at(lane)]; });
    const Module& own = d.x.module_of_step(index);
    joint_kernel(d.x, d.k, own.base);
    constraint_basis(d, d.x.modules->cuts[at(own.cut)]);
    if (own.columns == 0) return;
    MotionMap<One>& all = scan.map[at(d.x.modules->steps[at(index)].first_boundary + 1)];
    all = through_[0];
    for (std::size_t k = 1; k < through_.size(); ++k) all = then(all, through_[k]);
  }

  void hand_down(const Dial<One>& d, VelocityScan<One>& scan, int index) override {
    hand_velocity(d.x, d.k, scan, index);
    at_base_[0] = scan.m[at(index)];
    for (std::size_t k = 1; k < at_base_.size(); ++k) at_base_[k] = through_[k - 1] * at_base_[k - 1];
    if (d.x.state.f_ext == nullptr) return;
    rotation_[0] = scan.R[at(index)];
    for (std::size_t k = 1; k < rotation_.size(); ++k) rotation_[k] = through_[k - 1].X.E * rotation_[k - 1];
  }

  /// Velocities go with it: nothing else reads them, and here they are still in the cache.
  void articulate(const Dial<One>& d, int index) override {
    put_together(pack_.k.v[0], [&](int lane) -> const Motion<One>& { return at_base_[module(lane)]; });
    if (d.x.state.f_ext)
      put_together(pack_.k.R[0], [&](int lane) -> const Matrix3<One>& { return rotation_[module(lane)]; });
    pack_.velocities();
    articulate_modules(pack_.dial(), 0);
    take_matrix();
    take_vector();
    for_merges([&](const Step& step) { eliminate_matrix(modules_, e_, step), eliminate_vector(modules_, e_, step); });
    const Step& step = d.x.modules->steps[at(index)];
    std::copy_n(&e_.matrix[root().matrix], step.size * step.size, &d.e.matrix[step.matrix]);
    hand_vector(d, step);
  }

  void accelerate(const Dial<One>& d, RightSide side, int index) override {
    take_forces(d, index, d.e.lambda, e_.lambda);
    for (std::size_t s = modules_.steps.size(); s-- > 0;)
      if (modules_.steps[s].module < 0) back_substitute(modules_, e_, modules_.steps[s]);
    const Dial<P> own = pack_.dial();
    put_forces(e_.lambda, own.e.lambda, true);
    accelerate_modules(own, side, 0);
    const auto tip = at(pack_.tip());
    const auto at_tip = [](std::vector<Motion<One>>& tips) {
      return [&tips](int lane) -> Motion<One>& { return tips[at(lane)]; };
    };
    take_apart(own.b.a[tip], width_, at_tip(tip_a_));
    if (side == RightSide::residual) take_apart(own.f.change[tip], width_, at_tip(tip_x_));
    const Module& m = d.x.module_of_step(index);
    if (m.columns == 0) return;
    const auto last = at(d.x.parent(d.x.modules->cuts[at(d.x.modules->carried[at(m.first_carried)])].body));
    d.b.a[last] = tip_a_.back();
    if (side == RightSide::residual) d.f.change[last] = tip_x_.back();
  }

  void close(const Dial<One>& d, RightSide side, int index, bool last) override {
    const Module& m = d.x.module_of_step(index);
    const CutJoint& cut = d.x.modules->cuts[at(m.cut)];
    const int p = d.x.parent(cut.body);
    const Dial<P> own = pack_.dial();
    put_tips(tip_a_, p < 0 ? d.x.ground_acceleration : d.b.a[at(p)], own.b.a[0]);
    if (side == RightSide::residual) put_tips(tip_x_, p < 0 ? Motion<One>{} : d.f.change[at(p)], own.f.change[0]);
    close_joints(own, side, 0);
    if (last) return pack_.store(d.x.state);
    add_forces(d, side, cut);
    for (int i = 0; i < pack_.rows(); ++i)
      for (int lane = 0; lane < width_; ++lane)
        lambda_[at(modules_.cuts[at(lane)].lambda + i)] = One(own.f.lambda[at(i)].lane(lane));
  }

  void correct(const Dial<One>& d, int index) override {
    take_forces(d, index, d.f.lambda, lambda_);
    const Dial<P> own = pack_.dial();
    put_forces(lambda_, own.f.lambda, false);
    correct_modules(own, 0);
    take_vector();
    for_merges([&](const Step& step) { eliminate_vector(modules_, e_, step); });
    hand_vector(d, d.x.modules->steps[at(index)]);
  }

  int singular_body() const override { return pack_.singular_body(); }
  int idle_body() const override { return pack_.idle_body(); }
  Status loop_fault() const override { return pack_.loop_fault(); }

  std::size_t bytes() const override {
    return sizeof(*this) +
           bytes_of(pack_, chain_, modules_, e_, through_, at_base_, tip_x_, tip_a_, rotation_, lambda_);
  }

 private:
  std::size_t module(int lane) const { return at(std::min(lane, width_ - 1)); }
  const Step& root() const { return modules_.steps.back(); }

  template <class Use>
  void for_merges(Use&& use) const {
    for (const Step& step : modules_.steps)
      if (step.module < 0) use(step);
  }

  /// What is at the tip of the module before; `inboard`: of what the first hangs from.
  void put_tips(const std::vector<Motion<One>>& tips, const Motion<One>& inboard, Motion<P>& all) const {
    put_together(all, [&](int lane) -> const Motion<One>& {
      const std::size_t k = module(lane);
      return k == 0 ? inboard : tips[k - 1];
    });
  }

  /// Every module's own system; that of a chain's last is of its base alone.
  void take_matrix() {
    const P* numbers = pack_.dial().e.matrix.data();
    with_rows(pack_.rows(), [&](auto rows) {
      const int n = 2 * rows;
      for (int lane = 0; lane < width_; ++lane) {
        const Step& step = step_of(lane);
        One* to = e_.matrix.data() + step.matrix;
        const auto take = [&](int size) KINETREE_INLINE_LAMBDA {
          for (int i = 0; i < size; ++i)
            for (int j = 0; j <= i; ++j) to[i * size + j] = One(numbers[i * n + j].lane(lane));
        };
        step.size == n ? take(n) : take(step.size);
      }
    });
  }
  void take_vector() {
    const P* numbers = pack_.dial().e.vector.data();
    for (int lane = 0; lane < width_; ++lane) {
      const Step& step = step_of(lane);
      for (int i = 0; i < step.size; ++i) e_.vector[step.vector + at(i)] = One(numbers[i].lane(lane));
    }
  }
  const Step& step_of(int lane) const { return modules_.steps[at(modules_.modules[at(lane)].step)]; }
  void hand_vector(const Dial<One>& d, const Step& step) const {
    std::copy_n(&e_.vector[root().vector], step.size, &d.e.vector[step.vector]);
  }

  /// The forces on both sides of all modules, as the tree has them.
  void take_forces(const Dial<One>& d, int index, const std::vector<One>& tree, std::vector<One>& own) const {
    const Module& m = d.x.module_of_step(index);
    std::copy_n(&tree[at(d.x.modules->cuts[at(m.cut)].lambda)], pack_.rows(), &own[at(modules_.cuts[0].lambda)]);
    if (m.columns > 0) std::copy_n(&tree[at(m.lambda)], m.columns, &own[at(modules_.cuts.back().lambda)]);
  }

  /// The forces of the modules' base joints, if wanted, and of those of the next modules; none behind a chain's last.
  void put_forces(const std::vector<One>& from, std::vector<P>& to, bool bases) const {
    const int rows = pack_.rows();
    const One none[6]{}, *base[P::width], *next[P::width];
    for (int lane = 0; lane < P::width; ++lane) {
      const std::size_t k = module(lane);
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

  int width_;
  ModulePack<P, One> pack_;
  ModelData chain_;
  Modules modules_;
  CutSystem<One> e_;  ///< between the modules
  // over modules
  std::vector<MotionMap<One>> through_;
  std::vector<Motion<One>> at_base_, tip_x_, tip_a_;
  std::vector<Matrix3<One>> rotation_;
  std::vector<One> lambda_;  ///< of the answer so far
};

}  // namespace kinetree::inline inner
