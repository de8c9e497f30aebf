// SPDX-License-Identifier: Apache-2.0
//
// A diagnostic is what a user reads when input is wrong:
//
//   net.py:14:8: error: unknown operator 'aten::reul', did you mean 'aten::relu'?
//       relu = torch.ops.aten.reul.default(x)
//              ^
//     note: ...
//     help: to see all operators, run: culprit ...
//
// The message is one lower-case sentence with the actual values and no full stop.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace culprit::base {

/// A position in a text. Lines and columns count from 1; 0 means unknown, and is then left out of the
/// message. A column is a character (base/utf8.h).
struct Place {
  std::string file;
  uint32_t line = 0;
  uint32_t column = 0;
};

/// What has to change before it works.
enum class Cause : uint8_t {
  /// What the user gave: a command line, a file.
  kInput,
  /// Where it ran: a full disk, no memory, a helper process that died.
  kEnvironment,
  /// The program that the user gave: eager, which compilers are compared with, fails on it.
  kReference,
};

/// Of a system call that failed: the environment if disk, memory or processes ran out.
Cause CauseOf(int error_number);

struct Diagnostic {
  Place place;
  std::string message;
  /// The source line that the place points into; a caret is drawn below its column.
  std::string source_line = {};
  std::vector<std::string> notes = {};
  std::string help = {};
  Cause cause = Cause::kInput;

  /// Several lines of text without a final newline; `severity` is "error" or "warning". Whatever the parts
  /// hold, the text is safe on a terminal and short enough to be read.
  std::string Render(const char* severity = "error") const;
};

/// "PLACE: error: WHAT: No space left on device", with its cause.
Diagnostic SystemError(Place place, std::string_view what, int error_number);

}  // namespace culprit::base
