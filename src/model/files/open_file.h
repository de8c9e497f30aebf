// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "base/result.h"
#include "files/folder.h"

namespace culprit::model {

/// A regular file that a user names; symbolic links are followed. Messages call it as the user does.
base::Result<files::OpenedFile> OpenNamedFile(const std::string& path);

/// Its first bytes, fewer at the end of the file.
base::Result<std::string> ReadBeginning(const files::OpenedFile& file, size_t bytes);

/// As every archive of PyTorch begins.
bool IsZip(const std::string& beginning);

}  // namespace culprit::model
