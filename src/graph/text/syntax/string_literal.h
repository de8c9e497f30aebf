// SPDX-License-Identifier: Apache-2.0
//
// How strings are written in Python. libtorch's strings are bytes, Python's are code points: bytes that are
// no UTF-8 are written as Python's own "surrogateescape" does, the byte 0xff as '\udcff'.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace culprit::graph::text {

/// The contents of a string literal with its prefix and quotes; nothing if it is malformed, formatted (f''),
/// or names a character (\N{...}).
std::optional<std::string> StringFromText(std::string_view text);

/// With single quotes; every string reads back as it was.
std::string StringToText(std::string_view value);

}  // namespace culprit::graph::text
