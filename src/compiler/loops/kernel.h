// SPDX-License-Identifier: Apache-2.0
//
// A kernel: what code is generated for. Loops over outer variables, whose iterations are independent, and in
// each of them stages, one behind the other:
//
//   outer i0 < 1024                               lanes over the inner loops
//     stage 0: row 0 = max over i1 < 768 of x[i0 * 768 + i1]
//     stage 1: row 1 = sum over i1 < 768 of exp(x[i0 * 768 + i1] - row 0)
//     stage 2: for i1 < 768: out[i0 * 768 + i1] = exp(x[...] - row 0) / row 1
//
//   outer i0 < 1000000                            lanes over the last outer variable
//     stage 0: out[i0] = a[i0] * 2 + b[i0]
//
// All stages share one body, in which loads and stores have one index: how many elements behind the buffer's
// first. A variable belongs to the outer loops or to one stage or several: a stage runs its own from 0.
//
// Values that a stage loads from a buffer that an earlier stage of the same kernel has stored lie at places
// that the same iteration of the outer loops has stored.
#pragma once

#include <string>
#include <vector>

#include "compiler/loops/body.h"
#include "graph/ir/graph.h"

namespace culprit::compiler::loops {

/// Which loop computes several iterations at a time.
enum class Lanes : uint8_t {
  /// The last outer variable. Inner loops go one by one.
  kOuter,
  /// The last variable of each stage; what they reduce is combined at the end.
  kInner,
};

struct BufferStore {
  uint32_t buffer = 0;
  /// A Long.
  ExprId index = {};
  ExprId value = {};
};

struct Stage {
  /// The variables of its loops, outermost first; none: it runs once.
  std::vector<uint32_t> variables = {};
  LoopKind kind = LoopKind::kPointwise;
  Combine combine = Combine::kSum;
  /// Of reductions and scans: what is combined. A reduction's result is Row(number of the stage). A scan
  /// runs along its last variable; its first store stores what was combined so far, and has no value.
  ExprId combined = {};
  /// In each iteration; of a reduction, too: what it reads may be needed elsewhere.
  std::vector<BufferStore> stores = {};
};

struct Buffer {
  at::ScalarType dtype = at::kFloat;
  bool is_written = false;
};

struct Kernel {
  std::vector<Buffer> buffers;
  /// How far each variable goes, a Long: a constant or a size.
  std::vector<ExprId> extents;
  /// The outer variables are the first so many.
  uint32_t outer = 0;
  Lanes lanes = Lanes::kOuter;
  std::vector<Stage> stages;
  Body body;
  /// The values of Op::kSize, whose `integer` is the place in here. Arguments of the kernel: the code is the
  /// same for all of them.
  std::vector<int64_t> numbers;

  int64_t Extent(uint32_t variable) const;
  /// How many pieces the outer loops are cut into, each of which can run on its own, in any order:
  ///   lanes over inner loops          one iteration of all outer variables, counted as they are nested
  ///   lanes over the last outer one   kChunk iterations of that, or those that are left, for one iteration
  ///                                   of the others: piece = (others) * (chunks of the last) + chunk
  int64_t Pieces() const;
  static constexpr int64_t kChunk = 4096;
};

/// Generated code: runs the pieces from `begin` up to `end`. Buffers may have any alignment that their dtype
/// has.
using KernelEntry = void (*)(void* const* buffers, const int64_t* numbers, int64_t begin, int64_t end);

/// As above; the same text is the same code. Numbers are not in it.
std::string ToText(const Kernel& kernel);

void Verify(const Kernel& kernel);

}  // namespace culprit::compiler::loops
