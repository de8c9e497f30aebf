// SPDX-License-Identifier: Apache-2.0
//
// Storages that PyTorch's own content store wrote (torch.utils._content_store): what torch.save() makes of
// one storage, a zip archive with
//
//   <top>/data.pkl    a pickle that says what to make of the data; never opened here
//   <top>/data/0      the bytes
//   <top>/version, <top>/byteorder ...
//
// The file is named after its contents: 40 digits, either their SHA-1, or a "fast" hash that is computed on
// the storage's device with PyTorch's random numbers and looks the same.
#pragma once

#include <string>

#include "store/file_contents.h"
#include "store/zip_archive.h"

namespace culprit::store {

constexpr size_t kTorchHashDigits = 40;

/// Always a copy. Contents that are not the SHA-1 they are named after are no error, since the name may be a
/// fast hash; they are not called verified.
base::Result<StoredStorage> ReadTorchStorage(const files::OpenedFile& file, const std::string& hash,
                                             int64_t bytes, bool verify);

/// An error if the archive says that its numbers are not little-endian. Archives that do not say are older
/// than the record; nearly all machines were little-endian.
base::Status CheckByteOrder(const files::OpenedFile& file, const std::vector<ZipEntry>& entries);

}  // namespace culprit::store
