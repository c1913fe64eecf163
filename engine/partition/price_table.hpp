#pragma once
// The table of prices: every tuned number by which plans are chosen and times are predicted. What a machine takes, its
// nanoseconds and bandwidths, is a Calibration's. Each price says its unit and how it was measured; "operations" are
// those that Counted counts, and a body of a long chain takes 321 of them by `ab`.

namespace kinetree::inline inner::price {

// ---- operations that are slower than those of a long chain's bodies, which stay in registers ------------------------
// An EPYC with AVX-512: `ab` on tree:2xD, star:NxL, comb, random, geared, on fourbars and on rings of 4 to 64 links;
// `modular` with grains of 1 to 64 on chain:64 to chain:1024, `cfa` on star:Nx3 and random trees.

inline constexpr double solve = 600;  ///< operations that belong to no step (chain:4 to chain:64)
/// Operations of a node that begins no chain: it reads its parent body from memory, and writes to it. So does a pack
/// of limbs, once for each body that these hang from.
inline constexpr double node = 160;
/// Operations of what many hand to one body, each, which are summed one by one (star:NxL, tree:4xD). In a pack each
/// lane hands over its own, and where a node begins no chain, in place of `node` (quadruped, humanoid, trees, stars and
/// combs in 4 and 8 lanes).
inline constexpr double contribution = 80;
inline constexpr double embedded = 1.5;       ///< times the counted: an aggregate by embedding, and
inline constexpr double search = 400;         ///< operations of each body, of independent coordinates that may change
inline constexpr double multipliers = 2.05;   ///< times the counted: an aggregate by multipliers, and
inline constexpr double held = 1500;          ///< operations: the search for redundant rows
inline constexpr double merge = 2.65;         ///< times the counted: small matrices, each used once
inline constexpr double factorization = 500;  ///< operations of a small matrix: each pivot waits for the one before

// ---- memory -----------------------------------------------------------------------------------------------------

/// Bytes that come from memory per weighed operation, where no cache holds them. Sweeps: lines that a cache of 1 MiB
/// misses, by cachegrind (`ab`: 3.0 on chain:16384, 2.3 on tree:2x14; `modular`, grain 64: 2.6). Merges miss no more
/// lines, but scattered ones, each of which they wait for: they take as long as 5.4 bytes in sequence would (`cfa` on
/// chains of 4096 to 100000 bodies: 4.6 to 5.6 on a quiet machine).
inline constexpr double streamed = 2.5, scattered = 5.4;
/// The share of the time in which bytes come from the largest cache that a thread waits (`ab` on chain:1024 to
/// chain:16384).
inline constexpr double exposed = 0.45;
/// The share of a line's transfer that a task waits for each line of its bytes, if another thread had it in the pass
/// before (oneTBB's graph, cores without a common cache: `cfa` on chains, combs, random trees).
inline constexpr double waited_for = 0.02;
/// Bytes that a solver keeps, with the model's own numbers (`kinetree info`: chain:16384, tree:2x14, grains 1 to 1024).
inline constexpr double bytes_of_body = 850, bytes_of_module = 4800;

// ---- threads ----------------------------------------------------------------------------------------------------

/// A plan is taken over one with fewer threads, or over bodies one by one, only where it is predicted to save more than
/// this share of its time.
inline constexpr double worth_a_change = 0.05;
/// Modules of a chain that take as long as two: of the outer two the last carries no columns (two threads).
inline constexpr double two_modules = 1.61;
/// Bodies that a task has at least, and how many tasks each thread gets where there is enough for more; operations of a
/// body of a long chain.
inline constexpr int least_task = 16, tasks_a_thread = 8;
inline constexpr double body = 321;
/// Nanoseconds of a message between ranks where none was measured: between those of InfiniBand and of Ethernet.
inline constexpr double message = 9000;

}  // namespace kinetree::inline inner::price
