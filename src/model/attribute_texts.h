// SPDX-License-Identifier: Apache-2.0
//
// Where a source text with classes gives values to attributes (model/source_model.h):
//
//   class Net(Module):
//     weight : Tensor  # = f32[4,3]      =>   Net, weight: "f32[4,3]"
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <utility>

#include "base/result.h"

namespace culprit::model {

/// Offsets into the text.
struct AttributeText {
  size_t begin = 0;
  size_t end = 0;
};

struct ClassTexts {
  size_t count = 0;
  /// The name of the last class that is a Module.
  std::string last_module;
  std::map<std::pair<std::string, std::string>, AttributeText> values;

  const AttributeText* Find(const std::string& class_name, const std::string& attribute) const;
};

/// Looks at lines only. A value that stands behind something else than the declaration of an attribute is an
/// error.
base::Result<ClassTexts> FindClasses(const std::string& path, std::string_view text);

}  // namespace culprit::model
