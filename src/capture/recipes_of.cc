// SPDX-License-Identifier: Apache-2.0
#include "capture/recipes_of.h"

namespace culprit::capture {
namespace {

class Collector {
 public:
  void Add(Recipe& recipe) {
    recipes_.push_back(&recipe);
    AddAll(recipe.items);
  }
  void AddAll(std::vector<Recipe>& recipes) {
    for (Recipe& recipe : recipes) Add(recipe);
  }
  void Add(Writes& writes) {
    for (NewObject& object : writes.objects) {
      AddAll(object.keys);
      AddAll(object.values);
    }
    for (Writes::ToContainer& write : writes.containers) {
      AddAll(write.keys);
      AddAll(write.values);
    }
    for (Writes::ToAttribute& write : writes.attributes) {
      Add(write.object);
      Add(write.value);
    }
  }

  std::vector<Recipe*> Take() { return std::move(recipes_); }

 private:
  std::vector<Recipe*> recipes_;
};

}  // namespace

std::vector<Recipe*> RecipesOf(Segment& segment) {
  Collector collector;
  for (StatePlan::Frame& frame : segment.plan.frames) {
    for (auto& [index, recipe] : frame.registers) collector.Add(recipe);
  }
  collector.AddAll(segment.plan.stack);
  collector.AddAll(segment.plan.entered);
  collector.Add(segment.plan.writes);
  for (Checkpoint& checkpoint : segment.checkpoints) {
    collector.AddAll(checkpoint.entered);
    collector.Add(checkpoint.writes);
  }
  return collector.Take();
}

}  // namespace culprit::capture
