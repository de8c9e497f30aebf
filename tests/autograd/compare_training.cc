// SPDX-License-Identifier: Apache-2.0
#include "tests/autograd/compare_training.h"

#include <iterator>

#include "tests/lib/temporary_folder.h"

namespace culprit::tests {

base::Result<Comparison> CompareTraining(uint64_t seed, const std::string& text, const std::string& path,
                                         const std::string& backend, Coverage& coverage) {
  WriteWholeFile(path, text);
  Hazard program = CULPRIT_TRY(ParseHazard(path, text));
  program.variants = {{Backward::kTangents, InputForm::kAsWritten},
                      {kAllBackward[seed % std::size(kAllBackward)],
                       kAllInputForms[seed / std::size(kAllBackward) % std::size(kAllInputForms)]}};
  return CompareCaptured(program, coverage, backend);
}

}  // namespace culprit::tests
