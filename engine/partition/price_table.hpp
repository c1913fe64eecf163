#pragma once
// The table of prices: the tuned numbers by which plans are chosen and times are predicted, the same on every machine;
// each with its unit and how it was found. "Operations" are those that Counted counts on the kernels. Elsewhere stand a
// machine's own times (a Calibration; how it is measured and corrected: parallel/measured_calibration.cpp,
// line_transfer.cpp) and messages that no calibration has (mpi/assumed_messages.hpp).

namespace kinetree::inline inner::price {

// ---- operations that are slower than those of a long chain's bodies, which stay in registers ------------------------
// An EPYC with AVX-512: `ab` on tree:2xD, star:NxL, comb, random, geared, on fourbars and on rings of 4 to 64 links;
// `modular` with grains of 1 to 64 on chain:64 to chain:1024, `cfa` on star:Nx3 and random trees.

inline constexpr double solve = 600;  ///< operations that belong to no step (chain:4 to chain:64)
/// Added for each node that does not continue a chain: the node reads its parent body from memory and writes to it.
inline constexpr double node = 160;
/// Added for each child of a body with more than two contributions: the body sums them one by one (star:NxL, tree:4xD).
/// In a pack each lane adds it; a node that continues no chain then adds this instead of `node` (quadruped, humanoid,
/// trees, stars and combs in 4 and 8 lanes).
inline constexpr double contribution = 80;
/// Operations added for a pack of limbs. `bodies`: the number of bodies that they hang from (0: the ground). Numbers of
/// several bodies go into lanes, and out of them, one by one: random:100 and random:300 in 4 lanes took 220 to 460
/// operations more for each body.
inline constexpr double of_pack(int lanes, int bodies) {
  return node * bodies + contribution * lanes * (bodies > 1 ? bodies : 1);
}
inline constexpr double embedded = 1.5;      ///< factor on the counted operations of an aggregate by embedding
inline constexpr double search = 400;        ///< added for each body of one whose independent coordinates may change
inline constexpr double multipliers = 2.05;  ///< factor on the counted operations of an aggregate by multipliers
inline constexpr double held = 1500;         ///< added for each of these: the search for redundant rows
inline constexpr double merge = 2.65;        ///< factor on the counted operations of a merge: small matrices, used once
inline constexpr double factorization = 500;  ///< added for each small matrix: each pivot waits for the one before

// ---- memory -----------------------------------------------------------------------------------------------------

/// Bytes that come from memory per weighed operation, where no cache holds them. Sweeps: lines that a cache of 1 MiB
/// misses, by cachegrind (`ab`: 3.0 on chain:16384, 2.3 on tree:2x14; `modular`, grain 64: 2.6). Merges miss no more
/// lines, but scattered ones, each of which they wait for: they take as long as 5.4 bytes in sequence would (`cfa` on
/// chains of 4096 to 100000 bodies: 4.6 to 5.6 on a quiet machine).
inline constexpr double streamed = 2.5, scattered = 5.4;
/// A pack of limbs or of modules waits for lines, since its lists are many and short. It waits as long as it takes to
/// read this number of bytes in sequence (an EPYC with AVX2, star:NxL: about 40 thousand with limbs of 1 to 6 bodies,
/// 80 to 140 of 20, 200 of 50 and more; the largest cache and memory alike).
inline constexpr double pack_waits = 60e3;
/// A thread waits for this share of the time in which the largest cache delivers its bytes (`ab` on chain:1024 to
/// chain:16384).
inline constexpr double exposed = 0.45;
/// A task waits for this share of a line's transfer, per line that another thread had in the pass before (oneTBB's
/// graph, cores without a common cache: `cfa` on chains, combs, random trees).
inline constexpr double waited_for = 0.02;
/// The share of a cache that other data fill: code, a caller's states, other programs. Assumed.
inline constexpr double of_others = 0.5;
/// Bytes that a solver keeps, with the model's own numbers (`kinetree info`: chain:16384, tree:2x14, ropes of spherical
/// joints, grains 1 to 1024). Counted, not tuned.
inline constexpr double bytes_of_body = 700, bytes_of_velocity = 150, bytes_of_module = 4800;

// ---- threads ----------------------------------------------------------------------------------------------------

/// A plan is taken over one with fewer threads, or over bodies one by one, only where it is predicted to save more than
/// this share of its time. Chosen, not measured: predictions for one thread are off by about as much.
inline constexpr double worth_a_change = 0.05;
/// Two modules of a chain take equal time on two threads if the last has 1/1.61 of the bodies: it carries no columns.
/// By counts: 33136 operations of the first and 34834 of the last of chain:100, and 3684 of their merge.
inline constexpr double two_modules = 1.61;
/// A task takes at least as many operations as this many bodies of a long chain. Chosen, not measured.
inline constexpr int least_task = 16;
/// Tasks of a thread, where there is enough for all: each thread has some to do while others wait. Chosen, not
/// measured.
inline constexpr int tasks_a_thread = 8;
/// A part of a tree that a rank may get begins where as many bodies have come together as for the tasks of this many
/// threads a rank, or half a least task. Assumed: a plan over ranks is the same on any number of threads.
inline constexpr int threads_of_a_rank = 4;
/// Passes of any order keep the tasks of a worker unless one has this many times the work of an even share. Chosen, not
/// measured: moved tasks find nothing in the caches of their new core.
inline constexpr double uneven = 1.5;

}  // namespace kinetree::inline inner::price
