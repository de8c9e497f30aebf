// SPDX-License-Identifier: Apache-2.0
//
// The bytes of files that may come from a stranger: regular files, no links, no FIFOs, and never more memory
// than the caller has said.
#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "files/folder.h"

namespace culprit::files {

/// Bytes of an open file from `offset` on, into `target`; fewer than asked for are an error.
base::Status ReadAt(const OpenedFile& file, uint64_t offset, std::span<std::byte> target);

/// Whether the file holds exactly these bytes.
base::Result<bool> HasContents(const OpenedFile& file, std::span<const std::byte> contents);

/// A file of text of at most so many bytes.
base::Result<std::string> ReadText(const OpenedFile& file, int64_t max_bytes);
base::Result<std::string> ReadText(const std::string& path, int64_t max_bytes);

}  // namespace culprit::files
