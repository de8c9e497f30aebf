// SPDX-License-Identifier: Apache-2.0
//
// What a program has written into lists, dicts and objects that it did not make itself, up to some point of a
// graph.
#pragma once

#include <vector>

#include "capture/state/recipe.h"

namespace culprit::capture {

struct Writes {
  /// A list or dict is emptied and filled again, so that it stays the same object.
  struct ToContainer {
    SourceId container;
    std::vector<Recipe> keys;
    std::vector<Recipe> values;
  };
  struct ToAttribute {
    Recipe object;
    size_t slot = 0;
    Recipe value;
  };

  /// Those that the recipes mention.
  std::vector<NewObject> objects;
  std::vector<ToContainer> containers;
  std::vector<ToAttribute> attributes;

  /// How many values are written down.
  size_t size() const;
};

/// The objects are among the ingredients already.
void Apply(const Writes& writes, const Ingredients& ingredients);

}  // namespace culprit::capture
