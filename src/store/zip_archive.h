// SPDX-License-Identifier: Apache-2.0
//
// As much of the zip format as PyTorch's files need: the list of files in an archive, with 64-bit sizes, and
// their contents, stored or deflated. libtorch has a reader too (caffe2/serialize/inline_container.h), but it
// allocates whatever size an archive claims.
//
//   <local header><contents> ... <directory: one entry per file><end: where the directory is>
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "files/folder.h"

namespace culprit::store {

struct ZipEntry {
  std::string name;
  bool is_deflated = false;
  uint32_t crc = 0;
  uint64_t stored_bytes = 0;
  uint64_t bytes = 0;
  uint64_t header_offset = 0;
};

/// Far above what an archive of PyTorch's with a few tensors has.
struct ZipLimits {
  uint64_t entries = 1000;
  uint64_t directory_bytes = 1 << 20;
};

/// Archives with more files, or longer names, than the limits are errors. No entry claims more than the file
/// can hold or, deflated, can be inflated to.
base::Result<std::vector<ZipEntry>> ListZip(const files::OpenedFile& file, const ZipLimits& limits = {});

/// Exactly as many bytes as the entry has, compared with its checksum.
base::Status ReadZipEntry(const files::OpenedFile& file, const ZipEntry& entry, std::span<std::byte> target);

}  // namespace culprit::store
