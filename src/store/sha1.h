// SPDX-License-Identifier: Apache-2.0
//
// SHA-1 (FIPS 180-4), which names the files of PyTorch's content store. libtorch's own (c10::sha1) wants the
// contents as one string, and gives garbage for an empty one.
#pragma once

#include <cstddef>
#include <span>
#include <string>

namespace culprit::store {

/// 40 hexadecimal digits.
std::string Sha1(std::span<const std::byte> contents);

}  // namespace culprit::store
