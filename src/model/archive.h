// SPDX-License-Identifier: Apache-2.0
//
// Archives of TorchScript: a zip archive with
//
//   <top>/code/__torch__.py ...     the source, classes and functions
//   <top>/data.pkl, <top>/data/0 ...   the attributes of the model and the storages of its tensors
//   <top>/constants.pkl, <top>/version ...
#pragma once

#include <string>

#include "base/result.h"
#include "files/folder.h"
#include "model/load_model.h"

namespace culprit::model {

base::Result<LoadedModel> LoadArchive(const files::OpenedFile& file, const LoadOptions& options);

}  // namespace culprit::model
