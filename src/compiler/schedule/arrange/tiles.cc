// SPDX-License-Identifier: Apache-2.0
#include "compiler/schedule/arrange/tiles.h"

#include <algorithm>
#include <cstdlib>

namespace culprit::compiler::schedule {
namespace {

using Merged = LoopOrder::Merged;

// Elements that are so many apart share no line.
constexpr int64_t kFarApart = 16;
// Lines that a tile reads from: so few that the cache keeps them even if rows are a power of two apart, when
// all of them belong into one set of it. With 16 a matrix of 1024 x 1024 takes twice as long.
constexpr int64_t kColumns = 8;
constexpr int64_t kFewestColumns = 32;
// Rows that it writes: pages of them are known to the processor all together.
constexpr int64_t kMostRows = 32;
constexpr int64_t kFewestRows = 8;

class Chooser {
 public:
  Chooser(const loops::Kernel& kernel, const LoopOrder& order, const Accesses& accesses)
      : kernel_(kernel), order_(order), accesses_(accesses) {}

  std::vector<Tile> Run() const {
    if (!GoesOnce() || order_.outer.size() < 2) return {};
    const Merged& lane = order_.outer.back();
    const Merged& across =
        *std::ranges::max_element(order_.outer.begin(), order_.outer.end() - 1, {},
                                  [&](const Merged& merged) { return TouchedAlong(merged); });
    if (TouchedAlong(across) == 0 || ExtentOf(lane) < kFewestColumns || ExtentOf(across) < kFewestRows)
      return {};
    if (ExtentOf(lane) % kColumns != 0) return {};
    return {{across.back(), RowsOf(ExtentOf(across))}, {lane.back(), kColumns}};
  }

 private:
  bool GoesOnce() const {
    return order_.lanes == loops::Lanes::kOuter && kernel_.stages.size() == 1 &&
           kernel_.stages[0].kind == loops::LoopKind::kPointwise && order_.stages[0].empty();
  }

  int64_t ExtentOf(const Merged& merged) const {
    int64_t extent = 1;
    for (const uint32_t variable : merged) extent *= kernel_.body[kernel_.extents[variable]].integer;
    return extent;
  }

  // How many elements lie one behind the other along these, and far apart from lane to lane.
  double TouchedAlong(const Merged& merged) const {
    double elements = 0;
    for (size_t i = 0; i < accesses_.affine.size(); ++i)
      if (accesses_.affine[i].coefficient(merged.back()) == 1 &&
          std::abs(accesses_.affine[i].coefficient(order_.outer.back().back())) >= kFarApart)
        elements += accesses_.elements[i];
    return elements;
  }

  // All, if no tiles of about that many fit.
  static int64_t RowsOf(int64_t extent) {
    for (int64_t rows = kMostRows; rows >= kFewestRows; --rows)
      if (extent % rows == 0) return rows;
    return extent;
  }

  const loops::Kernel& kernel_;
  const LoopOrder& order_;
  const Accesses& accesses_;
};

}  // namespace

std::vector<Tile> ChooseTiles(const loops::Kernel& kernel, const LoopOrder& order, const Accesses& accesses) {
  return Chooser(kernel, order, accesses).Run();
}

}  // namespace culprit::compiler::schedule
