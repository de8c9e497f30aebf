// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace culprit::base {

/// Each line with two blanks in front, and as it is safe on a terminal.
std::string PrintableLines(std::string_view text);
/// The same below a note of a diagnostic, which ends without a line break.
std::string LinesBelow(std::string_view text);

}  // namespace culprit::base
