// SPDX-License-Identifier: Apache-2.0
#include "capture/sizes/recipes_of.h"

namespace culprit::capture {
namespace {

/// Of a segment that may be changed, or not.
template <typename RecipeOrConst>
class Collector {
 public:
  void Add(RecipeOrConst& recipe) {
    recipes_.push_back(&recipe);
    AddAll(recipe.items);
  }
  void AddAll(auto& recipes) {
    for (RecipeOrConst& recipe : recipes) Add(recipe);
  }
  void AddWrites(auto& writes) {
    for (auto& object : writes.objects) {
      AddAll(object.keys);
      AddAll(object.values);
    }
    for (auto& write : writes.containers) {
      AddAll(write.keys);
      AddAll(write.values);
    }
    for (auto& write : writes.attributes) {
      Add(write.object);
      Add(write.value);
    }
  }
  void AddSegment(auto& segment) {
    for (auto& frame : segment.plan.frames) {
      for (auto& [index, recipe] : frame.registers) Add(recipe);
    }
    AddAll(segment.plan.stack);
    AddAll(segment.plan.entered);
    AddWrites(segment.plan.writes);
    for (auto& checkpoint : segment.checkpoints) {
      AddAll(checkpoint.entered);
      AddWrites(checkpoint.writes);
    }
  }

  std::vector<RecipeOrConst*> Take() { return std::move(recipes_); }

 private:
  std::vector<RecipeOrConst*> recipes_;
};

}  // namespace

std::vector<Recipe*> RecipesOf(Segment& segment) {
  Collector<Recipe> collector;
  collector.AddSegment(segment);
  return collector.Take();
}

std::vector<const Recipe*> RecipesOf(const Segment& segment) {
  Collector<const Recipe> collector;
  collector.AddSegment(segment);
  return collector.Take();
}

}  // namespace culprit::capture
