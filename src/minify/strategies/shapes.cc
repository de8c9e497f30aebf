// SPDX-License-Identifier: Apache-2.0
//
// Smaller sizes (minify/rewrite/resize.h). Dimensions of equal size belong together: a class is all of them,
// or, if that leads nowhere, those that are channels (the first two of a tensor) or spatial (the others), or
// just one. First everything as small as possible; then class by class: batches, spatial ones, channels.
//
// Failures are not monotone in sizes: wrong with 8 channels on 2x2 and right on 1x1, wrong with 17 channels
// and right with 16. So each class is tried with several sizes, from the smallest on.
#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <set>
#include <tuple>

#include "base/text.h"
#include "minify/program/leaves.h"
#include "minify/rewrite/resize.h"
#include "minify/strategies/make.h"

namespace culprit::minify::strategies {
namespace {

enum class Level : uint8_t { kAllOfASize, kByPlace, kOneDimension };

/// Above, single dimensions are not tried.
constexpr size_t kMostSingles = 8;

struct SizeClass {
  Level level = Level::kAllOfASize;
  /// In which order they are tried: batches, spatial ones, channels.
  int order = 0;
  int64_t size = 0;
  std::set<LeafDim> dims = {};
  auto operator<=>(const SizeClass&) const = default;  // NOLINT(modernize-use-nullptr)
};

bool IsPrime(int64_t n) {
  for (int64_t d = 2; d * d <= n; ++d) {
    if (n % d == 0) return false;
  }
  return n > 1;
}

/// Vectors and blocks of memory have 8 or 16 elements: rests are as interesting as small sizes.
std::set<int64_t> SmallerSizes(const SizeClass& size_class) {
  const int64_t size = size_class.size;
  int64_t prime = size - 1;
  while (prime > 3 && !IsPrime(prime)) --prime;
  std::set<int64_t> sizes = {1, 2, size / 2};
  if (size_class.level == Level::kAllOfASize) sizes.insert({3, prime, size % 16, size % 8, size - 1});
  std::erase_if(sizes, [&](int64_t n) { return n < 1 || n >= size; });
  return sizes;
}

int OrderOf(const Leaf& leaf, int64_t dim) {
  if (dim >= 2) return 1;
  return dim == 0 && !leaf.is_frozen && leaf.tensor.dim() > 1 ? 0 : 2;
}

/// In the order in which they are tried.
std::set<SizeClass> ClassesOf(const Program& program) {
  using Key = std::tuple<Level, int64_t, int>;
  std::map<Key, SizeClass> by_key;
  std::map<int64_t, size_t> dims_of_size;
  const auto add = [&](Level level, int64_t size, int part, const Leaf& leaf, int64_t dim) {
    const int order = OrderOf(leaf, dim);
    SizeClass& found = by_key.try_emplace({level, size, part}, SizeClass{level, order, size}).first->second;
    found.order = std::min(found.order, order);
    found.dims.insert({leaf.name, dim});
  };
  int single = 0;
  for (const Leaf& leaf : LeavesOf(program)) {
    if (!leaf.is_replaceable) continue;
    for (int64_t dim = 0; dim < leaf.tensor.dim(); ++dim) {
      const int64_t size = leaf.tensor.size(dim);
      if (size < 2) continue;
      ++dims_of_size[size];
      add(Level::kAllOfASize, size, 0, leaf, dim);
      add(Level::kByPlace, size, dim < 2 ? 0 : 1, leaf, dim);
      add(Level::kOneDimension, size, ++single, leaf, dim);
    }
  }
  std::set<SizeClass> classes;
  for (const auto& [key, size_class] : by_key) {
    // Those that are no smaller than the class they are a part of would be asked about twice.
    const size_t all = dims_of_size[size_class.size];
    const bool is_part =
        size_class.dims.size() < all && (size_class.level != Level::kOneDimension || all <= kMostSingles);
    if (size_class.level == Level::kAllOfASize || is_part) classes.insert(size_class);
  }
  return classes;
}

Edit ResizeTo(const SizeClass& size_class, int64_t size) {
  const std::string what = fmt::format("{} instead of {} elements in {}", size, size_class.size,
                                       base::Counted(size_class.dims.size(), "dimension"));
  return {what, [size_class, size](const Subject& now) {
            NewSizes sizes;
            for (const LeafDim& dim : size_class.dims) sizes[dim] = size;
            return Resized(now, sizes);
          }};
}

/// No dimension has more elements than that.
Edit LimitAll(int64_t limit) {
  return {fmt::format("at most {} in every dimension", base::Counted(limit, "element")),
          [limit](const Subject& now) {
            NewSizes sizes;
            for (const Leaf& leaf : LeavesOf(now.program())) {
              for (int64_t dim = 0; dim < leaf.tensor.dim(); ++dim) {
                if (leaf.is_replaceable && leaf.tensor.size(dim) > limit) sizes[{leaf.name, dim}] = limit;
              }
            }
            return Resized(now, sizes);
          }};
}

class Shapes : public StrategyOf<Shapes> {
 public:
  std::optional<Edit> Propose(const Subject& subject) override {
    if (!begun_) Begin(subject);
    while (pending_.empty() && NextClass(subject)) {
    }
    if (pending_.empty()) return std::nullopt;
    Edit edit = std::move(pending_.front());
    pending_.pop_front();
    return edit;
  }

  /// What is left of the class would be larger.
  void Learn(const Learned& learned) override {
    if (learned.accepted) pending_.clear();
  }

 private:
  void Begin(const Subject& subject) {
    begun_ = true;
    // With one class it would be the first question about that.
    if (ClassesOf(subject.program()).size() > 1) pending_ = {LimitAll(1), LimitAll(2)};
  }

  bool NextClass(const Subject& subject) {
    for (const SizeClass& size_class : ClassesOf(subject.program())) {
      if (!tried_.insert(size_class).second) continue;
      for (const int64_t size : SmallerSizes(size_class)) pending_.push_back(ResizeTo(size_class, size));
      return true;
    }
    return false;
  }

  bool begun_ = false;
  std::deque<Edit> pending_;
  std::set<SizeClass> tried_;
};

}  // namespace

std::unique_ptr<Strategy> MakeShapes() {
  return std::make_unique<Shapes>();
}

}  // namespace culprit::minify::strategies
