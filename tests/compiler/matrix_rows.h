// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string_view>

namespace culprit::tests {

struct MatrixRow {
  std::string_view op;
  /// In the letters and words of tests/compiler/matrix_cases.h.
  std::string_view arguments;
  bool is_image = false;
};

/// Calls besides what follows from the schemas, or instead of it. Numbers, windows and factors are none that
/// leave nothing to round; some are too large for small dtypes, or complex, which eager refuses in its words.
std::span<const MatrixRow> MatrixRows();

}  // namespace culprit::tests
