// SPDX-License-Identifier: Apache-2.0
//
// The form of a kernel's object in a file, four lines and the object's bytes:
//
//   culprit kernel 1             what it is, and the version of this form
//   32 hexadecimal digits        XXH3, 128 bits, of everything behind this line
//   32 hexadecimal digits        the key
//   16 hexadecimal digits        how many bytes follow
//
// The checksum finds damage, and is no defence: who can write such a file can write any code into it. See
// disk_cache.h for whose files are believed.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace culprit::compiler::jit {

std::string EncodeEntry(std::string_view key, std::string_view object);

/// The object, if the contents are an entry for this key and whole.
std::optional<std::string> DecodeEntry(std::string_view contents, std::string_view key);

}  // namespace culprit::compiler::jit
