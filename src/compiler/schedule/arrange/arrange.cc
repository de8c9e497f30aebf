// SPDX-License-Identifier: Apache-2.0
#include "compiler/schedule/arrange/arrange.h"

#include <algorithm>
#include <map>

#include "compiler/schedule/arrange/accesses.h"
#include "compiler/schedule/arrange/loop_order.h"
#include "compiler/schedule/arrange/tiles.h"

namespace culprit::compiler::schedule {
namespace {

using loops::Body;
using loops::BodyCopy;
using loops::Expression;
using loops::ExprId;
using loops::Kernel;
using loops::Op;

class Arranger {
 public:
  Arranger(const Kernel& kernel, const std::optional<std::vector<uint32_t>>& outer, NumberWriter numbers,
           const std::function<bool()>& applies)
      : source_(kernel), numbers_(numbers) {
    const Accesses accesses = AccessesOf(kernel);
    order_ = ChooseOrder(kernel, outer, accesses, applies);
    tiles_ = ChooseTiles(kernel, order_, accesses);
    if (!tiles_.empty() && !applies()) tiles_.clear();
  }

  Kernel Run() {
    kernel_.buffers = source_.buffers;
    kernel_.lanes = tiles_.empty() ? order_.lanes : loops::Lanes::kInner;
    for (const LoopOrder::Merged& merged : order_.outer) AddOuter(merged);
    // A loop for lanes there has to be.
    if (kernel_.lanes == loops::Lanes::kOuter && kernel_.extents.empty())
      kernel_.extents.push_back(numbers_(kernel_.body, 1));
    kernel_.outer = static_cast<uint32_t>(kernel_.extents.size());
    BodyCopy copy(source_.body, kernel_.body,
                  [&](const Expression& expression, BodyCopy& copy) { return Replaced(expression, copy); });
    for (size_t i = 0; i < source_.stages.size(); ++i) {
      std::vector<uint32_t> variables = AddTiles();
      for (const LoopOrder::Merged& merged : order_.stages[i]) variables.push_back(NewVariable(merged));
      AddStage(source_.stages[i], std::move(variables), copy);
    }
    return WithNumbers(kernel_);
  }

 private:
  int64_t ExtentOf(uint32_t variable) const { return source_.body[source_.extents[variable]].integer; }

  int64_t ExtentOf(const LoopOrder::Merged& merged) const {
    int64_t extent = 1;
    for (const uint32_t variable : merged) extent *= ExtentOf(variable);
    return extent;
  }

  uint32_t AddVariable(ExprId extent) {
    kernel_.extents.push_back(extent);
    return static_cast<uint32_t>(kernel_.extents.size() - 1);
  }

  // Of variables that are one now, the last goes on as the new one does; the others stand still.
  uint32_t NewVariable(const LoopOrder::Merged& merged) {
    std::vector<Part>& parts = parts_of_[merged.back()];
    if (parts.empty()) parts.push_back({AddVariable(numbers_(kernel_.body, ExtentOf(merged)))});
    return parts.front().variable;
  }

  // One that goes by tiles goes from tile to tile here; if there is one tile only, not at all.
  void AddOuter(const LoopOrder::Merged& merged) {
    const auto tile = std::ranges::find(tiles_, merged.back(), &Tile::variable);
    if (tile == tiles_.end()) {
      NewVariable(merged);
    } else if (const int64_t tiles = ExtentOf(merged) / tile->size; tiles > 1) {
      parts_of_[merged.back()].push_back({AddVariable(numbers_(kernel_.body, tiles)), tile->size});
    }
  }

  // How far the lanes go is part of the code.
  std::vector<uint32_t> AddTiles() {
    std::vector<uint32_t> variables;
    for (const Tile& tile : tiles_) {
      const bool is_of_lanes = &tile == &tiles_.back();
      variables.push_back(AddVariable(is_of_lanes ? kernel_.body.Constant(tile.size, loops::Type::Long)
                                                  : numbers_(kernel_.body, tile.size)));
      parts_of_[tile.variable].push_back({variables.back()});
    }
    return variables;
  }

  Affine Renamed(const Affine& affine) const {
    Affine renamed{{}, affine.constant};
    for (const auto& [variable, coefficient] : affine.coefficients) {
      const auto known = parts_of_.find(variable);
      if (known == parts_of_.end()) continue;
      for (const Part& part : known->second) renamed.coefficients[part.variable] = coefficient * part.factor;
    }
    return renamed;
  }

  ExprId Place(ExprId place, BodyCopy& copy) {
    const std::optional<Affine> affine = AffineOf(source_.body, place);
    return affine ? Emit(Renamed(*affine), kernel_.body, numbers_) : copy(place);
  }

  std::optional<ExprId> Replaced(const Expression& expression, BodyCopy& copy) {
    if (expression.op == Op::kIndex)
      return Emit(Renamed({{{static_cast<uint32_t>(expression.integer), 1}}}), kernel_.body, numbers_);
    if (expression.op != Op::kLoad) return std::nullopt;
    const auto buffer = static_cast<uint32_t>(expression.integer);
    const ExprId place = Place(expression.operands[0], copy);
    if (!expression.masked) return kernel_.body.Load(buffer, expression.type, {place});
    return kernel_.body.MaskedLoad(buffer, expression.type, {place}, copy(expression.operands[1]));
  }

  void AddStage(const loops::Stage& source, std::vector<uint32_t> variables, BodyCopy& copy) {
    loops::Stage stage{.variables = std::move(variables), .kind = source.kind, .combine = source.combine};
    if (stage.kind != loops::LoopKind::kPointwise) stage.combined = copy(source.combined);
    for (const loops::BufferStore& store : source.stores)
      stage.stores.push_back({store.buffer, Place(store.index, copy), copy(store.value)});
    kernel_.stages.push_back(std::move(stage));
  }

  // From now on a size says where its number stands.
  static Kernel WithNumbers(const Kernel& kernel) {
    Kernel numbered = kernel;
    numbered.body = Body();
    std::map<int64_t, int64_t> places;
    BodyCopy copy(kernel.body, numbered.body,
                  [&](const Expression& expression, BodyCopy&) -> std::optional<ExprId> {
                    if (expression.op != Op::kSize) return std::nullopt;
                    const auto place = static_cast<int64_t>(numbered.numbers.size());
                    const auto [known, is_new] = places.try_emplace(expression.integer, place);
                    if (is_new) numbered.numbers.push_back(expression.integer);
                    Expression size = expression;
                    size.integer = known->second;
                    return numbered.body.Add(std::move(size));
                  });
    for (ExprId& extent : numbered.extents) extent = copy(extent);
    for (loops::Stage& stage : numbered.stages) {
      if (stage.kind != loops::LoopKind::kPointwise) stage.combined = copy(stage.combined);
      for (loops::BufferStore& store : stage.stores) {
        store.index = copy(store.index);
        store.value = copy(store.value);
      }
    }
    return numbered;
  }

  /// Of an old variable: so many of a new one's.
  struct Part {
    uint32_t variable = 0;
    int64_t factor = 1;
  };

  const Kernel& source_;
  NumberWriter numbers_;
  LoopOrder order_;
  std::vector<Tile> tiles_;
  Kernel kernel_;
  std::map<uint32_t, std::vector<Part>> parts_of_;
};

}  // namespace

Kernel Arrange(const Kernel& kernel, const std::optional<std::vector<uint32_t>>& outer, NumberWriter numbers,
               const std::function<bool()>& applies) {
  return Arranger(kernel, outer, numbers, applies).Run();
}

}  // namespace culprit::compiler::schedule
