// SPDX-License-Identifier: Apache-2.0
#include "graph/text/inputs/storage_equation.h"

#include <algorithm>
#include <span>

#include "graph/tensors/input_spec.h"

namespace culprit::graph::text {
namespace {

// The symbols that are missing in a part of the equation; more than one is as bad as many.
class Missing {
 public:
  Missing(const ExpressionArena& arena, const Symbols& symbols) : arena_(arena), symbols_(symbols) {}

  void LookAt(std::optional<ExpressionId> id) {
    if (!id) return;
    ForEachSymbol(arena_, *id, [&](std::string_view name) {
      if (name == "None" || symbols_.contains(name)) return;
      several_ = several_ || (!name_.empty() && name_ != name);
      name_ = name;
    });
  }
  void LookAt(const WrittenTensor& tensor) {
    LookAt(tensor.sizes);
    LookAt(tensor.strides);
    LookAt(tensor.offset);
  }

  bool none() const { return name_.empty(); }
  std::string_view only() const { return several_ ? std::string_view() : name_; }

 private:
  const ExpressionArena& arena_;
  const Symbols& symbols_;
  std::string_view name_;
  bool several_ = false;
};

class Solver {
 public:
  Solver(const Source& source, const ExpressionArena& arena, ExpressionId bytes, Symbols& symbols)
      : source_(source), arena_(arena), bytes_(bytes), symbols_(symbols) {}

  std::optional<SolvedSymbol> Solve(std::span<const WrittenTensor> tensors) {
    Missing missing(arena_, symbols_);
    missing.LookAt(bytes_);
    for (const WrittenTensor& tensor : tensors) missing.LookAt(tensor);
    if (missing.only().empty()) return std::nullopt;
    name_ = missing.only();
    tensors_ = tensors;
    const std::optional<int64_t> value = Root();
    return value ? std::optional(SolvedSymbol{name_, *value}) : std::nullopt;
  }

 private:
  // The surplus grows or shrinks with a size, so that its root is found by bisection.
  std::optional<int64_t> Root() {
    const std::optional<int64_t> first = Surplus(1);
    if (!first) return std::nullopt;
    const auto is_beyond = [&](int64_t surplus) { return *first < 0 ? surplus >= 0 : surplus <= 0; };
    int64_t low = 1;
    int64_t high = 1;
    for (std::optional<int64_t> last = first; !is_beyond(*last);) {
      constexpr int64_t kLargest = int64_t{1} << 46;
      low = high;
      high *= 2;
      last = high > kLargest ? std::nullopt : Surplus(high);
      if (!last) return std::nullopt;
    }
    while (high - low > 1) {
      const int64_t middle = low + (high - low) / 2;
      const std::optional<int64_t> surplus = Surplus(middle);
      if (!surplus) return std::nullopt;
      (is_beyond(*surplus) ? high : low) = middle;
    }
    const bool is_only_root = Surplus(high) == 0 && Surplus(high + 1) != 0;
    return is_only_root ? std::optional(high) : std::nullopt;
  }

  /// How many bytes the tensors reach beyond the end of the storage.
  std::optional<int64_t> Surplus(int64_t value) {
    symbols_[std::string(name_)] = value;
    std::optional<int64_t> surplus;
    const base::Result<int64_t> bytes = EvaluateSize(source_, arena_, bytes_, symbols_);
    int64_t farthest = 0;
    bool known = bytes.ok();
    for (const WrittenTensor& tensor : tensors_) {
      const std::optional<int64_t> reach = known ? Reach(tensor) : std::nullopt;
      known = reach.has_value();
      if (known) farthest = std::max(farthest, *reach);
    }
    symbols_.erase(symbols_.find(name_));
    if (!known || __builtin_sub_overflow(farthest, *bytes, &surplus.emplace())) return std::nullopt;
    return surplus;
  }

  std::optional<int64_t> Reach(const WrittenTensor& written) {
    std::optional<std::vector<int64_t>> sizes = Sizes(written.sizes);
    if (!sizes) return std::nullopt;
    TensorSpec tensor{.sizes = *std::move(sizes), .dtype = written.dtype};
    tensor.strides = ContiguousStrides(tensor.sizes);
    if (written.strides) {
      std::optional<std::vector<int64_t>> strides = Sizes(*written.strides);
      if (!strides || strides->size() != tensor.sizes.size()) return std::nullopt;
      tensor.strides = *std::move(strides);
    }
    if (written.offset) {
      const base::Result<int64_t> offset = EvaluateSize(source_, arena_, *written.offset, symbols_);
      if (!offset.ok()) return std::nullopt;
      tensor.offset = *offset;
    }
    return ReachOf(tensor);
  }

  std::optional<std::vector<int64_t>> Sizes(ExpressionId id) {
    const Expression& list = arena_[id];
    if (list.kind != ExpressionKind::kTuple && list.kind != ExpressionKind::kList) return std::nullopt;
    std::vector<int64_t> sizes;
    for (uint32_t i = 0; i < list.child_count; ++i) {
      const base::Result<int64_t> size = EvaluateSize(source_, arena_, arena_.child(list, i), symbols_);
      if (!size.ok() || *size < 0) return std::nullopt;
      sizes.push_back(*size);
    }
    return sizes;
  }

  const Source& source_;
  const ExpressionArena& arena_;
  ExpressionId bytes_;
  Symbols& symbols_;
  std::string_view name_;
  std::span<const WrittenTensor> tensors_;
};

}  // namespace

std::optional<SolvedSymbol> Solve(const Source& source, const ExpressionArena& arena,
                                  const StorageEquation& equation, Symbols& symbols) {
  if (equation.tensors.empty()) return std::nullopt;
  Solver solver(source, arena, equation.bytes, symbols);
  if (const auto solved = solver.Solve(equation.tensors)) return solved;
  for (const WrittenTensor& tensor : equation.tensors) {
    // A single tensor says nothing about the bytes of a storage that it may share.
    Missing missing(arena, symbols);
    missing.LookAt(tensor);
    if (missing.none()) continue;
    if (const auto solved = solver.Solve({&tensor, 1})) return solved;
  }
  return std::nullopt;
}

}  // namespace culprit::graph::text
