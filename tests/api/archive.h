// SPDX-License-Identifier: Apache-2.0
//
// TorchScript archives, as Python would have saved them.
#pragma once

#include <torch/csrc/jit/api/module.h>

#include <string>

#include "model/load_model.h"
#include "tests/lib/temporary_folder.h"

namespace culprit::tests {

/// Saves the module that `source` describes (docs/models.md) and returns the path of the archive.
inline std::string SaveArchive(const TemporaryFolder& folder, const std::string& source) {
  WriteWholeFile(folder / "net.py", source);
  const auto model = model::LoadModel(folder / "net.py");
  CULPRIT_CHECK(model.ok(), "{}", model.error().Render());
  model->module()->save(folder / "net.pt");
  return folder / "net.pt";
}

}  // namespace culprit::tests
