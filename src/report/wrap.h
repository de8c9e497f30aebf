// SPDX-License-Identifier: Apache-2.0
//
// Lines that a terminal holds: of 80 columns, or of as many as the environment variable COLUMNS says.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace culprit::report {

/// 0 is no limit, for programs that read what is meant for people.
size_t Columns();

struct Indents {
  size_t first = 0;
  size_t others = 0;
};

/// The words of one paragraph in lines, of which the last ends without a line break. A word that is longer
/// than a line stays whole, since it is a path mostly, and so does a command at the end, which somebody may
/// copy: ": culprit ...".
std::string Filled(std::string_view paragraph, Indents indents, size_t columns);

/// Lines that are too long go on in the next one, four columns further in than they began.
std::string Wrapped(std::string_view text, size_t columns = Columns());

}  // namespace culprit::report
