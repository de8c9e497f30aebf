// SPDX-License-Identifier: Apache-2.0
//
// A call of the matrix under math=exact, bit by bit against libtorch.
#pragma once

#include <memory>
#include <string>

#include "backend/backend.h"
#include "tests/compiler/matrix_cases.h"

namespace culprit::tests {

struct ExactResult {
  /// Of dtype, layout and kind of numbers.
  size_t cells = 0;
  /// The first one; empty if there is none.
  std::string difference;
};

class ExactComparison {
 public:
  /// A setting of native_backend.h.
  explicit ExactComparison(const std::string& setting);

  /// Floats and Doubles in contiguous tensors. A NaN is any NaN. What eager refuses is no cell.
  ExactResult Compare(const MatrixCase& each, bool all_layouts) const;

 private:
  void CompareLayout(const MatrixCase& each, const DtypeColumn& column, const Layout& layout,
                     ExactResult& result) const;

  std::unique_ptr<backend::Backend> backend_;
};

}  // namespace culprit::tests
